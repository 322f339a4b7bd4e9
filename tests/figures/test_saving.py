"""Figures as files: valid, whole, of the size that was asked for."""

from __future__ import annotations

import json
import re
import struct
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from plumbline import BadUsage
from plumbline.figures.fitting import fitted
from plumbline.figures.registry import FIGURES
from plumbline.figures.saving import FORMATS, as_svg, content, pixels, save
from plumbline.figures.subject import subject_of
from tests.helpers.figure_subjects import draws_results_alone, filters_with_scores, outputs, result_for, scored, table

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.figures.subject import Subject

pytestmark = pytest.mark.slow

CHART = FIGURES["tradeoff"].draw(scored(5))


def test_every_format_is_what_it_says(tmp_path: Path) -> None:
    for ending in FORMATS:
        save(CHART, tmp_path / f"figure{ending}")
    assert ET.parse(tmp_path / "figure.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    pdf = (tmp_path / "figure.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert json.loads((tmp_path / "figure.json").read_text())["$schema"].startswith(
        "https://vega.github.io/schema/vega-lite/v6"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"figure{ending}" for ending in sorted(FORMATS)]


def test_sizes_on_paper_and_in_dots() -> None:
    width = float(re.findall(r'width="([\d.]+)"', as_svg(CHART))[0])
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+)", content(CHART, ".pdf"))
    assert box is not None
    assert float(box[1]) == pytest.approx(width * 0.75)
    (dots,) = struct.unpack(">I", content(CHART, ".png", scale=2)[16:20])
    assert dots == pytest.approx(2 * width, abs=2)


@pytest.mark.parametrize("kind", ["bars", "alpha"])
def test_the_whole_width_is_the_one_asked_for(kind: str) -> None:
    made = fitted(lambda inner: FIGURES[kind].draw(scored(5), width=inner), 330)
    result = float(re.findall(r'width="([\d.]+)"', as_svg(made.chart))[0])
    assert 325 <= result == made.width <= 330
    assert not made.cut


def _crowded(kind: str) -> Subject:
    """Twelve systems with long names, and long names of metrics where these are free."""
    names = [f"a long name of a system {number:02}"[-25:] for number in range(12)]
    if kind == "weights":
        return subject_of(task="organization")
    if draws_results_alone(kind):
        return result_for(kind, tuple(names))
    if "scores" in FIGURES[kind].views:
        return filters_with_scores(tuple(names))
    tasks = FIGURES[kind].tasks
    return outputs(tasks[0], names) if tasks else subject_of(table(names, ("Reliability at ten", "Sensitivity at ten")))


@pytest.mark.parametrize(("kind", "width"), [*((kind, 317) for kind in FIGURES), ("differences", 672), ("weights", 672)])
def test_long_names_keep_within_the_width(kind: str, width: int) -> None:
    subject = _crowded(kind)
    some: dict[str, Any] = {"metrics": [f"Rel(n={n},w=0.9)" for n in (10, 20, 30, 50, 100)]} if kind == "weights" else {}
    made = fitted(lambda inner: FIGURES[kind].draw(subject, width=inner, **some), width)
    assert made.width == float(re.findall(r'width="([\d.]+)"', as_svg(made.chart))[0])
    assert made.width <= width
    assert made.cut == (width == 317 and kind in {"critical_difference", "ranks"})


def test_what_cannot_be_as_narrow_is_as_wide_as_it_must() -> None:
    made = fitted(lambda inner: FIGURES["bars"].draw(scored(5), width=inner), 60)
    assert made.cut
    assert made.width > 60


@pytest.mark.parametrize(
    ("size", "expected"), [("600", 600), ("600px", 600), ("3.3in", 317), (" 84 MM ", 317), ("8.4cm", 317), ("240pt", 320)]
)
def test_sizes(size: str, expected: int) -> None:
    assert pixels(size) == expected


@pytest.mark.parametrize("size", ["", "wide", "3.3furlongs", "-5in", "1px", "99999in", "1e3", "nan", "3,3in"])
def test_no_sizes(size: str) -> None:
    with pytest.raises(BadUsage, match="E343"):
        pixels(size)


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    target.write_text("mine")
    with pytest.raises(BadUsage, match="force=True"):
        save(CHART, target)
    assert target.read_text() == "mine"
    save(CHART, target, force=True)
    assert target.read_text().startswith("<svg")


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E342") as caught:
        save(CHART, tmp_path / "figure.gif")
    assert ".svg, .png, .pdf, .json" in str(caught.value)
    assert not list(tmp_path.iterdir())
