"""Organization: priorities, groups or both, in a finite collection or with a tail that nobody prioritised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.faces import either
from plumbline.tools.choose.advice import Pick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers, Matters

USUAL: Final = 30
"""The depth of the paper: so many positions carry most of the weight."""
_W: Final = 0.8

_ORDER: Final = ("over=priority",)
_GROUPS: Final = ("over=related",)
_KINDS: Final[Mapping[Matters, tuple[tuple[str, ...], ...]]] = {
    "order": (_ORDER,),
    "groups": (_GROUPS,),
    "both": ((), _ORDER, _GROUPS),
    "unknown": ((), _ORDER, _GROUPS),
}
"""The relations that are scored: each of them an F, without parameters all together."""

_SHARES: Final = (
    "Rel is the share of the output's statements that the gold makes too, Sens the share of the gold's that the output makes"
)
_APART: Final = (
    f"The output says which items go before others and which belong together. {_SHARES}. F(Rel,Sens) is one score over both "
    "kinds, low as soon as one fails; one score for each kind shows which."
)
_REASONS: Final[Mapping[Matters, str]] = {
    "order": f"What counts is which items go before others. {_SHARES}; items at one level say nothing about each other.",
    "groups": f"What counts is which items belong together. {_SHARES}; errors among the first items cost most.",
    "both": _APART,
    "unknown": _APART,
}
_EQUAL_GROUPS: Final = f"What counts is which items belong together. {_SHARES}; without a tail all items count the same."
_NO_FIXED: Final = (
    "They have no fixed score: a random output gets some relations right by chance. One that says little loses in Sens, one "
    "that says too much in Rel."
)
_EVERYTHING: Final = "Every item has a place, so all count the same, wherever they stand."
_LOSSES: Final = (
    f"Run {either('plumbline.losses', 'plumbline losses')} on the same files: it shows what was lost to wrong order, missing "
    "items, broken groups."
)


def pick(answers: Answers) -> Pick:
    """F(Rel,Sens) over what matters, weighed by the depth unless the collection is finite."""
    finite, matters = answers.collection == "finite", answers.matters
    n = USUAL if answers.depth is None else round(answers.depth)
    shared = ("collection=finite",) if finite else () if n == USUAL else (f"n={n}",)
    reason = _EQUAL_GROUPS if finite and matters == "groups" else _REASONS[matters]
    return Pick(
        "Reliability and Sensitivity",
        tuple(harmonic((*kind, *shared)) for kind in _KINDS[matters]),
        reason,
        _NO_FIXED,
        ("amigo2013",),
        (_EVERYTHING if finite else weighed(n), _LOSSES),
    )


def harmonic(parameters: tuple[str, ...]) -> str:
    """F(Rel,Sens) with the same parameters in both."""
    given = f"({','.join(parameters)})" if parameters else ""
    return f"F(Rel{given},Sens{given})"


def weighed(n: int) -> str:
    """What n means, in a sentence."""
    first = f"The first {n} positions carry" if n > 1 else "The first position carries"
    weights = either(f"plumbline.weights({n}, {_W:g})", f"plumbline weights --n {n} --w {_W:g}")
    return f"{first} {_W:g} of the weight: {weights} shows how much each of them counts."
