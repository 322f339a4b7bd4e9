"""What a significance test reports about all pairs of systems, and the checks of what tests are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import plural
from plumbline.large import gathered
from plumbline.render.saving import saveable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@saveable
@dataclass(frozen=True, eq=False)
class Remark:
    """A statement that is true of some pairs."""

    where: NDArray[np.bool_]
    """`[S, S]`, symmetric."""
    statement: str
    counts: NDArray[np.int64] | None = None
    """Numbers whose sum over the pairs is added to the statement, `[S, S]`, symmetric."""

    def text(self, baseline: int | None = None) -> str:
        """`3 of 45 pairs: statement`, of all pairs or of those with a baseline; empty if it is true of none."""
        a, b = pair_indices(len(self.where), baseline)
        total = "" if self.counts is None else f", {int(self.counts[a, b].sum())} in all"
        return count_pairs(self.where[a, b], len(a), f"{self.statement}{total}")


@saveable
@dataclass(frozen=True, eq=False)
class SignificanceResult:
    """One test of all pairs of systems; all tables are `[S, S]`, a in rows and b in columns."""

    p: NDArray[np.float64]
    """Two-sided, symmetric, 1 on the diagonal; NaN where the test has no meaning."""
    statistic: NDArray[np.float64]
    """The test statistic, which the test's docstring describes."""
    cases: NDArray[np.int64]
    """The number of cases that the pair was compared on."""
    remarks: tuple[Remark | str, ...] = ()
    """How p was computed and what was left out."""
    exact: NDArray[np.bool_] | None = None
    """Where p is exact and not approximated or sampled; None if a test has only one way to compute it."""
    bounded: NDArray[np.bool_] | None = None
    """Where the true p is at most this p, because no draw was as extreme as the observed; None if nothing is drawn."""
    name: str = ""
    """The title of the test; this and the following fields come from its declaration."""
    familywise: bool = False
    """Whether p already accounts for all pairs, so that no further correction is due."""
    resamples: int | None = None
    """The number of draws, where something is drawn."""
    seed: int | None = None
    """The seed of the draws."""

    @property
    def note(self) -> str:
        """All remarks in one line; empty if there are none."""
        return self.describe()

    def describe(self, baseline: int | None = None) -> str:
        """The remarks in one line, about all pairs or about those with a baseline."""
        return join_remarks(*(one if isinstance(one, str) else one.text(baseline) for one in self.remarks))


def as_scores(values: ArrayLike) -> NDArray[np.float64]:
    """The scores `[system, case]` as numbers; infinite ones are refused, since no test can use them."""
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 2:  # noqa: PLR2004 - systems and cases
        raise BadUsage(usage.bad_object(f"scores with {scores.ndim} dimensions", "one row per system and one column per case"))
    if gathered(scores.shape, lambda rows: np.isinf(scores[rows]).any(axis=1)).any():
        raise BadUsage(usage.bad_object("an infinite score", "finite scores, and NaN where there is none"))
    return scores


def at_least(option: str, value: float, least: float) -> None:
    """Refuse a number that is too small."""
    if not value >= least:
        raise BadUsage(usage.bad_option(option, str(value), [f"{least:g} or more"]))


def share(option: str, value: float) -> None:
    """Refuse what is not strictly between 0 and 1."""
    if not 0 < value < 1:
        raise BadUsage(usage.bad_option(option, str(value), ["a number between 0 and 1"]))


def complete(values: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp], list[str]]:
    """Systems that have a score at all, the cases on which all of these have one, and remarks about the rest."""
    known = ~np.isnan(values)
    systems = np.flatnonzero(known.any(axis=1))
    cases = np.flatnonzero(known[systems].all(axis=0)) if len(systems) else np.zeros(0, dtype=np.intp)
    remarks = []
    if len(systems) < len(values):
        remarks.append(f"{len(values) - len(systems)} of {len(values)} systems have no score and are left out")
    if len(cases) < values.shape[1]:
        remarks.append(
            f"{values.shape[1] - len(cases)} of {values.shape[1]} cases are left out: not every system has a score there"
        )
    return systems, cases, remarks


def spread_out(
    table: NDArray[np.float64], systems: NDArray[np.intp], count: int, *, rest: float = np.nan, diagonal: float | None = None
) -> NDArray[np.float64]:
    """A table of some systems as one of all `count`, with `rest` in the other cells and, if given, a fixed diagonal."""
    out = np.full((count, count), rest)
    out[np.ix_(systems, systems)] = table
    if diagonal is not None:
        np.fill_diagonal(out, diagonal)
    return out


def pair_indices(systems: int, baseline: int | None = None) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of systems, or those with a baseline, each once."""
    if baseline is None:
        return np.triu_indices(systems, 1)
    others = np.delete(np.arange(systems, dtype=np.intp), baseline)
    return np.full(len(others), baseline, dtype=np.intp), others


def join_remarks(*parts: str) -> str:
    """Remarks in one line; empty ones are left out."""
    return "; ".join(part for part in parts if part)


def count_pairs(where: NDArray[np.bool_], total: int, statement: str) -> str:
    """`3 of 45 pairs: statement`, the statement alone if it is true of all; empty if it is true of none."""
    count = int(np.count_nonzero(where))
    return "" if not count else statement if count == total else f"{count:,} of {plural(total, 'pair')}: {statement}"
