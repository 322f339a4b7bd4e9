"""Organizations of documents: every system's occurrences beside those of the gold, documents and clusters numbered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import polars as pl

from plumbline.align.alignment import Alignment
from plumbline.align.keys import recode
from plumbline.align.missing import missing_case_notices
from plumbline.align.reading_time import NOT_RELEVANT, RELEVANT, read_item_lengths, seconds
from plumbline.align.sides import Side, Sides
from plumbline.errors import BadData, Diagnostic, notices, table
from plumbline.schema import CASE, ITEM, LABEL, NUMBER, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.align.policy import Policy
    from plumbline.align.reading_time import Lengths
    from plumbline.io.table import Table

_LEVEL: Final = "level"
_CLUSTER: Final = "cluster"


@dataclass(frozen=True)
class GoldOrganization:
    """The gold's occurrences, with its cases and documents numbered."""

    label: str
    cases: list[str]
    docs: pl.DataFrame
    """`case, item, number`, a row for each document."""
    rows: pl.DataFrame
    """`case, level, cluster, number, label`, a row for each occurrence, in the order of cases and levels."""
    notices: tuple[Diagnostic, ...]


@dataclass(frozen=True, kw_only=True)
class AlignedOrganizations(Alignment):
    """All organizations against one gold."""

    task: ClassVar[str] = "organization"
    needs_gold: ClassVar[bool] = False
    """Reliability is defined also in a case in which the gold prioritises nothing."""
    gold: GoldOrganization
    sides_of_systems: tuple[Sides, ...]
    """Of each system; their lists are the cases."""
    documents: tuple[pl.DataFrame, ...]
    """The documents of each system by number; kept only where items are needed."""

    def sides(self, system: int, rel: float | None = None, *, finite: bool = False) -> Sides:  # noqa: ARG002 - those of rankings depend on them
        """The organizations of a system beside those of the gold."""
        return self.sides_of_systems[system]

    def documents_of_sides(self, system: int, rel: float | None = None, *, finite: bool = False) -> pl.Series:  # noqa: ARG002 - as above
        """The item of each document of these sides; only where items were kept."""
        return self.documents[system][ITEM]

    def prioritised_by_gold(self, rel: float | None = None) -> NDArray[np.bool_]:  # noqa: ARG002 - as above
        """Whether the gold prioritises anything, case by case."""
        return np.asarray(np.bincount(self.gold.rows[CASE].to_numpy(), minlength=len(self.cases)) > 0)


def prepare_organization(read: Table) -> GoldOrganization:
    """Number the cases and documents of the gold."""
    names = read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list()
    cases = names + [name for name in read.empty_cases if name not in set(names)]
    codes, _ = recode(read.frame[CASE], {name: code for code, name in enumerate(cases)})
    frame = read.frame.with_columns(pl.Series(CASE, codes))
    docs = frame.select(CASE, ITEM).unique(maintain_order=True).with_row_index(NUMBER).cast({NUMBER: pl.Int64})
    rows = _occurrences(frame.join(docs, on=[CASE, ITEM], how="left", maintain_order="left"))
    messages = [notices.empty_cases(read.label, list(read.empty_cases))] if read.empty_cases else []
    return GoldOrganization(read.label, cases, docs, rows, (*read.notices, *messages))


def _occurrences(frame: pl.DataFrame) -> pl.DataFrame:
    """Levels and clusters numbered from 0, levels in each case; an item without a cluster is one of its own."""
    level = pl.col(VALUE).rank("dense", descending=True).over(CASE).cast(pl.Int64) - 1
    named = pl.struct(CASE, LABEL).rank("dense").cast(pl.Int64)
    alone = pl.len() + pl.int_range(pl.len()) + 1
    cluster = pl.when(pl.col(LABEL).is_null()).then(alone).otherwise(named).rank("dense").cast(pl.Int64) - 1
    chosen = frame.with_columns(level.alias(_LEVEL), cluster.alias(_CLUSTER))
    return chosen.select(CASE, _LEVEL, _CLUSTER, NUMBER, LABEL).sort(CASE, _LEVEL, maintain_order=True)


def align_organization(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedOrganizations:
    """Align one organization after the other."""
    gold, policy = prepare_organization(gold_table), options.policy
    lengths = read_item_lengths(options.lengths, options.max_bytes)
    names: list[str] = []
    tags: list[str | None] = []
    sides, documents, missing, messages = [], [], [], list(gold.notices)
    for name, output in outputs:
        one = _align_one(gold, output, policy)
        sides.append(_sides(gold, one.rows, one.docs, lengths))
        documents += [one.docs] if options.items else []
        missing.append(one.missing)
        messages += [*output.notices, *one.notices]
        names.append(name)
        tags.append(output.tag)
    return AlignedOrganizations(
        gold=gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=policy,
        notices=tuple(messages),
        sides_of_systems=tuple(sides),
        documents=tuple(documents),
    )


@dataclass(frozen=True)
class _One:
    """A system's occurrences, all documents of both sides by number, and which cases it lacks."""

    rows: pl.DataFrame
    docs: pl.DataFrame
    missing: NDArray[np.bool_]
    notices: list[Diagnostic]


def _align_one(gold: GoldOrganization, read: Table, policy: Policy) -> _One:
    known = {case: code for code, case in enumerate(gold.cases)}
    codes, extra = recode(read.frame[CASE], known)
    frame = read.frame.with_columns(pl.Series(CASE, codes)).filter(pl.col(CASE) >= 0)
    if frame.is_empty() and not set(read.empty_cases) & set(known):
        raise BadData(table.no_common_case(read.label, gold.label, gold.cases, extra))
    documents = frame.select(CASE, ITEM).unique(maintain_order=True)
    new = documents.join(gold.docs, on=[CASE, ITEM], how="anti", maintain_order="left")
    numbered = new.with_row_index(NUMBER, offset=len(gold.docs)).cast({NUMBER: pl.Int64})
    docs = pl.concat([gold.docs, numbered.select(gold.docs.columns)])
    rows = _occurrences(frame.join(docs, on=[CASE, ITEM], how="left", maintain_order="left"))
    shown = np.bincount(rows[CASE].to_numpy(), minlength=len(gold.cases))
    messages = [notices.extra_cases(read.label, extra)] if extra else []
    return _One(
        rows,
        docs,
        np.asarray(shown == 0),
        messages + missing_case_notices(gold.cases, read.label, shown == 0, policy, read.empty_cases),
    )


def _sides(gold: GoldOrganization, rows: pl.DataFrame, docs: pl.DataFrame, lengths: Lengths | None) -> Sides:
    home = docs[CASE].to_numpy().astype(np.int64)
    spans = None
    if lengths is not None:
        prioritised = np.arange(len(docs)) < len(gold.docs)
        spans = seconds(lengths.of(docs[ITEM]), np.where(prioritised, RELEVANT, NOT_RELEVANT))
    return Sides(len(gold.cases), home, _side(rows, spans), _side(gold.rows, spans))


def _side(rows: pl.DataFrame, spans: NDArray[np.float64] | None) -> Side:
    lists, level, doc, cluster = (rows[name].to_numpy().astype(np.int64) for name in (CASE, _LEVEL, NUMBER, _CLUSTER))
    return Side(lists, level, doc, cluster, None if spans is None else spans[doc])
