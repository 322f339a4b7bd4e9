"""The numbers in a chart are those of the library, found a second time by loops."""

from __future__ import annotations

from itertools import pairwise, product
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from scipy.stats import t as student

import plumbline
from plumbline.errors import BadUsage
from plumbline.figures.palette import palette
from plumbline.figures.subject import subject_of
from tests.helpers.figure_subjects import CASES, data, evaluated, named, outputs, scored, spec, table

if TYPE_CHECKING:
    from plumbline.figures.means import Means

FIVE = table(named(5))
VALUES: dict[tuple[str, str], list[float]] = {(system, metric): [] for system, metric in product(named(5), "PR")}
for _system, _, _metric, _value in FIVE.iter_rows():
    VALUES[_system, _metric].append(_value)
MEANS = {key: fmean(values) for key, values in VALUES.items()}


def f(p: float, r: float, alpha: float) -> float:
    return 1 / (alpha / p + (1 - alpha) / r)


def mean_f(system: str, alpha: float) -> float:
    return fmean(f(p, r, alpha) for p, r in zip(VALUES[system, "P"], VALUES[system, "R"], strict=True))


def test_bars_are_means_with_intervals_of_students_t() -> None:
    rows = data(spec("bars", scored(5), metrics=("R",)), "value", "low")
    wanted = sorted(named(5), key=lambda name: -MEANS[name, "R"])
    assert [row["system"] for row in rows] == wanted
    for row in rows:
        of_system = VALUES[row["system"], "R"]
        half = student.ppf(0.975, len(of_system) - 1) * stdev(of_system) / sqrt(len(of_system))
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (fmean(of_system), fmean(of_system) - half, fmean(of_system) + half)
        )
        assert row["cases"] == len(CASES)


def test_bars_have_the_means_of_scores_and_no_interval_where_cases_are_added_up() -> None:
    subject = outputs("ranking", named(3), metrics=["AP", "num_rel_ret"])
    assert subject.scores is not None
    counted = {
        (system, metric): value for system, metric, value in subject.scores.mean.select("system", "metric", "value").rows()
    }
    for metric in subject.cube.metrics:
        rows = data(spec("bars", subject, metrics=(metric,)), "value", "low")
        assert {row["system"]: row["value"] for row in rows} == {name: counted[name, metric] for name in named(3)}
        assert {row["low"] is None for row in rows} == {metric != "AP"}


def test_what_has_no_value_is_said() -> None:
    gone = FIVE.with_columns(
        value=pl.when((pl.col("system") == "system02") & (pl.col("metric") == "R")).then(None).otherwise("value")
    )
    rows = data(spec("bars", subject_of(gone), metrics=("R",)), "value", "low")
    known = {"system": "system02", "cases": 0, "floor": False, "coloured": True}
    assert rows[-1] == {**known, "value": None, "low": None, "high": None}


def test_baselines_are_told_from_systems() -> None:
    rows = data(spec("bars", outputs("filtering", named(2), floor=True), metrics=("Accuracy",)), "floor")
    assert {row["system"] for row in rows if row["floor"]} == {row["system"] for row in rows if row["system"].startswith("[")}
    assert {row["system"] for row in rows if not row["floor"]} == set(named(2))


def test_ranks_in_the_chart() -> None:
    rows = data(spec("ranks", scored(5)), "rank", "place")
    for metric in "PR":
        wanted = sorted(named(5), key=lambda name: -MEANS[name, metric])
        ranks = {row["system"]: (row["rank"], row["place"]) for row in rows if row["metric"] == metric}
        assert ranks == {name: (place, place) for place, name in enumerate(wanted, 1)}


