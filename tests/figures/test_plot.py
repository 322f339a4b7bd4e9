"""Figures of what one holds."""

from __future__ import annotations

import sys

import altair as alt
import pytest

import plumbline
from plumbline import BadUsage
from plumbline.figures.registry import FIGURES
from plumbline.upward import OFFERED, above
from tests.helpers.figure_subjects import data, evaluated, named, table

FIVE = table(named(5))


def test_scores_and_comparisons_offer_every_kind() -> None:
    scores, found = evaluated("ranking", 5).scores, plumbline.compare(FIVE)
    assert scores is not None
    for holder in (scores, found):
        assert dir(holder.plot) == sorted(FIGURES)
        assert all(callable(getattr(holder.plot, kind)) for kind in FIGURES)
        assert repr(holder.plot).startswith("figures: .plot.bars()")
    assert isinstance(scores.plot.bars(metrics=["AP", "RR"]), alt.HConcatChart)
    assert isinstance(found.plot.graph(width=300), alt.LayerChart)
    assert FIGURES["bars"].caption in str(scores.plot.bars.__doc__)


def test_a_comparison_is_drawn_as_it_was_made() -> None:
    found = plumbline.compare(FIVE, mean="arithmetic", test="t", baseline="system02")
    rows = data(found.plot.graph().to_dict(), "better", "worse")
    assert all("system02" in (row["better"], row["worse"]) for row in rows)
    alpha = found.plot.alpha().to_dict()
    assert "arithmetic mean(P,R)" in alpha["description"]


def test_options() -> None:
    found = plumbline.compare(FIVE)
    drawn = found.plot.differences(metrics="R", show=["system01", "system02"], theme="dark").to_dict()
    assert "R: system01" in str(drawn)
    assert drawn["config"]["background"] == "#14181c"
    with pytest.raises(BadUsage, match="E344 graph has no option 'widht'"):
        found.plot.graph(widht=300)
    with pytest.raises(AttributeError, match="pie"):
        found.plot.pie()


def test_options_that_mean_nothing_are_refused_everywhere() -> None:
    subject = evaluated("ranking", 5)
    assert subject.scores is not None
    outputs = {"gold": subject.gold, "systems": subject.systems}
    with pytest.raises(BadUsage, match="E344 losses has no option 'depht'\n  help: it has depth"):
        subject.scores.plot.losses(**outputs, depht=3)
    with pytest.raises(BadUsage, match="E344 losses has no option 'depht'"):
        plumbline.plot("losses", **outputs, depht=3)
    with pytest.raises(BadUsage, match="E348 the scores were made without depth"):
        subject.scores.plot.losses(**outputs, depth=3)
    with pytest.raises(BadUsage, match="E349 depth has no effect"):
        subject.scores.plot.bars(depth=3)
    with pytest.raises(BadUsage, match="E347 show = 3 is not understood"):
        subject.scores.plot.bars(show=3)
    with pytest.raises(BadUsage, match="E347 compare has no option 'levl'"):
        subject.scores.plot.graph(comparing={"levl": 0.1})
    with pytest.raises(BadUsage, match="E349 baseline has no effect"):
        plumbline.compare(FIVE).plot.graph(comparing={"baseline": "system01"})


def test_names_may_come_one_by_one() -> None:
    drawn = plumbline.plot("bars", FIVE, metrics=(name for name in ["R"]), show=iter(["system01", "system02"]))
    assert {row["system"] for row in data(drawn.to_dict(), "system", "value")} == {"system01", "system02"}


def test_outputs_can_be_handed_over_for_what_scores_do_not_tell() -> None:
    subject = evaluated("ranking", 5)
    assert subject.scores is not None
    with pytest.raises(BadUsage, match="E341 losses cannot be drawn: it needs the gold and the outputs"):
        subject.scores.plot.losses()
    handed = subject.scores.plot.losses(gold=subject.gold, systems=subject.systems).to_dict()
    assert (
        handed["description"] == plumbline.plot("losses", gold=subject.gold, systems=subject.systems).to_dict()["description"]
    )


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


def test_what_is_offered_exists() -> None:
    for name in OFFERED:
        assert callable(above(name))
