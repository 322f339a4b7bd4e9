"""Rows of labels as arrays: all that aligning them needs, without a table."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.io.text_column import TextColumn
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.int32]
    Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedLabels:
    """The label of each row as the number of a name."""

    names: tuple[str, ...]
    """The different labels, in order of appearance."""
    codes: Codes
    """-1 for no label."""

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def given(self) -> NDArray[np.bool_] | None:
        """Which rows have a label; none if all have."""
        given = self.codes >= 0
        return None if given.all() else given

    def flags(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Whether the label of each row is wanted; no label is not."""
        return np.array([*map(wanted, self.names), False], dtype=np.bool_)[self.codes]

    def numbers(self) -> NDArray[np.float64]:
        """The labels as the numbers that they are; no label is not a number."""
        return np.array([*map(float, self.names), np.nan])[self.codes]

    def take(self, rows: Places) -> CodedLabels:
        """The labels of some rows."""
        return self._in_order(self.codes[rows])

    def spread(self, places: Places, count: int) -> CodedLabels:
        """The labels at these of so many places, and none elsewhere."""
        codes = np.full(count, -1, dtype=np.int32)
        codes[places] = self.codes
        return self._in_order(codes)

    def renamed(self, names: Sequence[str]) -> CodedLabels:
        """The same labels under other names, of which some may be equal."""
        number = {name: code for code, name in enumerate(dict.fromkeys(names))}
        codes = np.array([*(number[name] for name in names), -1], dtype=np.int32)
        return CodedLabels(tuple(number), codes[self.codes])

    def _in_order(self, codes: Codes) -> CodedLabels:
        """The names of these codes in the order in which they appear."""
        first = np.full(len(self.names) + 1, len(codes))
        np.minimum.at(first, codes, np.arange(len(codes)))
        order = np.argsort(first[:-1], kind="stable")
        order = order[first[order] < len(codes)]
        number = np.full(len(first), -1, dtype=np.int32)
        number[order] = np.arange(len(order))
        return CodedLabels(tuple(self.names[code] for code in order), number[codes])


@dataclass(frozen=True, eq=False)
class Labelled:
    """Rows of case, item and label; each row has a label."""

    cases: list[str]
    """Every case once, in order of appearance."""
    case: Codes
    """The number of each row's case."""
    items: list[str] | TextColumn | None
    """None for an array, whose items are counted from 0."""
    labels: CodedLabels

    def __len__(self) -> int:
        return len(self.case)

    @cached_property
    def repeated(self) -> bool:
        """Whether an item may be in a case twice; keys of dicts and places in arrays are not."""
        return isinstance(self.items, TextColumn) and self.items.may_repeat(self.case, len(self.cases))

    def names(self, rows: Places) -> list[str]:
        """The items of some rows."""
        if isinstance(self.items, TextColumn):
            return self.items.texts(rows)
        return list(map(str, rows.tolist())) if self.items is None else [self.items[row] for row in rows.tolist()]

    def all_names(self) -> list[str]:
        """The items of all rows."""
        return self.items if isinstance(self.items, list) else self.names(np.arange(len(self)))

    def has_same_items(self, other: Labelled) -> bool:
        """Whether the rows have the same items, one by one."""
        if isinstance(self.items, TextColumn) and isinstance(other.items, TextColumn):
            return self.items.are(other.items)
        return self.all_names() == other.all_names()

    def rows_in(self, gold: Labelled, case: Codes) -> Places:
        """The gold's row of each row, -1 for none; `case` is the number that the gold has for the case of each row."""
        if isinstance(self.items, TextColumn) and isinstance(gold.items, TextColumn):
            rows = self.items.rows_in((gold.items, gold.case), case)
            if rows is not None:
                return rows
        row_of = gold.row_of_items
        items = zip(case.tolist(), self.all_names(), strict=True)
        return np.fromiter((row_of[code].get(item, -1) for code, item in items), np.int64, len(self))

    @cached_property
    def row_of_items(self) -> list[dict[str, int]]:
        """The row of each item, case by case, with an empty dict at the end for -1."""
        rows: list[dict[str, int]] = [{} for _ in (*self.cases, None)]
        for row, (code, item) in enumerate(zip(self.case.tolist(), self.all_names(), strict=True)):
            rows[code][item] = row
        return rows
