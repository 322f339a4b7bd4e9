"""Tables that say what a figure shows, for those who cannot see it or want the numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.comparison.verdict import interval
from plumbline.errors.base import plural
from plumbline.figures.leading import leading, words_for
from plumbline.render.grid import number
from plumbline.reports.model import Entry, Heading, Table, table_of
from plumbline.schema import METRIC, SYSTEM, VALUE
from plumbline.tools.confusion import confusion
from plumbline.tools.losses import CAUSE, LOST, losses

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.figures.subject import Subject

MOST_MATRICES: Final = 12
"""Confusion matrices in a page."""


def leads(subject: Subject) -> list[Table]:
    """The alphas for which each system is the best of all."""
    found = subject.comparison
    if found is None or found.held is None:
        return []
    rows = tuple(
        (Entry(name), Entry(interval(low, high)), Entry(number(high - low), high - low))
        for name, low, high in found.leads.iter_rows()
    )
    heading = (Heading("system", numeric=False), Heading("best for", numeric=False), Heading("share of all alphas"))
    return [Table("leads", f"alpha is the weight of {found.cube.metrics[0]}", heading, rows)]


def matrices(subject: Subject) -> list[Table]:
    """The confusion matrix of each system, best first."""
    found = confusion(subject.gold, subject.systems, task=subject.task or "classification", **subject.options)
    shown = leading(subject, found.systems, MOST_MATRICES)
    rest = len(found.systems) - len(shown)
    made = [table_of(found.grid(name), f"confusion-{at}", folded=f"The counts of {name}") for at, name in enumerate(shown, 1)]
    kept = f"The page has the matrices of {words_for(subject, shown)}, by score"
    left_out = f"{kept}; those of {plural(rest, 'more system')} are left out."
    return [*made[:-1], replace(made[-1], notes=(left_out,))] if rest else made


def lost(subject: Subject) -> list[Table]:
    """What each system lost by each cause."""
    found = losses(subject.gold, subject.systems, task=subject.task or "organization", **subject.options).mean
    causes = found[CAUSE].unique(maintain_order=True).to_list()
    rows = []
    for (system, metric), own in found.group_by([SYSTEM, METRIC], maintain_order=True):
        by_cause = dict(own.select(CAUSE, LOST).iter_rows())
        amounts = (Entry(number(by_cause[cause]), by_cause[cause]) if cause in by_cause else Entry("") for cause in causes)
        value = own[VALUE][0]
        rows.append((Entry(str(system)), Entry(str(metric)), Entry(number(value), value), *amounts))
    heading = (Heading(SYSTEM, numeric=False), Heading(METRIC, numeric=False), Heading(VALUE), *map(Heading, causes))
    caption = "means over cases; value and what was lost add up to 1"
    return [Table("lost", caption, heading, tuple(rows), folded="What was lost, in numbers")]


TABLES: Final[dict[str, Callable[[Any], list[Table]]]] = {"leads": leads, "confusion": matrices, "losses": lost}
