"""Tables of scores: one rectangle of values from any number of files; problems are named or counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, comparisons
from plumbline.errors.base import MOST_SHOWN, counted, plural
from plumbline.io.scores.forms import ONCE, ROW, Known, Repeats, ScoreTable, to_scores
from plumbline.io.scores.scored import Scored
from plumbline.io.scores.sources import open_source
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Readable

PART: Final = "part"
_SPARSE: Final = 50
_MANY: Final = 10**8
"""A table with more cells than these, of which fewer than one in fifty has a value, is a mistake and would fill the memory."""


def read_score_table(
    source: Readable, known: Known, name: str | None = None, label: str = "scores", repeats: Repeats = ONCE
) -> ScoreTable:
    """Read one file, frame or dict of scores.

    `known` says whether a name is that of a metric; a given name is that of the only metric of the source. `repeats` names
    the columns of runs and folds.
    """
    return to_scores(open_source(source, label), name, known, repeats)


def metrics_of(tables: Sequence[ScoreTable]) -> list[str]:
    """The metrics of all tables, in their order."""
    return list(dict.fromkeys(name for table in tables for name in table.frame[METRIC].unique(maintain_order=True)))


def only_metrics(table: ScoreTable, metrics: Sequence[str]) -> ScoreTable:
    """The rows of some metrics; what is wrong elsewhere does not matter."""
    present = table.frame[METRIC].unique().to_list()
    if set(present) <= set(metrics):
        return table
    numbers = pl.Series([name for name in present if name in metrics], dtype=pl.Categorical).to_physical()
    kept = np.isin(table.frame[METRIC].to_physical().to_numpy(), numbers.to_numpy())
    return replace(table, frame=table.frame.filter(kept), wrong=table.wrong.within(kept))


def joined(tables: Sequence[ScoreTable], metrics: Sequence[str]) -> Scored:
    """One rectangle of the scores of all tables; wrong scores, and different ones of the same thing, are errors."""
    for table in tables:
        _refuse_wrong(table)
    _check_numbered(tables)
    rows = pl.concat([table.frame.with_columns(pl.lit(part).alias(PART)) for part, table in enumerate(tables)])
    systems, cases = (tuple(rows[column].unique(maintain_order=True)) for column in (SYSTEM, CASE))
    names = (tuple(metrics), systems, cases)
    shape = (len(names[0]), len(names[1]), len(names[2]))
    size = shape[0] * shape[1] * shape[2]
    if size > max(_MANY, _SPARSE * len(rows)):
        raise BadData(comparisons.too_sparse(shape[1], shape[2], shape[0], len(rows)))
    codes = [_codes(rows[column], known) for column, known in zip((METRIC, SYSTEM, CASE), names, strict=True)]
    flat = (codes[0] * shape[1] + codes[1]) * shape[2] + codes[2]
    read_values = rows[VALUE].fill_null(np.nan).to_numpy()
    present = np.zeros(size, dtype=np.bool_)
    present[flat] = True
    notices = _repeated(tables, rows, flat, read_values) if np.count_nonzero(present) < len(flat) else ()
    values = np.full(size, np.nan)
    values[flat] = read_values
    return Scored(*names, values.reshape(shape), present.reshape(shape), notices)


def _codes(values: pl.Series, names: tuple[str, ...]) -> NDArray[np.int64]:
    """The position of each value among the names; categories have numbers that all tables share."""
    numbers = values.to_physical().to_numpy()
    known = pl.Series(list(names), dtype=pl.Categorical).to_physical().to_numpy()
    lookup: NDArray[np.int64] = np.zeros(int(max(numbers.max(initial=0), known.max(initial=0))) + 1, dtype=np.int64)
    lookup[known] = np.arange(len(names))
    codes: NDArray[np.int64] = lookup[numbers]
    return codes


def _refuse_wrong(table: ScoreTable) -> None:
    if not table.wrong:
        return
    wrong = list(table.wrong.first(MOST_SHOWN))
    places = table.origin.places([one.row for one in wrong], VALUE)
    problems = [
        comparisons.bad_score(place, _whose(table.frame, one.place), one.text, one.reason)
        for place, one in zip(places, wrong, strict=True)
    ]
    raise BadData(*counted(problems, len(table.wrong)))


def _whose(frame: pl.DataFrame, row: int) -> str:
    return f"{frame[SYSTEM][row]} in case {frame[CASE][row]} ({frame[METRIC][row]})"


def _check_numbered(tables: Sequence[ScoreTable]) -> None:
    """Cases that have only their order are the same in all tables or in none."""
    plain = [table for table in tables if table.numbered]
    if not plain or len(tables) == 1:
        return
    counts = [table.frame[CASE].n_unique() for table in plain]
    other = next((table for table, count in zip(plain, counts, strict=True) if count != counts[0]), None)
    if other is not None:
        reason = f"{plural(other.frame[CASE].n_unique(), 'row')}, and {plain[0].label} has {counts[0]}: which cases are they?"
        raise BadData(comparisons.other_cases(Place(other.label), reason))
    named = next((table for table in tables if not table.numbered), None)
    if named is not None:
        reason = f"no column for the case, and {named.label} has one"
        raise BadData(comparisons.other_cases(Place(plain[0].label), reason))


def _repeated(
    tables: Sequence[ScoreTable], rows: pl.DataFrame, flat: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[Diagnostic, ...]:
    """An error where two values differ, a notice where all that is repeated is equal."""
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    starts = np.append(True, ordered[1:] != ordered[:-1])
    firsts = order[np.flatnonzero(starts)[np.cumsum(starts) - 1]]
    later, first = order[~starts], firsts[~starts]
    by_row = np.argsort(later, kind="stable")
    later, first = later[by_row], first[by_row]
    same = (values[later] == values[first]) | (np.isnan(values[later]) & np.isnan(values[first]))
    if same.all():
        place = _places(tables, rows, later[:1])[0]
        return (comparisons.scores_twice(place, len(later), _whose(rows, int(later[0]))),)
    count = int((~same).sum())
    later, first = later[~same][:MOST_SHOWN], first[~same][:MOST_SHOWN]
    before = _places(tables, rows, first)
    problems = [
        comparisons.two_scores(
            place,
            _whose(rows, int(row)),
            (_shown(values[one]), _shown(values[row])),
            f"line {earlier.line}" if earlier.path == place.path and earlier.line is not None else str(earlier),
        )
        for place, earlier, row, one in zip(_places(tables, rows, later), before, later, first, strict=True)
    ]
    raise BadData(*counted(problems, count))


def _shown(value: float) -> str:
    return "no value" if np.isnan(value) else repr(float(value))


def _places(tables: Sequence[ScoreTable], rows: pl.DataFrame, wanted: NDArray[np.int64]) -> list[Place]:
    """Where rows stand; each file is looked at once."""
    parts, rows_of_part = rows[PART].gather(wanted).to_list(), rows[ROW].gather(wanted).to_list()
    places: dict[tuple[int, int], Place] = {}
    for part in dict.fromkeys(parts):
        inside = [row for row, of in zip(rows_of_part, parts, strict=True) if of == part]
        places.update(
            {(part, row): place for row, place in zip(inside, tables[part].origin.places(inside, VALUE), strict=True)}
        )
    return [places[part, row] for part, row in zip(parts, rows_of_part, strict=True)]
