"""The simulation of users, with fewer experiments: the idle are seldom significant, intervals hold the truth."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tests.helpers.reproductions import readme, script

EXPERIMENTS = 60
RARE = 0.001
"""Results that are rarer than this by chance are a fault."""


@pytest.mark.parametrize("method", ["team-draft", "probabilistic", "optimized", "pairwise"])
def test_users_who_click_by_position_alone(method: str) -> None:
    share = script("users_simulation").significant(method, EXPERIMENTS)
    assert binom.sf(round(share * EXPERIMENTS) - 1, EXPERIMENTS, 0.05) > RARE


def test_balanced_interleaving_sees_a_preference_that_is_not_there() -> None:
    assert script("users_simulation").significant("balanced", EXPERIMENTS) > 0.5


def test_sessions_of_one_user_are_no_independent_observations() -> None:
    simulation = script("users_simulation")
    covered, claimed = simulation.held(0.0, simulation.HEAVY, "users", EXPERIMENTS)
    assert binom.cdf(round(covered * EXPERIMENTS), EXPERIMENTS, 0.93) > RARE
    assert binom.sf(round(claimed * EXPERIMENTS) - 1, EXPERIMENTS, 0.05) > RARE
    wrong, _ = simulation.held(0.0, simulation.HEAVY, "sessions", EXPERIMENTS)
    assert wrong < covered


def test_estimates_of_policies_hold_the_truth() -> None:
    simulation = script("users_simulation")
    truth = float(simulation.NEW @ simulation.EARNS)
    for name in ("ips", "snips", "dr"):
        mean, covered = simulation.valued(name, 1_000, EXPERIMENTS)
        assert mean == pytest.approx(truth, abs=0.03), name
        assert binom.cdf(round(covered * EXPERIMENTS), EXPERIMENTS, 0.93) > RARE, name


def test_the_readme_shows_every_method_and_estimate() -> None:
    simulation = script("users_simulation")
    for name in simulation.METHODS:
        assert f"| {name} | " in readme()
    for name in simulation.ESTIMATORS:
        assert f"| {name}, 1,000 actions |" in readme()
