"""What comparing more scores than fit into memory takes: CPU seconds and peak memory by command, systems and cases.

    python benchmarks/comparing_large.py --systems 1000 --cases 100000 --folder /data

The scores are a dataset, as `plumbline evaluate --per-case` writes it, which is made once and stays in the folder. Each command
is a process of its own. `private` is the peak of the memory that a process cannot give back, which is what a limit of memory is
about; pages of temporary files count as `resident`, but the system takes them back where memory is short (Linux only).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import plumbline
from plumbline.io.scores.dataset.layout import Manifest
from plumbline.io.scores.dataset.reading import open_dataset
from plumbline.io.scores.dataset.writing import write_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator

METRICS = ("AP", "nDCG@10")
OFTEN = 0.05
"""Seconds between two looks at the memory of a process."""


def made(folder: Path, systems: int, cases: int) -> Path:
    """A dataset of scores of two metrics: cases differ most, systems a little, and the metrics agree by about two thirds."""
    place = folder / f"scores-{systems}-{cases}"
    if place.exists():
        return place
    small = folder / "small"
    gold = {"1": {"a": 1}}
    plumbline.evaluate(gold, {"one": {"1": {"a": 1.0}}}, list(METRICS)).save(f"{small}/", force=True)
    names = tuple(f"system-{number:04}" for number in range(systems))
    facts = {**open_dataset(small).manifest.facts, "mean": _means(names, cases)}
    facts["made"] = {**facts["made"], "systems": list(names), "tags": [None] * systems, "cases": cases}
    manifest = Manifest(names, METRICS, (), tuple(f"q{number:07}" for number in range(cases)), facts)
    write_dataset(f"{place}/", manifest, _frames(systems, cases))
    return place


def _means(names: tuple[str, ...], cases: int) -> dict[str, list[Any]]:
    """The means of all systems as a dataset keeps them; the scores are drawn once more for them."""
    rows = [
        (name, metric, fsum(frame[metric]) / cases, cases, 0, 0)
        for name, frame in zip(names, _frames(len(names), cases), strict=True)
        for metric in METRICS
    ]
    fields = ("system", "metric", "value", "cases", "missing", "undefined")
    return {field: list(column) for field, column in zip(fields, zip(*rows, strict=True), strict=True)}


def _frames(systems: int, cases: int) -> Iterator[pl.DataFrame]:
    draw = np.random.default_rng(1)
    difficulty = draw.normal(0.0, 1.0, cases)
    names = [f"q{number:07}" for number in range(cases)]
    for skill in np.sort(draw.normal(0.0, 0.1, systems)):
        common = difficulty + skill + draw.normal(0.0, 0.5, cases)
        columns = {name: 1 / (1 + np.exp(-common - draw.normal(0.0, 0.3, cases))) for name in METRICS}
        yield pl.DataFrame({"case": names, **{name: np.round(values, 6) for name, values in columns.items()}})


def measured(command: list[str]) -> tuple[float, float, float, float, str]:
    """Seconds, CPU seconds, the peaks of private and of resident MiB, and what was printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen([sys.executable, "-m", "plumbline", *command], stdout=printed, stderr=subprocess.STDOUT)
        private = resident = 0.0
        while process.poll() is None:
            now = _memory(process.pid)
            private, resident = max(private, now[0]), max(resident, now[1])
            time.sleep(OFTEN)
        printed.seek(0)
        text = printed.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu, private, resident, text


def _memory(process: int) -> tuple[float, float]:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    held = {
        name: float(rest.split()[0]) / 1024
        for name, _, rest in (line.partition(":") for line in lines)
        if name.startswith("Rss")
    }
    return held.get("RssAnon", 0.0), sum(held.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=1_000)
    parser.add_argument("--cases", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--commands", nargs="+", default=["compare"])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "plumbline-scale")
    parser.add_argument("--show", action="store_true", help="also what the commands print")
    given, further = parser.parse_known_args()
    given.folder.mkdir(exist_ok=True, parents=True)
    print(f"{os.cpu_count()} cores; {given.systems:,} systems, {len(METRICS)} metrics {' '.join(further)}")
    print(f"{'command':<10}{'cases':>10}{'seconds':>10}{'CPU s':>9}{'private MiB':>13}{'resident MiB':>14}")
    for cases in given.cases:
        place = made(given.folder, given.systems, cases)
        for command in given.commands:
            seconds, cpu, private, resident, text = measured([command, str(place), *further])
            print(f"{command:<10}{cases:>10,}{seconds:>10.1f}{cpu:>9.1f}{private:>13,.0f}{resident:>14,.0f}", flush=True)
            if given.show:
                print(text)


if __name__ == "__main__":
    main()
