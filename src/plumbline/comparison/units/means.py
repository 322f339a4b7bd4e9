"""Means over cases of drawn values, as `evaluate` makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.average import summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.metrics.measure import Measure

    Numbers = NDArray[np.float64]


def means(values: Numbers, measures: Sequence[Measure], policy: Policy) -> Numbers:
    """From `[measure, system, draw, case]` to `[measure, system, draw]`, larger is better; not a number if undefined."""
    made = [_summary(one, measure) for one, measure in zip(signed(values, measures, policy), measures, strict=True)]
    return np.asarray(np.stack(made))


def signed(values: Numbers, measures: Sequence[Measure], policy: Policy) -> Numbers:
    """The values of cases, larger is better, with what stands for undefined ones."""
    replacement = {"zero": 0.0, "one": 1.0}.get(policy.undefined)
    filled = values if replacement is None else np.where(np.isnan(values), replacement, values)
    signs = np.array([-1.0 if measure.better == "lower" else 1.0 for measure in measures])
    return np.asarray(filled * signs.reshape(-1, *[1] * (values.ndim - 1)))


def _summary(values: Numbers, measure: Measure) -> Numbers:
    systems, draws, cases = values.shape
    if cases == 1 and measure.average != "geometric":
        return values[:, :, 0]
    sign = -1.0 if measure.better == "lower" else 1.0
    frame = pl.DataFrame({"draw": np.repeat(np.arange(systems * draws), cases), "value": sign * values.ravel()})
    of_draws = frame.group_by("draw", maintain_order=True).agg(
        summary(pl.col("value").fill_nan(None), measure.average).fill_null(np.nan)
    )
    return sign * of_draws["value"].to_numpy().reshape(systems, draws)
