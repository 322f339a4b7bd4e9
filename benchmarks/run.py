"""Side by side with the peers: all values are compared first, then rounds are interleaved; ratios, not seconds, are the result.

The time is that of the processor, and the least of all rounds counts: other work on the machine only adds to it.

python benchmarks/run.py                  everything
python benchmarks/run.py --only "50 x"    workloads whose name holds this text
python benchmarks/run.py --skip ranx      leave a peer out
python benchmarks/run.py --trec-eval DIR  build trec_eval from the sources in this folder with -O2, and measure it, too;
                                          `make bench TREC_EVAL=DIR` does the same;
                                          instead of a folder it may be the program itself
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from workloads import PEERS, RANKERS, WORKLOADS, Workload, build

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-6
TREC_EVAL = "trec_eval"
FOUR_DIGITS = 5.1e-5
"""trec_eval prints so many."""
NAMES = {
    "map": "AP",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "recall_1000": "R@1000",
}
"""What trec_eval calls the metrics."""


ELSEWHERE = tempfile.gettempdir()
"""Where tools are started: plumbline would look for settings in the pyproject.toml of this repository."""
BUILT = Path(tempfile.gettempdir()) / "plumbline-bench" / TREC_EVAL


@dataclass
class Runs:
    """Processor seconds and peak memory of every round of one tool."""

    seconds: list[float] = field(default_factory=list)
    mebibytes: float = 0.0


def _installed() -> dict[str, str]:
    """As on a user's machine: a tool that was run once is compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def measure(tool: str, qrels: Path, runs: list[Path], result: Runs | None) -> str:
    """Run a tool once in a process of its own; what it printed."""
    if tool == TREC_EVAL:
        wanted = [
            word
            for name in ("map", "ndcg", "ndcg_cut.10", "P.10", "recip_rank", "Rprec", "recall.1000")
            for word in ("-m", name)
        ]
        printed = [
            _run([str(BUILT), *wanted, str(qrels), str(run)], tool, result, again=number > 0) for number, run in enumerate(runs)
        ]
        lines = [(run.stem, *line.split()) for run, text in zip(runs, printed, strict=True) for line in text.splitlines()]
        return "\n".join(f"{system} {NAMES[name]} {value}" for system, name, _, value in lines)
    script = HERE / "tools" / f"use_{tool.replace('-', '_')}.py"
    return _run([sys.executable, *map(str, (script, qrels, *runs))], tool, result)


def _run(arguments: list[str], tool: str, result: Runs | None, *, again: bool = False) -> str:
    """Run a process to its end; what it needed is noted, or added if a tool needs several processes for a round."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        process = subprocess.Popen(arguments, stdout=out, stderr=subprocess.DEVNULL, env=_installed(), cwd=ELSEWHERE)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            message = f"{tool} failed"
            raise RuntimeError(message)
        if result is not None:
            seconds = usage.ru_utime + usage.ru_stime
            result.seconds.append(seconds + (result.seconds.pop() if again else 0.0))
            result.mebibytes = max(result.mebibytes, usage.ru_maxrss / 1024)
        out.seek(0)
        return out.read()


def values(printed: str) -> dict[tuple[str, str], float]:
    """System and metric to mean, from either layout."""
    results = {}
    for line in printed.splitlines():
        system, *middle, value = line.split()
        if value != "value":
            results[system, middle[-1]] = float(value)
    return results


def compare(workload: Workload, printed: dict[str, str]) -> None:
    """Every value of every tool; a difference ends the benchmark."""
    ours = values(printed[workload.tools[0]])
    for tool, text in printed.items():
        theirs = values(text)
        far = FOUR_DIGITS if tool == TREC_EVAL else TOLERANCE
        wrong = {key: (ours.get(key), value) for key, value in theirs.items() if abs(value - ours.get(key, -1.0)) > far}
        if wrong or len(theirs) < workload.systems * workload.values:
            message = f"{workload.name}: {tool} prints {len(theirs)} values, and these differ: {wrong}"
            raise RuntimeError(message)
        print(f"{workload.name}: {len(theirs)} values of {tool} are equal to ours", file=sys.stderr)


def in_turn(tools: list[str], number: int) -> list[str]:
    """The order of one round: over as many rounds as there are tools, each follows each other one equally often (Williams)."""
    count = len(tools)
    zigzag = [(place + 1) // 2 if place % 2 else (count - place // 2) % count for place in range(count)]
    return [tools[(place + number) % count] for place in zigzag]


def benchmark(workload: Workload, tools: list[str], folder: Path) -> dict[str, Runs]:
    """Compare, then interleave the rounds of all tools."""
    qrels, runs = _built(workload, folder)
    compare(workload, {tool: measure(tool, qrels, runs, None) for tool in tools})
    results = {tool: Runs() for tool in tools}
    for number in range(workload.rounds):
        for tool in in_turn(tools, number):
            measure(tool, qrels, runs, results[tool])
    return results


def _built(workload: Workload, folder: Path) -> tuple[Path, list[Path]]:
    """Written by a process of its own: what this one has in memory would count as the peak of the tools it starts."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(build, workload, folder).result()


def table(rows: list[tuple[Workload, dict[str, Runs]]]) -> str:
    """Times, ratios and peak memory, as Markdown."""
    lines = [
        "| workload | tool | seconds of CPU | ratio to plumbline | peak MiB |",
        "|---|---|---:|---:|---:|",
    ]
    for workload, results in rows:
        ours = min(results[workload.tools[0]].seconds)
        for tool, result in results.items():
            least = min(result.seconds)
            lines.append(f"| {workload.name} | {tool} | {least:.2f} | {least / ours:.2f} | {result.mebibytes:.0f} |")
    return "\n".join(lines)


def build_trec_eval(sources: Path) -> None:
    """Compile all C files of the folder with -O2; what they are called is trec_eval's business. A program is taken as it is."""
    BUILT.parent.mkdir(parents=True, exist_ok=True)
    if sources.is_file():
        shutil.copy(sources, BUILT)
        return
    files = [str(path) for path in sorted(sources.glob("*.c")) if "windows" not in path.parts]
    if not files:
        sys.exit(f"{sources} has no C files: it is not the folder of trec_eval's sources")
    compiler = [os.environ.get("CC", "cc"), "-O2", "-w", '-DVERSIONID="bench"', "-I", str(sources), "-o", str(BUILT)]
    subprocess.run([*compiler, *files, "-lm"], check=True)


def main() -> None:
    """Run what was asked for and print one table."""
    parser = argparse.ArgumentParser(description="Benchmarks against other tools.")
    parser.add_argument("--only", default="", help="workloads whose name holds this text")
    parser.add_argument("--skip", action="append", default=[], choices=PEERS, help="leave a peer out")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "plumbline-bench", help="where workloads are kept"
    )
    parser.add_argument("--trec-eval", type=Path, default=None, metavar="DIR", help="the sources of trec_eval, or the program")
    chosen = parser.parse_args()
    if chosen.trec_eval is not None:
        build_trec_eval(chosen.trec_eval)
    rows = []
    for workload in WORKLOADS:
        if chosen.only in workload.name:
            tools = [tool for tool in workload.tools if tool not in chosen.skip]
            tools += [TREC_EVAL] if chosen.trec_eval is not None and workload.tools == RANKERS else []
            rows.append((workload, benchmark(workload, tools, chosen.folder.resolve())))
            print(table(rows[-1:]), file=sys.stderr)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n\n{table(rows)}")


if __name__ == "__main__":
    main()
