"""Clusterings from label arrays to scores, each run in a process of its own; start-up and imports are not timed.

python benchmarks/clusters.py                 partitions up to a million items, overlaps up to a hundred thousand
python benchmarks/clusters.py --most 10000000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from math import log
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Side = Any
"""An array of labels, or a frame of items and clusters."""

SIZES = (100, 10_000, 100_000, 1_000_000, 10_000_000)
CLUSTERS = {100: 10, 10_000: 100, 100_000: 1_000, 1_000_000: 1_000, 10_000_000: 10_000}
OVERLAPS = (1_000, 3_000, 10_000, 30_000, 100_000)
ROUNDS = 3
AT_LEAST = 0.2
"""Seconds for which short runs are repeated, at most so often:"""
AT_MOST = 20
TOLERANCE = 1e-9
QUADRATIC = ("the quadratic definition", "python-bcubed")
LARGEST_PAIRS = 3_000
"""Beyond this size what is quadratic takes too long."""


def partition(items: int) -> tuple[Side, Side]:
    """Classes, and clusters that agree with them in four items of five."""
    generator = np.random.default_rng(items)
    gold = generator.integers(0, CLUSTERS[items], items)
    noise = generator.integers(0, CLUSTERS[items], items)
    return gold, np.where(generator.random(items) < 0.8, gold, noise)


def overlapping(items: int) -> tuple[Side, Side]:
    """Every item in one to three of as many clusters as a hundredth of the items."""
    import polars as pl  # noqa: PLC0415 - only the child needs it

    generator = np.random.default_rng(items)

    def side() -> Side:
        times = generator.integers(1, 4, items)
        item = np.repeat(np.arange(items), times)
        home = np.repeat(generator.integers(0, items // 100, items), times)
        other = generator.integers(0, items // 100, len(item))
        first = np.concatenate(([True], item[1:] != item[:-1]))
        frame = pl.DataFrame({"item": item, "cluster": np.where(first, home, other)}).unique(maintain_order=True)
        return frame.with_columns(pl.col("item").cast(pl.String))

    return side(), side()


def ours_partition(gold: Side, system: Side) -> list[float]:
    """Every external metric of partitions."""
    import plumbline  # noqa: PLC0415 - only the child needs it
    from plumbline.metrics.groups import GROUPS  # noqa: PLC0415

    names = list(GROUPS["clustering"]["all_partition"])
    return _means(plumbline.evaluate(gold, system, names, task="clustering"), "ARI")


def _means(scores: Side, *names: str) -> list[float]:
    means = {row.metric: row.value for row in scores.mean_rows()}
    return [means[name] for name in names]


def learn_ari(gold: Side, system: Side) -> list[float]:
    """scikit-learn's adjusted Rand index alone."""
    from sklearn.metrics import adjusted_rand_score  # noqa: PLC0415 - only the child needs it

    return [adjusted_rand_score(gold, system)]


def learn_all(gold: Side, system: Side) -> list[float]:
    """scikit-learn's partition metrics, one call after the other, without AMI, which alone takes minutes."""
    from sklearn import metrics  # noqa: PLC0415 - only the child needs it

    calls = ("adjusted_rand_score", "rand_score", "fowlkes_mallows_score", "mutual_info_score", "normalized_mutual_info_score")
    scores = [float(getattr(metrics, name)(gold, system)) for name in calls]
    metrics.homogeneity_completeness_v_measure(gold, system)
    return scores[:1]


def ours_overlap(gold: Side, system: Side) -> list[float]:
    """Extended BCubed, precision and recall."""
    import plumbline  # noqa: PLC0415 - only the child needs it

    names = ("BCubedP", "BCubedR")
    return _means(plumbline.evaluate(gold, {"system": system}, list(names), task="clustering"), *names)


def pairs_overlap(gold: Side, system: Side) -> list[float]:
    """Extended BCubed by its definition: every item with every other."""
    sides = [_sets(frame) for frame in (gold, system)]
    totals = [0.0, 0.0]
    for item, clusters in sides[0].items():
        shared = [(len(clusters & sides[0][other]), len(sides[1][item] & sides[1][other])) for other in sides[0]]
        for place in (0, 1):
            met = [(min(pair) / pair[place]) for pair in shared if pair[place]]
            totals[place] += sum(met) / len(met)
    return [total / len(sides[0]) for total in reversed(totals)]


