"""Votes as numbers: items, assessors and labels, and the items whose label is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.lazily import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Ratings

    Codes = NDArray[np.int64]
    Numbers = NDArray[np.float64]

FEW_LABELS: Final = 32


@dataclass(frozen=True, eq=False)
class Votes:
    """A vote is an item, an assessor and a label; votes are in the order of items, and an assessor may vote twice."""

    item: Codes
    assessor: Codes
    label: Codes
    items: int
    assessors: int
    labels: int
    known: Codes
    """The label of each item that is known; -1 for all others."""

    @classmethod
    def of(cls, ratings: Ratings, known: Codes | None = None) -> Votes:
        """From ratings; nothing is known unless it is given."""
        unknown = np.full(ratings.units, -1)
        return cls(
            ratings.unit,
            ratings.assessor,
            ratings.category,
            ratings.units,
            len(ratings.assessors),
            len(ratings.categories),
            unknown if known is None else known,
        )

    @cached_property
    def counts(self) -> Numbers:
        """`[item, label]`: how many votes there are."""
        return self.weighed(np.ones(len(self.item)))

    def weighed(self, weights: Numbers) -> Numbers:
        """`[item, label]`: the weights of votes, added up."""
        flat = np.bincount(self.item * self.labels + self.label, weights=weights, minlength=self.items * self.labels)
        return flat.reshape(self.items, self.labels).astype(np.float64)

    @cached_property
    def shares(self) -> Numbers:
        """`[item, label]`: the share of votes; all alike where nobody voted."""
        total = self.counts.sum(axis=1, keepdims=True)
        return self.with_known(np.where(total > 0, self.counts / np.maximum(total, 1), 1 / self.labels))

    @cached_property
    def answers(self) -> Any:
        """`[item, assessor and label]`: how often an assessor gave a label to an item."""
        column = self.assessor * self.labels + self.label
        shape = (self.items, self.assessors * self.labels)
        return sparse.csr_array((np.ones(len(column)), (self.item, column)), shape=shape)

    def by_assessor(self, posterior: Numbers) -> Numbers:
        """`[assessor, truth, answer]`: how often each assessor gave each answer, by the probability of the truth."""
        counts = np.asarray(self.answers.T @ posterior).reshape(self.assessors, self.labels, self.labels)
        return np.asarray(counts.transpose(0, 2, 1), dtype=np.float64)

    def with_known(self, posterior: Numbers) -> Numbers:
        """The probabilities, with certainty where the label is known."""
        sure = np.flatnonzero(self.known >= 0)
        if not len(sure):
            return posterior
        fixed = posterior.copy()
        fixed[sure] = 0.0
        fixed[sure, self.known[sure]] = 1.0
        return fixed

    def only(self, kept: NDArray[np.bool_]) -> Votes:
        """Some of the votes."""
        return replace(self, item=self.item[kept], assessor=self.assessor[kept], label=self.label[kept])


@dataclass(frozen=True, eq=False)
class Fit:
    """What a method says about each item: how probable each label is."""

    posterior: Numbers
    """`[item, label]`."""
    log_likelihood: float | None = None
    rounds: int = 0
    settled: bool = True
    grades: Numbers | None = None
    """A grade of each item, where the method gives no label."""
    history: tuple[float, ...] = ()
    """The log-likelihood of each round."""


def normalised(logs: Numbers) -> tuple[Numbers, float]:
    """Probabilities from their logarithms up to a constant, and the sum of the logarithms of the constants."""
    highest = _across(np.maximum, logs)
    shifted = np.exp(logs - highest)
    total = _across(np.add, shifted)
    return shifted / total, float((highest + np.log(total)).sum())


def _across(operation: np.ufunc, table: Numbers) -> Numbers:
    """An operation over each row; column by column, as that takes a fraction of the time where there are few."""
    if table.shape[1] > FEW_LABELS:
        return np.asarray(operation.reduce(table, axis=1, keepdims=True))
    result = table[:, 0].copy()
    for column in range(1, table.shape[1]):
        operation(result, table[:, column], out=result)
    return result[:, None]
