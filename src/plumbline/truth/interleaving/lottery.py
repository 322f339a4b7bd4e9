"""Optimized interleaving: which lists may be shown, and how probably each, so that random clicks prefer nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.lazily import optimize

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST: Final = 12
"""Up to 2**12 lists are weighed; each position more would double them."""
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Lottery:
    """Lists, how probably each is shown, and whether random clicks prefer nobody at any depth."""

    lists: list[tuple[int, ...]]
    probability: NDArray[np.float64]
    fair: bool


def allowed_lists(first: tuple[int, ...], second: tuple[int, ...], length: int) -> list[tuple[int, ...]]:
    """All lists whose next item is always the best one left of either ranking."""
    grown: list[tuple[int, ...]] = [()]
    for _ in range(length):
        longer: dict[tuple[int, ...], None] = {}
        for shown in grown:
            heads = dict.fromkeys(
                head
                for ranking in (first, second)
                if (head := next((item for item in ranking if item not in shown), None)) is not None
            )
            longer |= dict.fromkeys((*shown, head) for head in heads) if heads else {shown: None}
        grown = list(longer)
    return grown


def item_credit(ranking: tuple[int, ...], item: int) -> float:
    """What a click on an item is worth to a ranking: 1/rank, as if it came next where the ranking lacks it."""
    return 1 / (ranking.index(item) + 1 if item in ranking else len(ranking) + 1)


def lottery(first: NDArray[np.int64], second: NDArray[np.int64], length: int) -> Lottery:
    """The probabilities by a linear program (Radlinski and Craswell 2013; objective of Schuth et al. 2014).

    At every depth k, the expected credit of the first k items is the same for both. Among all such lotteries, the one is
    chosen whose lists least prefer one ranking already before anybody clicks, if rank r is clicked with probability 1/r.
    """
    rankings = [tuple(item for item in ranking.tolist() if item >= 0) for ranking in (first, second)]
    lists = allowed_lists(rankings[0], rankings[1], length)
    items = sorted({*rankings[0], *rankings[1]})
    margin = {item: item_credit(rankings[0], item) - item_credit(rankings[1], item) for item in items}
    longest = max(map(len, lists))
    each = np.array([[margin[item] for item in shown] + [0.0] * (longest - len(shown)) for shown in lists])
    ahead = np.cumsum(each, axis=1).T
    ahead = ahead[np.abs(ahead).max(axis=1) > _TOLERANCE]
    one_sided = (each @ (1 / np.arange(1, longest + 1))) ** 2
    if not len(ahead):
        return Lottery(lists, np.full(len(lists), 1 / len(lists)), fair=True)
    exact = _solved(one_sided, ahead)
    return Lottery(lists, exact, fair=True) if exact is not None else Lottery(lists, _closest(ahead), fair=False)


def _solved(cost: NDArray[np.float64], ahead: NDArray[np.float64]) -> NDArray[np.float64] | None:
    equal = np.vstack([np.ones(len(cost)), ahead])
    solution = optimize.linprog(cost, A_eq=equal, b_eq=[1.0] + [0.0] * len(ahead), bounds=(0, 1), method="highs")
    return np.clip(solution.x, 0, None) if solution.success else None


def _closest(ahead: NDArray[np.float64]) -> NDArray[np.float64]:
    """The lottery with the least bias at its worst depth."""
    depths, number = ahead.shape
    bounds = np.hstack([np.vstack([ahead, -ahead]), -np.ones((2 * depths, 1))])
    solution = optimize.linprog(
        [0.0] * number + [1.0],
        A_ub=bounds,
        b_ub=np.zeros(2 * depths),
        A_eq=[[1.0] * number + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * number + [(0, None)],
        method="highs",
    )
    return np.clip(np.asarray(solution.x[:-1], dtype=np.float64), 0, None)
