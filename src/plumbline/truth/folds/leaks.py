"""check_folds(): whether anything that is trained on is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadData, files, folds
from plumbline.errors.base import plural
from plumbline.io.columns.text import single_texts, single_values
from plumbline.io.fold_rows import parts_of, read_table
from plumbline.options.folds import CheckFoldsOptions
from plumbline.options.option import checked, documented
from plumbline.render.grid import Cell, Grid, Sentences
from plumbline.render.result import Result
from plumbline.schema import ITEM
from plumbline.truth.folds.items import read_items
from plumbline.truth.folds.near_texts import near_pairs, normalised
from plumbline.truth.folds.result import Split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block
    from plumbline.truth.folds.items import Items

LEAKS: Final = ("same item", "group", "future", "same text", "similar text")
"""Kinds of findings that make scores too high; the others make them uncertain."""
Part = tuple[int, int, "NDArray[np.bool_]", "NDArray[np.bool_]"]


@dataclass(frozen=True, repr=False)
class FoldCheck(Result):
    """What is wrong with folds.

    Attributes:
        table: `kind, repeat, fold, item, other`: the item that is tested, and what was trained on.
        tests: How many tests were checked.
        notices: What else should be known.

    Example:
        >>> import plumbline, polars as pl
        >>> items = pl.DataFrame({"id": ["a", "b", "c", "d"], "user": ["x", "x", "y", "y"]})
        >>> plumbline.check_folds(items, plumbline.split(items, folds=2, group="user"), group="user").ok
        True
    """

    table: pl.DataFrame
    tests: int
    notices: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing leaks."""
        return not self.table["kind"].is_in(LEAKS).any()

    def to_polars(self) -> pl.DataFrame:
        """`kind, repeat, fold, item, other`."""
        return self.table

    def grid(self) -> Grid:
        """How often each thing was found, with an example."""
        rows = tuple(
            (Cell(kind), Cell(f"{number:,}"), Cell(f"{fold}"), Cell(item), Cell(other))
            for kind, number, fold, item, other in self.table.group_by("kind", maintain_order=True)
            .agg(pl.len(), pl.col("fold").first(), pl.col(ITEM).first(), pl.col("other").first())
            .iter_rows()
        )
        return Grid(("found", "times", "fold", "tested", "trained on"), rows, f"{plural(self.tests, 'test')} checked")

    def to_blocks(self) -> Sequence[Block]:
        """Whether anything leaks, and what."""
        words = "Nothing leaks." if self.ok else "Tests are not independent of what is trained on: scores would be too high."
        return [Sentences((words,)), *([self.grid()] if len(self.table) else [])]


@documented(CheckFoldsOptions)
def check_folds(items: Any, parts: Any, **options: Unpack[CheckFoldsOptions]) -> FoldCheck:
    """Look for what leaks from the training parts into the tests.

    Args:
        items: The table of items, as in `split`.
        parts: The folds: what `split` returns, its file, or a table with `item, fold`, and `repeat` or `part`.
        **options: See `plumbline.options.folds.CheckFoldsOptions`.

    Returns:
        What was found, with the items.

    Raises:
        BadData: If the folds name items that are not there.
        BadUsage: If a column is not there.

    Example:
        >>> import plumbline, polars as pl
        >>> items = pl.DataFrame({"id": ["a", "b", "c", "d"], "user": ["x", "y", "x", "y"]})
        >>> folds = pl.DataFrame({"item": ["a", "b", "c", "d"], "fold": [1, 1, 2, 2]})
        >>> plumbline.check_folds(items, folds, group="user").ok
        False
    """
    given = checked(options, CheckFoldsOptions, "check_folds")
    table = read_items(items, given.get("item"))
    frame, label = (parts.table, "folds") if isinstance(parts, Split) else read_table(parts, "folds")
    tests = _tests(table, frame, label)
    findings = list(_findings(table, tests, frame, given))
    column = given.get("stratify")
    sides = ((fold, train, test) for _, fold, train, test in tests)
    notices = () if column is None else table.missing_classes(column, sides, stratified=False)
    schema = {"kind": pl.String, "repeat": pl.Int64, "fold": pl.Int64, ITEM: pl.String, "other": pl.String}
    return FoldCheck(pl.DataFrame(findings, schema=schema, orient="row"), len(tests), tuple(notices))


