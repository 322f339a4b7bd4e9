"""Spans are counted on every engine, from files and from frames, and give what the whole gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import plumbline
from tests.clusters.test_engines import spread, values
from tests.clusters.test_frames import frame_of
from tests.clusters.test_frames import pytestmark as _warnings
from tests.evaluation.engines.test_local_spans import KINDS, TASK, rows_of, write
from tests.evaluation.engines.test_parts import same, shown

if TYPE_CHECKING:
    from pathlib import Path

Cluster = tuple[str, Any]
pytestmark = _warnings


def test_files(tmp_path: Path, cluster: Cluster) -> None:
    """Of all kinds, and a system in two files that have rows of the same documents."""
    for kind, (_, metrics) in KINDS.items():
        gold, folder = write(tmp_path / f"{kind}.csv", rows_of(kind, 0), kind), tmp_path / f"{kind}2"
        folder.mkdir()
        rows = rows_of(kind, 2, scattered=kind != "fields")
        half = write(folder / "0.parquet", rows[:60], kind), write(folder / "1.parquet", rows[60:], kind)
        assert all(path.stat().st_size for path in half)
        systems = [write(tmp_path / f"{kind}1.parquet", rows_of(kind, 1), kind), *([folder] if kind != "fields" else [])]
        at_once = shown(plumbline.evaluate(gold, systems, metrics, **TASK))
        same(shown(spread(cluster, gold, systems, metrics, **TASK)), at_once)


@pytest.mark.parametrize("kind", ["spans", "relations"])
def test_frames(tmp_path: Path, cluster: Cluster, kind: str) -> None:
    names, metrics = KINDS[kind]
    gold = write(tmp_path / "gold.csv", rows_of(kind, 0), kind)
    rows = [(f"s{seed}", *row) for seed in (1, 2) for row in rows_of(kind, seed)]
    at_once = plumbline.evaluate(gold, pd.DataFrame(rows, columns=["system", *names]), metrics, **TASK)
    scores = plumbline.evaluate(gold, frame_of(*cluster, rows, ["system", *names]), metrics, **TASK)
    assert values(scores) == values(at_once)


def test_records_of_a_frame_are_refused(tmp_path: Path, cluster: Cluster) -> None:
    gold = write(tmp_path / "gold.csv", rows_of("fields", 0), "fields")
    frame = frame_of(*cluster, rows_of("fields", 1), KINDS["fields"][0])
    with pytest.raises(plumbline.BadUsage, match="E712"):
        plumbline.evaluate(gold, {"mine": frame}, **TASK)
