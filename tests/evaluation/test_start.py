"""A run loads what its own task needs, so that a small one starts quickly."""

from __future__ import annotations

import subprocess
import sys

from plumbline.metrics import registry
from plumbline.tasks import task_names

LOADED = """
import sys, plumbline
plumbline.evaluate({"q": {"a": 1, "b": 0}}, {"s": {"q": {"a": 0.5, "b": 0.1}}}, ["AP"])
print(*sys.modules)
"""
OTHERS = {
    "plumbline.align.clustering",
    "plumbline.align.filtering",
    "plumbline.align.classification",
    "plumbline.compute.floor",
    "plumbline.io.features.features",
    "plumbline.io.formats.json_file",
    "plumbline.io.formats.weps",
    "plumbline.metrics.clustering",
    "plumbline.metrics.filtering",
    "plumbline.metrics.ranking.time_biased_gain",
    "plumbline.metrics.ranking.user_models",
    "rich.console",
    "scipy",
}


def test_a_ranking_does_not_wait_for_other_tasks() -> None:
    ended = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert "plumbline.metrics.ranking" in loaded
    assert not loaded & OTHERS


def test_every_metric_stands_in_the_folder_of_its_task() -> None:
    """Only that folder is looked at when its metrics are asked for."""
    results = {task: registry.all_metrics(task) for task in task_names()}
    declared = [metric for metric in registry._METRICS.values() if metric.kernel.__module__.startswith("plumbline.")]  # noqa: SLF001
    assert len(declared) == sum(map(len, results.values()))
    assert {(metric.kernel.__module__.split(".")[2], metric.task) for metric in declared} == {(task, task) for task in results}


def test_a_comparison_does_not_wait_for_large_parts_of_scipy() -> None:
    """Curves that cross once make it solve an equation; scipy.optimize and scipy.stats take longer to import than all else."""
    code = """
import sys, plumbline
scores = {"P": {"a": [0.5, 0.6, 0.4], "b": [0.7, 0.8, 0.6]}, "R": {"a": [0.8, 0.9, 0.7], "b": [0.3, 0.4, 0.2]}}
named = {metric: {system: dict(enumerate(values)) for system, values in of.items()} for metric, of in scores.items()}
comparison = plumbline.compare(named, mean="harmonic")
print(comparison.to_json())
assert 0 < comparison.verdict("a", "b").share < 1
print(*sys.modules, file=sys.stderr)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy.optimize", "scipy.stats"} & set(ended.stderr.split())
