"""Two metrics that make a trade-off."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final

from plumbline.comparison.combining import combined
from plumbline.comparison.comparison import Comparison
from plumbline.figures.reasons import NO_SCORES, TWO, never_both

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.figure import Asked
    from plumbline.figures.subject import Subject

KNOWN: Final = (("P", "R"), ("BCubedP", "BCubedR"), ("Rel", "Sens"), ("Purity", "InvPurity"))


def pair_of(metrics: Sequence[str]) -> tuple[str, str] | None:
    """The two metrics there are, those of an F that is there too, or two sides of a coin such as precision and recall."""
    if len(metrics) == TWO:
        return metrics[0], metrics[1]
    combinations = (pair for pair in permutations(metrics, TWO) if _is_combined(pair, metrics))
    known = (pair for pair in KNOWN if set(pair) <= set(metrics))
    return next(combinations, next(known, None))


def _is_combined(pair: tuple[str, ...], metrics: Sequence[str]) -> bool:
    start = f"F({','.join(pair)}"
    return any(name == f"{start})" or name.startswith(f"{start},alpha=") for name in metrics)


def without_pair(subject: Subject, asked: Asked) -> str | None:
    """Why there is no pair."""
    if not subject.has_values:
        return NO_SCORES
    metrics = asked.metrics or subject.cube.metrics
    pair = pair_of(metrics)
    return never_both(subject, pair) if pair else f"it needs two metrics, and there {_are(len(metrics))}: name two"


def _are(count: int) -> str:
    return "is one" if count == 1 else f"are {count}"


def of_pair(subject: Subject, asked: Asked) -> Comparison:
    """The comparison by the two metrics, of the chosen systems; nothing is tested until it is asked for."""
    compared, pair = subject.compared, pair_of(asked.metrics or subject.cube.metrics)
    if compared is not None and compared.cube.metrics == pair and not asked.systems:
        return compared
    cube = subject.only(pair or (), asked.systems)
    return Comparison(cube, combined(cube, mean=subject.mean))
