"""Every extractor reduced to what metrics need: spans of numbered documents and types, each once and in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import polars as pl

from plumbline.align.alignment import Alignment
from plumbline.align.keys import recode
from plumbline.align.missing import missing_case_notices
from plumbline.align.same_texts import check_same_texts
from plumbline.align.slots import placed_relations, placed_slots, raw_columns, shape_of
from plumbline.align.span_side import Side
from plumbline.errors import BadData, Place, files, notices, slots, spans, table
from plumbline.schema import CASE, END, ONLY_CASE, START, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.errors import Diagnostic
    from plumbline.io.documents import Documents
    from plumbline.io.table import Table

    Integers = NDArray[np.int64]

_FEW: Final = 2
"""From so many documents on, it matters whether they count alike."""


@dataclass(frozen=True, eq=False)
class GoldSpans:
    """The gold: its cases, its documents, and what was noticed about it."""

    label: str
    cases: list[str]
    notices: tuple[Diagnostic, ...]
    documents: list[str]
    """The names of all documents; the cases, unless these are pooled."""
    about: Documents | None
    """Lengths and texts, where the file has them."""


@dataclass(frozen=True, kw_only=True)
class AlignedSpans(Alignment):
    """All extractors against one gold."""

    task: ClassVar[str] = "extraction"
    gold: GoldSpans
    classes: tuple[str, ...]
    """Every type that the gold or a system has, in alphabetical order."""
    wanted: Side
    given: tuple[Side, ...]
    """The spans of each system, in documents of the gold."""
    pooled: bool
    shape: str = "spans"
    """What was extracted: spans, slots (fields of records) or relations."""
    fillers: tuple[str, ...] = ()
    """Of slots and relations: all values, or all pairs of ends."""
    counts: Mapping[tuple[str, float], pl.DataFrame] | None = None
    """What was counted part by part, by the way of matching: then the spans of systems are some of all."""

    @cached_property
    def case_of(self) -> Integers:
        """The case of each document."""
        count = len(self.gold.documents)
        return np.zeros(count, dtype=np.int64) if self.pooled else np.arange(count)


def align_extraction(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedSpans:
    """Align one extractor after the other; documents that the gold lacks are left out."""
    documents = _documents(gold_table)
    codes = {name: code for code, name in enumerate(documents)}
    kinds: dict[str, int] = {}
    shape, fillers = shape_of(gold_table.frame), dict[str, int]()
    wanted, repeated = _side(gold_table, gold_table.label, codes, kinds, fillers)
    messages = [*gold_table.notices, *repeated]
    if not options.pooled and len(documents) >= _FEW:
        messages.append(spans.document_means(len(documents)))
    gold = GoldSpans(gold_table.label, documents, tuple(messages), documents, gold_table.documents)
    names, tags, given, missing = [], [], [], []
    for name, output in outputs:
        if shape_of(output.frame) != shape and len(output.frame):
            raise BadData(slots.other_shape(Place(output.label), shape_of(output.frame), shape, gold.label))
        check_same_texts(gold.label, codes, gold_table.documents, output)
        side, repeated = _side(output, gold.label, codes, kinds, fillers)
        absent, about_cases = _absent(gold, output, codes, side, options)
        messages += [*output.notices, *about_cases, *repeated]
        names.append(name)
        tags.append(output.tag)
        given.append(side)
        missing.append(np.zeros(1, dtype=np.bool_) if options.pooled else absent)
    classes, number = _alphabetical(kinds)
    names_of_fillers = tuple(fillers)
    if shape == "slots":
        wanted, given = placed_slots(wanted, given)
    if shape == "relations":
        names_of_fillers, ends = _alphabetical(fillers)
        wanted, given = placed_relations(
            _renumbered(wanted, number, ends), [_renumbered(side, number, ends) for side in given], names_of_fillers
        )
        number = np.arange(len(classes))
    return AlignedSpans(
        gold=replace(gold, cases=[ONLY_CASE]) if options.pooled else gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=options.policy,
        notices=tuple(messages),
        classes=classes,
        wanted=_renumbered(wanted, number),
        given=tuple(_renumbered(side, number) for side in given),
        pooled=options.pooled,
        shape=shape,
        fillers=names_of_fillers,
    )


def _documents(read: Table) -> list[str]:
    if read.documents is not None:
        return read.documents.names
    if read.frame.is_empty():
        raise BadData(files.no_data(read.label))
    return [*read.frame[CASE].unique(maintain_order=True).cast(pl.String).to_list(), *read.empty_cases]


def _side(
    read: Table, gold: str, codes: dict[str, int], kinds: dict[str, int], fillers: dict[str, int]
) -> tuple[Side, list[Diagnostic]]:
    """The spans in documents of the gold, each once, with types numbered in the order in which they occur.

    Fields have their record and their value in place of a start and an end until all outputs are known.
    """
    document, extra = _document_codes(read, codes)
    if extra and not (document >= 0).any():
        raise BadData(table.no_common_case(read.label, gold, list(codes), extra))
    labels = read.frame[VALUE].cast(pl.Categorical)
    distinct = labels.unique(maintain_order=True)
    physical = distinct.to_physical().to_numpy()
    lookup = np.zeros(int(physical.max(initial=0)) + 1, dtype=np.int64)
    for place, kind in zip(physical.tolist(), distinct.cast(pl.String).to_list(), strict=True):
        lookup[place] = kinds.setdefault(kind, len(kinds))
    kind = lookup[labels.to_physical().to_numpy()]
    if shape_of(read.frame) == "spans":
        start, end = read.frame[START].to_numpy(), read.frame[END].to_numpy()
    else:
        start, end = raw_columns(read.frame, fillers)
    side = Side(document.astype(np.int64), start, end, kind)
    messages = [notices.extra_cases(read.label, extra)] if extra else []
    known = np.flatnonzero(side.document >= 0)
    ordered, again = _in_order(side if len(known) == len(side) else side.take(known))
    if read.settled is not None and read.settled.repeated:
        first = read.settled.origin.places(list(read.settled.examples), "start")[0]
        messages.append(spans.repeated_spans(first, read.settled.repeated))
    elif len(again):
        messages.append(spans.repeated_spans(read.origin.places([int(known[again[0]])], "start")[0], len(again)))
    return ordered, messages


def _document_codes(read: Table, codes: dict[str, int]) -> tuple[NDArray[np.integer], list[str]]:
    """The gold's number of the document of each row, -1 if the gold lacks it, and the names of these."""
    known = read.documents
    if known is None or known.of_row is None or len(known.of_row) != len(read.frame):
        return recode(read.frame[CASE], codes)
    if known.names == list(codes):
        return known.of_row, []
    number = np.fromiter((codes.get(name, -1) for name in known.names), np.int64, len(known.names))
    return number[known.of_row], [known.names[at] for at in np.flatnonzero(number < 0)]


