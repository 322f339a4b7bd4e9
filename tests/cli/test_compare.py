"""plumbline compare as a user types it."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import plumbline as library
from tests.helpers.command_line import QRELS, RUN, Outcome, plumbline, process
from tests.helpers.score_forms import long, made

if TYPE_CHECKING:
    from pathlib import Path

MAIL = "q\ta\tspam\nq\tb\tham\nq\tc\tspam\nq\td\tham\nr\te\tham\nr\tf\tspam\n"
EAGER = "q\ta\tspam\nq\tb\tspam\nq\tc\tspam\nq\td\tham\nr\te\tspam\nr\tf\tspam\n"
TIMID = "q\ta\tspam\nq\tb\tham\nq\tc\tham\nq\td\tham\nr\te\tham\nr\tf\tham\n"
CLEAR = (("old", 0.3), ("new", 0.5), ("bad", 0.1))
FILES = {
    "qrels.txt": QRELS,
    "one.run": RUN,
    "two.run": "q1 Q0 d2 1 3.0 t\nq1 Q0 d3 2 2.0 t\nq2 Q0 d4 1 2.0 t\nq3 Q0 d9 1 1.0 t\n",
    "mail.tsv": MAIL,
    "eager.tsv": EAGER,
    "timid.tsv": TIMID,
    "clear.csv": "system,case,P,R\n"
    + "".join(f"{name},q{at},{value + at / 100:.2f},{value + at / 50:.2f}\n" for name, value in CLEAR for at in range(20)),
    "levels.csv": "case,item,level,cluster\nq1,a,1,x\nq1,b,1,x\nq1,c,2,y\nq1,d,2,z\nq2,a,1,x\nq2,b,2,y\nq2,c,2,y\n",
    "first.run": "q1 Q0 a 0 4 t\nq1 Q0 b 0 3 t\nq1 Q0 c 0 2 t\nq2 Q0 a 0 3 t\nq2 Q0 b 0 2 t\n",
    "second.run": "q1 Q0 d 1 4 t\nq1 Q0 a 2 3 t\nq2 Q0 c 1 3 t\n",
    "topics.tsv": "q1\ta\tx\nq1\tb\tx\nq1\tc\ty\nq1\td\tz\nq2\ta\tx\nq2\tb\ty\nq2\tc\ty\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    scores = made()
    long(scores).write_csv(tmp_path / "scores.csv")
    for metric in scores:
        of_metric = long(scores).filter(pl.col("metric") == metric)
        of_metric.pivot(on="system", index="case", values="value").write_csv(tmp_path / f"{metric}.csv")
    return tmp_path


def compare(*arguments: object) -> Outcome:
    return plumbline("compare", *arguments)


def rows(ended: Outcome) -> list[dict[str, str]]:
    assert ended.code == 0, ended.err
    return list(csv.DictReader(io.StringIO(ended.out)))


def same(ended: Outcome, frame: pl.DataFrame) -> bool:
    """Whether CSV holds the numbers of a frame."""
    assert ended.code == 0, ended.err
    return pl.read_csv(io.StringIO(ended.out), schema=frame.schema).equals(frame)


# --- what is shown ------------------------------------------------------------------------------------------------------


def test_words_come_first_then_the_board() -> None:
    ended = compare("clear.csv")
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert lines[0] == "new has the best P (0.5950) and is better than every other system."
    assert lines[1] == "new has the best mean for every weighting."
    assert lines[2] == "new is better than old by both metrics, for every weighting."
    assert lines[3] == "  P      +0.200 [0.148, 0.200] or +50.6 %, p < 0.001"
    board = lines.index("") + 1
    assert lines[board].split() == ["system", "#", "P", "R", "difference", "band", "ranks", "best", "weights"]
    assert [line.split()[:3] for line in lines[board + 2 : board + 5]] == [
        ["new", "a", "0.5950"],
        ["old", "b", "0.3950"],
        ["bad", "c", "0.1950"],
    ]
    assert lines[board + 5].startswith(
        "3 systems, 20 cases; ordered by P; Fisher's randomization test, significant below 0.05; correction: Holm over 3 pairs"
    )


def test_printed_numbers_are_those_of_the_library() -> None:
    comparison = library.compare("scores.csv")
    assert same(compare("scores.csv", "--format", "csv"), comparison.leaderboard)
    assert same(compare("scores.csv", "--format", "csv", "--pairs"), comparison.significance)
    for name in ("unanimity", "intervals", "weights", "leads", "parametric"):
        assert same(compare("scores.csv", "--format", "csv", "--show", name), getattr(comparison, name))
    assert same(compare("scores.csv", "--format", "csv", "--show", "classes"), comparison.class_table)
    assert same(compare("scores.csv", "--format", "csv", "--show", "threshold"), comparison.thresholds)
    read = json.loads(compare("scores.csv", "--format", "json").out)
    assert read == json.loads(comparison.to_json())
    shown = compare("scores.csv", "--pairs", "--show", "threshold").out
    assert "better for every weighting" in shown, "Tables 5 and 6 stand beside the thresholds"
    for row in comparison.significance.filter(metric="P").iter_rows(named=True):
        verdict = comparison.verdict(row["a"], row["b"])
        line = next(line.split() for line in shown.splitlines() if line.split()[:2] == [row["a"], row["b"]])
        assert line[2:4] == [row["verdict"], "P"]
        assert line[4] == f"{row['difference']:.{verdict.main.digits}f}".replace("-0.000", "0.000")


@pytest.mark.parametrize(
    ("form", "first", "table"),
    [("md", "- new has the best P", "| system | # |"), ("latex", "% new has the best P", "\\begin{tabular}")],
)
def test_paper_formats(form: str, first: str, table: str) -> None:  # fmt: skip
    ended = compare("clear.csv", "--format", form, "--pairs", "--show", "references")
    assert ended.out.startswith(first)
    assert ended.out.count(table) == (3 if form == "latex" else 1)
    assert ended.out.index("has the best") < ended.out.index(table)


def test_hostile_names_act_nowhere(folder: Path) -> None:
    name = "=a\x1b[31m <b>|x_$"
    rows = "".join(f'"{name}",q{at},{0.5 + at / 100}\nb,q{at},{0.4 + at / 100}\n' for at in range(8))
    (folder / "odd.csv").write_text(f"system,case,AP\n{rows}", encoding="utf-8")
    for form in ("table", "md", "latex", "csv", "json"):
        ended = compare("odd.csv", "--format", form, "--pairs", "--baseline", name, "--gate", "not-worse")
        assert ended.code == 1, "b loses"
        assert "\x1b" not in ended.out + ended.err
        assert (form != "md") or "<b>" not in ended.out.replace("\\<", "")
        assert (form != "csv") or "\n'=a" in "\n" + ended.out


def test_files_are_written_whole_and_not_twice(folder: Path) -> None:
    ended = compare("clear.csv", "-o", "out.txt", "--plot", "curves.svg")
    assert (ended.code, ended.out) == (0, "")
    assert (folder / "out.txt").read_text(encoding="utf-8") == compare("clear.csv").out
    assert ET.fromstring((folder / "curves.svg").read_text(encoding="utf-8")).tag.endswith("svg")  # noqa: S314 - our own file
    assert compare("clear.csv", "-o", "out.txt").code == 2
    assert compare("clear.csv", "-o", "out.txt", "--force").code == 0


# --- where scores come from ---------------------------------------------------------------------------------------------


def test_matrices_with_the_names_of_metrics() -> None:
    assert compare("P=P.csv", "R=R.csv", "--format", "csv").out == compare("scores.csv", "--format", "csv").out
    one = compare("P=P.csv", "--format", "csv")
    assert same(one, library.compare("scores.csv", ["P"]).leaderboard)


@pytest.mark.parametrize(
    ("arguments", "call", "options"),
    [
        (["qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@2"], ["AP", "P@2"], {}),
        (["qrels.txt", "one.run", "two.run", "-m", "map", "-m", "P@2", "--depth", "1"], ["map", "P@2"], {"depth": 1}),
        (["qrels.txt", "one.run", "two.run"], None, {}),
        (["qrels.txt", "one.run", "two.run", "-m", "set", "--mean", "arithmetic"], ["set"], {}),
        (["mail.tsv", "eager.tsv", "timid.tsv", "--positive", "spam", "-m", "P", "-m", "R"], ["P", "R"], {"positive": "spam"}),
        (["mail.tsv", "eager.tsv", "timid.tsv", "--positive", "spam", "--floor"], None, {"positive": "spam", "floor": True}),
        (["mail.tsv", "eager.tsv", "timid.tsv", "--task", "classification"], None, {"task": "classification"}),
        (["mail.tsv", "eager.tsv", "timid.tsv", "--task", "clustering"], None, {"task": "clustering"}),
    ],
)
def test_a_gold_and_systems_are_evaluated_first(arguments: list[str], call: list[str] | None, options: dict[str, Any]) -> None:
    gold, *systems = [word for word in arguments if re.search(r"\.(txt|run|tsv)$", word)]
    scores = library.evaluate(gold, systems, call, **options)
    ended = compare(*arguments, "--format", "csv", "--pairs")
    assert same(ended, library.compare(scores, mean="arithmetic" if "--mean" in arguments else None).significance)
    assert len(ended.err.splitlines()) == len(set(ended.err.splitlines())), "nothing is said twice"


@pytest.mark.slow
def test_organizations_and_those_made_of_a_ranking_and_a_clustering() -> None:
    task = ("--task", "organization")
    plain = compare("levels.csv", "first.run", "second.run", *task, "--format", "csv")
    assert same(
        plain, library.compare(library.evaluate("levels.csv", ["first.run", "second.run"], task="organization")).leaderboard
    )
    composed = compare("levels.csv", "--priority", "first.run", "--priority", "second.run", "--clusters", "topics.tsv", *task,
                       "--format", "json")  # fmt: skip
    assert composed.code == 0, composed.err
    evaluated = plumbline("evaluate", "levels.csv", "--priority", "first.run", "--priority", "second.run", "--clusters",
                          "topics.tsv", *task, "--format", "csv")  # fmt: skip
    means = evaluated.means()
    for row in json.loads(composed.out)["leaderboard"]:
        for (system, metric), value in means.items():
            if system == row["system"]:
                assert row[metric] == pytest.approx(value)
    assert compare("levels.csv", "--priority", "first.run").code == 2, "needs clusters"


def test_saved_scores_and_standard_input(folder: Path) -> None:
    assert plumbline("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@2", "-o", "saved.parquet").code == 0
    direct = compare("qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@2", "--format", "csv")
    assert compare("saved.parquet", "--format", "csv").out == direct.out
    piped = process("compare", "-", "--format", "csv", cwd=folder, stdin=(folder / "scores.csv").read_text(encoding="utf-8"))
    assert piped.out == compare("scores.csv", "--format", "csv").out


# --- options ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        (["--baseline", "s2", "--correction", "bonferroni"], {"baseline": "s2", "correction": "bonferroni"}),
        (
            ["--test", "wilcoxon", "--level", "0.3", "--uir-threshold", "0.05"],
            {"test": "wilcoxon", "level": 0.3, "uir_threshold": 0.05},
        ),
        (["--alpha", "0.2", "--mean", "geometric"], {"alpha": 0.2, "mean": "geometric"}),
        (["-m", "R", "--lower", "R"], {"metrics": ["R"], "lower": ["R"]}),
        (["--resamples", "500", "--seed", "7", "--eps", "0.1"], {"resamples": 500, "seed": 7, "eps": 0.1}),
    ],
)
def test_options_are_those_of_the_library(typed: list[str], asked: dict[str, Any]) -> None:
    comparison = library.compare("scores.csv", **asked)
    assert same(compare("scores.csv", *typed, "--format", "csv", "--pairs"), comparison.significance)
    assert same(compare("scores.csv", *typed, "--format", "csv"), comparison.leaderboard)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("--stratified",), "add --units items, or leave --stratified out"),
        (("--units", "items"), "give the gold and the outputs instead of their scores, and items can be drawn"),
    ],
)
def test_items_that_cannot_be_drawn_say_what_to_do(words: tuple[str, ...], advice: str) -> None:
    ended = compare("clear.csv", *words)
    assert ended.code == 2
    assert ended.err.endswith(f"help: {advice}\n")


def test_the_gate(folder: Path) -> None:
    good = compare("clear.csv", "-m", "P", "--baseline", "bad", "--gate", "better", "-q")
    assert good.code == 0
    assert good.out.splitlines()[-1].startswith("gate passed: old, new are better than bad (P +0.200 [0.148, 0.200]")
    bad = compare("clear.csv", "--baseline", "old", "--gate", "not-worse", "-q", "--summary", "summary.md")
    assert bad.code == 1
    plain, _, last = bad.out.rpartition("\ngate failed: ")
    assert last.startswith("bad is worse by P -0.200 [-0.200, -0.148]")
    assert plain == compare("clear.csv", "--baseline", "old").out, "the answer is there as well"
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("**Failed**: not worse than old")
    nowhere = compare("clear.csv", "--baseline", "old", "--gate", "not-worse", "--summary", "nowhere/summary.md")
    assert nowhere.code == 2
    assert "nowhere/summary.md: E010 No such file or directory" in nowhere.err
    annotated = compare("clear.csv", "--baseline", "old", "--gate", "not-worse", "--format", "github")
    assert "::error title=gate::gate failed: bad is worse" in annotated.out
    read = json.loads(compare("clear.csv", "--baseline", "old", "--gate", "not-worse", "--format", "json").out)
    assert read["gate"]["passed"] is False
    one = compare("clear.csv", "--baseline", "old", "--gate", "not-worse", "--gate-on", "X")
    assert (one.code, "no metric 'X'" in one.err) == (2, True)


def test_the_gate_that_names_a_system_works_with_a_notice() -> None:
    good = compare("clear.csv", "--baseline", "old", "--gate", "new")
    assert good.code == 0
    assert good.err.startswith("N270 --gate new is now --gate not-worse")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["clear.csv", "--gate", "new"], 2, "--gate needs --baseline"),
        (["clear.csv", "--baseline", "old", "--gate", "x"], 2, "E306 gate = 'x' is not known"),
        (["clear.csv", "--baseline", "x"], 2, "E308 there is no baseline 'x'"),
        (["clear.csv", "--baseline", "old", "--gate", "old"], 2, "--gate names the baseline itself"),
        (["clear.csv", "--depth", "5"], 2, "--depth goes with a GOLD and SYSTEMs, not with a table of scores"),
        (["clear.csv", "--task", "ranking"], 2, "--task goes with a GOLD"),
        (["clear.csv", "--level", "0"], 2, "E306 level"),
        (["clear.csv", "--threshold", "nan"], 2, "nan is not a finite number"),
        (["clear.csv", "--seed", "-1"], 2, "-1 is not in the range"),
        (["clear.csv", "--format", "csv", "--pairs", "--show", "leads"], 2, "holds one table"),
        (["clear.csv", "-m", "Q"], 2, "E308 there is no metric 'Q'"),
        (["qrels.txt", "one.run"], 2, "E167 a comparison needs two systems"),
        (["nothing.csv"], 2, "E009"),
        (["--alpha", "0.3"], 2, "Missing argument"),
        (
            ["clear.csv", "--strict", "--test", "bootstrap", "--resamples", "10"],
            1,
            "N242 with 10 draws no difference can be significant",
        ),
        (["clear.csv", "--strict", "-m", "P", "--alpha", "0.1"], 1, "N243 --alpha is for two metrics"),
    ],
)
def test_what_is_wrong_is_said_and_told_by_the_exit_code(arguments: list[str], code: int, message: str) -> None:
    ended = compare(*arguments)
    assert ended.code == code
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert (code == 1) == bool(ended.out)


def test_a_process_says_the_same(folder: Path) -> None:
    ended = process("compare", "clear.csv", "--baseline", "new", "--gate", "old", cwd=folder)
    assert ended.code == 1
    assert ended.out.startswith(compare("clear.csv", "--baseline", "new").out)
    assert "Warning" not in ended.err


def test_nothing_is_written_if_one_file_cannot_be(folder: Path) -> None:
    (folder / "there.svg").write_text("kept", encoding="utf-8")
    ended = compare("clear.csv", "-o", "out.md", "--format", "md", "--plot", "there.svg")
    assert (ended.code, "E011" in ended.err) == (2, True)
    assert not (folder / "out.md").exists()
    assert (folder / "there.svg").read_text(encoding="utf-8") == "kept"
