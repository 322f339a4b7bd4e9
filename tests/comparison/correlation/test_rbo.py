"""Rank-biased overlap: as sums over depths, worked out on paper, and as published by others."""

from __future__ import annotations

from itertools import permutations, product
from math import isnan, log, nan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.comparison.correlation.rbo import places, rbo
from plumbline.errors import BadUsage
from tests.helpers.examples import some_of


def shares(ranking: list[list[str]], depth: int, ties: str) -> dict[str, float]:
    """With what each item is in the top of a depth."""
    result, above = {}, 0
    for group in ranking:
        for item in group:
            part = min(max((depth - above) / len(group), 0.0), 1.0)
            result[item] = float(depth > above) if ties == "w" else part
        above += len(group)
    return result


def slow_agreement(one: dict[str, float], other: dict[str, float], depth: int, ties: str) -> float:
    common = sum(share * other.get(item, 0.0) for item, share in one.items())
    if ties == "w":
        return 2 * common / (sum(one.values()) + sum(other.values()))
    if ties == "a":
        return common / depth
    return common / sqrt(sum(share**2 for share in one.values()) * sum(share**2 for share in other.values()))


def slow_rbo(x: list[list[str]], y: list[list[str]], p: float, ties: str) -> tuple[float, float]:
    """Extrapolated and least, as sums over 3000 depths; both lists have the same items or at least the same length."""
    length = sum(len(group) for group in x)
    seen = [slow_agreement(shares(x, d, ties), shares(y, d, ties), d, ties) for d in range(1, length + 1)]
    common = len({item for group in x for item in group} & {item for group in y for item in group})
    depths = range(1, 3000)
    weight = {d: (1 - p) * p ** (d - 1) for d in depths}
    going_on = sum(weight[d] * (seen[d - 1] if d <= length else seen[-1]) for d in depths)
    least = sum(weight[d] * (seen[d - 1] if d <= length else common / d) for d in depths)
    return going_on, least


tied_ranking = st.tuples(st.permutations("abcdefgh"), st.lists(st.booleans(), min_size=6, max_size=6))


def grouped(drawn: tuple[list[str], list[bool]]) -> list[list[str]]:
    """As many of the items as there are answers; some are tied with the one before."""
    groups: list[list[str]] = []
    for item, joined in zip(drawn[0], drawn[1], strict=False):
        if joined and groups:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


@given(tied_ranking, tied_ranking, st.floats(0.1, 0.97), st.sampled_from("wab"))
@settings(max_examples=some_of(150), deadline=None)
def test_rbo_is_the_sum_over_depths(one: Any, other: Any, p: float, ties: Any) -> None:
    x, y = grouped(one), grouped(other)
    result = rbo(x, y, p, ties)
    extrapolated, least = slow_rbo(x, y, p, ties)
    assert result.extrapolated == pytest.approx(extrapolated, abs=1e-9)
    assert result.least == pytest.approx(least, abs=1e-9)
    assert result.least - 1e-12 <= result.extrapolated <= result.most + 1e-12
    assert rbo(y, x, p, ties) == result or rbo(y, x, p, ties).extrapolated == pytest.approx(result.extrapolated, abs=1e-12)


@given(tied_ranking, tied_ranking, st.floats(0.1, 0.97))
@settings(max_examples=some_of(30), deadline=None)
def test_rbo_a_is_the_mean_over_all_orders_of_ties(one: Any, other: Any, p: float) -> None:
    x, y = (grouped((drawn[0][:4], drawn[1])) for drawn in (one, other))
    untied = [
        [[item for group in parts for item in group] for parts in product(*(permutations(group) for group in groups))]
        for groups in (x, y)
    ]
    results = [rbo(a, b, p).extrapolated for a in untied[0] for b in untied[1]]
    assert rbo(x, y, p, "a").extrapolated == pytest.approx(float(np.mean(results)), abs=1e-9)


def test_rbo_by_hand() -> None:
    """Agreement of abc and bad is 0, 1, 2/3.

    Extrapolated with p = 0.5: 0/2 + 1/4 + (2/3)/8 + 2/3 * 1/8 = 5/12. At least: the rest has 2 / d in common,
    2 * sum over d > 3 of 0.5^d / d = 2 * (ln 2 - 1/2 - 1/8 - 1/24) in place of the last part.
    At most: at depth 4 all is common, (2 * 4 - 6 + 2) / 4 = 1, and so is all of the rest: 1/8.
    """
    result = rbo("abc", "bad", 0.5)
    assert result.extrapolated == pytest.approx(5 / 12)
    assert result.least == pytest.approx(1 / 3 + 2 * (log(2) - 2 / 3))
    assert result.most == pytest.approx(1 / 3 + 1 / 8)
    assert result.residual == pytest.approx(result.most - result.least)


def test_rbo_of_lists_of_different_length_by_hand() -> None:
    """Webber's equation 32 with S = a, L = b a, p = 0.5: X is 0 and 1, the overlap at the end of S is 0.

    (1 - p) / p * (0 + 1/2 * 1/4 + 0) + ((1 - 0) / 2 + 0) * 1/4 = 1/8 + 1/8.
    S = a, L = a b: X is 1 and 1; (1/2 + 1/2 * 1/4 + 1 * 1 / (1 * 2) * 1/4) + (0 + 1) * 1/4 = 1.
    """
    assert rbo("a", "ba", 0.5).extrapolated == pytest.approx(1 / 4)
    assert rbo("ba", "a", 0.5).extrapolated == pytest.approx(1 / 4)
    assert rbo("a", "ab", 0.5).extrapolated == pytest.approx(1.0)
    assert rbo("a", "ab", 0.5).most == pytest.approx(1.0)


