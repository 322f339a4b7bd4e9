"""The estimated value of a policy as a result that can be printed and saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from plumbline.render.grid import Cell, Grid, Sentences
from plumbline.render.result import Result, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

PREFERRED: Final = ("dr", "snips", "ips", "clipped", "direct")
"""The estimate that the verdict goes by: the first of these that was made."""
MOST_UNTRIED: Final = 0.05
"""If more of the new policy was never tried, there is no verdict."""
FORMS: Final = {
    "action": "actions",
    "list": "whole lists",
    "item": "items by position",
    "cascade": "lists from the top",
    "position": "positions alone",
}
_TITLES: Final = {"dr": "doubly robust", "ips": "IPS", "snips": "SNIPS", "clipped": "clipped IPS", "direct": "the model alone"}


@dataclass(frozen=True, repr=False)
class PolicyValue(Result):
    """What another policy would have earned.

    Attributes:
        table: A row for each estimator: `estimator, value, low, high, error, effective, largest, difference, difference_low,
            difference_high`. `value` is null if the estimate was refused; `effective` is the effective sample, `largest` the
            largest weight, `difference` how much more than what was logged.
        logged: What the logged policy earned, per action or per list.
        logged_interval: Its interval.
        form: What was weighed.
        observations: How many actions or lists the log has.
        mean_weight: The mean weight, which should be near 1.
        supported: The share of the new policy's actions that occur in the log.
        confidence: The confidence level of the intervals.
        resamples: How often sessions were drawn.
        seed: The seed of the draws.
        notices: What should be known about the log and the weights.

    Example:
        >>> import plumbline, polars
        >>> log = polars.DataFrame({"action": ["a", "b"] * 50, "propensity": [0.5] * 100, "reward": [1, 0] * 50})
        >>> plumbline.policy_value(log, policy="uniform").value("snips")
        0.5
    """

    heading: ClassVar[str] = "Value of a policy"

    table: pl.DataFrame
    logged: float
    logged_interval: tuple[float, float]
    form: str
    observations: int
    mean_weight: float
    supported: float
    confidence: float = 0.95
    resamples: int = 0
    seed: int = 0
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """A row for each estimator."""
        return self.table

    def value(self, estimator: str) -> float | None:
        """The value by one estimator; None if it was refused.

        Args:
            estimator: Its name, such as `snips`.

        Returns:
            What the new policy would have earned, per action or per list.
        """
        row = next(row for row in self.table.iter_rows(named=True) if row["estimator"] == estimator)
        number: float | None = row["value"]
        return number

    def sentences(self) -> tuple[str, ...]:
        """The verdict, by the estimate that is trusted most."""
        made = {row["estimator"]: row for row in self.table.iter_rows(named=True) if row["value"] is not None}
        name = next(name for name in PREFERRED if name in made)
        row = made[name]
        unit = "action" if self.form == "action" else "list"
        text = (
            f"The new policy would earn {row['value']:.4g} per {unit} [{row['low']:.4g}, {row['high']:.4g}] "
            f"by {_TITLES[name]}; the logged one earned {self.logged:.4g}"
        )
        ends = f"{row['difference']:+.4g} [{row['difference_low']:+.4g}, {row['difference_high']:+.4g}]"
        if 1 - self.supported > MOST_UNTRIED:
            verdict = f"No verdict: {1 - self.supported:.1%} of what it does was never tried."
        elif row["difference_low"] > 0:
            verdict = f"It is shown to be better ({ends})."
        elif row["difference_high"] < 0:
            verdict = f"It is shown to be worse ({ends})."
        else:
            verdict = f"It is not shown to differ ({ends})."
        rests = (
            ""
            if row["effective"] is None
            else f" The estimate rests on {row['effective']:,.0f} of {self.observations:,} {unit}s."
        )
        return (f"{text}. {verdict}{rests}",)

    def grid(self) -> Grid:
        """Every estimate with its interval and its effective sample."""
        rows = [
            (
                Cell("logged", quiet=True),
                Cell(f"{self.logged:.4g}", quiet=True),
                Cell(f"[{self.logged_interval[0]:.4g}, {self.logged_interval[1]:.4g}]", quiet=True),
                *(Cell("", quiet=True) for _ in range(3)),
            )
        ]
        rows += [
            (
                Cell(row["estimator"]),
                Cell("refused" if row["value"] is None else f"{row['value']:.4g}"),
                Cell("" if row["value"] is None else f"[{row['low']:.4g}, {row['high']:.4g}]"),
                Cell("" if row["value"] is None else f"{row['difference']:+.4g}"),
                Cell("" if row["effective"] is None else f"{row['effective']:,.4g}"),
                Cell("" if row["effective"] is None else f"{row['largest']:,.3g}"),
            )
            for row in self.table.iter_rows(named=True)
        ]
        heading = ("estimate", "value", f"{self.confidence:.0%} interval", "difference", "effective", "largest weight")
        never = f"; {1 - self.supported:.1%} was never tried" if self.supported < 1 else ""
        caption = (
            f"{self.observations:,} {'actions' if self.form == 'action' else 'lists'}, weights of {FORMS[self.form]}, "
            f"mean weight {self.mean_weight:.3f}{never}; seed {self.seed}"
        )
        return Grid(heading, tuple(rows), caption, drop=("largest weight",))

    def to_blocks(self) -> Sequence[Block]:
        """The verdict, and the estimates."""
        return [Sentences(self.sentences()), self.grid()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, with full precision."""
        return {
            "form": self.form,
            "observations": self.observations,
            "logged": self.logged,
            "logged_interval": list(self.logged_interval),
            "mean_weight": self.mean_weight,
            "supported": self.supported,
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "estimates": self.table.to_dicts(),
            "sentences": list(self.sentences()),
            "notices": described(self.notices),
        }
