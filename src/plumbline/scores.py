"""evaluate(): from gold and systems to the table of scores."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, Diagnostic, table
from plumbline.io.atomic import write_atomically
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.html import html
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.terminal import plain
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    import os

    import pandas as pd

ARROWS: Final = {"higher": "↑", "lower": "↓", "neither": ""}
_SAVED: Final = "plumbline"


@dataclass(frozen=True)
class Column:
    """What a column of scores is: the name it was asked by, its direction and how cases become one value."""

    name: str
    asked: str
    better: str
    average: str
    undefined: str


@dataclass(frozen=True, repr=False)
class Scores:
    """Every value with its system, case and metric, the means with their counts, and how they were made."""

    per_case: pl.DataFrame
    """`system, case, metric, value`; a null value is undefined."""
    mean: pl.DataFrame
    """`system, metric, value, cases, missing, undefined`: the mean and how many cases stand behind it."""
    columns: tuple[Column, ...]
    notices: tuple[Diagnostic, ...] = ()
    made: dict[str, Any] = field(default_factory=dict)
    """How the scores were made: version, task, gold, systems, readers, policies."""
    texts: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Values that are no numbers, such as relevance strings."""

    @cached_property
    def ordered_systems(self) -> list[str]:
        """Systems from best to worst by the first metric; undefined last."""
        first = self.columns[0] if self.columns else None
        if first is None:
            return []
        ours = self.mean.filter(pl.col(METRIC) == first.name)
        return ours.sort(VALUE, descending=first.better != "lower", nulls_last=True, maintain_order=True)[SYSTEM].to_list()

    def grid(self, digits: int = 4) -> Grid:
        """Systems by metrics, best first, as plain data for any format."""
        values = {(row[0], row[1]): row[2] for row in self.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
        best = {
            column.name: _best(column, [values[system, column.name] for system in self.ordered_systems])
            for column in self.columns
        }
        rows = tuple(
            (Cell(system), *(_cell(values[system, column.name], best[column.name], digits) for column in self.columns))
            for system in self.ordered_systems
        )
        heading = (
            "system",
            *(f"{column.name}{' ' * bool(ARROWS[column.better])}{ARROWS[column.better]}" for column in self.columns),
        )
        return Grid(heading, rows, notes=tuple(notice.headline() for notice in self.notices if notice.code != "N212"))

    def to_pandas(self) -> pd.DataFrame:
        """The values per case as a pandas frame."""
        return self.per_case.to_pandas()

    def to_latex(self) -> str:
        """The table of means as LaTeX (booktabs)."""
        return latex(self.grid())

    def to_markdown(self) -> str:
        """The table of means as Markdown."""
        return markdown(self.grid())

    def __repr__(self) -> str:
        shown = plain(self.grid()).rstrip()
        notes = [notice.headline() for notice in self.notices if notice.code != "N212"]
        return "\n".join([shown, *notes])

    def _repr_html_(self) -> str:
        return html(self.grid())

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write to a Parquet file with everything needed to say how the scores were made."""
        facts = {
            "columns": [vars(column) for column in self.columns],
            "mean": self.mean.to_dict(as_series=False),
            "notices": [[notice.code, notice.headline(), notice.help] for notice in self.notices],
            "made": self.made,
        }
        with write_atomically(Path(path), force=force) as file:
            self.per_case.write_parquet(file, metadata={_SAVED: json.dumps(facts)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scores:
        """Read what `save` wrote."""
        try:
            facts = json.loads(pl.read_parquet_metadata(Path(path))[_SAVED])
            per_case = pl.read_parquet(Path(path), glob=False)
        except (PolarsError, KeyError, OSError, json.JSONDecodeError):
            raise BadData(table.not_scores(str(path))) from None
        mean = pl.DataFrame(facts["mean"], schema=MEAN_SCHEMA)
        columns = tuple(Column(**column) for column in facts["columns"])
        notices = tuple(
            Diagnostic(code, text.split(f"{code} ", 1)[-1], None, advice) for code, text, advice in facts["notices"]
        )
        return cls(per_case, mean, columns, notices, facts["made"])


MEAN_SCHEMA: Final = {
    SYSTEM: pl.String,
    METRIC: pl.String,
    VALUE: pl.Float64,
    "cases": pl.Int64,
    "missing": pl.Int64,
    "undefined": pl.Int64,
}
PER_CASE_SCHEMA: Final = {SYSTEM: pl.String, CASE: pl.String, METRIC: pl.String, VALUE: pl.Float64}


def _best(column: Column, values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if column.better == "neither" or len(values) < 2 or not known:  # noqa: PLR2004 - one system beats nobody
        return None
    return max(known) if column.better == "higher" else min(known)


def _cell(value: float | None, best: float | None, digits: int) -> Cell:
    return Cell(number(value, digits), value is not None and value == best)
