"""Reliability and Sensitivity against their quadratic definition, each run in a process of its own; start-up is not timed.

python benchmarks/relations.py                        up to a million documents, the definition up to 20,000
python benchmarks/relations.py --most 20000           the same, but smaller
python benchmarks/relations.py --kind files           only what Rel and Sens add to an evaluation of files
python benchmarks/relations.py --repeated 100000      also where so many documents occur twice

A ranking of n documents, each with a score of its own, against a gold of 2, 4 or n levels; each side lacks a tenth of the
documents, and a share of those it has occurs twice. Clusters hold about ten documents; in four of five cases both sides agree.
Values of all tools are compared, and a difference ends the benchmark.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from relations_definition import Occurrences, priority, priority_once, relatedness
from workloads import Workload, build

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]

SIZES = (1_000, 10_000, 20_000, 100_000, 1_000_000)
LEVELS = ("2", "4", "n")
SHARES = (0.0, 0.01, 0.1)
ROUNDS = 3
SLOW = 10.0
"""Seconds after which one round is enough."""
AT_LEAST = 0.2
"""Seconds for which short runs are repeated, at most so often:"""
AT_MOST = 20
TOLERANCE = 1e-12
LARGEST_PAIRS = 20_000
"""Beyond this size what is quadratic takes too long, or too much memory."""
FILES = Workload("10 systems x 50 x 1000", 50, systems=10)
FILE_TOOLS = {"AP": ["AP"], "AP, Rel, Sens": ["AP", "Rel", "Sens"]}


@dataclass(frozen=True)
class World:
    """What one run is about."""

    kind: str
    levels: str
    share: float
    documents: int


def drawn(world: World) -> tuple[Occurrences, Occurrences]:
    """The system's side and the gold's; documents are numbered as the system ranks them first."""
    n = world.documents
    generator = np.random.default_rng(n)
    clusters = max(2, n // 10)
    classes = generator.integers(0, clusters, n)
    result = np.where(generator.random(n) < 0.8, classes, generator.integers(0, clusters, n))
    system = _occurring(n, world.share, result, clusters, generator)
    gold = _occurring(n, world.share, classes, clusters, generator)
    place = generator.permutation(len(system.doc))
    system = system.taken(np.argsort(place), np.arange(len(place)))
    count = len(gold.doc)
    grade = generator.permutation(count) if world.levels == "n" else generator.integers(0, int(world.levels), count)
    order = np.argsort(grade, kind="stable")
    gold = gold.taken(order, np.unique(grade[order], return_inverse=True)[1])
    first = np.full(n, count * 2)
    np.minimum.at(first, system.doc, system.level)
    number = np.empty(n, dtype=np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(n)
    return system.renumbered(number), gold.renumbered(number)


def _occurring(n: int, share: float, cluster: Whole, clusters: int, generator: np.random.Generator) -> Occurrences:
    """Nine documents of ten, and a share of them once more, in the next cluster."""
    there = np.flatnonzero(generator.random(n) < 0.9)
    again = generator.choice(there, int(share * len(there)), replace=False)
    doc = np.concatenate((there, again))
    return Occurrences(doc, np.zeros_like(doc), np.concatenate((cluster[there], (cluster[again] + 1) % clusters)))


def ours(kind: str) -> Callable[[World], Callable[[], list[float]]]:
    """The view of one kind of relations."""

    def prepared(world: World) -> Callable[[], list[float]]:
        from plumbline.align.sides import Side, Sides  # noqa: PLC0415 - only the child needs it
        from plumbline.views.relations import Relations, Setting  # noqa: PLC0415

        made = [Side(np.zeros_like(side.doc), side.level, side.doc, side.cluster) for side in drawn(world)]
        sides = Sides(1, np.zeros(world.documents, dtype=np.int64), made[0], made[1])
        over: Any = kind

        def run() -> list[float]:
            view = Relations(lambda _: [sides])
            setting = Setting(tail_credit="false", absent="tail")
            return [float(view.value("Rel", over, setting)[0]), float(view.value("Sens", over, setting)[0])]

        return run

    return prepared


def theirs(definition: Callable[[Occurrences, Occurrences, int], list[float]]) -> Callable[[World], Callable[[], list[float]]]:
    """The definition, pair by pair."""

    def prepared(world: World) -> Callable[[], list[float]]:
        system, gold = drawn(world)
        return lambda: definition(system, gold, world.documents)

    return prepared


OURS = "plumbline"
ONCE = "the definition, if none occurs twice"
TOOLS: dict[str, dict[str, Callable[[World], Callable[[], list[float]]]]] = {
    "priority": {OURS: ours("priority"), "the definition": theirs(priority), ONCE: theirs(priority_once)},
    "related": {OURS: ours("related"), "the definition": theirs(relatedness)},
}


def child(tool: str, world: World) -> None:
    """Make the data, warm up on a little of it, time the run; seconds, KiB that were needed and values."""
    make = TOOLS[world.kind][tool]
    make(World(world.kind, world.levels, 0.1 if world.share and tool != ONCE else 0.0, 50))()
    run = make(world)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times: list[float] = []
    values: list[float] = []
    while not times or (sum(times) < AT_LEAST and len(times) < AT_MOST):
        start = time.process_time()
        values = run()
        times.append(time.process_time() - start)
    print(median(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, *values)


@dataclass(frozen=True)
class Measured:
    """One run of a tool."""

    seconds: float
    mebibytes: float
    needed: float
    """KiB that the run itself added to the peak."""
    values: list[float]


def measure(arguments: list[str]) -> Measured:
    """One run in a process of its own."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # several threads of a busy machine wait for each other
        process = subprocess.Popen([sys.executable, str(Path(__file__)), *arguments], stdout=out, env=alone)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            message = f"{' '.join(arguments)} failed"
            raise RuntimeError(message)
        out.seek(0)
        seconds, needed, *values = map(float, out.read().split())
    return Measured(seconds, usage.ru_maxrss / 1024, needed, values)


