"""A result as output formats see it: blocks for people; rows, records and facts for programs."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from plumbline.records import dataclass
from plumbline.render.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block


class ScoreColumn(Protocol):
    """What formats may ask about a metric."""

    @property
    def name(self) -> str:
        """The full name."""

    @property
    def asked(self) -> str:
        """The name by which it was requested."""

    @property
    def average(self) -> str:
        """How cases become one value."""

    @property
    def is_count(self) -> bool:
        """Whether values are whole numbers."""


class ScoreTable(Protocol):
    """What formats may ask about the scores of systems."""

    @property
    def per_case(self) -> pl.DataFrame:
        """`system, case, metric, value`."""

    @property
    def mean(self) -> pl.DataFrame:
        """`system, metric, value, ...`."""

    @property
    def texts(self) -> pl.DataFrame:
        """`system, case` and a column for each metric whose values are texts."""

    @property
    def made(self) -> dict[str, Any]:
        """How the scores were made, with the systems and their run tags."""

    @property
    def columns(self) -> Sequence[ScoreColumn]:
        """The metrics."""


class Renderable(Protocol):
    """What a result provides; every keyword argument chooses a part of it, such as `per_case=True`."""

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """Notices and problems."""

    def to_blocks(self, *args: Any, **view: Any) -> Sequence[Block]:
        """Sentences and tables, in the order in which people read them."""

    def to_rows(self, *args: Any, **view: Any) -> pl.DataFrame:
        """The one table that a delimited file holds."""

    def to_plain_rows(self, *args: Any, **view: Any) -> list[tuple[Any, ...]] | None:
        """Heading and rows of the same table, where no frame need be made for them."""

    def to_records(self, *args: Any, **view: Any) -> Iterable[Mapping[str, Any]]:
        """The rows as dicts, which need not have the same keys."""

    def to_data(self, *args: Any, **view: Any) -> dict[str, Any] | list[Any]:
        """Everything, as dicts, lists, texts and numbers."""

    def score_table(self) -> ScoreTable | None:
        """The scores behind the result, if there are any."""


@dataclass(frozen=True)
class Document:
    """A result on its way into a format, narrowed to the part that is wanted."""

    result: Renderable
    part: tuple[Any, ...] = ()
    """Which part of the result is wanted: positional arguments of its methods, such as the system of a confusion matrix."""
    view: Mapping[str, Any] = field(default_factory=dict)
    """The same as keyword arguments."""
    tables_only: bool = False
    wide: bool = False
    """Whether tables are shown with all columns, however narrow the terminal is."""

    @property
    def blocks(self) -> list[Block]:
        """Sentences and tables, in the order in which people read them."""
        blocks = list(self.result.to_blocks(*self.part, **self.view))
        grids: list[Block] = [block for block in blocks if isinstance(block, Grid)]
        return grids if self.tables_only and grids else blocks

    @property
    def rows(self) -> pl.DataFrame:
        """The one table that a delimited file holds."""
        return self.result.to_rows(*self.part, **self.view)

    @property
    def plain_rows(self) -> list[tuple[Any, ...]] | None:
        """Heading and rows of the same table, where no frame need be made for them."""
        return self.result.to_plain_rows(*self.part, **self.view)

    @property
    def records(self) -> Iterable[Mapping[str, Any]]:
        """The rows as dicts, which need not have the same keys."""
        return self.result.to_records(*self.part, **self.view)

    @property
    def facts(self) -> dict[str, Any] | list[Any]:
        """Everything, as dicts, lists, texts and numbers."""
        return self.result.to_data(*self.part, **self.view)

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """The notices and problems of the result."""
        return self.result.notices

    @property
    def scores(self) -> ScoreTable | None:
        """The scores behind the result, if there are any."""
        return self.result.score_table()
