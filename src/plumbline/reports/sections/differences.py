"""Two systems case by case: the values of every case go into the page, and the reader chooses."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.palette import OTHERS, palette
from plumbline.figures.parts import display_names
from plumbline.reports.model import Chooser, Paragraph, Section
from plumbline.reports.sections.drawn import picture, place_of, text, title

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Picture

MOST_NUMBERS: Final = 100_000
"""Values in a page: more would make it slow to open and too large to mail."""
DIGITS: Final = 6
FEWEST: Final = 2


def section(subject: Subject) -> Section | None:
    """Nothing where there is one system or one case."""
    comparison = subject.comparison
    if comparison is None or len(comparison.cube.cases) < FEWEST:
        return None
    about = place_of("differences").section
    name, heading = about.name, title(about, subject)
    ordered = comparison.leaderboard["system"].to_list()
    most = MOST_NUMBERS // (len(comparison.cube.metrics) * len(comparison.cube.cases))
    if most < FEWEST:
        return Section(name, heading, (Paragraph(f"A page cannot hold the values of {len(comparison.cube.cases):,} cases."),))
    kept = ordered[:most]
    start = _start(subject.cube.only(systems=kept))
    if start is None:
        whose = "No two systems" if len(kept) == len(ordered) else f"No two of the best {len(kept):,} systems"
        return Section(name, heading, (Paragraph(f"{whose} have a value of the same metric on the same case."),))
    one, other, metric = start
    drawing = picture(subject, "differences", systems=(kept[one], kept[other]), metrics=comparison.cube.metrics[metric])
    if drawing is None:
        return None
    left_out = len(ordered) - len(kept)
    rest = f"{left_out:,} {'is' if left_out == 1 else 'are'} left out"
    cut = f" The page holds the cases of the best {len(kept):,} systems, {rest}." if left_out else ""
    return Section(name, heading, (Paragraph(text(about, subject) + cut), _chooser(subject, kept, drawing, start)))


def _start(cube: Cube) -> tuple[int, int, int] | None:
    """The first two systems that share a case, and the first metric by which they do, if possible one that ranks systems."""
    known = ~np.isnan(cube.values)
    for one, other in combinations(range(len(cube.systems)), FEWEST):
        by = np.flatnonzero((known[:, one] & known[:, other]).any(axis=1)).tolist()
        if by:
            return one, other, min(by, key=lambda at: cube.metrics[at] in cube.neither)
    return None


def _chooser(subject: Subject, kept: list[str], drawing: Picture, start: tuple[int, int, int]) -> Chooser:
    cube = subject.cube.only(systems=kept)
    systems, metrics, cases = (tuple(display_names(names).values()) for names in (cube.systems, cube.metrics, cube.cases))
    colours, lower = palette(subject), tuple(map(bool, cube.lower))
    places = tuple(colours.get(name, OTHERS) for name in systems)
    return Chooser("choose", systems, metrics, cases, _rounded(cube.values), lower, drawing, start, subject.eps, places)


def _rounded(values: NDArray[np.float64]) -> list[list[list[float | None]]]:
    """To six significant digits; a value that is not there is null."""
    return [[[None if np.isnan(one) else float(f"{one:.{DIGITS}g}") for one in row] for row in table] for table in values]
