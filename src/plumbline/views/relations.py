"""The relations view: Reliability and Sensitivity of all lists, and where they were lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from plumbline.views.discount import DiscountName, curve
from plumbline.views.priority import Absent, Prioritised, prioritised
from plumbline.views.related import Related, related
from plumbline.views.weighing import completed, weigh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.align.sides import Sides

Numbers = NDArray[np.float64]
T = TypeVar("T", Prioritised, Related)
Over = Literal["priority", "related"]
OverBoth = Literal["both", "priority", "related"]
Collection = Literal["unlimited", "finite"]
YesOrNo = Literal["false", "true"]
Which = Literal["Rel", "Sens"]
KINDS: Final[tuple[Over, ...]] = get_args(Over)
CAUSES: Final[dict[tuple[Which, Over], tuple[str, ...]]] = {
    ("Rel", "priority"): ("extra item", "tied", "wrong order"),
    ("Rel", "related"): ("extra item", "merged cluster"),
    ("Sens", "priority"): ("missing item", "tied", "wrong order"),
    ("Sens", "related"): ("missing item", "broken cluster"),
}
"""What a relation can be wrong for; the last one takes what the others leave."""
_ROUNDING: Final = 1e-13


@dataclass(frozen=True)
class Setting:
    """How relations are weighed and judged."""

    collection: Collection = "unlimited"
    n: int = 30
    w: float = 0.8
    discount: DiscountName = "inverse_square"
    weights: str | None = None
    tail_credit: YesOrNo = "false"
    absent: Absent = "unknown"
    rel: float | None = None
    """The grade from which an item of a ranking is prioritised by the gold."""

    @property
    def finite(self) -> bool:
        """Whether there is no tail."""
        return self.collection == "finite"


class Relations:
    """Answers for all lists, each computed once."""

    def __init__(self, parts: Callable[[Setting], Iterable[Sides]]) -> None:
        """`parts` gives the two sides of one system after the other."""
        self._parts = parts
        self._priority: dict[Setting, tuple[Prioritised, Prioritised]] = {}
        self._related: dict[Setting, tuple[Related, Related]] = {}

    def value(self, which: Which, over: OverBoth, setting: Setting) -> Numbers:
        """For each list, not a number where it is undefined."""
        if over == "both":
            return self._both(which, setting)
        return _snapped(self._pair(over, setting)[which == "Sens"].value)

    def losses(self, which: Which, over: Over, setting: Setting) -> dict[str, Numbers]:
        """What is missing to 1, by cause."""
        found = self._pair(over, setting)[which == "Sens"]
        known = [found.absent, *([found.tied] if isinstance(found, Prioritised) else [])]
        rest = 1.0 - found.value - np.sum(known, axis=0)
        amounts = [np.where(np.abs(lost) < _ROUNDING, 0.0, lost) for lost in (*known, rest)]
        return dict(zip(CAUSES[which, over], amounts, strict=True))

    def _pair(self, over: Over, setting: Setting) -> tuple[Prioritised, Prioritised] | tuple[Related, Related]:
        if over == "priority":
            if setting not in self._priority:
                self._priority[setting] = _joined([_priority(sides, setting) for sides in self._parts(setting)])
            return self._priority[setting]
        if setting not in self._related:
            self._related[setting] = _joined([_relatedness(sides, setting) for sides in self._parts(setting)])
        return self._related[setting]

    def _both(self, which: Which, setting: Setting) -> Numbers:
        """The harmonic mean of both kinds of relations; a kind that neither side asserts is left out."""
        at = which == "Sens"
        pairs = [self._pair(over, setting) for over in ("priority", "related")]
        first, second = (_snapped(pair[at].value) for pair in pairs)
        unasserted = [np.isnan(pair[0].value) & np.isnan(pair[1].value) for pair in pairs]
        return np.where(unasserted[0], second, np.where(unasserted[1], first, _harmonic(first, second)))


def _snapped(values: Numbers) -> Numbers:
    """Weights add up to 1 only to the last digits; an output without a fault is to score 1, not a little more or less."""
    return np.where(np.abs(values - 1.0) < _ROUNDING, 1.0, values)


def _harmonic(first: Numbers, second: Numbers) -> Numbers:
    """0 if one is 0, even if the other is undefined."""
    whole = first + second
    mean = np.divide(2.0 * first * second, whole, out=np.full_like(whole, np.nan), where=whole > 0)
    return np.where((first == 0.0) | (second == 0.0), 0.0, mean)


def _priority(sides: Sides, setting: Setting) -> tuple[Prioritised, Prioritised]:
    if setting.finite and setting.absent == "tail":
        sides = completed(sides)
    falling = None if setting.finite else curve(setting.discount, setting.n, setting.w, setting.weights)
    weights = weigh(sides.x, sides.count, falling), weigh(sides.g, sides.count, falling)
    return prioritised(sides, weights, setting.absent, credit=setting.tail_credit == "true")


def _relatedness(sides: Sides, setting: Setting) -> tuple[Related, Related]:
    falling = None if setting.finite else curve(setting.discount, setting.n, setting.w, setting.weights)
    swapped = sides.swapped()
    return related(sides, weigh(sides.x, sides.count, falling)), related(swapped, weigh(swapped.x, sides.count, falling))


def _joined(parts: list[tuple[T, T]]) -> tuple[T, T]:
    """The answers of all systems, one after the other."""
    return _concatenated([first for first, _ in parts]), _concatenated([second for _, second in parts])


def _concatenated(parts: list[T]) -> T:
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    return type(parts[0])(*(np.concatenate(column) for column in columns))
