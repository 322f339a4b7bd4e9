"""Every pair of systems, and two of them case by case: what a page holds of them, and what it says about the rest."""

from __future__ import annotations

import re
from itertools import combinations

import polars as pl
import pytest

from plumbline import compare
from plumbline.figures.subject import subject_of
from plumbline.reports.model import Chooser, Paragraph
from plumbline.reports.sections import differences, leaderboard, pairs
from tests.helpers.report_pages import FIVE, column, made_scores, page_of, tables


def test_every_pair_is_there_once_with_the_better_one_first() -> None:
    scores = made_scores(FIVE, 12)
    table = pairs.pairs(compare(scores))
    named = [(row[0].text, row[1].text) for row in table.rows]
    assert sorted(tuple(sorted(pair)) for pair in named) == sorted(tuple(sorted(pair)) for pair in combinations(FIVE, 2))
    comparison = compare(scores)
    means = {row["system"]: row for row in comparison.leaderboard.iter_rows(named=True)}
    for metric in comparison.cube.metrics:
        for (better, worse), difference in zip(named, column(table, metric), strict=True):
            assert difference.value == pytest.approx(means[better][metric] - means[worse][metric])
            verdict = comparison.verdict(better, worse)
            assert difference.aside == next(one.chance for one in verdict.findings if one.measure == metric)


@pytest.mark.parametrize(("most", "others"), [(6, 2), (4, 0), (2, 0)])
def test_pairs_that_are_left_out_are_counted_and_those_of_the_best_are_none_of_them(
    monkeypatch: pytest.MonkeyPatch, most: int, others: int
) -> None:
    """The best system is hard to tell from the next one, so that others have smaller p."""
    monkeypatch.setattr(pairs, "MOST", most)
    comparison = compare(made_scores(FIVE, 12))
    table = pairs.pairs(comparison)
    best = comparison.leaderboard["system"][0]
    with_best = [best in (row[0].text, row[1].text) for row in table.rows]
    assert with_best == [True] * 4 + [False] * others
    smallest = comparison.significance.group_by("a", "b").agg(pl.col("corrected").min())
    chances = {frozenset((a, b)): p for a, b, p in smallest.iter_rows()}
    shown = [chances[frozenset((row[0].text, row[1].text))] for row in table.rows]
    assert shown[:4] == sorted(shown[:4])
    rest = sorted(p for pair, p in chances.items() if best not in pair)
    assert shown[4:] == rest[:others]
    sentence = f"all 4 pairs with {best}" + (" and of the others the 2 with the smallest p" if others else "")
    assert table.notes[-1] == f"These are {sentence}; {6 - others} pairs are left out of the page."
    assert table.folded == f"{4 + others} of 10 pairs"


def test_with_a_baseline_all_its_pairs_are_there_and_what_was_not_tested_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST", 2)
    subject = subject_of(made_scores(FIVE, 12), comparing={"baseline": "three"})
    section = leaderboard.section(subject)
    board, table = (tables(section)[name] for name in ("board", "pairs"))
    assert len(table.rows) == 4
    assert all("three" in (row[0].text, row[1].text) for row in table.rows)
    assert table.folded == "Every pair with three (4 pairs); the others were not tested"
    words = section.blocks[0].text  # type: ignore[union-attr]  # words come first
    assert words == "Only the pairs with the baseline three were tested, so nothing is known about pairs of other systems."
    assert {note.count("exact p by all signs") for note in (board.notes[0], table.notes[0])} == {1}
    assert "Holm over 4 pairs" in board.notes[0]


def test_pairs_by_one_metric_have_no_columns_about_several() -> None:
    one, two = (pairs.pairs(compare(made_scores(FIVE, 5, names))) for names in (("AP",), ("AP", "RR")))
    gone = {head.text for head in two.heading} - {head.text for head in one.heading}
    assert gone == {"RR", "disagree", "weightings"}
    assert {len(row) for row in one.rows} == {len(one.heading)}


def test_pairs_that_are_equal_or_share_no_case_say_so() -> None:
    scores = {"AP": {"a": {"q": 0.3}, "b": {"q": 0.1 + 0.2}, "c": {"r": 0.5}}}
    table = pairs.pairs(compare(scores))
    verdicts = {(row[0].text, row[1].text): row[2].text for row in table.rows}
    assert verdicts == {("a", "b"): "identical", ("a", "c"): "nothing", ("b", "c"): "nothing"}


def test_the_choice_starts_with_two_systems_that_share_a_case_and_a_metric() -> None:
    """The two best share no case; the first and the third do, but not by the first metric."""
    scores = {
        "AP": {"a": {"q1": 0.9, "q2": 0.8}, "b": {"q3": 0.7}, "c": {"q4": 0.1}},
        "RR": {"a": {"q1": 0.9, "q4": 0.8}, "b": {"q3": 0.7}, "c": {"q4": 0.1}},
    }
    section = differences.section(subject_of(scores))
    assert section is not None
    chooser = next(block for block in section.blocks if isinstance(block, Chooser))
    named = [chooser.systems[at] for at in chooser.start[:2]]
    assert (sorted(named), chooser.metrics[chooser.start[2]]) == (["a", "c"], "RR")
    assert chooser.picture.spec["description"].startswith(f"Differences of {' and '.join(named)} by RR on 1 case")
    page = page_of(subject_of(scores))
    chosen = re.findall(r'<option value="(\d)" selected>', page)
    assert tuple(map(int, chosen)) == chooser.start


def test_the_choice_starts_with_a_metric_that_ranks_systems() -> None:
    section = differences.section(subject_of(made_scores(FIVE, 4, ("NumRet", "AP"))))
    assert section is not None
    assert next(block for block in section.blocks if isinstance(block, Chooser)).start == (0, 1, 1)


def test_systems_without_a_case_in_common_are_told_so() -> None:
    section = differences.section(subject_of({"AP": {"a": {"q1": 0.9, "q2": 0.8}, "b": {"q3": 0.7}}}))
    assert section is not None
    (words,) = section.blocks
    assert words == Paragraph("No two systems have a value of the same metric on the same case.")


def test_the_reader_chooses_among_all_values() -> None:
    scores = made_scores(FIVE, 7)
    section = differences.section(subject_of(scores))
    assert section is not None
    chooser = next(block for block in section.blocks if isinstance(block, Chooser))
    for metric, table in zip(chooser.metrics, chooser.values, strict=True):
        for system, row in zip(chooser.systems, table, strict=True):
            for case, value in zip(chooser.cases, row, strict=True):
                assert value == scores[metric][system][case]


def test_systems_whose_cases_are_left_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "MOST_NUMBERS", 3 * 2 * 7)
    section = differences.section(subject_of(made_scores(FIVE, 7)))
    assert section is not None
    chooser = next(block for block in section.blocks if isinstance(block, Chooser))
    assert len(chooser.systems) == 3
    assert "best 3 systems, 2 are left out" in section.blocks[0].text  # type: ignore[union-attr]  # words come first


def test_more_cases_than_a_page_can_hold_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "MOST_NUMBERS", 20)
    section = differences.section(subject_of(made_scores(FIVE, 7)))
    assert section is not None
    assert [type(block) for block in section.blocks] == [Paragraph]
    assert "cannot hold the values of 7 cases" in section.blocks[0].text  # type: ignore[union-attr]  # words, as above
