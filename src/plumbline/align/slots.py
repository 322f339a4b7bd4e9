"""Fields and relations become places in documents, so that everything that counts spans counts them, too.

All values of one field of one record start at one place and end where no other value ends: a right value has the place of the
gold, a wrong one overlaps with it, and another field does not. A relation has a place for its two ends; one whose ends overlap
with those of the gold begins there, and ends earlier.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.lazily import optimize
from plumbline.schema import CASE, FILLER, HEAD, RECORD, TAIL, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.span_side import Side

    Integers = NDArray[np.int64]

_LARGEST: Final = 2**62
_WIDTH: Final = 2**16
"""Of the place of a relation: always the same, so that a document has the same scores whatever others there are."""
_ARROW: Final = " \u2192 "
_OFFSETS: Final = re.compile(r"(\d+)-(\d+)")
_WORDS: Final = re.compile(r"\w+")


def shape_of(frame: pl.DataFrame) -> str:
    """What a table of spans holds."""
    return "slots" if FILLER in frame.columns else "relations" if HEAD in frame.columns else "spans"


def raw_columns(frame: pl.DataFrame, fillers: dict[str, int]) -> tuple[Integers, Integers]:
    """The record of each row, and the number of its value or of its two ends; those that are new are added to `fillers`.

    Several equal values of one field are told apart by how often they occurred before, so that a list may repeat a value.
    """
    if FILLER not in frame.columns:
        ends = frame.select(pl.concat_str(HEAD, TAIL, separator=_ARROW)).to_series()
        return np.zeros(len(frame), dtype=np.int64), _numbers(ends, fillers)
    number = _numbers(frame[FILLER], fillers)
    codes = [frame[CASE].to_physical(), frame[RECORD], frame[VALUE].cast(pl.Categorical).to_physical()]
    key = _one_key(*(one.to_numpy().astype(np.int64) for one in codes), number)
    order = np.argsort(key, kind="stable")
    again = np.empty(len(key), dtype=np.int64)
    again[order] = np.arange(len(key)) - _since_change(np.diff(key[order], prepend=-1) != 0)
    return frame[RECORD].to_numpy(), number + again * 2**32


def _one_key(*columns: Integers) -> Integers:
    """A number for each row, the same where all columns are the same."""
    key = columns[0]
    for column in columns[1:]:
        width = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) >= _LARGEST // width:
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
        key = key * width + column
    return key


def _since_change(changes: NDArray[np.bool_]) -> Integers:
    """For each row the last one up to it at which something changed."""
    return np.maximum.accumulate(np.where(changes, np.arange(len(changes)), 0))


def _rank_within(group: Integers, value: Integers) -> Integers:
    """From 1, the place of each value among the different ones of its group."""
    order = np.lexsort((value, group))
    new_group = np.diff(group[order], prepend=-1) != 0
    place = np.cumsum(new_group | (np.diff(value[order], prepend=-1) != 0))
    rank = np.empty(len(group), dtype=np.int64)
    rank[order] = place - place[_since_change(new_group)] + 1 if len(place) else place
    return rank


def _numbers(text: pl.Series, known: dict[str, int]) -> Integers:
    distinct = text.unique(maintain_order=True)
    numbers = [known.setdefault(one, len(known)) for one in distinct.to_list()]
    return text.replace_strict(distinct, numbers, return_dtype=pl.Int64).to_numpy()


def placed_slots(wanted: Side, given: Sequence[Side]) -> tuple[Side, list[Side]]:
    """The sides with places, records of each output in the order of those of the gold that they are like."""
    sides = [wanted, *(replace(side, start=_records_in_order(wanted, side)) for side in given)]
    columns = [np.concatenate([getattr(side, name) for side in sides]) for name in ("document", "start", "end", "kind")]
    local = _rank_within(_one_key(columns[0], columns[1], columns[3]), columns[2])
    kinds, width = int(columns[3].max(initial=0)) + 1, int(local.max(initial=0)) + 1
    start = (columns[1] * kinds + columns[3]) * width
    return _split(sides, start, start + local, columns[2] % 2**32)


def _split(sides: list[Side], start: Integers, end: Integers, filler: Integers) -> tuple[Side, list[Side]]:
    cuts = np.cumsum([len(side) for side in sides])[:-1]
    parts = zip(sides, *(np.split(column, cuts) for column in (start, end, filler)), strict=True)
    first, *rest = (replace(side, start=one, end=two, filler=three) for side, one, two, three in parts)
    return first, rest


def _records_in_order(wanted: Side, given: Side) -> Integers:
    """The record of the gold that each record of an output is most like, as many as possible; further ones follow."""
    if not (wanted.start.any() or given.start.any()):
        return given.start

    (of_wanted, left), (of_given, right) = (_record_counts(side) for side in (wanted, given))
    both, *at = np.intersect1d(of_wanted, of_given, assume_unique=True, return_indices=True)
    shapes = np.column_stack([left[at[0]], right[at[1]]])
    several = shapes.max(axis=1, initial=0) > 1
    documents, shapes = both[several], shapes[several]
    if not len(documents):
        return given.start
    tables, cells = _alike(wanted, given, documents, shapes)
    first = np.concatenate([[0], np.cumsum(shapes[:, 1])])
    number = np.full(first[-1], -1)
    for (rows, columns), cell, column in zip(shapes.tolist(), cells.tolist(), first.tolist(), strict=False):
        table = tables[cell : cell + rows * columns].reshape(rows, columns)
        chosen = optimize.linear_sum_assignment(table, maximize=True)
        of_document = number[column : column + columns]
        of_document[chosen[1]] = chosen[0]
        if columns > rows:
            of_document[of_document < 0] = np.arange(rows, columns)
    place, known = _places_among(given.document, documents)
    matched = given.start.copy()
    matched[known] = number[first[place[known]] + given.start[known]]
    return matched


def _places_among(values: Integers, among: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Where each value stands among some in order, and whether it is one of them."""
    place = np.minimum(np.searchsorted(among, values), len(among) - 1)
    return place, among[place] == values


