"""Two files of labels, from files to printed means, with the reader in C and without it, and calls with a few labels.

python benchmarks/labels.py --rounds 3

Each run is a process of its own; both print the same, or the benchmark stops. Rounds take turns. The time is that of the
processor, and the least of all rounds counts: other work on the machine only adds to it.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

TASKS: Final = {
    "filtering": (("P", "R"), ("yes", "no")),
    "classification": (("Accuracy", "F(P,R)"), tuple(f"class{number}" for number in range(20))),
    "clustering": (("BCubedP", "BCubedR"), tuple(f"cluster{number}" for number in range(20))),
}
"""Metrics and labels of each task."""
WAYS: Final = {"plumbline": "1", "without C": "0"}
RIGHT: Final = 0.8


def write(folder: Path, items: int, orders: str) -> None:
    """A gold and an output for each task; the output may have its lines in another order."""
    chance = random.Random(items)
    for task, (_, labels) in TASKS.items():
        gold = [(f"case{row // 1000:05}", f"document-{row:09}", chance.choice(labels)) for row in range(items)]
        output = [(case, item, label if chance.random() < RIGHT else chance.choice(labels)) for case, item, label in gold]
        if orders == "shuffled":
            chance.shuffle(output)
        for name, rows in (("gold", gold), ("output", output)):
            with (folder / f"{task}-{name}.tsv").open("w") as file:
                file.write("case\titem\t" + ("cluster" if task == "clustering" else "label") + "\n")
                file.writelines(f"{case}\t{item}\t{label}\n" for case, item, label in rows)


def run(folder: Path, task: str, way: str) -> tuple[str, float, float]:
    """What a run prints, its seconds and its MiB."""
    asked = [word for metric in TASKS[task][0] for word in ("-m", metric)]
    files = [str(folder / f"{task}-{name}.tsv") for name in ("gold", "output")]
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "plumbline", "evaluate", *files, "--task", task, *asked],
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={**variables, "PLUMBLINE_NATIVE": WAYS[way]},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            message = f"{task} failed {way}"
            raise RuntimeError(message)
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def calls(count: int = 200) -> None:
    """Milliseconds of calls with five labels, from dicts and from lists; the first call of each is not timed."""
    import plumbline  # noqa: PLC0415 - the other part measures processes

    print("\n| task | gold and output | ms of CPU, least | median |\n|---|---|---:|---:|")
    for task, (metrics, labels) in TASKS.items():
        values = [labels[number % 2] for number in range(5)]
        dicts = {"q1": dict(zip("abc", values, strict=False)), "q2": dict(zip("de", values[3:], strict=True))}
        for form, data in (("dicts", dicts), ("lists", values)):
            taken = []
            for _ in range(count + 1):
                start = time.process_time_ns()
                plumbline.evaluate(data, {"s": data}, metrics, task=task).mean_rows()
                taken.append((time.process_time_ns() - start) / 1e6)
            print(f"| {task} | {form} | {min(taken[1:]):.2f} | {median(taken[1:]):.2f} |")


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| items | task | tool | seconds of CPU | ratio to plumbline | peak MiB |\n|---:|---|---|---:|---:|---:|")
    for items, orders in ((1_000, ""), (1_000_000, ""), (1_000_000, "shuffled")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run([sys.executable, __file__, "--write", name, str(items), orders], check=True)
            for task in TASKS:
                if len({run(folder, task, way)[0] for way in WAYS}) > 1:
                    message = f"{task}: other values without the reader in C"
                    raise RuntimeError(message)
                ran = [{way: run(folder, task, way) for way in WAYS} for _ in range(rounds)]
                least = {way: min(one[way][1] for one in ran) for way in WAYS}
                for way in WAYS:
                    ratio, peak = least[way] / least["plumbline"], max(one[way][2] for one in ran)
                    size = f"{items:,}" + (f", {orders}" if orders else "")
                    print(f"| {size} | {task} | {way} | {least[way]:.2f} | {ratio:.2f} | {peak:.0f} |", flush=True)
    calls()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:  # in a process of its own: its memory would count as the peak of those that it starts
        write(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        main()
