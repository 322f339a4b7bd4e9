"""Clusterings as a user types them: evaluate, the floor, why, sweep, check and convert."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import plumbline
from plumbline.cli.app import run
from plumbline.tools.why import why

if TYPE_CHECKING:
    from pathlib import Path

GOLD = "q\ta\tx\nq\tb\tx\nq\tc\ty\nq\td\ty\n"
STOPS = {
    "stop_0.2": "q\ta\t1\nq\tb\t1\nq\tc\t1\nq\td\t1\n",
    "stop_0.5": "q\ta\t1\nq\tb\t1\nq\tc\t2\nq\td\t1\n",
    "stop_0.9": "q\ta\t1\nq\tb\t2\nq\tc\t3\nq\td\t4\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.tsv").write_text(GOLD, encoding="utf-8")
    for name, text in STOPS.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    return tmp_path


def paths(folder: Path) -> list[str]:
    return [str(folder / "gold.tsv"), *(str(folder / f"{name}.tsv") for name in STOPS)]


def test_evaluate_with_the_floor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", *paths(folder), "--task", "clustering", "-m", "ARI", "-m", "F(BCubedP,BCubedR)", "--floor"]) == 0
    printed = capsys.readouterr()
    for name in ("[one-cluster]", "[singletons]", "[combined]"):
        assert name in printed.out
    assert "n/a" in next(line for line in printed.out.splitlines() if "[combined]" in line)
    assert "N226" in printed.err


def test_the_task_is_told_by_the_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", *paths(folder), "-m", "BCubedP", "--format", "json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["made"]["task"] == "clustering"


def test_why_shows_cluster_class_and_what_they_share(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, _, system, _ = paths(folder)
    assert run(["why", "BCubedP", gold, system, "--item", "d"]) == 0
    out = capsys.readouterr().out
    assert "BCubedP of stop_0.5 in case q: 0.666667" in out
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["d"])
    assert row == ["d", "1", "y", "3", "2", "1"]
    assert len(why(gold, system, "BCubedP").rows) == 4
    assert run(["why", "BCubedP", gold, system, "--item", "nobody"]) == 2
    assert "no item 'nobody'" in capsys.readouterr().err


def test_sweep_prints_the_curve_and_the_best_point_for_each_weight(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, *stops = paths(folder)
    assert run(["sweep", gold, *reversed(stops), "--plot", str(folder / "curve.svg")]) == 0
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines()[2:5]]
    assert "break-even: BCubedP = BCubedR = 0.7143, between two thresholds" in printed  # 5/7
    assert [row[:3] for row in rows] == [["0.2", "0.5000", "1.0000"], ["0.5", "0.6667", "0.7500"], ["0.9", "1.0000", "0.5000"]]
    picture = ET.fromstring((folder / "curve.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own file
    written = {"".join(part.itertext()) for part in picture.iter()}
    assert written >= {"0.2", "0.5", "0.9", "BCubedP", "BCubedR"}
    assert run(["sweep", gold, *stops, "--plot", str(folder / "curve.svg")]) == 2
    assert "exists" in capsys.readouterr().err


def test_sweep_in_python_has_the_best_alpha() -> None:
    gold = {"q": {"a": "x", "b": "x", "c": "y", "d": "y"}}
    family = {0.2: {"q": dict.fromkeys("abcd", "1")}, 0.9: {"q": {item: item for item in "abcd"}}}
    swept = plumbline.sweep(gold, family, ("Purity", "InvPurity"))
    assert swept.points["threshold"].to_list() == [0.2, 0.9]
    best = dict(swept.best.select("alpha", "threshold").iter_rows())
    assert best[0.0] == 0.2
    assert best[1.0] == 0.9
    f = dict(swept.best.select("alpha", "F").iter_rows())
    assert f[0.5] == pytest.approx(2 / 3)
    assert swept.break_even().recall == pytest.approx(3 / 4)
    assert swept.break_even(2).precision == pytest.approx(1 / 2)
    assert "best for alpha" in repr(swept)


def test_the_best_point_is_that_of_f_also_where_an_output_accepts_nothing() -> None:
    gold = {"a": {"m1": 1, "m2": 0}, "b": {"m3": 1, "m4": 0}}
    family = {0.1: {"a": {"m1": 1, "m2": 1}, "b": {"m3": 1, "m4": 1}}, 0.9: {"a": {"m1": 1, "m2": 0}, "b": {"m3": 0, "m4": 0}}}
    swept = plumbline.sweep(gold, family, ("P", "R"), task="filtering")
    scores = plumbline.evaluate(gold, {str(name): one for name, one in family.items()}, "F(P,R)", task="filtering")
    expected = dict(scores.mean.select("system", "value").iter_rows())
    assert expected == {"0.1": pytest.approx(2 / 3), "0.9": 0.5}
    best = swept.best.filter(alpha=0.5).row(0, named=True)
    assert (best["system"], best["F"]) == ("0.1", pytest.approx(2 / 3))


def test_the_break_even_point_follows_the_thresholds_and_copes_with_values_below_0() -> None:
    points = pl.DataFrame({"P": [1.0, 0.2, 0.5], "R": [0.6, 0.2, 1.0]})
    swept = plumbline.sweep({"a": 1, "b": 0}, {0.5: {"a": 1, "b": 1}}, ("P", "R"), task="filtering")
    met = replace(swept, points=points).break_even()
    assert (met.recall, met.how) == (0.2, "point")
    below = plumbline.sweep(["x", "x", "y", "y"], {0.1: ["1", "2", "1", "2"], 0.9: ["1", "1", "2", "2"]}, ("ARI", "BCubedR"))
    assert "break-even: ARI = BCubedR = 1.0000" in repr(below)
    with pytest.raises(plumbline.BadUsage, match="E306 task = 'cluster'"):
        plumbline.sweep({"a": 1}, {0.5: {"a": 1}}, task="cluster")


@pytest.mark.filterwarnings("error")
def test_an_output_that_accepts_nothing_anywhere_has_no_point() -> None:
    swept = plumbline.sweep({"a": 1, "b": 0}, {0.5: {"a": 1, "b": 1}, 0.9: {"a": 0, "b": 0}}, ("P", "R"), task="filtering")
    assert swept.best["system"].unique().to_list() == ["0.5"]


@pytest.mark.parametrize(("family", "message"), [({"first": "x"}, "has no threshold"), ({"1": "x"}, "two metrics")])
def test_sweeps_that_make_no_sense(family: dict[str, str], message: str) -> None:
    metrics = ("Purity", "InvPurity") if "threshold" in message else ("Purity",)
    with pytest.raises(plumbline.BadUsage, match=message):
        plumbline.sweep({"q": {"a": "x"}}, {name: {"q": {"a": label}} for name, label in family.items()}, metrics)


def test_check_and_convert(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system, *_ = paths(folder)
    assert run(["check", "--task", "clustering", gold, system]) == 0
    assert "gold.tsv: fine, the gold, 4 rows in 1 case" in capsys.readouterr().out
    assert run(["convert", "--task", "clustering", gold, str(folder / "gold.json")]) == 0
    assert run(["evaluate", str(folder / "gold.json"), gold, "--task", "clustering", "-m", "ARI", "--format", "csv", "-q"]) == 0
    assert capsys.readouterr().out.endswith("ARI,1.0\n")


def test_grades_are_no_clusters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "qrels.txt").write_text("q 0 a 1\nq 0 b 0\n", encoding="utf-8")
    assert run(["evaluate", str(folder / "qrels.txt"), paths(folder)[1], "--task", "clustering"]) == 1
    assert "E132" in capsys.readouterr().err
