"""The scores of all systems on all cases by all metrics, as one block of numbers in which higher is better."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from plumbline.average import mean_of_known
from plumbline.comparison.shared import shared_cases
from plumbline.large import empty, known_values, made, portions
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@saveable
@dataclass(frozen=True, eq=False)
class Cube:
    """Values by metric, system and case; NaN where a value is missing or undefined."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    cases: tuple[str, ...]
    values: NDArray[np.float64]
    """As they were given, `[metric, system, case]`."""
    lower: NDArray[np.bool_]
    """Whether each metric is better when lower."""
    neither: frozenset[str] = frozenset()
    """Metrics that are neither better when higher nor when lower, such as the number of items that were returned."""

    @cached_property
    def signed(self) -> NDArray[np.float64]:
        """The values with the sign turned where lower is better, so that more is always better."""
        if not self.lower.any():
            return self.values
        out = empty(self.values.shape)
        for values, turned, lower in zip(self.values, out, self.lower.tolist(), strict=True):
            for rows in portions(values.shape):
                turned[rows] = -values[rows] if lower else values[rows]
        return out

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Whether a system has a value of every metric on a case, `[system, case]`."""
        return made(self.values.shape[1:], lambda rows: ~np.isnan(self.values[:, rows]).any(axis=0), np.bool_)

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The mean over the cases that have a value, `[metric, system]`; not a number if none has."""
        return mean_of_known(self.values)

    @property
    def most_shared(self) -> int:
        """The most cases that two systems have in common by the first metric."""
        shared = shared_cases(known_values(self.values[0]))
        return int(shared[~np.eye(len(shared), dtype=np.bool_)].max(initial=0))

    def only(self, metrics: Sequence[str] | None = None, systems: Sequence[str] | None = None) -> Cube:
        """The same with some metrics and systems only, in the order in which they are named; itself if that is all of it."""
        rows, columns = _places(self.metrics, metrics), _places(self.systems, systems)
        if rows == [*range(len(self.metrics))] and columns == [*range(len(self.systems))]:
            return self
        values = empty((len(rows), len(columns), len(self.cases)))
        for chosen, row in zip(values, rows, strict=True):
            for some in portions(chosen.shape):
                chosen[some] = self.values[row, columns[some]]
        return replace(
            self,
            metrics=tuple(self.metrics[row] for row in rows),
            systems=tuple(self.systems[column] for column in columns),
            values=values,
            lower=self.lower[rows],
        )

    def on_cases(self, cases: NDArray[np.bool_]) -> Cube:
        """The same with some cases only."""
        names = tuple(name for name, kept in zip(self.cases, cases.tolist(), strict=True) if kept)
        return replace(self, cases=names, values=self.values[:, :, cases])


def _places(names: tuple[str, ...], wanted: Sequence[str] | None) -> list[int]:
    """The places of some names; of all if none are wanted."""
    places = {name: at for at, name in enumerate(names)}
    return [places[name] for name in wanted or names]
