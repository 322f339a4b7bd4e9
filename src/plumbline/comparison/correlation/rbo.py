"""Rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010), for lists of any length, with ties.

Agreement at depth d is the share of the two tops of d items that is common; rank-biased overlap is its mean over all depths,
with weight (1 - p) * p ** (d - 1). Lists end, so that only bounds are certain: `least` and `most`. `extrapolated` lets the
agreement of the last depth that was seen go on (their equation 32).

Tied items can be counted in three ways, as Corsi and Urbano (2024) tell them apart:

| ties | an item that shares the ranks t + 1 to t + g is in the top d with | agreement |
|---|---|---|
| w (Webber's) | 1 from d = t + 1 on: all of them are at rank t + 1 | 2 * common / (items in one top + items in the other) |
| a | (d - t) / g: the mean over all orders of the tied items | common / d |
| b | the same | common / sqrt(sum of squares in one top * sum of squares in the other): equal rankings have 1 |

Without ties the three are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import numpy as np

from plumbline.errors import BadUsage, usage
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Counts = NDArray[np.int64]

Ties = Literal["w", "a", "b"]
TIES: Final[tuple[Ties, ...]] = get_args(Ties)
Ranking: TypeAlias = Mapping[str, float] | Sequence[str | Sequence[str] | AbstractSet[str]]
"""Items with scores, higher first; or items in order, where a group of tied items is a tuple, a list or a set."""
P: Final = 0.9
"""How likely the reader is to go on to the next rank."""


@saveable
@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap: the value that is to be expected, and what it can be whatever follows the end of the lists."""

    extrapolated: float
    """Not a number if one of the lists is empty."""
    least: float
    most: float
    """With ties of the kinds a and b the bound is not always reached."""

    @property
    def residual(self) -> float:
        """How much is open."""
        return self.most - self.least


@dataclass(frozen=True, eq=False)
class Places:
    """A ranking as the ranks of its items: items of a tied group share their first and their last rank, from 1 on."""

    items: tuple[str, ...]
    first: Counts
    last: Counts

    def scores(self) -> dict[str, float]:
        """Numbers that rank the items the same way, higher first."""
        return dict(zip(self.items, (-self.first.astype(np.float64)).tolist(), strict=True))


def places(ranking: Ranking) -> Places:
    """The ranks of the items of a ranking."""
    groups = _by_score(ranking) if isinstance(ranking, Mapping) else [_group(entry) for entry in ranking]
    items = tuple(item for group in groups for item in group)
    if len(set(items)) < len(items):
        twice = next(item for item, count in Counter(items).items() if count > 1)
        raise BadUsage(usage.bad_object(f"a ranking with {twice!r} twice", "each item once"))
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    last = np.cumsum(sizes)
    return Places(items, np.repeat(last - sizes + 1, sizes), np.repeat(last, sizes))


def _group(entry: str | Sequence[str] | AbstractSet[str]) -> list[str]:
    return [entry] if isinstance(entry, str) else [str(item) for item in entry]


def _by_score(scores: Mapping[str, float]) -> list[list[str]]:
    values = np.array(list(scores.values()), dtype=np.float64)
    if np.isnan(values).any():
        name = list(scores)[int(np.flatnonzero(np.isnan(values))[0])]
        raise BadUsage(usage.bad_object(f"a ranking in which {name!r} has no score", "a number for each item"))
    names = list(scores)
    order = np.argsort(-values, kind="stable")
    starts = np.flatnonzero(np.diff(values[order], prepend=np.nan) != 0)
    return [[names[at] for at in part] for part in np.split(order, starts[1:])] if names else []


def rbo(first: Ranking, second: Ranking, p: float = P, ties: Ties = "w") -> Overlap:
    """Rank-biased overlap of two rankings; `p` is the reader's patience, between 0 and 1."""
    return overlap(places(first), places(second), p, ties)


def overlap(one: Places, other: Places, p: float = P, ties: Ties = "w") -> Overlap:
    """The same for rankings that were read already."""
    if not 0.0 < p < 1.0:
        raise BadUsage(usage.bad_parameter("RBO", "p", f"{p:g}", "more than 0 and less than 1"))
    if ties not in TIES:
        raise BadUsage(usage.bad_option("ties", ties, list(TIES)))
    short, long = sorted((one, other), key=lambda places: len(places.items))
    if not short.items:
        return Overlap(np.nan, 0.0, 1.0)
    return _Tops(short, long, ties).overlap(p)


