"""Small TREC files are read without a table: the same rows, tags, notices and errors as with one."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.errors import BadData
from plumbline.io.formats.trec import small
from plumbline.io.native import SWITCH
from plumbline.io.read import read
from plumbline.render.delimited import _field
from plumbline.render.document import Document
from plumbline.render.formats import find_format

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from plumbline.io.table import Role

LINE = st.tuples(
    st.sampled_from(["q1", "q2", "q3", "é", "#q4", "q 5", ""]),
    st.sampled_from([" ", "  ", "\t", " \t", "\u00a0", "\x1f"]),
    st.sampled_from(["Q0", "0", "1"]),
    st.sampled_from(["d1", "d2", "d3", "d4", "d5", "a_b", "\u0661", "d\u0301"]),
    st.sampled_from(["1", "2", "3", "x", "1_0", "nan", "-1"]),
    st.sampled_from(["2.5", "1", "-3e2", "1_0", "inf", "nan", "\u0661", "1e400", ".5", "+5", "4.", "3000000000", "0x1"]),
    st.sampled_from(["tag", "tag", "tag", "other"]),
    st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", "\n # comment\n", "\n#c\n"]),
)


def lines_of(draws: Sequence[tuple[str, ...]], role: Role) -> bytes:
    made = []
    for case, gap, second, item, rank, number, tag, end in draws:
        fields = (case, second, item, rank, number, tag) if role == "output" else (case, second, item, number)
        made.append(gap.join(fields) + end)
    return "".join(made).encode()


def outcome(path: Path, role: Role) -> object:
    try:
        table = read(path, role)
    except BadData as error:
        return [str(one) for one in error.diagnostics]
    rows = table.frame.cast({"case": str})
    return rows.rows(), table.tag, [str(one) for one in table.notices], table.origin.places([0, len(rows) - 1], "item")


def test_a_small_file_of_a_judged_sample_is_read_with_its_strata(tmp_path: Path) -> None:
    (tmp_path / "sample.txt").write_text("q1 0 d1 1 1\nq1 0 d2 1 0\nq1 0 d3 2 1\n", encoding="utf-8")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 3 a\nq1 Q0 d3 2 2 a\nq1 Q0 d2 3 1 a\n", encoding="utf-8")
    made = plumbline.evaluate(tmp_path / "sample.txt", tmp_path / "run.txt", ["xinfAP", "P@2"])
    assert made.mean["value"].to_list() == pytest.approx([1.0, 1.0], abs=1e-4)


@pytest.mark.parametrize("role", ["gold", "output"])
@given(st.data())
def test_the_same_rows_and_messages_with_and_without_a_table(
    tmp_path_factory: pytest.TempPathFactory, role: Role, data: st.DataObject
) -> None:
    plain = data.draw(st.booleans())
    if plain:  # lines without anything odd, in the order of cases or not
        ids = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30)), min_size=1, max_size=20)
        draws = [
            (case, " ", "0", f"d{item}", str(place), f"{item / 7}", "tag", "\n")
            for place, (case, item) in enumerate(data.draw(ids), start=1)
        ]
    else:
        draws = data.draw(st.lists(LINE, min_size=1, max_size=6))
    path = tmp_path_factory.getbasetemp() / f"small.{role}"
    path.write_bytes(lines_of(draws, role))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, "0")
        without = outcome(path, role)
        patch.setattr(small, "ALWAYS", 0)
        patch.setattr(small, "AT_MOST", 0)
        assert outcome(path, role) == without


def test_ranks_are_compared_as_far_as_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"q Q0 document{number} {number if number < 3500 else 1} {9000 - number} t\n" for number in range(1, 4001)]
    path = tmp_path / "long.run"
    path.write_text("".join(lines))
    monkeypatch.setenv(SWITCH, "0")
    assert 2**16 < path.stat().st_size < small.ALWAYS
    without = outcome(path, "output")
    monkeypatch.setattr(small, "ALWAYS", 0)
    assert outcome(path, "output") == without


def test_a_plain_file_needs_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "0")
    (tmp_path / "a.run").write_text("q Q0 d1 1 2.5 t\nq Q0 d2 2 1.5 t\n")
    table = read(tmp_path / "a.run", "output")
    assert table.nested is not None
    assert table.nested.data == {"q": {"d1": 2.5, "d2": 1.5}}


BLOCKED = """
import sys
sys.modules.update(dict.fromkeys(["polars", "tempfile", "base64"]))
from plumbline.cli.app import run
code = run(["evaluate", "gold.txt", "a.run", "b.run", "-q", *sys.argv[1:]])
import plumbline
assert plumbline.Evaluator({"q": {"d1": 1}}, ["AP", "nDCG@10"]).score({"q": {"d2": 2.0, "d1": 1.0}})["AP"] == 0.5
assert plumbline.evaluate({"q": {"d1": 1}}, {"q": {"d1": 1.0}}, "AP").mean_rows()[0].value == 1.0
sys.exit(code)
"""


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "json", "jsonl", "markdown"])
def test_two_small_files_are_scored_without_polars(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gold.txt").write_text("q 0 d1 1\nq 0 d2 0\nr 0 d1 2\n")
    (tmp_path / "a.run").write_text("q Q0 d1 1 2.5 t\nq Q0 d3 2 1.5 t\nr Q0 d1 1 1 t\n")
    (tmp_path / "b.run").write_text("q Q0 d1 1 2.5 t\nq Q0 d3 2 2.5 t\n")
    made = subprocess.run(
        [sys.executable, "-c", BLOCKED, "--format", form], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    monkeypatch.chdir(tmp_path)
    scores = plumbline.evaluate("gold.txt", ["a.run", "b.run"])
    assert scores.mean.height > 0  # the table is made now
    assert made.stdout == find_format(form).convert(Document(scores, view={"per_case": False}))


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(-12, 12))
def test_numbers_are_written_as_with_a_table(number: float, decimals: int) -> None:
    for value in (number, round(number, decimals), number * 10.0**decimals):
        if abs(value) < float("inf"):
            assert pl.DataFrame({"a": [value]}).write_csv(include_header=False) == f"{_field(value)}\n"
