"""The numbers of figures about cases, pairs and scores, found a second time."""

from __future__ import annotations

from itertools import combinations, pairwise
from statistics import median, quantiles

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import compare
from plumbline.figures.figure import DrawOptions
from plumbline.figures.kinds.calibration import bins
from plumbline.figures.kinds.critical_difference import cliques
from plumbline.figures.kinds.p_values import step_of
from plumbline.figures.kinds.thresholds import at_thresholds
from plumbline.figures.lines import colour_domain, kept_apart, nice_span
from plumbline.figures.palette import palette
from plumbline.figures.scored import sweeps
from plumbline.figures.subject import subject_of
from plumbline.figures.uir_pairs import pairs
from tests.helpers.figure_subjects import CASES, data, named, scored, spec, subject_for, table

FIVE = table(named(5))
VALUES = {(system, case, metric): value for system, case, metric, value in FIVE.iter_rows()}


def test_columns_of_the_heat_map_are_cases_from_the_hardest_to_the_easiest() -> None:
    drawn = spec("heatmap", scored(5), metrics=("R",))
    ease = {case: np.mean([VALUES[system, case, "R"] for system in named(5)]) for case in CASES}
    assert drawn["encoding"]["x"]["scale"]["domain"] == sorted(CASES, key=lambda case: ease[case])
    assert {(row["system"], row["case"]): row["value"] for row in data(drawn, "case")} == {
        (system, case): value for (system, case, metric), value in VALUES.items() if metric == "R"
    }


def test_boxes_hold_the_middle_half() -> None:
    for row in data(spec("boxes", scored(5)), "median"):
        values = [VALUES[row["system"], case, "P"] for case in CASES]
        quarters = quantiles(values, n=4, method="inclusive")
        assert [row["first_quarter"], row["median"], row["third_quarter"]] == pytest.approx(quarters)
        assert (row["lowest"], row["highest"], row["median"]) == pytest.approx((min(values), max(values), median(values)))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(0, 12))
def test_bars_join_the_longest_runs_within_the_difference(ranks: list[int], difference: int) -> None:
    ordered = sorted(float(rank) for rank in ranks)
    within = [
        (first, last) for first, last in combinations(range(len(ordered)), 2) if ordered[last] - ordered[first] <= difference
    ]
    longest = [run for run in within if not any(a <= run[0] and run[1] <= b and (a, b) != run for a, b in within)]
    assert cliques(ordered, difference) == longest


@given(st.lists(st.floats(0, 200), max_size=9))
def test_names_at_the_ends_of_lines_keep_apart(heights: list[float]) -> None:
    placed = kept_apart(heights, 13, 0, 200)
    assert all(upper - lower >= 13 - 1e-6 for lower, upper in pairwise(sorted(placed)))
    assert all(0 - 1e-6 <= height <= 200 + 1e-6 for height in placed)
    if all(upper - lower >= 13 for lower, upper in pairwise(sorted(heights))):
        assert placed == pytest.approx(heights)


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=5))
def test_an_axis_holds_its_values(values: list[float]) -> None:
    low, high = nice_span(values)
    assert low <= min(values) + 1e-6
    assert high >= max(values) - 1e-6


def test_names_stand_at_the_places_of_their_colours() -> None:
    domain = colour_domain({"a": 2, "b": 7, "c": 7, "d": 0})
    assert {name: domain.index(name) % 8 for name in "abcd"} == {"a": 2, "b": 7, "c": 7, "d": 0}
    assert len(set(domain)) == len(domain)


@pytest.mark.parametrize("count", [5, 50])
def test_a_system_has_one_colour_in_all_figures(count: int) -> None:
    colours = palette(scored(count))
    assert len(colours) == min(count, 7)
    seen = []
    for kind in ("alpha", "ranks", "scatter", "tradeoff"):
        layers = spec(kind, scored(count))["layer"]
        domains = [
            layer["encoding"]["color"]["scale"]["domain"] for layer in layers if "scale" in layer["encoding"].get("color", {})
        ]
        seen += [(name, place % 8) for domain in domains for place, name in enumerate(domain) if name in colours]
    assert set(seen) == set(colours.items())


