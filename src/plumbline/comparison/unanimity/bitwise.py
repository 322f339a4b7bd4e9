"""Who is worse than whom, for all pairs of many systems: 64 cases in one step.

Scores become small whole numbers (levels), and each bit of the levels becomes a plane: words in which every bit is a case. Five
bitwise operations on each plane then compare two systems on 64 cases at once, and counting is counting bits.

The systems are thought of as a ring. System i meets the one `away` places further, for all i at once: two views of the same
words, of which one begins later. Half the ring is enough, since a comparison also tells how the other one fares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.unanimity.levels import levels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.unanimity.levels import Levels

    Words = NDArray[np.uint64]
    Counts = NDArray[np.int64]
    Ring = NDArray[np.int32]
    """`[away - 1, what, system]`: counts of every system and the one so far away."""

_BITS: Final = 64
_BLOCK: Final = 2**14
"""Words of one plane, about: few enough to stay in the cache, and enough that calls take little of the time."""


@dataclass(frozen=True, eq=False)
class Worse:
    """Counts of cases on which two systems, in rows and columns, both have a value of every metric."""

    somewhere: Counts
    """The one in the row is worse by some metric."""
    different: Counts
    """Some metric tells them apart."""
    cases: Counts
    """All such cases."""


def worse(cube: Cube) -> Worse:
    """All pairs of at least two systems, block after block of cases."""
    count, cases = len(cube.systems), len(cube.cases)
    width = _BITS * max(1, min(_BLOCK // count, -(-cases // _BITS)))
    found = np.zeros((count // 2, 4, count), dtype=np.int32)
    own = np.zeros(count, dtype=np.int64)
    for start in range(0, cases, width):
        values = cube.values[:, :, start : start + width]
        there = np.asarray(~np.isnan(values).any(axis=0))
        own += there.sum(axis=1)
        if there.all():
            found[:, 3] += there.shape[1]
            _add(found[:, :3], _metrics(values, cube.lower))
        else:
            _add(found, _metrics(np.where(there, values, 0.0), cube.lower), _planes(there.astype(np.uint8))[0])
    higher, lower, different, both = found.transpose(1, 0, 2)
    return Worse(_square(lower, higher, 0), _square(different, different, 0), _square(both, both, own))


def _metrics(values: NDArray[np.float64], lower: NDArray[np.bool_]) -> list[Words]:
    """The planes of each metric, in which more is better."""
    return [_planes(levels(-metric if turned else metric)) for metric, turned in zip(values, lower, strict=True)]


def _planes(level: Levels) -> Words:
    """`[bit, word]`, the lowest bit first: the words of each system, and those of the first half of the ring once more."""
    count, cases = level.shape
    bits = max(1, int(level.max()).bit_length())
    planes = np.zeros((bits, count + count // 2, -(-cases // _BITS) * (_BITS // 8)), dtype=np.uint8)
    for bit, plane in enumerate(planes):
        plane[:count, : -(-cases // 8)] = np.packbits(level & level.dtype.type(1 << bit) != 0, axis=1)
    planes[:, count:] = planes[:, : count // 2]
    return planes.view(np.uint64).reshape(bits, -1)


def _add(found: Ring, metrics: list[Words], known: Words | None = None) -> None:
    """Count one block for every distance in the ring: higher, lower, different and, if some are not known, both known."""
    _, kinds, count = found.shape
    words = metrics[0].shape[1] // (count + count // 2)
    size = count * words
    told, spare = np.empty((kinds, size), dtype=np.uint64), np.empty((3, size), dtype=np.uint64)
    ones = np.ones(words, dtype=np.float32)  # a product with ones adds up faster than a sum of bytes, and is exact below 2**24
    for away in range(1, count // 2 + 1):
        other = slice(away * words, away * words + size)
        _tell(metrics, other, told, spare)
        if known is not None:
            np.bitwise_and(known[:size], known[other], out=told[3])
            told[:3] &= told[3]
        each = np.bitwise_count(told).reshape(kinds, count, words)
        found[away - 1] += (each.astype(np.float32) @ ones).astype(np.int32)


def _tell(metrics: list[Words], other: slice, told: Words, spare: Words) -> None:
    """On which cases a system is higher than the other one by some metric, lower by some, different by some."""
    higher, different, _ = spare
    told[:2] = 0
    for planes in metrics:
        _differ(planes[:, : told.shape[1]], planes[:, other], spare)
        told[0] |= higher
        different ^= higher
        told[1] |= different
    np.bitwise_or(told[0], told[1], out=told[2])


def _differ(own: Words, others: Words, spare: Words) -> None:
    """By one metric: where it is higher, and where it is different.

    From the lowest bit to the highest, each decides where it differs: the last three steps put the own bit there and change
    nothing elsewhere. They work in place, as it is memory that takes the time.
    """
    higher, different, here = spare
    np.bitwise_xor(own[0], others[0], out=different)
    np.bitwise_and(own[0], different, out=higher)
    for mine, its in zip(own[1:], others[1:], strict=True):
        np.bitwise_xor(mine, its, out=here)
        different |= here
        higher ^= its
        higher |= here
        higher ^= its


def _square(onward: Ring, back: Ring, same: Counts | int) -> Counts:
    """One count of the ring as a square: that of a system with the one further on, and that of the other way round."""
    count = onward.shape[1]
    square = np.zeros((count, count), dtype=np.int64)
    for away, (there, here) in enumerate(zip(onward, back, strict=True), start=1):
        cut = count - away
        _diagonal(square, away)[:], _diagonal(square, -cut)[:] = there[:cut], there[cut:]
        _diagonal(square, -away)[:], _diagonal(square, cut)[:] = here[:cut], here[cut:]
    np.fill_diagonal(square, same)
    return square


def _diagonal(square: Counts, right: int) -> Counts:
    """A view of the diagonal so many columns to the right, or rows down if negative."""
    count, flat = len(square), square.reshape(-1)
    return flat[right : (count - right) * count : count + 1] if right >= 0 else flat[-right * count :: count + 1]
