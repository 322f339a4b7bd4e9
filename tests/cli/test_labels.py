"""Filtering and classification as a user types them: evaluate, why, confusion, metrics."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import plumbline as pb
from tests.helpers.command_line import Outcome, plumbline

if TYPE_CHECKING:
    from pathlib import Path

MAIL = "q\ta\tspam\nq\tb\tham\nq\tc\tspam\nq\td\tham\nr\te\tham\nr\tf\tspam\n"
EAGER = "q\ta\tspam\nq\tb\tspam\nq\tc\tspam\nq\td\tham\nr\te\tspam\nr\tf\tspam\n"
TIMID = "q\ta\tspam\nq\tb\tham\nq\tc\tham\nq\td\tham\nr\te\tham\nr\tf\tham\n"
SCORED = "case,item,score\nq,a,0.9\nq,b,0.6\nq,c,0.7\nq,d,0.1\nr,e,0.4\nr,f,0.2\n"
SPAM = ("--task", "filtering", "--positive", "spam")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gold and three filters in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("gold.tsv", MAIL), ("eager.tsv", EAGER), ("timid.tsv", TIMID), ("scored.csv", SCORED)):
        (tmp_path / name).write_text(text, encoding="utf-8")


def evaluate(*options: object, task: tuple[str, ...] = SPAM, metrics: tuple[str, ...] = ("P", "Lam")) -> Outcome:
    names = [word for name in metrics for word in ("-m", name)]
    return plumbline("evaluate", "gold.tsv", "timid.tsv", "eager.tsv", *task, *names, *options)


def test_table() -> None:
    ended = evaluate(metrics=("R", "Lam"))
    lines = [line.split() for line in ended.out.splitlines() if line.strip()]
    assert lines[0] == ["system", "R", "↑", "Lam", "↓"]
    assert [line[:2] for line in lines[2:4]] == [["eager", "1.0000"], ["timid", "0.2500"]]
    assert lines[-1] == ["2", "cases;", "plumbline", pb.__version__], "no tie rule where nothing is ranked"
    assert ended.code == 0


def test_lower_is_better_where_the_arrow_points_down() -> None:
    shown = evaluate(metrics=("FNR",)).out
    assert shown.index("eager") < shown.index("timid"), "best first"
    assert re.search(r"timid +0\.7500", shown)
    assert re.search(r"eager +0\.0000", shown)


def test_csv_per_case() -> None:
    ended = evaluate("--per-case", "--format", "csv")
    assert "eager,q,P,0.6666666666666666\n" in ended.out
    assert "timid,r,P,\n" in ended.out, "undefined is empty"
    assert ended.means()["timid", "P"] == 1.0
    assert "N203 P of timid is undefined in 1 of 2 cases (r)" in ended.err


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_has_null_with_its_reason(form: str) -> None:
    out = evaluate("--per-case", "--format", form).out
    rows: list[dict[str, Any]] = (
        json.loads(out)["scores"] if form == "json" else [json.loads(line) for line in out.splitlines()]
    )
    (row,) = [row for row in rows if row["value"] is None]
    assert (row["system"], row["case"], row["metric"]) == ("timid", "r", "P")
    assert row["reason"] == "the output has no positive item there"
    assert "NaN" not in out
    if form == "json":
        assert json.loads(out)["made"]["task"] == "filtering"


def test_markdown_and_latex() -> None:
    assert "| eager | **1.0000** |" in evaluate("--format", "md", metrics=("R",)).out
    assert r"eager & \textbf{1.0000} \\" in evaluate("--format", "latex", metrics=("R",)).out


def test_floor_marks_what_beats_it() -> None:
    ended = evaluate("--floor", metrics=("Accuracy", "R"))
    assert re.search(r"timid +0\.6250\* +0\.2500", ended.out)
    assert re.search(r"\[placebo\] +0\.5000 +1\.0000", ended.out)
    assert "* beats every output that ignores the gold" in ended.out
    assert "N226 by R no system beats every output that ignores the gold" in ended.err
    assert re.search(r"N226 by Accuracy .*2 systems beat every output", ended.err)


def test_floor_of_classes_and_none_of_rankings() -> None:
    ended = evaluate("--floor", "--format", "csv", task=("--task", "classification"), metrics=("Accuracy",))
    assert {"[majority]", "eager", "timid"} <= {system for system, _ in ended.means()}
    refused = plumbline("evaluate", "gold.tsv", "eager.tsv", "--task", "ranking", "--floor")
    assert refused.code != 0


def test_scores_are_saved_whole() -> None:
    assert evaluate("--floor", "-o", "scores.parquet").code == 0
    loaded = pb.Scores.load("scores.parquet")
    assert loaded.made["task"] == "filtering"
    assert loaded.floor
    fresh = pb.evaluate("gold.tsv", ["timid.tsv", "eager.tsv"], ["P", "Lam"], task="filtering", positive="spam", floor=True)
    assert loaded.mean.equals(fresh.mean)
    assert loaded.per_case.equals(fresh.per_case)
    assert repr(loaded) == repr(fresh)


@pytest.mark.parametrize(
    ("metrics", "task"), [(("Lam",), "filtering"), (("Lam", "AP"), "filtering"), (("CEM",), "classification")]
)
def test_metrics_tell_their_task(metrics: tuple[str, ...], task: str) -> None:
    options = ("--positive", "spam") if task == "filtering" else ()
    written = json.loads(evaluate(*options, "--format", "json", task=(), metrics=metrics).out)
    assert written["made"]["task"] == task


@pytest.mark.parametrize(
    ("task", "metric", "home"),
    [
        ("ranking", "Lam", "filtering"),
        ("filtering", "nDCG", "ranking"),
        ("filtering", "CEM", "classification"),
        ("classification", "Lam", "filtering"),
        ("classification", "nDCG@10", "ranking"),
    ],
)
def test_a_metric_of_another_task_says_where_it_is_at_home(task: str, metric: str, home: str) -> None:
    ended = evaluate(task=("--task", task), metrics=(metric,))
    assert (ended.code, ended.out) == (2, "")
    assert f"E301 '{metric}' is a metric of another task\n  help: evaluate with --task {home}" in ended.err


def test_an_unknown_metric_comes_with_a_guess() -> None:
    ended = evaluate(metrics=("Lamb",))
    assert ended.code == 2
    assert "E301 unknown metric 'Lamb': did you mean Lam" in ended.err


def test_which_label_is_positive_must_be_told() -> None:
    ended = evaluate(task=("--task", "filtering"))
    assert (ended.code, ended.out) == (1, "")
    assert "gold.tsv: E127 filtering needs to know the positive class, found 2 (spam, ham)" in ended.err


def test_strict_and_quiet() -> None:
    assert evaluate("--strict").code == 1
    assert evaluate("--quiet").err == ""
    assert plumbline("evaluate", "gold.tsv", "eager.tsv", *SPAM, "-m", "R", "--strict").code == 0
    assert "N212 read as plain: its lines have 3 columns and no header" in evaluate("--verbose").err


def test_options_of_classes() -> None:
    ended = evaluate("--classes", "spam, ham", task=("--task", "classification"), metrics=("P(average=none)",))
    heading = ended.out.splitlines()[0]
    assert heading.index("P(class=spam)") < heading.index("P(class=ham)")


def why(*arguments: object) -> str:
    ended = plumbline("why", *arguments)
    assert ended.code == 0, ended.err
    return ended.out


def test_why_fills_in_the_formula() -> None:
    shown = why("P", "gold.tsv", "eager.tsv", *SPAM, "--case", "q")
    assert shown.startswith("P of eager in case q: 0.666667\n  P(G|S)\n  = 0.6667\n")
    assert re.search(r"positive +2 +0", shown)
    assert re.search(r"negative +1 +1", shown)
    assert "P(G|S) = 0.666667" in shown
    utility = why("Utility", "gold.tsv", "eager.tsv", *SPAM, "--case", "q")
    assert "= 2 * 2 + 0 * 1 - 1 * 1 - 0 * 0" in utility


def test_why_smoothed_probabilities() -> None:
    shown = why("Lam(smooth=laplace)", "gold.tsv", "eager.tsv", *SPAM, "--case", "q")
    assert "P(not S|G) = 0.25" in shown
    assert "P(S|not G) = 0.5" in shown


def test_why_undefined() -> None:
    shown = why("Odds", "gold.tsv", "eager.tsv", *SPAM, "--case", "q")
    assert "Odds of eager in case q: n/a" in shown
    assert "undefined: it is infinite" in shown
    assert "P(not S|G) = 0" in shown, "the probabilities show why"


def test_why_takes_an_f_apart() -> None:
    shown = why("F(P,R)", "gold.tsv", "eager.tsv", *SPAM, "--case", "q")
    assert "P of eager in case q: 0.666667" in shown
    assert "R of eager in case q: 1.000000" in shown
    assert shown.index("R of eager") < shown.index("F(P,R) of eager in case q: 0.800000")


def test_why_of_scores_shows_what_falls_to_each() -> None:
    shown = why("AUC", "gold.tsv", "scored.csv", *SPAM, "--case", "q")
    assert "AUC of scored in case q: 1.000000" in shown
    rows = [line.split() for line in shown.splitlines() if re.match(r" 0\.\d", line)]
    assert rows == [["0.9", "1", "0"], ["0.7", "1", "0"], ["0.6", "0", "1"], ["0.1", "0", "1"]]


def test_why_of_classes_shows_each_class() -> None:
    shown = why("P", "gold.tsv", "timid.tsv", "--task", "classification", "--case", "r")
    assert re.search(r"class +tp +fp +fn +P *\n", shown)
    assert re.search(r"ham +1 +1 +0 +0\.5", shown)
    assert re.search(r"spam +0 +0 +1 +n/a", shown)
    assert "P of timid in case r: 0.500000" in shown
    plain = why("Kappa", "gold.tsv", "timid.tsv", "--task", "classification", "--case", "q")
    assert re.search(r"spam +1 +0 +1 *\n", plain)


def test_why_wants_to_know_the_case() -> None:
    ended = plumbline("why", "P", "gold.tsv", "eager.tsv", *SPAM)
    assert ended.code == 2
    assert "E350 there are 2 cases" in ended.err
    assert "add --case q or r" in ended.err


def test_metrics_of_a_task() -> None:
    shown = plumbline("metrics", "--task", "filtering").out
    assert shown.startswith("filtering:\n")
    assert "  Lam " in shown
    assert "nDCG" not in shown
    assert "lam%" in plumbline("metrics", "Lam").out
    assert "given to a class" in plumbline("metrics", "P", "--task", "classification").out