def compare(what: str, expected: list[float], actual: list[float]) -> None:
    """Another value ends the benchmark."""
    if any(not abs(one - other) <= TOLERANCE for one, other in zip(expected, actual, strict=True)):
        message = f"{what}: {actual} where {expected} was found before"
        raise RuntimeError(message)


def rounds(world: World, tools: list[str], most: int) -> dict[str, list[Measured]]:
    """Interleaved rounds of all tools; once where a tool is slow."""
    runs: dict[str, list[Measured]] = {tool: [] for tool in tools}
    expected: list[float] | None = None
    for number in range(most):
        for tool in tools[number % len(tools) :] + tools[: number % len(tools)]:
            if runs[tool] and runs[tool][0].seconds > SLOW:
                continue
            options = {"kind": world.kind, "levels": world.levels, "share": world.share, "documents": world.documents}
            result = measure(["--tool", tool, *(f"--{name}={value}" for name, value in options.items())])
            expected = result.values if expected is None else expected
            compare(f"{tool}, {world}", expected, result.values)
            runs[tool].append(result)
    return runs


def series(kind: str, levels: str, share: float, chosen: argparse.Namespace) -> None:
    """One size after the other, as lines of the table, with the exponent of growth between sizes."""
    before: dict[str, tuple[int, float]] = {}
    for documents in (size for size in SIZES if size <= chosen.most):
        if share * documents > chosen.repeated:
            continue
        tools = [tool for tool in TOOLS[kind] if tool == OURS or (documents <= LARGEST_PAIRS and (tool != ONCE or not share))]
        runs = rounds(World(kind, levels, share, documents), tools, chosen.rounds)
        for tool in tools:
            seconds = median(one.seconds for one in runs[tool])
            of_ours = [one.seconds for one in runs[OURS]]
            ratio = median(one.seconds / base for one, base in zip(runs[tool], of_ours, strict=False))
            last = before.get(tool)
            growth = "" if last is None else f"{log(seconds / last[1]) / log(documents / last[0]):.2f}"
            before[tool] = (documents, seconds)
            peak, needed = max(one.mebibytes for one in runs[tool]), max(one.needed for one in runs[tool])
            start = f"| {kind} | {levels} | {share:.0%} | {documents:,} | {tool} | {seconds:.4f} | {ratio:.1f} |"
            print(f"{start} {peak:.0f} | {needed * 1024 / documents:,.0f} | {growth} |", flush=True)


def views(chosen: argparse.Namespace) -> None:
    """The table of both kinds of relations."""
    head = "kind", "gold levels", "twice", "documents", "tool", "seconds (median)", "ratio to ours (paired)"
    print(f"| {' | '.join(head)} | peak MiB | bytes per document | growth exponent |")
    print("|---|---:|---:|---:|---|---:|---:|---:|---:|---:|")
    for kind in TOOLS if chosen.kind == "all" else [chosen.kind]:
        for levels in LEVELS:
            for share in SHARES:
                series(kind, levels, share, chosen)


def files_child(tool: str, gold: str, runs: list[str]) -> None:
    """Evaluate files after a warm-up; the values are the means of AP."""
    import plumbline  # noqa: PLC0415 - only the child needs it

    plumbline.evaluate(gold, runs[:1], FILE_TOOLS[tool])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    scores = plumbline.evaluate(gold, runs, FILE_TOOLS[tool])
    seconds = time.process_time() - start
    means = [value for metric, value in scores.mean.select("metric", "value").iter_rows() if metric == "AP"]
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, *means)


def files(chosen: argparse.Namespace) -> None:
    """What Rel and Sens add to an evaluation of ranking files with AP."""
    gold, runs = build(FILES, chosen.folder)
    results: dict[str, list[Measured]] = {tool: [] for tool in FILE_TOOLS}
    for number in range(chosen.rounds):
        for tool in list(FILE_TOOLS)[:: 1 if number % 2 else -1]:
            results[tool].append(measure(["--tool", tool, "--files", str(gold), *map(str, runs)]))
            compare(tool, results[tool][0].values, results[tool][-1].values)
    compare(FILES.name, *(rows[0].values for rows in results.values()))
    print("| workload | metrics | seconds (median) | ratio to AP alone (paired) | peak MiB |\n|---|---|---:|---:|---:|")
    for tool, rows in results.items():
        ratio = median(one.seconds / alone.seconds for one, alone in zip(rows, results["AP"], strict=True))
        peak = max(one.mebibytes for one in rows)
        print(f"| {FILES.name} | {tool} | {median(one.seconds for one in rows):.3f} | {ratio:.2f} | {peak:.0f} |")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="Benchmarks of Reliability and Sensitivity.")
    parser.add_argument("--kind", choices=["all", *TOOLS, "files"], default="all")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the most documents")
    parser.add_argument("--repeated", type=int, default=10_000, help="the most documents that may occur twice")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "plumbline-bench", help="for files")
    parser.add_argument("--tool", help=argparse.SUPPRESS)
    parser.add_argument("--levels", default="2", help=argparse.SUPPRESS)
    parser.add_argument("--share", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--documents", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--files", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.files:
        files_child(chosen.tool, chosen.files[0], chosen.files[1:])
    elif chosen.tool:
        child(chosen.tool, World(chosen.kind, chosen.levels, chosen.share, chosen.documents))
    else:
        if chosen.kind != "files":
            views(chosen)
        if chosen.kind in {"all", "files"}:
            print()
            files(chosen)


if __name__ == "__main__":
    main()
