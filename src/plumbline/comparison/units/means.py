"""Means over cases of drawn values, as `evaluate` makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.average import summaries

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
    first = np.arange(systems * draws + 1) * cases
    return sign * summaries(sign * values.reshape(1, -1), first, [measure.average]).reshape(systems, draws)
