"""Metrics: their declarations, their names and how they combine. One file per metric or family, found by walking."""

from plumbline.metrics.measure import Measure
from plumbline.metrics.names import measures
from plumbline.metrics.registry import Metric, all_metrics, metric

__all__ = ["Measure", "Metric", "all_metrics", "measures", "metric"]
