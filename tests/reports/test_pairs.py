"""Every pair of systems, and two of them case by case: what a page holds of them, and what it says about the rest."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

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
    found = compare(scores)
    means = dict(found.leaderboard.select("system", "score").iter_rows())
    for (better, worse), difference in zip(named, column(table, "difference"), strict=True):
        assert difference.value == pytest.approx(means[better] - means[worse])
        assert difference.value >= 0


@pytest.mark.parametrize(("most", "others"), [(6, 2), (4, 0), (2, 0)])
def test_pairs_that_are_left_out_are_counted_and_those_of_the_best_are_none_of_them(
    monkeypatch: pytest.MonkeyPatch, most: int, others: int
) -> None:
    """The best system is hard to tell from the next one, so that others have smaller p."""
    monkeypatch.setattr(pairs, "MOST", most)
    found = compare(made_scores(FIVE, 12))
    table = pairs.pairs(found)
    best = found.leaderboard["system"][0]
    with_best = [best in (row[0].text, row[1].text) for row in table.rows]
    assert with_best == [True] * 4 + [False] * others
    chances = [entry.value for entry in column(table, "corrected p")]
    assert chances[:4] == sorted(chances[:4])
    rest = found.significance.filter((pl.col("a") != best) & (pl.col("b") != best))["corrected"].sort().to_list()
    assert chances[4:] == rest[:others]
    told = f"all 4 pairs with {best}" + (" and of the others the 2 with the smallest p" if others else "")
    assert table.notes[-1] == f"These are {told}; {6 - others} pairs are left out of the page."
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
    assert words.startswith("Only the pairs with the baseline three were tested, so nothing is said about the others")
    found = subject.comparison
    assert found is not None
    for row, tier in zip(board.rows, column(board, "tier"), strict=True):
        name = row[2].text
        against = found.verdict(name, "three")
        side = 0 if name == "three" or not against.robust else -1 if against.better == name else 1
        group = {-1: "those that robustly beat three", 0: "three and those that do not", 1: "those that three robustly beats"}
        assert f"tier {tier.text} has {group[side]}" in words
    assert {note.count("4 of 4 pairs") for note in (board.notes[0], table.notes[0])} == {1}
    assert "Holm over 4 pairs" in board.notes[0]


def test_pairs_by_one_metric_have_no_columns_about_several() -> None:
    one, two = (pairs.pairs(compare(made_scores(FIVE, 5, names))) for names in (("AP",), ("AP", "RR")))
    gone = {head.text for head in two.heading} - {head.text for head in one.heading}
    assert gone == {"biased", "every weighting"}
    assert {len(row) for row in one.rows} == {len(one.heading)}
    choices: list[dict[str, Any]] = [{"correction": "none"}, {"test": "tukey"}]
    for options in choices:
        bare = pairs.pairs(compare(made_scores(FIVE, 5), **options))
        assert {head.text for head in two.heading} - {head.text for head in bare.heading} == {"corrected p"}


def test_pairs_that_are_equal_or_share_no_case_say_so() -> None:
    scores = {"AP": {"a": {"q": 0.3}, "b": {"q": 0.1 + 0.2}, "c": {"r": 0.5}}}
    table = pairs.pairs(compare(scores))
    verdicts = {(row[0].text, row[1].text): row[-1].text for row in table.rows}
    assert verdicts == {("a", "b"): "same mean", ("a", "c"): "no case in common", ("b", "c"): "no case in common"}


def test_pairs_that_share_cases_but_none_with_every_metric_say_so() -> None:
    """Both have q by AP, and only one of them by RR."""
    scores = {"AP": {"a": {"q": 0.3}, "b": {"q": 0.1}}, "RR": {"a": {"q": 0.3}, "b": {"r": 0.2}, "c": {"q": 0.4}}}
    table = pairs.pairs(compare(scores))
    assert {row[-1].text for row in table.rows} == {"no case on which both have every metric"}


def test_a_p_of_the_page_stays_on_its_side_of_the_level() -> None:
    found = compare(made_scores(FIVE, 12))
    vars(found)["p"] = found.p * 0 + 0.04999
    assert {entry.text for entry in column(pairs.pairs(found), "corrected p")} == {"0.04999"}


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
