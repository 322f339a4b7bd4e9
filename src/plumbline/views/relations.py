"""The relations view: Reliability and Sensitivity of all lists, and where they were lost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np

from plumbline.align.sides import completed
from plumbline.records import dataclass
from plumbline.views.discount import Discount, DiscountName, curve
from plumbline.views.weighing import Absent, weigh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.align.sides import Sides
    from plumbline.views.priority import Prioritised
    from plumbline.views.relatedness import Related

    Answer = Prioritised | Related

Numbers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""What `numpy.typing` calls an NDArray; hints of metrics are read, and that module is slow to import."""
Over = Literal["priority", "related"]
OverAny = Literal["both", "joint", "priority", "related"]
OverOne = Literal["joint", "priority", "related"]
"""What is one sum over relations; `both` is a mean of two."""
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
    tail_credit: YesOrNo = "true"
    absent: Absent = "unknown"
    rel: float | None = None
    """The grade from which an item of a ranking is prioritised by the gold."""

    @property
    def finite(self) -> bool:
        """Whether there is no tail."""
        return self.collection == "finite"

    @property
    def curve(self) -> Discount:
        """How the weight falls from one position to the next."""
        return curve(self.discount, self.n, self.w, self.weights)

    @property
    def curve_of_tail(self) -> Discount | None:
        """The same where there is a tail; in a finite collection all documents weigh the same."""
        return None if self.finite else self.curve


class Relations:
    """Answers for all lists, each computed once."""

    def __init__(self, parts: Callable[[Setting], Iterable[Sides]]) -> None:
        """`parts` gives the two sides of one system after the other."""
        self._parts = parts
        self._known: dict[tuple[OverOne, Setting, bool], tuple[Answer, Answer]] = {}

    def value(self, which: Which, over: OverAny, setting: Setting) -> Numbers:
        """For each list, NaN where it is undefined."""
        if over == "both":
            return self._both(which, setting)
        return _snapped(self._pair(over, setting)[which == "Sens"].value)

    def losses(self, which: Which, over: Over, setting: Setting) -> dict[str, Numbers]:
        """What is missing to 1, by cause."""
        answer = self._pair(over, setting, causes=True)[which == "Sens"]
        rest = 1.0 - answer.value - np.sum(answer.causes, axis=0)
        amounts = [np.where(np.abs(lost) < _ROUNDING, 0.0, lost) for lost in (*answer.causes, rest)]
        return dict(zip(CAUSES[which, over], amounts, strict=True))

    def _pair(self, over: OverOne, setting: Setting, *, causes: bool = False) -> tuple[Answer, Answer]:
        """Reliability and Sensitivity of all systems."""
        if (over, setting, causes) not in self._known:
            by_cause = {"priority": _priority, "related": _relatedness}
            ask = _joint if over == "joint" else partial(by_cause[over], causes=causes)
            parts = [ask(sides, setting) for sides in self._parts(setting)]
            self._known[over, setting, causes] = _joined([rel for rel, _ in parts]), _joined([sens for _, sens in parts])
        return self._known[over, setting, causes]

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
    total = first + second
    mean = np.divide(2.0 * first * second, total, out=np.full_like(total, np.nan), where=total > 0)
    return np.where((first == 0.0) | (second == 0.0), 0.0, mean)


def _priority(sides: Sides, setting: Setting, *, causes: bool) -> tuple[Answer, Answer]:
    from plumbline.views.priority import prioritised  # noqa: PLC0415 - rankings without Rel and Sens do not wait for it

    sides = _complete(sides, setting)
    weights = weigh(sides.x, sides.count, setting.curve_of_tail), weigh(sides.g, sides.count, setting.curve_of_tail)
    return prioritised(sides, weights, setting.absent, credit=setting.tail_credit == "true", causes=causes)


def _relatedness(sides: Sides, setting: Setting, *, causes: bool) -> tuple[Answer, Answer]:
    from plumbline.views.relatedness import related  # noqa: PLC0415 - the same

    first, second = (
        related(one, weigh(one.x, one.count, setting.curve_of_tail), causes=causes) for one in (sides, sides.swapped())
    )
    return first, second


def _joint(sides: Sides, setting: Setting) -> tuple[Answer, Answer]:
    """Both kinds in one sum: a document shares its weight among all that it is above, below or together with (section 3).

    The documents of the tail are alone, and each weighs nothing, so that only their priorities count.
    """
    from plumbline.views.priority import Prioritised, prioritised  # noqa: PLC0415 - the same
    from plumbline.views.relatedness import related  # noqa: PLC0415 - the same

    listed = [sides.sums(side, np.ones(len(side.doc))) > 0 for side in (sides.x, sides.g)]
    sides = _complete(sides, setting)
    weights = [weigh(side, sides.count, setting.curve_of_tail).together(side) for side in (sides.x, sides.g)]
    above = prioritised(sides, (weights[0], weights[1]), setting.absent, credit=setting.tail_credit == "true")
    first, second = (
        Prioritised(np.where(there, part.value + related(one, weighted, weighted.shared).value - weighted.tail, np.nan))
        for there, part, one, weighted in zip(listed, above, (sides, sides.swapped()), weights, strict=True)
    )
    return first, second


def _complete(sides: Sides, setting: Setting) -> Sides:
    """With all documents on both sides, where the collection is finite and those that a side lacks are at its end."""
    return completed(sides) if setting.finite and setting.absent == "tail" else sides


def _joined(parts: list[Answer]) -> Answer:
    """The answers of all systems, one after the other."""
    from plumbline.views.priority import Prioritised  # noqa: PLC0415 - the same

    causes = zip(*(part.causes for part in parts), strict=True)
    return Prioritised(np.concatenate([part.value for part in parts]), tuple(map(np.concatenate, causes)))
