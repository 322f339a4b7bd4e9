"""Paired randomization a second time: all ways to exchange answers, each evaluated by the public function."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import plumbline

Labels = dict[str, dict[str, Any]]
"""Answers or gold by case and item."""


class Exchanged(NamedTuple):
    """What all ways to exchange answers say about one metric."""

    difference: float | None
    """The mean of a minus that of b, larger is better; None if one of them is undefined."""
    p: float | None
    """The share of all ways whose difference is as large as the observed; undefined ones count as large."""
    undefined: int


def every_exchange(
    gold: Labels, a: Labels, b: Labels, metrics: list[str], units: dict[str, Any] | None = None, **options: Any
) -> dict[str, Exchanged]:
    """The outputs after every exchange are scored as systems; `units` are the clusters of items, if there are any."""
    unit = {item: units[item] if units else (case, item) for case, items in gold.items() for item in items}
    names = sorted(set(unit.values()), key=str)
    outputs: dict[str, Labels] = {}
    for number, turned in enumerate(product((False, True), repeat=len(names))):
        exchanged = {name for name, turn in zip(names, turned, strict=True) if turn}
        for side, (x, y) in (("a", (a, b)), ("b", (b, a))):
            outputs[f"{side}{number}"] = {
                case: {item: (y if unit[item] in exchanged else x)[case][item] for item in items}
                for case, items in gold.items()
            }
    scores = plumbline.evaluate(gold, outputs, metrics, **options)
    means = {(row["metric"], row["system"]): row["value"] for row in scores.mean.iter_rows(named=True)}
    sign = {column.name: -1.0 if column.better == "lower" else 1.0 for column in scores.columns}
    return {metric: _exchanged(means, metric, sign[metric], 2 ** len(names)) for metric in sign}


def _exchanged(means: dict[tuple[str, str], float | None], metric: str, sign: float, count: int) -> Exchanged:
    differences: list[float | None] = []
    for number in range(count):
        first, second = means[metric, f"a{number}"], means[metric, f"b{number}"]
        differences.append(None if first is None or second is None else sign * (first - second))
    observed = differences[0]
    if observed is None:
        return Exchanged(None, None, 0)
    reached = sum(one is None or abs(one) >= abs(observed) - 1e-12 for one in differences)
    return Exchanged(observed, reached / count, differences.count(None))
