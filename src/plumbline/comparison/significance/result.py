"""What a significance test says about all pairs of systems, and the differences that all tests start from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.average import SAME
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

DIGITS: Final = 12
"""Significant digits, relative to the largest score of the two systems, to which differences are told apart."""
BLOCK: Final = 2**20
"""How many numbers one step holds in memory (8 MB)."""
FEWEST_FOR_A_VARIANCE: Final = 2


@dataclass(frozen=True, eq=False)
class Remark:
    """What is true of some pairs."""

    where: NDArray[np.bool_]
    """`[S, S]`, symmetric."""
    what: str
    counts: NDArray[np.int64] | None = None
    """What is told in all, `[S, S]`, symmetric."""

    def told(self, baseline: int | None = None) -> str:
        """`3 of 45 pairs: what`, of all pairs or of those with a baseline; empty if it is true of none."""
        a, b = members(len(self.where), baseline)
        total = "" if self.counts is None else f", {int(self.counts[a, b].sum())} in all"
        return some_pairs(self.where[a, b], len(a), f"{self.what}{total}")


@dataclass(frozen=True, eq=False)
class Tested:
    """One test of all pairs of systems; all tables are `[S, S]`, a in rows and b in columns."""

    name: str
    """The test, in words."""
    p: NDArray[np.float64]
    """Two-sided, symmetric, 1 on the diagonal; not a number where the test has no meaning."""
    statistic: NDArray[np.float64]
    """What the test looks at; which one, the test's docstring says."""
    cases: NDArray[np.int64]
    """How many cases the pair was compared on."""
    remarks: tuple[Remark | str, ...] = ()
    """How p was found and what was left out."""
    exact: NDArray[np.bool_] | None = None
    """Where p is exact and not approximated or sampled; none if a test has only one way."""
    familywise: bool = False
    """Whether p already accounts for all pairs, so that no further correction is due."""
    resamples: int | None = None
    """How often was drawn, where something was drawn."""
    seed: int | None = None
    """The seed of what was drawn."""

    @property
    def note(self) -> str:
        """The remarks in words; empty if there is nothing to say."""
        return self.told()

    def told(self, baseline: int | None = None) -> str:
        """The remarks in words, about all pairs or about those with a baseline."""
        return in_words(*(one if isinstance(one, str) else one.told(baseline) for one in self.remarks))


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of systems, each once, and their differences in blocks of bounded size."""

    values: NDArray[np.float64]
    """Scores `[system, case]`, higher is better, not a number where there is none."""
    a: NDArray[np.intp] = field(init=False)
    b: NDArray[np.intp] = field(init=False)

    def __post_init__(self) -> None:
        a, b = np.triu_indices(len(self.values), 1)
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Where there is a score, `[system, case]`."""
        return ~np.isnan(self.values)

    @cached_property
    def filled(self) -> NDArray[np.float64]:
        """The scores with 0 where there is none."""
        return self.values if self.known.all() else np.where(self.known, self.values, 0.0)

    @cached_property
    def scale(self) -> NDArray[np.float64]:
        """The largest absolute score of the two systems, for each pair."""
        own = np.abs(self.filled).max(axis=1, initial=0.0)
        return np.asarray(np.maximum(own[self.a], own[self.b]))

    @cached_property
    def cases(self) -> NDArray[np.int64]:
        """On how many cases both have a score, for each pair."""
        there = self.known.astype(np.float64)
        return np.asarray(np.rint(there @ there.T)[self.a, self.b].astype(np.int64))

    def blocks(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Some pairs and their differences a - b, `[pair, case]`; not a number where one has no score."""
        step = max(1, BLOCK // max(self.values.shape[1], 1))
        for start in range(0, len(self), step):
            some = slice(start, min(start + step, len(self)))
            yield some, self.values[self.a[some]] - self.values[self.b[some]]

    def steps(self, some: slice | NDArray[np.intp], differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences as whole numbers of steps of the last significant digit; where one has no score, still not a number.

        Scores carry noise of the last binary digits: 0.3 - 0.2 and 0.2 - 0.1 differ. So differences that agree to 12
        significant digits, counted from the largest absolute score of the two systems, are equal, and 0 if they round to it.
        """
        scale = self.scale[some]
        exponent = np.floor(np.log10(scale, out=np.zeros_like(scale), where=scale > 0)) + 1
        step = np.maximum(10.0 ** (exponent - DIGITS), np.finfo(float).tiny)
        return np.asarray(np.rint(differences / step[:, None]))

    def remark(self, where: NDArray[np.bool_], what: str, counts: NDArray[np.int64] | None = None) -> Remark:
        """Something that is true of some pairs; both are told for each pair."""
        total = None if counts is None else self.symmetric(counts, 0.0).astype(np.int64)
        return Remark(self.symmetric(where, 0.0).astype(np.bool_), what, total)

    def symmetric(self, flat: NDArray[np.generic], diagonal: float = 1.0) -> NDArray[np.float64]:
        """A number for each pair as a table, the same from both sides."""
        return self.table(flat, flat, diagonal)

    def turned(self, flat: NDArray[np.float64], diagonal: float = 0.0) -> NDArray[np.float64]:
        """A number for each pair as a table, with the other sign from the other side."""
        return self.table(flat, -flat, diagonal)

    def table(self, there: NDArray[np.generic], back: NDArray[np.generic], diagonal: float) -> NDArray[np.float64]:
        """Numbers for a against b and for b against a as a table."""
        systems = len(self.values)
        out = np.full((systems, systems), diagonal)
        out[self.a, self.b] = there
        out[self.b, self.a] = back
        return out

    def counts(self) -> NDArray[np.int64]:
        """On how many cases both have a score, as a table; on the diagonal those of the system itself."""
        out = self.symmetric(self.cases, 0.0).astype(np.int64)
        np.fill_diagonal(out, self.known.sum(axis=1))
        return out


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and standard deviation of the differences, a number for each pair."""

    mean: NDArray[np.float64]
    """Exactly 0 where it is 0 but for rounding; not a number without a case."""
    deviation: NDArray[np.float64]
    """With n - 1; exactly 0 where all differences are equal but for rounding; not a number with fewer than two cases."""
    zero: NDArray[np.bool_]
    """Whether there are cases and all differences are 0 but for rounding."""


def moments(pairs: Pairs) -> Moments:
    """Mean and standard deviation of all pairs' differences, in two passes, without loss when differences are small."""
    mean, deviation = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    zero = np.zeros(len(pairs), dtype=bool)
    for some, differences in pairs.blocks():
        there = ~np.isnan(differences)
        counted = pairs.cases[some]
        d = np.where(there, differences, 0.0)
        largest = np.abs(d).max(axis=1, initial=0.0)
        unit = np.where(largest > 0, largest, 1.0)  # squares of very large or small differences leave the range
        d /= unit[:, None]
        centre = _shares(d.sum(axis=1), counted, 1)
        off = np.where(there, d - centre[:, None], 0.0)
        spread = np.sqrt(_shares(np.einsum("ij,ij->i", off, off), counted - 1, 1)) * unit
        limit = SAME * pairs.scale[some]
        with np.errstate(invalid="ignore"):
            mean[some] = np.where(np.abs(centre * unit) <= limit, 0.0, centre * unit)
            deviation[some] = np.where(spread <= limit, 0.0, spread)
        zero[some] = (largest <= limit) & (counted > 0)
    return Moments(mean, deviation, zero)


def _shares(sums: NDArray[np.float64], by: NDArray[np.int64], fewest: int) -> NDArray[np.float64]:
    return np.asarray(np.divide(sums, by, out=np.full(sums.shape, np.nan), where=by >= fewest))


def as_scores(values: ArrayLike) -> NDArray[np.float64]:
    """The scores `[system, case]` as numbers; infinite ones are refused, since no test can use them."""
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 2:  # noqa: PLR2004 - systems and cases
        raise BadUsage(usage.bad_object(f"scores with {scores.ndim} dimensions", "one row per system and one column per case"))
    if np.isinf(scores).any():
        raise BadUsage(usage.bad_object("an infinite score", "finite scores, and NaN where there is none"))
    return scores


def at_least(option: str, found: float, least: float) -> None:
    """Refuse a number that is too small."""
    if not found >= least:
        raise BadUsage(usage.bad_option(option, str(found), [f"{least:g} or more"]))


def share(option: str, found: float) -> None:
    """Refuse what is not strictly between 0 and 1."""
    if not 0 < found < 1:
        raise BadUsage(usage.bad_option(option, str(found), ["a number between 0 and 1"]))


def complete(values: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], list[str]]:
    """Systems that have a score at all, the cases on which all of these have one, and in words what is left out."""
    known = ~np.isnan(values)
    systems = np.flatnonzero(known.any(axis=1))
    cases = np.flatnonzero(known[systems].all(axis=0)) if len(systems) else np.zeros(0, dtype=np.intp)
    said = []
    if len(systems) < len(values):
        said.append(f"{len(values) - len(systems)} of {len(values)} systems have no score and are left out")
    if len(cases) < values.shape[1]:
        said.append(
            f"{values.shape[1] - len(cases)} of {values.shape[1]} cases are left out: not every system has a score there"
        )
    return systems, cases, said


def spread_out(table: NDArray[np.float64], systems: NDArray[np.intp], count: int, rest: float) -> NDArray[np.float64]:
    """A table of some systems as one of all `count`, with `rest` in the other cells."""
    out = np.full((count, count), rest)
    out[np.ix_(systems, systems)] = table
    return out


def members(systems: int, baseline: int | None = None) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of systems, or those with a baseline, each once."""
    if baseline is None:
        return np.triu_indices(systems, 1)
    others = np.delete(np.arange(systems, dtype=np.intp), baseline)
    return np.full(len(others), baseline, dtype=np.intp), others


def in_words(*parts: str) -> str:
    """Remarks in one line; empty ones are left out."""
    return "; ".join(part for part in parts if part)


def some_pairs(where: NDArray[np.bool_], of: int, what: str) -> str:
    """`3 of 45 pairs: what`; empty if it is true of none."""
    found = int(np.count_nonzero(where))
    return f"{found:,} of {plural(of, 'pair')}: {what}" if found else ""
