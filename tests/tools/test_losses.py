"""Where Reliability and Sensitivity were lost: value and losses add up to 1, in each case and in the mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given

import plumbline
import tests.helpers.organization_oracles as oracle
from tests.helpers.organization_worlds import Pair, many, pairs, rows
from tests.helpers.ranking_worlds import World, moderate, worlds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAMES = [
    f"{name}(over={over}{more})"
    for more in ("", ",collection=finite", ",n=4,tail_credit=true,absent=tail", ",weights=3:2:1")
    for over in ("priority", "related")
    for name in ("Rel", "Sens")
]
Key = tuple[str, str, str]


def table(sides: Iterable[oracle.Organization], names: Sequence[str]) -> pl.DataFrame:
    """Organizations as a table, a case for each."""
    results = [{"case": case, **row} for case, side in zip(names, sides, strict=True) for row in rows(side)]
    return pl.DataFrame(results, schema={"case": pl.String, "item": pl.String, "level": pl.Float64, "cluster": pl.String})


def lost(worlds: Sequence[Pair], metrics: Any = None, **options: Any) -> plumbline.Losses:
    """The losses of one system s in cases q0, q1, ..."""
    names = [f"q{place}" for place in range(len(worlds))]
    gold, system = table((pair.gold for pair in worlds), names), table((pair.system for pair in worlds), names)
    return plumbline.losses(gold, {"s": system}, metrics, **options)


def shares_of(losses: plumbline.Losses) -> dict[Key, tuple[float | None, dict[str, float | None]]]:
    """The value of each system, case and metric, and what each cause took."""
    made: dict[Key, tuple[float | None, dict[str, float | None]]] = {}
    for system, case, metric, value, cause, amount in losses.per_case.iter_rows():
        made.setdefault((system, case, metric), (value, {}))[1][cause] = amount
    return made


def assert_adds_up(losses: plumbline.Losses) -> None:
    for key, (value, causes) in shares_of(losses).items():
        if value is None:
            assert set(causes.values()) == {None}, key
        else:
            assert all(amount is not None and -1e-12 <= amount <= 1 + 1e-12 for amount in causes.values()), key
            assert value + sum(filter(None, causes.values())) == pytest.approx(1, abs=1e-12), key
    means = losses.mean.group_by("system", "metric").agg(pl.col("value").first(), pl.col("lost").sum())
    assert all(value + amount == pytest.approx(1, abs=1e-12) for _, _, value, amount in means.iter_rows())


def test_value_and_losses_add_up_and_are_those_of_the_oracle() -> None:
    filled = [pair for pair in many(150) if pair.gold and pair.system]
    result = lost(filled, NAMES)
    assert_adds_up(result)
    for (_, case, name), (value, causes) in shares_of(result).items():
        gold, system = filled[int(case[1:])]
        single = plumbline.parse(name, task="organization").parts[0]
        given_ = {key: value for key, value in single.arguments if key != "over"}
        options = {"over": dict(single.arguments)["over"], **oracle.options_of(given_)}
        side = single.metric.name.lower()
        expected = oracle.MEASURES[side](system, gold, **options)
        assert (value is None) == (expected is None), (name, case)
        if expected is None or value is None:
            continue
        assert value == pytest.approx(float(expected), abs=1e-12)
        amounts = oracle.losses(system, gold, side=side, **options)
        assert set(amounts) <= set(causes)
        assert causes == pytest.approx({cause: float(amounts.get(cause, 0)) for cause in causes}, abs=1e-12), (name, case)


@moderate(30)
@given(pair=pairs(least=1))
def test_any_organization_adds_up(pair: Pair) -> None:
    assert_adds_up(lost([pair], NAMES))


@moderate(30)
@given(world=worlds())
def test_any_ranking_adds_up_and_has_the_values_of_evaluate(world: World) -> None:
    names = ["Rel", "Sens", "Rel(n=3,collection=finite)", "Sens(rel=2,absent=unknown)", "Rel(discount=geometric)"]
    gold, run = world.gold, world.run
    try:
        expected = plumbline.evaluate(gold, {"s": run}, names, task="ranking")
    except plumbline.PlumblineError as refused:
        with pytest.raises(type(refused)):
            plumbline.losses(gold, {"s": run}, names, task="ranking")
        return
    result = plumbline.losses(gold, {"s": run}, names, task="ranking")
    assert_adds_up(result)
    values = {(case, metric): value for _, case, metric, value in expected.per_case.iter_rows()}
    assert {(case, metric): value for (_, case, metric), (value, _) in shares_of(result).items()} == values


def test_each_cause_by_an_example() -> None:
    gold = {"q": [[["a", "b"]], [["c"], ["d"]]]}
    systems = {
        "same": {"q": [[["a", "b"]], [["c"], ["d"]]]},
        "order": {"q": [[["c"], ["d"]], [["a", "b"]]]},
        "tied": {"q": [[["a", "b"]], [["c"]], [["d"]]]},
        "extra": {"q": [[["a", "b"]], [["c"], ["d"], ["e"]]]},
        "short": {"q": [[["a", "b"]], [["c"]]]},
        "broken": {"q": [[["a"], ["b"]], [["c"], ["d"]]]},
        "merged": {"q": [[["a", "b"]], [["c", "d"]]]},
    }
    result = shares_of(plumbline.losses(gold, systems))
    causes = {
        name: {
            cause for (system, _, _), (_, amounts) in result.items() if system == name for cause in amounts if amounts[cause]
        }
        for name in systems
    }
    assert causes == {
        "same": set(),
        "order": {"wrong order"},
        "tied": {"tied"},
        "extra": {"extra item"},
        "short": {"missing item"},
        "broken": {"broken cluster"},
        "merged": {"merged cluster"},
    }


@pytest.mark.parametrize("task", ["organization", "ranking"])
def test_a_missing_case_is_wholly_missing(task: str) -> None:
    gold: dict[str, Any] = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "b": 2}}
    run: dict[str, Any] = {"q1": {"a": 2.0, "b": 1.0}}
    result = plumbline.losses(gold, {"s": run}, ["Sens(over=priority)", "Rel(over=priority)"], task=task)
    assert_adds_up(result)
    shares = shares_of(result)
    missed = {name.partition("(")[0]: one for (_, case, name), one in shares.items() if case == "q2"}
    assert [value for value, _ in missed.values()] == [0, 0]
    assert missed["Sens"][1] == {"missing item": 0, "tied": 0, "wrong order": 0, "no output": 1}
    assert missed["Rel"][1] == {"extra item": 0, "tied": 0, "wrong order": 0, "no output": 1}
    assert "N201" in {notice.code for notice in result.notices}


def test_an_undefined_case_is_null_and_not_in_the_mean() -> None:
    gold = {"q1": [[["a"]], [["b"]]], "q2": [[["a", "b"]]]}
    result = plumbline.losses(gold, {"s": gold}, "Sens(over=priority,collection=finite)")
    assert result.per_case.filter(pl.col("case") == "q2")["value"].null_count() == 3
    assert result.per_case.filter(pl.col("case") == "q2")["lost"].null_count() == 3
    assert result.mean["cases"].to_list() == [1, 1, 1]
    assert result.mean["value"].to_list() == [1, 1, 1]
    assert "n/a" in str(result.grid(per_case=True).rows[1])
    assert_adds_up(result)


def test_a_ranking_with_nothing_relevant_is_undefined() -> None:
    result = plumbline.losses({"q1": {"a": 0}, "q2": {"a": 1}}, {"s": {"q1": {"a": 1.0}, "q2": {"b": 1.0}}}, task="ranking")
    shares = shares_of(result)
    assert {case: value for (_, case, name), (value, _) in shares.items() if name.startswith("Rel")} == {
        "q1": None,
        "q2": pytest.approx(2 / 17),
    }
    assert_adds_up(result)


def test_the_usual_metrics_and_the_text() -> None:
    gold = {"q": [[["a"]], [["b"]]]}
    result = plumbline.losses(gold, {"s": {"q": [[["b"]], [["a"]]]}})
    assert result.mean["metric"].unique(maintain_order=True).to_list() == [
        "Rel(over=priority)",
        "Sens(over=priority)",
        "Rel(over=related)",
        "Sens(over=related)",
    ]
    assert "value and what was lost add up to 1" in repr(result)
    assert "wrong order" in repr(result)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("Rel", {}, "ask for Rel(over=priority) or Rel(over=related)"),
        ("F(Rel,Sens)", {}, "E324"),
        ("AP", {"task": "ranking"}, "metric = 'AP'"),
        ("Rel", {"task": "filtering"}, "choose ranking|organization"),
        ("Rel(over=priority,w=2)", {}, "w"),
        ("Rel(over=priority,weights=a:b)", {}, "E322"),
        ("Rel(over=priority,discount=time)", {}, "E323"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(metric: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=re.escape(message)):
        plumbline.losses({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, metric, **options)


def test_time_needs_lengths_and_adds_up() -> None:
    gold = {"q": [[["a"]], [["b", "c"]]]}
    names = [f"{name}(over={over},discount=time)" for name in ("Rel", "Sens") for over in ("priority", "related")]
    system = {"q": [[["c"]], [["a"], ["b"]]]}
    result = plumbline.losses(gold, {"s": system}, names, lengths={"a": 100, "b": 20, "c": 500})
    assert_adds_up(result)
    other = plumbline.losses(gold, {"s": system}, names, lengths={"a": 100, "b": 20, "c": 5})
    assert result.mean["value"].to_list() != other.mean["value"].to_list()