def _alphabetical(numbers: dict[str, int]) -> tuple[tuple[str, ...], Integers]:
    """The names in order and, for each of the old numbers, the new one: what is alike does not depend on other documents."""
    names = sorted(numbers)
    new = np.empty(len(names), dtype=np.int64)
    new[[numbers[name] for name in names]] = np.arange(len(names))
    return tuple(names), new


def _renumbered(side: Side, kinds: Integers, ends: Integers | None = None) -> Side:
    """The spans with other numbers of types, and of pairs of ends, in order."""
    if not len(side):
        return side
    return _in_order(replace(side, kind=kinds[side.kind], end=side.end if ends is None else ends[side.end]))[0]


def _in_order(side: Side) -> tuple[Side, Integers]:
    """The spans in order, each once, and the rows that repeat an earlier one."""
    ordered, order = side, np.arange(len(side))
    if not _is_sorted(side):
        order = np.lexsort((side.kind, side.end, side.start, side.document))
        ordered = side.take(order)
    same = np.ones(max(len(side) - 1, 0), dtype=np.bool_)
    for column in ordered.columns.values():
        same &= column[1:] == column[:-1]
    if not same.any():
        return ordered, np.empty(0, dtype=np.int64)
    kept = np.concatenate((np.ones(1, dtype=np.bool_), ~same))
    return ordered.take(kept), np.sort(order[~kept])


def _is_sorted(side: Side) -> bool:
    """Whether the spans are in order already, as those of a file mostly are."""
    later, same = np.zeros(max(len(side) - 1, 0), dtype=np.bool_), np.ones(max(len(side) - 1, 0), dtype=np.bool_)
    for column in side.columns.values():
        later |= same & (column[1:] > column[:-1])
        same &= column[1:] == column[:-1]
    return bool((later | same).all())


def _absent(
    gold: GoldSpans, output: Table, codes: dict[str, int], side: Side, options: AlignOptions
) -> tuple[NDArray[np.bool_], list[Diagnostic]]:
    """Which documents a system lacks: those that its file does not list; a table lists only those with a span."""
    absent = np.ones(len(gold.documents), dtype=np.bool_)
    absent[side.document] = False
    if output.documents is not None and output.documents.names == gold.documents:
        return np.zeros_like(absent), []
    if output.documents is None and not output.empty_cases:
        without = [gold.documents[code] for code in np.flatnonzero(absent)]
        remarks = [spans.documents_without_rows(output.label, without, len(gold.documents))] if without else []
        return np.zeros_like(absent), remarks
    listed = [codes[name] for name in (*output.empty_cases,) if name in codes]
    absent[listed] = False
    return absent, missing_case_notices(gold.documents, output.label, absent, options.policy)