def test_counts_that_are_neither_good_nor_bad_are_left_out_of_ranks_and_that_is_told() -> None:
    subject = subject_of(table(named(3), ("P", "NumRet", "R")))
    drawn = spec("ranks", subject)
    assert {row["metric"] for row in data(drawn, "rank")} == {"P", "R"}
    assert drawn["title"]["subtitle"] == "Left out: NumRet ranks nobody: neither high nor low is better."
    assert "NumRet ranks nobody" in drawn["description"]
    assert "highest first" in spec("bars", subject, metrics=("NumRet",))["description"]
    with pytest.raises(BadUsage, match="NumRet ranks nobody"):
        spec("ranks", subject, metrics=("NumRet", "P"))
    assert "title" not in spec("ranks", subject, metrics=("R", "P"))
    asked = subject_of(table(named(3), ("P", "NumRet")), comparing={"lower": ["NumRet"]})
    assert {row["metric"] for row in data(spec("ranks", asked), "rank")} == {"P", "NumRet"}


def test_what_is_not_known_to_ignore_the_gold_is_not_said_not_to() -> None:
    assert "60 outputs; systems: system00, " in spec("scatter", scored(5))["description"]


def test_unanimity() -> None:
    rows = data(spec("unanimity", scored(5)), "uir")
    assert len(rows) == 20
    for row in rows:
        mine, other = ([VALUES[row[side], metric] for metric in "PR"] for side in ("better", "worse"))
        wins = [all(a[at] >= b[at] for a, b in zip(mine, other, strict=True)) for at in range(len(CASES))]
        losses = [all(a[at] <= b[at] for a, b in zip(mine, other, strict=True)) for at in range(len(CASES))]
        assert (row["for"], row["against"], row["cases"]) == (sum(wins), sum(losses), len(CASES))
        assert row["uir"] == pytest.approx((sum(wins) - sum(losses)) / len(CASES))


def test_alpha_curves_and_the_points_where_the_lead_changes() -> None:
    drawn = spec("alpha", scored(5))
    curves = data(drawn, "alpha", "value")
    for row in curves:
        assert row["value"] == pytest.approx(mean_f(row["system"], row["alpha"]))
    marks = [row for row in curves if "label" in row]
    best = [max(named(5), key=lambda name: mean_f(name, step / 1000)) for step in range(1, 1000)]
    assert len(marks) == sum(one != other for one, other in pairwise(best))
    for mark in marks:
        leaders = sorted((mean_f(name, mark["alpha"]) for name in named(5)), reverse=True)
        assert leaders[0] == pytest.approx(leaders[1]) == pytest.approx(mark["value"])


def test_every_change_of_the_lead_lies_on_a_curve_that_is_drawn() -> None:
    steep = {
        "P": {"precise": {"q": 0.9999}, "middle": {"q": 0.5}, "complete": {"q": 0.0101}},
        "R": {"precise": {"q": 0.0101}, "middle": {"q": 0.5}, "complete": {"q": 0.9999}},
    }
    more = {f"also{at}": {"q": 0.1 + at / 100} for at in range(8)}
    for table_of in (steep, {metric: {**values, **more} for metric, values in steep.items()}):
        points = data(spec("alpha", subject_of(table_of)), "alpha", "value")
        marks = [row for row in points if "label" in row]
        curves = {(row["system"], row["alpha"]): row["value"] for row in points if "label" not in row}
        assert {mark["label"] for mark in marks} == {"0.010", "0.990"}
        for mark in marks:
            assert curves[mark["system"], mark["alpha"]] == pytest.approx(mark["value"])
            assert max(value for (_, alpha), value in curves.items() if alpha == mark["alpha"]) == pytest.approx(mark["value"])
        ends = {alpha for _, alpha in curves}
        assert min(ends) <= 0.001
        assert max(ends) >= 0.999
        leaders = list(dict.fromkeys(system for system, _ in curves))[-3:]
        assert set(leaders) == {"precise", "middle", "complete"}


def test_a_change_of_the_lead_very_near_an_end_has_a_curve_on_both_sides() -> None:
    points = data(
        spec("alpha", subject_of({"P": {"a": {"q": 0.9999}, "b": {"q": 0.5}}, "R": {"a": {"q": 0.49999}, "b": {"q": 0.5}}})),
        "alpha",
        "value",
    )
    (mark,) = [row for row in points if "label" in row]
    assert mark["alpha"] < 0.001
    assert min(row["alpha"] for row in points) < mark["alpha"]


