"""Unanimous improvements: on a case, a system improves another one if no metric says the contrary (Amigó et al. 2011).

UIR(a, b) is the share of cases on which a improves b minus the share on which b improves a. Equal by all counts for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparisons.tested import at_least

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparisons.cube import Cube

    Side = NDArray[np.int8] | NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float64]
    """`[metric, system, case]`, in which a comparison with what is not known is false."""

    Counts = NDArray[np.int64]
    Numbers = NDArray[np.float64]

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
        """The Unanimous Improvement Ratio; not a number where two systems share no case."""
        gain = (self.a_ge_b - self.b_ge_a).astype(np.float64)
        return np.asarray(np.divide(gain, self.cases, out=np.full(gain.shape, np.nan), where=self.cases > 0))

    @cached_property
    def strict(self) -> Counts:
        """Cases on which a improves b and is not equal; its transpose has the other way round."""
        return self.a_ge_b - self.equal

    @cached_property
    def p(self) -> Numbers:
        """Sign test: how probable it is that strict improvements are split at least so unevenly if both are equally good."""
        from scipy.special import bdtr  # noqa: PLC0415 - scipy is slow to import

        wins, losses = self.strict, self.strict.T
        p = np.minimum(1.0, 2.0 * bdtr(np.minimum(wins, losses), wins + losses, 0.5))
        return np.asarray(np.where(self.cases > 0, p, np.nan))

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

    def references(self, threshold: float = THRESHOLD) -> pl.DataFrame:
        """`system, improves, reference, uir`: whom each improves robustly, and who improves it most, if robustly.

        Of several that improve it equally, the first one is the reference.
        """
        uir = np.where(np.isnan(self.uir), -np.inf, self.uir)
        np.fill_diagonal(uir, -np.inf)
        best = uir.argmax(axis=0) if len(self.systems) else np.empty(0, dtype=np.int64)
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
    """All pairs at once; differences up to `eps` count as none, also where rounding lets 0.8 - 0.7 exceed 0.1."""
    slack, count, cases = _slack(cube, eps), len(cube.systems), len(cube.cases)
    a_ge_b, equal = np.zeros((2, count, count), dtype=np.int64)
    width = min(_WIDEST, max(_NARROWEST, _BLOCK // max(count, 1) // 8 * 8))
    found = np.empty((4, count, width), dtype=np.bool_)
    for start in range(0, cases, width):
        mine, needed = _sides(cube, slack, slice(start, start + width))
        for a in range(count - 1):
            there, back, both, spare = found[:, : count - a - 1, : mine.shape[2]]
            _compare(mine[:, a, None], needed[:, a + 1 :], there, spare)
            _compare(mine[:, a + 1 :], needed[:, a, None], back, spare)
            np.logical_and(there, back, out=both)
            a_ge_b[a, a + 1 :] += _how_many(there)
            a_ge_b[a + 1 :, a] += _how_many(back)
            equal[a, a + 1 :] += _how_many(both)
    known = cube.known.astype(np.float64)
    shared = np.rint(known @ known.T).astype(np.int64)
    equal += equal.T
    np.fill_diagonal(a_ge_b, shared.diagonal())
    np.fill_diagonal(equal, shared.diagonal())
    return Unanimity(cube.systems, a_ge_b, equal, shared)


_BLOCK: Final = 2**20
"""Comparisons in one step, about."""
_WIDEST: Final = 8 * 255
"""Cases in one step: eight columns of counters that each hold 255."""
_NARROWEST: Final = 256
_MANY: Final = 100
"""From so many systems on, finding whole numbers takes less time than they save."""


def _compare(own: Side, needed: Side, out: NDArray[np.bool_], spare: NDArray[np.bool_]) -> None:
    """Whether what the one has is all that is needed against the other, by every metric."""
    np.greater_equal(own[0], needed[0], out=out)
    for has, needs in zip(own[1:], needed[1:], strict=True):
        np.greater_equal(has, needs, out=spare)
        np.logical_and(out, spare, out=out)


def _how_many(found: NDArray[np.bool_]) -> Counts:
    """How many of each row are true: eight bytes are added at once, in which no counter overflows."""
    added = np.add.reduce(found.view(np.uint64), axis=1)
    return np.asarray(added.view(np.uint8).reshape(-1, 8).sum(axis=1, dtype=np.int64))


def _sides(cube: Cube, slack: Numbers | None, some: slice = slice(None)) -> tuple[Side, Side]:
    """What systems have, and what another one needs to be as good; unknown cases are added up to a multiple of eight."""
    values, known = cube.signed[:, :, some], cube.known[:, some]
    metrics, count, cases = values.shape
    filled = (metrics, count, -(-cases // 8) * 8)
    if slack is not None or count < _MANY:
        own = np.full(filled, np.nan)
        own[:, :, :cases] = values
        return own, own if slack is None else own - slack
    levels = _levels(values)
    needed = int(levels.max(initial=0)) + 3  # one more below and above, for what is not known
    whole = np.iinfo("int8" if needed <= 2**8 else "int16" if needed <= 2**16 else "int32")
    own, least = np.full(filled, whole.min, dtype=whole.dtype), np.full(filled, whole.max, dtype=whole.dtype)
    np.add(levels, whole.min + 1, out=own[:, :, :cases], where=known, casting="unsafe")
    np.copyto(least[:, :, :cases], own[:, :, :cases], where=known)
    return own, least


def _slack(cube: Cube, eps: float) -> Numbers | None:
    """By how much a system may be worse, metric by metric: `eps`, and what a difference may exceed it by rounding."""
    at_least("eps", eps, 0.0)
    if eps == 0.0:
        return None
    largest = np.max(np.abs(cube.values), axis=(1, 2), where=~np.isnan(cube.values), initial=0.0)
    return np.asarray(eps + 4.0 * np.spacing(largest)[:, None, None])


def _levels(values: Numbers) -> NDArray[np.int32]:
    """The values as whole numbers in the same order, case by case."""
    turned = np.ascontiguousarray(values.transpose(0, 2, 1))
    order = np.argsort(turned, axis=2)
    ordered = np.take_along_axis(turned, order, axis=2)
    level = np.zeros(turned.shape, dtype=np.int32)
    np.cumsum(ordered[:, :, 1:] != ordered[:, :, :-1], axis=2, dtype=np.int32, out=level[:, :, 1:])
    out = np.empty_like(level)
    np.put_along_axis(out, order, level, axis=2)
    return out.transpose(0, 2, 1)
