"""Declarations that classification metrics share, and the parameters of averages over classes."""

from __future__ import annotations

from typing import Any, Final

from plumbline.metrics.registry import Parameter

AVERAGES: Final = ("macro", "micro", "weighted", "samples", "none")
AVERAGED: Final = (Parameter("average", str, "macro", choices=AVERAGES), Parameter("class", str, None))

PER_LIST: Final[dict[str, Any]] = {"task": "classification", "needs": "labels"}
"""The declaration of a metric of the whole list."""
PER_CLASS: Final[dict[str, Any]] = {**PER_LIST, "settings": AVERAGED}
"""The declaration of a metric of each class, which is then averaged."""
