"""The audit against plain Python loops over the same worlds; start-up is not timed.

python benchmarks/auditing.py             all tasks, then strict monotonicity of eight filtering metrics three ways
python benchmarks/auditing.py --rounds 1  quicker

A world is one small output with its gold. All are scored at once, by every metric. The two loops:
scalar functions written out by hand, called for both outputs of each pair; and one `evaluate` for each of a few worlds.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from math import log, sqrt
from statistics import median
from typing import TYPE_CHECKING

import plumbline
from plumbline.audits.constraints.filtering import strict_monotonicity
from plumbline.audits.searching import searched

if TYPE_CHECKING:
    from collections.abc import Callable


TASKS: tuple[str, ...] = ("filtering", "ranking", "clustering", "organization")
ROUNDS = 3
FEW = 50
"""Worlds that are evaluated one by one."""


def accuracy(tp: int, fp: int, fn: int, tn: int) -> float:
    return (tp + tn) / (tp + fp + fn + tn)


def weighted(tp: int, fp: int, fn: int, tn: int) -> float:
    return (2 * tp + tn) / (2 * (tp + fn) + fp + tn)


def harmonic(tp: int, fp: int, fn: int, tn: int) -> float:  # noqa: ARG001 - every metric is called alike
    return 2 * tp / (2 * tp + fp + fn)


def mean_recall(tp: int, fp: int, fn: int, tn: int) -> float:
    return (tp / (tp + fn) + tn / (tn + fp)) / 2


def kappa(tp: int, fp: int, fn: int, tn: int) -> float:
    size = tp + fp + fn + tn
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / size**2
    return ((tp + tn) / size - chance) / (1 - chance)


def phi(tp: int, fp: int, fn: int, tn: int) -> float | None:
    sides = (tp + fn) * (tn + fp) * (tp + fp) * (tn + fn)
    return (tp * tn - fp * fn) / sqrt(sides) if sides else None


def information(tp: int, fp: int, fn: int, tn: int) -> float:
    size = tp + fp + fn + tn
    cells = ((tp, tp + fp, tp + fn), (fp, tp + fp, fp + tn), (fn, fn + tn, tp + fn), (tn, fn + tn, fp + tn))
    return sum(cell / size * log(cell * size / (row * column)) for cell, row, column in cells if cell)


def jaccard(tp: int, fp: int, fn: int, tn: int) -> float:  # noqa: ARG001 - every metric is called alike
    return tp / (tp + fp + fn)


PLAIN: dict[str, Callable[[int, int, int, int], float | None]] = {
    "Accuracy": accuracy,
    "WAcc(lam=2)": weighted,
    "F(P,R)": harmonic,
    "MAAc": mean_recall,
    "Kappa": kappa,
    "Phi": phi,
    "MI": information,
    "Jaccard": jaccard,
}


def loop() -> dict[str, int]:
    """How many pairs each metric breaks, found pair by pair."""
    pairs = searched(strict_monotonicity).pairs
    broken = dict.fromkeys(PLAIN, 0)
    for name, metric in PLAIN.items():
        for pair in pairs:
            better, worse = metric(*pair.better), metric(*pair.worse)
            if better is not None and worse is not None and better - worse <= 1e-9:
                broken[name] += 1
    return broken


def audited() -> dict[str, int]:
    """The same by the audit."""
    result = plumbline.audit(list(PLAIN), task="filtering", constraints=["strict monotonicity"])
    return {verdict.metric: len(verdict.broken_at) for verdict in result.verdicts}


def one_by_one() -> int:
    """A few worlds, each in an evaluation of its own."""
    worlds = [pair.worse for pair in searched(strict_monotonicity).pairs[-FEW:]]
    for tp, fp, fn, tn in worlds:
        gold = {"world": {str(item): int(item < tp + fn) for item in range(tp + fp + fn + tn)}}
        system = {"world": {str(item): int(item < tp or tp + fn <= item < tp + fn + fp) for item in range(tp + fp + fn + tn)}}
        plumbline.evaluate(gold, {"system": system}, list(PLAIN), task="filtering", positive="1")
    return len(worlds)


def seconds(work: Callable[[], object], rounds: int) -> float:
    """The median of some rounds."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    print(
        "| task | metrics | constraints | pairs | scores compared | seconds | per second |\n|---|---:|---:|---:|---:|---:|---:|"
    )
    for task in TASKS:
        result = plumbline.audit(task=task)
        taken = seconds(partial(plumbline.audit, task=task), rounds)
        pairs = sum(len(verdict.searched.pairs) for verdict in result.verdicts[:: len(result.metrics)])
        scores = 2 * pairs * len(result.metrics)
        row = (task, len(result.metrics), len(result.constraints), f"{pairs:,}", f"{scores:,}", f"{taken:.1f}")
        print(f"| {' | '.join(map(str, row))} | {scores / taken:,.0f} |")
    if audited() != loop():
        raise SystemExit("the loop and the audit differ")  # noqa: EM101, TRY003 - the end of the benchmark
    pairs = len(searched(strict_monotonicity).pairs)
    ours, plain = seconds(audited, rounds), seconds(loop, rounds)
    single = seconds(one_by_one, rounds) / FEW * 2 * pairs
    print(f"\nstrict monotonicity of {len(PLAIN)} metrics, {pairs:,} pairs: audit {ours:.2f} s,")
    print(f"scalar functions in a loop {plain:.2f} s ({plain / ours:.2f} x),")
    print(f"one evaluation for each world {single:,.0f} s ({single / ours:,.0f} x, from {FEW} worlds)")


if __name__ == "__main__":
    main()
