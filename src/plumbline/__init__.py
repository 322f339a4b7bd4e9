"""plumbline: which system is better, by which measure, and would the verdict survive?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plumbline._version import __version__

if TYPE_CHECKING:
    from plumbline.audits.audit import audit
    from plumbline.audits.result import Audit
    from plumbline.comparison.compare import compare
    from plumbline.comparison.comparison import Comparison
    from plumbline.comparison.correlation.between import between
    from plumbline.comparison.generalise.elsewhere import Elsewhere, elsewhere
    from plumbline.comparison.weighting.break_even import BreakEven, break_even
    from plumbline.errors import BadData, BadUsage, PlumblineError
    from plumbline.evaluation.evaluate import evaluate
    from plumbline.figures.plot import plot
    from plumbline.metrics.names import parse
    from plumbline.metrics.registry import all_metrics
    from plumbline.reports.report import report
    from plumbline.scores import Scores
    from plumbline.studies.meta import meta
    from plumbline.studies.study import Study
    from plumbline.tools.choose import Advice, choose
    from plumbline.tools.confusion import ConfusionMatrix, confusion
    from plumbline.tools.internal import internal
    from plumbline.tools.losses import Losses, losses
    from plumbline.tools.sweep import Sweep, sweep
    from plumbline.tools.weights import Weights, weights

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
    "Advice": "plumbline.tools.choose",
    "Audit": "plumbline.audits.result",
    "audit": "plumbline.audits.audit",
    "Comparison": "plumbline.comparison.comparison",
    "Elsewhere": "plumbline.comparison.generalise.elsewhere",
    "between": "plumbline.comparison.correlation.between",
    "BreakEven": "plumbline.comparison.weighting.break_even",
    "break_even": "plumbline.comparison.weighting.break_even",
    "elsewhere": "plumbline.comparison.generalise.elsewhere",
    "compare": "plumbline.comparison.compare",
    "ConfusionMatrix": "plumbline.tools.confusion",
    "choose": "plumbline.tools.choose",
    "confusion": "plumbline.tools.confusion",
    "BadData": "plumbline.errors",
    "BadUsage": "plumbline.errors",
    "PlumblineError": "plumbline.errors",
    "Losses": "plumbline.tools.losses",
    "losses": "plumbline.tools.losses",
    "Scores": "plumbline.scores",
    "Study": "plumbline.studies.study",
    "Sweep": "plumbline.tools.sweep",
    "all_metrics": "plumbline.metrics.registry",
    "evaluate": "plumbline.evaluation.evaluate",
    "internal": "plumbline.tools.internal",
    "meta": "plumbline.studies.meta",
    "parse": "plumbline.metrics.names",
    "report": "plumbline.reports.report",
    "plot": "plumbline.figures.plot",
    "sweep": "plumbline.tools.sweep",
    "Weights": "plumbline.tools.weights",
    "weights": "plumbline.tools.weights",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the public name stands for
    """Import a public name when it is first used, so that importing plumbline stays instant."""
    if name not in _HOMES:
        message = f"module 'plumbline' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
