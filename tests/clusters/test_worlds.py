"""A hundred worlds of every task in one job, and a million labels and clusters: each engine gives what the whole gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl
import pytest

import plumbline
from tests.clusters.test_engines import METRICS, spread, values
from tests.evaluation.engines import test_local_items as of_items
from tests.evaluation.engines import test_local_spans as of_spans
from tests.evaluation.engines.test_local import rows_of_system
from tests.evaluation.engines.test_parts import same, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Cluster = tuple[str, Any]
Rows = list[tuple[Any, ...]]
World = tuple[Rows, Rows]
WORLDS = 100
SYSTEMS = 10
"""Each has the outputs of as many worlds; the cases of the others are missing."""


def rankings(seed: int) -> World:
    draw = random.Random(seed)  # noqa: S311 - no secret
    gold = [(f"q{case}", f"d{item}", draw.choice([-1.0, 0.0, 1.0, 2.0])) for case in range(10) for item in range(20)]
    return gold, rows_of_system(seed % 9, scattered=seed % 2 == 0)


def organizations(seed: int) -> World:
    draw = random.Random(seed)  # noqa: S311 - no secret
    sides = [
        [(f"q{case}", item, float(draw.randint(0, 2)), f"{case}{draw.choice('klm')}") for case in range(3) for item in items]
        for items in ("abcdefgh", "bcdefghyz")
    ]
    return sides[0], sides[1]


def counted(kind: str, seed: int) -> World:
    _, wanted, given, _ = of_items.KINDS[kind]
    turn = seed % len(wanted)
    return of_items.rows_of(kind, 0, wanted[turn:] + wanted[:turn]), of_items.rows_of(kind, 1 + seed % 5, given)


def spans(kind: str, seed: int) -> World:
    return of_spans.rows_of(kind, 0), of_spans.rows_of(kind, 1 + seed)


class Task(NamedTuple):
    """How a world is made, the columns of the gold and of outputs, and what is evaluated."""

    world: Callable[[int], World]
    of_gold: list[str]
    of_output: list[str]
    metrics: list[str] | None
    options: dict[str, Any]


def tasks() -> Iterator[Any]:
    """Every task, and every form of its rows."""
    yield pytest.param(Task(rankings, ["case", "item", "grade"], ["case", "item", "score"], METRICS, {}), id="rankings")
    levels = ["case", "item", "grade", "cluster"], ["case", "item", "score", "cluster"]
    yield pytest.param(Task(organizations, *levels, None, {"task": "organization"}), id="organizations")
    for kind, (column, _, _, options) in of_items.KINDS.items():
        columns = ["case", "item", "cluster" if column == "cluster" else "label"], ["case", "item", column]
        made = (lambda seed, kind=kind: counted(kind, seed)), *columns, of_items.METRICS.get(kind), options
        yield pytest.param(Task(*made), id=kind)
    for kind, (columns_of_both, metrics) in of_spans.KINDS.items():
        made = (lambda seed, kind=kind: spans(kind, seed)), columns_of_both, columns_of_both, metrics, of_spans.TASK
        yield pytest.param(Task(*made), id=kind)


@pytest.mark.parametrize("task", list(tasks()))
def test_a_hundred_worlds(tmp_path: Path, cluster: Cluster, task: Task) -> None:
    """Each world has cases of its own, and its output is one of a system."""
    gold, outputs = list[tuple[Any, ...]](), [list[tuple[Any, ...]]() for _ in range(SYSTEMS)]
    for seed in range(WORLDS):
        sides = task.world(seed)
        gold += [(f"{seed}-{case}", *rest) for case, *rest in sides[0]]
        outputs[seed % SYSTEMS] += [(f"{seed}-{case}", *rest) for case, *rest in sides[1]]
    pl.DataFrame(gold, schema=task.of_gold, orient="row", strict=False).write_parquet(tmp_path / "gold.parquet")
    paths = [tmp_path / f"{at}.parquet" for at in range(SYSTEMS)]
    for path, rows in zip(paths, outputs, strict=True):
        pl.DataFrame(rows, schema=task.of_output, orient="row", strict=False).write_parquet(path)
    at_once = plumbline.evaluate(tmp_path / "gold.parquet", paths, task.metrics, **task.options)
    same(shown(spread(cluster, tmp_path / "gold.parquet", paths, task.metrics, **task.options)), shown(at_once))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["filtering", "clustering"])
def test_a_million_items(tmp_path: Path, cluster: Cluster, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one case: by one task that reads everything, and by four that keep the items of some buckets."""
    column, metrics = ("label", ["Accuracy", "F(P,R)", "Kappa"]) if task == "filtering" else ("cluster", ["ARI", "BCubedP"])
    number, count = pl.int_range(1_000_000, eager=True), 2 if task == "filtering" else 40
    item = pl.format("d{}", number).alias("item")
    labels = [(number * factor % 1009 % count).cast(pl.String).alias(column) for factor in (1, 7)]
    gold, output = (pl.select(pl.lit("q").alias("case"), item, label) for label in labels)
    gold.write_parquet(tmp_path / "gold.parquet")
    folder = tmp_path / "mine"
    folder.mkdir()
    shuffled = output.sample(fraction=1, shuffle=True, seed=1)
    for at in range(4):
        shuffled[at * 250_000 : (at + 1) * 250_000].write_parquet(folder / f"{at}.parquet")
    at_once = values(plumbline.evaluate(tmp_path / "gold.parquet", {"mine": folder}, metrics, task=task))
    assert values(spread(cluster, tmp_path / "gold.parquet", {"mine": folder}, metrics, memory="1GB", task=task)) == at_once
    size = sum(path.stat().st_size for path in folder.iterdir())
    monkeypatch.setattr("plumbline.evaluation.engines.assembling.SHARE_OF_A_TASK", size // 4)
    monkeypatch.setattr("plumbline.evaluation.engines.assembling.buckets", lambda paths, size: 8)  # noqa: ARG005
    assert values(spread(cluster, tmp_path / "gold.parquet", {"mine": folder}, metrics, memory="1GB", task=task)) == at_once