def _record_counts(side: Side) -> tuple[Integers, Integers]:
    """The documents of a side, and how many records each has."""
    documents, place = np.unique(side.document, return_inverse=True)
    most = np.zeros(len(documents), dtype=np.int64)
    np.maximum.at(most, place, side.start + 1)
    return documents, most


def _rows_by_document(side: Side, documents: Integers) -> dict[int, Integers]:
    """The rows of each of these documents; the rows of a side are in the order of documents."""
    first, last = (np.searchsorted(side.document, documents, side=edge) for edge in ("left", "right"))
    return {int(one): np.arange(a, b) for one, a, b in zip(documents, first, last, strict=True)}


def _alike(wanted: Side, given: Side, documents: Integers, shapes: Integers) -> tuple[NDArray[np.float64], Integers]:
    """A table for each document, one after the other, and where each begins.

    A cell says how many values two records share, then how many fields, then whether they stand at the same place.
    """
    sizes = shapes.prod(axis=1)
    cells = np.cumsum(sizes) - sizes
    frames = []
    for side in (wanted, given):
        place, known = _places_among(side.document, documents)
        columns = {"document": place, "kind": side.kind, "start": side.start, "end": side.end}
        frames.append(pl.DataFrame({name: column[known] for name, column in columns.items()}))
    pairs = frames[0].join(frames[1], on=["document", "kind"])
    document, start, end, other_start, other_end = (
        pairs[name].to_numpy() for name in ("document", "start", "end", "start_right", "end_right")
    )
    most = 1.0 + np.bincount(document, minlength=len(documents))
    worth = (end == other_end) * most[document] + 1
    alike = np.bincount(cells[document] + start * shapes[document, 1] + other_start, worth, sizes.sum()).astype(np.float64)
    least = shapes.min(axis=1)
    along = np.arange(least.sum()) - np.repeat(np.cumsum(least) - least, least)
    alike[np.repeat(cells, least) + along * np.repeat(shapes[:, 1] + 1, least)] += 0.5
    return alike, cells


def placed_relations(wanted: Side, given: Sequence[Side], fillers: Sequence[str]) -> tuple[Side, list[Side]]:
    """The sides with places: relations with the same two ends are at the same place."""
    nearest = [_nearest(wanted, side, fillers) for side in given]
    sides = [wanted, *given]
    document, ends = (np.concatenate([getattr(side, name) for side in sides]) for name in ("document", "end"))
    local = _rank_within(document, ends) - 1
    near = np.concatenate([np.full(len(wanted), -1), *nearest])
    numbered = pl.DataFrame({"part": np.repeat(np.arange(len(sides)), [len(side) for side in sides]), "near": near})
    order = numbered.select(pl.int_range(pl.len()).over("part", "near")).to_series().to_numpy()
    place = np.where(near >= 0, local[near], local) * _WIDTH
    return _split(sides, place, place + np.where(near >= 0, np.minimum(order + 1, _WIDTH - 1), _WIDTH), ends)


def _nearest(wanted: Side, given: Side, fillers: Sequence[str]) -> Integers:
    """For each relation of an output whose ends only overlap with those of the gold: a row of the gold; -1 for all others."""
    of_document = _rows_by_document(wanted, np.unique(wanted.document))
    exact = set(zip(wanted.document.tolist(), wanted.end.tolist(), strict=True))
    near = np.full(len(given), -1, dtype=np.int64)
    for row, (document, ends) in enumerate(zip(given.document.tolist(), given.end.tolist(), strict=True)):
        if (document, ends) in exact or document not in of_document:
            continue
        rows = of_document[document]
        rows = rows[np.argsort(wanted.kind[rows] != given.kind[row], kind="stable")]
        near[row] = next((one for one in rows if _both_overlap(fillers[ends], fillers[int(wanted.end[one])])), -1)
    return near


def _both_overlap(one: str, other: str) -> bool:
    pairs = zip(one.split(_ARROW, 1), other.split(_ARROW, 1), strict=True)
    return all(_overlap(first, second) for first, second in pairs)


def _overlap(one: str, other: str) -> bool:
    """Whether stretches of text share a character, or the words of one are among those of the other."""
    first, second = _OFFSETS.fullmatch(one), _OFFSETS.fullmatch(other)
    if first is not None and second is not None:
        return int(first[1]) < int(second[2]) and int(second[1]) < int(first[2])
    words = [set(_WORDS.findall(text.casefold())) for text in (one, other)]
    return bool(words[0] and words[1]) and (words[0] <= words[1] or words[1] <= words[0])
