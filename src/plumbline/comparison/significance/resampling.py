"""Signs and weights drawn for cases, shared by all pairs of systems, and what they make of the pairs' mean differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.significance.pairs import BLOCK, Pairs
from plumbline.large import made

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Draw = Callable[[np.random.Generator, int, int], NDArray[np.float64]]

_DRAWN_AT_ONCE: Final = 1024
_FEWEST_AT_ONCE: Final = 32
"""Draws of very many cases for as many systems: with fewer, a matrix product would wait for the scores, which it reads once."""
_LANES: Final = 8
"""Bytes of a word."""
_FEWEST_TOGETHER: Final = 8
"""Systems that lack the same cases are worth a matrix product of their own from this number on."""
_BITS: Final = 64
_SIGNS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64) * 2 - 1
"""The eight signs that each byte stands for."""


def every_sign(cases: int) -> NDArray[np.float64]:
    """All ways to give signs to the cases, but for turning all of them: 2^(n-1) rows whose last sign is +."""
    numbers = np.arange(2 ** max(cases - 1, 0))
    return np.where(numbers[:, None] >> np.arange(cases) & 1, -1.0, 1.0)


def drawn_signs(generator: np.random.Generator, rows: int, cases: int) -> NDArray[np.float64]:
    """Signs, + or - with equal probability, `[draw, case]`; whether drawn in one go or in several, they are the same."""
    words = generator.integers(0, 2**64, size=(rows, -(-cases // _BITS)), dtype=np.uint64)
    numbers = words.astype("<u8", copy=False).view(np.uint8)
    return _SIGNS[numbers].reshape(rows, -1)[:, :cases]


def drawn_weights(generator: np.random.Generator, rows: int, cases: int) -> NDArray[np.float64]:
    """How often each case is drawn when as many are drawn with replacement as there are, `[draw, case]`."""
    drawn = generator.integers(0, cases, size=(rows, cases)) + np.arange(rows)[:, None] * cases
    return np.bincount(drawn.ravel(), minlength=rows * cases).reshape(rows, cases).astype(np.float64)


def draws(draw: Draw, cases: int, systems: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Draws in blocks of bounded size, or no larger than the scores, always the same for a seed."""
    generator = np.random.default_rng(seed)
    rows = max(min(_FEWEST_AT_ONCE, systems), BLOCK // max(cases, systems, _DRAWN_AT_ONCE))
    for start in range(0, resamples, rows):
        yield draw(generator, min(rows, resamples - start), cases)


def enumerated(cases: int) -> Iterator[NDArray[np.float64]]:
    """All signs of few cases, in blocks."""
    signs = every_sign(cases)
    for start in range(0, len(signs), _DRAWN_AT_ONCE):
        yield signs[start : start + _DRAWN_AT_ONCE]


@dataclass(frozen=True, eq=False)
class Unit:
    """Some pairs whose mean differences in all draws come from one matrix product."""

    a: NDArray[np.intp]
    """The first system of each pair."""
    b: NDArray[np.intp]
    """The second."""
    terms: NDArray[np.float64]
    """What is summed, `[row, case]`: a row for each pair or, if pairs lack the same cases, for each system."""
    present: NDArray[np.float64]
    """Where there is something to sum, 1 or 0 per case: one row if it is the same for all."""
    first: int | None = None
    """If rows are systems: how many of them are compared with all after them; in a unit of one group, all are."""
    within: bool = False
    """Whether the systems are one group, so that each is compared with those that follow."""

    def project(self, drawn: NDArray[np.float64], *, weighted: bool) -> NDArray[np.float64]:
        """The mean of each row in each draw, `[row, draw]`; the divisor is the sum of weights, or the number of cases.

        Where weights leave a row without a case it has no mean.
        """
        sums = self.terms @ drawn.T
        by = self.present @ drawn.T if weighted else self.present.sum(axis=1, keepdims=True)
        if by.all():
            sums /= by
            return np.asarray(sums)
        return np.asarray(np.divide(sums, by, out=np.full(sums.shape, np.nan), where=by > 0))

    def nearer(
        self, projected: NDArray[np.floating], limits: NDArray[np.floating], wanted: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """In how many draws each pair's mean difference is nearer to 0 than its limit; one that is undefined is not.

        Of each row only the others from the first to the last `wanted` pair are looked at; the rest has 0.
        """
        out = np.zeros(len(limits), dtype=np.int64)
        if self.first is None:
            rows = slice(None) if wanted is None else np.flatnonzero(wanted)
            out[rows] = np.count_nonzero(np.abs(projected[rows]) < limits[rows, None], axis=1)
            return out
        room = np.empty_like(projected)
        flags = np.zeros((len(projected), -(-projected.shape[1] // _LANES) * _LANES), dtype=np.bool_)
        stop = 0
        for row in range(self.first):
            after = row + 1 if self.within else self.first
            start, stop = stop, stop + len(projected) - after
            low, high = 0, stop - start
            if wanted is not None:
                places = np.flatnonzero(wanted[start:stop])
                low, high = (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)
            some = slice(start + low, start + high)
            distance = np.subtract(projected[row], projected[after + low : after + high], out=room[: high - low])
            np.abs(distance, out=distance)
            np.less(distance, limits[some, None], out=flags[: high - low, : projected.shape[1]])
            out[some] = _true(flags[: high - low])
        return out

    def differences(self, projected: NDArray[np.float64]) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Some of the pairs and their mean difference a - b in each draw, `[pair, draw]`."""
        if self.first is None:
            yield slice(0, len(projected)), projected
            return
        start = 0
        for row in range(self.first):
            others = projected[row + 1 if self.within else self.first :]
            stop = start + len(others)
            yield slice(start, stop), projected[row] - others
            start = stop


def _true(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of each row are true: eight bytes are added at once, up to 255 times, so that no byte overflows."""
    words, most = flags.view(np.uint64), 255
    counts = np.zeros(len(flags), dtype=np.int64)
    for start in range(0, words.shape[1], most):
        added = np.add.reduce(words[:, start : start + most], axis=1)
        counts += added.view(np.uint8).reshape(-1, _LANES).sum(axis=1, dtype=np.int64)
    return counts


def units(pairs: Pairs, *, centred: bool) -> Iterator[Unit]:
    """All pairs that have a case in common, in units; centred, each row's own mean is taken off."""
    systems, cases = pairs.values.shape
    if not systems or not cases:
        return
    alone = np.zeros((systems, systems), dtype=bool)
    alone[pairs.a, pairs.b] = pairs.cases > 0
    _, pattern = np.unique(np.packbits(pairs.known, axis=1), axis=0, return_inverse=True)
    groups = [np.flatnonzero(pattern.ravel() == which) for which in range(int(pattern.max()) + 1)]
    large = [group for group in groups if len(group) >= _FEWEST_TOGETHER]
    for number, one in enumerate(large):
        for other in large[number:]:
            present = pairs.known[one[:1]] & pairs.known[other[:1]]
            if not present.any():
                continue
            unit = _between(pairs, one, other, present.astype(np.float64), centred=centred)
            alone[unit.a, unit.b] = alone[unit.b, unit.a] = False
            yield unit
    first, second = np.nonzero(alone)
    step = max(1, BLOCK // max(cases, _DRAWN_AT_ONCE))
    for start in range(0, len(first), step):
        a, b = first[start : start + step], second[start : start + step]
        mutual = (pairs.known[a] & pairs.known[b]).astype(np.float64)
        known = (pairs.filled[a] - pairs.filled[b]) * mutual
        yield Unit(a, b, _centred(known, mutual) if centred else known, mutual)


def _between(
    pairs: Pairs, one: NDArray[np.intp], other: NDArray[np.intp], present: NDArray[np.float64], *, centred: bool
) -> Unit:
    """The pairs of two groups of systems, each of which lacks the same cases; or of one group."""
    if one is other:
        a, b = np.triu_indices(len(one), 1)
        terms = _terms(pairs.filled, one, present, centred=centred)
        return Unit(one[a], one[b], terms, present, first=len(one), within=True)
    terms = _terms(pairs.filled, np.concatenate([one, other]), present, centred=centred)
    return Unit(np.repeat(one, len(other)), np.tile(other, len(one)), terms, present, first=len(one))


def _terms(
    filled: NDArray[np.float64], systems: NDArray[np.intp], present: NDArray[np.float64], *, centred: bool
) -> NDArray[np.float64]:
    """What some systems have on the cases that are present; all systems on all cases are not copied."""
    if not centred and len(systems) == len(filled) and present.all():
        return filled
    shape = (len(systems), filled.shape[1])
    if not centred:
        return made(shape, lambda rows: filled[systems[rows]] * present)
    return made(shape, lambda rows: _centred(filled[systems[rows]] * present, present))


def _centred(known: NDArray[np.float64], present: NDArray[np.float64]) -> NDArray[np.float64]:
    means = known.sum(axis=1, keepdims=True) / present.sum(axis=1, keepdims=True)
    return np.asarray((known - means) * present)
