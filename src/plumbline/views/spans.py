"""The view of extractors: for each type in each list, how many spans are wanted, given and right.

`wanted` and `given` count the spans of the gold and of the system; `right_wanted` and `right_given` are the credit that these
have, in the type of the gold and in that of the system. `cor`, `inc`, `par`, `mis` and `spu` are the counts of MUC: correct,
incorrect, partial, missing and spurious.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import CLASS, LIST
from plumbline.views.matching import HALF, credit_of, one_to_one, overlapping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.extraction import AlignedSpans
    from plumbline.align.span_side import Side
    from plumbline.views.matching import Match, Pairs

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]

TOTALS: Final = ("wanted", "given", "right_wanted", "right_given")
MUC: Final = ("cor", "inc", "par", "mis", "spu")
COLUMNS: Final = (*TOTALS, *MUC)
_LARGEST: Final = 2**62


class SpanCounts:
    """The counts of one type, or of all types together: kernels need not know which."""

    def __init__(self, *, together: bool = False) -> None:
        """Of each row, or summed over all rows of a list."""
        for name in COLUMNS:
            setattr(self, name, pl.col(name).sum() if together else pl.col(name))

    wanted: pl.Expr
    given: pl.Expr
    right_wanted: pl.Expr
    right_given: pl.Expr
    cor: pl.Expr
    inc: pl.Expr
    par: pl.Expr
    mis: pl.Expr
    spu: pl.Expr


def span_counts(aligned: AlignedSpans, match: Match, iou: float, *, muc: bool) -> pl.DataFrame:
    """`list, class` and the counts, a row for each type that occurs in a list; MUC's are 0 unless they are wanted."""
    counts = np.zeros((len(aligned.missing), len(aligned.classes), len(COLUMNS)))
    cases = len(aligned.cases)
    for number, given in enumerate(aligned.given):
        of_system = counts[number * cases : (number + 1) * cases]
        count_system(aligned.wanted, given, aligned.case_of, of_system, match, iou, muc=muc)
    return count_rows(counts)


def count_rows(counts: Numbers) -> pl.DataFrame:
    """The rows of `[list, class, column]` in which something is counted."""
    lists, kinds = np.nonzero(counts[:, :, :2].any(axis=2))
    columns = dict(zip(COLUMNS, counts[lists, kinds].T, strict=True))
    return pl.DataFrame({LIST: lists, CLASS: kinds, **columns})


def count_system(wanted: Side, given: Side, group: Integers, counts: Numbers, match: Match, iou: float, *, muc: bool) -> None:
    """Add the spans of one system to `[group, class, column]`; `group` is that of each document."""
    if match == "positions":
        _count_positions(wanted, given, group, counts)
        return
    for side, column in ((wanted, "wanted"), (given, "given")):
        _add(counts, column, group[side.document], side.kind)
    if match == "strict" and not muc:
        rows = _same_rows(wanted, given)
        for column in ("right_wanted", "right_given"):
            _add(counts, column, group[wanted.document[rows]], wanted.kind[rows])
        return
    pairs = one_to_one(overlapping(wanted, given), (len(wanted), len(given)), lambda some: credit_of(some, match, iou))
    credit = credit_of(pairs, match, iou)
    place = group[wanted.document[pairs.wanted]]
    of_gold = wanted.kind[pairs.wanted]
    _add(counts, "right_wanted", place, of_gold, credit)
    _add(counts, "right_given", place, given.kind[pairs.given], credit)
    for column, worth in (("cor", 1.0), ("par", HALF), ("inc", 0.0)):
        _add(counts, column, place, of_gold, credit == worth)
    for column, side, paired in (("mis", wanted, pairs.wanted), ("spu", given, pairs.given)):
        _add(counts, column, group[side.document], side.kind)
        _add(counts, column, group[side.document[paired]], side.kind[paired], -np.ones(len(paired)))


def _add(counts: Numbers, column: str, group: Integers, kind: Integers, amount: NDArray[np.generic] | None = None) -> None:
    """Add to a column of some groups and classes."""
    groups, kinds, _ = counts.shape
    added = np.bincount(group * kinds + kind, weights=amount, minlength=groups * kinds)
    counts[:, :, COLUMNS.index(column)] += added.reshape(groups, kinds)


def _same_rows(wanted: Side, given: Side) -> Integers:
    """The rows of the gold that a system has exactly."""
    most = [max(int(column.max(initial=0)) for column in pair) + 1 for pair in zip(_edges(wanted), _edges(given), strict=True)]
    if prod(most) < _LARGEST:  # a number for each span, which keeps the order of both sides
        ours, theirs = (np.ravel_multi_index(_edges(side), most) for side in (wanted, given))
        place = np.searchsorted(theirs, ours)
        return np.flatnonzero(theirs[np.minimum(place, len(theirs) - 1)] == ours) if len(theirs) else place[:0]
    frames = [pl.DataFrame(side.columns) for side in (wanted, given)]
    rows = frames[0].with_row_index("row").join(frames[1], on=frames[1].columns, how="semi")["row"]
    return rows.to_numpy().astype(np.int64)


def _edges(side: Side) -> tuple[Integers, ...]:
    return side.document, side.start, side.end - side.start, side.kind


def _count_positions(wanted: Side, given: Side, group: Integers, counts: Numbers) -> None:
    """Count every token or character of every type by itself; one in two spans of a type counts once."""
    kinds = counts.shape[1]
    sides = (wanted, given)
    key = np.concatenate([np.tile(side.document * kinds + side.kind, 2) for side in sides])
    at = np.concatenate([edge for side in sides for edge in (side.start, side.end)])
    change = np.concatenate([np.repeat([sign, -sign], len(side)) for side, sign in zip(sides, (1, 2**32), strict=True)])
    order = np.lexsort((at, key))
    key, at = key[order], at[order]
    depth = np.cumsum(change[order])
    length = np.append(np.diff(at), 0) if len(at) else at
    in_wanted, in_given = depth % 2**32 > 0, depth // 2**32 > 0
    place, kind = group[key // kinds] if len(key) else key, key % kinds
    for column, inside in zip(TOTALS, (in_wanted, in_given, in_wanted & in_given, in_wanted & in_given), strict=True):
        _add(counts, column, place, kind, np.where(inside, length, 0))


def pairs_of(wanted: Side, given: Side) -> Pairs:
    """The pairs by which a person would explain an output: the same span first, then the same place, then the same type."""
    return one_to_one(
        overlapping(wanted, given),
        (len(wanted), len(given)),
        lambda some: np.where(some.same_place, 2.0, 0.0) + np.where(some.same_kind, np.where(some.same_place, 2.0, 1.0), 0.0),
    )
