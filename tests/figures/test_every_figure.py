"""What is true of every figure: it draws few and many systems, speaks for itself, and uses the theme."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import vl_convert

import plumbline
from plumbline import BadUsage
from plumbline.figures.pools import POOL
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject
from plumbline.figures.theme import config
from plumbline.options.evaluation import CompareOptions
from plumbline.options.option import declared
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.model import Chooser, MetricChooser, Part, Picture, Table
from plumbline.reports.sections import drawn, pool, verdict
from plumbline.tasks import task_names
from tests.helpers.figure_subjects import named, scored, spec, subject_for, texts

KINDS = list(FIGURES)


@cache
def five(kind: str) -> dict[str, Any]:
    """The figure of five systems, as a page takes it."""
    return spec(kind, subject_for(kind, 5), theme=None)


@cache
def reported(subject: Subject) -> Part:
    """What a report shows of a subject; many kinds are drawn of the same one."""
    (part,) = dossier([Chapter(subject)]).parts
    return part


def systems_in(spec_of: dict[str, Any]) -> set[str]:
    """The systems that are named anywhere."""
    return {name for name in named(50) if any(name in text for _, text in texts(spec_of))}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, 50])
def test_it_draws_few_and_many(kind: str, count: int) -> None:
    chart = FIGURES[kind].draw(subject_for(kind, count)).to_dict(validate=False)
    assert ET.fromstring(vl_convert.vegalite_to_svg(chart)).tag.endswith("svg")  # noqa: S314 - our own


@pytest.mark.parametrize("kind", KINDS)
def test_vega_lite_has_nothing_to_warn_about(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    vl_convert.vegalite_to_vega(five(kind), show_warnings=True)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", KINDS)
def test_it_describes_itself_and_names_systems(kind: str) -> None:
    assert len(five(kind)["description"]) > 40
    declared = FIGURES[kind].systems_named
    assert len(systems_in(five(kind))) == (5 if declared is None else declared)


@pytest.mark.parametrize("kind", KINDS)
def test_colours_stand_in_the_theme_alone(kind: str) -> None:
    assert not [text for _, text in texts(five(kind)) if text.startswith("#")]
    assert {text for at, text in texts(five(kind)) if at[-1] == "style"} <= set(config()["style"])


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_nothing_that_json_has_no_word_for(kind: str) -> None:
    json.dumps(five(kind), allow_nan=False)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_drawn_of_nothing(kind: str) -> None:
    figure = FIGURES[kind]
    if figure.options == ("metrics",):  # what it shows depends on metrics alone, and they have a default
        assert figure.applies(Subject())
        return
    with pytest.raises(BadUsage, match=f"E341 {kind} cannot be drawn: it|E341 {kind} cannot be drawn: there"):
        figure.draw(Subject())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "systems" in FIGURES[kind].options])
def test_chosen_systems_alone_are_drawn(kind: str) -> None:
    some = ("system01", "system03")
    chart = FIGURES[kind].draw(subject_for(kind, 5), systems=some).to_dict(validate=False)
    assert systems_in(chart) == (set() if FIGURES[kind].systems_named == 0 else set(some))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if FIGURES[kind].report])
def test_a_report_shows_it_in_the_section_that_it_declares(kind: str) -> None:
    place = drawn.place_of(kind)
    part = reported(subject_for(kind, 5))
    if place.section.name == verdict.SECTION:
        assert part.forest is not None
        assert part.forest.name == f"figure-{kind}"
        return
    (section,) = (one for one in part.sections if one.name == place.section.name)
    shown = [block.picture if isinstance(block, (Chooser, MetricChooser)) else block for block in section.blocks]
    assert f"figure-{kind}" in [block.name for block in shown if isinstance(block, Picture)]
    tables = [] if place.tables is None else place.tables(subject_for(kind, 5))
    of_section = [pool.TABLE] if place.section is POOL else []
    assert [*(table.name for table in tables), *of_section] == [block.name for block in shown if isinstance(block, Table)]


def test_sections_are_declared_once_and_in_an_order_of_their_own() -> None:
    sections = {figure.report.section for figure in FIGURES.values() if figure.report}
    assert len({section.name for section in sections}) == len({section.order for section in sections}) == len(sections)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_declared_in_full(kind: str) -> None:
    figure = FIGURES[kind]
    assert figure.title
    assert not figure.title.endswith(".")
    assert figure.caption.endswith(".")
    assert figure.example, "the gallery needs an example"
    assert set(figure.options) <= {"metrics", "systems"}
    assert set(figure.compare_options) <= set(declared(CompareOptions))
    assert set(figure.tasks) <= set(task_names())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_a_configuration(theme: str) -> None:
    alpha = spec("alpha", scored(5), theme=theme)
    wanted = config(dark=theme == "dark")
    assert {name: alpha["config"][name] for name in wanted if name != "view"} == {
        name: wanted[name] for name in wanted if name != "view"
    }


def test_one_chart_may_fill_its_box() -> None:
    bars = spec("bars", scored(5), width="container", metrics=("P",), height=99)
    assert (bars["width"], bars["height"]) == ("container", 99)
    assert len(spec("bars", scored(5), width="container")["hconcat"]) == 2


def test_an_option_without_effect_is_refused() -> None:
    with pytest.raises(BadUsage, match="E344 confusion has no option 'metrics'"):
        FIGURES["confusion"].draw(subject_for("confusion", 2), metrics=("P",))
    with pytest.raises(BadUsage, match="E308 there is no system 'nobody'"):
        FIGURES["bars"].draw(scored(2), systems=("nobody",))
    with pytest.raises(BadUsage, match="E308 there is no metric 'nothing'"):
        FIGURES["bars"].draw(scored(2), metrics=("nothing",))
    with pytest.raises(BadUsage, match="E306 theme"):
        FIGURES["bars"].draw(scored(2), theme="pink")


@pytest.mark.parametrize("kind", ["scatter", "tradeoff", "alpha"])
def test_two_metrics_that_no_output_has_both_of_are_not_drawn(kind: str) -> None:
    apart = {"A": {"x": {"q": 0.5, "r": 0.4}}, "B": {"y": {"q": 0.3, "r": 0.2}}}
    with pytest.raises(plumbline.BadUsage, match="no output has a value of both A and B"):
        plumbline.plot(kind, apart)
