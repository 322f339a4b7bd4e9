"""Metric against metric: a dot for each output, by two metrics that the reader chooses where the page has the values."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.faces import either, rendered
from plumbline.figures.kinds.scatter import MOST, few_outputs, layers, uninformative_cells
from plumbline.figures.palette import OTHERS, palette
from plumbline.figures.parts import display_names
from plumbline.figures.registry import FIGURES
from plumbline.large import known_values
from plumbline.reports.model import Chooser, MetricChooser, Paragraph, Section
from plumbline.reports.sections import drawn

if TYPE_CHECKING:
    from plumbline.comparison.cube import Cube
    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Picture

TWO: Final = 2


def section(subject: Subject, cases: Section | None) -> Section | None:
    """Nothing where no output has values of two metrics; `cases` is the section that holds the values of the page."""
    if len(subject.cube.metrics) <= TWO:
        return drawn.section(subject, [FIGURES["scatter"]])
    start, comparison = _start(subject), subject.comparison
    if start is None:
        return None
    about = drawn.place_of("scatter").section
    pair = tuple(subject.cube.metrics[at] for at in start)
    nothing = few_outputs(subject, pair)
    if nothing is not None:
        return Section(about.name, drawn.title(about, subject), (Paragraph(nothing),))
    known = next((block for block in (cases.blocks if cases else ()) if isinstance(block, Chooser)), None)
    everyone = () if known is None or comparison is None else tuple(comparison.leaderboard["system"].to_list())
    picture = drawn.picture(subject, "scatter", metrics=pair, systems=everyone)
    if picture is None:
        return None
    block = picture if known is None else _chooser(subject, known, picture, start, everyone)
    introduction = f"{drawn.text(about, subject)} {_note(subject.cube, pair, known)}"
    return Section(about.name, drawn.title(about, subject), (Paragraph(introduction), block))


def _start(subject: Subject) -> tuple[int, int] | None:
    """The first two metrics that show something of the outputs, or else the first two that an output has both of."""
    cube = subject.cube
    known = known_values(cube.values)
    pairs = combinations(range(len(cube.metrics)), TWO)
    both = [(one, other) for one, other in pairs if (known[one] & known[other]).any()]
    telling = (pair for pair in both if few_outputs(subject, tuple(cube.metrics[at] for at in pair)) is None)
    return next(telling, both[0] if both else None)


def _note(cube: Cube, pair: tuple[str, ...], known: Chooser | None) -> str:
    """How other metrics are seen, and what is left out of them."""
    shown = " and ".join(pair)
    if known is None:
        others = f"any other two of the {len(cube.metrics):,} metrics"
        command = either('plot.scatter(metrics=["A", "B"])', "plumbline plot scatter -m A -m B")
        return rendered(f"The figure is of {shown}; {command} draws {others}.")
    left_out = len(cube.systems) - len(known.systems)
    if not left_out:
        return "Choose two metrics."
    rest = f"{left_out:,} {'is' if left_out == 1 else 'are'} left out"
    held = f"those of other metrics are of the best {len(known.systems):,} systems, {rest}"
    return f"Choose two metrics. The dots of {shown} are of all systems; {held}."


def _chooser(
    subject: Subject, known: Chooser, picture: Picture, start: tuple[int, int], everyone: tuple[str, ...]
) -> MetricChooser:
    cube = subject.cube.only(systems=everyone[: len(known.systems)])
    blind = uninformative_cells(subject, cube) & ~np.isnan(cube.values).all(axis=0)
    return MetricChooser(
        "choose-metrics",
        known.name,
        known.metrics,
        picture,
        start,
        ignoring=[(int(system), int(case)) for system, case in np.argwhere(blind)],
        layers=layers(),
        colours=[palette(subject).get(name, OTHERS) for name in display_names(cube.systems).values()],
        others=OTHERS,
        most=MOST,
        left_out=len(everyone) - len(known.systems),
    )
