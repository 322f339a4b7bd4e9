"""elsewhere(): would the differences hold on other cases, or in another collection?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.comparison.correlation.between import by_collection
from plumbline.comparison.generalise.forecast import forecast
from plumbline.comparison.generalise.prediction import across
from plumbline.comparison.reading import named_sources, read_repeated, read_scores
from plumbline.comparison.unanimity.unanimity import THRESHOLD
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.errors.base import plural
from plumbline.errors.faces import option
from plumbline.io.paths import split_name
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Sentences
from plumbline.render.result import Result, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.generalise.forecast import Forecast
    from plumbline.comparison.generalise.prediction import Prediction
    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block, Grid

STABLE: Final = 0.95
"""A pair that keeps its winner in this share of the splits is called stable."""
HEADINGS: Final = {
    "deviation": "standard deviation",
    "accepted": f"pairs with UIR above {THRESHOLD:g}",
    "precision": "precision of these",
    "a_better": "a better in",
    "b_better": "b better in",
    "equal": "equal in",
    "holds": "same winner in all",
    "keeps": "a wins both halves",
    "turns": "b wins both halves",
    "swaps": "each wins one",
}
"""What people read above the columns of the tables."""


@dataclass(frozen=True, repr=False, eq=False)
class Elsewhere(Result):
    """What holds in all collections or, with one collection, in random halves of its cases.

    Example:
        >>> import plumbline
        >>> table = {"a": [0.5, 0.6, 0.7, 0.4], "b": [0.3, 0.2, 0.4, 0.1], "c": [0.2, 0.3, 0.1, 0.2]}
        >>> halves = plumbline.elsewhere({"scores": table}, splits=100)
        >>> halves.pairs.select("a", "b", "keeps").rows()[0]
        ('a', 'b', 1.0)
    """

    summary: tuple[str, ...]
    """The answer in sentences."""
    pairs: pl.DataFrame
    """Every pair: in how many collections, or in which share of the halves, one system is better."""
    predictors: pl.DataFrame
    """How well the difference, UIR and parametric UIR of one collection (or half) predict which pairs hold."""
    correlations: pl.DataFrame = field(default_factory=pl.DataFrame)
    """For several collections: how much their rankings of the systems agree, metric by metric."""
    curves: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Precision and recall of each predictor, from the strictest threshold to none; for halves, means at some recalls."""
    notices: tuple[Diagnostic, ...] = ()
    """What should be known about the scores."""

    @property
    def told(self) -> tuple[str, ...]:
        """The old name of `summary`, which will be removed in the next version."""
        warnings.warn("Elsewhere.told is now Elsewhere.summary", DeprecationWarning, stacklevel=2)
        return self.summary

    def to_polars(self) -> pl.DataFrame:
        """The precision of each predictor at some recalls."""
        return self.predictors

    def grid(self) -> Grid:
        """The same for people."""
        return _readable(self.predictors, "precision of each predictor at some recalls")

    def to_blocks(self, *, pairs: bool = False) -> Sequence[Block]:
        """The answer, the predictors and, for several collections, the agreement of their rankings.

        Args:
            pairs: Add a table with every pair.

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        agreement = (
            [] if self.correlations.is_empty() else [_readable(self.correlations, "agreement of the rankings of systems")]
        )
        return [
            Sentences(self.summary),
            self.grid(),
            *agreement,
            *([_readable(self.pairs, "every pair")] if pairs else []),
        ]

    def to_rows(self, *, pairs: bool = False) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            pairs: Every pair instead of the predictors.

        Returns:
            The table.
        """
        return self.pairs if pairs else self.predictors

    def to_dict(self, *, pairs: bool = True) -> dict[str, Any]:  # noqa: ARG002 - pairs are always there
        """The answer and its tables, as dicts, lists, texts and numbers.

        Args:
            pairs: Changes nothing, since the pairs are always there.

        Returns:
            The answer, the tables and the notices; the points of the curves are in `curves` and in saved files only.
        """
        tables = {name: getattr(self, name).to_dicts() for name in ("pairs", "predictors", "correlations")}
        return {"summary": list(self.summary), **tables, "notices": described(self.notices)}


def elsewhere(
    collections: Any,  # noqa: ANN401 - {name: scores}, a list of paths, or scores as `compare` takes them
    metrics: Sequence[str] | None = None,
    *,
    alpha: float = 0.5,
    lower: Sequence[str] | str = (),
    splits: int = 1000,
    seed: int = 0,
    folds: str | None = None,
) -> Elsewhere:
    """Estimate which differences between systems would hold on other cases, or in another collection.

    Args:
        collections: Scores of the same systems on several collections, as a dict `{name: scores}` or a list of paths; or the
            scores of one collection, which is split in halves again and again. Scores are given as to `compare`. With paths
            `METRIC=FILE`, the first file of each metric is the first collection, the second of each the second, and so on.
        metrics: One or two metrics; all of the table if none is given.
        alpha: The weight of the first of two metrics.
        lower: Metrics of the table that are better when lower.
        splits: How often one collection is split.
        seed: The seed of the splits.
        folds: A column of one table of scores with the folds of a cross-validation: each fold is a collection.

    Returns:
        Which pairs hold, and how well one collection predicts that.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option does not fit, or the collections have too few systems or metrics in common.

    Example:
        >>> import plumbline
        >>> first = {"a": [0.5, 0.6, 0.7], "b": [0.3, 0.2, 0.4]}
        >>> second = {"a": [0.8, 0.6, 0.9], "b": [0.5, 0.7, 0.6]}
        >>> plumbline.elsewhere({"first": first, "second": second}).summary[0]
        '1 of 1 pairs have the same winner in all 2 collections.'
    """
    sources = _named(collections)
    cubes, notices = _read(sources, metrics, lower) if folds is None else _in_folds(sources, metrics, lower, folds)
    lonely = next((cube for cube in cubes.values() if len(cube.systems) < 2), None)  # noqa: PLR2004 - a pair
    if lonely is not None:
        raise BadUsage(comparisons.one_system(list(lonely.systems)))
    if len(cubes) == 1:
        return _of_halves(forecast(next(iter(cubes.values())), alpha, splits=splits, seed=seed), notices)
    return _of_several(across(cubes, alpha), by_collection(cubes), notices)


