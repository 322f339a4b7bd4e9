"""Scores: the values of systems on cases by metrics, with their means."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, Final, overload

from plumbline.average import best_first, ranks
from plumbline.deferred import deferring, later, preview
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import plural, restored
from plumbline.lazily import pl
from plumbline.options.evaluation import PolicyOptions
from plumbline.options.option import matters
from plumbline.records import dataclass
from plumbline.render.fold_means import FOLDS, fold_grid, fold_means
from plumbline.render.grid import Cell, Grid, number
from plumbline.render.result import ReportableResult, described, headlines
from plumbline.render.saving import described_result, from_json, saveable, to_json
from plumbline.schema import ALL, CASE, METRIC, SYSTEM, VALUE, MeanRow, mean_schema

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.io.scores.dataset.layout import BySystem
    from plumbline.io.scores.dataset.reading import Dataset
    from plumbline.metrics.registry import Average

ARROWS: Final = {"higher": "↑", "lower": "↓", "neither": ""}
BEATS: Final = "*"
"""Stands after a mean that beats every baseline."""
_TIES: Final = {
    "id": "equal scores by item id",
    "average": "mean over orders of equal scores",
    "levels": "equal scores as one level",
}


@saveable
@dataclass(frozen=True)
class Column:
    """What is known about the metric of a column."""

    name: str
    asked: str
    """The name by which it was requested."""
    better: str
    """higher, lower or neither."""
    average: Average
    """How cases become one value."""
    undefined: str
    """Why a value may be undefined."""

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


@deferring("per_case", "mean", "texts")
@dataclass(frozen=True, repr=False)
class Scores(ReportableResult):
    """The scores of systems: the value of every case and metric, the means, and how they were made.

    `evaluate` returns scores. They print as a table of means, best system first; they can be saved, compared and drawn.

    Attributes:
        per_case: `system, case, metric, value`; a null value is undefined.
        mean: `system, metric, value, cases, missing, undefined`: the mean, and the number of cases that it is over.
        columns: The metrics, with their directions.
        notices: What should be known about the scores.
        made: How the scores were made: version, task, gold, systems, options.
        texts: Values that are not numbers, such as relevance strings.
        evaluation: The evaluation that the scores came from, with its alignment; None for scores that were loaded.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
        >>> runs = {"first": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}, "second": {"q1": {"a": 1.0, "b": 2.0}}}
        >>> scores = plumbline.evaluate(gold, runs, "AP")
        >>> scores["AP"]
        {'first': 1.0, 'second': 0.25}
        >>> scores["AP", "first"]
        1.0
        >>> scores.to_markdown().splitlines()[2]
        '| first | **1.0000** |'
    """

    per_case: pl.DataFrame
    mean: pl.DataFrame
    columns: tuple[Column, ...]
    notices: tuple[Diagnostic, ...] = ()
    made: dict[str, Any] = field(default_factory=dict)
    texts: pl.DataFrame = field(default_factory=lambda: pl.DataFrame())  # noqa: PLW0108 - not before it is needed
    evaluation: Any = field(default=None, repr=False, compare=False)

    @overload
    def __getitem__(self, key: str) -> dict[str, float | None]: ...
    @overload
    def __getitem__(self, key: tuple[str, str]) -> float | None: ...
    def __getitem__(self, key: str | tuple[str, str]) -> dict[str, float | None] | float | None:
        """The means by a metric: `scores["AP"]` has all systems, `scores["AP", "bm25"]` is that of one; None is undefined."""
        metric, system = key if isinstance(key, tuple) else (key, None)
        names = {column.asked: column.name for column in self.columns} | {column.name: column.name for column in self.columns}
        if metric not in names:
            raise BadUsage(usage.unknown_name("metric", metric, [column.name for column in self.columns][:3]))
        means = {row.system: row.value for row in self.mean_rows() if row.metric == names[metric]}
        if system is None:
            return means
        if system not in means:
            raise BadUsage(usage.unknown_name("system", system, list(means)[:3]))
        return means[system]

    @cached_property
    def ordered_systems(self) -> list[str]:
        """Systems from best to worst by the first metric; undefined last."""
        first = self.columns[0] if self.columns else None
        if first is None:
            return []
        ours = {system: value for system, metric, value, *_ in self.mean_rows() if metric == first.name}
        systems = list(ours)
        return [systems[at] for at in best_first(first.ranks(list(ours.values())))]

    def mean_rows(self) -> list[MeanRow]:
        """The rows of the table of means, which need not be made for it.

        Returns:
            Tuples with a name for each column of `mean`.
        """
        known: list[MeanRow] | None = preview(self, "mean")
        return [MeanRow(*row) for row in self.mean.select(MeanRow._fields).iter_rows()] if known is None else known

    def grid(self, digits: int = 4) -> Grid:
        """The table of means: systems by metrics, best first.

        Args:
            digits: The number of decimals.

        Returns:
            A heading and rows of cells, from which every output format is made.
        """
        values = {(system, metric): value for system, metric, value, *_ in self.mean_rows()}
        systems = self.ordered_systems
        columns = [[values[system, column.name] for system in systems] for column in self.columns]
        cells = [column.cells(numbers, digits) for column, numbers in zip(self.columns, columns, strict=True)]
        if self.floor:
            cells = [self._marked(column, systems, values) for column, values in zip(self.columns, cells, strict=True)]
        rows = tuple((Cell(system), *row) for system, row in zip(systems, zip(*cells, strict=True), strict=True))
        return Grid((SYSTEM, *(column.heading for column in self.columns)), rows, self.footer(), headlines(self.notices))

    @property
    def text_names(self) -> list[str]:
        """The metrics whose values are texts; they have no mean and are shown case by case."""
        known: list[str] | None = preview(self, "texts")
        return [name for name in self.texts.columns if name not in {SYSTEM, CASE}] if known is None else known

    @property
    def floor(self) -> tuple[str, ...]:
        """The names of the baselines among the systems."""
        return tuple(self.made.get("floor", ()))

    def beating(self, metric: str) -> list[str]:
        """The systems whose mean beats that of every baseline.

        Args:
            metric: The name of the metric, as the table has it.

        Returns:
            The names of the systems.
        """
        column = next(column for column in self.columns if column.name == metric)
        means = {system: value for system, name, value, *_ in self.mean_rows() if name == metric}
        places = dict(zip(means, column.ranks(list(means.values())), strict=True))
        highest = min((place for name in self.floor if (place := places[name]) is not None), default=None)
        if column.better == "neither" or highest is None:
            return []
        return [name for name, place in places.items() if name not in self.floor and place is not None and place < highest]

    @property
    def fold_means(self) -> pl.DataFrame:
        """For scores over folds: the mean over folds beside the value of all answers pooled.

        The columns are `system, metric, folds, pooled`; where answers about training items were given, also `seen, b632` and
        `b632plus`. Without folds the table is empty.
        """
        return pl.DataFrame(fold_means(self.made), infer_schema_length=None)

    def _marked(self, column: Column, systems: list[str], cells: list[Cell]) -> list[Cell]:
        beating = set(self.beating(column.name))
        return [replace(cell, mark=BEATS if name in beating else " ") for name, cell in zip(systems, cells, strict=True)]

    def case_grid(self, digits: int = 4) -> Grid:
        """The table of all cases: every system and case by metrics.

        Args:
            digits: The number of decimals.

        Returns:
            A heading and rows of cells, from which every output format is made.
        """
        wide = self.per_case.pivot(METRIC, index=[SYSTEM, CASE], values=VALUE, maintain_order=True)
        if self.text_names:
            wide = self.texts.join(wide, on=[SYSTEM, CASE], how="left", maintain_order="left")
        cells = [[Cell(column.text(value, digits)) for value in wide[column.name]] for column in self.columns]
        cells += [[Cell(text or "") for text in wide[name]] for name in self.text_names]
        whose = ([Cell(name) for name in wide[SYSTEM]], [Cell(name) for name in wide[CASE]])
        names = [*(column.name for column in self.columns), *self.text_names]
        return Grid((SYSTEM, CASE, *names), tuple(zip(*whose, *cells, strict=True)), keep=2)

    def footer(self) -> str:
        """What the table is based on: how many cases, which tie rule, which version."""
        over_folds = self.made.get(FOLDS, {}).get("of") == "items"
        parts = [plural(self.made["cases"], "fold" if over_folds else "case")]
        parts += [f"as {self.made['as']}"] if self.made.get("as") else []
        parts += [_TIES.get(self.made["ties"], f"equal scores in the {self.made['ties']} order")] * (
            matters("ties", PolicyOptions, self.made["task"])
        )
        marks = f"; {BEATS} beats every output that ignores the gold" if self.floor else ""
        return f"{', '.join(parts)}{marks}; plumbline {self.made['version']}"

    def to_polars(self) -> pl.DataFrame:
        """The value of every system, case and metric as a polars frame."""
        return self.per_case

    def to_blocks(self, *, per_case: bool = False, digits: int = 4) -> list[Grid]:
        """The table of means, after that of all cases if it is wanted.

        Args:
            per_case: Also give the values of all cases.
            digits: The number of decimals.

        Returns:
            One table or two.
        """
        texts_only = bool(self.text_names) and not self.columns
        folds = fold_grid(self.made, digits)
        return [
            *([self.case_grid(digits)] if per_case or texts_only else []),
            self.grid(digits),
            *([folds] if folds is not None else []),
        ]

    def to_rows(self, *, per_case: bool = True) -> pl.DataFrame:
        """The table of a CSV file: the mean is the row with the case `all`, and a real case of that name is marked.

        Args:
            per_case: Also give the values of all cases.

        Returns:
            `system, case, metric, value`.
        """
        named = pl.when(pl.col(CASE) == ALL).then(pl.lit(f"{ALL} (case)")).otherwise(pl.col(CASE)).alias(CASE)
        columns = [SYSTEM, CASE, METRIC, VALUE]
        means = self.mean.with_columns(pl.lit(ALL).alias(CASE)).select(columns)
        parts = [self.per_case.with_columns(named).select(columns), means] if per_case else [means]
        systems = means[SYSTEM].unique(maintain_order=True)
        return pl.concat([part.filter(pl.col(SYSTEM) == name) for name in systems for part in parts] or [means])

    def to_plain_rows(self, *, per_case: bool = True) -> list[tuple[Any, ...]] | None:
        """Heading and rows of the same table, where it has means alone and need not be made.

        Args:
            per_case: Also give the values of all cases.

        Returns:
            `system, case, metric, value`, or None.
        """
        if per_case or preview(self, "mean") is None:
            return None
        return [(SYSTEM, CASE, METRIC, VALUE), *((row.system, ALL, row.metric, row.value) for row in self.mean_rows())]

    def to_records(self, *, per_case: bool = True) -> Iterator[dict[str, Any]]:
        """The lines of JSON Lines: the `kind` of a row is case, summary or text; an undefined value has its reason.

        Args:
            per_case: Also give the values of all cases.

        Yields:
            One dict for each system, case and metric, and one for each mean.
        """
        reasons = {column.name: column.undefined for column in self.columns}
        means = self.mean_rows()
        for name in dict.fromkeys(row.system for row in means):
            cases = self.per_case.filter(pl.col(SYSTEM) == name).iter_rows(named=True) if per_case else ()
            summaries = (row._asdict() for row in means if row.system == name)
            for kind, rows in (("case", cases), ("summary", summaries)):
                for row in rows:
                    reason = {"reason": reasons[row[METRIC]]} if row[VALUE] is None else {}
                    yield {"kind": kind, SYSTEM: name, CASE: ALL, **row, **reason}
            for row in self._texts_of(name) if per_case else ():
                yield {"kind": "text", **row}

    def _texts_of(self, system: str) -> Iterator[dict[str, Any]]:
        if self.text_names:
            rows = self.texts.filter(pl.col(SYSTEM) == system).unpivot(
                self.text_names, index=[SYSTEM, CASE], variable_name=METRIC, value_name="text"
            )
            yield from rows.iter_rows(named=True)

    def to_dict(self, *, per_case: bool = True) -> dict[str, Any]:
        """How the scores were made, the values with the reasons of those that are undefined, and the notices.

        Args:
            per_case: Also give the values of all cases.

        Returns:
            A dict with the keys made, scores and notices.
        """
        rows = list(self.to_records(per_case=per_case))
        return {"made": self.made, "scores": rows, "notices": described(self.notices)}

    def score_table(self) -> Scores:
        """These scores."""
        return self

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the scores to a Parquet file, or to a folder with a Parquet file for each system; `plumbline.load` reads both.

        A folder is a path that ends with a slash, a URL such as `s3://bucket/scores/`, or a folder that already has
        scores. Systems are written one after the other, so that there is no table of everything.

        Args:
            path: The file or folder to write.
            force: Overwrite existing scores.

        Raises:
            BadUsage: Something already exists there, or it cannot be written.
        """
        from plumbline.io.scores.dataset.layout import Manifest, is_target  # noqa: PLC0415 - polars, only where scores are saved

        if not is_target(path):
            super().save(path, force=force)
            return
        from plumbline.io.scores.dataset.table import by_system  # noqa: PLC0415 - as above
        from plumbline.io.scores.dataset.writing import write_dataset  # noqa: PLC0415 - as above

        systems = tuple(dict.fromkeys(self.made["systems"]))
        names = tuple(column.name for column in self.columns), tuple(self.text_names)
        values: BySystem = preview(self, "per_case") or by_system(systems, *names, self.per_case, self.texts)
        manifest = Manifest(systems, *names, values.cases, described_result(type(self), self._facts()))
        write_dataset(path, manifest, values.frames(), force=force)

    def _facts(self) -> dict[str, Any]:
        """What a saved file or folder knows beside the values."""
        return {
            "columns": [vars(column) for column in self.columns],
            "mean": self.mean.to_dict(as_series=False),
            "notices": [notice.to_dict() for notice in self.notices],
            "made": self.made,
        }

    def _to_file(self) -> tuple[pl.DataFrame, dict[str, Any]]:
        return self.per_case, {**self._facts(), "texts": to_json(self.texts)}

    @classmethod
    def _from_file(cls, frame: pl.DataFrame, facts: dict[str, Any]) -> Scores:
        texts = from_json(facts["texts"]) if "texts" in facts else pl.DataFrame()  # the first versions did not save them
        return cls._from_facts(frame, texts, facts)

    @classmethod
    def _from_dataset(cls, dataset: Dataset) -> Scores:
        """The scores of a folder, of which no values are read yet."""
        known = dataset.manifest
        texts = later(dataset.texts, lambda: list(known.texts))
        return cls._from_facts(later(dataset.long, lambda: dataset), texts, known.facts)

    @classmethod
    def _from_facts(cls, per_case: pl.DataFrame, texts: pl.DataFrame, facts: Mapping[str, Any]) -> Scores:
        mean = pl.DataFrame(facts["mean"], schema=mean_schema())
        columns = tuple(Column(**column) for column in facts["columns"])
        return cls(per_case, mean, columns, tuple(map(restored, facts["notices"])), facts["made"], texts)