def python_bcubed(gold: Side, system: Side) -> list[float]:
    """The package bcubed, precision and recall."""
    import bcubed  # noqa: PLC0415 - only the child needs it

    classes, clusters = _sets(gold), _sets(system)
    return [bcubed.precision(clusters, classes), bcubed.recall(clusters, classes)]


def _sets(frame: Side) -> dict[str, set[int]]:
    results: dict[str, set[int]] = {}
    for item, cluster in frame.iter_rows():
        results.setdefault(item, set()).add(cluster)
    return results


TOOLS: dict[str, tuple[Callable[[int], tuple[Side, Side]], Callable[[Side, Side], list[float]]]] = {
    "plumbline, all partition metrics": (partition, ours_partition),
    "scikit-learn, ARI alone": (partition, learn_ari),
    "scikit-learn, 8 metrics": (partition, learn_all),
    "plumbline, extended BCubed": (overlapping, ours_overlap),
    "the quadratic definition": (overlapping, pairs_overlap),
    "python-bcubed": (overlapping, python_bcubed),
}


def child(tool: str, items: int) -> None:
    """Make the data, warm up on a little of it, time the run: the processor time of all threads."""
    make, run = TOOLS[tool]
    gold, system = make(items)
    run(gold[:50], system[:50] if make is partition else gold[:50])
    times: list[float] = []
    while not times or (sum(times) < AT_LEAST and len(times) < AT_MOST):
        start = time.process_time()
        values = run(gold, system)
        times.append(time.process_time() - start)
    print(median(times), *values)


def measure(tool: str, items: int, known: dict[int, list[float]]) -> tuple[float, float]:
    """Seconds and peak MiB of one run in a process of its own; another value than before ends the benchmark."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        arguments = [sys.executable, str(Path(__file__)), "--tool", tool, "--items", str(items)]
        process = subprocess.Popen(arguments, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            message = f"{tool} failed"
            raise RuntimeError(message)
        out.seek(0)
        seconds, *values = map(float, out.read().split())
    expected = known.setdefault(items, values)
    if any(abs(one - other) > TOLERANCE for one, other in zip(values, expected, strict=True)):
        message = f"{tool} finds {values} where {expected} was found before"
        raise RuntimeError(message)
    return seconds, usage.ru_maxrss / 1024


def table(tools: list[str], sizes: list[int]) -> None:
    """Interleaved rounds of all tools for every size, as Markdown, with the exponent of growth between sizes."""
    before: dict[str, tuple[int, float]] = {}
    known: dict[int, list[float]] = {}
    print("| items | tool | seconds of CPU (median) | ratio to ours (paired) | peak MiB | growth exponent |")
    print("|---:|---|---:|---:|---:|---:|")
    for items in sizes:
        chosen = [tool for tool in tools if tool not in QUADRATIC or items <= LARGEST_PAIRS]
        runs: dict[str, list[tuple[float, float]]] = {tool: [] for tool in chosen}
        for number in range(ROUNDS):
            for tool in chosen[number % len(chosen) :] + chosen[: number % len(chosen)]:
                runs[tool].append(measure(tool, items, known))
        ours = [seconds for seconds, _ in runs[tools[0]]]
        for tool in chosen:
            seconds = median(one for one, _ in runs[tool])
            ratio = median(theirs / mine for (theirs, _), mine in zip(runs[tool], ours, strict=True))
            last = before.get(tool)
            growth = "" if last is None else f"{log(seconds / last[1]) / log(items / last[0]):.2f}"
            before[tool] = (items, seconds)
            peak = max(mebibytes for _, mebibytes in runs[tool])
            print(f"| {items:,} | {tool} | {seconds:.4f} | {ratio:.2f} | {peak:.0f} | {growth} |", flush=True)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="Benchmarks of clusterings.")
    parser.add_argument("--most", type=int, default=1_000_000, help="the most items of a partition")
    parser.add_argument("--tool", choices=TOOLS)
    parser.add_argument("--items", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.tool:
        child(chosen.tool, chosen.items)
        return
    names = list(TOOLS)
    table(names[:3], [size for size in SIZES if size <= chosen.most])
    print()
    table(names[3:], list(OVERLAPS))


if __name__ == "__main__":
    main()
