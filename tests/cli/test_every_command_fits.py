"""Every command at every width of a terminal: no line is wider than the terminal, and no number is cut."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from plumbline.cli.catalogue import command_names
from plumbline.render.fitting import text_width
from plumbline.render.folding import folded
from plumbline.reports import report
from tests.helpers.narrow_tables import WIDTHS
from tests.helpers.screen import on_screen

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ENDLESS = 10_000
NUMBER = re.compile(r"\d+\.\d+")
QUOTED = re.compile(r" *\d* \| ")
JUDGED = "judged/human.qrels judged/second.qrels judged/llm.qrels"

LINES = {
    "aggregate": "votes.csv",
    "agree": f"{JUDGED} --reference human",
    "audit": "MI --task filtering --constraint 'strict monotonicity' --constraint 'fixed quality'",
    "check": "qrels.txt broken.run bm25.run dense.run",
    "choose": "--task ranking --graded --reads first-page --complete --no-ask",
    "clicks": "clicks.csv --model pbm --model dbn",
    "compare": "news/qrels.txt news/bm25.run news/dense.run news/hybrid.run -m AP -m RR --test t --baseline bm25",
    "confusion": "tickets.csv flat.csv careful.csv --classes low,medium,high",
    "convert": "dense.run dense.csv --force",
    "elsewhere": "benchmark_long.csv",
    "evaluate": "qrels.txt bm25.run dense.run -m AP -m nDCG@10 -m P@5 -m RR -m Bpref",
    "experiment": "shop.csv -m orders --by country",
    "explain": "E104",
    "interleave": "--log impressions.csv",
    "judge": "pool.jsonl -o judge.html --force",
    "learning": "learners/sizes.csv --sizes labels --runs fold --target 0.9",
    "losses": "table9/gold.json table9/output_1.json table9/output_4.json --per-case",
    "meta": "benchmark_wide.csv",
    "metrics": "nDCG",
    "plot": "",
    "policy": "banners.csv --policy more_hats.csv",
    "pool": "pool/qrels.txt pool/alpha1.run pool/beta.run -m nDCG@10",
    "report": "benchmark_wide.csv -m accuracy -o report.html --force",
    "reversal": "P=0.8,R=0.3 P=0.5,R=0.4",
    "split": "mails.csv --folds 3 --stratify label --group user",
    "sweep": "jaguar.tsv hac_0.2.tsv hac_0.4.tsv hac_0.6.tsv",
    "weights": "--n 20",
    "why": "AP qrels.txt bm25.run --case q1 --system bm25",
}
"""What each command is tried with, on the files of the docs."""
SLOW = ("report",)


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the example files as current folder."""
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))


def test_every_command_is_tried() -> None:
    assert {*LINES, "demo"} == set(command_names())


def too_wide(lines: list[str], columns: int) -> list[str]:
    """The lines that a terminal would break; words longer than it, and quoted lines of files, cannot be helped."""
    return [line for line in lines if text_width(line) > columns and " " in line.strip() and not QUOTED.match(line)]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in LINES])
def test_what_a_command_prints_fits(name: str) -> None:
    words = [name, *shlex.split(LINES[name])]
    if name == "judge":
        on_screen(ENDLESS, "pool", "pool/alpha1.run", "pool/beta.run", "--depth", "5", "-o", "pool.jsonl")
    code, wide = on_screen(ENDLESS, *words)
    numbers = set(NUMBER.findall("\n".join(wide)))
    assert len(wide) > 1
    for columns in WIDTHS:
        again, lines = on_screen(columns, *words)
        assert again == code
        assert too_wide(lines, columns) == []
        assert set(NUMBER.findall("\n".join(lines))) <= numbers


@pytest.mark.slow
@pytest.mark.usefixtures("examples")
def test_the_demo_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda _, path, **__: Path(path).touch())  # it prints nothing, and has its own tests
    code, lines = on_screen(WIDTHS[0], "demo", "made")
    assert code == 0
    assert "$ plumbline report" in "\n".join(lines)
    assert too_wide(lines, WIDTHS[0]) == []


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", ["", "demo", *LINES])
def test_help_fits(name: str, columns: int) -> None:
    code, lines = on_screen(columns, *name.split(), "--help")
    assert code == 0
    assert [line for line in lines if text_width(line) > columns] == []


def test_choices_without_room_are_part_of_the_text() -> None:
    text = " ".join(on_screen(80, "compare", "--help")[1])
    assert "  --gate [not-worse|better]  " in text
    listed = re.search(r"--test TEST +The significance test\. One of ([^.]*)\. +\[default:", text)
    assert listed is not None
    assert {"randomization", "t", "mcnemar"} < set(re.split(r",\s+", listed[1]))


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    "line",
    [
        "evaluate qrels.txt twice.run",
        "evaluate qrels.txt bm25.run -m ngcd@10",
        "evaluate qrels.txt nowhere.run",
        "compare qrels.txt bm25.run dense.run --correction none-of-them",
        "metrics ngcd",
        "explain E999",
    ],
)
def test_errors_fit(line: str, columns: int) -> None:
    code, lines = on_screen(columns, *line.split())
    assert code != 0
    assert too_wide(lines, columns) == []


@pytest.mark.parametrize("columns", range(20, 60))
def test_a_number_stays_with_its_sign(columns: int) -> None:
    sentence = "hybrid is better by AP (+0.259 [0.213, 0.309] or +48.3 %, p < 0.001; RR +0.125 or +15.5 %, p = 0.0066)."
    lines = folded(sentence, columns).split("\n")
    assert " ".join(lines) == sentence
    assert not [line for line in lines if line.startswith(("%", "<", "=", "0.001", "0.0066"))]


@pytest.mark.parametrize("columns", range(30, 70))
def test_an_option_stays_with_its_value(columns: int) -> None:
    command = "$ plumbline compare gold.tsv runs/*.run --task clustering -m BCubedP -m BCubedR --quiet --baseline words"
    lines = folded(command, columns).replace(" \\\n", "\n").split("\n")
    assert " ".join(line.strip() for line in lines) == command
    assert not [line for line in lines if re.search(r"(--task|-m|--baseline)$", line)]


def test_a_long_example_goes_on_as_a_shell_reads_it() -> None:
    _, lines = on_screen(60, "check", "--help")
    start = next(at for at, line in enumerate(lines) if "--task filtering --positive" in line)
    assert lines[start].endswith(" \\")
    assert " ".join(line.removesuffix("\\").strip() for line in lines[start : start + 2]) == (
        "plumbline check --task filtering --positive spam gold.tsv filters/*.tsv"
    )
