"""Metrics: their declarations, their names and how they combine. One file per metric or family, found by walking."""

import sys
from types import ModuleType
from typing import NoReturn

from plumbline.metrics.measure import Measure
from plumbline.metrics.names import measures
from plumbline.metrics.registry import Metric, all_metrics, metric

__all__ = ["Measure", "Metric", "all_metrics", "measures", "metric"]


class _Package(ModuleType):
    """People who know the command `plumbline metrics` call the package."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        message = "plumbline.metrics is a package; plumbline.all_metrics(task) returns the metrics of a task by their names"
        raise TypeError(message)


sys.modules[__name__].__class__ = _Package
