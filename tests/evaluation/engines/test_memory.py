"""The limit of memory holds, also with a large gold: the evaluation keeps within it, or is refused with what it would take."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.evaluation.engines.plan import explained
from plumbline.evaluation.evaluation import evaluation_of

if TYPE_CHECKING:
    from pathlib import Path

ROWS = {"ranking": 900_000, "extraction": 300_000, "classification": 300_000, "clustering": 300_000}
METRICS = {"ranking": "AP", "extraction": "F(P,R)", "classification": "Accuracy", "clustering": "BCubedP"}
PROGRAM = """
import json, re, sys
import plumbline
gold, output, metric, task, memory = json.loads(sys.argv[1])
plumbline.evaluate(gold, output, [metric], task=task, engine="local", memory=memory)
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) * 1024)
"""


def written(folder: Path, task: str, name: str, seed: int) -> str:
    """A file with so many rows."""
    draw, rows = np.random.default_rng(seed), ROWS[task]
    number = np.arange(rows)
    number_of = "grade" if name == "gold" else "score"
    columns: dict[str, Any] = {"item": number}
    if task == "ranking":
        columns = {"case": number // 50, "item": number % 50, number_of: draw.random(rows).round()}
    elif task == "extraction":
        columns = {"document": number // 20, "start": number % 20 * 30, "end": number % 20 * 30 + 9}
    frame = pl.DataFrame(columns)
    if task != "ranking":
        frame = frame.with_columns(pl.Series("label", draw.integers(0, 3, rows)).cast(pl.String))
    path = folder / f"{name}-{task}.parquet"
    frame.with_columns(pl.col(frame.columns[0]).cast(pl.String) + " of many").write_parquet(path, row_group_size=50_000)
    return str(path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of a process in /proc")
@pytest.mark.parametrize("task", METRICS)
def test_the_least_memory_that_a_refusal_names_is_enough(task: str, tmp_path: Path) -> None:
    gold, output = (written(tmp_path, task, name, seed) for seed, name in enumerate(("gold", "output")))
    with pytest.raises(plumbline.BadUsage, match="E706") as refused:
        plumbline.evaluate(gold, output, [METRICS[task]], task=task, engine="local", memory=2**28)
    least = re.search(r"memory=.([\d.]+)GB", str(refused.value))
    assert least is not None
    asked = json.dumps([gold, output, METRICS[task], task, f"{least[1]}GB"])
    ended = subprocess.run([sys.executable, "-c", PROGRAM, asked], capture_output=True, text=True, check=True)
    assert int(ended.stdout) <= float(least[1]) * 1e9


def test_the_plan_says_what_the_gold_takes(tmp_path: Path) -> None:
    gold, output = (written(tmp_path, "extraction", name, seed) for seed, name in enumerate(("gold", "output")))
    evaluation = evaluation_of(gold, output, ["F(P,R)"], task="extraction")
    plan = explained(evaluation, "local", "4GB")
    assert re.search(r"gold: 300,000 rows, kept in memory: about 1\d\d,\d{3},\d{3} bytes with what is made of it", plan)
    assert "about" not in explained(evaluation).splitlines()[0]
    with pytest.raises(plumbline.BadUsage, match="E706"):
        explained(evaluation, "local", 2**28)
