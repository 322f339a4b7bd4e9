"""Declarations that metrics of spans share: how spans are matched, and how types are averaged."""

from __future__ import annotations

from typing import Any, Final, get_args

from plumbline.metrics.registry import Parameter
from plumbline.metrics.rules import Between
from plumbline.views.matching import Match

MATCHES: Final[tuple[str, ...]] = get_args(Match)
MATCHED: Final = (
    Parameter("match", str, "strict", choices=MATCHES),
    Parameter("iou", float, 0.5, rule=Between(0, 1), samples=(0.5, 0.75)),
)
AVERAGED: Final = (
    Parameter("average", str, "micro", choices=("micro", "macro", "weighted", "none")),
    Parameter("class", str, None),
)
PER_TYPE: Final[dict[str, Any]] = {"task": "extraction", "needs": "spans", "settings": (*MATCHED, *AVERAGED)}
"""The declaration of a metric of each type, which is then averaged."""
VERDICTS: Final[dict[str, Any]] = {**PER_TYPE, "needs": "verdicts"}
"""The same for metrics that look at the verdict about each span."""
