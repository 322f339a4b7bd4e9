"""Two systems case by case: the values of every case go into the page, and the reader chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.figures.parts import shown
from plumbline.reports.model import Chooser, Section, Words
from plumbline.reports.sections.drawn import picture

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparisons.comparison import Comparison
    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Picture

MOST_NUMBERS: Final = 100_000
"""Values in a page: more would make it slow to open and too large to mail."""
DIGITS: Final = 6
FEWEST: Final = 2
TITLE: Final = "Case by case"


def section(subject: Subject) -> Section | None:
    """Nothing where there is one system or one case."""
    found = subject.comparison
    if found is None or len(found.cube.cases) < FEWEST:
        return None
    ordered = found.leaderboard["system"].to_list()
    most = MOST_NUMBERS // (len(found.cube.metrics) * len(found.cube.cases))
    if most < FEWEST:
        return Section("cases", TITLE, (Words(f"{len(found.cube.cases):,} cases are too many to be held by a page."),))
    kept = ordered[:most]
    drawing = picture(subject, "differences", systems=tuple(kept[:2]), metrics=found.cube.metrics[0])
    if drawing is None:
        return None
    words = "A mean hides on which cases a system wins. Choose two systems and a metric: each bar is a case."
    left_out = len(ordered) - len(kept)
    cut = f" The page holds the cases of the best {len(kept):,} systems, {left_out:,} are left out." if left_out else ""
    return Section("cases", TITLE, (Words(words + cut), _chooser(found, kept, drawing)))


def _chooser(found: Comparison, kept: list[str], drawing: Picture) -> Chooser:
    cube = found.cube.only(systems=kept)
    systems, metrics, cases = (tuple(shown(names).values()) for names in (cube.systems, cube.metrics, cube.cases))
    return Chooser("choose", systems, metrics, cases, _rounded(cube.values), tuple(map(bool, cube.lower)), drawing)


def _rounded(values: NDArray[np.float64]) -> list[list[list[float | None]]]:
    """To six significant digits; a value that is not there is null."""
    return [[[None if np.isnan(one) else float(f"{one:.{DIGITS}g}") for one in row] for row in table] for table in values]
