"""plumbline plot"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from plumbline.figures.registry import FIGURES
from tests.helpers.command_line import QRELS, RUN, plumbline
from tests.helpers.figure_subjects import named, table

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of scores, a gold and two rankings in the current folder."""
    monkeypatch.chdir(tmp_path)
    table(named(5)).write_csv("scores.csv")
    other = "\n".join(f"{line.rsplit(' ', 2)[0]} {-number} sys" for number, line in enumerate(RUN.splitlines()[::-1]))
    for name, text in (("qrels.txt", QRELS), ("one.run", RUN), ("other.run", f"{other}\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")


def test_alone_it_lists_the_kinds() -> None:
    ended = plumbline("plot")
    assert ended.code == 0
    for kind, figure in FIGURES.items():
        assert re.search(rf"^ *{kind} +{re.escape(figure.title)}$", ended.out, re.MULTILINE)


def test_of_a_table_of_scores(tmp_path: Path) -> None:
    ended = plumbline("plot", "graph", "scores.csv")
    assert (ended.code, ended.out) == (0, "Wrote graph.svg.\n")
    assert (tmp_path / "graph.svg").read_text().startswith("<svg")


def test_of_a_gold_and_systems(tmp_path: Path) -> None:
    options = ("-m", "AP", "-m", "RR", "--width", "3.3in", "--dark", "-o", "bars.svg")
    ended = plumbline("plot", "bars", "qrels.txt", "one.run", "other.run", *options)
    assert ended.code == 0, ended.err
    svg = (tmp_path / "bars.svg").read_text()
    assert 310 <= float(re.findall(r'width="([\d.]+)"', svg)[0]) <= 317
    assert "#14181c" in svg
    assert all(name in svg for name in ("AP", "RR", "one", "other"))


def test_chosen_systems_and_metric(tmp_path: Path) -> None:
    ended = plumbline(
        "plot", "differences", "scores.csv", "-m", "R", "--system", "system01", "--system", "system04", "-o", "d.svg"
    )
    assert ended.code == 0, ended.err
    assert "R: system01 \N{MINUS SIGN} system04" in (tmp_path / "d.svg").read_text()


def test_options_of_compare_count(tmp_path: Path) -> None:
    assert plumbline("plot", "graph", "scores.csv", "--baseline", "system02", "--test", "t", "-o", "g.json").code == 0
    assert plumbline("plot", "graph", "scores.csv", "--level", "1e-9", "-o", "none.json").code == 0
    assert '"worse":' in (tmp_path / "g.json").read_text()
    assert '"worse":' not in (tmp_path / "none.json").read_text().split('"datasets"')[-1]


def test_positions_need_no_scores(tmp_path: Path) -> None:
    ended = plumbline("plot", "weights", "-m", "Rel(n=10,w=0.5)", "-o", "w.svg")
    assert ended.code == 0, ended.err
    assert "0.50 at 10" in (tmp_path / "w.svg").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pie", "scores.csv"), "E340 there is no figure 'pie'"),
        (
            ("losses", "scores.csv"),
            "the gold and the outputs of the systems, not only scores\n  help: these can: forest,",
        ),
        (
            ("confusion", "qrels.txt", "one.run", "--task", "ranking"),
            "it is for classification and filtering, and these are scores of ranking",
        ),
        (("bars", "scores.csv", "-o", "b.gif"), "E342 b.gif: no figure is written in this format"),
        (("bars", "scores.csv", "--width", "wide"), "E343 'wide' is not a size of a figure"),
        (("precision_recall", "qrels.txt", "one.run", "-m", "AP"), "E344 precision_recall has no option -m"),
        (("bars", "scores.csv", "--system", "nobody"), "E308 there is no system 'nobody'"),
        (
            ("alpha", "qrels.txt", "one.run", "other.run"),
            "alpha cannot be drawn: it needs two metrics, and there are 4: name two",
        ),
        (("bars",), "Missing argument 'SCORES | GOLD SYSTEM...'."),
    ],
)
def test_what_cannot_be_drawn(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    ended = plumbline("plot", *words)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert sorted(tmp_path.iterdir()) == before


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "bars.svg").write_text("mine")
    ended = plumbline("plot", "bars", "scores.csv")
    assert ended.code == 2
    assert (tmp_path / "bars.svg").read_text() == "mine"
    assert plumbline("plot", "bars", "scores.csv", "--force").code == 0


