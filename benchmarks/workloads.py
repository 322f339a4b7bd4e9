"""Made collections of known size: the same bytes on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = 500_000
RANKERS = ("plumbline", "plumbline-without-c", "pytrec_eval", "ir_measures", "ranx")
LABELLERS = ("plumbline-labels", "scikit-learn")
PEERS = (*RANKERS[1:], *LABELLERS[1:])


@dataclass(frozen=True)
class Workload:
    """How many cases, how deep, how many systems, how well judged, and how the lines are written."""

    name: str
    cases: int
    depth: int = 1000
    systems: int = 1
    judged: int = 100
    layout: str = "plain"
    rounds: int = 4
    tools: tuple[str, ...] = RANKERS
    values: int = 7
    """How many means every tool prints for each system, at least."""


WORKLOADS = (
    Workload("50 x 1000", 50),
    Workload("1000 x 1000", 1000),
    Workload("1000 x 1000, tabs", 1000, layout="tabs"),
    Workload("1000 x 1000, multi-space", 1000, layout="spaces"),
    Workload("1000 x 1000, shuffled", 1000, layout="shuffled"),
    Workload("6980 x 1000", 6980, judged=4),
    Workload("30 systems x 50 x 1000", 50, systems=30),
    Workload(
        "10 million labels x 5 systems",
        1000,
        depth=10_000,
        systems=5,
        layout="labels",
        rounds=2,
        tools=LABELLERS,
        values=10,
    ),
)


def build(workload: Workload, folder: Path) -> tuple[Path, list[Path]]:
    """The gold and outputs of a workload, written once."""
    if workload.layout == "labels":
        return _labels(workload, folder / workload.name.replace(" ", "_"))
    home = folder / workload.name.replace(" ", "_").replace(",", "")
    qrels, runs = home / "qrels.txt", [home / f"sys{number:02}.run" for number in range(workload.systems)]
    if not (home / "done").exists():
        home.mkdir(parents=True, exist_ok=True)
        generator = np.random.default_rng(workload.cases + workload.systems)
        judgements = [generator.choice(DOCUMENTS, workload.judged, replace=False) for _ in range(workload.cases)]
        qrels.write_text(
            "".join(_judgements(case, items, generator) for case, items in enumerate(judgements)), encoding="utf-8"
        )
        for run in runs:
            _write_run(run, judgements, workload, generator)
        (home / "done").touch()
    return qrels, runs


def _labels(workload: Workload, home: Path) -> tuple[Path, list[Path]]:
    """Positive and negative items in cases of different balance; each filter errs more often than the one before."""
    gold, outputs = home / "gold.parquet", [home / f"filter{number}.parquet" for number in range(workload.systems)]
    if not (home / "done").exists():
        home.mkdir(parents=True, exist_ok=True)
        generator = np.random.default_rng(workload.cases)
        cases = pl.Series("case", np.repeat(np.arange(workload.cases), workload.depth)).cast(pl.String)
        items = pl.select(pl.format("item{}", pl.int_range(len(cases)))).to_series().alias("item")
        positive = generator.random(len(cases)) < np.repeat(generator.uniform(0.02, 0.6, workload.cases), workload.depth)
        for number, path in enumerate([gold, *outputs]):
            wrong = generator.random(len(cases)) < (0.0 if path == gold else 0.08 * number)
            pl.DataFrame([cases, items, pl.Series("label", (positive ^ wrong).astype(np.int8))]).write_parquet(path)
        (home / "done").touch()
    return gold, outputs


def _name(document: int) -> str:
    return f"clueweb12-{document // 1000:04}wb-{document % 1000:05}"


def _judgements(case: int, items: np.ndarray[tuple[int], np.dtype[np.int64]], generator: np.random.Generator) -> str:
    grades = generator.integers(0, 4, len(items))
    grades[0] = 1
    return "".join(f"{case} 0 {_name(item)} {grade}\n" for item, grade in zip(items.tolist(), grades.tolist(), strict=True))


def _write_run(
    path: Path, judgements: list[np.ndarray[tuple[int], np.dtype[np.int64]]], workload: Workload, generator: np.random.Generator
) -> None:
    """Half of the judged items and unjudged ones in random order; scores are distinct, so that no tie rule interferes."""
    lines: list[str] = []
    for case, items in enumerate(judgements):
        known = items[generator.random(len(items)) < 0.5]  # half of what is judged is found
        others = generator.choice(DOCUMENTS, workload.depth * 2, replace=False)
        result = np.concatenate([known, others[~np.isin(others, items)]])[: workload.depth]
        generator.shuffle(result)
        scores = np.sort(generator.choice(10_000_000, len(result), replace=False))[::-1] / 100_000
        lines += [
            f"{case} Q0 {_name(item)} {rank} {score:.5f} {path.stem}\n"
            for rank, (item, score) in enumerate(zip(result.tolist(), scores.tolist(), strict=True), start=1)
        ]
    if workload.layout == "tabs":
        lines = [line.replace(" ", "\t") for line in lines]
    elif workload.layout == "spaces":
        lines = [line.replace(" ", "  ", 3) for line in lines]
    elif workload.layout == "shuffled":
        random.Random(1).shuffle(lines)
    path.write_text("".join(lines), encoding="utf-8")