@pytest.mark.parametrize(
    ("p", "step"), [(0.0001, "p < 0.001"), (0.001, "p < 0.01"), (0.05, "larger"), (float("nan"), "not tested")]
)
def test_steps_of_p(p: float, step: str) -> None:
    assert step_of(p) == step


def test_the_area_below_a_roc_curve_is_auc() -> None:
    subject = subject_for("roc", 5)
    gold, answers = subject.outputs.gold, subject.outputs.systems
    for one in sweeps(subject, DrawOptions()):
        items = [(answers[one.system][case][item], grade) for case, grades in gold.items() for item, grade in grades.items()]
        positive, negative = ([score for score, grade in items if grade == side] for side in (1, 0))
        wins = sum((a > b) + 0.5 * (a == b) for a in positive for b in negative) / (len(positive) * len(negative))
        assert f"{one.system} {wins:.3f}" in spec("roc", subject)["description"]
        for row in at_thresholds(one)[::7]:
            accepted = [grade for score, grade in items if score >= row["threshold"]]
            assert (row["precision"], row["recall"]) == pytest.approx((np.mean(accepted), sum(accepted) / len(positive)))
            assert row["F1"] == pytest.approx(2 / (1 / row["precision"] + 1 / row["recall"]) if row["recall"] else 0.0)
        for row in bins(one):
            tenth = [(score, grade) for score, grade in items if int(score * 10) == int(row["score"] * 10)]
            assert (row["score"], row["share"], row["items"]) == pytest.approx((*np.mean(tenth, axis=0), len(tenth)))


def test_pairs_of_uir_are_those_of_the_comparison() -> None:
    comparison = compare(FIVE, alpha=0.5)
    means = {row["system"]: row for row in comparison.leaderboard.iter_rows(named=True)}
    rows = pairs(scored(5), DrawOptions())
    assert len(rows) == 10
    for row in rows:
        verdict = comparison.verdict(row["better"], row["worse"])
        assert abs(verdict.uir or 0.0) == pytest.approx(row["uir"])
        better, worse = means[row["better"]], means[row["worse"]]
        assert row["difference"] == pytest.approx(better["score"] - worse["score"])
        assert row["weakest"] == pytest.approx(min(better[metric] - worse[metric] for metric in "PR"))


def test_figures_that_would_show_nothing_are_replaced_by_a_sentence() -> None:
    from plumbline.reports.building import Chapter, dossier  # noqa: PLC0415 - slow, and for this test alone
    from plumbline.reports.model import Paragraph, Picture  # noqa: PLC0415

    one_case = {"AP": {name: {"q": 0.1 * at} for at, name in enumerate("abcd")}}
    (part,) = dossier([Chapter(subject_of(one_case))]).parts
    (section,) = (one for one in part.sections if one.name == "unanimity")
    words = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert any("There is one case" in text for text in words)
    assert any("No pair has a p below 0.05" in text for text in words)
    drawn = [block.name for one in part.sections for block in one.blocks if isinstance(block, Picture)]
    assert not {"figure-unanimity", "figure-p_values", "figure-heatmap", "figure-boxes"} & set(drawn)


def test_dots_and_curves_that_would_show_nothing_are_replaced_by_a_sentence() -> None:
    from plumbline.figures.registry import FIGURES  # noqa: PLC0415 - as above

    def left_out(scores: dict[str, dict[str, dict[str, float]]]) -> dict[str, str | None]:
        places = {name: FIGURES[name].report for name in ("scatter", "alpha", "tradeoff")}
        subject = subject_of(scores)
        return {name: place.says_nothing(subject) for name, place in places.items() if place and place.says_nothing}

    three = {
        metric: {name: {"q": 0.1 * at + shift} for at, name in enumerate("abc")} for metric, shift in (("P", 0.2), ("R", 0.1))
    }
    assert left_out(three) == {
        "scatter": "R against P is left out: 3 dots would say nothing.",
        "alpha": None,
        "tradeoff": "P against R is left out: 3 dots would say nothing.",
    }
    alike = {metric: {name: {f"q{at}": 0.1 * at for at in range(5)} for name in "abcd"} for metric in "PR"}
    assert left_out(alike) == {
        "scatter": None,
        "alpha": "The score for every weight is left out: the curves of all systems coincide.",
        "tradeoff": "P against R is left out: 1 dot would say nothing.",
    }
