"""Comparisons in words and tables."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import plumbline
from plumbline import Comparison
from plumbline.comparison import wording
from plumbline.comparison.combining import combined
from plumbline.comparison.finding import Finding, decimals, signed
from plumbline.comparison.grids import leaderboard_grid, pairs_grid
from plumbline.comparison.marks import marks
from plumbline.render.formats import render
from plumbline.render.grid import chance, percent
from tests.helpers.comparisons import ladder, of
from tests.helpers.score_cubes import cube_of, drawn

NAN = float("nan")


# --- words --------------------------------------------------------------------------------------------------------------


def test_one_winner() -> None:
    lines = wording.summary(of(ladder(3)))
    assert lines[0] == "s0 has the best m0 (0.9250) and is better than every other system."
    assert lines[1] == "s0 has the best mean for every weighting."
    assert [line.partition(" by ")[0] for line in lines[2:]] == ["s0 is better than s1", "s0 is better than s2"]


def better_by_the_second_metric() -> Any:
    """By the first metric two systems are alike and a third is worse; by the second metric each is better than the next."""
    first = np.stack([0.9 - level + 0.05 * np.cos((1 + at) * np.arange(24)) for at, level in enumerate((0, 0.01, 0.4))])
    return np.stack([first, ladder(3)[0]])


def test_a_winner_by_another_metric_than_the_first() -> None:
    comparison = of(better_by_the_second_metric())
    assert comparison.beats[0].tolist() == [False, True, True]
    alone = "By m0 alone, s0 is not shown to differ from s1."
    assert wording.summary(comparison)[0].endswith(f" and is better than every other system. {alone}")
    assert "alone" not in wording.summary(of(better_by_the_second_metric(), primary="m1"))[0]
    assert "alone" not in wording.summary(of(better_by_the_second_metric()[1:]))[0]
    tied = better_by_the_second_metric()[:, :2]
    tied[0, 1] = tied[0, 0]
    answer = wording.summary(of(np.concatenate([tied, tied[:, 1:] - np.resize([0.2, 0.4], 24)], axis=1)))[0]
    assert answer == "s0, s1 have the same best m0 (0.8989). s0 is better than every other system."
    third = np.concatenate([better_by_the_second_metric(), better_by_the_second_metric()[:, :1]], axis=1)
    assert "s0 is better than s1" in wording.summary(of(third))[0]
    assert wording.summary(of(third))[0].endswith(alone)


def nearly_better() -> Any:
    """The second system is better than the first one with p near 0.02; both others are like the first."""
    generator = np.random.default_rng(0)
    base, noise = generator.uniform(0.3, 0.6, 30), generator.normal(0, 0.05, 30)
    noise -= noise.mean()
    return np.stack([base, base + 0.021 + noise, base + 0.001 + np.roll(noise, 3), base - 0.001 + np.roll(noise, 9)])[None]


@pytest.mark.parametrize(
    ("systems", "options", "explained"),
    [
        (4, {}, True),
        (4, {"baseline": "s0"}, True),
        (4, {"test": "tukey"}, True),
        (4, {"correction": "none"}, False),
        (4, {"level": 0.5}, False),
        (2, {}, False),
        (2, {"test": "tukey"}, False),
    ],
)
def test_an_interval_that_seems_to_contradict_p_is_explained(systems: int, options: dict[str, Any], *, explained: bool) -> None:
    comparison = of(nearly_better()[:, :systems], **options)
    assert comparison.main.spread.low[1, 0] > 0, "the interval excludes 0 in every row"
    level = f"{comparison.level:g}"
    line = f"p is corrected for several comparisons, intervals are not: one may exclude 0 where p is not below {level}"
    board = leaderboard_grid(comparison)
    assert board.plain is not None
    assert [line in "; ".join(grid.legend) for grid in (board, board.plain, pairs_grid(comparison))] == [explained] * 3


def test_two_systems_need_no_sentence_about_the_best() -> None:
    (line,) = wording.summary(of(ladder(2)))
    assert line.startswith("s0 is better than s1 by both metrics (")
    assert len(wording.summary(of(ladder(2, 1)))) == 1


def test_one_system_of_many_is_named_and_not_counted() -> None:
    values = ladder(10, 1).copy()
    values[0, 1] = values[0, 0] + np.resize([0.01, -0.011], 24)
    assert wording.summary(of(values))[0].endswith("; it is not shown to differ from s1.")
    assert "s0 is not shown to differ from s1. Only pairs" in wording.summary(of(values, baseline="s1"))[0]


def test_lists_have_a_colon_where_a_terminal_aligns_by_spaces() -> None:
    comparison = of(np.random.default_rng(3).uniform(0.4, 0.6, (2, 2, 24)))
    assert "\n  cases  unanimous for " in str(comparison.verdict("s0", "s1"))
    assert "<li>cases: unanimous for " in comparison._repr_html_()
    assert "<li>m0: " in comparison._repr_html_()
    assert "\n  - cases: unanimous for " in render(comparison, "markdown")


def test_what_is_shown_about_the_best_system() -> None:
    values = np.random.default_rng(3).uniform(0.4, 0.6, (1, 4, 24))
    values[0, 0] += 0.3
    values[0, 1] = values[0, 0] + np.random.default_rng(4).normal(0, 0.01, 24)
    values[0, 2] -= 0.2
    first = wording.summary(of(values))[0]
    best, other = ("s0", "s1") if values[0, 0].mean() > values[0, 1].mean() else ("s1", "s0")
    assert re.fullmatch(
        rf"{best} has the best m0 \(0\.\d+\)\. It is better than s3, s2; it is not shown to differ from {other}\.", first
    )


def test_a_trade_off_and_the_weights_of_each() -> None:
    values = ladder(3).copy()
    values[0, 1] += 0.5
    lines = wording.summary(of(values))
    assert lines[0] == "s1 has the best m0 (1.0250). It is better than s2; it trades metrics with s0."
    assert re.fullmatch(
        r"Which mean is best depends on the weight of m0: s0 if it is below 0\.\d+, s1 if it is above 0\.\d+\.", lines[1]
    )


def test_systems_with_the_same_scores_are_named() -> None:
    values = np.concatenate([ladder(2), ladder(2)[:, :1]], axis=1)
    assert "s0, s2 have the same scores in every case: are they the same output?" in wording.summary(of(values))


def test_of_systems_with_the_same_best_mean_the_first_is_named() -> None:
    table = {"a": [0.4, 0.5], "b": [0.5, 0.4], "c": [0.1, 0.2]}
    assert plumbline.compare(table).to_dict()["summary"][0] == (
        "a, b have the same best score (0.4500). a is not shown to differ from b, c."
    )


def test_over_which_cases_means_are() -> None:
    """The second system has only the hard cases: a mean over its own cases would flatter it or not, so none is taken."""
    easy, hard = np.linspace(0.8, 0.9, 10), np.linspace(0.1, 0.2, 10)
    values = [[[*easy, *hard], [*([NAN] * 10), *(hard + 0.05)], [*easy - 0.1, *hard - 0.05]]]
    comparison = of(values)
    assert comparison.leaderboard["system"].to_list() == ["s1", "s0", "s2"], "on the cases that all have"
    expected = "Systems have different cases: means and weightings are over the 10 of 20 cases that all have, pairs over those"
    assert any(line.startswith(expected) for line in wording.summary(comparison))
    assert comparison.leaderboard["score"][1] == pytest.approx(hard.mean())


def test_the_weighting_and_the_table_are_over_the_same_cases() -> None:
    easy, hard = np.full(10, 0.9), np.full(10, 0.1)
    metric = [[*easy, *hard], [*([NAN] * 10), *(hard + np.resize([0.04, 0.06], 10))]]
    comparison = of([metric, metric])
    assert wording.summary(comparison)[0].startswith("s1 is better than s0 by both metrics (")
    assert ", for every weighting." in wording.summary(comparison)[0]
    assert comparison.leaderboard["system"][0] == "s1"


def test_systems_that_are_no_better_than_the_floor_say_so() -> None:
    cube = cube_of(ladder(4, 1))
    comparison = Comparison(
        cube.only(systems=["s0", "s3"]), combined(cube.only(systems=["s0", "s3"])), floor=cube.only(systems=["s1", "s2"])
    )
    assert "s3 scores no better than s1, which ignores the gold." in wording.summary(comparison)
    assert comparison.leaderboard["system"].to_list() == ["s0", "s1", "s2", "s3"], "the floor stands where its score puts it"
    assert comparison.leaderboard["floor"].to_list() == [False, True, True, False]
    assert comparison.correction_used == "Holm over 1 pair", "the floor takes no part"


def test_the_rule_of_the_paper() -> None:
    lines = wording.summary(of(ladder(3), rule="unanimous", combined=True))
    assert lines[0] == "No system robustly improves on s0 (UIR from 0.25 and p below 0.05)."
    against = wording.summary(of(ladder(3), rule="unanimous", combined=True, baseline="s1"))[0]
    assert against == "s0 robustly improves on s1; s1 robustly improves on s2 (UIR from 0.25 and p below 0.05)."
    none = wording.summary(of([[[0.5, 0.4], [0.4, 0.5]]] * 2, rule="unanimous", combined=True))[0]
    assert none == "No improvement is unanimous and significant (UIR from 0.25 and p below 0.05)."
    block, gap = np.linspace(0.5, 0.6, 20), np.full(20, NAN)
    values = [[*block + 0.2, *gap, *block], [*block, *block + 0.2, *gap], [*gap, *block, *block + 0.2]]
    circle = wording.summary(of([values, values], rule="unanimous", combined=True))
    assert circle[0].startswith("On the cases that they share, systems robustly improve on each other in a circle")
    assert circle[-1].startswith("s") or "No case has a score of every system" in " ".join(circle)


def test_three_metrics() -> None:
    assert wording.summary(of(ladder(3, 3)))[1] == "Of 4,096 weightings of the 3 metrics, s0 has the best mean in 100%."
    corner = [[[0.9, 0.9], [0.1, 0.1]], [[0.9, 0.9], [0.1, 0.1]], [[0.5, 0.5], [0.5000001, 0.5000001]]]
    text = wording.summary(of(corner))[1]
    assert text == "Of 4,096 weightings of the 3 metrics, s0 has the best mean in 100% (but not by m2 alone)."
    apart = [[[0.5, NAN], [NAN, 0.5]]] * 3
    assert wording.summary(of(apart))[1].startswith("No system has the best mean for any of 4,096 weightings")


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "t", "wilcoxon", "sign"])
def test_the_caption_counts_the_pairs_that_were_tested(test: str) -> None:
    """Six systems of which one has a case that no other one has, and two are equal on some cases."""
    draw = np.random.default_rng(2).integers(0, 5, (1, 6, 5)) / 5
    draw[0, 5, :4], draw[0, :5, 4] = NAN, NAN
    comparison = of(draw, baseline="s1", test=test)
    counts = re.findall(r"(\d+) of (\d+) pairs", wording.caption(comparison))
    assert counts
    assert {total for _, total in counts} == {"5"}
    assert all(int(some) <= 5 for some, _ in counts)
    assert "Holm over 4 pairs" in wording.caption(comparison)
    if test == "wilcoxon":
        equal = sum(int((draw[0, 1, :4] == draw[0, other, :4]).sum()) for other in (0, 2, 3, 4))
        assert f"left out, {equal} in all" in wording.caption(comparison)


def test_the_caption_tells_what_is_no_difference_and_what_is_not_corrected() -> None:
    assert "differences up to 0.05 count as equal in UIR" in wording.caption(of(ladder(3), eps=0.05))
    assert "differences up to" not in wording.caption(of(ladder(3)))
    assert "correction: none; " in wording.caption(of(ladder(3), correction="none"))


def test_a_baseline_is_compared_with_and_named() -> None:
    lines = wording.summary(of(ladder(4), baseline="s2"))
    assert lines[0] == "s0, s1 are better than s2; s3 is worse than s2. Only pairs with s2 are tested."
    assert [re.findall(r"s\d", line)[:2] for line in lines[2:]] == [["s0", "s2"], ["s1", "s2"], ["s2", "s3"]]


def test_many_verdicts_are_cut_and_counted() -> None:
    text = wording.summary(of(ladder(12)))
    assert text[-1] == "There are 8 more pairs: see .significance."
    assert len(text) == 2 + 3 + 1


def test_a_caption_tells_how_it_was_made() -> None:
    text = wording.caption(of(ladder(3), level=0.01, correction="bonferroni", baseline="s1"))
    assert text.startswith(
        "3 systems, 24 cases; ordered by m0; Fisher's randomization test, significant below 0.01; correction: Bonferroni over "
        "2 pairs by 2 metrics; "
    )
    assert "random signs (seed 0)" in text, "how often was drawn"
    assert "robust: UIR from 0.5, p below 0.05" in wording.caption(
        of(ladder(3), uir_threshold=0.5, rule="unanimous", combined=True)
    )
    named = wording.caption(of(ladder(3), primary="m1"))
    assert "ordered by m1; " in named
    assert "Holm over 3 pairs; the other metrics are corrected separately; " in named


# --- tables -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_printed_numbers_are_those_of_the_tables(metrics: int) -> None:
    comparison = of(drawn(4, (metrics, 6, 30), missing=0.1).values)
    grid = pairs_grid(comparison)
    tested = {(row["a"], row["b"], row["metric"]): row for row in comparison.significance.iter_rows(named=True)}
    assert len(grid.rows) == len(tested) == 15 * metrics
    pair = ("", "")
    for cells in grid.rows:
        row = dict(zip(grid.heading, (cell.text for cell in cells), strict=True))
        pair = (row["better"], row["worse"]) if row["better"] else pair
        test = tested[(*pair, row["metric"])]
        digits = len(row["difference"].partition(".")[2])
        assert float(row["difference"]) == pytest.approx(test["difference"], abs=0.51 * 10.0**-digits)
        assert float(row["p"].lstrip("<≤ ")) == pytest.approx(test["corrected"], rel=0.06, abs=0.001)
        assert (not row["verdict"]) or row["verdict"] == test["verdict"]
        assert cells[4].best == (test["winner"] is not None)


def test_marks_of_significance_for_every_metric() -> None:
    values = ladder(3).copy()
    values[1] = values[1][::-1]
    comparison = of(values)
    assert [[marks(comparison, at, comparison.order)[row] for row in range(3)] for at in range(2)] == [
        ["bc", "c", ""],
        ["", "a", "ab"],
    ]
    against = of(values, baseline="s1")
    assert [marks(against, at, against.order) for at in range(2)] == [["†", "", "‡"], ["‡", "", "†"]]
    assert r"$^{\dag{}}$" in against.to_latex()
    assert "<sup>†</sup>" in against.to_markdown()


def test_marks_never_run_out() -> None:
    comparison = of(ladder(40, 1))
    above = comparison.grid()
    beside = above.plain
    assert beside is not None
    column = beside.heading.index(next(name for name in beside.heading if name.strip() == "m0"))
    assert [row[column].mark.strip() for row in beside.rows][:3] == ["2-40", "3-40", "4-40"]
    assert [row[column].raised for row in above.rows][-3:] == ["39-40", "40", ""]
    assert "$^{2-40}$" in comparison.to_latex()
    assert "<sup>2-40</sup>" in comparison.to_markdown()


def test_numbers_stand_below_each_other_whatever_their_marks() -> None:
    lines = render(of(ladder(4)), "table").splitlines()
    rows = [line for line in lines if re.match(r" s\d ", line)]
    assert len({line.index(".") for line in rows}) == 1


def test_a_metric_that_is_better_when_lower_is_shown_as_it_was_given() -> None:
    grid = of([[[0.2, 0.4], [0.1, 0.3]]], lower=[True]).grid()
    assert grid.heading[2] == "m0 ↓"
    assert [(row[0].text, row[2].text, row[2].best) for row in grid.rows] == [("s1", "0.2000", True), ("s0", "0.3000", False)]
    both = of([[[0.5]] * 2, [[0.2], [0.1]]], lower=[False, True], combined=True).grid()
    assert both.heading[2:5] == ("arithmetic mean(m0,-m1)", "m0", "m1 ↓")
    assert [cell.text for cell in both.rows[0][2:5]] == ["0.2000", "0.5000", "0.1000"]


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0%"), (1.0, "100%"), (0.999, ">99%"), (0.001, "<1%"), (0.5, "50%"), (None, "n/a")]
)
def test_what_is_not_all_is_not_told_so(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_a_small_p_is_not_told_to_be_0() -> None:
    assert [chance(p) for p in (0.0, 1e-9, 0.00004, 0.00006, 0.5, None)] == [
        "0.0000",
        "<0.0001",
        "<0.0001",
        "0.0001",
        "0.5000",
        "n/a",
    ]


def test_cases_without_any_value_are_counted_apart() -> None:
    gold = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 1, "b": 0}}
    first, second = ({case: {"a": a, "b": 1.5} for case in gold} for a in (2.0, 1.0))
    comparison = plumbline.compare(plumbline.evaluate(gold, {"first": first, "second": second}, ["AP", "RR"]))
    assert "2 systems, 3 cases, 1 of them without any value; " in repr(comparison)
    fine = plumbline.compare(plumbline.evaluate({"q1": gold["q1"]}, {"first": first, "second": second}, ["AP", "RR"]))
    assert "without any value" not in repr(fine)


def test_a_difference_beyond_the_range_of_the_metric_is_not_promised() -> None:
    values = {"a": {f"q{at}": float(at % 2) for at in range(8)}, "b": {f"q{at}": float(at % 2 == 0) for at in range(8)}}
    known = plumbline.compare({"AP": values}, test="t")
    assert ": with 8 cases even the largest possible difference may go unnoticed." in str(known.verdict("a", "b"))
    assert known.significance["detectable"].to_list() == [None]
    unknown = plumbline.compare({"points": values}, test="t")
    assert "8 cases can show a difference of 1." in str(unknown.verdict("a", "b"))


@pytest.mark.parametrize(
    ("p", "at_most", "text"),
    [
        (0.04999, False, "p = 0.04999"),
        (0.05, False, "p = 0.05"),
        (0.0500004, False, "p = 0.05"),
        (0.0123456, False, "p = 0.012"),
        (0.0123456, True, "p ≤ 0.012"),
        (0.0, False, "p < 0.001"),
        (None, False, "not tested"),
    ],
)
def test_p_stays_on_its_side_of_the_level(p: float | None, at_most: bool, text: str) -> None:  # noqa: FBT001 - a parameter
    finding = Finding("m", 0.1, None, None, None, p, at_most, 1, 0.05, None, 3)
    assert finding.chance == text
    assert finding.significant == (p is not None and p < 0.05)


def test_differences_have_as_many_digits_as_their_interval_can_tell_apart() -> None:
    intervals = [(-0.009, 0.009, 1), (-0.0004, 0.0004, 1), (-0.3, 0.3, 1), (-25, 25, 300), (NAN, NAN, 1), (-0.7, 0.7, 90)]
    assert [decimals(*one) for one in intervals] == [3, 4, 3, 0, 3, 1]
    assert [signed(0.0004, 3), signed(-0.0004, 3), signed(0.12345, 3)] == ["0.000", "0.000", "+0.123"]
