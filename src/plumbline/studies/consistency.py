"""Is one metric consistent with another, and does it tell more outputs apart? Two degrees of Huang and Ling.

Ling, Huang and Zhang 2003; Huang and Ling 2005. All pairs of systems on each case are compared by both metrics. The degree of
consistency is the share of pairs that both order in the same way, among those that both order. The degree of discriminancy is
the number of pairs that only the first one orders, for each pair that only the second one orders. A metric with a consistency
above 0.5 and a discriminancy above 1 is the better one of two that mean the same.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.studies.outputs import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]

COUNTS: Final = ("same", "opposite", "only_a", "only_b")


def tallies(cube: Cube) -> tuple[Numbers, Numbers, Numbers]:
    """Pairs of systems on a case that two metrics order in the same way, in opposite ways, and that only the first one orders.

    Each `[metric, metric]`. Only systems with a value of every metric on a case take part in it.
    """
    values = steps(cube.signed)
    same, opposite, only = (np.zeros((len(values),) * 2) for _ in range(3))
    for case, known in enumerate(cube.known.T):
        of_case = values[:, known, case]
        a, b = np.triu_indices(of_case.shape[1], 1)
        order = np.sign(of_case[:, a] - of_case[:, b]).astype(np.float32)
        first, second = order > 0, order < 0
        higher, lower = (side.astype(np.float64) for side in (first, second))
        tied = (~(first | second)).astype(np.float64)
        same += higher @ higher.T + lower @ lower.T
        opposite += higher @ lower.T + lower @ higher.T
        only += (higher + lower) @ tied.T
    return same, opposite, only


def table(cube: Cube) -> pl.DataFrame:
    """`a, b, consistency, discriminancy, same, opposite, only_a, only_b`, a row for each two metrics.

    A consistency is null where no pair is ordered by both, a discriminancy where the second metric orders nothing alone.
    """
    same, opposite, only = tallies(cube)
    rows = []
    for a, b in combinations(range(len(cube.metrics)), 2):
        both = same[a, b] + opposite[a, b]
        consistency = float(same[a, b] / both) if both else None
        discriminancy = float(only[a, b] / only[b, a]) if only[b, a] else None
        counts = (int(one) for one in (same[a, b], opposite[a, b], only[a, b], only[b, a]))
        rows.append((cube.metrics[a], cube.metrics[b], consistency, discriminancy, *counts))
    schema = {"a": pl.String, "b": pl.String, "consistency": pl.Float64, "discriminancy": pl.Float64}
    return pl.DataFrame(rows, schema={**schema, **dict.fromkeys(COUNTS, pl.Int64)}, orient="row")
