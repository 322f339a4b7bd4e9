"""One score taken apart, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl


@dataclass(frozen=True)
class Why:
    """One score taken apart."""

    measure: str
    system: str
    case: str
    value: float | None
    formula: str
    reason: str = ""
    """Why the value is undefined; empty if it is not."""
    rows: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Rankings: `rank, item, grade` of the judged items shown, with `term` and the running `sum` where the score is a sum.

    Filters: the counts, or what falls to each score. Classifiers: the counts of each class, with its own value.
    """
    total: float | None = None
    """The sum of the terms."""
    divisor: float | None = None
    """What the sum is divided by."""
    probabilities: dict[str, float | None] = field(default_factory=dict)
    """The probabilities of a filter, as the formula names them."""
    filled: str = ""
    """The formula with the numbers in it."""
    losses: dict[str, float] = field(default_factory=dict)
    """What Reliability or Sensitivity lost, by cause; with the value it adds up to 1."""
    pairs: pl.DataFrame = field(default_factory=pl.DataFrame)
    """Reliability and Sensitivity: `first, relation, second, lost, cause` of the pairs that lost most."""
    parts: tuple[Why, ...] = ()
    """The two parts of an F."""
