"""plumbline plot"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from drawn import named, table
from plumbline.figures.registry import FIGURES
from program import QRELS, RUN, plumbline

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
    ("words", "told"),
    [
        (("pie", "scores.csv"), "E340 there is no figure 'pie'"),
        (
            ("losses", "scores.csv"),
            "E341 losses cannot be drawn: it needs a gold and systems, scores alone do not tell\n  help: these can: bars,",
        ),
        (
            ("confusion", "qrels.txt", "one.run", "--task", "ranking"),
            "it is for classification and filtering, and these are scores of ranking",
        ),
        (("bars", "scores.csv", "-o", "b.gif"), "E342 b.gif: no figure is written in this format"),
        (("bars", "scores.csv", "--width", "wide"), "E343 'wide' is no size of a figure"),
        (("precision_recall", "qrels.txt", "one.run", "-m", "AP"), "E344 precision_recall has no option 'metrics'"),
        (("bars", "scores.csv", "--system", "nobody"), "E308 no system 'nobody'"),
        (
            ("alpha", "qrels.txt", "one.run", "other.run"),
            "alpha cannot be drawn: it needs two metrics, and there are 4: name two",
        ),
        (("bars",), "Missing argument 'SCORES | GOLD SYSTEM...'."),
    ],
)
def test_what_cannot_be_drawn(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    ended = plumbline("plot", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert sorted(tmp_path.iterdir()) == before


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    (tmp_path / "bars.svg").write_text("mine")
    ended = plumbline("plot", "bars", "scores.csv")
    assert ended.code == 2
    assert (tmp_path / "bars.svg").read_text() == "mine"
    assert plumbline("plot", "bars", "scores.csv", "--force").code == 0
