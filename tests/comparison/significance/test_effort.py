"""How often is drawn by default."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.comparison.significance.correction import fewest_resamples
from plumbline.comparison.significance.effort import DRAWS, MOST_DRAWS, usual_draws
from plumbline.comparison.significance.randomization import randomization

TESTS = ("randomization", "bootstrap")


@given(
    st.integers(2, 220),
    st.integers(1, 60),
    st.sampled_from(TESTS),
    st.sampled_from(["holm", "bonferroni"]),
    st.sampled_from([0, 1]),
)
def test_draws_are_enough_and_at_most_twenty_times_as_many(
    systems: int, cases: int, test: str, correction: str, baselines: int
) -> None:
    pairs = systems - 1 if baselines else systems * (systems - 1) // 2
    needed = fewest_resamples(pairs)
    draws = usual_draws(np.zeros((systems, cases)), test, correction, 0.05, baseline=bool(baselines))
    assert draws <= max(20 * needed, DRAWS)
    assert draws >= min(max(needed, DRAWS), MOST_DRAWS)
    if needed > MOST_DRAWS:
        assert draws == MOST_DRAWS


def test_the_more_work_a_draw_is_the_fewer_there_are() -> None:
    small, middle, large = (usual_draws(np.zeros((48, cases)), "randomization", "holm", 0.05) for cases in (30, 3_000, 300_000))
    assert 20 * 22_560 >= small > middle > large == 22_560
    gaps = np.zeros((48, 3_000))
    gaps[0, 0] = np.nan
    assert 22_560 <= usual_draws(gaps, "randomization", "holm", 0.05) < middle, "each pair has its own sums"


def test_where_pairs_are_not_corrected_by_their_number_the_usual_draws_do() -> None:
    values = np.zeros((40, 20))
    for test, correction in (("randomised_tukey", "holm"), ("randomization", "none"), ("bootstrap", "benjamini_hochberg")):
        assert usual_draws(values, test, correction, 0.05) == DRAWS
    assert usual_draws(values, "randomised_tukey", "holm", 1e-5) == 100_000


@pytest.mark.parametrize("systems", [2, 5])
def test_few_pairs_take_the_usual_draws(systems: int) -> None:
    assert usual_draws(np.zeros((systems, 50)), "randomization", "holm", 0.05) == DRAWS


def test_what_is_significant_hardly_depends_on_the_seed() -> None:
    """True p values are between the level over the pairs and twice as much: the fewest draws let half of them through."""
    generator = np.random.default_rng(5)
    values = np.concatenate([generator.normal(0, 1, (1, 30)), generator.normal(0.9, 1, (11, 30))])
    pairs = 66
    needed, usual = fewest_resamples(pairs), usual_draws(values, "randomization", "bonferroni", 0.05)
    wins = {
        draws: [int((randomization(values, resamples=draws, seed=seed).p * pairs < 0.05).sum()) for seed in range(6)]
        for draws in (needed, usual)
    }
    assert usual == 20 * needed
    assert np.ptp(wins[usual]) < np.ptp(wins[needed])
