"""What every reader returns: rows of case, item and value, and where each row came from."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from plumbline.deferred import deferring, is_put_off
from plumbline.errors import BadUsage, Place, usage
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.documents import Documents
    from plumbline.io.labelled import Labelled
    from plumbline.io.listed import Listed, Sought
    from plumbline.schema import TableKind

Role = Literal["gold", "output"]
MEANINGS: Final = ("case", "item", "score", "grade", "label", "cluster", "rank", "level", "start", "end", "system", "unit")
"""What a column can be named for; each but `unit` is also the first of the usual names of such columns.

A unit is what items of the gold belong to, such as a user or a document; it has no usual name, since it is read on request.
"""
Order = Literal["score", "rank", "file"]

Readable: TypeAlias = Any
"""Anything that gold or an output can be read from: a path, an open file, a dict, a list, an array or a data frame."""
AnyValue: TypeAlias = Any
"""Any value of a dict, a list or a JSON file, or an object of another library."""

LARGEST_GRADE: Final = 2**31 - 1


@dataclass(frozen=True)
class Settled:
    """What was found when repeated rows of a table were settled, before equal items were counted (`TIMES`)."""

    origin: Origin
    """Where the rows are that are named here."""
    repeated: int = 0
    """How many rows were left out."""
    examples: tuple[int, ...] = ()
    """The first of the rows that are named as examples."""
    clashes: int = 0
    """How many rows repeat an item although none may."""
    clash: pl.DataFrame | None = None
    """`row, first, case, item` of the first of them, and the rows that they repeat."""
    gold: Table | None = None
    """Beside an output: the gold, with items counted as in the output."""
    cases: tuple[str, ...] = ()
    """Of such a gold: all cases in the order of the rows that were read, of which some are left out."""


@dataclass(frozen=True)
class ReadOptions:
    """How files are read; the defaults fit most files."""

    reader: str | None = None
    """The reader of gold and outputs; None to look at the content of each file."""
    order: Order = "score"
    tag: str | None = None
    columns: str | Mapping[str, str] | None = None
    """Which column has which meaning, as people write it; `column_of` reads it."""
    max_bytes: int | None = None
    extra_columns: bool = False
    kind: TableKind = "scores"
    label_separator: str | None = None
    gold_reader: str | None = None
    """The reader of the gold, in place of `reader`."""
    output_reader: str | None = None
    """The reader of outputs, in place of `reader`."""
    scheme: str = "lenient"
    """How tags of tokens mark spans."""
    values: str = "exact"
    """Whether values of slots are compared as they are written, or normalised."""
    annotations: str = "spans"
    """What of files that annotate spans is read: these, their attributes or the relations between them."""
    several_systems: bool = False
    """Whether a column may tell several systems apart; otherwise one file is one system."""
    fold_column: str | None = None
    """The column with the fold that an answer comes from, where folds are told apart; `repeat` and `part` are kept, too."""
    sought: Sought | None = None
    """The judged items; where they are known, only their rows are kept of a large run."""
    role: Role = "gold"
    """What is being read; set by `read`."""

    @property
    def column_of(self) -> dict[str, str]:
        """The column that was named for each meaning."""
        if self.columns is None:
            return {}
        if not isinstance(self.columns, str):
            pairs = [(str(meaning), str(column)) for meaning, column in self.columns.items()]
        else:
            pairs = [(meaning, column) for meaning, _, column in (part.partition("=") for part in self.columns.split(","))]
        named = {meaning.strip().lower(): column.strip() for meaning, column in pairs}
        wrong = next((meaning for meaning, column in named.items() if meaning not in MEANINGS or not column), None)
        if wrong is not None or len(named) < len(pairs):
            raise BadUsage(usage.bad_columns(wrong or "", list(MEANINGS)))
        return named

    @property
    def reader_of_role(self) -> str | None:
        """The reader that was chosen for what is being read."""
        return (self.gold_reader if self.role == "gold" else self.output_reader) or self.reader

    @property
    def of_labels(self) -> bool:
        """Whether values are labels or clusters, not grades and scores."""
        return self.kind in {"labels", "clusters"}


class Origin(Protocol):
    """Finds the place of a row, for a message about it."""

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of a value in these rows: file, line and column where the format has them; row -1 is the header."""
        ...


@dataclass(frozen=True, eq=False)
class Nested:
    """A dict of dicts of plain ids and finite numbers, which can be looked up as it is."""

    data: Mapping[str, Mapping[str, float]]
    values: NDArray[np.float64]
    """All numbers, in their order."""

    @cached_property
    def items(self) -> list[str]:
        """All items, in their order."""
        return list(chain.from_iterable(self.data.values()))


@deferring("frame", "origin", "numbered")
@dataclass(frozen=True)
class Table:
    """Rows of one file or object: `case` (categorical), `item` (text), `value` (64-bit).

    An organization has the level as its value, greater is better, and the cluster as `label`; an item without a
    cluster is alone. Items of clustered arrays are row numbers, which become text when a message names one.
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
    probabilities: int = 0
    """For how many classes the table was made of probabilities: then values are numbers of classes, in their order."""
    named_columns: frozenset[str] = frozenset()
    """The columns that were named for a meaning, as far as the table has them."""
    nested: Nested | None = None
    """The dict that the table is about, where the frame is made only if it is asked for; another frame is not about it."""
    listed: Listed | None = None
    """The same, as the reader in C hands it over."""
    labelled: Labelled | None = None
    """The same of a table of labels."""
    numbered: tuple[pl.Series, ...] | None = None
    """The values of an array, one case whose items are counted from 0, where the frame is made only if it is asked for."""
    settled: Settled | None = None
    """Where rows stand for several items: what was found before."""
    documents: Documents | None = None
    """The documents of spans, where the file lists them; in a table of spans those without a span do not occur."""

    def __post_init__(self) -> None:
        if not is_put_off(self, "frame"):
            for name in ("nested", "listed", "labelled", "numbered"):
                if vars(self)[name] is not None:
                    object.__setattr__(self, name, None)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        if self.labelled is not None:
            return len(self.labelled)
        return len(self.frame) if self.numbered is None else len(self.numbered[0])

    def in_its_order(self, rows: list[int]) -> list[int]:
        """Some rows in the order of the source; rows that stand for several items may be in another one."""
        picked = self.origin.rows if isinstance(self.origin, PickedOrigin) else None
        return rows if picked is None else sorted(rows, key=lambda row: int(picked[row]))

    @property
    def names_of_cases(self) -> list[str] | None:
        """Every case with rows, where that is known without the frame."""
        if self.listed is not None:
            return self.listed.cases
        if self.labelled is not None:
            return self.labelled.cases
        return None if self.nested is None else [case for case, items in self.nested.data.items() if items]


@dataclass(frozen=True)
class PickedOrigin:
    """Some rows of another table, each as often as it was picked."""

    origin: Origin
    rows: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of the rows that were picked."""
        return self.origin.places([self.rows[row] if row >= 0 else row for row in rows], column)


@dataclass(frozen=True)
class NestedOrigin:
    """Rows of a dict of dicts; they have no lines, but keys."""

    label: str
    cases: pl.Series
    items: pl.Series

    def places(self, rows: list[int], column: str) -> list[Place]:
        """Case and item of each row."""
        return [Place(f"{self.label}, {self.cases[row]}/{self.items[row]}" if row >= 0 else self.label) for row in rows]


@dataclass(frozen=True)
class FrameOrigin:
    """Rows of a frame."""

    label: str

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The rows, counted from 1."""
        return [Place(self.label, row + 1 if row >= 0 else None) for row in rows]
