"""What the clicks of each session say about two systems, as each method of interleaving gives credit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.rankings import Rankings


@dataclass(frozen=True, eq=False)
class Margins:
    """A value for each session: how far the first of two systems is ahead; and how probably it wins and loses the session.

    The value is win minus loss, or a difference of credit where the method is fair for credit only.
    """

    value: NDArray[np.float64]
    win: NDArray[np.float64]
    loss: NDArray[np.float64]


def by_counts(first: NDArray[np.float64], second: NDArray[np.float64]) -> Margins:
    """The system with more credit wins the session."""
    win, loss = (first > second).astype(np.float64), (first < second).astype(np.float64)
    return Margins(win - loss, win, loss)


def by_credit(ahead: NDArray[np.float64]) -> Margins:
    """The difference of credits is the value; rounding decides no session."""
    nothing = np.abs(ahead) < 1e-12  # noqa: PLR2004 - sums of the same credits in another order
    value = np.where(nothing, 0.0, ahead)
    return Margins(value, (value > 0).astype(np.float64), (value < 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Sessions:
    """The lists of all sessions and what was clicked: items as the numbers of their case, -1 where nothing was shown."""

    rankings: Rankings
    """The rankings of each session's case."""
    items: NDArray[np.int64]
    clicks: NDArray[np.float64]
    """How much a click on each position counts; 0 where there was none."""

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of the item at each position in each system; beyond the end of a list it means nothing."""
        return np.take_along_axis(self.rankings.rank, np.maximum(self.items, 0)[:, None, :], axis=2)
