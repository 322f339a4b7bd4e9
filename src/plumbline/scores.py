"""evaluate(): from gold and systems to the table of scores."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.average import best_first, ranks
from plumbline.errors import BadData, Diagnostic, table
from plumbline.errors.base import READ_AS, plural, restored
from plumbline.io.bytes.atomic import write_atomically
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.html import html
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.terminal import plain
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE
from plumbline.upward import above

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd

    from plumbline.metrics.registry import Average

ARROWS: Final = {"higher": "↑", "lower": "↓", "neither": ""}
BEATS: Final = "*"
"""Stands after a mean that beats every baseline."""
_SAVED: Final = "plumbline"
_TIES: Final = {
    "id": "equal scores by item id",
    "average": "mean over orders of equal scores",
    "levels": "equal scores as one level",
}


@dataclass(frozen=True)
class Column:
    """What a column of scores is: the name it was asked by, its direction and how cases become one value."""

    name: str
    asked: str
    better: str
    average: Average
    undefined: str

    @property
    def heading(self) -> str:
        """The name with an arrow in the direction that is better."""
        return f"{self.name} {ARROWS[self.better]}".rstrip()

    @property
    def is_count(self) -> bool:
        """Whether values are whole numbers; a sum of standardised ones is not."""
        return self.average == "sum" and not self.name.startswith("Z(")

    def text(self, value: float | None, digits: int) -> str:
        """A value of this column; counts are whole numbers."""
        return number(value, 0 if self.is_count else digits)

    def cells(self, values: list[float | None], digits: int) -> list[Cell]:
        """The column with its best values marked."""
        compared = self.better != "neither" and len(values) > 1
        places = self.ranks(values) if compared else [None] * len(values)
        return [Cell(self.text(value, digits), place == 1) for value, place in zip(values, places, strict=True)]

    def ranks(self, values: Sequence[float | None]) -> list[int | None]:
        """1 for the best value; what is undefined has none."""
        return ranks([nan if value is None else value for value in values], lower=self.better == "lower")


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
        return [ours[SYSTEM][at] for at in best_first(first.ranks(ours[VALUE].to_list()))]

    def grid(self, digits: int = 4) -> Grid:
        """Systems by metrics, best first, as plain data for any format."""
        values = {(row[0], row[1]): row[2] for row in self.mean.select(SYSTEM, METRIC, VALUE).iter_rows()}
        systems = self.ordered_systems
        columns = [[values[system, column.name] for system in systems] for column in self.columns]
        cells = [column.cells(numbers, digits) for column, numbers in zip(self.columns, columns, strict=True)]
        if self.floor:
            cells = [self._marked(column, systems, own) for column, own in zip(self.columns, cells, strict=True)]
        rows = tuple((Cell(system), *row) for system, row in zip(systems, zip(*cells, strict=True), strict=True))
        return Grid((SYSTEM, *(column.heading for column in self.columns)), rows, self.footer(), self.told())

    @property
    def floor(self) -> tuple[str, ...]:
        """The names of the baselines among the systems."""
        return tuple(self.made.get("floor", ()))

    def beating(self, metric: str) -> list[str]:
        """The systems whose mean beats that of every baseline."""
        column = next(column for column in self.columns if column.name == metric)
        means = dict(self.mean.filter(pl.col(METRIC) == metric).select(SYSTEM, VALUE).iter_rows())
        places = dict(zip(means, column.ranks(list(means.values())), strict=True))
        highest = min((place for name in self.floor if (place := places[name]) is not None), default=None)
        if column.better == "neither" or highest is None:
            return []
        return [name for name, place in places.items() if name not in self.floor and place is not None and place < highest]

    def _marked(self, column: Column, systems: list[str], cells: list[Cell]) -> list[Cell]:
        beating = set(self.beating(column.name))
        return [replace(cell, mark=BEATS if name in beating else " ") for name, cell in zip(systems, cells, strict=True)]

    def case_grid(self, digits: int = 4) -> Grid:
        """Every system and case by metrics, as plain data for any format."""
        names = [column.name for column in self.columns]
        wide = self.per_case.pivot(METRIC, index=[SYSTEM, CASE], values=VALUE, maintain_order=True)  # noqa: PD010 - polars
        cells = [[Cell(column.text(value, digits)) for value in wide[column.name]] for column in self.columns]
        whose = ([Cell(name) for name in wide[SYSTEM]], [Cell(name) for name in wide[CASE]])
        return Grid((SYSTEM, CASE, *names), tuple(zip(*whose, *cells, strict=True)))

    def told(self) -> tuple[str, ...]:
        """The notices in one line each, without the ones about how files were read."""
        return tuple(notice.headline() for notice in self.notices if notice.code != READ_AS)

    def footer(self) -> str:
        """What the numbers of the table are: how many cases, which tie rule, which version."""
        told = [plural(self.made["cases"], "case")]
        told += [f"as {self.made['as']}"] if self.made.get("as") else []
        told += [_TIES.get(self.made["ties"], f"equal scores in the {self.made['ties']} order")] * (
            self.made["task"] == "ranking"
        )
        marks = f"; {BEATS} beats every output that ignores the gold" if self.floor else ""
        return f"{', '.join(told)}{marks}; plumbline {self.made['version']}"

    def to_pandas(self) -> pd.DataFrame:
        """The values per case as a pandas frame."""
        return self.per_case.to_pandas()

    def to_latex(self) -> str:
        """The table of means as LaTeX (booktabs)."""
        return latex(self.grid())

    def to_markdown(self) -> str:
        """The table of means as Markdown."""
        return markdown(self.grid())

    @property
    def plot(self) -> Any:  # noqa: ANN401 - made by a stage above this one
        """Figures as Altair charts, which notebooks show: `scores.plot.bars()`; the extra `report` has to be installed."""
        return above("plot")(self)

    def report(self, path: str | os.PathLike[str], **options: Any) -> Path:  # noqa: ANN401 - those of `plumbline.report`
        """Write a page with everything about these scores; the extra `report` has to be installed."""
        written: Path = above("report")(self, path, **options)
        return written

    def __repr__(self) -> str:
        return "\n".join([plain(self.grid()).rstrip(), *self.told()])

    def _repr_html_(self) -> str:
        return html(self.grid())

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write to a Parquet file with everything needed to say how the scores were made."""
        facts = {
            "columns": [vars(column) for column in self.columns],
            "mean": self.mean.to_dict(as_series=False),
            "notices": [asdict(notice) for notice in self.notices],
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
        return cls(per_case, mean, columns, tuple(map(restored, facts["notices"])), facts["made"])


MEAN_SCHEMA: Final = {
    SYSTEM: pl.String,
    METRIC: pl.String,
    VALUE: pl.Float64,
    "cases": pl.Int64,
    "missing": pl.Int64,
    "undefined": pl.Int64,
}
PER_CASE_SCHEMA: Final = {SYSTEM: pl.String, CASE: pl.String, METRIC: pl.String, VALUE: pl.Float64}
