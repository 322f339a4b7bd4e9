"""Rankings in dicts of dicts, scored within one process: plumbline beside pytrec_eval; start-up is not timed.

python benchmarks/dicts.py               all sizes
python benchmarks/dicts.py --rounds 5    the same, but quicker

Four ways take turns in one process: `plumbline.evaluate` and a new evaluator of pytrec_eval read the gold each time,
`plumbline.Evaluator.score` and an evaluator of pytrec_eval that is kept do not. The time is that of the processor. Before
timing, the means of all ways are compared; a difference ends the benchmark. A fifth of the items shown is judged. The peak
memory is that of a process which does the same once with one tool.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    Table = dict[str, dict[str, float]]

SIZES: Final = ((1, 10), (50, 100), (50, 1000), (1000, 100))
"""Cases, and items shown in each."""
NAMES: Final = {
    "AP": "map",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "P@10": "P_10",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "R@1000": "recall_1000",
}
CLOSE: Final = 1e-9


def world(cases: int, items: int) -> tuple[dict[str, dict[str, int]], Table]:
    """A gold and a run, always the same for a size."""
    chance = random.Random(f"{cases} {items}")
    gold, run = {}, {}
    for case in range(cases):
        shown = list(dict.fromkeys(f"doc{chance.randrange(10**7)}" for _ in range(items)))
        judged = [*chance.sample(shown, max(3, len(shown) // 5)), *(f"unseen{number}" for number in range(5))]
        run[f"q{case}"] = {item: chance.random() * 100 for item in shown}
        gold[f"q{case}"] = {**{item: chance.choice([0, 0, 1, 2]) for item in judged}, judged[0]: 1}
    return gold, run


def ways(tool: str, gold: dict[str, dict[str, int]], run: Table) -> dict[str, Callable[[], dict[str, float]]]:
    """What is timed, by name: each gives the means of the run."""
    if tool == "plumbline":
        import plumbline  # noqa: PLC0415 - one tool in a process of its own

        kept = plumbline.Evaluator(gold, list(NAMES))

        def anew() -> dict[str, float]:
            rows = plumbline.evaluate(gold, run, list(NAMES)).mean_rows()
            return {row.metric: row.value for row in rows if row.value is not None}

        return {"plumbline, evaluate": anew, "plumbline, Evaluator kept": lambda: kept.score(run)}
    import pytrec_eval  # noqa: PLC0415 - as above

    evaluator = pytrec_eval.RelevanceEvaluator(gold, set(NAMES.values()))

    def means(values: Table) -> dict[str, float]:
        return {ours: sum(one[theirs] for one in values.values()) / len(values) for ours, theirs in NAMES.items()}

    return {
        "pytrec_eval, new evaluator": lambda: means(pytrec_eval.RelevanceEvaluator(gold, set(NAMES.values())).evaluate(run)),
        "pytrec_eval, evaluator kept": lambda: means(evaluator.evaluate(run)),
    }


def peak(tool: str, cases: int, items: int) -> float:
    """The MiB that a process takes which scores the run once with this tool."""
    made = subprocess.run(
        [sys.executable, __file__, "--peak", tool, str(cases), str(items)], capture_output=True, text=True, check=True
    )
    return float(made.stdout)


def measured(cases: int, items: int, rounds: int) -> None:
    """Print a row for each way."""
    gold, run = world(cases, items)
    timed = {**ways("plumbline", gold, run), **ways("pytrec_eval", gold, run)}
    first = timed["plumbline, evaluate"]()
    for name, way in timed.items():
        values = way()
        if any(abs(values[metric] - first[metric]) > CLOSE for metric in NAMES):
            sys.exit(f"{cases} x {items}: {name} gives {values}, plumbline {first}")
    seconds: dict[str, list[float]] = {name: [] for name in timed}
    for number in range(rounds):
        names = list(timed) if number % 2 else list(reversed(timed))
        for name in names:
            start = time.process_time()
            timed[name]()
            seconds[name].append(time.process_time() - start)
    for mine, other in (
        ("plumbline, evaluate", "pytrec_eval, new"),
        ("plumbline, Evaluator kept", "pytrec_eval, evaluator kept"),
    ):
        for name in (mine, next(name for name in timed if name.startswith(other))):
            ratio = median(one / ours for one, ours in zip(seconds[name], seconds[mine], strict=True))
            memory = peak(name.split(",")[0], cases, items)
            print(f"| {cases:,} x {items:,} | {name} | {median(seconds[name]) * 1e3:.2f} | {ratio:.2f} | {memory:.0f} |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--peak", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peak:
        tool, cases, items = given.peak
        next(iter(ways(tool, *world(int(cases), int(items))).values()))()
        status = Path("/proc/self/status").read_text(encoding="utf-8")  # unlike getrusage, without the process before
        print(int(status.partition("VmHWM:")[2].split()[0]) / 1024)
        return
    print("| size | tool | ms of CPU (median) | ratio to ours (paired) | peak MiB |\n|---|---|---:|---:|---:|")
    for cases, items in SIZES:
        measured(cases, items, given.rounds)


if __name__ == "__main__":
    main()
