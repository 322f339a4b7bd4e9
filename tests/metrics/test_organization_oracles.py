"""The slow Reliability and Sensitivity agree with what is published and with what can be proved."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.clustering_oracles import CLUSTERING
from tests.helpers.organization_oracles import (
    EVERY_OVER,
    KINDS,
    MEASURES,
    Left,
    Number,
    Organization,
    Over,
    Setting,
    Value,
    custom_weights,
    from_levels,
    geometric,
    half_life,
    inverse_square,
    logarithmic,
    losses,
    of_ranking,
    ranking,
    reading_time,
    rel,
    relations,
    sens,
    total,
    uniform,
)
from tests.helpers.organization_worlds import ITEMS, NESTED, Pair, many, nested, organizations, pairs
from tests.helpers.ranking_worlds import moderate
from tests.helpers.shared import shared

pytestmark = pytest.mark.slow

SETTINGS = [
    {"collection": collection, "absent": absent, "tail_credit": credit}
    for collection, absent, credit in product(("unlimited", "finite"), ("unknown", "tail"), (False, True))
]
DISCOUNTS: dict[str, Left] = {
    "inverse_square": inverse_square(3, Fraction(4, 5)),
    "geometric": geometric(3, Fraction(4, 5)),
    "uniform": uniform(3, Fraction(4, 5)),
    "logarithmic": logarithmic(3, Fraction(4, 5)),
    "own": custom_weights([3, 0, Fraction(1, 2)], Fraction(4, 5)),
    "time": half_life(),
}
EXACT = {"inverse_square", "uniform", "own"}


def published(name: str) -> dict[str, Any]:
    """An entry of the values that the papers print."""
    actual: dict[str, Any] = json.loads(shared("golden", "papers.json").read_text(encoding="utf-8"))[name]
    return actual


def mean(a: Value, b: Value) -> Number:
    """F of two defined values."""
    assert a is not None
    assert b is not None
    return 2 / (1 / a + 1 / b) if a and b else Fraction(0)


# --- published ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", range(5))
@pytest.mark.parametrize(("credit", "column"), [(False, "formula"), (True, "tail_credit")])
def test_table_9(output: int, column: str, *, credit: bool) -> None:
    table = published("rs_table9")
    gold, x = from_levels(table["gold"]), from_levels(table["outputs"][output]["x"])
    options = {"n": table["n"], "w": table["w"], "tail_credit": credit}
    values = [MEASURES[side](x, gold, over=kind, **options) for kind in KINDS for side in ("rel", "sens")]
    expected = table["outputs"][output][column]
    assert [round(float(value or 0), 4) for value in values] == [round(float(value), 4) for value in expected]


READINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "formula": {"tail_credit": False},
    "tail": {"tail_credit": False, "absent": "tail"},
}
"""Of what the paper leaves open about the tail."""


def first_wins(n: int, relevant: int, **options: Any) -> bool:
    """Whether one relevant item before 2n - 1 others is better than n relevant ones after n others; the gold has so many."""
    right, noise = [f"r{i}" for i in range(relevant)], [f"n{i}" for i in range(2 * n - 1)]
    lists = [right[0], *noise], [*noise[:n], *right[1 : n + 1]]
    early, late = (
        mean(
            *(
                ranking(
                    {item: -float(place) for place, item in enumerate(items)}, dict.fromkeys(right, 1.0), side=side, **options
                )
                for side in ("rel", "sens")
            )
        )
        for items in lists
    )
    return early > late


@pytest.mark.parametrize(
    ("reading", "relevant", "cut"),
    [("default", 90, 20), ("default", 42, 24), ("tail", 31, 25), ("formula", 42, 99)],
)
def test_the_cut_point_of_a_gold(reading: str, relevant: int, cut: int) -> None:
    """Section 4.4.1 names 20, and no size of the gold."""
    lengths = (2, 5, 19, 20, 23, 24, 25, 30)
    assert [first_wins(n, relevant, **READINGS[reading]) for n in lengths] == [n >= cut for n in lengths]


def test_the_cut_point_if_the_gold_has_one_item_more() -> None:
    parameters = published("rs_cut_point")
    assert (parameters["n"], parameters["w"]) == (30, 0.8)
    lengths = (2, 10, 19, 20, 21)
    assert [first_wins(n, n + 1, **READINGS["tail"]) for n in lengths] == [n >= parameters["smallest_n"] for n in lengths]


# --- known cases of finite collections ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(1, 5))
def test_two_finite_levels_give_the_products_of_class_precisions_and_recalls(size: int) -> None:
    for called, true in product(product((False, True), repeat=size), repeat=2):
        x, g = ([(f"d{i}", not flag, i) for i, flag in enumerate(side)] for side in (called, true))
        for measure, asserted, requested in ((rel, called, true), (sens, true, called)):
            right = [[requested[i] == flag for i in range(size) if asserted[i] == flag] for flag in (True, False)]
            expected = Fraction(sum(right[0]) * sum(right[1]), len(right[0]) * len(right[1])) if all(right) else None
            assert measure(x, g, over="priority", collection="finite") == expected


def clusters(side: Organization) -> list[frozenset[str]]:
    """The clusters of an organization, without their levels."""
    return [frozenset(item for item, _, its in side if its == cluster) for cluster in {one[2] for one in side}]


@moderate(40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=len(ITEMS)))
def test_a_finite_partition_gives_bcubed(labels: list[tuple[int, int, int]]) -> None:
    x = [(ITEMS[i], level, cluster) for i, (cluster, _, level) in enumerate(labels)]
    g = [(ITEMS[i], level, one) for i, (_, one, level) in enumerate(labels)]
    for name, measure in (("BCubedP", rel), ("BCubedR", sens)):
        assert measure(x, g, over="related", collection="finite") == CLUSTERING[name](clusters(x), clusters(g))


@moderate(40)
@given(pairs(("one level",), least=1))
def test_finite_overlapping_clusters_give_those_of_the_clustering_oracle(pair: Pair) -> None:
    both = {item for item, _, _ in pair.gold} & {item for item, _, _ in pair.system}
    g, x = ([one for one in side if one[0] in both] for side in pair)
    for name, measure in (("Rel", rel), ("Sens", sens)):
        value = measure(x, g, over="related", collection="finite")
        assert value == CLUSTERING[name](clusters(x), clusters(g))
        assert measure(x, g, over="both", collection="finite") == value


# --- what must hold everywhere ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", SETTINGS)
@moderate(15)
@given(pair=pairs())
def test_losses_add_up_and_values_are_shares(options: dict[str, Any], pair: Pair) -> None:
    for over, side in product(KINDS, MEASURES):
        value = MEASURES[side](pair.system, pair.gold, over=over, n=4, **options)
        lost = losses(pair.system, pair.gold, over=over, side=side, n=4, **options)
        assert all(amount > 0 for amount in lost.values())
        assert isinstance(value, Fraction) or (value is None and not lost)
        assert value is None or total([value, *lost.values()]) == 1
        assert set(lost) <= causes(over, side)


def causes(over: Over, side: str) -> set[str]:
    """What a loss may be called."""
    named = {"priority": {"extra item", "tied", "wrong order"}, "related": {"extra item", "merged cluster"}}
    named |= {"priority sens": {"missing item", "tied", "wrong order"}, "related sens": {"missing item", "broken cluster"}}
    return named[over if side == "rel" else f"{over} sens"]


@pytest.mark.parametrize("name", DISCOUNTS)
@moderate(15)
@given(pair=pairs())
def test_every_discount_gives_relations_that_weigh_1(name: str, pair: Pair) -> None:
    cost = reading_time(dict.fromkeys("abcdefyz", 200), pair.gold) if name == "time" else None
    options: dict[str, Any] = {"left": DISCOUNTS[name], "cost": cost}
    for (x, g), over in product((pair, tuple(reversed(pair))), KINDS):
        listed = relations(x, g, over, Setting(**options))
        value = rel(x, g, over=over, **options)
        assert bool(listed) == bool(x) == (value is not None)
        assert not listed or float(total(one.weight for one in listed)) == pytest.approx(1, abs=1e-12)
        assert value is None or isinstance(value, Fraction if name in EXACT else (float, Fraction))


@pytest.mark.parametrize("options", [*SETTINGS, *({"left": left} for left in DISCOUNTS.values())])
@moderate(15)
@given(side=organizations(least=1))
def test_a_perfect_output_scores_1(options: dict[str, Any], side: Organization) -> None:
    asserted = options.get("collection") != "finite" or len({level for _, level, _ in side}) > 1
    for over, measure in product(EVERY_OVER, (rel, sens)):
        expected = None if over == "priority" and not asserted else pytest.approx(1, abs=1e-12)
        assert measure(side, side[::-1], over=over, **options) == expected


@moderate(15)
@given(pair=pairs())
def test_only_the_order_of_levels_and_the_identity_of_clusters_count(pair: Pair) -> None:
    renamed = [[(item, 7 * level - 2, (cluster, "x")) for item, level, cluster in side] for side in pair]
    for over, options in product(EVERY_OVER, SETTINGS):
        values = [rel(x, g, over=over, **options) for g, x in (pair, renamed)]
        assert values[0] == values[1]


@moderate(15)
@given(side=organizations(NESTED))
def test_nested_levels_are_the_same_organization(side: Organization) -> None:
    again = from_levels(nested(side))
    assert sorted(item for item, _, _ in again) == sorted(item for item, _, _ in side)
    for over, options in product(EVERY_OVER, SETTINGS):
        assert rel(again, side, over=over, **options) == rel(side, side, over=over, **options)


@moderate(15)
@given(pair=pairs(("ranking",)))
def test_what_is_absent_makes_no_difference_in_a_finite_collection_that_is_completed(pair: Pair) -> None:
    scores, grades = ({item: -level for item, level, _ in side} for side in (pair.system, pair.gold))
    sides = of_ranking(scores, grades, rel=-9, collection="finite")
    bare = of_ranking(scores, grades, rel=-9)
    for measure in (rel, sens):
        expected = measure(*sides, over="priority", collection="finite")
        assert measure(*sides, over="priority", collection="finite", absent="tail") == expected
        assert measure(*bare, over="priority", collection="finite", absent="tail") == expected


def test_many_random_pairs_are_the_same_at_every_run_and_reach_every_cause() -> None:
    assert list(many(50)) == list(many(50))
    actual = set()
    for gold, x in many(300):
        for over, side in product(KINDS, MEASURES):
            actual |= {(over, side, cause) for cause in losses(x, gold, over=over, side=side)}
    assert actual == {(over, side, cause) for over, side in product(KINDS, MEASURES) for cause in causes(over, side)}


# --- cases that are computed by hand ------------------------------------------------------------------------------------


def test_one_wrong_item_after_a_right_one() -> None:
    """The weights with n=1 and w=1/2 are 1/2, 1/6 and 1/3 for the tail; the gold has the first item only."""
    options: dict[str, Any] = {"over": "priority", "n": 1, "w": Fraction(1, 2)}
    x, g = from_levels([[["a"]], [["b"]]]), from_levels([[["a"]]])
    above_tail = Fraction(1, 2) * Fraction(1, 3) * (2 + Fraction(3, 2))
    pair = Fraction(1, 2) * Fraction(1, 6) * (2 + Fraction(6, 5))
    credit = Fraction(1, 6) * Fraction(1, 3) * Fraction(6, 5)
    for credited, extra in ((False, Fraction(0)), (True, credit)):
        options["tail_credit"] = credited
        assert rel(x, g, **options) == above_tail + extra
        assert rel(x, g, absent="tail", **options) == above_tail + pair + extra
        assert sens(x, g, **options) == 1
        assert losses(x, g, **options) == {"extra item": 1 - above_tail - extra}
        assert losses(x, g, absent="tail", **options) == {"extra item": 1 - above_tail - pair - extra}


def test_times_an_item_is_above_another() -> None:
    """The system has a over b twice and over itself once, the gold a over b once: half, and nothing."""
    x = [("a", 0, "p"), ("a", 1, "q"), ("b", 2, "q")]
    g = [("a", 0, "p"), ("b", 1, "p")]
    pair = Fraction(1, 3) * Fraction(1, 3) / Fraction(2, 3)
    assert rel(x, g, over="priority", collection="finite") == 2 * (Fraction(1, 2) * 2) * pair
    assert losses(x, g, over="priority", collection="finite") == {"wrong order": Fraction(2, 3)}
    assert rel(x, g, over="related", collection="finite") == Fraction(1, 3) * (Fraction(1, 2) + Fraction(1, 4) * 3 + 1)


@pytest.mark.parametrize(
    ("x", "g", "expected"),
    [
        ([], [], (None, None)),
        ([], [[["a"]]], (None, 0)),
        ([[["a"]]], [], (0, None)),
        ([[["b"]]], [[["a"]]], (0, 0)),
    ],
)
def test_what_asserts_nothing_is_undefined(x: list[Any], g: list[Any], expected: tuple[Value, Value]) -> None:
    sides = from_levels(x), from_levels(g)
    both: tuple[Over, ...] = ("priority", "both")
    for over in both:
        assert (rel(*sides, over=over, tail_credit=False), sens(*sides, over=over, tail_credit=False)) == expected


def test_the_credit_is_all_that_a_wrong_item_gets() -> None:
    """The one item of each side weighs 2/17 with n=30 and w=4/5: it is above the tail, seen from the item."""
    x, g = from_levels([[["b"]]]), from_levels([[["a"]]])
    assert rel(x, g, over="priority") == sens(x, g, over="priority") == Fraction(2, 17)


def test_a_ranking_has_its_own_rules() -> None:
    assert ranking({"a": 1}, {"a": 0, "b": -1}) is None
    assert ranking({}, {"a": 1}) == ranking({}, {"a": 1}, side="sens", collection="finite") == 0
    assert ranking({"a": 1, "b": 1}, {"a": 1}, rel=2) is None
    x, g = of_ranking({"a": 2, "b": 1, "n": 1}, {"a": 1, "b": 2, "c": 0, "d": -1, "n": -1}, collection="finite")
    assert x == [("a", 0, "a"), ("b", 1, "b"), ("n", 1, "n"), ("c", 2, ("last", "c"))]
    assert g == [("a", 1, "a"), ("b", 0, "b"), ("c", 2, ("last", "c")), ("n", 2, ("last", "n"))]


def test_an_item_takes_the_seconds_of_its_length() -> None:
    seconds = reading_time({"a": 100, "b": 100}, from_levels([[["a"]]]))
    assert float(seconds("a")) == pytest.approx(4.4 + (1.8 + 7.8) * 0.64)
    assert float(seconds("b")) == pytest.approx(4.4 + (1.8 + 7.8) * 0.39)
