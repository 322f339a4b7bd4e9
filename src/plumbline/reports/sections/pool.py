"""How far the pool behind rankings can be trusted: sentences, figures, and what is judged of each system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.figures.pools import POOL
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import Subject
from plumbline.render.grid import number, percent
from plumbline.reports.model import Entry, Heading, Notice, Notices, Paragraph, Points, Section, Table
from plumbline.reports.sections import drawn
from plumbline.schema import METRIC, SYSTEM
from plumbline.truth.pools.inspection import change
from plumbline.truth.pools.reported import pool_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.truth.pools.inspection import Inspection

PICTURES: Final = ("judged", "pool_depth")
TABLE: Final = "pool"


def section(subject: Subject, teams: Mapping[str, str]) -> Section | None:
    """What an inspection of the pool says; None if there are no rankings, or nothing of them is judged."""
    if not subject.has_outputs or not FIGURES["judged"].applies(subject):
        return None
    inspection = pool_of(subject.outputs, teams)
    alone = Subject(result=inspection)
    pictures = [picture for name in PICTURES if (picture := drawn.picture(alone, name)) is not None]
    known = subject.all_notices
    notices = tuple(
        Notice(one.code, one.headline().replace(f"{one.code} ", "", 1), one.help or "")
        for one in inspection.notices
        if one not in known
    )
    remarks = (Notices(notices),) if notices else ()
    return Section(
        POOL.name,
        drawn.title(POOL, subject),
        (Paragraph(drawn.text(POOL, subject)), Points(inspection.sentences), *remarks, *pictures, table_of_systems(inspection)),
    )


def table_of_systems(inspection: Inspection) -> Table:
    """A row for each system: what is judged of it, what it found alone, and its values without that."""
    metrics = inspection.left_out[METRIC].unique(maintain_order=True).to_list()
    kind = "team" if "team" in inspection.left_out["left_out"] else "system"
    without: dict[str, dict[str, dict[str, Any]]] = {}
    for row in inspection.left_out.filter(pl.col("left_out") == kind).iter_rows(named=True):
        without.setdefault(row[SYSTEM], {})[row[METRIC]] = row
    rows = tuple(_row(one, without.get(one[SYSTEM], {}), metrics, kind) for one in inspection.systems.iter_rows(named=True))
    heading = (
        Heading(SYSTEM, numeric=False),
        *([Heading("team", numeric=False)] if kind == "team" else []),
        Heading("judged@10", "the judged share of its first ten items"),
        Heading("judged", "the judged share of all its items"),
        Heading("first unjudged", "the median rank of the first item that was not judged"),
        Heading("alone", f"judged items that only the {kind} brought into the pool", optional=True),
        Heading("relevant alone", "how many of them are relevant", optional=True),
        *(
            Heading(f"{metric} without", f"the value if these had not been judged, and its change of {metric}")
            for metric in metrics
        ),
    )
    owner = "its team" if kind == "team" else "it"
    caption = f"What is judged of each system, what {owner} alone brought into the pool, and its values without that"
    return Table(TABLE, caption, heading, rows)


def _row(one: dict[str, Any], without: dict[str, dict[str, Any]], metrics: list[str], kind: str) -> tuple[Entry, ...]:
    counts = next(iter(without.values()), {})
    return (
        Entry(one[SYSTEM]),
        *([Entry(one["team"])] if kind == "team" else []),
        *(Entry(percent(one[name]), one[name]) for name in ("judged@10", "judged")),
        Entry("" if one["first_unjudged"] is None else f"{one['first_unjudged']:g}", one["first_unjudged"]),
        *(Entry(f"{counts[name]:,}", float(counts[name])) if counts else Entry("") for name in ("unique", "unique_relevant")),
        *(_value(without.get(metric)) for metric in metrics),
    )


def _value(row: dict[str, Any] | None) -> Entry:
    """A value without what the system brought alone, and by how much it changed."""
    if row is None or row["without"] is None:
        return Entry(number(None))
    aside = change(row["value"], row["without"]) if row["value"] else ""
    return Entry(number(row["without"]), row["without"], aside=aside)
