"""Corrections against scipy and their definitions."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plumbline.comparison.significance.correction import (
    CORRECTIONS,
    benjamini_hochberg,
    bonferroni,
    corrected,
    family,
    fewest_resamples,
    holm,
    none,
)
from plumbline.errors import BadUsage

P = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.01, 0.05, 1.0])), min_size=1, max_size=12)


@given(P)
@settings(max_examples=60, deadline=None)
def test_by_definition(p: list[float]) -> None:
    ordered = sorted(p)
    count = len(p)
    for given_p, by_holm, by_bonferroni, by_bh in zip(p, holm(p), bonferroni(p), benjamini_hochberg(p), strict=True):
        before = [min((count - place) * one, 1) for place, one in enumerate(ordered) if one <= given_p]
        assert by_holm == pytest.approx(max(before))
        assert by_bonferroni == pytest.approx(min(given_p * count, 1))
        after = [min(one * count / (place + 1), 1) for place, one in enumerate(ordered) if one >= given_p]
        assert by_bh == pytest.approx(min(after))
        assert given_p <= by_bh <= by_holm + 1e-12 <= by_bonferroni + 2e-12
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"))
    assert none(p).tolist() == p


def test_published_example() -> None:
    """R's p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05))."""
    p = [0.01, 0.02, 0.03, 0.04, 0.05]
    assert holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert benjamini_hochberg(p) == pytest.approx([0.05] * 5)
    assert bonferroni(p) == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25])


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_has_no_p_is_no_part_of_the_family(name: str) -> None:
    found = CORRECTIONS[name]([0.01, nan, 0.04])
    assert isnan(found[1])
    assert found[[0, 2]] == pytest.approx(CORRECTIONS[name]([0.01, 0.04]))
    assert CORRECTIONS[name]([]).shape == (0,)
    assert np.isnan(CORRECTIONS[name]([nan])).all()


def table(systems: int) -> np.ndarray:
    upper = np.triu(np.random.default_rng(0).random((systems, systems)) / 10, 1)
    return np.asarray(upper + upper.T + np.eye(systems))


def test_all_pairs_once() -> None:
    p = table(5)
    found = corrected(p, "bonferroni")
    assert found[0, 1] == found[1, 0] == pytest.approx(min(p[0, 1] * 10, 1))
    assert (np.diag(found) == 1).all()
    assert family(p) == 10


def test_a_baseline_has_a_smaller_family() -> None:
    p = table(5)
    p[2, 4] = p[4, 2] = nan
    found = corrected(p, "bonferroni", baseline=2)
    assert found[2, 3] == found[3, 2] == pytest.approx(min(p[2, 3] * 3, 1))
    assert isnan(found[0, 1])
    assert isnan(found[2, 4])
    assert family(p, baseline=2) == 3
    assert family(p) == 9


def test_small_and_bad() -> None:
    assert corrected([[1.0]]).tolist() == [[1.0]]
    with pytest.raises(BadUsage):
        corrected([[1.0]], "magic")


@pytest.mark.parametrize("pairs", [1, 7, 10, 4950])
def test_fewest_resamples_can_just_be_significant(pairs: int) -> None:
    found = fewest_resamples(pairs, 0.03)
    assert pairs / (found + 1) < 0.03 <= pairs / found
    with pytest.raises(BadUsage):
        fewest_resamples(pairs, 0)
