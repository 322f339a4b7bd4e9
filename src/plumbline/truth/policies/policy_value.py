"""policy_value(): what another policy would have earned, from a log of what was done and how probably."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, policies, usage
from plumbline.options.option import checked, documented
from plumbline.options.policies import PolicyValueOptions
from plumbline.truth.policies.estimators import BY_MODEL, ESTIMATORS, effective_sample, estimated
from plumbline.truth.policies.log import chosen_columns, read_policy_log
from plumbline.truth.policies.result import PolicyValue
from plumbline.truth.policies.weighing import NEEDED, weighed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic
    from plumbline.truth.policies.estimators import Weighted
    from plumbline.truth.policies.weighing import Weighing

LEAST: Final = 30.0
CLIP: Final = 10.0
OFF: Final = 3.0
"""A mean weight so many standard errors from what it should be is told."""
FAR: Final = 0.05


@documented(PolicyValueOptions)
def policy_value(log: Any, **options: Unpack[PolicyValueOptions]) -> PolicyValue:
    """Estimate what another policy would have earned, from the log of a policy that chose at random with known probabilities.

    Args:
        log: A table with a row for each action: what was done (`action`), how probably (`propensity`), and what came of it
            (`reward`); lists also need `session` and `position`.
        **options: See `plumbline.options.policies.PolicyValueOptions`.

    Returns:
        Estimates with intervals, each with its effective sample and its difference from what was logged.

    Raises:
        BadData: If the log cannot be read, a probability is impossible, or all estimates rest on too little.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline, polars
        >>> log = polars.DataFrame({"action": ["a", "b"] * 50, "propensity": [0.5] * 100, "reward": [1, 0] * 50})
        >>> policy = polars.DataFrame({"action": ["a", "b"], "probability": [0.8, 0.2]})
        >>> result = plumbline.policy_value(log, policy=policy)
        >>> round(result.value("ips"), 3), result.logged
        (0.8, 0.5)
    """
    given = checked(options, PolicyValueOptions, "policy_value")
    form, first = given.get("weigh", "action"), given.get("positions_from", 1)
    read = read_policy_log(log, chosen_columns(given.get("log_columns")), NEEDED[form], first)
    weighing = weighed(read, form, given)
    data, notices = weighing.data, list(weighing.notices)
    names = _estimators(given, data)
    notices += _about_weights(weighing)
    confidence, resamples, seed = given.get("confidence", 0.95), given.get("resamples", 2000), given.get("seed", 0)
    least, clip = given.get("least", LEAST), given.get("clip", CLIP)
    unit = "action" if form == "action" else "session"
    rows: list[dict[str, Any]] = []
    interval = (float(data.logged.mean()),) * 2
    refused: list[Diagnostic] = []
    for name in names:
        terms = ESTIMATORS[name](data, clip)
        row = {"estimator": name, "effective": None if np.isinf(terms.effective) else terms.effective, "largest": terms.largest}
        if terms.effective < least:
            refused.append(policies.refused(name, terms.effective, len(data.weight), unit, least))
            rows.append(row)
            continue
        estimate, interval = estimated(terms, data, confidence, resamples, np.random.default_rng(seed))
        rows.append(
            row
            | {"value": estimate.value, "low": estimate.low, "high": estimate.high, "error": estimate.error}
            | {
                "difference": estimate.difference,
                "difference_low": estimate.difference_low,
                "difference_high": estimate.difference_high,
            }
        )
    if len(refused) == len(names):
        raise BadData(policies.too_small(effective_sample(data.weight), len(data.weight), unit, least))
    return PolicyValue(
        pl.DataFrame(rows, schema=_SCHEMA),
        float(data.logged.mean()),
        interval,
        form,
        len(data.weight),
        float(np.nanmean(data.weight)),
        weighing.supported,
        confidence,
        resamples,
        seed,
        (*notices, *refused),
    )


_SCHEMA: Final = {
    "estimator": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "error": pl.Float64,
    "effective": pl.Float64,
    "largest": pl.Float64,
    "difference": pl.Float64,
    "difference_low": pl.Float64,
    "difference_high": pl.Float64,
}


def _estimators(given: dict[str, Any], data: Weighted) -> Sequence[str]:
    """The estimates that were asked for, or all that the data allow."""
    asked = given.get("estimators")
    possible = [name for name in ESTIMATORS if name not in BY_MODEL or data.expected is not None]
    if not data.normalised:
        possible = [name for name in possible if name in {"ips", "clipped"}]
    if asked is None:
        return possible
    names = [asked] if isinstance(asked, str) else list(asked)
    for name in names:
        if name not in ESTIMATORS:
            raise BadUsage(usage.bad_option("estimators", name, list(ESTIMATORS)))
        if name not in possible:
            missing = "predicted rewards" if data.normalised else "probabilities of actions, and positions have none"
            raise BadUsage(policies.needs(name, missing))
    return names


def _about_weights(weighing: Weighing) -> list[Diagnostic]:
    """Whether the weights average to what they should."""
    if not weighing.data.normalised:
        return []
    weights = weighing.data.weight[~np.isnan(weighing.data.weight)]
    mean, error = float(weights.mean()), float(weights.std() / np.sqrt(len(weights)))
    away = abs(mean - weighing.supported)
    return [policies.mean_weight(mean, weighing.supported)] if away > OFF * error and away > FAR else []
