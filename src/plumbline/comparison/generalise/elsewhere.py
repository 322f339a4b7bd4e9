"""elsewhere(): would the differences hold on other cases, or in another collection?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline.comparison.correlation.between import by_collection
from plumbline.comparison.generalise.forecast import forecast
from plumbline.comparison.generalise.prediction import across
from plumbline.comparison.reading import read_scores
from plumbline.comparison.wording import as_grid
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.render.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.generalise.forecast import Forecast
    from plumbline.comparison.generalise.prediction import Prediction
    from plumbline.errors import Diagnostic

SURE = 0.95
"""A pair that keeps its winner in so many halves is called stable."""


@dataclass(frozen=True, repr=False, eq=False)
class Elsewhere:
    """The differences that hold in all collections or, for one collection, in random halves of its cases.

    Example:
        >>> import plumbline
        >>> plumbline.elsewhere("benchmark_wide.csv", splits=100).predictors["predictor"].to_list()
        ['F difference', 'UIR', 'parametric UIR']
    """

    told: tuple[str, ...]
    """The answer in sentences."""
    pairs: pl.DataFrame
    """Every pair: in how many collections, or in which share of the halves, one is better."""
    predictors: pl.DataFrame
    """How well the difference, UIR and parametric UIR of one collection (or half) tell which pairs hold."""
    correlations: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Of several collections: how much their rankings of the systems agree, metric by metric."""
    notices: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([*self.told, "", plain(as_grid(self.predictors, "precision of each predictor at some recalls"))])


def elsewhere(
    collections: Any,  # noqa: ANN401 - {name: scores}, a list of paths, or scores as `compare` takes them
    metrics: Sequence[str] | None = None,
    *,
    alpha: float = 0.5,
    lower: Sequence[str] | str = (),
    splits: int = 1000,
    seed: int = 0,
) -> Elsewhere:
    """Find out which differences between systems hold in other collections, or in halves of one.

    Args:
        collections: Scores of the same systems in several collections, as `{name: scores}` or a list of paths; or the scores
            of one collection, whose cases are then split into halves. Each is anything that `compare` takes.
        metrics: The metrics to use; by default all that the scores have.
        alpha: The weight of the first of two metrics in F.
        lower: Metrics that are better when lower and that plumbline does not know.
        splits: How often to split a single collection.
        seed: The seed of the splits.

    Returns:
        Every pair of systems with its outcome, and how well F, UIR and parametric UIR predict it.

    Raises:
        BadUsage: If there are fewer than two systems, or two collections have the same name.

    Example:
        >>> import plumbline
        >>> found = plumbline.elsewhere("benchmark_wide.csv", splits=100)
        >>> found.pairs.select("a", "b", "keeps").rows()
        [('new', 'base', 0.97)]
    """
    sources = _named(collections)
    cubes: dict[str, Cube] = {}
    said: list[Diagnostic] = []
    for name, source in sources.items():
        cube, notices = read_scores(source, lower=lower, metrics=metrics)
        if len(cube.systems) < 2:  # noqa: PLR2004 - a pair
            raise BadUsage(comparisons.one_system(list(cube.systems)))
        cubes[name] = cube
        said += notices
    if len(cubes) == 1:
        return _of_halves(forecast(next(iter(cubes.values())), alpha, splits=splits, seed=seed), tuple(said))
    return _of_several(across(cubes, alpha), by_collection(cubes), tuple(said))


def _named(collections: Any) -> dict[str, Any]:  # noqa: ANN401 - as elsewhere
    if isinstance(collections, Mapping):
        return dict(collections)
    if not isinstance(collections, (list, tuple)):
        return {"scores": collections}
    named = {Path(str(source)).stem: source for source in collections}
    if len(named) < len(collections):
        raise BadUsage(usage.bad_object("two collections of one name", "files of different names, or a dict {name: scores}"))
    return named


def _of_several(found: Prediction, agreement: pl.DataFrame, said: tuple[Diagnostic, ...]) -> Elsewhere:
    pairs = found.pairs()
    held = pairs.filter("holds")
    told = [f"{len(held)} of {len(pairs)} pairs have the same winner in all {len(found.collections)} collections."]
    best = found.summary().group_by("predictor", maintain_order=True).agg(pl.col("average_precision").mean())
    top = best.sort("average_precision", descending=True, nulls_last=True).row(0)
    if top[1] is not None:
        told.append(f"What tells best from one collection which pairs hold in all: {top[0]} (mean precision {top[1]:.2f}).")
    if found.left_out:
        told.append(f"Left out, not in all collections: {', '.join(found.left_out)}.")
    return Elsewhere(tuple(told), pairs, found.summary(), agreement, said)


def _of_halves(found: Forecast, said: tuple[Diagnostic, ...]) -> Elsewhere:
    pairs = found.table()
    stable = pairs.filter(pl.col("keeps") >= SURE)
    told = (
        f"{len(stable)} of {len(pairs)} pairs keep their winner in both halves of {SURE:.0%} of {found.splits:,} splits.",
        "Halves of one collection are more alike than two collections are, so that this is the most one can hope for.",
    )
    return Elsewhere(told, pairs, found.predictors, notices=said)
