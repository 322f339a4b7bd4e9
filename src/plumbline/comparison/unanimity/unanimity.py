"""Unanimous improvements: on a case, a system improves another one if no metric says the contrary (Amigó et al. 2011).

UIR(a, b) is the share of cases on which a improves b minus the share on which b improves a. Equal by all counts for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.average import SAME
from plumbline.comparison.shared import shared_cases
from plumbline.comparison.significance.result import at_least
from plumbline.lazily import special

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Counts = NDArray[np.int64]
    Numbers = NDArray[np.float64]
    Sides = NDArray[Any]
    """Scores or ranks, `[metric, system, case]`."""

THRESHOLD: Final = 0.25
"""From this UIR on an improvement is called robust; the paper's rule of thumb (section 6.3)."""


@dataclass(frozen=True, eq=False)
class Unanimity:
    """Counts of cases for all pairs of systems, a in rows and b in columns."""

    systems: tuple[str, ...]
    a_ge_b: Counts
    """Cases on which a is at least as good as b by every metric."""
    equal: Counts
    """Cases on which both are equal by every metric; they count for both."""
    cases: Counts
    """Cases on which both have a value of every metric."""

    @property
    def b_ge_a(self) -> Counts:
        """Cases on which b is at least as good as a by every metric."""
        return self.a_ge_b.T

    @cached_property
    def biased(self) -> Counts:
        """Cases on which the metrics disagree."""
        return np.asarray(self.cases - self.a_ge_b - self.b_ge_a + self.equal)

    @cached_property
    def uir(self) -> Numbers:
        """The Unanimous Improvement Ratio; not a number where no case has every metric of both."""
        gain = (self.a_ge_b - self.b_ge_a).astype(np.float64)
        return np.asarray(np.divide(gain, self.cases, out=np.full(gain.shape, np.nan), where=self.cases > 0))

    @cached_property
    def strict(self) -> Counts:
        """Cases on which a improves b and is not equal; its transpose has the other way round."""
        return self.a_ge_b - self.equal

    @cached_property
    def p(self) -> Numbers:
        """Sign test: how probable it is that strict improvements are split at least so unevenly if both are equally good."""
        wins, losses = self.strict, self.strict.T
        p = np.minimum(1.0, 2.0 * special.bdtr(np.minimum(wins, losses), wins + losses, 0.5))
        return np.asarray(np.where(self.cases > 0, p, np.nan))

    def pair(self, a: int, b: int) -> Unanimity:
        """The counts of two systems only."""
        both = np.ix_([a, b], [a, b])
        return Unanimity((self.systems[a], self.systems[b]), self.a_ge_b[both], self.equal[both], self.cases[both])

    def table(self) -> pl.DataFrame:
        """`a, b, uir, a_ge_b, b_ge_a, biased, cases, p` of every ordered pair; no UIR and no p without a case."""
        a, b = np.nonzero(~np.eye(len(self.systems), dtype=np.bool_))
        names = pl.Series(self.systems, dtype=pl.String)
        return pl.DataFrame(
            {
                "a": names.gather(pl.Series(a)),
                "b": names.gather(pl.Series(b)),
                "uir": pl.Series(self.uir[a, b], nan_to_null=True),
                "a_ge_b": self.a_ge_b[a, b],
                "b_ge_a": self.b_ge_a[a, b],
                "biased": self.biased[a, b],
                "cases": self.cases[a, b],
                "p": pl.Series(self.p[a, b], nan_to_null=True),
            }
        )

    def references(self, threshold: float = THRESHOLD, order: Sequence[int] | None = None) -> pl.DataFrame:
        """`system, improves, reference, uir`: whom each improves robustly, and who improves it most, if robustly.

        Of several that improve it equally, the first one is the reference: the first in `order`, if one is given.
        """
        uir = np.where(np.isnan(self.uir), -np.inf, self.uir)
        np.fill_diagonal(uir, -np.inf)
        first = np.arange(len(self.systems)) if order is None else np.asarray(order, dtype=np.int64)
        best = first[uir[first].argmax(axis=0)] if len(self.systems) else first
        rows = []
        for at, name in enumerate(self.systems):
            improved = [self.systems[other] for other in np.flatnonzero(uir[at] >= threshold)]
            most = float(uir[best[at], at])
            rows.append((name, improved, *((self.systems[best[at]], most) if most >= threshold else (None, None))))
        schema: dict[str, Any] = {
            "system": pl.String,
            "improves": pl.List(pl.String),
            "reference": pl.String,
            "uir": pl.Float64,
        }
        return pl.DataFrame(rows, schema=schema, orient="row")


