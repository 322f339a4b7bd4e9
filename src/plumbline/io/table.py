"""What every reader hands over: rows of case, item and number, and where each row came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from plumbline.errors import Place

if TYPE_CHECKING:
    import polars as pl

    from plumbline.errors import Diagnostic

Role = Literal["gold", "output"]
Order = Literal["score", "rank", "file"]

DEFAULT_RATIO = 100
SMALLEST_LIMIT = 64 * 2**20


@dataclass(frozen=True)
class ReadOptions:
    """How files are read; the defaults fit most files."""

    reader: str | None = None
    order: Order = "score"
    tag: str | None = None
    max_bytes: int | None = None
    extra_columns: bool = False
    labels: bool = False
    """Values are labels of a filter or classifier, not grades and scores of a ranking."""
    label_separator: str | None = None
    clusters: bool = False
    """Labels are clusters: a list of labels in a dict is a cluster's list of items."""
    organization: bool = False
    """Levels and clusters together: the table gets a `label` for the cluster beside its value."""
    role: Role = "gold"
    """What is being read; set by `read`."""


class Origin(Protocol):
    """Finds the place of a row again, when there is something to say about it."""

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of a value in these rows: file, line and column where the format has them; row -1 is the header."""
        ...


@dataclass(frozen=True)
class Table:
    """Rows of one file or object: `case` (categorical), `item` (text), `value` (64-bit).

    An organization has the level as its value, greater is better, and the cluster as `label`, none for one of its own.
    Items of clustered arrays are row numbers, which alignment makes text of when something has to be said about one.
    """

    frame: pl.DataFrame
    label: str
    reader: str
    origin: Origin
    tag: str | None = None
    notices: tuple[Diagnostic, ...] = field(default=())
    empty_cases: tuple[str, ...] = field(default=())
    classes: tuple[str, ...] = field(default=())
    """The classes that a label matrix has columns for."""


@dataclass(frozen=True)
class PickedOrigin:
    """Some rows of another table, each as often as it was taken."""

    origin: Origin
    rows: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of the rows that were taken."""
        return self.origin.places([self.rows[row] if row >= 0 else row for row in rows], column)


@dataclass(frozen=True)
class NestedOrigin:
    """Rows of a dict of dicts have no lines, but their keys say where they are."""

    label: str
    cases: pl.Series
    items: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:  # noqa: ARG002 - the keys are enough
        """Case and item of each row."""
        return [Place(f"{self.label}, {self.cases[row]}/{self.items[row]}" if row >= 0 else self.label) for row in rows]