def _numbers(column: pl.Series, label: str) -> pl.Series:
    """Folds or repeats, all of which are numbers."""
    numbers = single_values(column, column.name).cast(pl.Int64, strict=False)
    row = numbers.is_null().arg_max()
    if numbers.null_count() and row is not None:
        raise BadData(folds.not_a_number(label, row + 1, column.name, None if column[row] is None else str(column[row])))
    return numbers


def _tests(items: Items, frame: pl.DataFrame, label: str) -> list[Part]:
    """Repeat, fold, what is trained on and what is tested."""
    for name in (ITEM, "fold"):
        if name not in frame.columns:
            raise BadData(folds.no_column(label, name, frame.columns))
    if frame.is_empty():
        raise BadData(files.no_data(label))
    text = frame.with_columns(
        single_texts(frame[ITEM], ITEM),
        _numbers(frame["fold"], label),
        _numbers(frame["repeat"], label) if "repeat" in frame.columns else pl.lit(1).alias("repeat"),
        parts_of(frame, label).alias("part"),
    )
    known = {name: place for place, name in enumerate(items.names)}
    foreign = text[ITEM].fill_null("").filter(~text[ITEM].is_in(items.names).fill_null(value=False)).unique(maintain_order=True)
    if len(foreign):
        raise BadData(folds.foreign_items(label, [name or "(empty)" for name in foreign[:5]], len(foreign)))
    tests = []
    for (repeat, fold), rows in text.group_by("repeat", "fold", maintain_order=True):
        places, tested = rows[ITEM].replace_strict(known, return_dtype=pl.Int64).to_numpy(), (rows["part"] == "test").to_numpy()
        test, train = np.zeros(len(items), dtype=np.bool_), np.zeros(len(items), dtype=np.bool_)
        test[places[tested]] = True
        train[places[~tested]] = True
        tests.append((int(repeat), int(fold), ~test if tested.all() else train, test))
    return tests


Row = tuple[str, int, int, str, str]


def _findings(items: Items, tests: list[Part], frame: pl.DataFrame, given: dict[str, Any]) -> Iterator[Row]:
    names = np.array(items.names, dtype=object)
    explicit = "part" in frame.columns and (frame["part"] != "test").any()
    for repeat, fold, train, test in tests:
        yield from (("same item", repeat, fold, name, name) for name in names[train & test])
    if not explicit:
        yield from _tested_twice(names, tests)
    if "group" in given:
        groups, values = items.codes(given["group"])
        for repeat, fold, train, test in tests:
            for code in np.intersect1d(groups[train], groups[test]).tolist():
                tested = names[np.flatnonzero(test & (groups == code))[0]]
                yield "group", repeat, fold, tested, f"{values[code]}: {names[np.flatnonzero(train & (groups == code))[0]]}"
    if "time" in given:
        moments, _ = items.moments(given["time"])
        for repeat, fold, train, test in tests:
            late = np.flatnonzero(train & (moments >= moments[test].min(initial=np.inf)))
            if len(late):
                yield "future", repeat, fold, names[np.flatnonzero(test)[np.argmin(moments[test])]], names[late[0]]
    if "text" in given:
        yield from _texts(items, tests, given["text"], given.get("similar", 0.9))


def _tested_twice(names: NDArray[Any], tests: list[Part]) -> Iterator[Row]:
    """Within one repeat, every item is tested once."""
    for repeat in sorted({repeat for repeat, *_ in tests}):
        chosen = [(fold, test) for one, fold, _, test in tests if one == repeat]
        times = np.sum([test for _, test in chosen], axis=0)
        if len(chosen) > 1:
            yield from (("tested twice", repeat, chosen[0][0], name, name) for name in names[times > 1])
            yield from (("never tested", repeat, chosen[0][0], name, "") for name in names[times == 0])


def _texts(items: Items, tests: list[Part], column: str, similar: float) -> Iterator[Row]:
    texts = normalised(items.column(column))
    first, second, same = near_pairs(texts, similar)
    names = np.array(items.names, dtype=object)
    for repeat, fold, train, test in tests:
        across = (test[first] & train[second]) | (train[first] & test[second])
        for one, other, equal in zip(first[across].tolist(), second[across].tolist(), same[across].tolist(), strict=True):
            tested, trained = (one, other) if test[one] else (other, one)
            yield "same text" if equal else "similar text", repeat, fold, names[tested], names[trained]
