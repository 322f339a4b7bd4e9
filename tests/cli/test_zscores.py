"""--zscores: scores as standard deviations above the mean of other systems, as trec_eval -Z."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline as pb
from tests.helpers.command_line import QRELS, RUN, plumbline, write_pair

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = "q1 AP 0.5 0.25\nq2 AP 0.75 0.5\nq3 AP 0.5 0\n"
"""AP is 5/6, 1/2 and 5/6; the others do not vary in q3."""
STANDARD = [(5 / 6 - 0.5) / 0.25, (0.5 - 0.75) / 0.5, None]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A gold, a run and the scores of other systems."""
    others = tmp_path / "others.txt"
    others.write_text(OTHERS, encoding="utf-8")
    return (*write_pair(tmp_path), others)


def test_values_and_mean(files: tuple[Path, Path, Path]) -> None:
    gold, run, others = files
    scores = pb.evaluate(gold, run, "AP", zscores=others)
    assert scores.per_case["value"].to_list() == pytest.approx(STANDARD)
    assert scores.mean["value"].to_list() == pytest.approx([(STANDARD[0] + STANDARD[1]) / 2])  # type: ignore[operator]
    assert scores.columns[0].name == "Z(AP)"


def test_undefined_has_its_reason(files: tuple[Path, Path, Path]) -> None:
    gold, run, others = files
    ended = plumbline("evaluate", gold, run, "-m", "AP", "-m", "RR", "--zscores", others, "--format", "csv", "--per-case")
    assert ended.code == 0
    assert "run,q3,Z(AP),\n" in ended.out
    assert ended.means()["run", "Z(RR)"] is None, "the reference does not know RR"
    assert "N203 Z(RR) of run is undefined in 3 of 3 cases" in ended.err
    assert "the reference has no scores for it there, or they do not vary" in ended.err


@pytest.mark.parametrize("form", ["table", "md"])
def test_table(files: tuple[Path, Path, Path], form: str) -> None:
    gold, run, others = files
    shown = plumbline("evaluate", gold, run, "-m", "AP", "--zscores", others, "--format", form, "-q").out
    assert "Z(AP) ↑" in shown
    assert "0.4167" in shown


def test_sums_of_counts_are_no_whole_numbers(files: tuple[Path, Path, Path]) -> None:
    gold, run, others = files
    others.write_text("q1 NumRet 2 4\nq2 NumRet 2 4\nq3 NumRet 2 4\n", encoding="utf-8")
    shown = plumbline("evaluate", gold, run, "-m", "NumRet", "-m", "NumQ", "--zscores", others, "-q").out
    assert "0.5000" in shown, "1/4 + 0 + 1/4: a sum, as trec_eval's"
    assert " 3 " in shown


def test_a_frame_as_reference(files: tuple[Path, Path, Path]) -> None:
    gold, run, _ = files
    rows = [line.split() for line in OTHERS.splitlines()]
    frame = pl.DataFrame(rows, schema=["case", "metric", "mean", "std"], orient="row").with_columns(
        pl.col("mean", "std").cast(pl.Float64)
    )
    assert pb.evaluate(gold, run, "AP", zscores=frame).per_case["value"].to_list() == pytest.approx(STANDARD)


@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_labels_can_be_standardised(task: str) -> None:
    frame = pl.DataFrame({"case": ["whole"], "metric": ["Accuracy"], "mean": [0.5], "std": [0.25]})
    scores = pb.evaluate([1, 0], [1, 0], "Accuracy", task=task, zscores=frame)
    assert scores.mean["value"].to_list() == [2.0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("q1 AP 0.5\n", "others.txt:1: E101 3 columns, expected 4 (case metric mean std)"),
        ("q1 AP 0.5 0.1\nq2 AP high 0.1\n", "others.txt:2:7: E102 mean 'high' is not a decimal number"),
        ("q1 AP 0.5 x\n", "others.txt:1:11: E102 std 'x' is not a decimal number"),
        ("q1 AP 0.5 nan\n", "others.txt:1:11: E103 std is NaN"),
        ("q1 AP inf 0.1\n", "others.txt:1:7: E103 mean is infinite"),
        ("", "others.txt: E001"),
        ("# nothing\n", "others.txt: E002"),
    ],
)
def test_bad_references(files: tuple[Path, Path, Path], text: str, says: str) -> None:
    gold, run, others = files
    others.write_text(text, encoding="utf-8")
    ended = plumbline("evaluate", gold, run, "-m", "AP", "--zscores", others)
    assert (ended.code, ended.out) == (1, "")
    assert says in ended.err
    assert "help: " in ended.err


def test_no_reference(files: tuple[Path, Path, Path]) -> None:
    gold, run, others = files
    ended = plumbline("evaluate", gold, run, "-m", "AP", "--zscores", others.with_name("other.txt"))
    assert ended.code == 2
    assert "E009 no such file" in ended.err


@pytest.mark.parametrize(
    "reference", [3, pl.DataFrame({"case": ["q1"]}), pl.DataFrame({"case": [1], "metric": ["AP"], "mean": ["x"], "std": ["y"]})]
)
def test_references_of_another_kind(reference: Any, tmp_path: Path) -> None:
    gold, run = write_pair(tmp_path, RUN, QRELS)
    with pytest.raises(pb.BadUsage, match=r"E309|E371"):
        pb.evaluate(gold, run, "AP", zscores=reference)
