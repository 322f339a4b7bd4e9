"""One score taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.render.formula import plain_formula
from plumbline.render.grid import UNDEFINED, Cell, Grid, Sentences
from plumbline.render.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.render.grid import Block

MOST_ROWS: Final = 40
"""Rows of a table that are shown to people; programs get all."""
_NAMES: Final = 3
"""Among so many columns at the left are those that tell the rows apart, such as rank and item, or two items."""


@dataclass(frozen=True, repr=False)
class Why(Result):
    """One score taken apart: the terms, counts and probabilities behind it.

    Attributes:
        measure: The name of the metric.
        system: The name of the system.
        case: The name of the case.
        value: The score; None if it is undefined.
        formula: The formula of the metric, in LaTeX.
        reason: Why the value is undefined; empty if it is not.
        rows: Rankings: `rank, item, grade` of the judged items shown, with `term` and the running `sum` where the score is a
            sum. Filters: the counts, or the positive and negative items at each score. Classifiers: the counts of each class.
        total: The sum of the terms.
        divisor: The number by which the sum is divided.
        probabilities: The probabilities of a filter, as the formula names them.
        filled: The formula with the numbers in it.
        losses: What Reliability or Sensitivity lost, by cause; with the value it adds up to 1.
        pairs: Reliability and Sensitivity: `first, relation, second, lost, cause` of the pairs that lost most.
        parts: The two parts of an F.
        text: The value of a metric that is text and not a number, such as `RelString`.
        remark: What is not among the rows: items after the cut-off, or an item that is not in the list.

    Example:
        >>> import plumbline
        >>> why = plumbline.why("qrels.txt", "bm25.run", "AP", case="q1")
        >>> why.rows["item"].to_list()
        ['d1', 'd2', 'd3']
    """

    measure: str
    system: str
    case: str
    value: float | None
    formula: str
    reason: str = ""
    rows: pl.DataFrame = field(default_factory=pl.DataFrame)
    total: float | None = None
    divisor: float | None = None
    probabilities: dict[str, float | None] = field(default_factory=dict)
    filled: str = ""
    losses: dict[str, float] = field(default_factory=dict)
    pairs: pl.DataFrame = field(default_factory=pl.DataFrame)
    parts: tuple[Why, ...] = ()
    remark: str = ""
    text: str | None = None

    def to_polars(self) -> pl.DataFrame:
        """The rows behind the score; of an F, those of its parts, with the name of each part."""
        if not self.parts:
            return self.rows
        tables = [part.to_polars() for part in self.parts]
        named = [table.with_columns(part=pl.lit(part.measure)) for part, table in zip(self.parts, tables, strict=True)]
        return pl.concat(named, how="diagonal_relaxed")

    def to_blocks(self) -> list[Block]:
        """The parts first, then the score with its formula, and the rows behind it."""
        blocks = [block for part in self.parts for block in part.to_blocks()]
        return [*blocks, Sentences(tuple(self._head())), *self._terms()]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, the parts of an F within it."""
        names = ("measure", "system", "case", "value", "reason", "total", "divisor", "probabilities", "filled", "losses")
        return {
            "remark": self.remark,
            "text": self.text,
            **{name: getattr(self, name) for name in names},
            "formula": plain_formula(self.formula),
            "rows": self.rows.to_dicts(),
            "pairs": self.pairs.to_dicts(),
            "parts": [part.to_dict() for part in self.parts],
        }

    def _head(self) -> Iterator[str]:
        value = self.text if self.text is not None else UNDEFINED if self.value is None else f"{self.value:.6f}"
        yield f"{self.measure} of {self.system} in case {self.case}: {value}"
        if self.formula:
            yield f"  {plain_formula(self.formula)}"
        if self.reason:
            yield f"  undefined: {self.reason}"
        if self.filled:
            yield f"  = {self.filled}"
        if self._has_terms and self.losses:
            yield "  lost: " + ", ".join(f"{lost:.6g} to {cause}" for cause, lost in self.losses.items())

    @property
    def _has_terms(self) -> bool:
        return not self.parts and (not self.reason or bool(self.probabilities))

    def _terms(self) -> Iterator[Block]:
        if not self._has_terms:
            return
        tables = (self.rows, self.pairs) if self.losses else (self.rows,)
        yield from (_grid(table) for table in tables if not table.is_empty())
        lines = [] if self.losses or self.remark or not self.rows.is_empty() else ["  no judged item is in the list"]
        lines += [f"  {self.remark}"] if self.remark else []
        lines += [f"  {name} = {UNDEFINED if value is None else f'{value:.6g}'}" for name, value in self.probabilities.items()]
        if self.total is not None and self.divisor is not None and self.value is not None:
            lines.append(f"  sum of the terms {self.total:.6g} / {self.divisor:.6g} = {self.value:.6f}")
        if lines:
            yield Sentences(tuple(lines))


def _grid(table: pl.DataFrame) -> Grid:
    rows = tuple(tuple(Cell(_text(value)) for value in row) for row in table.head(MOST_ROWS).iter_rows())
    more = f"and {len(table) - MOST_ROWS:,} more rows" if len(table) > MOST_ROWS else ""
    names = [at for at, column in enumerate(table.iter_columns()) if column.dtype == pl.String and at < _NAMES]
    return Grid(tuple(table.columns), rows, more, keep=max(names, default=0) + 1)


def _text(value: object) -> str:
    return UNDEFINED if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