def test_of_many_leaders_every_one_is_in_front_and_named() -> None:
    sides = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95]
    front = {"P": {f"s{p}": {"q": p} for p in sides}, "R": {f"s{p}": {"q": (1 - p**2) ** 0.5} for p in sides}}
    subject = subject_of(front)
    assert subject.comparison is not None
    leaders, drawn = set(subject.comparison.leads["system"]), spec("alpha", subject)
    assert len(leaders) > 7
    assert {row["system"] for row in data(drawn, "end")} >= leaders
    colours, (loud, _) = palette(subject), _domains(drawn)
    assert {name: loud.index(name) for name in colours} == colours
    assert {loud.index(name) % 8 for name in leaders - colours.keys()} == {7}


def _domains(drawn: dict[str, Any]) -> list[list[str]]:
    encodings = [layer["encoding"] for layer in drawn["layer"]]
    return [one["color"]["scale"]["domain"] for one in encodings if "color" in one]


def test_differences() -> None:
    rows = data(spec("differences", scored(5), metrics=("R",), systems=("system01", "system03")), "case")
    pairs = zip(CASES, VALUES["system01", "R"], VALUES["system03", "R"], strict=True)
    wanted = sorted(((case, a, b) for case, a, b in pairs), key=lambda one: one[2] - one[1])
    assert [(row["case"], row["first"], row["second"]) for row in rows] == wanted
    assert [row["difference"] for row in rows] == [a - b for _, a, b in wanted]
    assert all(row["better"].endswith("system01 is better" if row["difference"] > 0 else "system03 is better") for row in rows)


def test_differences_of_a_metric_that_is_better_when_lower() -> None:
    subject = subject_of(FIVE, comparing={"lower": ["R"]})
    rows = data(spec("differences", subject, metrics=("R",), systems=("system01", "system03")), "case")
    assert [row["difference"] for row in rows] == sorted(row["difference"] for row in rows)
    assert all(row["better"].endswith("system01 is better" if row["difference"] < 0 else "system03 is better") for row in rows)


def test_the_two_best_systems_are_compared_unless_others_are_named() -> None:
    first, second = sorted(named(5), key=lambda name: -MEANS[name, "P"])[:2]
    assert f"P: {first} \N{MINUS SIGN} {second}" in str(spec("differences", scored(5)))


def test_scatter_has_a_dot_for_each_output() -> None:
    rows = data(spec("scatter", scored(5), metrics=("R", "P")), "x", "case")
    results = {(row["system"], row["case"]): (row["x"], row["y"]) for row in rows}
    for system, (at, case) in product(named(5), enumerate(CASES)):
        assert results[system, case] == (VALUES[system, "R"][at], VALUES[system, "P"][at])


def test_many_outputs_are_sampled_and_it_says_so() -> None:
    drawn = spec("scatter", subject_of(table(named(200))))
    assert len(data(drawn, "x", "case")) == 2000
    assert drawn["title"]["subtitle"] == "2,000 of 2,400 outputs, drawn at random"


def test_filters_that_accept_the_same_share_of_both_classes_ignore_the_gold() -> None:
    gold = {"q": {"a": 1, "b": 1, "c": 0, "d": 0}}
    given = {
        "all": {"q": dict.fromkeys("abcd", 1)},
        "none": {"q": dict.fromkeys("abcd", 0)},
        "half": {"q": {"a": 1, "b": 0, "c": 1, "d": 0}},
        "good": {"q": {"a": 1, "b": 1, "c": 1, "d": 0}},
        "contrary": {"q": {"a": 0, "b": 0, "c": 1, "d": 1}},
    }
    rows = data(spec("scatter", subject_of(gold=gold, systems=given, task="filtering", metrics=["Accuracy", "Lam"])), "ignores")
    assert {row["system"] for row in rows if row["ignores"]} == {"all", "none", "half"}
    assert {row["system"] for row in rows if not row["ignores"]} == {"good", "contrary"}


