"""Leave one out: what a system or a team would score if nobody had judged what it alone brought into the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.schema import METRIC, SYSTEM
from plumbline.truth.pools.rescoring import values, without_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.metrics.measure import Measure
    from plumbline.truth.pools.places import Flags, Integers, Places


def left_out(
    places: Places, measures: list[Measure], teams: list[str], contributing: Flags, depth: int | None, level: float
) -> pl.DataFrame:
    """`left_out, system, team, unique, unique_relevant, metric, value, without, rank, rank_without`.

    A row for each contributing system and metric, with the system itself left out, and with its whole team if there are
    teams. `unique` are the judged items that nobody else has within the depth of the pool.
    """
    members = np.flatnonzero(contributing)
    kinds = {"system": [str(number) for number in range(len(teams))]}
    if len({teams[number] for number in members}) < len(members) or teams != list(places.aligned.systems):
        kinds["team"] = teams
    known = values(places.aligned, measures)
    tables = [_without(places, measures, owner, kind, contributing, depth, level, known) for kind, owner in kinds.items()]
    return pl.concat(tables).with_columns(pl.Series("team", teams).gather(pl.concat(tables)["number"])).select(COLUMNS)


COLUMNS = ["left_out", SYSTEM, "team", "unique", "unique_relevant", METRIC, "value", "without", "rank", "rank_without"]


def _without(  # noqa: PLR0913, PLR0917 - what one table needs
    places: Places,
    measures: list[Measure],
    owner: list[str],
    kind: str,
    contributing: Flags,
    depth: int | None,
    level: float,
    known: NDArray[np.float64],
) -> pl.DataFrame:
    names = list(dict.fromkeys(owner[number] for number in np.flatnonzero(contributing)))
    code = np.array([names.index(one) if one in names else -1 for one in owner])
    removed = _unique(places, code, contributing, depth, len(names))
    again = without_groups(places, known, measures, np.where(contributing, code, -1), removed)
    parts = []
    for place, measure in enumerate(measures):
        both = ~np.isnan(known[place]) & ~np.isnan(again[place])
        before, after = _mean(known[place], both), _mean(again[place], both)
        full = _mean(known[place], ~np.isnan(known[place]))
        for number in np.flatnonzero(contributing):
            worse = measure.better == "lower"
            others = np.delete(full, number)
            parts.append(
                {
                    "left_out": kind,
                    SYSTEM: places.aligned.systems[number],
                    "number": int(number),
                    "unique": len(removed[code[number]]),
                    "unique_relevant": int((places.grades[removed[code[number]]] >= level).sum()),
                    METRIC: measure.name,
                    "value": _or_none(before[number]),
                    "without": _or_none(after[number]),
                    "rank": _rank(before[number], others, lower=worse),
                    "rank_without": _rank(after[number], others, lower=worse),
                }
            )
    return pl.DataFrame(parts, infer_schema_length=None)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _mean(table: NDArray[np.float64], over: Flags) -> NDArray[np.float64]:
    count = over.sum(axis=1)
    total = np.where(over, table, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _rank(value: float, others: NDArray[np.float64], *, lower: bool) -> int | None:
    if np.isnan(value):
        return None
    return int((others < value if lower else others > value).sum()) + 1


def _unique(places: Places, code: Integers, contributing: Flags, depth: int | None, groups: int) -> list[Integers]:
    """The gold's rows of judged items that only one group has, by group."""
    deepest = places.rank.max(initial=0) if depth is None else depth
    rows = contributing[places.system] & (places.rank <= deepest) & places.judged
    first = np.full(len(places.grades), groups)
    last = np.full(len(places.grades), -1)
    np.minimum.at(first, places.of_gold[rows], code[places.system[rows]])
    np.maximum.at(last, places.of_gold[rows], code[places.system[rows]])
    alone = np.flatnonzero(first == last)
    by_group = alone[np.argsort(first[alone], kind="stable")]
    return np.split(by_group, np.searchsorted(first[by_group], np.arange(1, groups)))
