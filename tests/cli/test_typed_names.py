"""Names and files as people type them: several metrics after one -m, and endings that choose the format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plumbline.cli.command import with_long_names
from plumbline.cli.commands.evaluate import command as evaluate
from plumbline.cli.commands.meta import command as meta
from tests.helpers.command_line import plumbline

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
TABLE = str(EXAMPLES / "benchmark_wide.csv")
FILES = [str(EXAMPLES / "qrels.txt"), str(EXAMPLES / "bm25.run")]


def test_metrics_between_commas() -> None:
    both = plumbline("evaluate", *FILES, "-m", "AP,F(P@2,R@2)", "-q")
    assert both.out == plumbline("evaluate", *FILES, "-m", "AP", "-m", "F(P@2,R@2)", "-q").out
    table = plumbline("compare", TABLE, "-m", "accuracy,consistency", "-q", "--test", "t")
    assert table.code == 0
    assert table.out == plumbline("compare", TABLE, "-m", "accuracy", "-m", "consistency", "-q", "--test", "t").out


def test_a_metric_in_the_place_of_a_file_says_what_to_type() -> None:
    assert "write -m nDCG@10" in plumbline("evaluate", *FILES, "-m", "AP", "nDCG@10").err
    ended = plumbline("compare", TABLE, "-m", "accuracy", "consistency")
    assert ended.code == 2
    assert "write -m accuracy -m consistency" in ended.err


@pytest.mark.parametrize(
    ("ending", "start"), [("csv", "system,"), ("json", "{"), ("tex", "%"), ("md", "| system"), ("html", "<table>")]
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, start: str) -> None:
    ended = plumbline("evaluate", *FILES, "-m", "P@2", "-o", str(tmp_path / f"x.{ending}"))
    assert (tmp_path / f"x.{ending}").read_text(encoding="utf-8").startswith(start)
    assert "N272" not in ended.err


def test_a_contradiction_is_reported(tmp_path: Path) -> None:
    ended = plumbline("evaluate", *FILES, "-m", "AP", "-o", str(tmp_path / "x.csv"), "--format", "json")
    assert "N272 written as json: --format says so; the ending means csv" in ended.err
    assert json.loads((tmp_path / "x.csv").read_text(encoding="utf-8"))
    assert (
        "N272 written as table: its ending means no format"
        in plumbline("evaluate", *FILES, "-m", "AP", "-o", str(tmp_path / "x.xlsx")).err
    )


@pytest.mark.parametrize("command", ["compare", "report", "plot", "evaluate"])
def test_help_has_headings_and_few_options_first(command: str) -> None:
    text = plumbline(command, "--help").out
    parts = text.split("\nOptions:\n")[1].split("\n\n")
    assert parts[1].startswith("Input:")
    assert {"Metrics", "Output"} & {part.partition(":")[0] for part in parts[1:]}
    first = [line for line in parts[0].split("\n") if line.startswith("  -")]
    assert len(first) <= 16
    assert any("--metric" in line for line in first)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("gold run -m AP -q", "gold run --metric AP --quiet"),
        ("-m -q -v", "--metric -q --verbose"),
        ("--metric -m -q", "--metric -m --quiet"),
        ("gold -m", "gold -m"),
        ("-qm AP -v", "-qm AP -v"),
        ("-mAP -m P", "-mAP -m P"),
        ("- -m AP -- -m -q", "- --metric AP -- -m -q"),
        ("--positive=-m -o -m", "--positive=-m --output -m"),
        ("--disagree -m -q -q", "--disagree -m -q --quiet"),
    ],
)
def test_short_names_of_options_are_read_as_long_ones(typed: str, read: str) -> None:
    assert " ".join(with_long_names(typed.split(), meta.params if "--disagree" in typed else evaluate.params)) == read


def test_what_lacks_a_value_is_told_by_the_name_that_was_typed() -> None:
    assert "'-m'" in plumbline("evaluate", *FILES, "-m").err
