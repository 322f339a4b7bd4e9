"""A dataset of scores, read system by system into one block of numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, comparisons, files
from plumbline.errors.base import READ_AS, restored
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.bytes.content import load
from plumbline.io.formats.columnar.reading import columnar_frame
from plumbline.io.scores.dataset.layout import FIRST, KEY, Manifest
from plumbline.io.scores.scored import Scored
from plumbline.io.scores.values import LARGEST, what_is_wrong
from plumbline.large import empty
from plumbline.schema import CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic

_BYTES_OF_A_VALUE = 24
"""Measured with two metrics, which are weighed against each other in copies of their values: 16, or 24 if lower is better."""
_ITS_OWN = (KeyError, ValueError, TypeError, AttributeError)
"""What a manifest raises that `write_dataset` did not write."""


def open_dataset(source: str | os.PathLike[str]) -> Dataset:
    """The dataset in a folder or behind a URL; of its files only the first is read.

    Raises:
        BadData: If there is none, or it contradicts itself.
    """
    place = os.fspath(source)
    first = _file(place, FIRST)
    content = load(first)
    try:
        manifest = Manifest.of_text(pl.read_parquet_metadata(BytesIO(bytes(content.data)))[KEY])
    except (*_ITS_OWN, pl.exceptions.PolarsError):
        raise BadData(files.no_dataset(content.label)) from None
    return Dataset(place, manifest)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Scores in a folder; nothing but their manifest is in memory."""

    place: str
    manifest: Manifest

    @property
    def label(self) -> str:
        """The folder, as it may be shown."""
        return without_secrets(self.place)

    @property
    def cases(self) -> tuple[str, ...]:
        """All cases, in their order."""
        return self.manifest.cases

    @property
    def better(self) -> dict[str, str]:
        """The direction of each metric."""
        return {str(column["name"]): str(column["better"]) for column in self.manifest.facts["columns"]}

    @property
    def aliases(self) -> dict[str, str]:
        """Metrics by the names by which they were asked for."""
        return {str(column["asked"]): str(column["name"]) for column in self.manifest.facts["columns"]}

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """What was said when the scores were made."""
        return tuple(notice for notice in map(restored, self.manifest.facts["notices"]) if notice.code != READ_AS)

    def frames(self) -> Iterator[pl.DataFrame]:
        """For each system its cases, in their order, with a column for each metric, also of those with texts."""
        for number in range(len(self.manifest.systems)):
            place, frame = self._rows(number, [*self.manifest.metrics, *self.manifest.texts])
            yield frame[np.argsort(place)]

    def long(self) -> pl.DataFrame:
        """`system, case, metric, value`, a row for each value."""
        names = list(self.manifest.metrics)
        parts = [pl.DataFrame(schema={SYSTEM: pl.String, CASE: pl.String, METRIC: pl.String, VALUE: pl.Float64})]
        for system, frame in zip(self.manifest.systems, self.frames(), strict=True):
            rows = np.arange(len(frame)).repeat(len(names))
            values = frame.select(names).to_numpy().ravel() if names else np.empty(0)
            columns = {
                SYSTEM: pl.repeat(system, len(rows), dtype=pl.String, eager=True),
                CASE: frame[CASE].gather(pl.Series(rows)),
                METRIC: pl.Series(names * len(frame), dtype=pl.String),
                VALUE: pl.Series(values, dtype=pl.Float64).fill_nan(None),
            }
            parts.append(pl.DataFrame(columns))
        return pl.concat(parts)

    def texts(self) -> pl.DataFrame:
        """`system, case` and a column for each metric with texts; without such metrics nothing."""
        names = self.manifest.texts
        if not names:
            return pl.DataFrame()
        parts = [
            frame.select(pl.lit(system).alias(SYSTEM), CASE, *names)
            for system, frame in zip(self.manifest.systems, self.frames(), strict=True)
        ]
        return pl.concat(parts)

    def size(self, metrics: int) -> int:
        """How many bytes of temporary files it takes, at most, to compare the values of so many metrics."""
        return len(self.manifest.systems) * len(self.cases) * metrics * _BYTES_OF_A_VALUE

    def scored(self, metrics: Sequence[str]) -> Scored:
        """All values of some metrics, read one system after the other."""
        names = list(metrics)
        shape = (len(self.manifest.systems), len(self.cases))
        values: NDArray[np.float64] = empty((len(names), *shape))
        present = np.zeros(shape, dtype=np.bool_)
        for number in range(shape[0]):
            place, frame = self._rows(number, names)
            present[number, place] = True
            values[:, number] = np.nan
            for at, name in enumerate(names):
                values[at, number, place] = frame[name].to_numpy()
            self._refuse_too_large(number, names, values[:, number])
        systems, cases = self.manifest.systems, self.cases
        every, order = np.asarray(present.any(axis=1)), _as_they_occur(present)
        if not every.all():
            systems = tuple(name for name, some in zip(systems, every, strict=True) if some)
            values, present = values[:, every], present[every]
        if len(order) < len(cases) or (np.diff(order) < 0).any():
            cases = tuple(cases[at] for at in order.tolist())
            values, present = _reordered(values, order), present[:, order]
        return Scored(tuple(names), systems, cases, values, np.broadcast_to(present, values.shape), ())

    def _refuse_too_large(self, number: int, names: list[str], values: NDArray[np.float64]) -> None:
        wrong = np.argwhere(np.abs(values) > LARGEST)
        if len(wrong):
            at, case = map(int, wrong[0])
            whose = f"{self.manifest.systems[number]} in case {self.cases[case]} ({names[at]})"
            place = Place(without_secrets(_file(self.place, self.manifest.files[number])))
            raise BadData(comparisons.bad_score(place, whose, str(values[at, case]), what_is_wrong(values[at, case])))

    def _rows(self, number: int, names: Sequence[str]) -> tuple[NDArray[np.int64], pl.DataFrame]:
        """The rows of a system with some columns, and the place of each among all cases."""
        content = load(_file(self.place, self.manifest.files[number]))
        frame = columnar_frame(content, "parquet", [SYSTEM, CASE, *names])
        frame = frame.with_columns(pl.col(name).fill_null(np.nan) for name in names if name not in self.manifest.texts)
        order, ordered = self._sorted
        cases = frame[CASE]
        if (frame[SYSTEM] != self.manifest.systems[number]).any():
            raise BadData(files.mixed_dataset(content.label, f"it is not of the system {self.manifest.systems[number]}"))
        if len(cases) == len(ordered) and (cases == ordered).all():
            return order, frame
        place = ordered.search_sorted(cases).to_numpy().astype(np.int64)
        known = (place < len(ordered)) & (cases == ordered.gather(pl.Series(np.minimum(place, len(ordered) - 1)))).to_numpy()
        if not known.all() or (np.diff(place) <= 0).any():
            raise BadData(files.mixed_dataset(content.label, "its cases are not those of the first file, each once"))
        return order[place], frame

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], pl.Series]:
        """The cases by name: the place of each, and the names."""
        names = pl.Series(self.cases, dtype=pl.String)
        order = names.arg_sort()
        return order.to_numpy().astype(np.int64), names.gather(order)


def _as_they_occur(present: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The cases that any system has, in the order in which they first occur in a table of one system after the other."""
    first = np.argmax(present, axis=0) if len(present) else np.zeros(present.shape[1], dtype=np.int64)
    order = np.argsort(first, kind="stable")
    return np.asarray(order[np.asarray(present.any(axis=0))[order]], dtype=np.int64)


def _reordered(values: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Some cases in another order, without a second copy of everything."""
    for rows in values:
        for row in rows:
            row[: len(order)] = row[order]
    return values[:, :, : len(order)]


def _file(place: str, name: str) -> str:
    if not is_url(place):
        return str(Path(place) / name)
    folder, sign, query = place.partition("?")
    return f"{folder.rstrip('/')}/{name}{sign}{query}"
