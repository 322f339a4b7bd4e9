"""Comparing all pairs of systems at once against pair after pair, each run in a process of its own; start-up is not timed.

python benchmarks/comparing.py                      UIR, Fisher's randomization test and compare(), with all tools
python benchmarks/comparing.py --kind unanimity     only UIR
python benchmarks/comparing.py --kind compare       only compare(), up to the printed text, with its default test
python benchmarks/comparing.py --rounds 1           the same, but quicker

UIR: the loop over pairs is vectorised over cases and metrics. Both use one processor, and its time is measured, which depends
less on what else the machine does; likewise for compare(), where it is the time of all threads. Where a tool looks at a few
pairs only, its time is multiplied by the number of pairs. Values of all tools are compared: those of UIR to the last digit, p
values of randomization as far as draws differ by chance, p-values of t tests to 9 digits, and verdicts of the Nemenyi test. A
larger difference ends the benchmark.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Found = tuple[float, list[float]]
    """Seconds and values."""

ROUNDS = 3
PERMUTATIONS = 10_000
CHANCE = 6.0
"""Standard errors by which two p-values of the same pair may differ."""
TRIED = 4
"""Pairs that are looked at one after the other."""
QUICK = 400
"""As many, where a pair takes less than a millisecond."""
LEVEL = 0.05


@dataclass(frozen=True)
class World:
    """What one run is about."""

    kind: str
    systems: int
    cases: int
    metrics: int
    decimals: int = 2
    """Of the scores: those with two are compared faster."""

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return self.systems * (self.systems - 1) // 2


WORLDS = [
    World("unanimity", 500, 1_000, 2),
    World("unanimity", 500, 1_000, 2, decimals=9),
    World("unanimity", 200, 10_000, 4),
    World("unanimity", 200, 10_000, 4, decimals=9),
    World("randomization", 100, 1_000, 1),
    *(World(kind, 100, 50, 1, decimals=9) for kind in ("compare", "compare by t", "compare by Nemenyi")),
    *(World(kind, 500, 1_000, 4, decimals=9) for kind in ("compare", "compare by t", "compare by Nemenyi")),
]


def drawn(world: World) -> Numbers:
    """Scores `[metric, system, case]`: cases differ in difficulty, systems a little in quality."""
    generator = np.random.default_rng(world.cases)
    shape = (world.metrics, world.systems, world.cases)
    difficulty, quality = generator.random(world.cases), np.linspace(0.0, 0.04, world.systems)[:, None]
    return np.asarray((0.6 * difficulty + quality + 0.36 * generator.random(shape)).round(world.decimals))


def digest(a_ge_b: NDArray[np.int64], equal: NDArray[np.int64]) -> list[float]:
    """Numbers in which every count has a weight of its own."""
    weights = np.random.default_rng(0).integers(1, 1_000, a_ge_b.shape)
    np.fill_diagonal(weights, 0)
    return [float((weights * table).sum()) for table in (a_ge_b, equal)]


def ours_unanimity(values: Numbers) -> Found:
    """All pairs at once."""
    from plumbline.comparison.cube import Cube  # noqa: PLC0415 - only the child needs it
    from plumbline.comparison.unanimity.unanimity import unanimity  # noqa: PLC0415

    metrics, systems, cases = (tuple(map(str, range(size))) for size in values.shape)
    start = time.process_time()
    result = unanimity(Cube(metrics, systems, cases, values, np.zeros(len(metrics), dtype=np.bool_)))
    seconds = time.process_time() - start
    return seconds, digest(result.a_ge_b, result.equal)


def loop_unanimity(values: Numbers) -> Found:
    """Pair after pair, all cases and metrics at once."""
    systems = values.shape[1]
    a_ge_b, equal = np.zeros((2, systems, systems), dtype=np.int64)
    start = time.process_time()
    scores = np.ascontiguousarray(values.transpose(1, 0, 2))
    for a in range(systems):
        for b in range(a + 1, systems):
            there, back = (scores[a] >= scores[b]).all(axis=0), (scores[a] <= scores[b]).all(axis=0)
            a_ge_b[a, b], a_ge_b[b, a] = np.count_nonzero(there), np.count_nonzero(back)
            equal[a, b] = equal[b, a] = np.count_nonzero(there & back)
    seconds = time.process_time() - start
    return seconds, digest(a_ge_b, equal)


def tried(systems: int) -> list[tuple[int, int]]:
    """A few pairs: neighbours, whose p is large, up to systems that lie further apart."""
    return [(0, min(1 + step * systems // 12, systems - 1)) for step in range(TRIED)]


def ours_randomization(values: Numbers) -> Found:
    """All pairs at once."""
    from plumbline.comparison.significance.randomization import randomization  # noqa: PLC0415 - only the child needs it

    start = time.perf_counter()
    result = randomization(values[0], resamples=PERMUTATIONS)
    seconds = time.perf_counter() - start
    return seconds, [float(result.p[pair]) for pair in tried(len(values[0]))]


def pair_by_pair(
    test: Callable[[Numbers, Numbers], float], values: Numbers, clock: Callable[[], float], least: int = TRIED
) -> Found:
    """A few pairs, and the time as if it were all of all metrics."""
    scores, pairs = values[0], tried(len(values[0]))
    start = clock()
    results = [test(scores[a], scores[b]) for a, b in pairs * (least // len(pairs))]
    seconds = (clock() - start) / len(results)
    return seconds * len(values) * len(scores) * (len(scores) - 1) / 2, results[: len(pairs)]


def scipy_randomization(values: Numbers, clock: Callable[[], float] = time.perf_counter) -> Found:
    """Scipy's permutation test of the differences, whose signs are drawn."""
    from scipy.stats import permutation_test  # noqa: PLC0415 - only the child needs it

    def mean(differences: Numbers, axis: int) -> Numbers:
        return np.asarray(differences.mean(axis=axis))

    def test(a: Numbers, b: Numbers) -> float:
        drawing = np.random.default_rng(1)
        result = permutation_test(
            (a - b,), mean, permutation_type="samples", n_resamples=PERMUTATIONS, vectorized=True, rng=drawing
        )
        return float(result.pvalue)

    return pair_by_pair(test, values, clock)


