"""The lists of all systems, cut at a depth: which items were pooled, by whom and at which rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.align.duplicates import without_duplicates
from plumbline.align.keys import keys
from plumbline.errors import BadUsage, notices, pools, table, usage
from plumbline.errors.base import BadData
from plumbline.io.memory.systems import named_systems
from plumbline.io.prefetch import read_ahead
from plumbline.io.read import read
from plumbline.io.rows import systems_of
from plumbline.schema import CASE, ITEM, RANK, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.table import ReadOptions, Table
    from plumbline.options.evaluation import Duplicates

RUN: Final = "run"
DOC: Final = "doc"
"""The number of an item of a case, among all pooled items."""


@dataclass(frozen=True)
class PooledLists:
    """The first items of all lists; items are numbered case by case, in the order of their ids."""

    systems: tuple[str, ...]
    cases: tuple[str, ...]
    docs: pl.DataFrame
    """`case, item`: a row for each item, cases as numbers."""
    rows: pl.DataFrame
    """`doc, run, rank`: a row for each place of a list."""
    notices: tuple[Diagnostic, ...] = ()

    @property
    def case(self) -> NDArray[np.int64]:
        """The case of each item."""
        return self.docs[CASE].to_numpy()

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Where the items of each case begin, and where the last ones end."""
        return np.searchsorted(self.case, np.arange(len(self.cases) + 1))

    @cached_property
    def best_rank(self) -> NDArray[np.int64]:
        """The best rank of each item in any list."""
        best = np.full(len(self.docs), np.iinfo(np.int64).max)
        np.minimum.at(best, self.rows[DOC].to_numpy(), self.rows[RANK].to_numpy())
        return best

    @cached_property
    def found_by(self) -> pl.Series:
        """The systems that have each item, in the order given."""
        names = pl.Series(RUN, self.systems, dtype=pl.String)
        held = self.rows.sort(DOC, RUN).with_columns(names.gather(self.rows.sort(DOC, RUN)[RUN]).alias("name"))
        return held.group_by(DOC, maintain_order=True).agg("name")["name"].alias("found_by")

    def cut(self, depth: int) -> PooledLists:
        """The lists down to a smaller depth, with the items that are still in one."""
        return numbered(self.systems, self.cases, self._texts().filter(pl.col(RANK) <= depth), self.notices)

    def only(self, kept: NDArray[np.bool_]) -> PooledLists:
        """The lists without the other items, which leave no gaps."""
        rows = self._texts().filter(pl.Series(kept).gather(self.rows[DOC])).sort(RUN, CASE, RANK)
        closed = rows.with_columns((pl.int_range(pl.len()).over(RUN, CASE) + 1).alias(RANK))
        return numbered(self.systems, self.cases, closed, self.notices)

    def _texts(self) -> pl.DataFrame:
        return self.rows.with_columns(self.docs[column].gather(self.rows[DOC]) for column in (CASE, ITEM))

    def grades(self, gold: pl.DataFrame) -> NDArray[np.float64]:
        """The grade of each item by a gold with the columns `case, item, value`; NaN for one that is not judged."""
        codes = pl.DataFrame({"name": self.cases, CASE: np.arange(len(self.cases))}, schema_overrides={"name": pl.String})
        known = gold.with_columns(pl.col(CASE).cast(pl.String).alias("name")).drop(CASE).join(codes, on="name")
        joined = self.docs.join(known.select(CASE, ITEM, VALUE), on=[CASE, ITEM], how="left", maintain_order="left")
        grade = joined[VALUE].fill_null(float("nan")).to_numpy()
        return np.where(grade < 0, np.nan, grade)


def read_judgements(
    source: Any,
    reading: ReadOptions,
    name: str = "gold",
    on_duplicate: Duplicates = "error",
) -> Table:
    """A gold in which every item of a case occurs once; contradictions are refused, unless it is said which grade to keep."""
    gold = read(source, "gold", reading, name)
    coded = gold.frame.with_columns(pl.col(CASE).to_physical().cast(pl.Int32), pl.col(CASE).alias("name"))
    once, messages = without_duplicates(coded, keys(coded[CASE].to_numpy(), coded[ITEM]), gold, "gold", on_duplicate)
    return replace(gold, frame=once.with_columns(pl.col("name").alias(CASE)).drop("name"), notices=(*gold.notices, *messages))


