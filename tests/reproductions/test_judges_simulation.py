"""The simulation of judges, with fewer data sets: intervals hold the truth, and a good judge makes them narrower."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.helpers.reproductions import readme, script

SETS = 60
RARE = 0.001
"""Results that are rarer than this by chance are a fault."""


@pytest.mark.slow
def test_intervals_of_agreement_cover() -> None:
    simulation = script("judges_simulation")
    truth = simulation.true_values()
    for method in ("bootstrap", "analytic"):
        for share in simulation.coverage(50, method, SETS, truth):
            assert binom.cdf(round(share * SETS), SETS, 0.95) > RARE, method


def test_estimates_cover_and_a_good_judge_helps() -> None:
    simulation = script("judges_simulation")
    results = {name: simulation.powered(correlation, 20, SETS) for name, correlation in simulation.JUDGES.items()}
    for estimate, plain, _, _ in results.values():
        assert binom.cdf(round(estimate * SETS), SETS, 0.95) > RARE
        assert binom.cdf(round(plain * SETS), SETS, 0.95) > RARE
    widths = [width for _, _, width, _ in results.values()]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0.9
    assert widths[-1] < 0.4


def test_estimates_of_strata_cover() -> None:
    simulation = script("judges_simulation")
    for correlation in simulation.JUDGES.values():
        estimate, plain, width, _ = simulation.stratified(correlation, 5, SETS)
        assert binom.cdf(round(estimate * SETS), SETS, 0.95) > RARE
        assert binom.cdf(round(plain * SETS), SETS, 0.95) > RARE
        assert width < 1


def test_the_readme_shows_every_size_and_judge() -> None:
    simulation = script("judges_simulation")
    for items in simulation.SIZES:
        assert f"| {items} items, bootstrap |" in readme()
    for name in simulation.JUDGES:
        assert f"| {name}, 20 human cases |" in readme()
        for cases in simulation.IN_STRATUM:
            assert f"| {name}, 3 x {cases} human cases |" in readme()
