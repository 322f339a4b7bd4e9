"""A dossier is plain data: parts with a verdict each, sections in them, and blocks of words, tables and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

from plumbline.reports.front import FrontMatter

if TYPE_CHECKING:
    from plumbline.render.grid import Grid


MANY_ROWS: Final = 6000
"""Rows of a figure that browsers draw in about a second."""


@dataclass(frozen=True)
class Entry:
    """A cell of a table: what is read, and what it is sorted by."""

    text: str
    value: float | None = None
    """The number in full; none where there is none, or the entry is a word."""
    aside: str = ""
    """Small print beside it."""
    detail: str = ""
    """Small print below."""
    best: bool = False
    raised: str = ""
    """A mark of significance."""
    bar: float | None = None
    """The length of the bar behind the number, as a share of the cell."""
    icon: str = ""
    """A sign before the text that says the same."""
    system: str = ""
    """The system that the entry names, as figures call it."""
    colour: int | None = None
    """The place of its colour."""


@dataclass(frozen=True)
class Heading:
    """The head of a column."""

    text: str
    hint: str = ""
    """What the column is, for those who point at it."""
    numeric: bool = True
    optional: bool = False
    """Whether a phone shows the column only if the reader chooses it."""
    ascending: bool = False
    """Whether small numbers come first when it is first sorted by this column."""

    @property
    def first(self) -> str:
        """The direction of the first sorting."""
        return "ascending" if self.ascending or not self.numeric else "descending"


@dataclass(frozen=True)
class Table:
    """A table that can be sorted and filtered; the column `named` tells whose row it is."""

    kind: ClassVar[str] = "table"
    name: str
    caption: str
    heading: tuple[Heading, ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: tuple[str, ...] = ()
    named: int = 0
    folded: str = ""
    """If not empty, the table is folded away behind this text."""
    live: bool = True
    """Whether it can be sorted and filtered."""
    bands: tuple[int | None, ...] = ()
    """The band of each row, which is seen as a colour."""
    compact: bool = False
    """Whether small print is hidden until the reader asks for it, so that each row is one line."""
    open: bool = False
    """Whether a folded table is unfolded at first."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Points:
    """Sentences that are read one by one."""

    kind: ClassVar[str] = "points"
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A Vega-Lite drawing, without colours of its own."""

    kind: ClassVar[str] = "picture"
    name: str
    title: str
    caption: str
    spec: dict[str, Any]
    narrows: bool = False
    """Whether it stays readable when it is made as narrow as a phone; else it scrolls there."""
    widens: bool = False
    """Whether it is made as wide as the page."""
    stacks: bool = False
    """Whether its panels stand below each other where there is no room beside each other."""

    @property
    def large(self) -> bool:
        """Whether it takes long to draw, so that it is drawn only for those who look at it."""
        return sum(map(len, self.spec.get("datasets", {}).values())) > MANY_ROWS


@dataclass(frozen=True)
class Chooser:
    """Values of every case, from which the reader chooses two systems and a metric."""

    kind: ClassVar[str] = "chooser"
    name: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    cases: tuple[str, ...]
    values: list[list[list[float | None]]]
    """`[metric][system][case]`, to six digits."""
    lower: tuple[bool, ...]
    picture: Picture
    """Drawn for those that are chosen at first; others take the place of their rows."""
    start: tuple[int, int, int] = (0, 1, 0)
    """The two systems and the metric that are chosen at first, by their numbers."""
    eps: float = 0.0
    """Differences up to this are none."""
    colours: tuple[int, ...] = ()
    """The place of the colour of each system."""


@dataclass(frozen=True)
class MetricChooser:
    """Two metrics that the reader chooses; the values are those that a `Chooser` of the same part holds."""

    kind: ClassVar[str] = "metric_chooser"
    name: str
    values: str
    """The name of that chooser."""
    metrics: tuple[str, ...]
    picture: Picture
    """Drawn of the two that are chosen at first, and of all systems."""
    start: tuple[int, int]
    """These two, by their numbers: across and up."""
    ignoring: list[tuple[int, int]]
    """System and case of outputs that tell nothing about the gold, by their numbers."""
    layers: list[dict[str, Any]]
    """Dots in the colours of systems, dots of the others, and crosses; without rows."""
    colours: list[int]
    """The place of the colour of each system."""
    others: int
    """The place of the colour of systems that have none of their own."""
    most: int
    """Dots that are drawn."""
    left_out: int = 0
    """Systems of which the page has no values."""


@dataclass(frozen=True)
class Notice:
    """Something that was decided, dropped or filled in."""

    code: str
    text: str
    help: str


@dataclass(frozen=True)
class Notices:
    """Everything that is to be said about the data."""

    kind: ClassVar[str] = "notices"
    notices: tuple[Notice, ...]


@dataclass(frozen=True)
class Listing:
    """Text to be copied as it stands."""

    kind: ClassVar[str] = "listing"
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Stretch:
    """A piece of a text: whether it is right, missed, spurious or of another type, and what is said about it."""

    text: str
    state: str
    hint: str


@dataclass(frozen=True)
class Marked:
    """A document with marks in its text."""

    kind: ClassVar[str] = "marked"
    title: str
    stretches: tuple[Stretch, ...]


Block = Paragraph | Points | Table | Picture | Chooser | MetricChooser | Notices | Listing | Marked


@dataclass(frozen=True)
class BigNumber:
    """A number of the first screen, and what it is."""

    text: str
    label: str


@dataclass(frozen=True)
class Section:
    """One question and what answers it."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Part:
    """Systems of one kind: a verdict, and the sections behind it."""

    name: str
    title: str
    facts: str
    """How many systems, cases and metrics."""
    verdict: tuple[str, ...]
    """Sentences, the most important one first."""
    sections: tuple[Section, ...]
    numbers: tuple[BigNumber, ...] = ()
    forest: Picture | None = None
    """Differences with their intervals."""


@dataclass(frozen=True)
class Dossier:
    """What the page shows."""

    title: str
    parts: tuple[Part, ...]
    front: FrontMatter = field(default_factory=FrontMatter)


def table_of(grid: Grid, name: str, *, named: int = 0, folded: str = "") -> Table:
    """A grid as a table of the page; texts that are numbers are sorted as numbers."""
    rows = tuple(
        tuple(Entry(cell.marked, _number(cell.text), cell.raised, best=cell.best) for cell in row) for row in grid.rows
    )
    numeric = [any(row[at].value is not None for row in rows) for at in range(len(grid.heading))]
    heading = tuple(Heading(text, numeric=is_number) for text, is_number in zip(grid.heading, numeric, strict=True))
    return Table(name, grid.caption, heading, rows, grid.notes, named, folded)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").removeprefix("<"))
    except ValueError:
        return None
