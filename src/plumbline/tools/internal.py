"""internal(): scores of clusterings without a gold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

import polars as pl

from plumbline.errors import BadData, BadUsage, labelling, usage
from plumbline.evaluation.evaluate import evaluate
from plumbline.evaluation.request import request
from plumbline.io.memory.arrays import array_table, is_array
from plumbline.io.memory.clusters import cluster_systems
from plumbline.io.paths import exists, is_pattern
from plumbline.io.read import read
from plumbline.io.table import FrameOrigin, ReadOptions, Table
from plumbline.metrics.internal_criteria import default_criteria
from plumbline.metrics.names import listed, measures
from plumbline.options.evaluation import OutputOptions
from plumbline.options.option import documented
from plumbline.schema import CASE, ITEM, VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.scores import Scores

NO_GOLD: Final = "(no gold)"
_FIXED_OPTIONS: Final[dict[str, Any]] = {"task": "clustering", "missing": "skip", "missing_items": "drop"}
"""Each system is scored on the items that it has."""
_DROPPED: Final = "left out of its scores"


@documented(OutputOptions)
def internal(
    systems: Any,  # noqa: ANN401 - as evaluate
    *,
    metrics: Iterable[str] | str | None = None,
    **options: Unpack[OutputOptions],
) -> Scores:
    """Score clusterings by the features or distances of their items, without a gold.

    Args:
        systems: One clustering or a dict `{name: clustering}`, as `evaluate` takes them, without cases unless a file or frame
            names them. Each system is scored on the items that it has; the rows of a bare array of features are the items of
            the first system in their order.
        metrics: Internal criteria such as `Silhouette`; all of them if none is given.
        **options: See `plumbline.options.evaluation.OutputOptions`; `features` or `distances` are needed.

    Returns:
        The value of every system and criterion.

    Raises:
        BadUsage: If a metric needs a gold, or neither features nor distances are given.

    Example:
        >>> import plumbline
        >>> points = {"a": [0.0], "b": [0.1], "c": [5.0], "d": [5.1]}
        >>> clusters = {"mine": {"a": "1", "b": "1", "c": "2", "d": "2"}}
        >>> round(plumbline.internal(clusters, features=points, metrics="Silhouette").mean["value"][0], 2)
        0.98
    """
    features, distances = options.get("features"), options.get("distances")
    chosen = listed(metrics) or list(default_criteria(features=features is not None or distances is None))
    _refuse_external(chosen)
    _refuse_decided(options)
    given: dict[str, Any] = {**options, **_FIXED_OPTIONS}
    wanted = request(chosen, **given)
    named = _named(systems, bare=is_array(features if features is not None else distances))
    tables = {name: read(source, "output", wanted.reading, name) for name, source in named.items()}
    scores = evaluate(_universe(list(tables.values())), tables, chosen, **given)
    dropped = task_named("clustering").item_rules["drop"]
    notices = (replace(one, message=one.message.replace(dropped, _DROPPED)) for one in scores.notices)
    return replace(scores, notices=tuple(notices))


def _refuse_external(chosen: list[str]) -> None:
    external = [part.name for one in measures(chosen, task="clustering") for part in one.parts if not part.metric.internal]
    if external:
        raise BadUsage(usage.needs_gold(external))


def _refuse_decided(options: Mapping[str, Any]) -> None:
    decided = [name for name in options if name in _FIXED_OPTIONS]
    if decided:
        raise BadUsage(usage.bad_option("option", decided[0], [f"plumbline.evaluate with a gold for another {decided[0]}"]))


def _named(systems: Any, *, bare: bool) -> dict[str, Any]:  # noqa: ANN401 - as evaluate
    """Names and sources; a list holds labels if the features have no names or if something repeats in it, otherwise items."""
    labels = array_table(["0"], "labels", ReadOptions(kind="labels"))
    if isinstance(systems, (list, tuple)) and systems and all(map(_is_path, systems)):
        return cluster_systems(None, systems, labels)
    named = cluster_systems([] if bare or is_array(systems) or _holds_labels(systems) else None, systems, labels)
    if not named:
        raise BadUsage(usage.bad_object("the systems: there are none", "at least one system"))
    return named


def _holds_labels(systems: Any) -> bool:  # noqa: ANN401 - as evaluate
    """Whether the first list of a dict repeats something: labels repeat, the items of a cluster do not."""
    first = next(iter(systems.values()), None) if isinstance(systems, Mapping) else None
    return isinstance(first, (list, tuple)) and len({str(label) for label in first}) < len(first)


def _is_path(source: Any) -> bool:  # noqa: ANN401 - a path, or a label
    return isinstance(source, os.PathLike) or (
        isinstance(source, str) and (is_pattern(source) or "=" in source or exists(source))
    )


def _universe(tables: list[Table]) -> Table:
    """All clustered items as one class, in the order in which they appear."""
    unlabelled = next((one.label for one in tables if VALUE not in one.frame.columns), None)
    if unlabelled is not None:
        raise BadData(labelling.no_label(unlabelled))
    rows = [one.frame.drop_nulls(VALUE).select(pl.col(CASE, ITEM).cast(pl.String)) for one in tables]
    items = pl.concat(rows).unique(maintain_order=True)
    frame = items.with_columns(pl.col(CASE).cast(pl.Categorical), pl.lit("all").alias(VALUE))
    return Table(frame, NO_GOLD, "array", FrameOrigin(NO_GOLD))
