"""Pairs of systems with what the UIR paper compares: the difference of F, of each metric, and UIR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.combining import HALF, combined
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors.base import plural
from plumbline.figures.figure import ReportSection
from plumbline.figures.needs import two_metrics, two_systems
from plumbline.figures.parts import display_names

if TYPE_CHECKING:
    from plumbline.comparison.combining import Score
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.parts import Row
    from plumbline.figures.subject import Subject

STUDY: Final = ReportSection(
    "uir",
    25,
    "What does UIR add?",
    "UIR beside the difference of the combined score, for every pair of systems: the figures with which "
    "Amigó and others (2011) argue for it, drawn from these scores.",
)
MOST_SYSTEMS: Final = 60
"""Systems of which a page shows every pair."""
FEW_PAIRS: Final = 6
"""With fewer pairs there is no pattern to see."""
NEEDS: Final = (two_systems, two_metrics)
OPTIONS: Final = ("lower", "eps", "alpha", "mean")


def few_pairs(subject: Subject) -> str | None:
    """Why a page leaves the figures out."""
    count = len(subject.cube.systems)
    pairs = count * (count - 1) // 2
    if pairs >= FEW_PAIRS:
        return None
    return f"{plural(pairs, 'pair')} of systems {'is' if pairs == 1 else 'are'} too few to compare UIR with other differences."


def score_name(subject: Subject, options: DrawOptions) -> str:
    """The name of the combined score."""
    return _score(subject, options).name


def _score(subject: Subject, options: DrawOptions) -> Score:
    cube = subject.only(options.metrics, options.systems)
    return combined(cube, float(subject.comparing.get("alpha", HALF)), subject.mean)


def pairs(subject: Subject, options: DrawOptions) -> list[Row]:
    """Every pair in the direction in which UIR is not negative, with the differences of score and metrics in this direction."""
    cube = subject.only(options.metrics, options.systems)
    score, ratios, names = _score(subject, options), unanimity(cube, subject.eps), display_names(cube.systems)
    known, values = ~np.isnan(cube.signed), np.nan_to_num(cube.signed)
    means = np.divide(values.sum(axis=2), known.sum(axis=2), out=np.full(known.shape[:2], np.nan), where=known.any(axis=2))
    rows: list[Row] = []
    for one in range(len(cube.systems)):
        for other in range(one + 1, len(cube.systems)):
            a, b = (other, one) if ratios.uir[one, other] < 0 else (one, other)
            rows.append(
                {
                    "better": names[cube.systems[a]],
                    "worse": names[cube.systems[b]],
                    "uir": float(ratios.uir[a, b]),
                    "difference": float(score.means[a] - score.means[b]),
                    "weakest": float((means[:, a] - means[:, b]).min()),
                }
            )
    return [row for row in rows if not np.isnan(row["uir"] + row["difference"] + row["weakest"])]
