"""What figures need, as checks that say what is missing; and the pair of metrics that makes a trade-off."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.combining import combined
from plumbline.comparison.comparison import Comparison
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

NO_SCORES: Final = "there are no scores"
TWO: Final = 2
PAIRS: Final = (("P", "R"), ("BCubedP", "BCubedR"), ("Rel", "Sens"), ("Purity", "InvPurity"))
"""Metrics that are looked at together."""
FEWEST_DOTS: Final = 4
"""With fewer dots there is no pattern to see."""
SEEN_DIGITS: Final = 4
"""Values that agree so far are at the same place to the eye."""


def scores(subject: Subject, _: DrawOptions) -> str | None:
    """Scores are needed."""
    return None if subject.has_values else NO_SCORES


def two_systems(subject: Subject, options: DrawOptions) -> str | None:
    """Scores of two systems are needed."""
    if not subject.has_values:
        return NO_SCORES
    count = len(options.systems or subject.cube.systems)
    return None if count >= TWO else "it needs two systems"


def two_metrics(subject: Subject, options: DrawOptions) -> str | None:
    """Two metrics are needed, and an output with a value of both."""
    if not subject.has_values:
        return NO_SCORES
    metrics = options.metrics or subject.cube.metrics
    return _never_both(subject, metrics[:TWO]) if len(metrics) >= TWO else "it needs two metrics"


def metric_pair(subject: Subject, options: DrawOptions) -> str | None:
    """Two metrics that make a trade-off are needed, and an output with a value of both."""
    if not subject.has_values:
        return NO_SCORES
    metrics = options.metrics or subject.cube.metrics
    pair = pair_of(metrics)
    if pair:
        return _never_both(subject, pair)
    count = "there is one" if len(metrics) == 1 else f"there are {len(metrics)}"
    return f"it needs two metrics, and {count}: name two"


def _never_both(subject: Subject, pair: tuple[str, ...]) -> str | None:
    """There is nothing to draw if no output has a value of both metrics."""
    return None if subject.only(pair).known.any() else f"no output has a value of both {' and '.join(pair)}"


def pair_of(metrics: Sequence[str]) -> tuple[str, str] | None:
    """The only two metrics, the two parts of an F among the metrics, or a known pair such as precision and recall."""
    if len(metrics) == TWO:
        return metrics[0], metrics[1]
    combinations = (pair for pair in permutations(metrics, TWO) if _has_f_of(pair, metrics))
    known = (pair for pair in PAIRS if set(pair) <= set(metrics))
    return next(combinations, next(known, None))


def _has_f_of(pair: tuple[str, ...], metrics: Sequence[str]) -> bool:
    start = f"F({','.join(pair)}"
    return any(name == f"{start})" or name.startswith(f"{start},alpha=") for name in metrics)


def too_few_dots(points: NDArray[np.float64], across: str, up: str) -> str | None:
    """Why a page leaves out dots of two metrics, `[axis, dot]`; those at the same place are seen as one."""
    seen = len(np.unique(points.round(SEEN_DIGITS), axis=1).T)
    return None if seen >= FEWEST_DOTS else f"{up} against {across} is left out: {plural(seen, 'dot')} would say nothing."


def only_two(subject: Subject) -> str | None:
    """Why a page leaves out a figure of all pairs: there is only one."""
    return (
        "There is one pair: the verdict and the table of pairs say which is better, and how certain that is."
        if len(subject.cube.systems) == TWO
        else None
    )


def compare_pair(subject: Subject, options: DrawOptions) -> Comparison:
    """The comparison of the chosen systems by the two metrics; tests are only run if a figure uses them."""
    compared, pair = _made_before(subject), pair_of(options.metrics or subject.cube.metrics)
    if compared is not None and compared.cube.metrics == pair and not options.systems:
        return compared
    cube = subject.only(pair or (), options.systems)
    return Comparison(cube, combined(cube, mean=subject.mean))


def _made_before(subject: Subject) -> Comparison | None:
    """The comparison that is there already, if it is about all systems and without a weight of its own."""
    made: Comparison | None = vars(subject).get("comparison")
    if subject.compared is not None or made is None:
        return subject.compared
    return made if made.cube is subject.cube and "alpha" not in subject.comparing else None
