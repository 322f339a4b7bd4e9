"""What a filtering metric looks at: decisions, the order of scores, or scores as probabilities.

Ferri et al. (2009) call the three kinds qualitative, ranking and probabilistic, Caruana and Niculescu-Mizil (2006) threshold,
ordering and probability metrics. Nobody declares them: a metric of decisions needs no scores, and a metric of the order does
not change where scores change and their order does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from plumbline.evaluation.evaluate import evaluate

if TYPE_CHECKING:
    from plumbline.metrics.registry import Metric

GOLD: Final = (1, 1, 0, 1, 0, 0)
SCORES: Final = (0.9, 0.8, 0.7, 0.3, 0.2, 0.1)
SAME_ORDER: Final = (0.95, 0.85, 0.6, 0.4, 0.25, 0.05)
"""Other scores in the same order, each on the same side of one half."""


@dataclass(frozen=True)
class Category:
    """One kind of metrics, and what the two papers call it."""

    looks_at: str
    ferri: str
    caruana: str


DECISIONS: Final = Category("decisions", "qualitative", "threshold")
ORDER: Final = Category("the order of scores", "ranking", "ordering")
PROBABILITIES: Final = Category("scores as probabilities", "probabilistic", "probability")


@cache
def category(metric: Metric) -> Category | None:
    """The kind of a filtering metric; None for other tasks, and where a parameter has to be given."""
    if metric.task != "filtering" or any(parameter.required for parameter in metric.parameters if metric.needs == "scores"):
        return None
    if metric.needs != "scores":
        return DECISIONS
    systems = {"one": list(SCORES), "other": list(SAME_ORDER)}
    one, other = evaluate(list(GOLD), systems, [metric.name], task="filtering").mean["value"]
    return ORDER if one == other else PROBABILITIES
