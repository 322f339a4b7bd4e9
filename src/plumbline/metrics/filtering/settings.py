"""Declarations that filtering metrics share, and the parameter of smoothed counts."""

from __future__ import annotations

from typing import Any, Final

from plumbline.metrics.registry import Parameter
from plumbline.views.confusion import SMOOTHINGS

SMOOTHED: Final = (Parameter("smooth", str, "none", choices=SMOOTHINGS),)

COUNTS: Final[dict[str, Any]] = {"task": "filtering", "needs": "counts", "settings": SMOOTHED}
"""The declaration of a metric that is an expression over the confusion view."""
SCORES: Final[dict[str, Any]] = {"task": "filtering", "needs": "scores"}
"""The declaration of a metric that looks at scores."""
