"""Click models against loops over sessions, which write the formulas down as PyClick does; values are compared first.

python benchmarks/clicking.py              a log that is drawn: 35,000 sessions of ten places
python benchmarks/clicking.py LOG          a log of your own
python benchmarks/clicking.py --large N    N impressions in a Parquet file, read in portions; 100,000,000 take some minutes

Processor time is measured, which depends less on what else the machine does. Each side starts from one half and runs the same
number of rounds, with the same prior; a difference of parameters ends the benchmark. The time of plumbline is shown with and
without making arrays of the rows. PyClick is of Python 2: its classes for training, copied for Python 3, took 81 s (PBM) and
118 s (UBM) for 50 rounds on the 35,064 sessions of its own example, where these loops take about 10 s.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import plumbline
from plumbline.io.bytes.content import load
from plumbline.truth.clicks.log import log_of
from plumbline.truth.clicks.reading.read import open_log, read_impressions
from plumbline.truth.clicks.registry import Settings, click_models
from plumbline.truth.clicks.simulate_clicks import simulate_clicks

if TYPE_CHECKING:
    from collections.abc import Callable

Session = tuple[list[str], list[bool]]
EM_ROUNDS = 50
SESSIONS = 35_000
CASES, ITEMS, DEPTH = 10_000, 20, 10
"""Of a large log: how many cases there are, items of each, and places of each list."""
LISTS = 3
"""Lists of each case."""
PIECE = 500_000
"""Sessions that are drawn at once."""
FITTED = ("item-ctr", "pbm", "ubm", "sdbn")


def drawn() -> pl.DataFrame:
    """Sessions of 20 cases, each with 20 lists of 10 out of 50 items."""
    generator = np.random.default_rng(1)
    gold = {f"q{case}": {f"d{item}": float(generator.integers(0, 4)) for item in range(50)} for case in range(20)}
    systems = {
        f"s{number}": {
            case: {f"d{item}": 10.0 - place for place, item in enumerate(generator.permutation(50)[:10].tolist())}
            for case in gold
        }
        for number in range(20)
    }
    return simulate_clicks(gold, systems, model="ubm", sessions=SESSIONS, seed=1).log


def sessions_of(frame: pl.DataFrame) -> list[Session]:
    """The items of each session, named with their case, and what was clicked."""
    rows = frame.sort("session", "position", maintain_order=True)
    named = rows.with_columns(pl.concat_str("case", pl.lit("\t"), "item").alias("pair"))
    groups = named.group_by("session", "case", maintain_order=True).agg("pair", pl.col("clicked").cast(pl.Boolean))
    return [(pairs, clicks) for _, _, pairs, clicks in groups.iter_rows()]


def loops(sessions: list[Session], rounds: int, *, last_click: bool) -> dict[Any, float]:
    """Attraction and examination, session by session and place by place."""
    values: dict[Any, float] = defaultdict(lambda: 0.5)
    for _ in range(rounds):
        successes: dict[Any, float] = defaultdict(lambda: 1.0)
        trials: dict[Any, float] = defaultdict(lambda: 2.0)
        for pairs, clicks in sessions:
            last = 0
            for rank, (pair, clicked) in enumerate(zip(pairs, clicks, strict=True), 1):
                seen = (rank, last) if last_click else rank
                a, e = values[pair], values[seen]
                if clicked:
                    successes[pair] += 1
                    successes[seen] += 1
                    last = rank
                else:
                    successes[pair] += a * (1 - e) / (1 - a * e)
                    successes[seen] += e * (1 - a) / (1 - a * e)
                trials[pair] += 1
                trials[seen] += 1
        values = defaultdict(lambda: 0.5, {key: successes[key] / trials[key] for key in trials})
    return values


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time, and what came out."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def compared(name: str, frame: pl.DataFrame, rounds: int) -> str:
    """One line about a model; the program ends if the two sides differ."""
    sessions = sessions_of(frame)
    making, log = timed(lambda: log_of(frame.with_columns(pl.col("clicked").cast(pl.Boolean))))
    fitting, fit = timed(lambda: click_models()[name].fit(log, Settings(rounds=rounds), None))
    slow, values = timed(lambda: loops(sessions, rounds, last_click=name == "ubm"))
    cases = pl.Series(log.cases, dtype=pl.String)
    pairs = [f"{cases[case]}\t{item}" for case, item in log.items.iter_rows()]
    expected = np.array([values[pair] for pair in pairs])
    if not np.allclose(fit.parameters["attraction"], expected, atol=1e-9):
        sys.exit(f"{name}: parameters differ by {np.abs(fit.parameters['attraction'] - expected).max()}")
    both = making + fitting
    times = f"{slow:.2f} s | {both:.3f} s | {fitting:.3f} s | {slow / both:,.0f} | {slow / fitting:,.0f}"
    return f"| {name} | {len(sessions):,} | {rounds} | {times} |"


def write_large(path: Path, impressions: int) -> None:
    """Sessions of frequent and rare cases, whose users click by the position-based model; a file is joined from pieces."""
    generator = np.random.default_rng(1)
    lists = np.argsort(generator.random((CASES, LISTS, ITEMS)), axis=2)[:, :, :DEPTH]
    attraction = generator.beta(1, 3, (CASES, ITEMS))
    frequency = 1 / np.arange(1, CASES + 1)
    pieces = path.parent / "pieces"
    pieces.mkdir()
    for number, start in enumerate(range(0, impressions // DEPTH, PIECE)):
        size = min(PIECE, impressions // DEPTH - start)
        case = generator.choice(CASES, size, p=frequency / frequency.sum())
        items = lists[case, generator.integers(LISTS, size=size)]
        clicked = generator.random((size, DEPTH)) < attraction[case[:, None], items] / np.arange(1, DEPTH + 1)
        columns = {
            "session": np.repeat(np.arange(start, start + size), DEPTH),
            "case": np.repeat(case, DEPTH),
            "item": items.ravel(),
            "position": np.tile(np.arange(1, DEPTH + 1), size),
            "clicked": clicked.ravel(),
        }
        texts = pl.format("query {}", "case").alias("case"), pl.format("document {}", "item").alias("item")
        pl.DataFrame(columns).with_columns(texts).write_parquet(pieces / f"{number:05}.parquet")
    pl.scan_parquet(pieces / "*.parquet").sink_parquet(path)


def fit_large(path: str) -> None:
    """Read and fit in this process, and print its time and its largest memory."""
    start = time.process_time()
    result = plumbline.clicks(path, model=list(FITTED), rounds=EM_ROUNDS)
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    print(f"{time.process_time() - start:.1f} s of the processor, {peak:,.0f} MiB; {result.summary[0]}")


def large(impressions: int) -> None:
    """Draw a log, and fit models to it in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        write_large(path, impressions)
        print(f"{impressions:,} impressions, {path.stat().st_size / 2**20:,.0f} MiB; {', '.join(FITTED)}, {EM_ROUNDS} rounds")
        subprocess.run([sys.executable, __file__, "--fit", str(path)], check=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", nargs="?", help="a log as plumbline clicks reads it")
    parser.add_argument("--rounds", type=int, default=EM_ROUNDS)
    parser.add_argument("--large", type=int, metavar="IMPRESSIONS")
    parser.add_argument("--fit", metavar="FILE", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fit or given.large:
        fit_large(given.fit) if given.fit else large(given.large)
        return
    frame = drawn() if given.log is None else read_impressions(open_log(load(given.log), {})).frame
    print("| model | sessions | rounds | loops | plumbline | the fit alone | ratio | ratio of the fit |")
    print("|" + " --- |" * 8)
    for name in ("pbm", "ubm"):
        print(compared(name, frame, given.rounds))


if __name__ == "__main__":
    main()
