"""Names of a metric with many settings of its parameters, made from its declaration alone.

A parameter is tried with its choices, with the `samples` that the metric declares, or with those that its rule offers.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    from plumbline.metrics.registry import Metric

Setting = dict[str, Any]

ALL_TOGETHER = 12
"""Up to this many combinations are all tried; of more, each parameter is varied alone and all at once."""

UNLIMITED: list[Setting] = [{"collection": "unlimited", "over": over} for over in ("related", "priority")]
"""Settings without which some parameters of Reliability and Sensitivity change nothing."""


def settings_of(metric: Metric, without: Collection[str] = ()) -> list[Setting]:
    """Values of the parameters, by default first; those `without` are left alone."""
    parameters = [parameter for parameter in metric.parameters if parameter.name not in without]
    values = {parameter.name: parameter.tried() for parameter in parameters if parameter.tried()}
    base = {parameter.name: values[parameter.name][0] for parameter in parameters if parameter.required}
    combined = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    if len(combined) <= ALL_TOGETHER:
        return [base, *combined]
    alone = [{**base, name: value} for name, tried in values.items() for value in tried]
    last = {name: tried[-1] for name, tried in values.items()}
    collection = metric.parameter("collection")
    needed = UNLIMITED if collection is not None and collection.default != "unlimited" else []
    return [base, *alone, *({**one, **setting} for setting in needed for one in [base, *alone]), last]


def named(metric: Metric, setting: Setting) -> str:
    """The name of a metric with a setting."""
    parts = [*(metric.combines or ()), *(f"{name}={value}" for name, value in setting.items())]
    return f"{metric.name}({','.join(parts)})" if parts else metric.name


def names_of(metric: Metric) -> list[str]:
    """The metric with each of its settings."""
    return list(dict.fromkeys(named(metric, setting) for setting in settings_of(metric)))