def unanimity(cube: Cube, eps: float = 0.0) -> Unanimity:
    """All pairs at once; differences up to `eps` count as none, also where rounding makes 0.1 + 0.2 more than 0.3.

    Each system is compared with the one so many places `further`, all of them in one step.
    """
    at_least("eps", eps, 0.0)
    count, cases = cube.known.shape
    width = min(_WIDEST, max(_NARROWEST, _BLOCK // max(count, 1) // 8 * 8))
    totals = np.zeros((count, 3, count), dtype=np.int64)  # by distance, what is counted, and the later one of the two systems
    for start in range(0, cases, width):
        some = slice(start, start + width)
        scores, known = np.ascontiguousarray(cube.signed[:, :, some]), np.ascontiguousarray(cube.known[:, some])
        owned, needed = _ranks(scores, known) if eps == 0.0 else _limits(scores, known, eps)
        flags = np.empty((4, *owned.shape[1:]), dtype=np.bool_)
        for further in range(1, count):
            forward, backward, both, spare = flags[:, further:]
            _compare(owned[:, :-further], needed[:, further:], forward, spare)
            _compare(owned[:, further:], needed[:, :-further], backward, spare)
            np.logical_and(forward, backward, out=both)
            totals[further, :, further:] += _count(flags[:3, further:])
    a, b = np.triu_indices(count, 1)
    a_ge_b, equal = np.zeros((2, count, count), dtype=np.int64)
    a_ge_b[a, b], a_ge_b[b, a], equal[a, b] = totals[b - a, :, b].T
    shared = shared_cases(cube.known)
    equal += equal.T
    np.fill_diagonal(a_ge_b, shared.diagonal())
    np.fill_diagonal(equal, shared.diagonal())
    return Unanimity(cube.systems, a_ge_b, equal, shared)


# Ranks of one or two bytes are compared faster than scores of eight. A bitwise form of another 210 lines took 1.05 times as
# long with 4 metrics, 200 systems, 10,000 cases and scores of many decimals, and half as long if all scores had two decimals.
_BLOCK: Final = 2**19
"""Comparisons in one step, about."""
_WIDEST: Final = 8 * 255
"""Cases in one step: eight columns of counters that each hold 255."""
_NARROWEST: Final = 256
_SORTED: Final = 2**16
"""Scores ranked in one step, about."""


def _compare(owned: Sides, needed: Sides, out: NDArray[np.bool_], spare: NDArray[np.bool_]) -> None:
    """Whether one system owns by every metric what is needed to be as good as the other."""
    np.greater_equal(owned[0], needed[0], out=out)
    for has, needs in zip(owned[1:], needed[1:], strict=True):
        np.greater_equal(has, needs, out=spare)
        np.logical_and(out, spare, out=out)


def _count(flags: NDArray[np.bool_]) -> Counts:
    """How many along the last axis are true: eight bytes are added at once, in which no counter overflows."""
    added = np.add.reduce(flags.view(np.uint64), axis=-1)
    return np.asarray(added.view(np.uint8).reshape(*added.shape, 8).sum(axis=-1, dtype=np.int64))


def _limits(scores: Numbers, known: NDArray[np.bool_], eps: float) -> tuple[Numbers, Numbers]:
    """The scores, and the scores that another system needs to be as good; NaN is never enough."""
    owned = _padded(np.where(known, scores, np.nan), np.nan)
    return owned, owned - _padded(eps + rounding(scores), 0.0)


def _ranks(scores: Numbers, known: NDArray[np.bool_]) -> tuple[Sides, Sides]:
    """Ranks from 1 instead of scores, in the same order within each case, equal where scores differ by no more than rounding.

    An unknown score has 0, which is never enough, and needs more than there is.
    """
    kind = np.min_scalar_type(len(known) + 1)
    given = np.where(known, scores, np.nan)
    ranks = _padded(np.array([case_ranks(metric, kind) for metric in given], dtype=kind), 0)
    unknown = _padded(~known, 1)
    np.copyto(ranks, 0, where=unknown)
    return ranks, np.where(unknown, np.iinfo(kind).max, ranks) if unknown.any() else ranks


def case_ranks(scores: Numbers, kind: np.dtype[Any]) -> Sides:
    """One more than the number of different lower scores of the case, `[system, case]`."""
    ranks = np.empty(scores.shape, dtype=kind)
    step = max(1, _SORTED // max(len(scores), 1))
    for start in range(0, scores.shape[1], step):
        rows = np.ascontiguousarray(scores[:, start : start + step].T)
        order = rows.argsort(axis=1)
        order += np.arange(len(rows))[:, None] * rows.shape[1]
        ordered = rows.take(order)
        slack = rounding(ordered)
        steps = np.ones(rows.shape, dtype=kind)
        with np.errstate(over="ignore", invalid="ignore"):  # two that are infinite are equal
            steps[:, 1:] = ordered[:, 1:] - ordered[:, :-1] > np.maximum(slack[:, 1:], slack[:, :-1])
        here = np.empty(rows.shape, dtype=kind)
        here.reshape(-1)[order] = np.cumsum(steps, axis=1, dtype=kind)
        ranks[:, start : start + step] = here.T
    return ranks


def _padded(values: Sides, filler: float) -> Sides:
    """With cases added up to a multiple of eight."""
    missing = -values.shape[-1] % 8
    if not missing:
        return values
    return np.concatenate([values, np.full((*values.shape[:-1], missing), filler, dtype=values.dtype)], axis=-1)


def allowance(cube: Cube, eps: float) -> Numbers:
    """By how much another system may be worse and still be as good, `[metric, system, case]`: `eps`, and what rounding adds."""
    at_least("eps", eps, 0.0)
    return eps + rounding(cube.values)


def rounding(values: Numbers) -> Numbers:
    """By how much another value may differ from each of these and be equal but for rounding."""
    sizes = np.abs(values)
    sizes[~np.isfinite(sizes)] = 0.0
    sizes *= SAME
    return np.asarray(sizes)
