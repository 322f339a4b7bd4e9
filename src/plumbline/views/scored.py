"""The view of filters that give scores."""

from __future__ import annotations

from plumbline.lazily import pl
from plumbline.schema import LIST, SCORE


class Scored:
    """A row for each distinct score of a list, highest first, with its positive and negative items and those of the list."""

    def __init__(self) -> None:
        """No metric has used probabilities yet."""
        self.needs_probabilities = False
        self.positives, self.negatives = pl.col("positives"), pl.col("negatives")
        self.P, self.N = self.positives.sum(), self.negatives.sum()
        self.all_positives, self.all_negatives = pl.col("P"), pl.col("N")
        """The same in every row, for terms that are summed."""
        self.accepted_positives, self.accepted_negatives = pl.col("accepted_positives"), pl.col("accepted_negatives")
        """Items with this score or a higher one."""

    @property
    def probability(self) -> pl.Expr:
        """The score as a probability; an item without a score is as wrong as it can be."""
        self.needs_probabilities = True
        return pl.col("score").clip(0.0, 1.0)


def in_order(scored: pl.DataFrame) -> pl.DataFrame:
    """The rows `list, score, positives, negatives` of all lists as the view has them."""
    ordered = scored.sort(LIST, SCORE, descending=[False, True])
    sides = (("positives", "P"), ("negatives", "N"))
    totals = (pl.col(side).sum().over(LIST).alias(total) for side, total in sides)
    return ordered.with_columns(*totals, *(pl.col(side).cum_sum().over(LIST).alias(f"accepted_{side}") for side, _ in sides))
