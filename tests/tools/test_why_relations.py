"""why for Reliability and Sensitivity: causes, pairs and documents each add up to what is missing to 1."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import assume, given

import plumbline
from plumbline.metrics.names import parse
from plumbline.tools.why import relations, why
from tests.helpers.organization_worlds import NESTED, Pair, many, nested, pairs, rows
from tests.helpers.ranking_worlds import World, moderate, worlds

if TYPE_CHECKING:
    from plumbline.tools.why import Why
    from tests.helpers.organization_oracles import Organization

KINDS = ("priority", "related")
SETTINGS = list(product(("Rel", "Sens"), KINDS, ("unlimited", "finite"), ("false", "true"), ("unknown", "tail")))
LEVELS = {"q": [[["a", "b"]], [["c"], ["d"]]]}
OTHER = {"q": [[["c"]], [["a"], ["b", "e"]]]}


def named(which: str, over: str, collection: str, credit: str, absent: str) -> str:
    return f"{which}(over={over},collection={collection},tail_credit={credit},absent={absent},n=5)"


def framed(side: Organization) -> pl.DataFrame:
    """A table, in which a cluster may span levels."""
    return pl.DataFrame(rows(side)).with_columns(pl.lit("q").alias("case"))


def repeats(side: Organization) -> bool:
    """Whether an item is at two levels of one cluster."""
    return len({(item, cluster) for item, _, cluster in side}) < len(side)


def explained(gold: Any, system: Any, metric: str, **options: Any) -> Why:
    return why(gold, {"s": system}, metric, task="organization", **options)


def assert_adds_up(actual: Why) -> None:
    """Causes with the value to 1; pairs to their causes; documents to all pairs."""
    if actual.value is None:
        assert actual.reason
        assert not actual.losses
        return
    missing = 1 - actual.value
    assert sum(actual.losses.values()) == pytest.approx(missing, abs=1e-12)
    assert actual.pairs["lost"].sum() == pytest.approx(missing, abs=1e-10)
    assert actual.rows["lost"].sum() == pytest.approx(missing, abs=1e-10)
    by_cause = dict(actual.pairs.group_by("cause").agg(pl.col("lost").sum()).iter_rows())
    assert set(by_cause) <= set(actual.losses)
    for cause, amount in actual.losses.items():
        assert by_cause.get(cause, 0.0) == pytest.approx(amount, abs=1e-10), cause
    for table in (actual.rows, actual.pairs):
        amounts = table["lost"].to_list()
        assert amounts == sorted(amounts, reverse=True)
        assert all(amount > 0 for amount in amounts)


# --- everything adds up -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS, ids="-".join)
def test_nested_organizations_add_up(setting: tuple[str, str, str, str, str]) -> None:
    filled = (pair for pair in many(12, seed=SETTINGS.index(setting), forms=NESTED) if pair.gold and pair.system)
    for gold, system in filled:
        assert_adds_up(explained({"q": nested(gold)}, {"q": nested(system)}, named(*setting)))


@moderate(25)
@given(pair=pairs(least=1))
def test_clusters_over_several_levels_add_up(pair: Pair) -> None:
    assume(not any(repeats(side) for side in pair))
    for which, over in product(("Rel", "Sens"), KINDS):
        assert_adds_up(explained(framed(pair.gold), framed(pair.system), f"{which}(over={over},n=4)"))


@moderate(25)
@given(world=worlds())
def test_rankings_add_up(world: World) -> None:
    for name in ("Rel", "Sens", "Rel(absent=unknown,rel=2)", "Sens(collection=finite)", "Rel(weights=3:2:1)"):
        for case, ranked in world.run.items():
            if not ranked or case not in world.gold:
                continue
            explanation = why({case: world.gold[case]}, {"s": {case: ranked}}, name, task="ranking")
            assert_adds_up(explanation)
            scores = plumbline.evaluate({case: world.gold[case]}, {"s": {case: ranked}}, name, task="ranking")
            assert explanation.value == scores.per_case["value"][0]


@pytest.mark.parametrize("over", KINDS)
@pytest.mark.parametrize("discount", ["inverse_square", "geometric", "uniform", "logarithmic", "time"])
def test_every_discount_adds_up(over: str, discount: str) -> None:
    lengths = {item: 40 * place for place, item in enumerate("abcde")} if discount == "time" else None
    for which in ("Rel", "Sens"):
        explanation = explained(LEVELS, OTHER, f"{which}(over={over},n=3,discount={discount})", lengths=lengths)
        assert explanation.losses
        assert_adds_up(explanation)


def test_an_item_at_two_levels_of_one_cluster_adds_up() -> None:
    gold, system = framed([("a", 0, "x"), ("a", 1, "x")]), framed([("a", 0, "x")])
    assert_adds_up(explained(gold, system, "Sens(over=related)"))


@pytest.mark.parametrize("metric", ["Rel(over=priority)", "Sens(over=priority)", "Rel(over=related)", "Sens(over=related)"])
def test_a_missing_case_has_lost_everything(metric: str) -> None:
    explanation = explained({"q": LEVELS["q"], "q2": LEVELS["q"]}, OTHER, metric, case="q2")
    assert explanation.value == 0
    assert {cause: lost for cause, lost in explanation.losses.items() if lost} == {"no output": 1}
    assert explanation.pairs.is_empty()


# --- what is told -------------------------------------------------------------------------------------------------------


def test_pairs_and_documents_are_those_that_are_wrong() -> None:
    explanation = explained({"q": [["a"], ["b"], ["c"]]}, {"q": [["b"], ["a"], ["x"]]}, "Rel(over=priority)")
    cause_of = {(first, second): cause for first, _, second, _, cause in explanation.pairs.iter_rows()}
    assert cause_of == {
        ("b", "a"): "wrong order",
        ("b", "x"): "extra item",
        ("a", "x"): "extra item",
        ("x", relations.TAIL): "extra item",
    }
    assert set(explanation.pairs["relation"]) == {"above"}
    levels = {item: (level, other) for item, level, other, _ in explanation.rows.iter_rows()}
    assert levels == {"b": ("1", "2"), "a": ("2", "1"), "x": ("3", "none")}


def test_clusters_are_told_from_both_sides() -> None:
    gold, system = {"q": [[["a", "b"], ["c"]]]}, {"q": [[["a"], ["b", "c", "x"]]]}
    merged = explained(gold, system, "Rel(over=related)")
    cause_of = {frozenset((first, second)): cause for first, _, second, _, cause in merged.pairs.iter_rows()}
    assert cause_of == {
        frozenset("bc"): "merged cluster",
        frozenset("bx"): "extra item",
        frozenset("cx"): "extra item",
        frozenset("x"): "extra item",
    }
    broken = explained(gold, system, "Sens(over=related)")
    assert [set(row[:3:2]) for row in broken.pairs.iter_rows()] == [{"a", "b"}]
    assert broken.pairs["cause"].to_list() == ["broken cluster"]
    assert broken.pairs["relation"].to_list() == ["with"]


def test_an_item_at_several_levels_has_them_all() -> None:
    explanation = explained({"q": [["a"], ["b"]]}, {"q": [["b"], ["a", "b"]]}, "Rel(over=priority)")
    levels = {item: level for item, level, _, _ in explanation.rows.iter_rows()}
    assert levels["b"] == "1, 2"
    assert_adds_up(explanation)


def test_nothing_lost_has_no_rows() -> None:
    for which, over in product(("Rel", "Sens"), KINDS):
        explanation = explained(LEVELS, LEVELS, f"{which}(over={over})")
        assert explanation.value == 1
        assert not any(explanation.losses.values())
        assert explanation.rows.is_empty()
        assert explanation.pairs.is_empty()


def test_f_is_taken_apart_by_its_parts() -> None:
    explanation = explained(LEVELS, OTHER, "F(Rel(over=priority),Sens(over=priority))")
    assert [part.measure for part in explanation.parts] == ["Rel(over=priority)", "Sens(over=priority)"]
    for part in explanation.parts:
        assert_adds_up(part)


# --- one item, long lists, refusals -------------------------------------------------------------------------------------


def test_one_item_has_its_own_pairs_and_the_causes_of_all() -> None:
    for which, over in product(("Rel", "Sens"), KINDS):
        name = f"{which}(over={over})"
        full, result = explained(LEVELS, OTHER, name), explained(LEVELS, OTHER, name, item="a")
        mine = full.pairs.filter((pl.col("first") == "a") | (pl.col("second") == "a"))
        assert result.pairs.equals(mine)
        assert result.losses == full.losses
        assert result.rows["lost"].sum() == pytest.approx(mine["lost"].sum())


@pytest.mark.parametrize("metric", ["Rel", "Sens", "F(Rel,Sens)", "Rel(over=both)"])
def test_both_kinds_at_once_are_refused_with_advice(metric: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=r"E324 (?s:.*)\(over=priority\) or \w+\(over=related\)"):
        explained(LEVELS, OTHER, metric)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_long_list_is_looked_at_where_it_weighs_most(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for pair, (which, over) in product(list(many(6, forms=NESTED)), product(("Rel", "Sens"), KINDS)):
        if not pair.gold or not pair.system:
            continue
        metric = f"{which}(over={over},n=4)"
        monkeypatch.undo()
        full = explained({"q": nested(pair.gold)}, {"q": nested(pair.system)}, metric)
        monkeypatch.setattr(relations, "MOST", most)
        explanation = explained({"q": nested(pair.gold)}, {"q": nested(pair.system)}, metric)
        assert explanation.value == full.value
        assert explanation.losses == full.losses
        if explanation.value is not None:
            assert explanation.pairs["lost"].sum() <= 1 - explanation.value + 1e-10
            tail = [table.pairs.filter(pl.col("second") == relations.TAIL) for table in (explanation, full)]
            assert tail[0].equals(tail[1])


def test_a_list_beyond_the_limit_keeps_its_value_and_says_the_worst_pairs() -> None:
    items = [f"i{place:04}" for place in range(relations.MOST + 300)]
    wrong = [items[1], items[0], *items[2:]]
    explanation = explained({"q": [[item] for item in items]}, {"q": [[item] for item in wrong]}, "Rel(over=priority)")
    assert explanation.value is not None
    assert sum(explanation.losses.values()) == pytest.approx(1 - explanation.value, abs=1e-12)
    assert [row[:3] for row in explanation.pairs.iter_rows()] == [(items[1], "above", items[0])]
    assert explanation.pairs["lost"].sum() == pytest.approx(1 - explanation.value, abs=1e-10)


def test_the_metrics_of_why_are_those_of_evaluate() -> None:
    for setting in SETTINGS:
        name = parse(named(*setting), task="organization").name
        scores = plumbline.evaluate(LEVELS, {"s": OTHER}, name, task="organization")
        assert explained(LEVELS, OTHER, name).value == scores.per_case["value"][0]
