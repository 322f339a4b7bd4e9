"""Confusion matrices: which class was taken for which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from plumbline.align.alignment import NO_ANSWER
from plumbline.errors import BadUsage, usage
from plumbline.evaluation.evaluation import Evaluation, evaluation_of
from plumbline.options.evaluation import OutputOptions
from plumbline.options.option import documented
from plumbline.render.grid import Cell, Grid
from plumbline.render.result import Result, described
from plumbline.schema import CASE, LIST, SYSTEM

if TYPE_CHECKING:
    from plumbline.align.alignment import Alignment
    from plumbline.errors import Diagnostic


@dataclass(frozen=True, repr=False)
class ConfusionMatrix(Result):
    """How often each class of the gold was given each label, for every system and case.

    Attributes:
        cells: `system, case, gold, given, count`, a row for every pair that occurs.
        classes: The classes, in their order.
        systems: The names of the systems.
        notices: What should be known about the counts.
        no_answer: The label that stands for no answer; no class has this name.

    Example:
        >>> import plumbline
        >>> matrix = plumbline.confusion(["cat", "dog", "dog"], {"mine": ["cat", "cat", "dog"]})
        >>> matrix.to_markdown("mine").splitlines()[3]
        '| dog | 1 | **1** |'
    """

    cells: pl.DataFrame
    classes: tuple[str, ...]
    systems: tuple[str, ...]
    notices: tuple[Diagnostic, ...] = ()
    no_answer: str = NO_ANSWER

    def grid(self, system: str | None = None, case: str | None = None) -> Grid:
        """The matrix of one system, as plain data.

        Args:
            system: The system; the first if none is given.
            case: The case; all cases together if none is given.

        Returns:
            A heading and rows of cells, from which every output format is made.

        Raises:
            BadUsage: There is no such system or case.
        """
        name = self.systems[0] if system is None else system
        if name not in self.systems:
            raise BadUsage(usage.unknown_name("system", name, list(self.systems[:3])))
        cells = self.counts(case).filter(pl.col(SYSTEM) == name)
        summed = cells.group_by("gold", "given", maintain_order=True).agg(pl.col("count").sum())
        counts = {(wanted, given): count for wanted, given, count in summed.iter_rows()}
        given = [*self.classes, *([self.no_answer] if any(pair[1] == self.no_answer for pair in counts) else [])]
        rows = tuple(
            (Cell(wanted), *(Cell(f"{counts.get((wanted, label), 0):,}", best=wanted == label) for label in given))
            for wanted in self.classes
        )
        several = self.cells[CASE].n_unique() > 1
        where = f", case {case}" if case is not None else ", all cases" if several else ""
        return Grid(("gold \\ given", *given), rows, f"{name}{where}: rows are the gold's classes, columns the given ones")

    def counts(self, case: str | None = None) -> pl.DataFrame:
        """The cells of one case, or of all.

        Args:
            case: The case; all cases if none is given.

        Returns:
            `system, case, gold, given, count`.

        Raises:
            BadUsage: There is no such case.
        """
        if case is None:
            return self.cells
        known = self.cells[CASE].unique(maintain_order=True).to_list()
        if case not in known:
            raise BadUsage(usage.unknown_name("case", case, known[:3]))
        return self.cells.filter(pl.col(CASE) == case)

    def to_polars(self) -> pl.DataFrame:
        """`system, case, gold, given, count`, a row for every pair that occurs."""
        return self.cells

    def to_blocks(self, system: str | None = None, case: str | None = None) -> list[Grid]:
        """The matrix of each system, or of one.

        Args:
            system: The system; all systems if none is given.
            case: The case; all cases together if none is given.

        Returns:
            The matrices.

        Raises:
            BadUsage: There is no such system or case.
        """
        return [self.grid(name, case) for name in (self.systems if system is None else [system])]

    def to_rows(self, system: str | None = None, case: str | None = None) -> pl.DataFrame:
        """The cells of all systems and cases, or of one.

        Args:
            system: The system; all systems if none is given.
            case: The case; all cases together if none is given.

        Returns:
            `system, case, gold, given, count`.

        Raises:
            BadUsage: There is no such system or case.
        """
        cells = self.counts(case)
        return cells if system is None else cells.filter(pl.col(SYSTEM) == system)

    def to_dict(self, system: str | None = None, case: str | None = None) -> dict[str, Any]:
        """Classes, systems, cells and notices.

        Args:
            system: The system; all systems if none is given.
            case: The case; all cases together if none is given.

        Returns:
            A dict with the keys classes, systems, cells and notices.

        Raises:
            BadUsage: There is no such system or case.
        """
        return {
            "classes": list(self.classes),
            "systems": list(self.systems),
            "cells": self.to_rows(system, case).to_dicts(),
            "notices": described(self.notices),
        }


@documented(OutputOptions)
def confusion(
    gold: Any,  # noqa: ANN401 - as evaluate
    systems: Any,  # noqa: ANN401 - as evaluate
    *,
    task: str | None = None,
    **options: Unpack[OutputOptions],
) -> ConfusionMatrix:
    """Count how many items of each class in the gold were given each label, for every system.

    Args:
        gold: The right answers, as `evaluate` takes them.
        systems: The outputs, as `evaluate` takes them.
        task: "classification" or "filtering"; classification unless a positive label is given.
        **options: See `plumbline.options.evaluation.OutputOptions`.

    Returns:
        A matrix for every system and case.

    Raises:
        BadUsage: If items have several labels, or the task has no classes.

    Example:
        >>> import plumbline
        >>> matrix = plumbline.confusion(["cat", "dog", "dog"], ["cat", "cat", "dog"])
        >>> matrix.cells.select("gold", "given", "count").rows()
        [('cat', 'cat', 1), ('dog', 'cat', 1), ('dog', 'dog', 1)]
    """
    return confusion_of(evaluation_of(gold, systems, task=task or task_of_matrix(options.get("positive")), **options))


def confusion_of(evaluation: Evaluation) -> ConfusionMatrix:
    """The confusion matrix of systems that are at hand already."""
    aligned = evaluation.alignment()
    counted = aligned.confusion_cells()
    if counted is None:
        raise BadUsage(usage.no_confusion())
    return ConfusionMatrix(_named(counted.cells, aligned), counted.classes, aligned.systems, aligned.notices, counted.no_answer)


def task_of_matrix(positive: Any) -> str:  # noqa: ANN401 - as evaluate
    """The task if none is named: labels are classes, unless some of them are positive."""
    return "filtering" if positive else "classification"


def _named(cells: pl.DataFrame, aligned: Alignment) -> pl.DataFrame:
    cases = len(aligned.cases)
    systems = pl.Series(SYSTEM, aligned.systems).gather(cells[LIST] // cases)
    return cells.select(systems, pl.Series(CASE, aligned.cases).gather(cells[LIST] % cases), "gold", "given", "count")
