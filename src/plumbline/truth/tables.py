"""What results have in common that consist of a summary, a main table and further tables with names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from plumbline.errors import BadUsage, usage
from plumbline.render.result import described

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from plumbline.errors import Diagnostic


class Tabular(Protocol):
    """Such a result; its tables are fields."""

    @property
    def summary(self) -> Sequence[str]:
        """The answer in sentences."""

    @property
    def made(self) -> Mapping[str, Any]:
        """How it was made."""

    @property
    def notices(self) -> Sequence[Diagnostic]:
        """What should be known about it."""

    def to_polars(self) -> pl.DataFrame:
        """The main table."""


def chosen_tables(result: Tabular, names: Sequence[str], show: Sequence[str], tables: Iterable[str]) -> dict[str, pl.DataFrame]:
    """The tables that are always shown and those that were asked for, each once, without empty ones."""
    wanted = dict.fromkeys([*names, *(_name_of(name, tables) for name in show)])
    return {name: frame for name in wanted if not (frame := getattr(result, name)).is_empty()}


def only_table(result: Tabular, show: Sequence[str], tables: Iterable[str]) -> pl.DataFrame:
    """The one table that a file holds: the main one, or the one that was asked for."""
    if len(show) > 1:
        raise BadUsage(usage.bad_object("several tables for a file that holds one", "one table"))
    frame: pl.DataFrame = getattr(result, _name_of(show[0], tables)) if show else result.to_polars()
    return frame


def everything(result: Tabular, main: str, tables: Iterable[str]) -> dict[str, Any]:
    """The summary, all tables, how they were made, and the notices."""
    rows = {name: getattr(result, name).to_dicts() for name in (main, *tables)}
    return {"summary": list(result.summary), **rows, "made": dict(result.made), "notices": described(result.notices)}


def _name_of(name: str, tables: Iterable[str]) -> str:
    """The field of a table, which people may also write with a hyphen."""
    field = name.replace("-", "_")
    if field not in tables:
        raise BadUsage(usage.bad_option("show", name, [one.replace("_", "-") for one in tables]))
    return field
