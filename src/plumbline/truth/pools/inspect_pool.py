"""inspect_pool(): how complete a pool is, and what an unpooled system loses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
import polars as pl

from plumbline.align.ranking import RELATIONS
from plumbline.errors import BadData, BadUsage, pools, usage
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.io.columns.names import TAGS, plain_name
from plumbline.metrics.names import listed
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import checked, declared, documented
from plumbline.options.pools import TABLES, InspectOptions
from plumbline.truth.pools.depths import LEAST_DEPTH, by_depth, fitted_curve, inferred_depth
from plumbline.truth.pools.inspection import Inspection
from plumbline.truth.pools.leave_out import left_out
from plumbline.truth.pools.places import places_of
from plumbline.truth.pools.rescoring import by_grades_alone
from plumbline.truth.pools.shares import judged_by_rank, judged_by_system
from plumbline.truth.pools.stress import bounds, condensed_lists, ranges, thinned

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic
    from plumbline.metrics.measure import Measure
    from plumbline.truth.pools.places import Flags, Places

METRICS = ("nDCG@10", "AP")
"""What systems are scored by, unless metrics are given."""


@documented(InspectOptions)
def inspect_pool(
    gold: Any,
    systems: Any,
    metrics: Any = None,
    **options: Unpack[InspectOptions],
) -> Inspection:
    """Tell how complete and how fair a pooled gold is.

    Args:
        gold: The judgements, as `evaluate` takes them.
        systems: The outputs of rankings, as `evaluate` takes them.
        metrics: What systems are scored by; nDCG@10 and AP if none is given.
        **options: See `plumbline.options.pools.InspectOptions`.

    Returns:
        What is judged by rank and system, the depth of the pool, what systems and teams found alone, and what they lose
        without it.

    Raises:
        BadData: If a file cannot be read or contradicts itself.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"a": 1, "b": 0, "c": 1}}
        >>> runs = {"one": {"q1": {"a": 2.0, "b": 1.0}}, "two": {"q1": {"c": 2.0, "x": 1.0}}}
        >>> pool = plumbline.inspect_pool(gold, runs, "P@2")
        >>> pool.depth
        1
    """
    given = checked(options, InspectOptions, "inspect_pool")
    names = listed(metrics) or list(METRICS)
    evaluated = {name: value for name, value in given.items() if name in declared(EvaluateOptions)}
    if evaluated.get("judged_only") or evaluated.get("ties") == "average":
        raise BadUsage(pools.contradiction("judged_only", "ties", "the whole lists are looked at, in one order"))
    evaluation = evaluation_of(gold, systems, names, **cast("EvaluateOptions", {**evaluated, "task": "ranking"}))
    request = evaluation.request
    _check_measures(request.measures)
    show = _tables(given.get("show"))
    places = places_of(evaluation)
    teams, stated = _teams(given.get("teams"), places.aligned.systems)
    contributing = _contributing(given.get("contributing"), stated, places.aligned.systems)
    fit = by_grades_alone(places, request.measures)
    other = next((one.name for one in request.measures if one not in fit), None)
    if other is not None:
        raise BadUsage(pools.contradiction(other, "leaving systems out", "it reads more of the gold than grades"))
    return inspected(places, request.measures, request.level, teams, contributing, show=show, seed=given.get("seed", 0))


def inspected(
    places: Places,
    measures: list[Measure],
    level: float,
    teams: list[str],
    contributing: Flags,
    *,
    show: tuple[str, ...] = (),
    seed: int = 0,
) -> Inspection:
    """What there is to say about a pool, of lists that are read already; each system has a team, which may be itself."""
    depths = by_depth(places, contributing, level)
    depth = inferred_depth(depths)
    notices: list[Diagnostic] = [*places.aligned.notices, *_foreign(places)]
    if depth is None or depth < LEAST_DEPTH:
        notices.append(pools.too_shallow(depth or 0, LEAST_DEPTH))
        curve = None
    else:
        curve = fitted_curve(depths["new"].to_numpy()[:depth], seed)
    explained = places.best_rank(contributing[places.system])[: len(places.grades)] <= (depth or 0)
    known = places.grades >= 0
    tables: dict[str, pl.DataFrame] = {}
    if "bounds" in show:
        tables["bounds"] = bounds(places, measures)
    if "ranges" in show:
        tables["ranges"] = ranges(places, measures)
    if "thinned" in show:
        tables["thinned"] = thinned(places, measures, contributing, seed)
    if "condensed" in show:
        tables["condensed"] = condensed_lists(places, measures)
    return Inspection(
        systems=judged_by_system(places, teams, contributing),
        by_rank=judged_by_rank(places),
        depths=depths,
        left_out=left_out(places, measures, teams, contributing, depth, level),
        depth=depth,
        facts={
            "gold": places.aligned.gold.label,
            "cases": places.cases,
            "judged": int(known.sum()),
            "relevant": int((places.grades >= level).sum()),
            "explained": int((explained & known).sum()),
            "contributing": int(contributing.sum()),
            "teams": len({teams[number] for number in np.flatnonzero(contributing)}),
            "curve": None if curve is None else vars(curve),
        },
        tables=tables,
        notices=tuple(notices),
    )


def _check_measures(measures: list[Measure]) -> None:
    """Refuse metrics that are texts or count unjudged items: lists are scored again by their judged ones alone."""
    text = next((one.name for one in measures if any(part.metric.text for part in one.parts)), None)
    if text is not None:
        raise BadUsage(pools.contradiction(text, "leaving systems out", "it is a text and not a number"))
    other = next((one.name for one in measures if any(part.metric.needs == RELATIONS for part in one.parts)), None)
    if other is not None:
        raise BadUsage(pools.contradiction(other, "leaving systems out", "it also counts items that were not judged"))


def _tables(wanted: Any) -> tuple[str, ...]:
    names = () if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)
    unknown = next((name for name in names if name not in TABLES), None)
    if unknown is not None:
        raise BadUsage(usage.bad_option("show", unknown, list(TABLES)))
    return names


def _foreign(places: Places) -> list[Diagnostic]:
    """Judged items that are in no list."""
    gold = places.aligned.gold
    judged = places.grades >= 0
    seen = np.zeros(len(judged), dtype=np.bool_)
    seen[places.of_gold[places.of_gold >= 0]] = True
    if not (seen & judged).any():
        raise BadData(pools.no_common_item(gold.label))
    foreign = int((judged & ~seen).sum())
    return [pools.foreign_judgements(gold.label, foreign, int(judged.sum()))] if foreign else []


def _teams(source: Any, systems: tuple[str, ...]) -> tuple[list[str], dict[str, bool]]:
    """The team of each system, itself if there are no teams; and which systems contributed, where the table says so."""
    if source is None:
        return list(systems), {}
    if isinstance(source, Mapping):
        named, stated = {str(name): str(team) for name, team in source.items()}, dict[str, bool]()
        label = "teams"
    else:
        label, named, stated = _table_of_teams(source)
    missing = [name for name in systems if name not in named]
    if missing:
        raise BadData(pools.no_team(label, missing))
    return [named[name] for name in systems], stated


def _table_of_teams(source: Any) -> tuple[str, dict[str, str], dict[str, bool]]:
    from plumbline.io.scores.sources import open_source  # noqa: PLC0415 - where teams are given

    opened = open_source(source, "teams")
    label, frame = opened.label, opened.data
    if not isinstance(frame, pl.DataFrame):
        raise BadData(pools.no_team(label, ["anything: columns system and team are needed"]))
    columns = {plain_name(name): name for name in frame.columns}
    system = next((columns[name] for name in TAGS if name in columns), None)
    if system is None or "team" not in columns:
        raise BadData(pools.no_team(label, ["anything: columns system and team are needed"]))
    pairs = frame.select(pl.col(system).cast(pl.String), pl.col(columns["team"]).cast(pl.String))
    contributed = next((columns[name] for name in ("contributed", "contributed_judgments", "pooled") if name in columns), None)
    stated = {} if contributed is None else dict(zip(pairs[system], _flags(frame[contributed]), strict=True))
    return label, dict(pairs.iter_rows()), stated


def _flags(column: pl.Series) -> list[bool]:
    return [str(value).strip().lower() in {"yes", "true", "1", "y"} for value in column]


def _contributing(wanted: Any, stated: dict[str, bool], systems: tuple[str, ...]) -> Flags:
    """Which systems were pooled: those named, those that the table of teams has, or all."""
    if wanted is None:
        return np.array([stated.get(name, not stated) for name in systems])
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    unknown = next((name for name in names if name not in systems), None)
    if unknown is not None:
        raise BadUsage(usage.bad_option("contributing", unknown, list(systems)))
    return np.array([name in names for name in systems])
