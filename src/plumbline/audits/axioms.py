"""Verdicts about axioms: demands that have a condition, that some output must meet, or that one of several pairs must meet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.audits.judging import NO_PAIRS, margins, posed, tolerance, verdict_maker
from plumbline.audits.subjects import scored
from plumbline.audits.verdict import margin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from plumbline.audits.constraints.registry import Axiom, Constraint
    from plumbline.audits.judging import Posed, Values
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched
    from plumbline.audits.subjects import Subject
    from plumbline.audits.verdict import Verdict

    Flags = NDArray[np.bool_]

NO_CONDITION: Final = "its condition is met nowhere"
HALVINGS: Final = 60
"""How often the way between two outputs is halved."""
REACHED: Final = 1e-6
"""A score that is missed by less, in units of the largest, is reached."""
BEND: Final = 1e-6
"""Of three scores in a row, by how much the middle one may differ from the mean of its neighbours, twice: a curve of steps of
1e-4 bends less, a corner or a jump bends more."""


def judge_axiom(subjects: Sequence[Subject], constraint: Constraint, searched: Searched, scene: Scene) -> list[Verdict]:
    """A verdict for each subject."""
    outputs, (one,) = posed([(constraint, searched)])
    values = scored(subjects, scene, outputs)
    return [_verdict(subject, one, values[subject.name], scene) for subject in subjects]


def _verdict(subject: Subject, one: Posed, values: Values, scene: Scene) -> Verdict:
    made = verdict_maker(subject, one, values, scene)
    signed = -values if subject.better == "lower" else values
    known = ~np.isnan(signed[one.better] + signed[one.worse] + signed[one.given].sum(axis=1))
    if one.constraint.demand == "smooth":
        made, known = partial(made, undefined=0), np.ones_like(known)
    if not known.any():
        return made(outcome="undecided", reason="" if one.searched.pairs else NO_PAIRS)
    demand: Any = one.constraint.demand
    applies, wrong = _RULES[demand](subject, one, signed, known, scene)
    if not applies.any():
        return made(outcome="undecided", reason=NO_CONDITION)
    broken = np.flatnonzero(wrong)
    return made(outcome="broken" if len(broken) else "holds", broken_at=broken, idle=int((known & ~applies).sum()))


def _condition(one: Posed, signed: Values, *, equal: bool) -> Flags:
    """Whether all given outputs of a pair are equal, or as good as the next."""
    left, right = signed[one.given[:, ::2]], signed[one.given[:, 1::2]]
    least = margin(left, right, tolerance(one, signed))
    met = np.abs(left - right) <= least if equal else left - right >= -least
    return np.asarray(met.all(axis=1))


def _as_good(_: Subject, one: Posed, signed: Values, known: Flags, __: Scene) -> tuple[Flags, Flags]:
    applies = known & _condition(one, signed, equal=False)
    return applies, applies & (signed[one.better] - signed[one.worse] < -margins(one, signed))


def _equal(_: Subject, one: Posed, signed: Values, known: Flags, __: Scene) -> tuple[Flags, Flags]:
    applies = known & _condition(one, signed, equal=True)
    return applies, applies & (np.abs(signed[one.better] - signed[one.worse]) > margins(one, signed))


def _differs(_: Subject, one: Posed, signed: Values, known: Flags, __: Scene) -> tuple[Flags, Flags]:
    """Wrong are all pairs of a component that makes no difference in any."""
    differs = np.abs(signed[one.better] - signed[one.worse]) > margins(one, signed)
    component = np.array([pair.better[0] == pair.worse[0] for pair in one.searched.pairs])
    idle = [part for part in (component, ~component) if not (differs & part & known).any()]
    return known, known & np.logical_or.reduce([np.zeros_like(known), *idle])


def _some_of_each(_: Subject, one: Posed, signed: Values, known: Flags, __: Scene) -> tuple[Flags, Flags]:
    """The last pair of each output and component speaks for all of them."""
    better = signed[one.better] - signed[one.worse] > margins(one, signed)
    groups: dict[Any, list[int]] = {}
    for number, pair in enumerate(one.searched.pairs):
        if known[number]:
            groups.setdefault((pair.better, pair.worse[0] < pair.better[0]), []).append(number)
    applies, wrong = np.zeros_like(known), np.zeros_like(known)
    for numbers in groups.values():
        applies[numbers[-1]] = True
        wrong[numbers[-1]] = not better[numbers].any()
    return applies, wrong


def _smooth(_: Subject, one: Posed, signed: Values, known: Flags, __: Scene) -> tuple[Flags, Flags]:
    """Wrong are points without a score, and those where the line through three of them bends."""
    first, middle, last = signed[one.better], signed[one.given[:, 0]], signed[one.worse]
    return known, ~(np.abs(first - 2 * middle + last) <= BEND * np.maximum(1.0, np.abs(middle)))


def _reached(subject: Subject, one: Posed, signed: Values, known: Flags, scene: Scene) -> tuple[Flags, Flags]:
    """The way between two outputs is halved until the score on it is that of the given output, or jumps over it."""
    applies, wrong = known & _condition(one, signed, equal=False), np.zeros_like(known)
    close = REACHED * float(np.nanmax(np.abs(signed)))
    sign = -1.0 if subject.better == "lower" else 1.0
    for number in np.flatnonzero(applies):
        pair = one.searched.pairs[number]
        low, high, target = pair.worse, pair.better, signed[one.given[number, 1]]
        near = min(abs(signed[one.worse[number]] - target), abs(signed[one.better[number]] - target))
        for _ in range(HALVINGS):
            if not near > close:
                break
            middle = type(low)(*((a + b) / 2 for a, b in zip(low, high, strict=True)))
            (score,) = sign * scored([subject], scene, [middle])[subject.name]
            near = min(near, abs(score - target))
            low, high = (middle, high) if score < target else (low, middle)
        wrong[number] = near > close
    return applies, wrong


_RULES: Final[dict[Axiom, Callable[[Subject, Posed, Values, Flags, Scene], tuple[Flags, Flags]]]] = {
    "as good if as good": _as_good,
    "equal if equal": _equal,
    "reached": _reached,
    "differs somewhere": _differs,
    "better than some in each group": _some_of_each,
    "smooth": _smooth,
}
"""By what is demanded: to which pairs it applies, and which of these are wrong."""
