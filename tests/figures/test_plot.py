"""Figures of what one holds."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import altair as alt
import pytest

import plumbline
from plumbline import BadUsage
from plumbline.figures.registry import FIGURES
from plumbline.figures.signatures import STUB, signature_of, stub
from tests.helpers.figure_subjects import data, evaluated, named, table

FIVE = table(named(5))
ROOT = Path(__file__).parents[2]


def test_scores_and_comparisons_offer_every_kind() -> None:
    scores, result = evaluated("ranking", 5).scores, plumbline.compare(FIVE)
    assert scores is not None
    for holder in (scores, result):
        assert dir(holder.plot) == sorted(FIGURES)
        assert all(callable(getattr(holder.plot, kind)) for kind in FIGURES)
        assert repr(holder.plot).startswith("figures: .plot.forest(), .plot.bars()")
    assert isinstance(scores.plot.bars(metrics=["AP", "RR"]), alt.HConcatChart)
    assert isinstance(result.plot.graph(width=300), alt.LayerChart)
    assert FIGURES["bars"].caption in str(scores.plot.bars.__doc__)


def test_a_comparison_is_drawn_as_it_was_made() -> None:
    comparison = plumbline.compare(FIVE, mean="arithmetic", test="t", baseline="system02")
    rows = data(comparison.plot.graph().to_dict(), "better", "worse")
    assert all("system02" in (row["better"], row["worse"]) for row in rows)
    alpha = comparison.plot.alpha().to_dict()
    assert "arithmetic mean(P,R)" in alpha["description"]


def test_options() -> None:
    comparison = plumbline.compare(FIVE)
    drawn = comparison.plot.differences(metrics="R", show=["system01", "system02"], theme="dark").to_dict()
    assert "R: system01" in str(drawn)
    assert drawn["config"]["background"] == "#14181c"
    with pytest.raises(BadUsage, match="E344 graph has no option 'widht'"):
        comparison.plot.graph(widht=300)  # type: ignore[call-arg]  # what type checkers refuse is refused at run time as well
    with pytest.raises(AttributeError, match="pie"):
        comparison.plot.pie()  # type: ignore[attr-defined]  # what type checkers refuse is refused at run time as well


def test_options_that_mean_nothing_are_refused_everywhere() -> None:
    subject = evaluated("ranking", 5)
    assert subject.scores is not None
    outputs = {"gold": subject.outputs.gold, "systems": subject.outputs.systems}
    with pytest.raises(BadUsage, match="E344 losses has no option 'depht'\n  help: it has depth"):
        subject.scores.plot.losses(**outputs, depht=3)  # type: ignore[call-arg]  # what type checkers refuse is refused at run time as well
    with pytest.raises(BadUsage, match="E344 losses has no option 'depht'"):
        plumbline.plot("losses", **outputs, depht=3)  # type: ignore[call-arg]  # what type checkers refuse is refused at run time as well
    with pytest.raises(BadUsage, match="E348 the scores were made without depth"):
        subject.scores.plot.losses(**outputs, depth=3)
    with pytest.raises(BadUsage, match="E349 depth has no effect"):
        subject.scores.plot.bars(depth=3)
    with pytest.raises(BadUsage, match="E371 bars: show = 3 does not fit"):
        subject.scores.plot.bars(show=3)  # type: ignore[arg-type]  # what type checkers refuse is refused at run time as well
    with pytest.raises(BadUsage, match="E371 compare: there is no option 'levl'"):
        subject.scores.plot.graph(comparing={"levl": 0.1})  # type: ignore[arg-type]  # what type checkers refuse is refused at run time as well
    with pytest.raises(BadUsage, match="E349 baseline has no effect"):
        plumbline.compare(FIVE).plot.graph(comparing={"baseline": "system01"})


def test_names_may_come_one_by_one() -> None:
    drawn = plumbline.plot("bars", FIVE, metrics=(name for name in ["R"]), show=iter(["system01", "system02"]))
    assert {row["system"] for row in data(drawn.to_dict(), "system", "value")} == {"system01", "system02"}


def test_outputs_can_be_handed_over_for_what_scores_do_not_tell() -> None:
    subject = evaluated("ranking", 5)
    assert subject.scores is not None
    loaded = replace(subject.scores, evaluation=None)
    with pytest.raises(BadUsage, match="E341 losses cannot be drawn: it needs the gold and the outputs"):
        loaded.plot.losses()
    outputs = {"gold": subject.outputs.gold, "systems": subject.outputs.systems}
    charts = (subject.scores.plot.losses(), loaded.plot.losses(**outputs), plumbline.plot("losses", **outputs))
    assert len({chart.to_dict()["description"] for chart in charts}) == 1


def test_tables_of_scores_can_be_drawn() -> None:
    assert data(plumbline.plot("bars", FIVE, metrics=["R"]).to_dict(), "value")
    with pytest.raises(BadUsage, match="E340 there is no figure 'bar'\n  help: did you mean bars"):
        plumbline.plot("bar", FIVE)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(
        BadUsage, match="E310 a figure needs a package that is not installed\n  help: pip install 'plumbline\\[report\\]'"
    ):
        plumbline.compare(FIVE).plot.bars()


def test_files_need_the_other_package_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from plumbline.figures.saving import as_svg  # noqa: PLC0415 - with the rest of this test

    chart = plumbline.plot("bars", FIVE)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(BadUsage, match="E310"):
        as_svg(chart)


def test_the_stub_is_that_of_the_declared_figures() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run python -m plumbline.figures.signatures"


def test_methods_have_the_options_that_their_figure_takes() -> None:
    methods = plumbline.compare(FIVE).plot
    for name, figure in FIGURES.items():
        taken = inspect.signature(getattr(methods, name)).parameters
        assert taken.keys() == signature_of(figure).parameters.keys()
        assert ("metrics" in taken, "show" in taken) == ("metrics" in figure.options, "systems" in figure.options)
        assert ("comparing" in taken) is bool(figure.compare_options)


def test_type_checkers_know_the_options_of_every_figure(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="the linters are an extra")
    program = tmp_path / "program.py"
    program.write_text(
        "import plumbline\n"
        "scores = plumbline.Scores.load('scores.parquet')\n"
        "reveal_type(scores.plot.bars(metrics=['AP'], width=300, depth=10))\n"
        "scores.plot.bars(metric=['AP'])\n"
        "scores.plot.pie()\n"
        "scores.plot.confusion(metrics=['P'])\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(program)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "TopLevelMixin" in ended.stdout
    assert [line.partition(": ")[0].rpartition(":")[2] for line in ended.stdout.splitlines() if ": error:" in line] == list(
        "456"
    )