def read_lists(
    systems: Any,
    reading: ReadOptions,
    depth: int | None = None,
    on_duplicate: Duplicates = "error",
) -> PooledLists:
    """Read the outputs of all systems, and keep the first items of each list."""
    named = named_systems(systems)
    if not named:
        raise BadUsage(usage.bad_object("the systems: there are none", "at least one system"))
    frames, lengths = [], []
    names: list[str] = []
    messages: list[Diagnostic] = []
    taken: dict[str, str] = {}
    for name, output in _outputs(named, reading):
        if name in taken:
            raise BadData(table.same_name(name, taken[name], output.label))
        taken[name] = output.label
        ranked, more = _ranked(output, on_duplicate)
        lengths.append((output.label, int(ranked[RANK].to_numpy().max(initial=0))))
        kept = ranked if depth is None else ranked.filter(pl.col(RANK) <= depth)
        frames.append(kept.with_columns(pl.lit(len(names)).alias(RUN)))
        messages += [*output.notices, *more]
        names.append(name)
    rows = pl.concat(frames)
    cases = _in_order(rows[CASE].unique().to_list())
    if not cases:
        raise BadData(pools.nothing_pooled())
    messages += [pools.short_lists(label, length, depth) for label, length in lengths if depth is not None and length < depth]
    messages += _lacking(rows, names, cases)
    codes = pl.DataFrame({CASE: cases, "code": np.arange(len(cases))}, schema_overrides={CASE: pl.String})
    coded = rows.join(codes, on=CASE).with_columns(pl.col("code").alias(CASE)).drop("code")
    return numbered(tuple(names), tuple(cases), coded, tuple(messages))


def _outputs(named: dict[str, Any], reading: ReadOptions) -> Iterator[tuple[str, Table]]:
    for name, output in read_ahead(named, lambda name, source: read(source, "output", reading, name)):
        parts = systems_of(output)
        for part in parts:
            yield (part.tag or name if len(parts) > 1 else name), part


def _ranked(output: Table, on_duplicate: Duplicates) -> tuple[pl.DataFrame, list[Diagnostic]]:
    """`case, item, rank` by falling scores; equal scores by item, descending, as everywhere."""
    coded = output.frame.with_columns(pl.col(CASE).to_physical().cast(pl.Int32).alias("code"))
    plain = coded.select(pl.col("code").alias(CASE), ITEM, VALUE, pl.col(CASE).cast(pl.String).alias("name"))
    unique, messages = without_duplicates(plain, keys(plain[CASE].to_numpy(), plain[ITEM]), output, "output", on_duplicate)
    ordered = unique.sort("name", VALUE, ITEM, descending=[False, True, True])
    ranked = ordered.select(
        pl.col("name").alias(CASE), ITEM, (pl.int_range(pl.len(), dtype=pl.Int64).over("name") + 1).alias(RANK)
    )
    return ranked, messages


def _in_order(cases: list[str]) -> list[str]:
    """Numbers by their value, other names as texts: the order of files does not matter."""
    numeric = all(case.isdecimal() for case in cases)
    return sorted(cases, key=lambda case: (int(case), case)) if numeric else sorted(cases)


def _lacking(rows: pl.DataFrame, names: list[str], cases: list[str]) -> list[Diagnostic]:
    having = rows.select(RUN, CASE).unique()
    made = []
    for run in having.group_by(RUN).len().filter(pl.col("len") < len(cases)).sort(RUN)[RUN]:
        present = set(having.filter(pl.col(RUN) == run)[CASE])
        made.append(
            notices.missing_cases(names[run], [case for case in cases if case not in present], len(cases), "not pooled there")
        )
    return made


def numbered(
    systems: tuple[str, ...], cases: tuple[str, ...], rows: pl.DataFrame, messages: tuple[Diagnostic, ...]
) -> PooledLists:
    """Number the items of rows with `case, item, run, rank`, cases as numbers."""
    docs = rows.select(pl.col(CASE).cast(pl.Int64), ITEM).unique().sort(CASE, ITEM)
    known = docs.with_row_index(DOC).with_columns(pl.col(DOC).cast(pl.Int64))
    coded = rows.select(pl.col(CASE).cast(pl.Int64), ITEM, RUN, RANK).join(known, on=[CASE, ITEM])
    places = coded.select(DOC, pl.col(RUN).cast(pl.Int64), pl.col(RANK).cast(pl.Int64)).sort(RANK, RUN, DOC)
    return PooledLists(systems, cases, docs, places, messages)