class _Tops:
    """The tops of two rankings at every depth from 1 to the length of the longer one."""

    def __init__(self, short: Places, long: Places, ties: Ties) -> None:
        self.ties: Ties = ties
        self.seen, self.length = len(short.items), len(long.items)
        self.depth = np.arange(1, self.length + 1)
        at = {item: row for row, item in enumerate(short.items)}
        rows = np.array([at.get(item, -1) for item in long.items], dtype=np.int64)
        both = rows >= 0
        in_long = _Spread(long.first[both], long.last[both])
        in_short = _Spread(short.first[rows[both]], short.last[rows[both]])
        share_short, share_long = self._share(short), self._share(long)
        if ties == "w":
            self.common = self._until(np.maximum(in_short.first, in_long.first)).astype(np.float64)
        else:
            done = self._until(np.maximum(in_short.last, in_long.last) + 1)
            long_now = self._until(np.maximum(in_short.last + 1, in_long.first)) - done
            short_now = self._until(np.maximum(in_short.first, in_long.last + 1)) - done
            now = self._until(np.maximum(in_short.first, in_long.first)) - done - long_now - short_now
            self.common = done + share_long * long_now + share_short * (short_now + share_long * now)
        self._alone(long.first[~both], long.last[~both], share_long)
        self.under = self._under(self._size(short, share_short), self._size(long, share_long))

    def _until(self, start: Counts) -> Counts:
        """How many items are there at each depth, if each is there from `start` on."""
        return np.cumsum(np.bincount(np.minimum(start, self.length + 1), minlength=self.length + 2))[1:-1]

    def _share(self, ranked: Places) -> Numbers:
        """With what an item of the group at each depth is in the top; 1 after the end of the list."""
        share = np.ones(self.length)
        if self.ties != "w":
            above = ranked.first - 1
            share[: len(above)] = (np.arange(1, len(above) + 1) - above) / (ranked.last - above)
        return share

    def _size(self, ranked: Places, share: Numbers) -> Numbers:
        """How large a top is at each depth; after the end of the list it grows by one item at each depth."""
        after = np.maximum(self.depth - len(ranked.items), 0)
        if self.ties == "w":
            return np.asarray(self._until(ranked.first) + after, dtype=np.float64)
        done = self._until(ranked.last + 1)
        return np.asarray(done + share**2 * (self._until(ranked.first) - done) + after)

    def _under(self, short: Numbers, long: Numbers) -> Numbers:
        """What the common part is divided by."""
        if self.ties == "w":
            return np.asarray((short + long) / 2.0)
        return self.depth.astype(np.float64) if self.ties == "a" else np.sqrt(short * long)

    def _alone(self, first: Counts, last: Counts, share: Numbers) -> None:
        """What the unseen rest of the shorter list can have in common with items that only the longer one has."""
        present = self._until(first)
        done = self._until(last + 1) if self.ties != "w" else present
        some = np.maximum(self.depth - self.seen, 0)
        full = np.minimum(some, done)
        self.unseen_most = full + share * np.minimum(some - full, present - done)
        mean = np.divide(done + share * (present - done), present, out=np.zeros(self.length), where=present > 0)
        self.unseen_mean = some * mean

    def overlap(self, p: float) -> Overlap:
        """The three values."""
        weight = (1.0 - p) * p ** (self.depth - 1.0)
        common, length, seen = self.common, self.length, self.seen
        at_end = common[seen - 1] / self.under[seen - 1]
        going_on = (common + at_end * self.unseen_mean) / self.under
        last = (common[-1] + at_end * (length - seen)) / length
        extrapolated = float(weight @ going_on + last * p**length)
        # from the end of the longer list on: no further item in common, or as many as possible until all are
        rest = -np.log1p(-p) - np.sum(p**self.depth / self.depth)  # the sum of p^d / d from there on, if it is not rounded away
        rest = min(max(rest, 0.0), p ** (length + 1) / ((length + 1) * (1.0 - p)))
        least = float(weight @ (common / self.under) + (1.0 - p) / p * common[-1] * rest)
        full = round(length + seen - common[-1])
        further = np.arange(length + 1, full + 1)
        growing = (2 * further - length - seen + common[-1]) / further
        tail = (1.0 - p) * p ** (further - 1.0) @ growing + p**full
        most = float(weight @ np.minimum((common + self.unseen_most) / self.under, 1.0) + tail)
        return Overlap(min(extrapolated, 1.0), least, min(max(most, least), 1.0))


@dataclass(frozen=True, eq=False)
class _Spread:
    first: Counts
    last: Counts
