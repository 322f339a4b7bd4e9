"""Items are counted on every engine, from files and from frames, and give what the whole gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import plumbline
from tests.clusters.test_engines import spread, values
from tests.clusters.test_frames import frame_of
from tests.clusters.test_frames import pytestmark as _warnings
from tests.evaluation.engines.test_local_items import KINDS, METRICS, rows_of, write
from tests.evaluation.engines.test_parts import outcome, same, shown

if TYPE_CHECKING:
    from pathlib import Path

Cluster = tuple[str, Any]
pytestmark = _warnings


@pytest.mark.parametrize("tasks", [1, 3])
def test_files(tmp_path: Path, cluster: Cluster, tasks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all kinds, whole and by several tasks that keep the items of some buckets."""
    for kind, (column, wanted, given, options) in KINDS.items():
        gold = write(tmp_path / f"{kind}.csv", rows_of(kind, 0, wanted), "cluster" if column == "cluster" else "label")
        systems = [write(tmp_path / f"{kind}{seed}.parquet", rows_of(kind, seed, given), column) for seed in (1, 2)]
        if tasks > 1:
            small = min(path.stat().st_size for path in systems)
            monkeypatch.setattr("plumbline.evaluation.engines.assembling.SHARE_OF_A_TASK", small // tasks)
            monkeypatch.setattr("plumbline.evaluation.engines.assembling.buckets", lambda paths, size: 8)  # noqa: ARG005
        at_once = shown(plumbline.evaluate(gold, systems, METRICS.get(kind), **options))
        same(shown(spread(cluster, gold, systems, METRICS.get(kind), **options)), at_once)


def test_bad_data_in_one_file(tmp_path: Path, cluster: Cluster) -> None:
    column, wanted, given, options = KINDS["classes"]
    gold, rows = write(tmp_path / "gold.csv", rows_of("classes", 0, wanted), "label"), rows_of("classes", 1, given)
    systems = [write(tmp_path / "s0.csv", rows, column), write(tmp_path / "s1.csv", [*rows, *rows[-9:]], column)]
    at_once = outcome(lambda: plumbline.evaluate(gold, systems, **options))
    assert "E104" in at_once[1] or "first at line" in at_once[1]
    same(outcome(lambda: spread(cluster, gold, systems, None, **options)), at_once)


@pytest.mark.parametrize("kind", ["scores", "classes", "overlaps"])
def test_frames(tmp_path: Path, cluster: Cluster, kind: str) -> None:
    column, wanted, given, options = KINDS[kind]
    gold = write(tmp_path / "gold.csv", rows_of(kind, 0, wanted), "cluster" if column == "cluster" else "label")
    names = ["system", "case", "item", column]
    rows = [(f"s{seed}", *row) for seed in (1, 2) for row in rows_of(kind, seed, given)]
    at_once = plumbline.evaluate(gold, pd.DataFrame(rows, columns=names), METRICS.get(kind), **options)
    scores = plumbline.evaluate(gold, frame_of(*cluster, rows, names), METRICS.get(kind), **options)
    assert scores.made["systems"] == at_once.made["systems"]
    assert values(scores) == values(at_once)
