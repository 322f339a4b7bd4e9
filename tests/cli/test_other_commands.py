"""why, check, convert, metrics, explain and demo, as a user types them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plumbline import BadUsage, all_metrics, evaluate
from plumbline.cli.app import run
from plumbline.demo.collection import SYSTEMS, write_collection
from plumbline.demo.tour import TOUR
from plumbline.render.formula import plain_formula
from plumbline.tools.why import why

if TYPE_CHECKING:
    from pathlib import Path

GOLD = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 0}}
RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"d": 1.0}}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as TREC files in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 d 0\n", encoding="utf-8")
    (tmp_path / "bm25.run").write_text("q1 Q0 a 1 3.0 t\nq1 Q0 b 2 2.0 t\nq1 Q0 c 3 1.0 t\nq2 Q0 d 1 1.0 t\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["AP", "nDCG", "RR", "ERR", "Bpref", "Q", "RBP", "infAP", "R@2", "SetF"])
def test_the_terms_add_up_to_the_score(name: str) -> None:
    explanation = why(GOLD, RUN, name, case="q1")
    value = evaluate(GOLD, RUN, name).per_case["value"][0]
    assert explanation.value == value
    assert explanation.total is not None
    assert explanation.divisor is not None
    assert sum(explanation.rows["term"]) == pytest.approx(explanation.total)
    assert explanation.total / explanation.divisor == pytest.approx(value)


def test_why_shows_the_terms_and_the_sum(files: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001 - the folder
    assert run(["why", "AP", "qrels.txt", "bm25.run", "--case", "q1"]) == 0
    out = capsys.readouterr().out
    assert "AP of bm25 in case q1: 0.833333" in out
    assert "sum of the terms 1.66667 / 2 = 0.833333" in out


def test_why_takes_an_f_apart_and_names_the_undefined(files: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert run(["why", "F(P@2,R@2)", "qrels.txt", "bm25.run", "--case", "q1"]) == 0
    out = capsys.readouterr().out
    assert "P@2 of bm25 in case q1: 0.500000" in out
    assert "F(P@2,R@2) of bm25 in case q1: 0.500000" in out
    assert run(["why", "AP", "qrels.txt", "bm25.run", "--case", "q2"]) == 0
    assert "undefined: the gold has no relevant item there" in capsys.readouterr().out


def test_why_knows_its_cases_and_systems() -> None:
    with pytest.raises(BadUsage, match="no case 'q9'"):
        why(GOLD, RUN, "AP", case="q9")
    with pytest.raises(BadUsage, match="no system 'x'"):
        why(GOLD, RUN, "AP", case="q1", system="x")


def test_check_tells_what_files_are(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "qrels.txt", "bm25.run"]) == 0
    out = capsys.readouterr().out
    assert "qrels.txt: fine, judgements, 4 rows in 2 cases" in out
    assert "bm25.run: fine, an output, 4 rows in 2 cases" in out
    (files / "twice.run").write_text("q1 Q0 a 1 3.0 t\nq1 Q0 a 2 2.0 t\n", encoding="utf-8")
    assert run(["check", "qrels.txt", "twice.run"]) == 1
    assert "twice.run:2:7: E104" in capsys.readouterr().out
    assert run(["check", "--format", "github", "twice.run"]) == 1
    assert "::error file=twice.run,line=2,col=7,title=E104::" in capsys.readouterr().out
    assert run(["check", "--format", "json", "twice.run"]) == 1
    (checked,) = json.loads(capsys.readouterr().out)
    assert [diagnostic["code"] for diagnostic in checked["diagnostics"]] == ["E104"]


def test_check_is_strict_on_request(files: Path) -> None:
    (files / "part.run").write_text("q1 Q0 a 1 3.0 t\n", encoding="utf-8")
    assert run(["check", "qrels.txt", "part.run"]) == 0
    assert run(["check", "--strict", "qrels.txt", "part.run"]) == 1


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "arrow", "run.gz"])
def test_convert_there_and_back(files: Path, ending: str) -> None:
    assert run(["convert", "bm25.run", f"other.{ending}"]) == 0
    assert run(["convert", f"other.{ending}", "again.run", "--role", "output"]) == 0
    rows = [line.split()[:5] for line in (files / "bm25.run").read_text(encoding="utf-8").splitlines()]
    assert [line.split()[:5] for line in (files / "again.run").read_text(encoding="utf-8").splitlines()] == rows
    assert (
        evaluate("qrels.txt", f"other.{ending}", "AP").mean["value"][0]
        == evaluate("qrels.txt", "bm25.run", "AP").mean["value"][0]
    )


def test_convert_takes_numbers_for_what_the_ending_says(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "qrels.txt", "q.json"]) == 0
    assert run(["convert", "q.json", "again.qrels"]) == 0
    assert run(["convert", "q.json", "packed.run.gz"]) == 0
    assert "--role" not in capsys.readouterr().err
    assert (files / "again.qrels").read_text(encoding="utf-8") == (files / "qrels.txt").read_text(encoding="utf-8")
    assert run(["convert", "q.json", "other.txt"]) == 0
    assert "other.txt: 4 rows, written as an output with scores; --role gold writes judgements" in capsys.readouterr().err
    assert run(["convert", "q.json", "gold.txt", "--role", "gold"]) == 0
    assert "--role" not in capsys.readouterr().err


@pytest.mark.parametrize(("source", "target", "role"), [("qrels.txt", "q.run", "gold"), ("bm25.run", "b.qrels.gz", "output")])
def test_convert_refuses_an_ending_that_contradicts_the_columns(
    source: str, target: str, role: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", source, target]) == 2
    assert f"{source}: E172" in capsys.readouterr().err
    assert not (files / target).exists()
    assert run(["convert", source, target, "--role", role]) == 0


def test_convert_refuses_what_cannot_be_written(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "spaces.json").write_text('{"q1": {"doc one": 1.0}}', encoding="utf-8")
    assert run(["convert", "spaces.json", "spaces.run"]) == 1
    assert "E120" in capsys.readouterr().err
    assert run(["convert", "bm25.run", "bm25.xls"]) == 2
    assert run(["convert", "bm25.run", "qrels.txt"]) == 2
    assert "E011" in capsys.readouterr().err


def test_every_metric_has_a_card_in_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    for name in all_metrics():
        assert run(["metrics", name]) == 0
        card = capsys.readouterr().out
        assert name in card
        assert "\\" not in card, card
        assert "$" not in card, card


def test_a_formula_in_plain_text() -> None:
    assert (
        plain_formula(r"$$AP = \frac{1}{R} \sum_i rel_i \cdot \frac{hits_i}{i}$$") == "AP = (1 / R) sum_i rel_i * (hits_i / i)"
    )


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "e104"]) == 0
    assert capsys.readouterr().out.startswith("E104  An item is listed twice in one case")
    assert run(["explain", "E999"]) == 2


def test_demo_makes_the_same_collection_and_takes_the_tour(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plumbline.cli.commands.demo._page", lambda *_: None)  # the report has tests of its own
    folder = tmp_path / "demo"
    assert run(["demo", "--tour", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.count("$ plumbline ") == len(TOUR)
    write_collection(tmp_path / "again")
    for name in SYSTEMS:
        assert (folder / "runs" / f"{name}.run").read_bytes() == (tmp_path / "again" / "runs" / f"{name}.run").read_bytes()
    scores = evaluate(folder / "qrels.txt", [folder / "runs" / f"{name}.run" for name in SYSTEMS], "AP")
    assert scores.ordered_systems[0] == "strong"
    assert scores.ordered_systems[-1] == "random"
    assert {notice.code for notice in scores.notices} >= {"N201", "N205"}
    assert run(["demo", str(folder)]) == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("evalute", "there is no command 'evalute': did you mean evaluate?"),
        ("comapre", "there is no command 'comapre': did you mean compare?"),
        ("qrels.txt", "there is no command 'qrels.txt': plumbline --help lists all commands"),
    ],
)
def test_a_command_that_does_not_exist(typed: str, answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([typed, "a", "b"]) == 2
    assert answer in capsys.readouterr().err


def test_explanations_have_a_line_for_each_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    """A terminal breaks them where it ends, and nowhere else."""
    assert run(["explain", "E410"]) == 0
    title, empty, first, again, second, *rest = capsys.readouterr().out.split("\n")
    assert (empty, again, rest) == ("", "", [""])
    assert title == "E410  Judgements lack a column"
    assert first.endswith("and perhaps a case.")
    assert second.startswith("Without a column for the assessor")
    assert run(["metrics", "nDCG"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert any(line.startswith("The ideal list holds") and line.endswith("does here.") for line in lines)
    assert run(["metrics", "TBG"]) == 0
    assert any("and reading 64 % of" in line and "39 % of" in line for line in capsys.readouterr().out.split("\n"))
