"""From the scores of small outputs to verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.audits.constraints.registry import THRESHOLDS
from plumbline.audits.subjects import Registered, scored
from plumbline.audits.verdict import TOLERANCE, Verdict, margin
from plumbline.errors import BadData

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.audits.constraints.registry import Constraint
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched
    from plumbline.audits.subjects import Subject, Variant

    Values = NDArray[np.float64]
    Places = NDArray[np.int64]

NOTHING: Final = 1e-12
"""Where no score of a constraint is larger, all of them are 0 but for rounding."""
PARTITIONS_ONLY: Final = "it is defined for partitions only"
ONE_LABEL: Final = "it is defined for one label per item only"
NO_PAIRS: Final = "the budget does not reach its smallest pairs"
FEW_SIZES: Final = "the budget does not reach n = {}"
NO_END: Final = "the score is undefined at the largest n"
NO_PARAMETER: Final = "it has no parameter"
NO_SWITCH: Final = "no parameter switches between better everywhere and worse everywhere"


@dataclass(frozen=True)
class Posed:
    """A constraint with the pairs that are tried, and where the two outputs of each are among all outputs."""

    constraint: Constraint
    searched: Searched
    better: Places
    worse: Places
    given: Places
    """A row for each pair: where the outputs of its condition are."""


def posed(tasks: Sequence[tuple[Constraint, Searched]]) -> tuple[list[Any], list[Posed]]:
    """Every output of all pairs once, since one evaluation scores them all."""
    numbers: dict[Any, int] = {}
    every = []
    for constraint, searched in tasks:
        sides = [(pair.better, pair.worse) for pair in searched.pairs]
        places = [[numbers.setdefault(output, len(numbers)) for output in pair] for pair in sides]
        better, worse = np.array(places, dtype=np.int64).reshape(-1, 2).T
        conditions = [[output for both in pair.given for output in both] for pair in searched.pairs]
        given = [[numbers.setdefault(output, len(numbers)) for output in condition] for condition in conditions]
        width = len(given[0]) if given else 0
        every.append(Posed(constraint, searched, better, worse, np.array(given, dtype=np.int64).reshape(len(given), width)))
    return list(numbers), every


def judge(subjects: Sequence[Subject], tasks: Sequence[tuple[Constraint, Searched]], scene: Scene) -> list[Verdict]:
    """A verdict for each constraint and subject; all scores are made in one evaluation."""
    outputs, every = posed(tasks)
    overlapping = any(constraint.overlapping for constraint, _ in tasks)
    able = [subject for subject in subjects if subject.overlaps or not overlapping]
    values = scored(able, scene, outputs)
    nothing = np.full(len(outputs), np.nan)
    return [verdict(subject, one, values.get(subject.name, nothing), scene) for one in every for subject in subjects]


def tolerance(one: Posed, values: Values) -> float:
    """What two small scores differ by if only by rounding: a share of the unit, which is 1, or the largest score below it.

    Only the pairs of the constraint count, so that a verdict does not depend on which others are asked for.
    """
    scores = np.abs(values[np.concatenate([one.better, one.worse, one.given.ravel()])])
    largest = float(np.nanmax(scores, initial=0.0))
    return TOLERANCE * (min(largest, 1.0) if largest > NOTHING else 1.0)


def margins(one: Posed, values: Values) -> Values:
    """What the two scores of each pair differ by if only by rounding."""
    return margin(values[one.better], values[one.worse], tolerance(one, values))


def gains(subject: Subject, one: Posed, values: Values) -> Values:
    """By how much the first output of each pair is better than the second."""
    difference = values[one.better] - values[one.worse]
    return -difference if subject.better == "lower" else difference


def verdict(subject: Subject, one: Posed, values: Values, scene: Scene) -> Verdict:
    """The verdict about one subject and one constraint."""
    gain = gains(subject, one, values)
    made = verdict_maker(subject, one, values, scene)
    demand = one.constraint.demand
    if reason := _unknown(subject, one):
        return made(outcome="undecided", reason=reason)
    if demand == "defined":
        return _unless(np.isnan(gain), partial(made, undefined=0))
    if np.isnan(gain).all():
        return made(outcome="undecided")
    least = margins(one, values)
    if demand in THRESHOLDS:
        check = _from_some_size_on if demand == "from some size on" else _at_some_size
        return check(np.where(np.isnan(gain), np.nan, gain > least), one, made)
    return _unless(np.abs(gain) > least if demand == "equal" else gain <= least, made)


def _unknown(subject: Subject, one: Posed) -> str:
    """Why the constraint cannot be decided, whatever the scores."""
    if one.constraint.overlapping and not subject.overlaps:
        return ONE_LABEL if one.constraint.task == "classification" else PARTITIONS_ONLY
    return "" if one.searched.pairs else NO_PAIRS


def verdict_maker(subject: Subject, one: Posed, values: Values, scene: Scene) -> Callable[..., Verdict]:
    """Makes verdicts about a subject and a constraint: what is the same in all of them is bound."""
    better, worse = values[one.better], values[one.worse]
    given = values[one.given]
    unknown, least = int(np.isnan(better - worse + given.sum(axis=1)).sum()), tolerance(one, values)
    bound = partial(Verdict, subject.name, one.constraint, one.searched, scene, better, worse)
    return partial(bound, undefined=unknown, tolerance=least, given=given)


def _unless(wrong: NDArray[np.bool_], made: Callable[..., Verdict]) -> Verdict:
    broken = np.flatnonzero(wrong)
    return made(outcome="broken" if len(broken) else "holds", broken_at=broken)


def _from_some_size_on(right: Values, one: Posed, made: Callable[..., Verdict]) -> Verdict:
    """The last sizes that fail, up to the largest, are the counterexample; what is undefined before the end fails."""
    sizes = [pair.size for pair in one.searched.pairs]
    if sizes[-1] < one.constraint.largest:
        return made(outcome="undecided", reason=FEW_SIZES.format(one.constraint.largest))
    if np.isnan(right[-1]):
        return made(outcome="undecided", reason=NO_END)
    other = np.flatnonzero(right != right[-1])
    start = int(other[-1]) + 1 if len(other) else 0
    if right[-1]:
        return made(outcome="holds", size=sizes[start])
    return made(outcome="broken", broken_at=np.arange(start, len(sizes)), size=sizes[start])


def _at_some_size(right: Values, one: Posed, made: Callable[..., Verdict]) -> Verdict:
    sizes = [pair.size for pair in one.searched.pairs]
    better = np.flatnonzero(right == 1)
    if len(better):
        return made(outcome="holds", size=sizes[better[0]])
    if sizes[-1] < one.constraint.largest:
        return made(outcome="undecided", reason=FEW_SIZES.format(one.constraint.largest))
    return _unless(right == 0, made)


def judge_weighting(subjects: Sequence[Subject], constraint: Constraint, searched: Searched, scene: Scene) -> list[Verdict]:
    """Verdicts about absolute weighting: whether a parameter, and nothing else, decides what is better.

    All variants of a subject are scored in one evaluation.
    """
    outputs, (one,) = posed([(constraint, searched)])
    variants = [list(subject.variants()) for subject in subjects]
    every = {each.name: each for each in (*subjects, *(variant.subject for tried in variants for variant in tried))}
    known = [each for each in every.values() if isinstance(each, Registered) or each in subjects]
    values = scored(known, scene, outputs)
    for each in every.values():
        if each.name not in values:
            values |= _tried(each, scene, outputs)
    allowed = [[variant for variant in tried if variant.subject.name in values] for tried in variants]
    return [_weighting_verdict(subject, tried, one, values, scene) for subject, tried in zip(subjects, allowed, strict=True)]


def _tried(subject: Subject, scene: Scene, outputs: Sequence[Any]) -> dict[str, Values]:
    """The scores of a function with another value of a parameter; none if it does not take that value."""
    try:
        return scored([subject], scene, outputs)
    except BadData:
        return {}


def _weighting_verdict(
    subject: Subject, variants: list[Variant], one: Posed, values: dict[str, Values], scene: Scene
) -> Verdict:
    made = verdict_maker(subject, one, values[subject.name], scene)
    decides = [_decides(list(group), one, values) for _, group in groupby(variants, key=lambda variant: variant.parameter)]
    reason = next((words for words in decides if words), "")
    if reason:
        return made(outcome="holds", reason=reason)
    if not variants:
        return made(outcome="broken", reason=NO_PARAMETER)
    gain = gains(subject, one, values[subject.name])
    if np.isnan(gain).all():
        return made(outcome="undecided")
    least = margins(one, values[subject.name])
    elsewhere = bool((gain > least).any())
    return made(outcome="broken", broken_at=np.flatnonzero((gain <= least) & elsewhere), reason=NO_SWITCH)


def _signs(subject: Subject, one: Posed, values: dict[str, Values]) -> Values:
    scores = values[subject.name]
    gain = gains(subject, one, scores)
    return np.sign(np.where(np.abs(gain) <= margins(one, scores), 0, gain))


def _decides(variants: list[Variant], one: Posed, values: dict[str, Values]) -> str:
    """Which values of a parameter make it worse everywhere and which better; nothing if some do neither."""
    signs = {variant.value: _signs(variant.subject, one, values) for variant in variants}
    known = {value: signs_here[~np.isnan(signs_here)] for value, signs_here in signs.items()}
    if any(len(set(one_sign.tolist())) != 1 for one_sign in known.values()):
        return ""
    worse, better = ([value for value, one_sign in known.items() if one_sign[0] == wanted] for wanted in (-1, 1))
    if not worse or not better:
        return ""
    order = ("worse", worse, "better", better) if worse[0] < better[0] else ("better", better, "worse", worse)
    return f"{variants[0].parameter}: {order[0]} up to {order[1][-1]:g}, {order[2]} from {order[3][0]:g} on"