def test_precision_over_recall_by_hand() -> None:
    gold = {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
    lists = {"x": {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}}
    rows = data(spec("precision_recall", subject_of(gold=gold, systems=lists)), "recall")
    for row in rows:
        assert row["precision"] == pytest.approx(1.0 if row["recall"] <= 0.5 else 2 / 3)
    assert [row["recall"] for row in rows] == [tenth / 10 for tenth in range(11)]


def test_trade_off_has_means_and_lines_of_equal_f() -> None:
    drawn = spec("tradeoff", scored(5))
    assert {row["system"]: (row["y"], row["x"]) for row in data(drawn, "system", "x")} == {
        name: (pytest.approx(MEANS[name, "P"]), pytest.approx(MEANS[name, "R"])) for name in named(5)
    }
    lines = data(drawn, "level")
    assert {row["level"] for row in lines} == {f"F 0.{tenth}" for tenth in range(1, 10)}
    for row in lines:
        assert f(row["x"], row["y"], 0.5) == pytest.approx(float(row["level"][2:]))


def test_losses_add_up_to_what_is_missing() -> None:
    subject = evaluated("ranking", 5)
    drawn = spec("losses", subject)
    scores = plumbline.evaluate(subject.outputs.gold, subject.outputs.systems, ["Rel", "Sens"])
    missing: dict[str, float] = dict.fromkeys(named(5), 0.0)
    for system, value in scores.mean.select("system", "value").rows():
        missing[system] += 1 - value
    result: dict[str, Any] = dict.fromkeys(named(5), 0.0)
    for row in data(drawn, "lost"):
        result[row["system"]] += row["lost"]
    assert result == {name: pytest.approx(lost) for name, lost in missing.items()}


def test_weights_of_the_metrics_that_were_asked_for() -> None:
    subject = outputs("ranking", named(2), metrics=["Rel(n=10,w=0.5)", "AP"])
    rows = data(spec("weights", subject), "position")
    marks = [row for row in rows if "label" in row]
    assert [(mark["position"], mark["label"]) for mark in marks] == [(10, "0.50 at 10")]
    assert marks[0]["reached"] == pytest.approx(0.5)
    carried = sum(row["weight"] for row in rows if 0 < row["position"] <= 10 and "label" not in row)
    assert carried == pytest.approx(0.5)


def test_strictness_and_robustness_are_those_of_the_study() -> None:
    drawn = data(spec("strictness", scored(5)), "robustness")
    table_of = plumbline.meta(FIVE).tradeoff
    assert [(row["metric"], row["strictness"], row["robustness"]) for row in drawn] == table_of.select(
        "metric", "fall", "robustness"
    ).rows()


def test_naming_all_metrics_changes_no_weight() -> None:
    table = {
        "A": {"x": {"q": 0.9, "r": 0.8}, "y": {"q": 0.5, "r": 0.4}},
        "B": {"x": {"q": 0.1, "r": 0.2}, "y": {"q": 0.5, "r": 0.4}},
    }
    plain = subject_of(table, comparing={"alpha": 0.95})
    named = plain.compared_by(("A", "B"))
    assert plain.comparison is not None
    assert named.score.values.tolist() == plain.comparison.score.values.tolist()
    assert plain.compared_by(("B", "A")).score.values.tolist() != named.score.values.tolist()
    assert plain.compared_by((), ("y", "x")).score.values.tolist() == named.score.values[[1, 0]].tolist()


@pytest.mark.parametrize("factor", [1e200, 2e299, 1e-200])
def test_intervals_of_very_large_and_small_scores_are_those_of_others(factor: float) -> None:
    scores = {"x": [1.0, 2.0, 4.0], "y": [0.0, 1.0, 3.0]}

    def of_factor(factor: float) -> Means:
        cases = {system: {str(at): factor * value for at, value in enumerate(values)} for system, values in scores.items()}
        return subject_of({"A": cases}).means

    assert (of_factor(factor).low / factor).tolist() == [pytest.approx(row) for row in of_factor(1.0).low.tolist()]
