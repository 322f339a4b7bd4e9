"""plumbline: which system is better, by which measure, and would the verdict survive?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plumbline._version import __version__

if TYPE_CHECKING:
    from plumbline.advisor import Advice, choose
    from plumbline.audits.audit import audit
    from plumbline.audits.result import Audit
    from plumbline.comparisons.break_even import BreakEven, break_even
    from plumbline.comparisons.comparing import compare
    from plumbline.comparisons.comparison import Comparison
    from plumbline.comparisons.correlation import between
    from plumbline.comparisons.elsewhere import Elsewhere, elsewhere
    from plumbline.errors import BadData, BadUsage, PlumblineError
    from plumbline.evaluation import evaluate
    from plumbline.figures.plotting import plot
    from plumbline.intrinsic import internal
    from plumbline.lost import Losses, losses
    from plumbline.matrix import ConfusionMatrix, confusion
    from plumbline.metrics.names import parse
    from plumbline.metrics.registry import all_metrics
    from plumbline.positions import Weights, weights
    from plumbline.reports.writing import report
    from plumbline.scores import Scores
    from plumbline.stopping import Sweep, sweep
    from plumbline.studies.study import Study
    from plumbline.studies.studying import meta

__all__ = [
    "Advice",
    "Audit",
    "BadData",
    "BadUsage",
    "BreakEven",
    "Comparison",
    "ConfusionMatrix",
    "Elsewhere",
    "Losses",
    "PlumblineError",
    "Scores",
    "Study",
    "Sweep",
    "Weights",
    "__version__",
    "all_metrics",
    "audit",
    "between",
    "break_even",
    "choose",
    "compare",
    "confusion",
    "elsewhere",
    "evaluate",
    "internal",
    "losses",
    "meta",
    "parse",
    "plot",
    "report",
    "sweep",
    "weights",
]

_HOMES = {
    "Advice": "plumbline.advisor",
    "Audit": "plumbline.audits.result",
    "audit": "plumbline.audits.audit",
    "Comparison": "plumbline.comparisons.comparison",
    "Elsewhere": "plumbline.comparisons.elsewhere",
    "between": "plumbline.comparisons.correlation",
    "BreakEven": "plumbline.comparisons.break_even",
    "break_even": "plumbline.comparisons.break_even",
    "elsewhere": "plumbline.comparisons.elsewhere",
    "compare": "plumbline.comparisons.comparing",
    "ConfusionMatrix": "plumbline.matrix",
    "choose": "plumbline.advisor",
    "confusion": "plumbline.matrix",
    "BadData": "plumbline.errors",
    "BadUsage": "plumbline.errors",
    "PlumblineError": "plumbline.errors",
    "Losses": "plumbline.lost",
    "losses": "plumbline.lost",
    "Scores": "plumbline.scores",
    "Study": "plumbline.studies.study",
    "Sweep": "plumbline.stopping",
    "all_metrics": "plumbline.metrics.registry",
    "evaluate": "plumbline.evaluation",
    "internal": "plumbline.intrinsic",
    "meta": "plumbline.studies.studying",
    "parse": "plumbline.metrics.names",
    "report": "plumbline.reports.writing",
    "plot": "plumbline.figures.plotting",
    "sweep": "plumbline.stopping",
    "Weights": "plumbline.positions",
    "weights": "plumbline.positions",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the public name stands for
    """Import a public name when it is first used, so that importing plumbline stays instant."""
    if name not in _HOMES:
        message = f"module 'plumbline' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
