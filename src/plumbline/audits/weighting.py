"""Absolute weighting: does a parameter, and nothing else, decide whether accepting one item of each class more is better?"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.audits.judging import gains, posed, tolerance, verdicts
from plumbline.audits.scoring import scored
from plumbline.audits.subjects import Registered
from plumbline.errors import BadData

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.audits.constraints.constraint import Constraint
    from plumbline.audits.judging import Posed
    from plumbline.audits.scenes.scene import Scene
    from plumbline.audits.searching import Searched
    from plumbline.audits.subjects import Subject, Variant
    from plumbline.audits.verdict import Verdict

    Values = NDArray[np.float64]

NO_PARAMETER: Final = "it has no parameter"
NO_SWITCH: Final = "no parameter switches between better everywhere and worse everywhere"


def weighed(subjects: Sequence[Subject], constraint: Constraint, searched: Searched, scene: Scene) -> list[Verdict]:
    """A verdict for each subject; all its variants are scored in one evaluation."""
    outputs, (one,) = posed([(constraint, searched)])
    variants = [list(subject.variants()) for subject in subjects]
    every = {each.name: each for each in (*subjects, *(variant.subject for own in variants for variant in own))}
    known = [each for each in every.values() if isinstance(each, Registered) or each in subjects]
    values = scored(known, scene, outputs)
    for each in every.values():
        if each.name not in values:
            values |= _tried(each, scene, outputs)
    allowed = [[variant for variant in own if variant.subject.name in values] for own in variants]
    return [_verdict(subject, own, one, values, scene) for subject, own in zip(subjects, allowed, strict=True)]


def _tried(subject: Subject, scene: Scene, outputs: Sequence[Any]) -> dict[str, Values]:
    """The scores of a function with another value of a parameter; none if it does not take that value."""
    try:
        return scored([subject], scene, outputs)
    except BadData:
        return {}


def _verdict(subject: Subject, variants: list[Variant], one: Posed, values: dict[str, Values], scene: Scene) -> Verdict:
    found = verdicts(subject, one, values[subject.name], scene)
    decides = [_decides(list(group), one, values) for _, group in groupby(variants, key=lambda variant: variant.parameter)]
    told = next((words for words in decides if words), "")
    if told:
        return found(outcome="holds", reason=told)
    if not variants:
        return found(outcome="broken", reason=NO_PARAMETER)
    gain = gains(subject, one, values[subject.name])
    if np.isnan(gain).all():
        return found(outcome="cannot be told")
    least = tolerance(values[subject.name])
    elsewhere = bool((gain > least).any())
    return found(outcome="broken", broken_at=np.flatnonzero((gain <= least) & elsewhere), reason=NO_SWITCH)


def _signs(subject: Subject, one: Posed, values: dict[str, Values]) -> Values:
    own = values[subject.name]
    gain = gains(subject, one, own)
    return np.sign(np.where(np.abs(gain) <= tolerance(own), 0, gain))


def _decides(variants: list[Variant], one: Posed, values: dict[str, Values]) -> str:
    """Which values of a parameter make it worse everywhere and which better; nothing if some do neither."""
    signs = {variant.value: _signs(variant.subject, one, values) for variant in variants}
    signs = {value: found[~np.isnan(found)] for value, found in signs.items()}
    if any(len(set(found.tolist())) != 1 for found in signs.values()):
        return ""
    worse, better = ([value for value, found in signs.items() if found[0] == wanted] for wanted in (-1, 1))
    if not worse or not better:
        return ""
    order = ("worse", worse, "better", better) if worse[0] < better[0] else ("better", better, "worse", worse)
    return f"{variants[0].parameter}: {order[0]} up to {order[1][-1]:g}, {order[2]} from {order[3][0]:g} on"
