"""The view of classifiers: counts of each class in each list, and facts about the whole list.

`tp`, `fp` and `fn` are the items that a class rightly has, wrongly has and lacks; `n` is the number of items.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from plumbline.align.class_counts import NO_CLASS, ClassRows, picked, stacked
from plumbline.align.sides import summed
from plumbline.views.segments import Segments

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.class_counts import ItemRows
    from plumbline.align.classification import AlignedLabels

    Flags = NDArray[np.bool_]
    Places = NDArray[np.int64]

Numbers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""A value for each class of each list, or one for each list; NaN where it is undefined."""


class Counts:
    """The three counts of one class, of all classes together, or of one item: kernels need not know which."""

    def __init__(self, tp: Numbers, fp: Numbers, fn: Numbers) -> None:
        """The items that are rightly there, wrongly there and lacking."""
        self.tp, self.fp, self.fn = tp, fp, fn

    @classmethod
    def of(cls, rows: ClassRows | ItemRows) -> Counts:
        """Of each row."""
        return cls(rows.tp, rows.fp, rows.fn)


class Classes(Segments):
    """Rows of classes, list by list, with the facts that kernels ask for."""

    def __init__(self, aligned: AlignedLabels) -> None:
        """The rows of every list, with a row for each declared class."""
        rows = _complete(aligned)
        super().__init__(rows.list, len(aligned.systems) * len(aligned.cases))
        self.rows = rows
        self.tp, self.fp, self.fn = rows.tp, rows.fp, rows.fn
        self.n: Numbers = np.tile(aligned.sizes, len(aligned.systems)).astype(np.float64)
        self._aligned = aligned
        self.order_matters = False
        """Whether a kernel looked at the order of the classes."""

    @cached_property
    def wanted(self) -> Numbers:
        """The items that the gold has in each class."""
        return self.tp + self.fn

    @cached_property
    def given(self) -> Numbers:
        """The items that the system has there."""
        return self.tp + self.fp

    @cached_property
    def is_class(self) -> Flags:
        """Not the row of items without an answer."""
        return self.rows.class_ >= 0

    @cached_property
    def position(self) -> Numbers:
        """The place of a class among those of the list, from 0."""
        return self.so_far(self.is_class) - 1.0

    @cached_property
    def farthest(self) -> Numbers:
        """How many places the farthest class of the list is away."""
        return np.maximum(self.position, self.each(self.sum(self.is_class)) - 1.0 - self.position)

    def over_classes(self, values: Numbers) -> Numbers:
        """The sum over the classes of each list."""
        return self.sum(np.where(self.is_class, values, 0.0))

    def mean(self, values: Numbers, among: Flags) -> Numbers:
        """The mean over some rows of each list; NaN where there is none."""
        return self.sum(np.where(among, values, 0.0)) / self.sum(among)

    def together(self) -> Counts:
        """The counts of all classes of each list."""
        return Counts(*map(self.over_classes, (self.tp, self.fp, self.fn)))

    @property
    def several(self) -> bool:
        """Whether an item may have several labels."""
        return self._aligned.several

    @cached_property
    def wanted_above(self) -> Numbers:
        """How many items the gold has in the class right above; all items for a class at the top."""
        paths, every = self._aligned.paths, self.each(self.n)
        if paths is None:
            return every
        parents = np.array([*paths.parents(self._aligned.classes), NO_CLASS])[self.rows.class_]
        above = self.row_of(self.rows.list, parents)
        return np.where((parents >= 0) & (above >= 0), self.wanted[above], every)

    def row_of(self, lists: Places, classes: Places) -> Places:
        """The row of a class in a list, -1 for none."""
        most = len(self._aligned.classes) + 1
        keys, wanted = self.rows.list * most + self.rows.class_ + 1, lists * most + classes + 1
        rows = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[rows] == wanted, rows, -1)

    @cached_property
    def exact(self) -> Numbers:
        """How many items have exactly the right labels."""
        if not self.several:
            return self.sum(self.tp)
        items = self._aligned.by_item
        right = (items.fp == 0) & (items.fn == 0) & ~items.open
        return summed(items.list, right * items.items, self.count_of_segments)

    @cached_property
    def cells(self) -> Cells:
        """Pairs of the right class and the given one."""
        return Cells(self, self._aligned)

    def distance(self, power: int) -> Numbers:
        """The sum over all items of the distance between the right class and the given one; no answer is farthest away."""
        self.order_matters = True
        cells = self.cells
        apart = np.where(cells.is_answer, np.abs(cells.gold_at - cells.system_at), cells.gold_farthest)
        return cells.over_items(apart**power)


class Cells(Segments):
    """A row for each pair of classes that occurs in a list, with counts of the gold.

    `gold_n` and `system_n` are the items that the gold has in these classes, `upto_gold` and `upto_system` those
    in all classes up to and including them; `n` are all items of the list.
    """

    def __init__(self, view: Classes, aligned: AlignedLabels) -> None:
        """The cells of all lists."""
        cells = aligned.cells
        super().__init__(cells.list, view.count_of_segments)
        self.gold, self.system, self._times = cells.gold, cells.system, cells.n
        self.is_answer: Flags = cells.system >= 0
        gold, system = view.row_of(cells.list, cells.gold), view.row_of(cells.list, cells.system)
        upto = view.running_sum(view.wanted)
        self.n: Numbers = self.each(view.n)
        self.gold_n, self.upto_gold, self.gold_at = view.wanted[gold], upto[gold], view.position[gold]
        self.system_n, self.upto_system, self.system_at = view.wanted[system], upto[system], view.position[system]
        self.gold_farthest: Numbers = view.farthest[gold]

    def over_items(self, term: Numbers) -> Numbers:
        """The sum over all items of a term of the two classes."""
        return self.sum(term * self._times)


def _complete(aligned: AlignedLabels) -> ClassRows:
    """Every list has a row, and a row for each class that was declared."""
    rows, lists = aligned.by_class, len(aligned.systems) * len(aligned.cases)
    if aligned.declared:
        most = len(aligned.classes) + 1
        at = rows.list * most + rows.class_ + 1
        number, place = np.divmod(np.arange(lists * most), most)
        return ClassRows(number, place - 1, *(summed(at, values, lists * most) for values in (rows.tp, rows.fp, rows.fn)))
    empty = np.flatnonzero(np.bincount(rows.list, minlength=lists) == 0)
    if len(empty) == 0:
        return rows
    none = np.zeros(len(empty))
    every: ClassRows = stacked([rows, ClassRows(empty, np.full(len(empty), NO_CLASS), none, none, none)])
    in_order: ClassRows = picked(every, np.argsort(every.list, kind="stable"))
    return in_order
