"""What the sections of a dossier say, against slow and obvious ways to find it out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import audit, compare, evaluate
from plumbline.audits.constraints.registry import all_constraints
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.render.grid import Cell, Grid
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.model import Paragraph, Picture, table_of
from plumbline.reports.page import packed
from plumbline.reports.sections import drawn, leaderboard, metrics, references, reproduce
from plumbline.reports.sections.references import entries
from tests.helpers.report_pages import FIVE, column, made_scores, tables

if TYPE_CHECKING:
    from plumbline.figures.figure import Figure


def test_the_board_is_that_of_the_comparison() -> None:
    scores = made_scores(FIVE, 30)
    comparison = compare(scores)
    board = tables(leaderboard.section(subject_of(scores)))["board"]
    assert [entry.text for entry in column(board, "system")] == comparison.leaderboard["system"].to_list()
    assert [entry.value for entry in column(board, "P@10 ↑")] == pytest.approx(comparison.leaderboard["P@10"].to_list())
    assert [entry.value for entry in column(board, "band")] == comparison.leaderboard["band"].to_list()
    combined = compare(scores, alpha=0.5)
    weighed = tables(leaderboard.section(subject_of(scores, comparing={"alpha": 0.5})))["board"]
    assert [entry.value for entry in column(weighed, "score ↑")] == combined.leaderboard["score"].to_list()


def test_ranks_count_who_is_strictly_better_and_know_the_direction() -> None:
    scores = {
        "loss": {"a": {"q1": 0.2, "q2": 0.2}, "b": {"q1": 0.4, "q2": 0.0}, "c": {"q1": 0.1, "q2": 0.1}},
        "AP": {"a": {"q1": 0.2, "q2": 0.2}, "b": {"q1": 0.4, "q2": 0.0}, "c": {"q1": 0.1, "q2": 0.1}},
    }
    board = tables(leaderboard.section(subject_of(scores, comparing={"lower": ["loss"]})))["board"]
    names = [entry.text for entry in column(board, "system")]
    assert dict(zip(names, (entry.aside for entry in column(board, "loss ↓")), strict=True)) == {
        "a": "2nd",
        "b": "2nd",
        "c": "1st",
    }
    assert dict(zip(names, (entry.aside for entry in column(board, "AP ↑")), strict=True)) == {
        "a": "1st",
        "b": "1st",
        "c": "3rd",
    }


def test_counts_are_whole_numbers_and_have_no_rank() -> None:
    gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
    scores = evaluate(gold, {"a": gold, "b": gold}, ["num_ret", "AP"])
    board = tables(leaderboard.section(subject_of(scores)))["board"]
    counts = column(board, "NumRet")
    assert [(entry.text, entry.value, entry.aside) for entry in counts] == [("4", 4.0, "")] * 2
    assert [entry.aside for entry in column(board, "AP ↑")] == ["1st", "1st"]
    assert "NumRet is neither good nor bad when high, and so has no rank" in board.notes[-1]
    asked = tables(leaderboard.section(subject_of(scores, comparing={"lower": ["NumRet", "AP"]})))["board"]
    assert [entry.aside for entry in column(asked, "NumRet ↓")] == ["1st", "1st"]
    assert [entry.aside for entry in column(asked, "AP ↓")] == ["1st", "1st"]
    assert "neither" not in " ".join(asked.notes)


@pytest.mark.parametrize(
    ("rank", "words"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th")],
)
def test_ordinals(rank: int, words: str) -> None:
    assert leaderboard.ordinal(rank) == words


def limited(name: str, most: int) -> Figure:
    """A figure that a page shows for so many systems."""
    return replace(FIGURES[name], report=replace(drawn.place_of(name), most_systems=most))


def test_a_page_shows_all_pairs_of_a_limited_number_of_systems() -> None:
    subject = subject_of(made_scores(FIVE, 7))
    section = drawn.section(subject, [limited("unanimity", 4), limited("graph", 4)])
    assert section is not None
    assert [type(block) for block in section.blocks] == [Paragraph]
    assert "up to 4 systems, and there are 5" in section.blocks[0].text  # type: ignore[union-attr]  # words, as above
    one = drawn.section(subject, [limited("unanimity", 4), limited("graph", 5)])
    assert one is not None
    assert [block.name for block in one.blocks if isinstance(block, Picture)] == ["figure-graph"]


def test_metrics_are_told_with_their_constraints_and_others_as_strangers() -> None:
    scores = made_scores(("a", "b"), 3, ("AP", "F(P@10,R@10)", "my own"))
    table = tables(metrics.section(subject_of(scores)))["metrics"]
    rows = {row[0].text: [entry.text for entry in row] for row in table.rows}
    assert rows.keys() == {"AP", "F(P@10,R@10)", "P@10", "R@10", "my own"}
    assert rows["AP"][4:6] == ["priority; closeness threshold", "deepness; deepness threshold; confidence"]
    assert rows["my own"][1] == metrics.UNKNOWN


def test_constraints_are_what_an_audit_says_of_that_very_name() -> None:
    names = ("nDCG@10", "nDCG", "AP", "P@5", "F(P@10,R@10)")
    table = tables(metrics.section(subject_of(made_scores(("a", "b"), 3, names))))["metrics"]
    rows = {row[0].text: (row[4].text, row[5].text) for row in table.rows}
    audited = audit(list(rows), task="ranking")
    for name, (kept, broken) in rows.items():
        by_outcome = {
            outcome: "; ".join(one.constraint.name for one in audited.verdicts if (one.metric, one.outcome) == (name, outcome))
            for outcome in ("holds", "broken")
        }
        assert (kept, broken) == (by_outcome["holds"], by_outcome["broken"])
    assert rows["nDCG@10"] != rows["nDCG"]


def test_a_column_that_cannot_be_the_metric_of_its_name_is_a_stranger() -> None:
    """One is spelled otherwise, one is better when lower as asked; scores that plumbline made are what they are called."""
    scores = made_scores(("a", "b"), 3, ("err", "map", "RR"))
    subject = subject_of(scores, comparing={"lower": ["RR"]})
    table = tables(metrics.section(subject))["metrics"]
    assert {row[0].text: row[1].text == metrics.UNKNOWN for row in table.rows} == {"AP": False, "err": True, "RR": True}
    assert [single.name for single in metrics.used(subject)] == ["AP"]
    gold = {"q1": {"d1": 1, "d2": 0}}
    made = subject_of(evaluate(gold, {"a": gold, "b": gold}, ["RR"]), comparing={"lower": ["RR"]})
    assert [single.name for single in metrics.used(made)] == ["RR"]


def test_the_family_of_a_filtering_metric_stands_below_its_name() -> None:
    gold = {"m1": "spam", "m2": "ham", "m3": "spam"}
    scores = evaluate(gold, {"a": gold, "b": dict.fromkeys(gold, "spam")}, ["MAAc", "R"], positive=["spam"])
    table = tables(metrics.section(subject_of(scores)))["metrics"]
    assert {row[0].text: row[0].detail for row in table.rows} == {
        "MAAc": "informativeness-based family",
        "R": "class-oriented family",
    }


def cited(source: Any, **options: Any) -> list[str]:
    section = references.section(subject_of(source, **options))
    text = "\n".join(section.blocks[1].lines) if section else ""  # type: ignore[union-attr]  # the listing follows the words
    return re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE)


def test_references_are_those_of_the_metrics_their_constraints_and_the_comparison() -> None:
    made = made_scores(("a", "b"), 3, ("AP", "nDCG@10"))
    assert cited(made) == ["buckley2005", "jarvelin2002", "amigo2013", "amigo2011", "smucker2007", "holm1979"]
    assert cited(made_scores(("a",), 3, ("my own",))) == []
    assert cited(made_scores(("a", "b"), 3, ("my own",))) == ["smucker2007", "holm1979"]


@pytest.mark.parametrize(
    ("test", "correction", "expected"),
    [
        ("wilcoxon", "none", ["wilcoxon1945"]),
        ("sign", "benjamini_hochberg", ["dixon1946", "benjamini1995"]),
        ("t", "bonferroni", ["student1908", "dunn1961"]),
        ("nemenyi", "holm", ["demsar2006"]),
        ("tukey", "holm", ["carterette2012"]),
    ],
)
def test_references_of_the_test_and_of_a_correction_that_was_made(test: str, correction: str, expected: list[str]) -> None:
    made = made_scores(("a", "b", "c"), 6, ("my own",))
    assert cited(made, comparing={"test": test, "correction": correction}) == expected


def test_every_paper_that_a_page_may_cite_has_an_entry() -> None:
    papers = {one.paper for every in all_constraints().values() for one in every}
    keys = sorted({*papers, references.UIR})
    assert len(entries(keys)) == len(keys)


def test_every_paper_of_a_metric_has_an_entry() -> None:
    assert entries(["buckley2005"])[0].startswith("@")
    assert entries(["nobody1900"]) == []


def test_settings_tell_what_was_decided() -> None:
    gold = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
    subject = subject_of(gold=gold, systems={"a": gold, "b": gold}, metrics=["AP"], ties="average", rel=1.0)
    table = tables(reproduce.section(subject, ("report", "a b.txt"), []))["settings"]
    value_of = {row[0].text: row[1].text for row in table.rows}
    assert value_of["policy: ties"] == "average"
    assert value_of["metrics"] == "AP"
    assert value_of["task"] == "ranking"
    assert value_of["plumbline"]


def test_tables_in_memory_are_no_settings() -> None:
    gold = {"m1": "spam", "m2": "ham"}
    scores = evaluate(gold, {"a": gold}, ["P"], positive=["spam"])
    subject = subject_of(scores, gold=gold, systems={"a": gold}, positive=["spam"], features=[[1.0]], noise=None)
    value_of = {row[0].text: row[1].text for row in tables(reproduce.section(subject, None, []))["settings"].rows}
    assert value_of["positive"] == "spam"
    assert not {"features", "noise"} & value_of.keys()


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
    assert all(part.verdict[0].startswith("alone is the only system") for part in made.parts)


@pytest.mark.parametrize(("systems", "names"), [(("a",), ("AP", "RR")), (("a", "b"), ("AP",)), (("a", "b"), ("AP", "RR"))])
def test_an_order_is_spoken_of_where_there_is_one(systems: tuple[str, ...], names: tuple[str, ...]) -> None:
    subject = subject_of(made_scores(systems, 4, names))
    several = len(systems) > 1 and len(names) > 1
    section = drawn.section(subject, drawn.declared_sections()["means"])
    assert section is not None
    assert ("same order" in section.blocks[0].text) is several  # type: ignore[union-attr]  # words come first
    headings = [head for head in tables(leaderboard.section(subject))["board"].heading if head.hint.startswith("the mean")]
    assert {("rank" in head.hint) for head in headings} == {len(systems) > 1}


def test_a_hundred_metrics_wide_or_long_names_change_no_number() -> None:
    scores = made_scores(("a" * 200, "b"), 3, tuple(f"metric {at}" for at in range(12)))
    board = tables(leaderboard.section(subject_of(scores)))["board"]
    assert len(board.heading) == len(board.rows[0]) == 12 + 6


def test_the_order_of_two_systems_is_not_drawn() -> None:
    for systems, drawn_order in ((FIVE[:2], False), (FIVE[:3], True)):
        page = dossier([Chapter(subject_of(made_scores(systems, 12)))])
        blocks = [block for part in page.parts for section in part.sections for block in section.blocks]
        kinds = {block.name for block in blocks if isinstance(block, Picture)}
        assert ({"figure-graph", "figure-critical_difference"} <= kinds) is drawn_order
        paragraphs = [block.text for block in blocks if isinstance(block, Paragraph)]
        assert paragraphs.count(
            "There is one pair: the verdict and the table of pairs say which is better, and how certain that is."
        ) == int(not drawn_order)
        assert ("1 pair of systems is too few to compare UIR with other differences." in paragraphs) is not drawn_order
