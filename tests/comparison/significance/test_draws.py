"""How often a test draws by default."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.comparison.significance.draws import MOST_RESAMPLES, default_resamples, fewest_resamples, needed_resamples
from plumbline.comparison.significance.registry import RESAMPLES
from plumbline.comparison.significance.widening import narrowed, widened
from plumbline.errors import BadUsage


@given(st.integers(1, 25_000), st.sampled_from(["holm", "bonferroni"]))
def test_draws_are_those_that_the_correction_needs(pairs: int, correction: str) -> None:
    test = "bootstrap"
    draws = default_resamples(test, correction, pairs, 0.05)
    assert RESAMPLES <= draws <= MOST_RESAMPLES
    if RESAMPLES < draws < MOST_RESAMPLES:
        assert pairs / (draws + 1) < 0.05 <= pairs / draws
    if draws == MOST_RESAMPLES:
        assert needed_resamples(test, correction, pairs, 0.05) >= MOST_RESAMPLES


def test_where_pairs_are_not_corrected_by_their_number_the_usual_draws_do() -> None:
    for test, correction in (("randomised_tukey", "holm"), ("randomization", "none"), ("bootstrap", "benjamini_hochberg")):
        assert default_resamples(test, correction, 5000, 0.05) == RESAMPLES
    assert default_resamples("randomised_tukey", "holm", 5000, 1e-5) == 100_000


def test_a_test_that_bounds_its_tails_needs_no_more_draws() -> None:
    assert default_resamples("randomization", "holm", 10**6, 0.05) == RESAMPLES
    assert needed_resamples("randomization", "holm", 10**6, 0.05) == 1


@pytest.mark.parametrize("pairs", [1, 7, 10, 4950])
def test_fewest_resamples_can_just_be_significant(pairs: int) -> None:
    fewest = fewest_resamples(pairs, 0.03)
    assert pairs / (fewest + 1) < 0.03 <= pairs / fewest
    with pytest.raises(BadUsage):
        fewest_resamples(pairs, 0)


@pytest.mark.parametrize("cases", [2, 5, 20, 1000])
def test_few_cases_need_more_draws_of_a_test_that_widens_p(cases: int) -> None:
    draws = needed_resamples("bootstrap", "holm", 10, 0.05, cases)
    assert draws >= needed_resamples("bootstrap", "holm", 10, 0.05)
    if draws < 10**12:
        assert widened(1 / (draws + 1), cases) * 10 < 0.05 <= widened(1 / (draws - 1), cases) * 10
    assert widened(narrowed(0.01, cases), cases) == pytest.approx(0.01, rel=1e-6) or cases == 2
