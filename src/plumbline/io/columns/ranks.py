"""Ranks beside scores: the scores decide, and where ranks say otherwise the user should know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import notices
from plumbline.records import dataclass

if TYPE_CHECKING:
    import polars as pl

    from plumbline.errors import Diagnostic

RANK: Final = "rank"


@dataclass(frozen=True)
class Disorder:
    """Neighbouring rows of a case of which the better rank has the lower score."""

    pairs: int
    case: str = ""
    """The first case that has such rows."""

    def __add__(self, other: Disorder) -> Disorder:
        return Disorder(self.pairs + other.pairs, self.case or other.case)

    def notices(self, label: str) -> list[Diagnostic]:
        """A notice, if there are such rows."""
        return [notices.ranks_contradict(label, self.pairs, self.case)] if self.pairs else []


NO_DISORDER: Final = Disorder(0)


def rises(cases: pl.Series, scores: pl.Series) -> bool:
    """Whether the score of some row is higher than that of the row before it, within a case."""
    codes, score = cases.to_physical().to_numpy(), scores.to_numpy()
    return bool(np.any((score[1:] > score[:-1]) & (codes[1:] == codes[:-1])))


def disorder_of(cases: pl.Series, ranks: pl.Series, scores: pl.Series) -> Disorder:
    """Compare each row with the one before it; a rank or score that is no number says nothing."""
    codes = cases.to_physical().to_numpy()
    rank, score = (column.to_numpy() for column in (ranks, scores))
    better, worse = rank[1:] < rank[:-1], rank[1:] > rank[:-1]
    higher, lower = score[1:] > score[:-1], score[1:] < score[:-1]
    odd = (codes[1:] == codes[:-1]) & ((better & lower) | (worse & higher))
    count = int(np.count_nonzero(odd))
    return Disorder(count, str(cases[int(odd.argmax())])) if count else NO_DISORDER
