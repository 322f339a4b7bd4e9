"""What an evaluation in parts costs: seconds, CPU and peak memory by engine and number of rows.

    python benchmarks/scale.py --rows 1e6 1e7 --engines whole local
    python benchmarks/scale.py --rows 1e7 --engines spark --cluster spark://host:7077
    python benchmarks/scale.py --rows 1e8 --engines local --memory 1GB --folder /data

Every run is a process of its own. Data are made once and stay in the folder: one Parquet file, a system of 500 items a case.
`scattered` has the rows of each two million in a random order, so that no list is in one place. `spans` are entities in
documents of 20, of which the gold has as many:

    python benchmarks/scale.py --rows 1e6 1e7 --engines "whole spans" "local spans"
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

ITEMS = 500
"""Items of a list."""
JUDGED = 50
"""Judged items of a case, of which the lists show about half."""
METRICS: tuple[str, ...] = ("AP", "nDCG@10", "P@10", "RR", "R@100", "Bpref", "ERR@20")
OF_SPANS: tuple[str, ...] = ("F(P,R)", "P(match=partial,average=macro)", "R(match=type)")
SPANS = 20
"""Spans of a document."""
TOGETHER = 2_000_000
"""Rows that are made at a time."""
SHOWN = """
import json, resource, sys, time
import plumbline
gold, run, metrics, options = json.loads(sys.argv[1])
start = time.perf_counter()
scores = plumbline.evaluate(gold, run, metrics, **options)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([seconds, peak, scores.mean["value"].to_list()]))
"""


def made(folder: Path, rows: int, *, scattered: bool) -> tuple[Path, Path]:
    """The gold and a run of so many rows."""
    cases = rows // ITEMS
    gold, run = folder / f"gold-{rows}.parquet", folder / f"{'scattered' if scattered else 'run'}-{rows}.parquet"
    if not gold.exists():
        draw = np.random.default_rng(1)
        case = np.repeat(np.arange(cases), JUDGED)
        grade = draw.integers(0, 3, len(case)).astype(np.float64)
        frame = pl.DataFrame({"case": case, "item": np.tile(np.arange(JUDGED) * 2, cases), "grade": grade})
        _named(frame).write_parquet(gold)
    if not run.exists():
        parts = [
            _written(folder / f"part-{start}.parquet", start, min(start + TOGETHER // ITEMS, cases), scattered=scattered)
            for start in range(0, cases, TOGETHER // ITEMS)
        ]
        pl.scan_parquet(parts).sink_parquet(run, row_group_size=250_000)
        for part in parts:
            part.unlink()
    return gold, run


def made_spans(folder: Path, rows: int) -> tuple[Path, Path]:
    """A gold of so many spans, and as many that are right, or a little beside, or of another type."""
    paths = folder / f"gold-spans-{rows}.parquet", folder / f"spans-{rows}.parquet"
    for at, path in enumerate(paths):
        if path.exists():
            continue
        parts = []
        for first in range(0, rows, TOGETHER):
            draw = np.random.default_rng(first)
            number = np.arange(first, min(first + TOGETHER, rows))
            start, label = number % SPANS * 30, draw.integers(0, 3, len(number))
            length = draw.integers(3, 20, len(number))
            if at:
                start, label = start + (draw.random(len(number)) < 0.2), (label + (draw.random(len(number)) < 0.1)) % 3
            columns = {"document": number // SPANS, "start": start, "end": start + length, "label": label}
            part = folder / f"part-{at}-{first}.parquet"
            names = pl.format("d{}", "document").alias("document"), pl.format("T{}", "label").alias("label")
            frame = pl.DataFrame(columns).with_columns(names)
            frame.write_parquet(part, row_group_size=250_000)
            parts.append(part)
        pl.scan_parquet(parts).sink_parquet(path, row_group_size=250_000)
        for part in parts:
            part.unlink()
    return paths


def _written(path: Path, first: int, last: int, *, scattered: bool) -> Path:
    """Lists of these cases; scattered rows are in a random order within two million."""
    draw = np.random.default_rng(first + 2)
    case = np.repeat(np.arange(first, last), ITEMS)
    item = np.tile(np.arange(ITEMS), last - first)
    if scattered:
        order = draw.permutation(len(case))
        item, case = item[order], case[order]
    frame = pl.DataFrame({"case": case, "item": item, "score": draw.random(len(case))})
    _named(frame).write_parquet(path, row_group_size=250_000)
    return path


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.format("q{}", "case").alias("case"), pl.format("doc-{}", "item").alias("item"))


def measured(
    files: tuple[Path, Path], metrics: tuple[str, ...], options: dict[str, str]
) -> tuple[float, float, float, float, list[float]]:
    """Seconds of the process, seconds of the evaluation, CPU seconds, peak MiB, and the means."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    asked = json.dumps([*map(str, files), metrics, options])
    ended = subprocess.run([sys.executable, "-c", SHOWN, asked], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    inside, peak, means = json.loads(ended.stdout.splitlines()[-1])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, inside, cpu, peak, means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6])
    parser.add_argument("--engines", nargs="+", default=["whole", "local", "local scattered"])
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--cluster")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "plumbline-scale")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True, parents=True)
    print(f"{os.cpu_count()} cores; {ITEMS} items a list, {len(METRICS)} metrics, memory {given.memory}")
    print(f"{'engine':<18}{'rows':>13}{'process s':>11}{'inside s':>10}{'CPU s':>9}{'peak MiB':>10}  means")
    for rows in map(int, given.rows):
        means_of = dict[str, list[float]]()
        for name in given.engines:
            engine, _, form = name.partition(" ")
            options = {} if engine == "whole" else {"engine": engine, "memory": given.memory}
            options |= {"cluster": given.cluster} if given.cluster and engine not in {"whole", "local"} else {}
            if form == "spans":
                files, metrics, options = made_spans(given.folder, rows), OF_SPANS, options | {"task": "extraction"}
            else:
                files, metrics = made(given.folder, rows, scattered=form == "scattered"), METRICS
            seconds, inside, cpu, peak, means = measured(files, metrics, options)
            expected = means_of.setdefault(form, means)
            same = "first" if expected is means else "equal" if means == expected else "DIFFERENT"
            print(f"{name:<18}{rows:>13,}{seconds:>11.1f}{inside:>10.1f}{cpu:>9.1f}{peak:>10,.0f}  {same}", flush=True)


if __name__ == "__main__":
    main()
