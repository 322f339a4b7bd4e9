"""The simulation of experiments, with fewer of them: tests and intervals keep their level, and so does peeking."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.helpers.examples import some_of
from tests.helpers.reproductions import readme, script

SETS = some_of(60)
RARE = 0.001
"""Results that are rarer than this by chance are a fault."""


def alarms(share: str) -> float:
    """How probable so many false alarms are, if 5 % are allowed."""
    return float(binom.sf(round(float(share.rstrip("%")) / 100 * SETS) - 1, SETS, 0.05))


@pytest.mark.slow
def test_nothing_is_significant_more_often_than_its_level() -> None:
    simulation = script("experiment_simulation")
    for name, p, interval in simulation.false_alarms(SETS):
        assert min(alarms(p), alarms(interval)) > RARE, name
    for name, share in simulation.families(SETS):
        assert alarms(share) > RARE, name


def test_looking_after_every_unit_and_planned_looks_keep_the_level() -> None:
    simulation = script("experiment_simulation")
    assert alarms(f"{100 * simulation.every_unit(SETS)}%") > RARE
    assert simulation.planned_looks(20_000) == pytest.approx(0.05, abs=0.006)


@pytest.mark.slow
def test_intervals_hold_true_effects() -> None:
    for name, held, _ in script("experiment_simulation").coverage(SETS):
        assert binom.cdf(round(float(held.rstrip("%")) / 100 * SETS), SETS, 0.95) > RARE, name


def test_the_readme_shows_every_test() -> None:
    simulation = script("experiment_simulation")
    for name in (*simulation.PLAIN.values(), *simulation.ADJUSTED.values(), *simulation.PAIRED.values()):
        assert f"| {name} |" in readme()
