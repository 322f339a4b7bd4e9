"""plumbline meta as a user types it."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from plumbline.cli.commands.meta import SHOWN
from plumbline.demo.labels import write_labels
from plumbline.studies import tables as telling
from tests.helpers.command_line import Outcome, plumbline, write_pair
from tests.helpers.score_forms import long, made

if TYPE_CHECKING:
    from pathlib import Path

MAIL = ("mail.tsv", "filters/careful.tsv", "filters/eager.tsv", "filters/timid.tsv", "--positive", "spam")
METRICS = ("-m", "Accuracy", "-m", "Lam", "-m", "F(P,R)")
FAST = ("--splits", "20")
WITHOUT_PEOPLE = tuple(name for name in SHOWN if name != "preferences")
"""Tables that need nothing but scores; `tests/studies/test_preferences.py` has the other one."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores and filters in the current folder."""
    monkeypatch.chdir(tmp_path)
    long(made(metrics=("P", "R", "mine"))).write_csv(tmp_path / "scores.csv")
    write_labels(tmp_path)
    return tmp_path


def meta(*arguments: object) -> Outcome:
    return plumbline("meta", *arguments, *FAST)


def rows(ended: Outcome) -> list[dict[str, str]]:
    """The rows of CSV output."""
    assert ended.code == 0, ended.err
    return list(csv.DictReader(io.StringIO(ended.out)))


def test_words_come_first_then_a_row_for_each_metric() -> None:
    ended = meta("scores.csv")
    assert ended.code == 0
    first, table = ended.out.split("\n\n")
    assert "strictest" in first
    assert "agree least" in first
    assert [line.split()[0] for line in table.split("\n")[2:5]] == ["P", "R", "mine"]
    assert "N237" in ended.err


def test_names_that_can_be_shown_are_those_of_the_library() -> None:
    assert tuple(telling.SHOWN) == SHOWN


@pytest.mark.parametrize("form", ["table", "md", "latex"])
def test_every_table_in_every_form(form: str) -> None:
    ended = meta(*MAIL, *METRICS, *(word for name in WITHOUT_PEOPLE for word in ("--show", name)), "--format", form, "--quiet")
    assert ended.code == 0
    captions = (
        "both definitions",
        "every 5 %",
        "p of all pairs",
        "swap rate by",
        "stand together",
        "how much smoothing changes",
    )
    assert all(caption in ended.out for caption in captions)


@pytest.mark.parametrize("name", WITHOUT_PEOPLE)
def test_every_table_as_csv(name: str) -> None:
    table_rows = rows(meta(*MAIL, *METRICS, "--show", name, "--format", "csv"))
    assert len(table_rows) > 2
    assert "Accuracy" in {row.get("metric", row.get("a")) for row in table_rows}


def test_disagreements_with_reasons() -> None:
    ended = meta(*MAIL, *METRICS, "--disagree", "Accuracy", "lam", "--outputs", "3")
    assert ended.code == 0
    assert "where Accuracy and Lam disagree most" in ended.out
    assert "#3 " in ended.out
    assert "#4 " not in ended.out
    table_rows = rows(meta(*MAIL, *METRICS, "--disagree", "Accuracy", "lam", "--outputs", "30", "--format", "csv"))
    assert len(table_rows) == 30
    assert "zero" in {row["kind"] for row in table_rows}


def test_json_has_everything() -> None:
    written = json.loads(meta(*MAIL, *METRICS, "--disagree", "Accuracy", "Lam", "--format", "json").out)
    assert len(written["disagreements"]) == 20
    assert {"smoothing", "effects", "asl", "curve"} < set(written)
    assert written["made"]["splits"] == 20


def test_a_ranking(folder: Path) -> None:
    gold, output = write_pair(folder)
    ended = meta(gold, f"one={output}", f"two={output}", "-m", "AP", "-m", "RR", "--disagree", "AP", "RR")
    assert ended.code == 0
    assert "relevant at 1, 3 (of 2), 3 shown" in ended.out


def test_against_and_pairs_and_seed() -> None:
    table_rows = rows(
        meta("scores.csv", "-m", "P", "--against", "R", "--against", "mine", "--show", "strictness", "--format", "csv")
    )
    assert [row["metric"] for row in table_rows] == ["P", "R", "mine"]
    drawn = [
        rows(meta("scores.csv", "--pairs", "9", "--seed", seed, "--show", "robustness", "--format", "csv"))
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {row["pairs"] for row in drawn[0]} == {"9"}


def test_files_are_written_and_not_overwritten(folder: Path) -> None:
    asked = ("scores.csv", "-o", "out.md", "--format", "md", "--plot", "plot.svg")
    assert meta(*asked).code == 0
    assert (folder / "out.md").read_text(encoding="utf-8").startswith("- ")
    ET.parse(folder / "plot.svg")  # noqa: S314 - our own
    assert meta(*asked).code == 2
    assert meta(*asked, "--force").code == 0


@pytest.mark.parametrize(
    ("plot", "message"),
    [("there.svg", "E011"), ("nowhere/plot.svg", "No such file"), ("./out.txt", "two outputs cannot be one file")],
)
def test_nothing_is_written_if_one_file_cannot_be(folder: Path, plot: str, message: str) -> None:
    (folder / "there.svg").write_text("mine", encoding="utf-8")
    ended = meta("scores.csv", "-o", "out.txt", "--plot", plot)
    assert ended.code == 2
    assert message in ended.err
    assert not (folder / "out.txt").exists()
    assert (folder / "there.svg").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scores.csv", "--show", "asl", "--show", "curve", "--format", "csv"), "CSV holds one table"),
        (("scores.csv", "--ties", "best"), "--ties goes with a GOLD and SYSTEMs"),
        (("scores.csv", "--show", "smoothing"), "E331"),
        (("scores.csv", "--disagree", "P", "P"), "E330"),
        (("scores.csv", "-m", "nonsense"), "E308"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    ended = meta(*arguments)
    assert ended.code == 2
    assert message in ended.err


def test_strict_ends_with_one() -> None:
    assert meta("scores.csv", "--strict").code == 1
