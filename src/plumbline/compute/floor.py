"""The floor: outputs that ignore the gold, scored as further systems.

A task that has a floor has one function `floor(aligned, measures, rate)` that returns a `Floor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from plumbline.align.alignment import Alignment
from plumbline.compute.computed import Computed
from plumbline.errors import BadUsage, usage
from plumbline.lazily import pl
from plumbline.schema import LIST

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure

A = TypeVar("A", bound=Alignment)
In_contra = TypeVar("In_contra", bound=Alignment, contravariant=True)

EVEN: Final = 0.5
"""The probability at which a random filter accepts an item, unless another is given."""


@dataclass(frozen=True)
class Floor:
    """The values of outputs that ignore the gold."""

    values: dict[str, pl.DataFrame]
    """For each baseline `list` and a column for each measure; its lists are the cases of the gold."""
    notices: tuple[Diagnostic, ...] = ()


class FloorFunction(Protocol[In_contra]):
    """Scores the baselines of a task; `rate` is the probability at which a random filter accepts an item."""

    def __call__(self, aligned: In_contra, measures: list[Measure], rate: float, /) -> Floor:
        """The floor of these measures."""
        ...


def with_floor(
    aligned: A, computed: Computed, floor: FloorFunction[A], rate: float | None = None
) -> tuple[A, Computed, list[str]]:
    """The alignment and the values with the baselines as further systems, and the names of these."""
    chosen = EVEN if rate is None else rate
    if not 0 <= chosen <= 1:
        raise BadUsage(usage.bad_option("floor_rate", f"{chosen:g}", ["a number between 0 and 1"]))
    baselines = floor(aligned, computed.measures, chosen)
    names = [f"[{name}]" for name in baselines.values]
    first = len(aligned.systems)
    values = [
        values.with_columns(pl.col(LIST) + (first + number) * len(aligned.cases))
        for number, values in enumerate(baselines.values.values())
    ]
    columns = [LIST, *(measure.name for measure in computed.measures)]
    both = pl.concat([part.select(columns) for part in (computed.values, *values)], how="vertical_relaxed")
    notices = (*computed.notices, *baselines.notices)
    return aligned.with_systems(names), Computed(both, computed.measures, notices), names
