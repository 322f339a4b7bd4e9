"""The confusion view: the probabilities of one filter's counts, in the letters of the paper; smoothing is its one switch.

S is what the system calls positive, G what the gold calls positive: `S_if_G` is P(S|G), `not_S_and_G` is P(not S, G).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np

from plumbline.views.terms import ratio_values

if TYPE_CHECKING:
    from collections.abc import Mapping

Numbers: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""A value for each list; NaN where it is undefined."""

Smooth = Literal["none", "laplace", "noninformative", "cells"]
SMOOTHINGS: Final[tuple[str, ...]] = get_args(Smooth)


ratio = ratio_values


class Confusion:
    """Made of the arrays `tp, fp, fn, tn`: one value for each list, NaN where it is undefined."""

    def __init__(self, counts: Mapping[str, Numbers], smooth: Smooth = "none") -> None:
        """The counts as they are, each plus one (laplace), each probability drawn towards chance (noninformative), or cells.

        With `cells` each count grows by the share of an item that chance would put there, P(S) P(G) for true positives:
        together by one item, which leaves P(S) and P(G) as they are.
        """
        self.smooth = smooth
        more = 1.0 if smooth == "laplace" else 0.0
        self.tp, self.fp, self.fn, self.tn = (counts[name] + more for name in ("tp", "fp", "fn", "tn"))
        self.n = self.tp + self.fp + self.fn + self.tn
        self.G, self.S = ratio(self.tp + self.fn, self.n), ratio(self.tp + self.fp, self.n)
        self.not_G, self.not_S = ratio(self.fp + self.tn, self.n), ratio(self.fn + self.tn, self.n)
        if smooth == "cells":
            chances = (self.S * self.G, self.S * self.not_G, self.not_S * self.G, self.not_S * self.not_G)
            cells = (self.tp, self.fp, self.fn, self.tn)
            self.tp, self.fp, self.fn, self.tn = (cell + chance for cell, chance in zip(cells, chances, strict=True))
            self.n = self.n + 1.0

    def _given(self, part: Numbers, total: Numbers, prior: Numbers) -> Numbers:
        """Section 5.2: two more observations that show what the marginal shows."""
        if self.smooth == "noninformative":
            return (part + 2 * prior) / (total + 2)
        return ratio(part, total)

    @property
    def S_if_G(self) -> Numbers:
        """P(S|G), recall."""
        return self._given(self.tp, self.tp + self.fn, self.S)

    @property
    def not_S_if_G(self) -> Numbers:
        """P(not S|G), misses."""
        return self._given(self.fn, self.tp + self.fn, self.not_S)

    @property
    def S_if_not_G(self) -> Numbers:
        """P(S|not G), false alarms."""
        return self._given(self.fp, self.fp + self.tn, self.S)

    @property
    def not_S_if_not_G(self) -> Numbers:
        """P(not S|not G), specificity."""
        return self._given(self.tn, self.fp + self.tn, self.not_S)

    @property
    def G_if_S(self) -> Numbers:
        """P(G|S), precision."""
        return self._given(self.tp, self.tp + self.fp, self.G)

    @property
    def not_G_if_not_S(self) -> Numbers:
        """P(not G|not S), precision of the negative class."""
        return self._given(self.tn, self.fn + self.tn, self.not_G)

    def _both(self, count: Numbers, given: Numbers, marginal: Numbers) -> Numbers:
        return given * marginal if self.smooth == "noninformative" else count / self.n

    def number(self, share: Literal["S_and_G", "not_S_and_G", "S_and_not_G", "not_S_and_not_G"]) -> Numbers:
        """How many items a share is of: the count itself unless smoothing changes it, since a share of n is rounded."""
        counts = {"S_and_G": self.tp, "not_S_and_G": self.fn, "S_and_not_G": self.fp, "not_S_and_not_G": self.tn}
        smoothed: Numbers = getattr(self, share)
        return self.n * smoothed if self.smooth == "noninformative" else counts[share]

    @property
    def S_and_G(self) -> Numbers:
        """P(S, G), the share of true positives."""
        return self._both(self.tp, self.S_if_G, self.G)

    @property
    def not_S_and_G(self) -> Numbers:
        """P(not S, G), the share of false negatives."""
        return self._both(self.fn, self.not_S_if_G, self.G)

    @property
    def S_and_not_G(self) -> Numbers:
        """P(S, not G), the share of false positives."""
        return self._both(self.fp, self.S_if_not_G, self.not_G)

    @property
    def not_S_and_not_G(self) -> Numbers:
        """P(not S, not G), the share of true negatives."""
        return self._both(self.tn, self.not_S_if_not_G, self.not_G)


class Answers:
    """The counts of answered items, and how many are left open."""

    def __init__(self, counts: Mapping[str, Numbers]) -> None:
        """Of the counts of all items, and of those left open."""
        tp, fp, fn, tn = (counts[name] for name in ("tp", "fp", "fn", "tn"))
        open_tp, open_fp, open_fn, open_tn = (counts[f"open_{name}"] for name in ("tp", "fp", "fn", "tn"))
        self.n = tp + fp + fn + tn
        self.open = open_tp + open_fp + open_fn + open_tn
        self.tp, self.fp, self.fn = tp - open_tp, fp - open_fp, fn - open_fn
        self.right = tp + tn - open_tp - open_tn


NAMED: Final = {
    "P(S)": "S",
    "P(not S)": "not_S",
    "P(G)": "G",
    "P(not G)": "not_G",
    "P(S|G)": "S_if_G",
    "P(not S|G)": "not_S_if_G",
    "P(S|not G)": "S_if_not_G",
    "P(not S|not G)": "not_S_if_not_G",
    "P(G|S)": "G_if_S",
    "P(not G|not S)": "not_G_if_not_S",
    "P(S,G)": "S_and_G",
    "P(S,not G)": "S_and_not_G",
    "P(not S,G)": "not_S_and_G",
    "P(not S,not G)": "not_S_and_not_G",
}
"""What the view offers, as people write it."""
