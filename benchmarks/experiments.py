"""Experiments against tea-tasting on polars; all values are compared first.

python benchmarks/experiments.py                   ten million units, five metrics
python benchmarks/experiments.py --units 1000000   fewer, and quicker

Processor time is measured, which depends less on what else the machine does. Both read the same frame in memory, and then the
same Parquet file, in a process of its own whose largest memory is printed. A difference of values ends the benchmark.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl

import plumbline

METRICS = ["orders", "bought", "revenue", "seconds", "clicks / views"]
FIELDS = {"difference": "effect_size", "low": "effect_size_ci_lower", "high": "effect_size_ci_upper", "p": "pvalue"}
CLOSE = 1e-6


def users(count: int) -> pl.DataFrame:
    """Users of two arms, without names: tea-tasting does not look for units in two arms."""
    draw = np.random.default_rng(1)
    views = draw.integers(1, 20, count)
    return pl.DataFrame(
        {
            "variant": draw.integers(0, 2, count),
            "orders": draw.poisson(0.5, count),
            "bought": draw.random(count) < 0.1,
            "revenue": draw.exponential(5.0, count),
            "seconds": draw.lognormal(3, 1, count),
            "clicks": draw.binomial(views, 0.1),
            "views": views,
        }
    )


def ours(source: Any) -> dict[str, dict[str, float]]:  # noqa: ANN401 - a frame or a path
    """Every metric by plumbline; shares as means, as the peer has them."""
    rows = plumbline.experiment(source, METRICS, proportions="welch").effects.iter_rows(named=True)
    return {row["metric"]: {name: row[name] for name in FIELDS} for row in rows}


def theirs(source: Any) -> dict[str, dict[str, float]]:  # noqa: ANN401 - as above
    """Every metric by tea-tasting."""
    tt = import_module("tea_tasting")  # a peer that may not be installed

    data = pl.scan_parquet(source) if isinstance(source, str) else source
    asked = {
        name: tt.RatioOfMeans(*(part.strip() for part in name.split("/"))) if "/" in name else tt.Mean(name) for name in METRICS
    }
    result = tt.Experiment(asked).analyze(data.with_columns(pl.col("bought").cast(pl.Float64)))
    return {name: {mine: getattr(result[name], its) for mine, its in FIELDS.items()} for name in METRICS}


WAYS = {"plumbline": ours, "tea-tasting": theirs}


def compare(source: Any) -> None:  # noqa: ANN401 - as above
    """End the benchmark if values differ."""
    one, other = ours(source), theirs(source)
    for name, values in one.items():
        for field, value in values.items():
            if not abs(value - other[name][field]) <= CLOSE * max(abs(value), CLOSE):
                sys.exit(f"{name}, {field}: {value} and {other[name][field]}")


def timed(way: str, source: Any, rounds: int) -> tuple[float, float]:  # noqa: ANN401 - as above
    """The median of processor time and of time."""
    work, spent = WAYS[way], []
    for _ in range(rounds):
        start, wall = time.process_time(), time.perf_counter()
        work(source)
        spent.append((time.process_time() - start, time.perf_counter() - wall))
    return median(one for one, _ in spent), median(one for _, one in spent)


def alone(way: str, path: str) -> None:
    """Read a file in this process, and print its time and the largest memory."""
    WAYS[way](users(1_000))  # what is imported, and what is made at the first use
    before = memory("VmRSS")
    processor, wall = timed(way, path, 1)
    print(processor, wall, memory("VmHWM") - before)


def memory(name: str) -> float:
    """The memory of this process in MB, now or the most that it had: as Linux counts it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def main() -> None:
    """Compare, then measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", nargs=2, metavar=("WAY", "FILE"))
    given = parser.parse_args()
    if given.alone:
        alone(*given.alone)
        return
    frame = users(given.units)
    compare(frame)
    print(f"{given.units:,} units, {len(METRICS)} metrics; values are equal to {CLOSE:g}")
    for way in WAYS:
        processor, wall = timed(way, frame, given.rounds)
        print(f"frame in memory, {way}: {processor:.2f} s of the processor, {wall:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for count in (given.units // 10, given.units):
            path = str(Path(folder) / f"{count}.parquet")
            frame.head(count).write_parquet(path)
            for way in WAYS:
                command = [sys.executable, __file__, "--alone", way, path]
                ran = subprocess.run(command, capture_output=True, text=True, check=True)
                processor, wall, more = map(float, ran.stdout.split())
                print(
                    f"Parquet file of {count:,}, {way}: {processor:.2f} s of the processor, {wall:.2f} s, {more:,.0f} MB more"
                )


if __name__ == "__main__":
    main()
