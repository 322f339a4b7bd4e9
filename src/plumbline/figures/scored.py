"""What the scores of filters say at every threshold: the items of all cases together, for each system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.filtering import AlignedFilters
from plumbline.figures.figure import ReportSection
from plumbline.figures.parts import display_names
from plumbline.schema import LIST, SCORE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

    Numbers = NDArray[np.float64]

VIEW: Final = "scores"
FEWEST: Final = 3
"""Distinct scores below which there is no curve: labels alone have two."""
MOST_POINTS: Final = 200
"""Points of a curve that a figure holds."""
SCORES: Final = ReportSection(
    "scores",
    65,
    "What do the scores say?",
    "How well the scores of the filters separate positive from negative items, at every threshold. Cases are pooled.",
)


@dataclass(frozen=True, eq=False)
class Sweep:
    """One system: its distinct scores from the highest down, and what is accepted from each on."""

    system: str
    score: Numbers
    tp: Numbers
    """Positive items with this score or a higher one."""
    fp: Numbers
    positives: float
    negatives: float


def sweeps(subject: Subject, options: DrawOptions) -> list[Sweep]:
    """The systems that give scores and not only labels, if there are items of both classes."""
    aligned = subject.outputs.alignment([VIEW])
    if not isinstance(aligned, AlignedFilters) or aligned.scored.is_empty():
        return []
    names, cases = display_names(aligned.systems), len(aligned.gold.cases)
    rows = aligned.scored.filter(pl.col(SCORE).is_finite()).with_columns((pl.col(LIST) // cases).alias("system"))
    pooled = rows.group_by("system", SCORE).agg(pl.col("positives").sum(), pl.col("negatives").sum())
    made = []
    for (at,), table in pooled.sort("system", SCORE, descending=[False, True]).group_by("system", maintain_order=True):
        name = aligned.systems[int(str(at))]
        if options.shows(name) and len(table) >= FEWEST:
            tp, fp = (table[side].cum_sum().to_numpy() for side in ("positives", "negatives"))
            made.append(Sweep(names[name], table[SCORE].to_numpy(), tp, fp, float(tp[-1]), float(fp[-1])))
    return [one for one in made if one.positives and one.negatives]


def with_scores(subject: Subject, options: DrawOptions) -> str | None:
    """Scores of a filter are needed, and items of both classes."""
    return None if sweeps(subject, options) else "it needs outputs with scores, not only labels, and items of both classes"


def probabilities(subject: Subject, options: DrawOptions) -> str | None:
    """Scores between 0 and 1 are needed."""
    within = [one for one in sweeps(subject, options) if one.score.min() >= 0 and one.score.max() <= 1]
    return None if within else "it needs scores between 0 and 1 that are meant as probabilities"


def thinned(count: int) -> NDArray[np.intp]:
    """Which of so many points are drawn: all if they are few; the first and the last always."""
    return np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).round().astype(np.intp))
