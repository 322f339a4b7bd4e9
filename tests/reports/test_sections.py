"""What the sections of a dossier say, against slow and obvious ways to find it out."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import compare, evaluate
from plumbline.figures.subject import subject_of
from plumbline.render.grid import Cell, Grid
from plumbline.reports.bibliography import entries
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.model import Chooser, Section, Table, Words, table_of
from plumbline.reports.packing import packed
from plumbline.reports.sections import differences, drawn, ending, leaderboard, metrics, pairs

from .pages import made_scores, page_of

FIVE = ("one", "two", "three", "four", "five")


def _tables(section: Section) -> dict[str, Table]:
    return {block.name: block for block in section.blocks if isinstance(block, Table)}


def _column(table: Table, text: str) -> list[Any]:
    at = [head.text for head in table.heading].index(text)
    return [row[at] for row in table.rows]


def test_the_board_is_that_of_the_comparison() -> None:
    scores = made_scores(FIVE, 30)
    found = compare(scores)
    board = _tables(leaderboard.section(subject_of(scores)))["board"]
    assert [entry.text for entry in _column(board, "system")] == found.leaderboard["system"].to_list()
    assert [entry.value for entry in _column(board, "score ↑")] == found.leaderboard["score"].to_list()
    assert [entry.value for entry in _column(board, "beats")] == found.leaderboard["beats"].to_list()


def test_ranks_count_who_is_strictly_better_and_know_the_direction() -> None:
    scores = {
        "loss": {"a": {"q1": 0.2, "q2": 0.2}, "b": {"q1": 0.4, "q2": 0.0}, "c": {"q1": 0.1, "q2": 0.1}},
        "AP": {"a": {"q1": 0.2, "q2": 0.2}, "b": {"q1": 0.4, "q2": 0.0}, "c": {"q1": 0.1, "q2": 0.1}},
    }
    board = _tables(leaderboard.section(subject_of(scores, comparing={"lower": ["loss"]})))["board"]
    names = [entry.text for entry in _column(board, "system")]
    assert dict(zip(names, (entry.aside for entry in _column(board, "loss ↓")), strict=True)) == {
        "a": "2nd",
        "b": "2nd",
        "c": "1st",
    }
    assert dict(zip(names, (entry.aside for entry in _column(board, "AP ↑")), strict=True)) == {
        "a": "1st",
        "b": "1st",
        "c": "3rd",
    }


def test_counts_are_whole_numbers_and_have_no_rank() -> None:
    gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
    scores = evaluate(gold, {"a": gold, "b": gold}, ["num_ret", "AP"])
    board = _tables(leaderboard.section(subject_of(scores)))["board"]
    counts = _column(board, "NumRet")
    assert [(entry.text, entry.value, entry.aside) for entry in counts] == [("4", 4.0, "")] * 2
    assert [entry.aside for entry in _column(board, "AP ↑")] == ["1st", "1st"]
    assert "NumRet is neither good nor bad when high, and so has no rank" in board.notes[-1]
    asked = _tables(leaderboard.section(subject_of(scores, comparing={"lower": ["NumRet", "AP"]})))["board"]
    assert [entry.aside for entry in _column(asked, "NumRet ↓")] == ["1st", "1st"]
    assert [entry.aside for entry in _column(asked, "AP ↓")] == ["1st", "1st"]
    assert "neither" not in " ".join(asked.notes)


@pytest.mark.parametrize(
    ("rank", "told"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th")]
)
def test_ordinals(rank: int, told: str) -> None:
    assert leaderboard.ordinal(rank) == told


def test_every_pair_is_there_once_with_the_better_one_first() -> None:
    scores = made_scores(FIVE, 12)
    table = pairs.pairs(compare(scores))
    named = [(row[0].text, row[1].text) for row in table.rows]
    assert sorted(tuple(sorted(pair)) for pair in named) == sorted(tuple(sorted(pair)) for pair in combinations(FIVE, 2))
    found = compare(scores)
    means = dict(found.leaderboard.select("system", "score").iter_rows())
    for (better, worse), difference in zip(named, _column(table, "difference"), strict=True):
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
    chances = [entry.value for entry in _column(table, "corrected p")]
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
    board, table = (_tables(section)[name] for name in ("board", "pairs"))
    assert len(table.rows) == 4
    assert all("three" in (row[0].text, row[1].text) for row in table.rows)
    assert table.folded == "Every pair with three (4 pairs); the others were not tested"
    words = section.blocks[0].text  # type: ignore[union-attr]  # words come first
    assert words.startswith("Only the pairs with the baseline three were tested, so nothing is said about the others")
    found = subject.comparison
    assert found is not None
    for row, tier in zip(board.rows, _column(board, "tier"), strict=True):
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
    assert words == Words("No two systems have a value of the same metric on the same case.")


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
    assert [type(block) for block in section.blocks] == [Words]
    assert "7 cases are too many" in section.blocks[0].text  # type: ignore[union-attr]  # words, as above


def test_all_pairs_of_very_many_systems_are_not_drawn_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "MOST_PAIRED", 4)
    section = drawn.section(subject_of(made_scores(FIVE, 7)), drawn.UNANIMITY)
    assert section is not None
    assert [type(block) for block in section.blocks] == [Words]
    assert "up to 4 systems, and here are 5" in section.blocks[0].text  # type: ignore[union-attr]  # words, as above


def test_metrics_are_told_with_their_constraints_and_others_as_strangers() -> None:
    scores = made_scores(("a", "b"), 3, ("AP", "F(P@10,R@10)", "my own"))
    table = _tables(metrics.section(subject_of(scores)))["metrics"]
    rows = {row[0].text: [entry.text for entry in row] for row in table.rows}
    assert rows.keys() == {"AP", "F(P@10,R@10)", "P@10", "R@10", "my own"}
    assert rows["AP"][4:6] == ["priority, closeness threshold", "deepness, deepness threshold, confidence"]
    assert rows["my own"][1] == metrics.UNKNOWN


def test_the_family_of_a_filtering_metric_stands_below_its_name() -> None:
    gold = {"m1": "spam", "m2": "ham", "m3": "spam"}
    scores = evaluate(gold, {"a": gold, "b": dict.fromkeys(gold, "spam")}, ["MAAc", "R"], positive=["spam"])
    table = _tables(metrics.section(subject_of(scores)))["metrics"]
    assert {row[0].text: row[0].detail for row in table.rows} == {
        "MAAc": "informativeness-based family",
        "R": "class-oriented family",
    }


def test_references_are_those_of_the_metrics_and_of_unanimity() -> None:
    section = ending.references(subject_of(made_scores(("a", "b"), 3, ("AP", "nDCG@10"))))
    assert section is not None
    text = "\n".join(section.blocks[1].lines)  # type: ignore[union-attr]  # the listing follows the words
    assert [key for key in ("buckley2005", "jarvelin2002", "amigo2011") if f"{{{key}," in text] == [
        "buckley2005",
        "jarvelin2002",
        "amigo2011",
    ]
    assert text.count("@") == 3
    assert ending.references(subject_of(made_scores(("a",), 3, ("my own",)))) is None


def test_every_paper_of_a_metric_has_an_entry() -> None:
    assert entries(["buckley2005"])[0].startswith("@")
    assert entries(["nobody1900"]) == []


def test_settings_tell_what_was_decided() -> None:
    gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
    subject = subject_of(gold=gold, systems={"a": gold, "b": gold}, metrics=["AP"], ties="average", rel=1.0)
    table = _tables(ending.reproducing(subject, ("report", "a b.txt"), []))["settings"]
    told = {row[0].text: row[1].text for row in table.rows}
    assert told["policy: ties"] == "average"
    assert told["metrics"] == "AP"
    assert told["task"] == "ranking"
    assert told["plumbline"]


def test_tables_in_memory_are_no_settings() -> None:
    gold = {"m1": "spam", "m2": "ham"}
    scores = evaluate(gold, {"a": gold}, ["P"], positive=["spam"])
    subject = subject_of(scores, gold=gold, systems={"a": gold}, positive=["spam"], features=[[1.0]], noise=None)
    told = {row[0].text: row[1].text for row in _tables(ending.reproducing(subject, None, []))["settings"].rows}
    assert told["positive"] == "spam"
    assert not {"features", "noise"} & told.keys()


def test_a_grid_becomes_a_table_whose_numbers_sort_as_numbers() -> None:
    grid = Grid(("name", "count"), ((Cell("a"), Cell("1,200", best=True)), (Cell("b"), Cell("n/a"))), "all")
    table = table_of(grid, "counts")
    assert [head.numeric for head in table.heading] == [False, True]
    assert [row[1].value for row in table.rows] == [1200.0, None]


ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.sampled_from(["a", "b", "</script>"]) | st.text(max_size=3),
            "value": st.none() | st.floats(-9, 9).map(lambda value: float(f"{value:.6g}")),
            "count": st.integers(0, 9),
            "flag": st.booleans(),
        },
    ),
    max_size=12,
)


@given(ROWS)
def test_packed_rows_can_be_unpacked(rows: list[dict[str, Any]]) -> None:
    columns = json.loads(json.dumps(packed({"datasets": {"data": rows}})))["datasets"]["data"]
    full = {
        field: column if isinstance(column, list) else [column["words"][at] for at in column["at"]]
        for field, column in columns["columns"].items()
    }
    fields = {field for row in rows for field in row}
    assert full.keys() == fields
    assert [{field: full[field][at] for field in fields} for at in range(columns["rows"])] == [
        {field: row.get(field) for field in fields} for row in rows
    ]


def test_several_parts_have_their_own_verdicts() -> None:
    chapters = [Chapter(subject_of(made_scores(["alone"], 3)), title) for title in ("First", "Second")]
    made = dossier(chapters)
    assert [part.title for part in made.parts] == ["First", "Second"]
    assert made.title == "Evaluation report"
    assert all(part.verdict[0].startswith("alone stands alone") for part in made.parts)


@pytest.mark.parametrize(("systems", "names"), [(("a",), ("AP", "RR")), (("a", "b"), ("AP",)), (("a", "b"), ("AP", "RR"))])
def test_an_order_is_spoken_of_where_there_is_one(systems: tuple[str, ...], names: tuple[str, ...]) -> None:
    subject = subject_of(made_scores(systems, 4, names))
    several = len(systems) > 1 and len(names) > 1
    section = drawn.section(subject, drawn.means(subject))
    assert section is not None
    assert ("same order" in section.blocks[0].text) is several  # type: ignore[union-attr]  # words come first
    headings = [head for head in _tables(leaderboard.section(subject))["board"].heading if head.words.startswith("the mean")]
    assert {("rank" in head.words) for head in headings} == {len(systems) > 1}


def test_a_hundred_metrics_wide_or_long_names_change_no_number() -> None:
    scores = made_scores(("a" * 200, "b"), 3, tuple(f"metric {at}" for at in range(12)))
    board = _tables(leaderboard.section(subject_of(scores)))["board"]
    assert len(board.heading) == len(board.rows[0]) == 12 + 8