def test_rbo_with_ties_by_hand() -> None:
    """(ab)c and abc, p = 0.5. w: 2/3, 1, 1; a: 1/2, 1, 1; b: 1/2 / sqrt(1/2), 1, 1."""
    rest = 1 / 2
    for ties, at_first in (("w", 2 / 3), ("a", 1 / 2), ("b", sqrt(1 / 2))):
        assert rbo([("a", "b"), "c"], "abc", 0.5, ties).extrapolated == pytest.approx(at_first / 2 + rest)  # type: ignore[arg-type]
    assert rbo([{"a", "b"}, "c"], [["b", "a"], "c"], 0.5, "w").extrapolated == pytest.approx(1.0)
    assert rbo([{"a", "b"}, "c"], [["b", "a"], "c"], 0.5, "b").extrapolated == pytest.approx(1.0)
    assert rbo([{"a", "b"}, "c"], [["b", "a"], "c"], 0.5, "a").extrapolated == pytest.approx(0.75)


CORSI = [
    (
        "i14 (i5 i12 i16) (i1 i17) (i3 i11) i8",
        "i12 i3 i17 i9 i8 i4 i15 (i13 i14)",
        0.942991097099648,
        {
            "w": (0.456106059590995, 0.278178268495676, 0.699819136853325),
            "a": (0.438090212407969, 0.26016242131265, 0.681803289670299),
            "b": (0.443426560241437, 0.265498769146118, 0.687139637503766),
        },
    ),
    (
        "i6 i1 i10 i21 i3 i22 (i7 i16)",
        "(i9 i16) i6 (i1 i3 i10 i13 i18 i21) (i2 i7 i8 i12 i17 i19)",
        0.950020892991299,
        {
            "w": (0.662994173947287, 0.370166484599023, 0.773883679246766),
            "a": (0.618598697697995, 0.341946573647677, 0.746867707808947),
            "b": (0.646791348755938, 0.359025163555379, 0.766158688545102),
        },
    ),
    (
        "(i5 i20) (i3 i8 i10 i11) i13",
        "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13)",
        0.956020041658117,
        {
            "w": (0.640387430188247, 0.323506576285529, 0.805416533963823),
            "a": (0.536528176569959, 0.26353157133526, 0.741980233847526),
            "b": (0.650587440650316, 0.324674914963379, 0.806877156763621),
        },
    ),
    (
        "i6 i5 (i2 i4 i7)",
        "i4 i18 i2 (i1 i5 i6 i7 i9 i14 i15 i17) i13 i11",
        0.984365085297715,
        {
            "w": (0.734068963712944, 0.172811297273872, 0.938656144671167),
            "a": (0.680057896807246, 0.161475073718017, 0.926540408667145),
            "b": (0.747819806375568, 0.169727262584421, 0.937170943665285),
        },
    ),
]
"""Four rows of the test values of Corsi and Urbano (julian-urbano/sigir2024-rbo @463d6d515843): extrapolated, least, most."""


@pytest.mark.parametrize(("x", "y", "p", "expected"), CORSI)
def test_rbo_as_published_by_corsi_and_urbano(x: str, y: str, p: float, expected: dict[Any, tuple[float, ...]]) -> None:
    def read(text: str) -> list[list[str]]:
        groups: list[list[str]] = []
        inside = False
        for word in text.split():
            if inside:
                groups[-1].append(word.strip("()"))
            else:
                groups.append([word.strip("()")])
            inside = (inside or word.startswith("(")) and not word.endswith(")")
        return groups

    for ties, values in expected.items():
        result = rbo(read(x), read(y), p, ties)
        assert (result.extrapolated, result.least, result.most) == pytest.approx(values, abs=1e-12), ties


def test_rbo_of_scores_keeps_ties() -> None:
    result = places({"a": 1.0, "b": 3.0, "c": 1.0, "d": 0.5})
    assert result.items == ("b", "a", "c", "d")
    assert result.first.tolist() == [1, 2, 2, 4]
    assert result.last.tolist() == [1, 3, 3, 4]
    assert places({}).items == ()


def test_rbo_at_the_edges() -> None:
    assert isnan(rbo("", "ab").extrapolated)
    assert (rbo("", "ab").least, rbo("", "ab").most) == (0, 1)
    assert rbo("ab", "cd").extrapolated == 0
    assert rbo("ab", "cd").least == 0
    one, other = ([f"d{at}" for at in order] for order in (range(3000), range(3000, -1, -1)))
    assert rbo(one, other).least <= rbo(one, other).extrapolated  # what lies beyond 3000 is lost in rounding
    for p in (0.0, 1.0, nan):
        with pytest.raises(BadUsage, match="RBO"):
            rbo("ab", "ba", p)
    with pytest.raises(BadUsage, match="twice"):
        rbo("aba", "ba")
    with pytest.raises(BadUsage, match="no score"):
        rbo({"a": nan}, "a")
    with pytest.raises(BadUsage, match="ties"):
        rbo("ab", "ba", 0.9, "c")  # type: ignore[arg-type]
