"""From effects to verdicts: better, worse, equivalent or open, with p corrected over all metrics and arms."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.comparison.significance.registry import find_correction
from plumbline.truth.experiments.observed import margin_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.truth.experiments.effect import Effect
    from plumbline.truth.experiments.metric import Metric

WITHHELD: Final = "withheld"
NUMBERS: Final = (
    *("control", "value", "difference", "low", "high", "relative", "relative_low", "relative_high"),
    *("error", "statistic", "p"),
)
SCHEMA: Final[dict[str, Any]] = {
    "metric": pl.String,
    "arm": pl.String,
    "n_control": pl.Int64,
    "n": pl.Int64,
    **dict.fromkeys(NUMBERS, pl.Float64),
    "p_corrected": pl.Float64,
    "margin": pl.Float64,
    "p_equivalent": pl.Float64,
    "narrower": pl.Float64,
    "verdict": pl.String,
    "method": pl.String,
    "reason": pl.String,
}
"""The columns of a table of effects."""


@dataclass(frozen=True)
class Measured:
    """The effect of an arm on a metric."""

    metric: Metric
    arm: str
    effect: Effect
    part: tuple[str, ...] = ()
    """The segment, if it is one: its column and its value."""


def verdict(effect: Effect, metric: Metric, p: float, within: float, level: float) -> str:
    """Equivalent if the effect is shown to be smaller than the margin, else better or worse if it is significant."""
    if not isnan(within) and within < level:
        return "equivalent"
    if isnan(p) or p >= level:
        return "open"
    return "better" if (effect.difference > 0) != metric.lower else "worse"


def effects_table(measured: Sequence[Measured], *, level: float, correction: str, withheld: bool = False) -> pl.DataFrame:
    """A row for each metric and arm, and for each segment if there are some; all p-values are one family."""
    p = _corrected([one.effect.p for one in measured], correction)
    within = _corrected([one.effect.within for one in measured], correction)
    rows = []
    for one, corrected, equal in zip(measured, p.tolist(), within.tolist(), strict=True):
        effect = one.effect
        word = WITHHELD if withheld else verdict(effect, one.metric, corrected, equal, level)
        margin = margin_of(one.metric, effect.control)
        numbers = {name: _known(getattr(effect, name)) for name in NUMBERS}
        rows.append(
            {
                **dict(zip(("by", "segment"), one.part, strict=False)),
                "metric": one.metric.name,
                "arm": one.arm,
                "n_control": effect.n_control,
                "n": effect.n,
                **numbers,
                "p_corrected": _known(corrected),
                "margin": margin,
                "p_equivalent": _known(equal),
                "narrower": _known(effect.narrower),
                "verdict": word,
                "method": effect.method,
                "reason": effect.reason,
            }
        )
    parts: dict[str, Any] = {"by": pl.String, "segment": pl.String} if measured and measured[0].part else {}
    return pl.DataFrame(rows, schema=parts | SCHEMA)


def _known(number: float) -> float | None:
    return None if isnan(number) else number


def _corrected(p: Sequence[float], name: str) -> NDArray[np.float64]:
    """Corrected p-values; those that are not known are no part of the family."""
    values = np.array(p, dtype=np.float64)
    known = ~np.isnan(values)
    if known.any():
        values[known] = find_correction(name)(values[known])
    return values