def test_the_notices_of_the_comparison_are_told_where_it_is_drawn(tmp_path: Path) -> None:
    few = ("--test", "bootstrap", "--resamples", "5", "-o", "g.json", "--force")
    ended = plumbline("plot", "graph", "scores.csv", *few)
    assert ended.code == 0
    assert ended.err.startswith("N")
    assert plumbline("plot", "graph", "scores.csv", *few, "--strict").code == 1
    assert (tmp_path / "g.json").exists()


def test_a_figure_that_is_cramped_says_so() -> None:
    ended = plumbline("plot", "bars", "scores.csv", "--width", "60px", "-o", "b.json")
    assert ended.code == 0
    assert re.search(r"N257 the figure is \d+ pixels wide, not 60: it cannot be drawn with less\n  help: ask", ended.err)
    assert plumbline("plot", "bars", "scores.csv", "--width", "3.3in", "-o", "b.json", "--force", "--strict").code == 0


def test_differences_up_to_eps_are_ties(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("system,case,metric,value\na,x,AP,0.8\nb,x,AP,0.7\na,y,AP,0.5\nb,y,AP,0.25\n")
    for eps, caption in (
        ("0.1", "1 case: a is better; 0 cases: b is better; 1 case: equal within 0.1"),
        ("0", "2 cases: a is"),
    ):
        ended = plumbline("plot", "differences", "s.csv", "--eps", eps, "-o", "d.json", "--force")
        assert ended.code == 0, ended.err
        assert caption in (tmp_path / "d.json").read_text()


ODD = (
    *(("--scale", value) for value in ("nan", "inf", "0")),
    *((name, value) for name in ("--width", "--height") for value in ("nan", "inf", "-3", "0", "", "1e3")),
    *((name, value) for name in ("--eps", "--alpha", "--level", "--threshold") for value in ("nan", "inf", "-1", "2")),
    ("--system", "system01", "--system", "system01"),
    ("--system", "system01", "--system", "system02"),
    ("--system", ""),
    ("-m", "P", "-m", "P"),
    ("-m", ""),
    ("--lower", "P"),
    ("--resamples", "1"),
    ("--seed", "-1"),
    ("--baseline", "nobody"),
    ("-o", "x"),
    ("-o", "nowhere/x.svg"),
)


@pytest.mark.parametrize("kind", list(FIGURES))
def test_odd_options_are_understood_or_refused(kind: str, tmp_path: Path) -> None:
    for options in ODD:
        ended = plumbline("--debug", "plot", kind, "scores.csv", "-o", "figure.json", "--force", *options)
        assert ended.code in (0, 1, 2), (options, ended.err)
        assert (ended.code == 0) == (ended.out != ""), options
        assert ended.code == 0 or ended.err, options
    assert {path.name for path in tmp_path.iterdir()} <= {"figure.json", "scores.csv", "qrels.txt", "one.run", "other.run"}


@pytest.mark.parametrize(("option", "value"), [("--scale", "nan"), ("--eps", "nan"), ("--threshold", "inf")])
def test_what_is_no_number_is_no_number(option: str, value: str) -> None:
    ended = plumbline("plot", "bars", "scores.csv", option, value)
    assert ended.code == 2
    assert f"{value} is not a finite number" in ended.err


def test_a_system_named_twice_is_one_system() -> None:
    ended = plumbline("plot", "differences", "scores.csv", "--system", "system01", "--system", "system01")
    assert ended.code == 2
    assert "E341 differences cannot be drawn: it needs two systems" in ended.err


def test_a_figure_without_anything_in_it_is_not_drawn(tmp_path: Path) -> None:
    rows = [f"{system},{case},{metric},0.5" for system in "ab" for case in "xy" for metric in ("P", "R")]
    (tmp_path / "same.csv").write_text("\n".join(("system,case,metric,value", *rows)))
    ended = plumbline("plot", "strictness", "same.csv", "-o", "s.png")
    assert ended.code == 2
    assert "E341 strictness cannot be drawn: no metric has both a strictness and a robustness here" in ended.err