def ranx_randomization(values: Numbers, clock: Callable[[], float] = time.perf_counter) -> Found:
    """Ranx's test, compiled, on all processors: what its compare() calls for every pair and metric."""
    from ranx.statistical_tests import fisher_randomization_test  # noqa: PLC0415 - only the child needs it

    return pair_by_pair(lambda a, b: float(fisher_randomization_test(a, b, n_permutations=PERMUTATIONS)[0]), values, clock)


def ours_compare(values: Numbers, test: str) -> Found:
    """compare() from a data frame to the printed text: all pairs, metrics, corrections, intervals, weightings, bands."""
    import polars as pl  # noqa: PLC0415 - only the child needs it

    import plumbline  # noqa: PLC0415

    metrics, systems, cases = (np.arange(size).astype(str) for size in values.shape)
    names = {"system": np.repeat(systems, len(cases)), "case": np.tile(cases, len(systems))}
    frame = pl.DataFrame({**names, **{f"m{metric}": table.ravel() for metric, table in zip(metrics, values, strict=True)}})
    start = time.process_time()
    comparison = plumbline.compare(frame, test=test)
    str(comparison)
    seconds = time.process_time() - start
    p = [float(comparison.measures[0].test.p[pair]) for pair in tried(len(systems))]
    return seconds, [float(one < LEVEL) for one in p] if test == "nemenyi" else p


def scipy_t(values: Numbers) -> Found:
    """Scipy's paired t test."""
    from scipy.stats import ttest_rel  # noqa: PLC0415 - only the child needs it

    return pair_by_pair(lambda a, b: float(ttest_rel(a, b).pvalue), values, time.process_time, QUICK)


def autorank_nemenyi(values: Numbers) -> Found:
    """Autorank with the test of Friedman and Nemenyi, metric after metric."""
    import pandas as pd  # noqa: PLC0415 - only the child needs it
    from autorank import autorank  # noqa: PLC0415

    frames = [pd.DataFrame(table.T, columns=[str(at) for at in range(len(table))]) for table in values]
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        results = [autorank(frame, alpha=LEVEL, force_mode="nonparametric") for frame in frames]
    seconds = time.process_time() - start
    ranks = results[0].rankdf["meanrank"]
    return seconds, [float(abs(ranks[str(a)] - ranks[str(b)]) > results[0].cd) for a, b in tried(len(values[0]))]


