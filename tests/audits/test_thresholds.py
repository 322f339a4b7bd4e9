"""Deepness and closeness thresholds by the formulas of the metrics: n + 1 relevant items, 2n shown."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import TYPE_CHECKING

import pytest

from plumbline.audits.constraints.ranking import FAR, many_below, one_at_the_top
from tests.helpers.audit_cache import full_audit
from tests.helpers.audit_exact import exact

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

SIZES = [*range(1, 101), *FAR]
P = 0.8
FORMULAS: dict[str, tuple[Callable[[int], float], Callable[[int], float]]] = {
    "AP": (lambda n: 1 / (n + 1), lambda n: sum(i / (n + i) for i in range(1, n + 1)) / (n + 1)),
    "DCG": (lambda _: 1.0, lambda n: sum(1 / log2(n + i + 1) for i in range(1, n + 1))),
    "RBP": (lambda _: 1 - P, lambda n: (1 - P) * sum(P ** (n + i - 1) for i in range(1, n + 1))),
    "RR": (lambda _: 1.0, lambda n: 1 / (n + 1)),
    "ERR": (lambda _: 1 / 2, lambda n: sum(0.5**i / (n + i) for i in range(1, n + 1))),
    "P@10": (lambda _: 1 / 10, lambda n: max(0, min(10, 2 * n) - n) / 10),
}
"""One relevant item at the top, and n of them after n others."""
DEEP: dict[str, int | None] = {"AP": None, "DCG": None, "RBP": 6, "RR": 1, "ERR": 1, "P@10": 10}
CLOSE: dict[str, int | None] = {"AP": 3, "DCG": 3, "RBP": 2, "RR": None, "ERR": None, "P@10": 2}


def from_some_size_on(right: list[bool]) -> int | None:
    """The first size from which on all are right, as far as was tried."""
    return next((n for at, n in enumerate(SIZES) if all(right[at:])), None)


@pytest.mark.parametrize("metric", FORMULAS)
def test_deepness_threshold(metric: str) -> None:
    top, below = FORMULAS[metric]
    verdict = full_audit("ranking").verdict(metric, "deepness threshold")
    assert [pair.size for pair in verdict.searched.pairs] == SIZES
    assert verdict.better.tolist() == pytest.approx([top(n) for n in SIZES])
    assert verdict.worse.tolist() == pytest.approx([below(n) for n in SIZES])
    expected = from_some_size_on([top(n) - below(n) > 1e-9 for n in SIZES])
    assert (verdict.size if verdict.holds else None) == expected == DEEP[metric]
    assert verdict.holds == (expected is not None)


@pytest.mark.parametrize("metric", FORMULAS)
def test_closeness_threshold(metric: str) -> None:
    top, below = FORMULAS[metric]
    verdict = full_audit("ranking").verdict(metric, "closeness threshold")
    expected = next((n for n in SIZES[1:] if below(n) - top(n) > 1e-9), None)
    assert (verdict.size if verdict.holds else None) == expected == CLOSE[metric]
    assert verdict.holds == (expected is not None)
    assert "values of n from 2 to 1,000" in str(verdict)


def test_what_breaks_a_threshold_is_shown_from_where_it_breaks() -> None:
    """One item at the top is better than n below for small n only: never for AP after n = 1, never for DCG after n = 2."""
    actual = full_audit("ranking")
    ap, dcg = (actual.verdict(metric, "deepness threshold") for metric in ("AP", "DCG"))
    assert (ap.size, dcg.size) == (3, 3)
    assert str(dcg).splitlines()[0] == "DCG: deepness threshold is broken (106 values of n from 1 to 1,000); from n = 3 on:"
    assert ap.counterexample is not None
    assert (ap.counterexample.better, ap.counterexample.worse) == pytest.approx((1 / 4, (1 / 4 + 2 / 5 + 3 / 6) / 4))


@pytest.mark.parametrize(("metric", "cut"), [("Rel", 20), ("F(Rel,Sens)", 29)])
def test_the_cut_point_of_reliability(metric: str, cut: int) -> None:
    """Rel alone has 20, as section 4.4.1 of Amigo et al. 2013 says for n = 30 and W = 0.8; F too if the gold has 88 items.

    In fractions, by the literal oracle.
    """
    verdict = full_audit("ranking").verdict(metric, "deepness threshold")
    assert (verdict.holds, verdict.size) == (True, cut)
    gains = {}
    for n in (cut - 1, cut):
        top, below = (exact(metric, "ranking", one) for one in (one_at_the_top(n), many_below(n)))
        assert isinstance(top, Fraction)
        assert isinstance(below, Fraction)
        gains[n] = top - below
    assert gains[cut - 1] < 0 < gains[cut]
