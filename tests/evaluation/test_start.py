"""A run loads what its own task needs, so that a small one starts quickly."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plumbline.io.native import SWITCH
from plumbline.metrics import registry
from plumbline.tasks import task_names

if TYPE_CHECKING:
    from pathlib import Path

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


def test_labels_of_dicts_and_arrays_need_no_data_frames() -> None:
    code = """
import sys, plumbline
gold = {"q1": {"a": "yes", "b": "no"}, "q2": {"c": "yes"}}
output = {"q1": {"b": "no", "x": "yes"}, "q3": {"c": "yes"}}
for task in ("filtering", "classification", "clustering"):
    print(plumbline.evaluate(gold, {"s": output}, task=task), plumbline.evaluate([1, 0], [0, 1], task=task))
print(*sys.modules, file=sys.stderr)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "2 cases" in ended.stdout
    assert "polars" not in ended.stderr.split()


@pytest.mark.parametrize("switch", ["0", "1"])
def test_small_files_of_labels_need_no_data_frames(tmp_path: Path, switch: str) -> None:
    (tmp_path / "gold.tsv").write_text("case\titem\tlabel\nq1\ta\tyes\nq1\tb\tno\nq2\tc\tyes\n")
    (tmp_path / "output.csv").write_text("item,case,label\nb,q1,no\na,q1,yes\nz,q1,yes\n")
    (tmp_path / "plain.txt").write_text("q1\ta\tyes\nq1\tb\tno\n")
    code = """
import sys
from plumbline.cli.app import run
for task in ("filtering", "classification", "clustering"):
    assert run(["evaluate", *sys.argv[1:], "--task", task]) == 0
print(*sys.modules, file=sys.stderr)
"""
    files = [tmp_path / "gold.tsv", tmp_path / "output.csv", tmp_path / "plain.txt"]
    variables = {**os.environ, SWITCH: switch}
    ended = subprocess.run([sys.executable, "-c", code, *files], capture_output=True, text=True, check=True, env=variables)
    assert "2 cases" in ended.stdout
    assert "polars" not in ended.stderr.split()


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