TOOLS: dict[str, dict[str, Callable[[Numbers], Found]]] = {
    "unanimity": {"plumbline": ours_unanimity, "a loop over pairs": loop_unanimity},
    "randomization": {
        "plumbline": ours_randomization,
        f"scipy, {TRIED} pairs, extrapolated": scipy_randomization,
        f"ranx, {TRIED} pairs, extrapolated": ranx_randomization,
    },
    "compare": {
        "plumbline": partial(ours_compare, test="randomization"),
        f"scipy permutation_test, {TRIED} pairs, extrapolated": partial(scipy_randomization, clock=time.process_time),
        f"ranx, {TRIED} pairs, extrapolated": partial(ranx_randomization, clock=time.process_time),
    },
    "compare by t": {
        "plumbline": partial(ours_compare, test="t"),
        f"scipy ttest_rel, {QUICK} calls, extrapolated": scipy_t,
    },
    "compare by Nemenyi": {"plumbline": partial(ours_compare, test="nemenyi"), "autorank": autorank_nemenyi},
}
DRAWN = {"randomization", "compare"}
"""The kinds whose p-values depend on draws."""


def child(tool: str, world: World) -> None:
    """Make the data, warm up on a little of it, time the run; seconds and values."""
    run, values = TOOLS[world.kind][tool], drawn(world)
    run(np.ascontiguousarray(values[:, :TRIED, :50]))
    seconds, result = run(values)
    print(seconds, *result)


def measure(tool: str, world: World) -> tuple[float, float, list[float]]:
    """Seconds, peak MiB and values of one run in a process of its own."""
    arguments = ["--tool", tool, *(f"--{name}={value}" for name, value in asdict(world).items())]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # several threads of a busy machine wait for each other
        process = subprocess.Popen([sys.executable, str(Path(__file__)), *arguments], stdout=out, env=alone)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            message = f"{tool} failed"
            raise RuntimeError(message)
        out.seek(0)
        seconds, *values = map(float, out.read().split())
    return seconds, usage.ru_maxrss / 1024, values


def compare(tool: str, world: World, expected: list[float], actual: list[float]) -> None:
    """Another value ends the benchmark."""
    for one, other in zip(expected, actual, strict=True):
        variance = one * (2.0 - one)  # of scipy, which doubles the smaller tail; others vary less
        chance = CHANCE * np.sqrt(2.0 * max(variance, 1.0 / PERMUTATIONS) / PERMUTATIONS)
        rounding = 0.0 if world.kind == "unanimity" else 1e-9 * one
        if abs(one - other) > (chance if world.kind in DRAWN else rounding):
            message = f"{tool}, {world}: {actual} where {expected} was found before"
            raise RuntimeError(message)


def table(world: World, rounds: int) -> None:
    """Interleaved rounds of all tools, as lines of the table."""
    missing = tuple(peer for peer in ("ranx", "autorank") if find_spec(peer) is None)
    tools = [tool for tool in TOOLS[world.kind] if not tool.startswith(missing)]
    runs: dict[str, list[tuple[float, float]]] = {tool: [] for tool in tools}
    expected: list[float] | None = None
    for number in range(rounds):
        for tool in tools[number % len(tools) :] + tools[: number % len(tools)]:
            seconds, peak, values = measure(tool, world)
            expected = values if expected is None else expected
            compare(tool, world, expected, values)
            runs[tool].append((seconds, peak))
    mine = [seconds for seconds, _ in runs["plumbline"]]
    for tool in tools:
        seconds = median(one for one, _ in runs[tool])
        ratio = median(one / ours for (one, _), ours in zip(runs[tool], mine, strict=True))
        shape = f"{world.systems} x {world.cases:,} x {world.metrics}"
        what = f"| {world.kind} | {shape} | {world.decimals} | {world.pairs:,} | {tool} |"
        print(f"{what} {seconds:.3f} | {ratio:.1f} | {max(peak for _, peak in runs[tool]):.0f} |", flush=True)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="Benchmarks of comparing systems.")
    parser.add_argument("--kind", choices=["all", *TOOLS], default="all")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--tool", help=argparse.SUPPRESS)
    for name in ("systems", "cases", "metrics", "decimals"):
        parser.add_argument(f"--{name}", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.tool:
        child(chosen.tool, World(chosen.kind, chosen.systems, chosen.cases, chosen.metrics, chosen.decimals))
        return
    print(
        "| kind | systems x cases x metrics | decimals | pairs | tool | seconds (median) | ratio to ours (paired) | peak MiB |"
    )
    print("|---|---|---:|---:|---|---:|---:|---:|")
    for world in WORLDS:
        if chosen.kind in {"all", world.kind}:
            table(world, chosen.rounds)


if __name__ == "__main__":
    main()
