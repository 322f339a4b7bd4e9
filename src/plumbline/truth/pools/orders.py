"""In which order the items of a pool are judged.

Every order is a function of the lists and of the grades that are known, NaN where none is. It returns the items of all cases,
those of a case best first. An adaptive order learns from a grade as soon as its item is judged; from an item whose grade is
not known it learns nothing, so that what comes out is a batch to be judged with what is known now.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import CASE, RANK
from plumbline.truth.pools.lists import DOC, RUN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.truth.pools.lists import PooledLists

    Integers = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Order = Callable[..., Integers]
    Cases = Integers | slice
    Learn = Callable[[Cases, Integers, Integers, NDArray[np.bool_]], None]

RECIPROCAL: Final = 60.0
"""What Cormack, Clarke and Buettcher add to each rank."""
BETA: Final = 0.1
"""The base of the weights of hedge: a loss of 1 leaves a system a tenth of its weight."""

ORDERS: Final = {
    "rrf": "sum of 1 / (60 + rank) over the systems",
    "depth": "by the best rank, systems in the order given",
    "borda": "points for each item that a system places below",
    "move-to-front": "one system after the other, each until an item is not relevant",
    "bandit": "the system with the largest share of relevant items so far",
    "hedge": "systems weighted by how well they placed what was judged",
}
"""What each order does."""
ADAPTIVE: Final = frozenset({"move-to-front", "bandit", "hedge"})
"""Orders that depend on what was judged before."""


def order_of(name: str, lists: PooledLists, relevant: Numbers, forget: float = 0.0) -> Integers:
    """The numbers of all items in one of the orders; `relevant` is 1, 0, or NaN where it is not known."""
    if name == "bandit":
        return bandit(lists, relevant, forget)
    adaptive: dict[str, Order] = {"move-to-front": move_to_front, "hedge": hedge}
    if name in adaptive:
        return adaptive[name](lists, relevant)
    static: dict[str, Order] = {"rrf": reciprocal_ranks, "depth": by_depth, "borda": borda}
    return static[name](lists)


# --- orders that need no judgement ------------------------------------------------------------------------------------


def reciprocal_ranks(lists: PooledLists) -> Integers:
    """Reciprocal rank fusion (Cormack 2009)."""
    return _best_first(lists, _sums(lists, 1.0 / (RECIPROCAL + lists.rows[RANK].to_numpy())))


def borda(lists: PooledLists) -> Integers:
    """Points for every item below; what a list does not have shares the points that are left (Aslam and Montague 2001)."""
    rows, size = lists.rows, np.diff(lists.first)
    case = lists.case[rows[DOC].to_numpy()]
    length = np.zeros((len(lists.cases), len(lists.systems)))
    np.add.at(length, (case, rows[RUN].to_numpy()), 1.0)
    unlisted = (size[case] - length[case, rows[RUN].to_numpy()] + 1) / 2
    return _best_first(lists, _sums(lists, size[case] - rows[RANK].to_numpy() + 1 - unlisted))


def by_depth(lists: PooledLists) -> Integers:
    """The first items of all lists, then the second ones; systems in the order given."""
    firsts = lists.rows.unique(DOC, keep="first", maintain_order=True)  # rows are in the order of ranks, then systems
    docs = firsts[DOC].to_numpy()
    return docs[np.argsort(lists.case[docs], kind="stable")]


def _sums(lists: PooledLists, worth: Numbers) -> Numbers:
    return np.bincount(lists.rows[DOC].to_numpy(), weights=worth, minlength=len(lists.docs)).astype(np.float64)


def _best_first(lists: PooledLists, score: Numbers) -> Integers:
    """Items of equal worth in the order of their ids; sums differ in their last bits by the order of systems."""
    return np.lexsort((np.arange(len(score)), -np.round(score, 12), lists.case))


# --- orders that learn ------------------------------------------------------------------------------------------------


def bandit(lists: PooledLists, relevant: Numbers, forget: float = 0.0) -> Integers:
    """The next item of the system with the largest expected share of relevant items (Losada 2017, MM).

    Every judged item counts for all systems that have it. The expected share is that of Beta(1 + relevant, 1 + others).
    With `forget` = 1 only the last judgement counts, which is the non-stationary form of the paper.
    """
    shape = len(lists.cases), len(lists.systems)
    hits, judged = np.ones(shape), np.full(shape, 2.0)
    priority = hits / judged
    hit, known = relevant > 0, ~np.isnan(relevant)
    holds = _holders(lists)

    def learn(cases: Cases, _: Integers, docs: Integers, new: NDArray[np.bool_]) -> None:
        holders = holds[docs] & (new & known[docs])[:, None]
        if forget:
            still = holders & np.isfinite(hits[cases])
            for counts, start in ((hits, 1.0), (judged, 2.0)):
                counts[cases] -= np.where(still, forget * (counts[cases] - start), 0.0)
        hits[cases] += holders & hit[docs][:, None]
        judged[cases] += holders
        priority[cases] = hits[cases] / judged[cases]

    return _follow(lists, priority, learn, closes=hits)


def move_to_front(lists: PooledLists, relevant: Numbers) -> Integers:
    """Items of one system as long as they are relevant; then others come first (Cormack 1998, local).

    A relevant item moves its system to the front, an irrelevant one moves it back by a step. Items that were judged before
    do so as well.
    """
    priority = np.zeros((len(lists.cases), len(lists.systems)))

    def move(cases: Cases, runs: Integers, docs: Integers, _: NDArray[np.bool_]) -> None:
        at = np.arange(len(priority))[cases], runs
        priority[at] -= relevant[docs] <= 0  # nothing moves where it is not known
        priority[at] = np.where(relevant[docs] > 0, 0.0, priority[at])

    return _follow(lists, priority, move)


def _follow(lists: PooledLists, priority: Numbers, learn: Learn, closes: Numbers | None = None) -> Integers:
    """Take the next item of the system with the highest priority; every step is made in all cases at once.

    `learn` gets the cases, and the system, the item and whether it is new for each, and changes the priorities. Those of lists
    that have ended are minus infinity; `closes` is what `learn` computes them from, and is minus infinity as well then.
    """
    table = _table(lists)
    systems, width = table.shape[1:]
    item = table.reshape(-1)
    place = np.arange(table.shape[0] * systems) * width  # where each list goes on
    shown = table[:, :, 0] >= 0
    left = shown.sum(axis=1)
    endings = (priority,) if closes is None else (priority, closes)
    for values in endings:
        values[~shown] = -np.inf
    taken = np.zeros(len(lists.docs), dtype=np.bool_)
    steps: list[Integers] = []
    numbers = np.flatnonzero(left)
    cases: Cases = slice(None) if len(numbers) == len(left) else numbers
    while len(numbers):
        runs = priority[cases].argmax(axis=1)
        at = numbers * systems + runs
        docs = item[place[at]]
        new = ~taken[docs]
        taken[docs] = True
        steps.append(docs[new])
        learn(cases, runs, docs, new)
        place[at] += 1
        ended = item[place[at]] < 0
        if ended.any():
            for values in endings:
                values[numbers[ended], runs[ended]] = -np.inf
            left[numbers[ended]] -= 1
            if not left[numbers].all():
                numbers = cases = np.flatnonzero(left)
    docs = np.concatenate([np.empty(0, dtype=np.int64), *steps])
    return docs[np.argsort(lists.case[docs], kind="stable")]


def _table(lists: PooledLists) -> Integers:
    """The item at each place of each list, by case and system; -1 behind the end."""
    depth = int(lists.rows[RANK].to_numpy().max(initial=0))
    table = np.full((len(lists.cases), len(lists.systems), depth + 1), -1, dtype=np.int64)
    docs = lists.rows[DOC].to_numpy()
    table[lists.case[docs], lists.rows[RUN].to_numpy(), lists.rows[RANK].to_numpy() - 1] = docs
    return table


def _holders(lists: PooledLists) -> NDArray[np.bool_]:
    """Which systems have each item."""
    holds = np.zeros((len(lists.docs), len(lists.systems)), dtype=np.bool_)
    holds[lists.rows[DOC].to_numpy(), lists.rows[RUN].to_numpy()] = True
    return holds


def hedge(lists: PooledLists, relevant: Numbers) -> Integers:
    """The item that the systems place highest, each weighted by how well it placed what was judged (Aslam 2003).

    A system loses ln(depth / rank) / 2 for an irrelevant item at a rank, gains as much for a relevant one, and weighs
    0.1 to the power of what it has lost.
    """
    rows, first = lists.rows, lists.first
    longest = rows.with_columns(pl.Series(CASE, lists.case[rows[DOC].to_numpy()])).group_by(CASE).agg(pl.col(RANK).max())
    depth = np.ones(len(lists.cases))
    depth[longest[CASE].to_numpy()] = longest[RANK].to_numpy() + 1
    worth = np.zeros((len(lists.docs), len(lists.systems)))
    docs = rows[DOC].to_numpy()
    worth[docs, rows[RUN].to_numpy()] = 0.5 * np.log(depth[lists.case[docs]] / rows[RANK].to_numpy())
    parts = [begin + _hedged(worth[begin:end], relevant[begin:end]) for begin, end in pairwise(first)]
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _hedged(worth: Numbers, relevant: Numbers) -> Integers:
    """One case: a step for each item."""
    order = np.empty(len(worth), dtype=np.int64)
    loss, left = np.zeros(worth.shape[1]), np.ones(len(worth), dtype=np.bool_)
    mixed = worth.sum(axis=1)
    for step in range(len(worth)):
        best = int(np.where(left, mixed, -np.inf).argmax())
        order[step], left[best] = best, False
        if not np.isnan(relevant[best]):
            loss += worth[best] * (-1.0 if relevant[best] > 0 else 1.0)
            mixed = worth @ BETA ** (loss - loss.min())
    return order
