"""How much scores and orders of systems depend on what was judged: bounds, ranges, fewer judgements, condensed lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.correlation.between import tau_b
from plumbline.metrics.names import parse
from plumbline.schema import METRIC, SYSTEM
from plumbline.truth.pools.rescoring import condensed, first_unjudged_relevant, values, with_gold, with_unjudged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.metrics.measure import Measure
    from plumbline.truth.pools.places import Flags, Places

MONOTONE: Final = frozenset({"P", "DCG", "ERR", "Success"})
"""Metrics that can only grow when an unjudged item turns out to be relevant, and that look at no other item of the gold."""
PREFIX: Final = 20
"""How many ranks of a list are looked at for unjudged items that may be relevant, in ranges."""
SHARES: Final = (0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05)
DRAWS: Final = 3


def bounds(places: Places, measures: list[Measure]) -> pl.DataFrame:
    """`system, metric, low, high`: with every unjudged item irrelevant, and with every one of the highest grade.

    Only metrics that can but grow are there: RBP with its residual, P, DCG, ERR and Success.
    """
    top = max(1.0, float(places.grades.max(initial=1.0)))
    fit = [measure for measure in measures if len(measure.parts) == 1 and measure.parts[0].metric.name in {*MONOTONE, "RBP"}]
    if not fit:
        return pl.DataFrame(schema={SYSTEM: pl.String, METRIC: pl.String, "low": pl.Float64, "high": pl.Float64})
    low, high = values(places.aligned, fit), values(with_unjudged(places, top, None), fit)
    for place, measure in enumerate(fit):
        if measure.parts[0].metric.name == "RBP":  # its residual knows the places behind the end of the list, too
            residual = parse(f"RBPResidual(p={dict(measure.parts[0].arguments)['p']!r})")
            high[place] = low[place] + values(places.aligned, [residual])[0]
    return _table(places, fit, low=low, high=high)


def ranges(places: Places, measures: list[Measure]) -> pl.DataFrame:
    """`system, metric, value, smallest, largest`: if the first unjudged items were relevant, for every number of them.

    These are no bounds: a metric that divides by the relevant items of the case, such as AP and nDCG, may fall when one more
    item is relevant, and other sets of items may give smaller and larger values.
    """
    fit = [
        measure for measure in measures if len(measure.parts) == 1 and measure.parts[0].metric.name not in {*MONOTONE, "RBP"}
    ]
    if not fit:
        return pl.DataFrame(schema={SYSTEM: pl.String, METRIC: pl.String, "smallest": pl.Float64, "largest": pl.Float64})
    top, shape = max(1.0, float(places.grades.max(initial=1.0))), (len(fit), len(places.aligned.systems), places.cases)
    known = values(places.aligned, fit)
    smallest, largest = known.copy(), known.copy()
    early = ~places.judged & (places.rank <= PREFIX)
    for count in range(1, int(np.bincount(places.lists[early], minlength=1).max()) + 1):
        made = values(first_unjudged_relevant(places, count, top, PREFIX), fit).reshape(shape)
        made = np.where(np.isnan(known), np.nan, made)
        smallest, largest = np.fmin(smallest, made), np.fmax(largest, made)
    return _table(places, fit, value=known, smallest=smallest, largest=largest)


def condensed_lists(places: Places, measures: list[Measure]) -> pl.DataFrame:
    """`system, metric, value, condensed`: as they are, and without unjudged items."""
    return _table(places, measures, value=values(places.aligned, measures), condensed=values(condensed(places), measures))


def thinned(places: Places, measures: list[Measure], contributing: Flags, seed: int) -> pl.DataFrame:
    """`kept, of, metric, tau, drop`: the order of systems with fewer judgements, a shallower pool or fewer cases.

    `tau` compares with the order by all judgements, `drop` is the most places that a system falls; both are means of draws,
    which are nested: what is kept at a smaller share is among what is kept at a larger one.
    """
    full = values(places.aligned, measures)
    rng = np.random.default_rng(seed)
    case = places.aligned.gold.judged["case"].to_numpy()
    rows: list[dict[str, str | float]] = []
    judged_sizes = np.bincount(case, minlength=places.cases)
    moves: dict[tuple[float, str], list[tuple[int, float, float]]] = {}
    for _ in range(DRAWS):
        mixed = np.lexsort((rng.random(len(case)), case))
        place = np.empty(len(case))
        place[mixed] = np.arange(len(case)) - (np.cumsum(judged_sizes) - judged_sizes)[case[mixed]]
        cases = rng.permutation(places.cases)
        for share in SHARES:
            kept = values(with_gold(places, place < np.ceil(share * judged_sizes[case])), measures)
            fewer = cases[: max(1, round(share * places.cases))]
            for number in range(len(measures)):
                moves.setdefault((share, "judgements"), []).append((number, *_moved(full[number], kept[number])))
                moves.setdefault((share, "cases"), []).append((number, *_moved(full[number], full[number][:, fewer])))
    for (share, of), drawn in moves.items():
        for number, measure in enumerate(measures):
            tau, drop = (float(np.nanmean([one[column] for one in drawn if one[0] == number])) for column in (1, 2))
            rows.append({"of": of, "kept": f"{share:.0%}", METRIC: measure.name, "tau": tau, "drop": drop})
    rows += _shallower(places, measures, contributing, full)
    return pl.DataFrame(rows).sort("of", maintain_order=True)


def _shallower(
    places: Places, measures: list[Measure], contributing: Flags, full: NDArray[np.float64]
) -> list[dict[str, str | float]]:
    best = places.best_rank(contributing[places.system])[: len(places.grades)]
    rows: list[dict[str, str | float]] = []
    for depth in (1, 2, 3, 5, 10, 20, 50):
        kept = best <= depth
        if kept[places.grades >= 0].all() or not kept.any():
            break
        made = values(with_gold(places, kept), measures)
        for number, measure in enumerate(measures):
            tau, drop = _moved(full[number], made[number])
            rows.append({"of": "depth", "kept": str(depth), METRIC: measure.name, "tau": tau, "drop": drop})
    return rows


def _moved(before: NDArray[np.float64], after: NDArray[np.float64]) -> tuple[float, float]:
    """Kendall's tau of the means, and the most places that a system falls."""
    one, other = (np.nan_to_num(np.nanmean(np.where(np.isnan(table), 0.0, table), axis=1)) for table in (before, after))
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:  # noqa: PLR2004 - two make an order
        return float("nan"), float("nan")
    places = [np.argsort(np.argsort(-means, kind="stable"), kind="stable") for means in (one, other)]
    return float(tau_b(one, other)), float(max(0, int((places[1] - places[0]).max())))


def _table(places: Places, measures: list[Measure], **cubes: NDArray[np.float64]) -> pl.DataFrame:
    """The means over the cases with a value, a row for each system and metric."""
    systems = places.aligned.systems
    columns: dict[str, list[float]] = {
        name: np.nan_to_num(_means(cube), nan=np.nan).reshape(-1).tolist() for name, cube in cubes.items()
    }
    names = {
        SYSTEM: list(systems) * len(measures),
        METRIC: [measure.name for measure in measures for _ in systems],
    }
    return pl.DataFrame({**names, **columns}).with_columns(pl.col(pl.Float64).fill_nan(None))


def _means(cube: NDArray[np.float64]) -> NDArray[np.float64]:
    known = ~np.isnan(cube)
    count = known.sum(axis=2)
    return np.where(count > 0, np.where(known, cube, 0.0).sum(axis=2) / np.maximum(count, 1), np.nan)
