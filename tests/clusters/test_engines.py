"""Every engine gives what the whole gives, bit for bit, also if a worker dies or a file is wrong."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plumbline
from tests.evaluation.engines.test_local import rows_of_system, write_gold, write_run
from tests.evaluation.engines.test_parts import outcome, same, shown

METRICS = ["AP", "nDCG@10", "P@5", "RR", "ERR", "Rel", "Sens"]
Cluster = tuple[str, Any]


def spread(
    cluster: Cluster, gold: Any, systems: Any, metrics: Any = METRICS, memory: str = "300MB", **options: Any
) -> plumbline.Scores:
    engine, running = cluster
    return plumbline.evaluate(gold, systems, metrics, engine=engine, cluster=running, memory=memory, **options)


def values(scores: plumbline.Scores) -> tuple[Any, Any]:
    return scores.per_case.rows(), scores.mean.rows()


@pytest.mark.parametrize("ending", ["run", "csv", "parquet"])
def test_a_hundred_systems(tmp_path: Path, cluster: Cluster, ending: str) -> None:
    gold = write_gold(tmp_path)
    systems = [write_run(tmp_path / f"s{at}.{ending}", rows_of_system(at % 7, scattered=at % 2 == 0)) for at in range(100)]
    same(shown(spread(cluster, gold, systems)), shown(plumbline.evaluate(gold, systems, METRICS)))


@pytest.mark.parametrize("parts", [1, 3, 8, 200])
def test_a_system_in_many_files(tmp_path: Path, cluster: Cluster, parts: int) -> None:
    """Files with whole lists, and shuffled rows, of which every list is in many files."""
    gold = write_gold(tmp_path)
    for scattered in (False, True):
        rows, folder = rows_of_system(1, scattered=scattered), tmp_path / f"mine{scattered}"
        folder.mkdir()
        at_once = values(plumbline.evaluate(gold, {"mine": write_run(tmp_path / "whole.parquet", rows)}, METRICS))
        cases = sorted({row[0] for row in rows})
        for at in range(parts):
            some = rows[at::parts] if scattered else [row for row in rows if cases.index(row[0]) % parts == at]
            if some:
                write_run(folder / f"{at:03}.parquet", some)
        assert values(spread(cluster, gold, {"mine": folder})) == at_once


def test_bad_data_in_one_file(tmp_path: Path, cluster: Cluster) -> None:
    gold = write_gold(tmp_path)
    systems = [write_run(tmp_path / f"s{at}.run", rows_of_system(at)) for at in range(3)]
    systems[1].write_text(systems[1].read_text() + "q5 Q0 d0 1 none tag\n")
    at_once = outcome(lambda: plumbline.evaluate(gold, systems, METRICS))
    same(outcome(lambda: spread(cluster, gold, systems)), at_once)
    rows = rows_of_system(2)
    write_run(systems[1], [*rows, (*rows[7][:2], 0.125)])
    at_once = outcome(lambda: plumbline.evaluate(gold, systems, METRICS))
    assert "first at line" in at_once[1]
    same(outcome(lambda: spread(cluster, gold, systems)), at_once)


@pytest.mark.slow
def test_a_million_rows(tmp_path: Path, cluster: Cluster) -> None:
    gold, folder = tmp_path / "gold.parquet", tmp_path / "mine"
    folder.mkdir()
    case, item = pl.int_range(2_000, eager=True), pl.int_range(500, eager=True)
    pairs = pl.DataFrame({"case": case}).join(pl.DataFrame({"item": item}), how="cross")
    named = pairs.with_columns(pl.format("q{}", "case").alias("case"), pl.format("d{}", "item").alias("item"))
    graded = named.with_columns((pairs["case"] * pairs["item"] % 3).cast(pl.Float64).alias("grade"))
    graded.filter(pairs["item"] % 10 == 0).write_parquet(gold)
    run = named.with_columns(((pairs["case"] + 7 * pairs["item"]) % 499).cast(pl.Float64).alias("score"))
    run.write_parquet(tmp_path / "whole.parquet")
    at_once = values(plumbline.evaluate(gold, {"mine": tmp_path / "whole.parquet"}, ["AP", "nDCG@10"]))
    for at in range(4):
        run[at * 250_000 : (at + 1) * 250_000].write_parquet(folder / f"{at}.parquet")
    assert values(spread(cluster, gold, {"mine": folder}, ["AP", "nDCG@10"])) == at_once
    shuffled = run.sample(fraction=1, shuffle=True, seed=1)
    for at in range(4):
        shuffled[at * 250_000 : (at + 1) * 250_000].write_parquet(folder / f"{at}.parquet")
    assert values(spread(cluster, gold, {"mine": folder}, ["AP", "nDCG@10"])) == at_once


def test_an_executor_that_is_killed_changes_nothing(tmp_path: Path, spark: Any) -> None:
    gold = write_gold(tmp_path)
    systems = [write_run(tmp_path / f"s{at}.parquet", rows_of_system(at % 7)) for at in range(60)]
    at_once = shown(plumbline.evaluate(gold, systems, METRICS))
    executors = _executors()
    assert len(executors) >= 2

    def kill() -> None:
        time.sleep(0.5)
        os.kill(executors[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    result = shown(spread(("spark", spark), gold, systems))
    killer.join()
    assert executors[0] not in _executors()
    same(result, at_once)


def _executors() -> list[int]:
    """The processes of Spark's executors that this process started."""
    result, parents = [], {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                    result.append(int(folder.name))
            except OSError:
                continue
    return [one for one in result if os.getpid() in _ancestors(one, parents)]


def _ancestors(process: int, parents: dict[int, int]) -> set[int]:
    above: set[int] = set()
    while process in parents and parents[process] not in above:
        process = parents[process]
        above.add(process)
    return above


def test_the_running_session_is_taken(tmp_path: Path, spark: Any) -> None:
    assert spark.getActiveSession() is not None
    gold, run = write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1))
    scores = plumbline.evaluate(gold, run, METRICS, engine="spark")
    same(shown(scores), shown(plumbline.evaluate(gold, run, METRICS)))
    assert spark.sparkContext.parallelize([1]).count() == 1
