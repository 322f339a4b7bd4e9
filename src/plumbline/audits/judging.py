"""From the scores of small outputs to verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.audits.constraints.constraint import THRESHOLDS
from plumbline.audits.scoring import scored
from plumbline.audits.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.audits.constraints.constraint import Constraint
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched
    from plumbline.audits.subjects import Subject

    Values = NDArray[np.float64]
    Places = NDArray[np.int64]

TOLERANCE: Final = 1e-9
"""Scores that differ by less than this share of the largest are equal but for rounding."""
PARTITIONS_ONLY: Final = "it is defined for partitions only"
NO_PAIRS: Final = "the budget does not reach its smallest pairs"
FEW_SIZES: Final = "the budget does not reach n = {}"
NO_END: Final = "the score is undefined at the largest n"


@dataclass(frozen=True)
class Posed:
    """A constraint with the pairs that are tried, and where the two outputs of each are among all outputs."""

    constraint: Constraint
    searched: Searched
    better: Places
    worse: Places


def posed(tasks: Sequence[tuple[Constraint, Searched]]) -> tuple[list[Any], list[Posed]]:
    """Every output of all pairs once, since one evaluation scores them all."""
    numbers: dict[Any, int] = {}
    found = []
    for constraint, searched in tasks:
        sides = [(pair.better, pair.worse) for pair in searched.pairs]
        places = [[numbers.setdefault(output, len(numbers)) for output in pair] for pair in sides]
        better, worse = np.array(places, dtype=np.int64).reshape(-1, 2).T
        found.append(Posed(constraint, searched, better, worse))
    return list(numbers), found


def judged(subjects: Sequence[Subject], tasks: Sequence[tuple[Constraint, Searched]], scene: Scene) -> list[Verdict]:
    """A verdict for each constraint and subject; all scores are made in one evaluation."""
    outputs, every = posed(tasks)
    overlapping = any(constraint.overlapping for constraint, _ in tasks)
    able = [subject for subject in subjects if subject.overlaps or not overlapping]
    values = scored(able, scene, outputs)
    nothing = np.full(len(outputs), np.nan)
    return [verdict(subject, one, values.get(subject.name, nothing), scene) for one in every for subject in subjects]


def tolerance(values: Values) -> float:
    """What two scores of a metric differ by if only by rounding, whatever its unit."""
    known = np.abs(values[~np.isnan(values)])
    return TOLERANCE * (float(known.max()) if known.any() else 1.0)


def gains(subject: Subject, one: Posed, values: Values) -> Values:
    """By how much the first output of each pair is better than the second."""
    difference = values[one.better] - values[one.worse]
    return -difference if subject.better == "lower" else difference


def verdict(subject: Subject, one: Posed, values: Values, scene: Scene) -> Verdict:
    """Of one subject."""
    gain = gains(subject, one, values)
    found = verdicts(subject, one, values, scene)
    demand = one.constraint.demand
    if reason := _unknown(subject, one):
        return found(outcome="cannot be told", reason=reason)
    if demand == "defined":
        return _unless(np.isnan(gain), partial(found, undefined=0))
    if np.isnan(gain).all():
        return found(outcome="cannot be told")
    least = tolerance(values)
    if demand in THRESHOLDS:
        judge = _from_some_size_on if demand == "from some size on" else _at_some_size
        return judge(np.where(np.isnan(gain), np.nan, gain > least), one, found)
    return _unless(np.abs(gain) > least if demand == "equal" else gain <= least, found)


def _unknown(subject: Subject, one: Posed) -> str:
    """Why nothing can be told, whatever the scores."""
    if one.constraint.overlapping and not subject.overlaps:
        return PARTITIONS_ONLY
    return "" if one.searched.pairs else NO_PAIRS


def verdicts(subject: Subject, one: Posed, values: Values, scene: Scene) -> Callable[..., Verdict]:
    """What is the same in every verdict about a subject and a constraint."""
    better, worse = values[one.better], values[one.worse]
    unknown, least = int(np.isnan(better - worse).sum()), tolerance(values)
    found = partial(Verdict, subject.name, one.constraint, one.searched, scene, better, worse)
    return partial(found, undefined=unknown, tolerance=least)


def _unless(wrong: NDArray[np.bool_], found: Callable[..., Verdict]) -> Verdict:
    broken = np.flatnonzero(wrong)
    return found(outcome="broken" if len(broken) else "holds", broken_at=broken)


def _from_some_size_on(right: Values, one: Posed, found: Callable[..., Verdict]) -> Verdict:
    """The last sizes that fail, up to the largest, are the counterexample; what is undefined before the end fails."""
    sizes = [pair.size for pair in one.searched.pairs]
    if sizes[-1] < one.constraint.largest:
        return found(outcome="cannot be told", reason=FEW_SIZES.format(one.constraint.largest))
    if np.isnan(right[-1]):
        return found(outcome="cannot be told", reason=NO_END)
    other = np.flatnonzero(right != right[-1])
    start = int(other[-1]) + 1 if len(other) else 0
    if right[-1]:
        return found(outcome="holds", size=sizes[start])
    return found(outcome="broken", broken_at=np.arange(start, len(sizes)), size=sizes[start])


def _at_some_size(right: Values, one: Posed, found: Callable[..., Verdict]) -> Verdict:
    sizes = [pair.size for pair in one.searched.pairs]
    better = np.flatnonzero(right == 1)
    if len(better):
        return found(outcome="holds", size=sizes[better[0]])
    if sizes[-1] < one.constraint.largest:
        return found(outcome="cannot be told", reason=FEW_SIZES.format(one.constraint.largest))
    return _unless(right == 0, found)
