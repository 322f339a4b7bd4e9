"""Which systems are looked at where there is room for some of them: the best, and what they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.average import best_first
from plumbline.comparison.combining import HALF, combined
from plumbline.errors.base import plural
from plumbline.figures.parts import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.figures.subject import Subject


def leading(subject: Subject, systems: Sequence[str], most: int) -> tuple[str, ...]:
    """So many of these systems, best first; a baseline is always among them."""
    ordered, baseline = _ordered(subject, systems), _baseline(subject)
    return (*ordered[: most - 1], baseline) if baseline in ordered[most:] else tuple(ordered[:most])


def words_for(subject: Subject, kept: Sequence[str]) -> str:
    """Which systems those of `leading` are, where there are more."""
    baseline = _baseline(subject)
    best = [name for name in kept if name != baseline]
    also = "" if baseline is None or baseline not in kept else f" and {told([baseline])}"
    return f"the best {plural(len(best), 'system')}{also}"


def _ordered(subject: Subject, systems: Sequence[str]) -> list[str]:
    """By the score that a comparison goes by, for which nothing needs to be tested; those without one last."""
    if not subject.has_values:
        return list(systems)
    known, by = subject.compared, subject.comparing
    score = combined(subject.cube, float(by.get("alpha", HALF)), by.get("mean")) if known is None else known.score
    place = {subject.cube.systems[at]: number for number, at in enumerate(best_first(score.ranks))}
    return sorted(systems, key=lambda name: place.get(name, len(place)))


def _baseline(subject: Subject) -> str | None:
    """The system that the others are compared with."""
    return subject.comparing.get("baseline") if subject.compared is None else subject.compared.baseline
