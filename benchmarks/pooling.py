"""Orders of judging and leaving teams out, against loops; values are compared first.

python benchmarks/pooling.py               all
python benchmarks/pooling.py --rounds 1    the same, but quicker

Processor time is measured, which depends less on what else the machine does. Lists are made with a seed, as many and as long
as in round 1 of TREC-COVID: 30 topics, 56 systems that were pooled, 143 systems in all. A difference of values ends the
benchmark. The loops are what people write: a scan over all systems for each item to judge, an evaluation for each team.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import plumbline
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.io.table import ReadOptions
from plumbline.truth.pools.leave_out import left_out
from plumbline.truth.pools.lists import PooledLists, read_lists
from plumbline.truth.pools.orders import order_of
from plumbline.truth.pools.places import places_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUNDS = 3
TOPICS, POOLED, SYSTEMS, DEPTH, LENGTH = 30, 56, 143, 20, 100


def made(systems: int, length: int) -> tuple[dict[str, pl.DataFrame], pl.DataFrame]:
    """Lists of systems that see the relevance of 2,000 items a topic more or less well, and all grades."""
    draw = np.random.default_rng(2)
    runs: dict[str, list[pl.DataFrame]] = {f"s{number:03}": [] for number in range(systems)}
    golds = []
    for topic in range(TOPICS):
        relevant = draw.random(2_000) < 0.04
        items = np.array([f"d{number:04}" for number in range(2_000)])
        golds.append(pl.DataFrame({"case": [str(topic)] * 2_000, "item": items, "grade": relevant.astype(np.float64)}))
        for place, parts in enumerate(runs.values()):
            score = draw.normal(size=2_000) + (0.5 + place / systems) * relevant
            best = np.argsort(-score)[:length]
            parts.append(pl.DataFrame({"case": [str(topic)] * length, "item": items[best], "score": -np.arange(float(length))}))
    return {name: pl.concat(parts) for name, parts in runs.items()}, pl.concat(golds)


def timed(work: Callable[[], object], rounds: int) -> tuple[float, object]:
    """The median of the processor time, and what came out."""
    times, result = [], None
    for _ in range(rounds):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return median(times), result


def bandit_loop(lists: PooledLists, relevant: list[float]) -> list[int]:
    """For each item to judge, a scan over all systems."""
    order: list[int] = []
    rows = lists.rows.sort("rank")
    for case in range(len(lists.cases)):
        pooled = rows.filter(pl.Series(lists.case[rows["doc"].to_numpy()] == case))
        ranked = [pooled.filter(pl.col("run") == run)["doc"].to_list() for run in range(len(lists.systems))]
        holders: dict[int, list[int]] = {}
        for run, docs in enumerate(ranked):
            for doc in docs:
                holders.setdefault(doc, []).append(run)
        hits, misses, place = [0] * len(ranked), [0] * len(ranked), [0] * len(ranked)
        seen: set[int] = set()
        while len(seen) < len(holders):
            best, highest = -1, -1.0
            for run, docs in enumerate(ranked):
                while place[run] < len(docs) and docs[place[run]] in seen:
                    place[run] += 1
                mean = (1 + hits[run]) / (2 + hits[run] + misses[run])
                if place[run] < len(docs) and mean > highest:
                    best, highest = run, mean
            doc = ranked[best][place[best]]
            seen.add(doc)
            order.append(doc)
            for run in holders[doc]:
                hits[run] += relevant[doc] > 0
                misses[run] += relevant[doc] <= 0
    return order


def orders(rounds: int) -> Iterator[str]:
    """The bandit's order of 30 topics."""
    runs, gold = made(POOLED, DEPTH)
    lists = read_lists(runs, ReadOptions())
    relevant = (lists.grades(gold.rename({"grade": "value"})) >= 1).astype(np.float64)
    ours, fast = timed(lambda: order_of("bandit", lists, relevant), rounds)
    theirs, slow = timed(lambda: bandit_loop(lists, relevant.tolist()), 1)
    np.testing.assert_array_equal(np.asarray(fast), np.asarray(slow))
    yield line(f"order of a bandit, {TOPICS} topics x {POOLED} systems x depth {DEPTH}", "loop over systems", theirs, ours)


def teams(rounds: int) -> Iterator[str]:
    """Every contributing system without what it alone brought into a pool of depth 7."""
    runs, gold = made(SYSTEMS, LENGTH)
    lists = read_lists(dict(list(runs.items())[:POOLED]), ReadOptions(), 7)
    pooled = lists.docs.with_columns(pl.Series("case", lists.cases).gather(lists.docs["case"]))
    judged = gold.join(pooled, on=["case", "item"], how="semi")
    evaluation = evaluation_of(judged, runs, ["nDCG@10", "AP"], task="ranking")
    places = places_of(evaluation)
    contributing = np.arange(SYSTEMS) < POOLED
    names, measures = list(runs), evaluation.request.measures
    ours, table = timed(lambda: left_out(places, measures, names, contributing, 7, 1.0), rounds)

    def loop() -> dict[tuple[str, str], float]:
        results = {}
        by_doc = lists.rows.group_by("doc").agg(pl.col("run").n_unique().alias("count"), pl.col("run").first())
        for number, name in enumerate(names[:POOLED]):
            alone = by_doc.filter((pl.col("count") == 1) & (pl.col("run") == number))["doc"]
            gone = pooled[alone.to_numpy().tolist()] if len(alone) else pooled.clear()
            fewer = judged.join(gone, on=["case", "item"], how="anti")
            means = plumbline.evaluate(fewer, {name: runs[name]}, ["nDCG@10", "AP"]).mean
            results.update({(name, metric): value for metric, value in means.select("metric", "value").iter_rows()})
        return results

    theirs, expected = timed(loop, 1)
    assert isinstance(table, pl.DataFrame)  # noqa: S101 - as it was made
    assert isinstance(expected, dict)  # noqa: S101 - as it was made
    for system, metric, value in table.select("system", "metric", "without").iter_rows():
        np.testing.assert_allclose(value, expected[system, metric], rtol=1e-12)
    yield line(f"leave one team out, {POOLED} of {SYSTEMS} systems", "an evaluation for each team", theirs, ours)


def line(what: str, peer: str, theirs: float, ours: float) -> str:
    """A row of the table."""
    return f"| {what} | {peer} | {theirs:.2f} s | {ours:.2f} s | {theirs / ours:.1f}x |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    print("| work | peer | peer takes | plumbline takes | ratio |\n| --- | --- | ---: | ---: | ---: |")
    for part in (orders, teams):
        for row in part(rounds):
            print(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
