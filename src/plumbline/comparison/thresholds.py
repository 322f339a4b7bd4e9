"""Which UIR to call unanimous: the evidence by which the UIR paper chose 0.25, on one's own scores.

Table 5 of Amigó et al. 2011 compares pairs in which one system is better for every weighting with the others, Table 6 pairs
whose metrics differ significantly in one direction, in both, or not at all; Figure 10 shows which pairs each threshold accepts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.comparison.concordance import PairClass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.concordance import Classes

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

STEPS: Final = tuple(step / 20 for step in range(17))
"""Thresholds from 0 to 0.8, as in Figure 10."""


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """What is known about each pair of systems once; every array has an entry for each pair."""

    gain: Numbers
    """By how much the first system has the better score."""
    uir: Numbers
    """UIR of the first system over the second."""
    always: NDArray[np.int8]
    """1 if the first is better for every weighting, -1 if the second is, else 0."""
    kind: NDArray[np.int8]
    """The `PairClass`: concordant, opposite or not significant."""

    @classmethod
    def of(cls, difference: Numbers, uir: Numbers, always: Flags, classes: Classes) -> PairEvidence:
        """From tables `[a, b]`."""
        a, b = np.triu_indices(len(uir), 1)
        every = always[a, b].astype(np.int8) - always[b, a]
        return cls(difference[a, b], uir[a, b], np.asarray(every, dtype=np.int8), classes.codes[a, b])

    @cached_property
    def _agreeing(self) -> Numbers:
        """UIR in the direction in which the score grows."""
        return np.where(self.gain < 0, -self.uir, self.uir)

    def groups(self) -> pl.DataFrame:
        """`pairs_are, pairs, difference, uir`: the mean difference of the score and the mean UIR of each group of pairs."""
        groups = {
            "better for every weighting": self.always != 0,
            "better for some weightings": self.always == 0,
            "concordant": self.kind == PairClass.CONCORDANT,
            "opposite": self.kind == PairClass.OPPOSITE,
            "not significant": self.kind == PairClass.NON_SIGNIFICANT,
        }
        rows = [(name, int(where.sum()), *self._means(where)) for name, where in groups.items()]
        return pl.DataFrame(
            rows,
            schema={"pairs_are": pl.String, "pairs": pl.Int64} | dict.fromkeys(("difference", "uir"), pl.Float64),
            orient="row",
        )

    def _means(self, where: Flags) -> tuple[float | None, float | None]:
        known = where & ~np.isnan(self.gain) & ~np.isnan(self.uir)
        if not known.any():
            return None, None
        return float(np.abs(self.gain[known]).mean()), float(self._agreeing[known].mean())

    def thresholds(self) -> pl.DataFrame:
        """`threshold, accepted, every_weighting, concordant, opposite, better_score`, shares of the pairs.

        A threshold accepts the pairs with that UIR or more, in either direction. The other shares are those of the accepted
        pairs that are better for every weighting, concordant, opposite, and better by the score, in the direction of UIR.
        """
        sign = np.sign(self.uir)
        conditions = {
            "every_weighting": self.always * sign > 0,
            "concordant": self.kind == PairClass.CONCORDANT,
            "opposite": self.kind == PairClass.OPPOSITE,
            "better_score": self.gain * sign > 0,
        }
        rows = []
        for threshold in STEPS:
            accepted = np.abs(self.uir) >= threshold
            shares = [float(met[accepted].mean()) if accepted.any() else None for met in conditions.values()]
            rows.append((threshold, float(accepted.mean()), *shares))
        names = ["threshold", "accepted", *conditions]
        return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64), orient="row")