def _read(
    sources: dict[str, Any], metrics: Sequence[str] | None, lower: Sequence[str] | str
) -> tuple[dict[str, Cube], tuple[Diagnostic, ...]]:
    """Each source as a collection."""
    read = {name: read_scores(source, lower=lower, metrics=metrics) for name, source in sources.items()}
    return {name: cube for name, (cube, _) in read.items()}, tuple(notice for _, about in read.values() for notice in about)


def _in_folds(
    sources: dict[str, Any], metrics: Sequence[str] | None, lower: Sequence[str] | str, folds: str
) -> tuple[dict[str, Cube], tuple[Diagnostic, ...]]:
    """Each fold of the only source as a collection."""
    if len(sources) > 1:
        raise BadUsage(usage.bad_object(f"{option('folds')} and {plural(len(sources), 'collection')}", "one table with folds"))
    (source,) = sources.values()
    cube, repeated, notices = read_repeated(source, lower=lower, metrics=metrics, folds=folds)
    assert repeated is not None  # noqa: S101 - for type checkers: folds were asked for
    return {f"fold {name}": cube.on_cases(repeated.fold == at) for at, name in enumerate(repeated.folds)}, notices


def _named(collections: Any) -> dict[str, Any]:  # noqa: ANN401 - as elsewhere
    if isinstance(collections, Mapping):
        return dict(collections)
    if not isinstance(collections, (list, tuple)):
        return {"scores": collections}
    if collections and all(_is_named(source) for source in collections):
        return _by_metric(collections)
    return _of_different_names([(str(source), source) for source in collections])


def _is_named(source: object) -> bool:
    """Whether it is `METRIC=FILE`, and no file of such a name."""
    return isinstance(source, str) and bool(split_name(source)[0])


def _by_metric(sources: Sequence[str]) -> dict[str, Any]:
    """The collections that files of each metric make together."""
    files: dict[str, list[str]] = {}
    for metric, path in (part for source in sources for part in named_sources(source)):
        files.setdefault(str(metric), []).append(path)
    if len({len(paths) for paths in files.values()}) > 1:
        counts = " and ".join(f"{plural(len(paths), 'file')} of {metric}" for metric, paths in files.items())
        advice = "as many files of each metric: the first of each are one collection, the second of each another one"
        raise BadUsage(usage.bad_object(counts, advice))
    rows = zip(*files.values(), strict=True)
    return _of_different_names([(paths[0], dict(zip(files, paths, strict=True))) for paths in rows])


def _of_different_names(collections: list[tuple[str, Any]]) -> dict[str, Any]:
    """The collections by the names of their files."""
    named = {Path(path).stem: source for path, source in collections}
    if len(named) < len(collections):
        raise BadUsage(usage.bad_object("two collections of one name", "files of different names, or a dict {name: scores}"))
    return named


def _readable(frame: pl.DataFrame, title: str) -> Grid:
    """A table with headings in words."""
    headings = tuple(HEADINGS.get(name, name.replace("at_", "at recall ").replace("_", " ")) for name in frame.columns)
    return replace(frame_grid(frame, title), heading=headings)


def _of_several(prediction: Prediction, agreement: pl.DataFrame, notices: tuple[Diagnostic, ...]) -> Elsewhere:
    pairs = prediction.pairs()
    kept = pairs.filter("holds")
    summary = [f"{len(kept)} of {len(pairs)} pairs have the same winner in all {len(prediction.collections)} collections."]
    best = prediction.summary().group_by("predictor", maintain_order=True).agg(pl.col("average_precision").mean())
    name, precision = best.sort("average_precision", descending=True, nulls_last=True).row(0)
    if precision is not None:
        summary.append(
            f"The best predictor, from one collection, of the pairs that hold in all: {name} (mean precision {precision:.2f})."
        )
    if prediction.left_out:
        summary.append(f"Left out, not in all collections: {', '.join(prediction.left_out)}.")
    return Elsewhere(tuple(summary), pairs, prediction.summary(), agreement, prediction.table(), notices)


def _of_halves(split: Forecast, notices: tuple[Diagnostic, ...]) -> Elsewhere:
    pairs = split.table()
    stable = pairs.filter(pl.col("keeps") >= STABLE)
    keep = "keeps its winner" if len(stable) == 1 else "keep their winner"
    halves = f"in both halves of {STABLE:.0%} of {split.splits:,} splits"
    summary = (
        f"{len(stable)} of {plural(len(pairs), 'pair')} {keep} {halves}.",
        "Halves of one collection are more alike than two collections, so in another collection fewer pairs may hold.",
    )
    return Elsewhere(summary, pairs, split.predictors, curves=split.curves(), notices=notices)
