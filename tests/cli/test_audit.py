"""plumbline audit as a user types it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline as library
from tests.helpers.command_line import Outcome, plumbline, process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MINE = """
def f2(tp, fp, fn, tn):
    return 5 * tp / (5 * tp + 4 * fn + fp)

def wrong(tp, fp, fn, tn):
    return fp + fn

def nothing(clusters, classes):
    return "text"
"""
FEW = ("--budget", 60)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module in the current folder, forgotten afterwards: other tests have a `my_metrics` of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("my_metrics", None)
    (tmp_path / "my_metrics.py").write_text(MINE, encoding="utf-8")
    yield tmp_path
    sys.modules.pop("my_metrics", None)


def audit(*arguments: object) -> Outcome:
    return plumbline("audit", *arguments)


def test_a_stranger_audits_a_function(folder: Path) -> None:
    """In a process of its own, where nothing was imported before."""
    ended = process("audit", "my_metrics:f2", "--task", "filtering", *FEW, cwd=folder)
    assert (ended.code, ended.err) == (0, "")
    assert "my_metrics:f2: strict monotonicity is broken" in ended.out
    assert "class-oriented" in ended.out


def test_counterexamples_are_drawn_for_few_metrics_and_not_for_many() -> None:
    few = audit("P", "R", "--task", "filtering", *FEW)
    many = audit("P", "R", "FPR", "FNR", "MI", "Lam", "--task", "filtering", *FEW)
    assert "P: definiteness is broken" in few.out
    assert "is broken" not in many.out


@pytest.mark.parametrize(("option", "drawn"), [("--counterexamples", True), ("--no-counterexamples", False)])
def test_counterexamples_if_asked(option: str, *, drawn: bool) -> None:
    for form in ([], ["-o", "audit.txt", "--force"]):
        audit("P", "--task", "filtering", *FEW, option, *form)
    metrics = ("P", "R", "FPR", "FNR", "MI", "Lam")
    assert ("is broken on" in audit(*metrics, "--task", "filtering", *FEW, option).out) == drawn


def test_the_task_is_that_of_the_metrics() -> None:
    assert "rag bag" in audit("BCubedP", "BCubedR", *FEW).out
    assert "deepness" in audit("AP", *FEW).out


def test_only_some_constraints() -> None:
    ended = audit("AP", "--constraint", "priority", "--constraint", "Closeness-Threshold", "--format", "csv", *FEW)
    assert pl.read_csv(ended.out.encode())["constraint"].to_list() == ["priority", "closeness threshold"]


def test_lower_is_better_if_said() -> None:
    texts = [audit("my_metrics:wrong", "--task", "filtering", *FEW, *lower, "--format", "json").out for lower in ((), LOWER)]
    outcomes = [json.loads(text)["verdicts"][0]["outcome"] for text in texts]
    assert outcomes == ["broken", "holds"]


LOWER = ("--lower", "my_metrics:wrong")


def test_the_list_of_constraints_needs_no_audit() -> None:
    listed = audit("--task", "clustering", "--list")
    assert (listed.code, listed.out.splitlines()[0].split("  ")[0]) == (0, "homogeneity")
    assert audit("BCubedP", "--list").out == listed.out
    assert len(audit("--task", "clustering", "--list", "--constraint", "rag bag").out.splitlines()) == 1


# --- forms ------------------------------------------------------------------------------------------------------------------


def test_formats_are_those_of_the_result() -> None:
    audited = library.audit("Kappa", task="filtering", budget=60)
    expected = {
        "json": audited.to_json(),
        "csv": audited.table.write_csv(),
        "md": audited.to_markdown(),
        "latex": audited.to_latex(),
    }
    for form, text in expected.items():
        ended = audit("Kappa", "--task", "filtering", "--format", form, *FEW)
        assert (ended.code, ended.out) == (0, text), form


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_into_a_file_and_never_over_one(folder: Path, form: str) -> None:
    target = folder / "audit.out"
    asked = ("Kappa", "--task", "filtering", "--format", form, *FEW, "-o", target)
    first = audit(*asked)
    assert (first.code, first.out) == (0, "")
    written = target.read_text(encoding="utf-8")
    assert "strict monotonicity" in written
    target.write_text("precious", encoding="utf-8")
    second = audit(*asked)
    assert second.code == 2
    assert "--force" in second.err
    assert target.read_text(encoding="utf-8") == "precious"
    assert audit(*asked, "--force").code == 0
    assert target.read_text(encoding="utf-8") == written
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == ["audit.out", "my_metrics.py"]


def test_a_table_in_a_file_has_the_counterexamples_too(folder: Path) -> None:
    audit("P", "--task", "filtering", *FEW, "-o", folder / "table.txt")
    assert "P: definiteness is broken" in (folder / "table.txt").read_text(encoding="utf-8")


# --- codes --------------------------------------------------------------------------------------------------------------------


def test_all_metrics_of_a_task_and_what_is_left_out() -> None:
    asked = ("--task", "filtering", "--constraint", "definiteness", "--budget", 10)
    ended = audit(*asked)
    assert ended.code == 0
    assert ended.err.startswith("N244")
    assert audit(*asked, "--quiet").err == ""
    assert audit(*asked, "--strict").code == 1


def test_a_budget_of_one() -> None:
    ended = audit("P", "--task", "filtering", "--budget", 1)
    assert ended.code == 0
    assert "definiteness cannot be decided: the budget does not reach its smallest pairs" in ended.out
    assert "up to 1 pair for each constraint" in ended.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--budget", 9], 2, "give a METRIC, or --task"),
        (["P", "--task", "filtering", "--budget", 0], 2, "--budget"),
        (["P", "--task", "dreaming"], 2, "--task"),
        (["P", "--task", "filtering", "--constraint", "nope"], 2, "E327"),
        (["--task", "filtering", "--list", "--constraint", "nope"], 2, "E327"),
        (["NumRel"], 2, "E328"),
        (["Nonsense"], 2, "Nonsense"),
        (["my_metrics:missing", "--task", "filtering"], 2, "E329"),
        (["my_metrics:f2", "--task", "ranking"], 1, "E168"),
        (["my_metrics:nothing", "--task", "clustering"], 1, "E169"),
    ],
)
def test_what_goes_wrong(arguments: list[object], code: int, message: str) -> None:
    ended = audit(*arguments)
    assert ended.code == code
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_without_anything_there_is_help() -> None:
    ended = audit()
    assert "Examples:" in ended.out + ended.err


# --- what is known of a metric ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "task", "family"),
    [
        ("WAcc", "filtering", "utility-based"),
        ("Kappa", "filtering", "informativeness-based"),
        ("R", "filtering", "class-oriented"),
    ],
)
def test_the_page_of_a_metric_shows_its_family(name: str, task: str, family: str) -> None:
    text = plumbline("metrics", name, "--task", task).out
    assert family in text
    assert "; ".join(library.all_metrics("filtering")[name].claims) in " ".join(text.split())


def test_the_page_of_a_metric_without_labels_shows_none() -> None:
    assert "family" not in plumbline("metrics", "BrierScore", "--task", "filtering").out
    assert "keeps" in plumbline("metrics", "AP", "--task", "ranking").out
