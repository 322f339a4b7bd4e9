"""Does a metric still rank the systems alike if some judgements are wrong? Noise in the gold (after Ferri et al. 2009).

A share of the judgements is drawn at random, and their values are dealt out anew among them, case by case: so each case keeps
as many items of every grade or label. The systems are evaluated again, and their order by the mean of each metric is compared
with the one before by Kendall's tau.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage, studies
from plumbline.evaluation.evaluation import Evaluation, can_be_read_again
from plumbline.schema import CASE, ITEM, VALUE
from plumbline.studies.agreement import kendall
from plumbline.studies.outputs import mean_steps

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.io.table import Table

    Numbers = NDArray[np.float64]

SHARES: Final = (0.05, 0.1, 0.2)
DRAWS: Final = 10


def dealt(gold: pl.DataFrame, share: float, rng: Generator) -> pl.DataFrame:
    """The gold with the values of some rows dealt out anew among those of the same case."""
    chosen = rng.choice(len(gold), size=round(share * len(gold)), replace=False)
    case = gold[CASE].cast(pl.String).rank("dense").to_numpy()[chosen]
    places, sources = chosen[np.argsort(case, kind="stable")], chosen[np.lexsort((rng.random(len(chosen)), case))]
    order = np.arange(len(gold))
    order[places] = sources
    return gold.with_columns(gold[VALUE].gather(order))


def noisy(evaluation: Evaluation, share: float, seed: int, draw: int) -> Evaluation:
    """The same evaluation with noise in its gold."""

    def change(gold: Table) -> Table:
        columns = set(gold.frame.columns)
        if not {CASE, ITEM, VALUE} <= columns or gold.frame.select(CASE, ITEM).is_duplicated().any():
            raise BadUsage(studies.no_judgements("items have several labels or levels"))
        return replace(gold, frame=dealt(gold.frame, share, np.random.default_rng([seed, draw])))

    return Evaluation(evaluation.request, evaluation.gold, evaluation.systems, change=change)


def noise(cube: Cube, evaluation: Evaluation, seed: int) -> pl.DataFrame:
    """`metric, share, tau, best_stays, draws`: Kendall's tau of the systems, and how often the best one stays the best."""
    if not (can_be_read_again(evaluation.gold) and can_be_read_again(evaluation.systems)):
        raise BadUsage(studies.no_judgements("gold and outputs can be read only once"))
    before = mean_steps(cube)
    rows = []
    for share in SHARES:
        after = [_means(cube, noisy(evaluation, share, seed, draw)) for draw in range(DRAWS)]
        for number, metric in enumerate(cube.metrics):
            taus = [float(kendall(np.stack([before[number], one[number]]))[0, 1]) for one in after]
            known = [tau for tau in taus if not np.isnan(tau)]
            stays = [bool((_best(before[number]) & _best(one[number])).any()) for one in after]
            rows.append((metric, share, sum(known) / len(known) if known else None, sum(stays) / DRAWS, DRAWS))
    schema = {"metric": pl.String, "share": pl.Float64, "tau": pl.Float64, "best_stays": pl.Float64, "draws": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _best(means: Numbers) -> NDArray[np.bool_]:
    """The systems with the highest mean; what has none is not among them."""
    return np.asarray(means == np.max(means, initial=-np.inf, where=~np.isnan(means)))


def _means(cube: Cube, evaluation: Evaluation) -> Numbers:
    """The means of the systems, `[metric, system]`, in the order of the cube."""
    other, _ = read_scores(evaluation.scores(cube.metrics), metrics=list(cube.metrics))
    return mean_steps(other)[:, [other.systems.index(name) for name in cube.systems]]
