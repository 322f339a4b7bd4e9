"""What metrics of classes can be told beside their own parameters."""

from __future__ import annotations

from typing import Any, Final

from plumbline.metrics.registry import Parameter

AVERAGES: Final = ("macro", "micro", "weighted", "samples", "none")
AVERAGED: Final = (Parameter("average", str, "macro", choices=AVERAGES), Parameter("class", str, None))

WHOLE: Final[dict[str, Any]] = {"task": "classification", "needs": "labels"}
"""The declaration of a metric of the whole list."""
PER_CLASS: Final[dict[str, Any]] = {**WHOLE, "settings": AVERAGED}
"""The declaration of a metric of each class, which is then averaged."""
