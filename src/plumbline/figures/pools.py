"""The pool behind a subject: what is drawn of it, and where a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import ReportSection
from plumbline.truth.pools.inspection import Inspection
from plumbline.truth.pools.reported import pool_of, why_no_pool

if TYPE_CHECKING:
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

VIEWS: Final = ("ranked", "relations", "items")
"""What a pool needs of an alignment: whole lists, and which item is which."""
MOST_STEPS: Final = 10
"""Steps of an axis of ranks or counts."""
POOL: Final = ReportSection(
    "pool",
    95,
    "How far can the pool be trusted?",
    "Items that nobody judged count as not relevant. This shows how many there are, and what an unpooled system loses.",
)


def pooled(subject: Subject, _: DrawOptions) -> str | None:
    """Rankings are needed, and a gold that judges some of their items."""
    return why_no_pool(subject.outputs)


def inspection_of(subject: Subject) -> Inspection:
    """The inspection that is given, or that of the gold and the outputs."""
    return subject.result if isinstance(subject.result, Inspection) else pool_of(subject.outputs)


def whole_ticks(last: int) -> list[int]:
    """Whole numbers from 0 that divide an axis into a few steps."""
    step = next(step * 10**power for power in range(20) for step in (1, 2, 5) if step * 10**power * MOST_STEPS >= last)
    return list(range(0, last + 1, step))
