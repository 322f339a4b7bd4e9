"""Ranks that contradict scores, and comments that look like data, get a notice; what decides does not change."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.io.bytes import blocks
from plumbline.io.columns.ranks import disorder_of
from plumbline.io.formats.trec import reading, scanning, small
from plumbline.io.read import read
from plumbline.io.table import ReadOptions, Table
from tests.helpers.label_forms import file

RUN = "q1 Q0 d1 1 3.5 t\nq1 Q0 d2 2 2.5 t\nq2 Q0 d1 1 0.5 t\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\n"


def codes(table: Table) -> set[str]:
    """What was said about a file."""
    return {notice.code for notice in table.notices} - {"N212"}


def table(text: str, role: Any = "output", **options: Any) -> Table:
    """The rows of a file."""
    return read(file(text), role, ReadOptions(**options))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", set()),
        ("d2 2 2.5", "d2 2 4.5", {"N294"}),  # the second rank has the higher score
        ("d2 2 2.5", "d2 0 2.5", {"N294"}),
        ("d2 2 2.5", "d2 2 3.5", set()),  # equal scores contradict nothing
        ("d2 2 2.5", "d2 1 4.5", set()),  # nor do equal ranks
        ("d2 2 2.5", "d2 x 4.5", set()),  # nor does a word
        ("q2 Q0 d1 1 0.5", "q2 Q0 d1 2 9", set()),  # nor another case
    ],
)
def test_ranks_that_contradict_scores_are_noticed(old: str, new: str, expected: set[str]) -> None:
    text = RUN.replace(old, new)
    assert codes(table(text)) == expected
    assert codes(table(text.replace(" ", "  "))) == expected, "line by line, too"
    assert codes(table(text, order="file")) == set()
    lines = ["case,q0,item,rank,score,tag", *(line.replace(" ", ",") for line in text.splitlines())]
    assert codes(table("\n".join(lines))) == expected
    if "x" not in new:
        assert codes(table(text, order="rank")) == set()


def test_the_notice_names_a_case_and_the_order_stays() -> None:
    contradicting = table(RUN + "q3 Q0 a 1 1 t\nq3 Q0 b 2 2 t\nq3 Q0 c 3 3 t\n")
    notice = next(one for one in contradicting.notices if one.code == "N294")
    assert "2 pairs of neighbouring lines, first in case q3" in notice.text
    assert contradicting.frame["value"].to_list()[-3:] == [1, 2, 3]


NUMBERS = st.one_of(st.none(), st.integers(0, 4).map(float))


@given(st.lists(st.tuples(st.integers(0, 2), NUMBERS, st.integers(0, 4).map(float)), max_size=12))
def test_disorder_is_counted_row_by_row(rows: list[tuple[int, float | None, float]]) -> None:
    expected = sum(
        case == before[0] and rank is not None and before[1] is not None and (rank - before[1]) * (score - before[2]) > 0
        for before, (case, rank, score) in pairwise(rows)
    )
    cases, ranks, scores = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    columns = pl.Series([str(case) for case in cases], dtype=pl.Categorical), pl.Series(ranks, dtype=pl.Float64)
    assert disorder_of(*columns, pl.Series(scores, dtype=pl.Float64)).pairs == expected


def test_every_block_of_a_file_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 64)
    text = "".join(f"q{case} Q0 d{rank} {rank} {rank} t\n" for case in range(9) for rank in (1, 2))
    assert codes(table(text)) == {"N294"}


def test_rising_scores_are_compared_with_ranks_wherever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reading, small, scanning):
        monkeypatch.setattr(module, "FIRST_LINES", 64)
    falling = "".join(f"q1 Q0 d{rank} {rank} {100 - rank} t\n" for rank in range(1, 50))
    assert codes(table(falling)) == set()
    contradicting = table(falling + "q2 Q0 a 1 1 t\nq2 Q0 b 2 2 t\n")
    notice = next(one for one in contradicting.notices if one.code == "N294")
    assert "1 pair of neighbouring lines, first in case q2" in notice.text
    assert codes(table(falling + "q2 Q0 b 2 1 t\nq2 Q0 a 1 2 t\n")) == set(), "lines in another order contradict nothing"
    assert codes(table(falling.replace("d2 2", "d2 0"))) == {"N294"}, "the ranks of the first lines are looked at as well"


@pytest.mark.parametrize(
    ("text", "role"),
    [(RUN + "#q3 Q0 d1 1 2.5 t\n", "output"), ("#q1 0 d7 1\n" + QRELS, "gold"), (QRELS + "#q3 0 d1 1", "gold")],
)
def test_an_id_that_starts_with_a_hash_is_noticed(text: str, role: Any) -> None:
    assert codes(table(text, role)) == {"N295"}
    assert codes(table(text.replace(" ", "  "), role)) == {"N295"}
    assert codes(table(text.replace("#q", "# q"), role)) == set(), "a comment starts with a space, or says something else"


@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_label_of_such_an_item_is_noticed(separator: str) -> None:
    rows = "a yes\n#b no\n#written by hand\nc no\n".replace(" ", separator)
    assert codes(table(rows, "gold", kind="labels")) == {"N295"}
    assert codes(table(rows.replace("#b", "# b"), "gold", kind="labels")) == set()
