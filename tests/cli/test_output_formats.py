"""--format and -o: every command takes every output format, and a file says by its ending which one it is to have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plumbline as pb
from plumbline.render.formats import output_formats
from tests.helpers.command_line import QRELS, RUN, plumbline, write_pair

SCORES = "system,case,P,R\n" + "".join(
    f"{system},q{case},{value + case / 20:.2f},{1 - value:.2f}\n"
    for system, value in (("a", 0.2), ("b", 0.5))
    for case in range(4)
)
LABELS = "q\ta\tx\nq\tb\ty\n"
COMMANDS = {
    "evaluate": ("qrels.txt", "run.txt", "-m", "AP"),
    "confusion": ("gold.tsv", "labels.tsv"),
    "losses": ("qrels.txt", "run.txt", "--task", "ranking"),
    "sweep": ("gold.tsv", "0.1=labels.tsv", "0.2=gold.tsv"),
    "why": ("AP", "qrels.txt", "run.txt", "--case", "q1"),
    "check": ("qrels.txt", "run.txt"),
    "weights": ("--n", "3"),
    "compare": ("scores.csv",),
    "elsewhere": ("scores.csv", "--splits", "5"),
    "meta": ("scores.csv", "--splits", "5"),
    "audit": ("P", "--task", "filtering", "--budget", "20"),
    "choose": ("--task", "clustering"),
}
WITH_SCORES = {"evaluate", "sweep"}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("qrels.txt", QRELS),
        ("run.txt", RUN),
        ("gold.tsv", LABELS),
        ("labels.tsv", LABELS),
        ("scores.csv", SCORES),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("form", output_formats())
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_every_format(command: str, form: str) -> None:
    ended = plumbline(command, *COMMANDS[command], "--format", form)
    if form == "trec_eval" and command not in WITH_SCORES:
        assert (ended.code, ended.out) == (2, "")
        assert "E362" in ended.err
        return
    assert ended.code == 0, ended.err
    assert ended.out or form == "github"


def test_a_misspelt_format_is_a_usage_error_with_a_suggestion() -> None:
    ended = plumbline("evaluate", *COMMANDS["evaluate"], "--format", "markdwon")
    assert (ended.code, ended.out) == (2, "")
    assert "did you mean markdown?" in ended.err


@pytest.mark.parametrize(
    ("name", "start"),
    [("out.md", "| system |"), ("out.tex", "% "), ("out.csv", "system,case,"), ("out.json", "{"), ("out.html", "<table>")],
)
def test_the_ending_of_a_file_tells_the_format(tmp_path: Path, name: str, start: str) -> None:
    assert plumbline("evaluate", *COMMANDS["evaluate"], "-o", name).code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_format_that_is_typed_wins_over_the_ending(tmp_path: Path) -> None:
    assert plumbline("evaluate", *COMMANDS["evaluate"], "-o", "out.csv", "--format", "json").code == 0
    assert json.loads((tmp_path / "out.csv").read_text(encoding="utf-8"))["scores"]


def test_parquet_saves_the_result() -> None:
    assert plumbline("confusion", *COMMANDS["confusion"], "-o", "matrix.parquet").code == 0
    loaded = pb.load("matrix.parquet")
    assert isinstance(loaded, pb.ConfusionMatrix)
    assert loaded.classes == ("x", "y")


def test_github_annotations_name_the_file() -> None:
    ended = plumbline("evaluate", *COMMANDS["evaluate"], "--format", "github")
    assert ended.code == 0
    assert all(line.startswith("::notice ") for line in ended.out.splitlines())


HOSTILE = "a\n::error title=x,y:z::boo,\x1b[31m.run"


def test_no_file_name_injects_a_command_into_a_workflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newlines, commas and colons of a file name stay inside the property that holds it."""
    monkeypatch.chdir(tmp_path)
    for content in ("q1 Q0 d1\n", ""):
        Path(HOSTILE).write_text(content, encoding="utf-8")
        (line,) = plumbline("check", "--format", "github", HOSTILE).out.splitlines()
        assert line.startswith("::error file=a%0A%3A%3Aerror title=x%2Cy%3Az%3A%3Aboo%2C\\x1b[31m.run,")


@pytest.mark.parametrize(
    "command", [("report", "-o", "{name}.html"), ("plot", "-o", "{name}.svg", "bars")], ids=["report", "plot"]
)
def test_names_of_written_files_do_not_act_on_a_terminal(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Click removes colours only where nobody sees them."""
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    gold, run = write_pair(tmp_path)
    monkeypatch.chdir(tmp_path)
    name, *words = (word.replace("{name}", "\x1b[31mred") for word in command)
    ended = plumbline(name, *words, gold, f"a={run}", f"b={run}", "-m", "AP")
    assert ended.code == 0
    assert "\x1b" not in ended.out
    assert "Wrote \\x1b[31mred" in ended.out
