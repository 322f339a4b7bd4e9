"""Spans of a million tokens, five systems from files, beside seqeval and nervaluate; values are compared first.

python benchmarks/extraction.py                    all
python benchmarks/extraction.py --tokens 100000    the same with fewer tokens

Processor time is measured, which depends less on what else the machine does. Sentences and tags are made with a seed. All
read the same files; seqeval and nervaluate get lists of tags, read by the loop that people write. A difference of values ends
the benchmark.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import nervaluate
from seqeval.metrics import classification_report
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support

import plumbline

if TYPE_CHECKING:
    from collections.abc import Callable

TOKENS, SYSTEMS = 1_000_000, 5
KINDS = ("PER", "LOC", "ORG", "MISC")
NOISE = ("O", "B-PER", "I-PER", "B-LOC", "I-ORG", "I-LOC")
AVERAGES = ("micro", "macro", "weighted")
CLOSE = 1e-12

Tags = list[list[str]]


def made(tokens: int) -> tuple[Tags, list[Tags]]:
    """Sentences with a name at every eighth token or so, and outputs in which some tags are others."""
    draw = random.Random(0)
    gold: Tags = []
    while tokens > 0:
        sentence: list[str] = []
        length = draw.randint(5, 40)
        while len(sentence) < length:
            kind, size = draw.choice(KINDS), min(draw.choice((1, 1, 2, 2, 3)), length - len(sentence))
            sentence += [f"B-{kind}", *[f"I-{kind}"] * (size - 1)] if draw.random() < 0.12 else ["O"]
        gold.append(sentence)
        tokens -= length
    outputs = [[[_other(draw, tag, 0.02 + 0.01 * at) for tag in one] for one in gold] for at in range(SYSTEMS)]
    return gold, outputs


def _other(draw: random.Random, tag: str, share: float) -> str:
    return draw.choice(NOISE) if draw.random() < share else tag


def write(path: Path, tags: Tags) -> None:
    path.write_text("\n\n".join("\n".join(f"word NN {tag}" for tag in one) for one in tags) + "\n", encoding="utf-8")


def read(path: Path) -> Tags:
    """The loop that people write."""
    sentences: Tags = [[]]
    with path.open(encoding="utf-8") as file:
        for line in file:
            if fields := line.split():
                sentences[-1].append(fields[-1])
            elif sentences[-1]:
                sentences.append([])
    return [one for one in sentences if one]


def of_plumbline(gold: Path, outputs: list[Path], metrics: list[str]) -> list[list[float | None]]:
    found = plumbline.evaluate(gold, list(map(str, outputs)), metrics, task="extraction", pooled=True)
    values = found.mean["value"].to_list()
    return [values[at : at + len(metrics)] for at in range(0, len(values), len(metrics))]


def of_seqeval(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    return [[float(x) for x in precision_recall_fscore_support(right, read(one), average="micro")[:3]] for one in outputs]


def report_of_seqeval(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    found: list[list[float | None]] = []
    for one in outputs:
        report = classification_report(right, read(one), output_dict=True)
        found.append([float(report[f"{kind} avg"][name]) for kind in AVERAGES for name in ("precision", "recall", "f1-score")])
    return found


def of_nervaluate(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    evaluators = (nervaluate.Evaluator(right, read(one), tags=list(KINDS), loader="list") for one in outputs)
    return [[found.evaluate()["overall"]["partial"].f1] for found in evaluators]


def timed(run: Callable[[], list[list[float | None]]]) -> tuple[float, list[list[float | None]]]:
    start = time.process_time()
    values = run()
    return time.process_time() - start, values


def compared(ours: list[list[float | None]], theirs: list[list[float | None]], most: float) -> None:
    for one, other in zip(ours, theirs, strict=True):
        if any(abs((a or 0.0) - (b or 0.0)) > most for a, b in zip(one, other, strict=True)):
            sys.exit(f"values differ: {one} and {other}")


def main() -> None:
    warnings.simplefilter("ignore")
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tokens", type=int, default=TOKENS)
    tokens = arguments.parse_args().tokens
    averages = [f"{name}average={kind})" for kind in AVERAGES for name in ("P(", "R(", "F(P,R,")]
    with tempfile.TemporaryDirectory() as folder:
        gold, outputs = made(tokens)
        paths = [Path(folder) / f"s{at}.iob" for at in range(SYSTEMS)]
        write(Path(folder) / "gold.iob", gold)
        for path, tags in zip(paths, outputs, strict=True):
            write(path, tags)
        right = Path(folder) / "gold.iob"
        of_plumbline(right, paths[:1], ["P"])  # imports
        jobs = [
            ("seqeval, P R F", lambda: of_seqeval(right, paths), ["P", "R", "F(P,R)"], CLOSE),
            ("seqeval, report", lambda: report_of_seqeval(right, paths), averages, CLOSE),
            ("nervaluate, partial F", lambda: of_nervaluate(right, paths[:1]), ["F(P,R,match=partial)"], 0.01),
        ]
        print(f"{tokens:,} tokens, {SYSTEMS} systems (nervaluate: 1)")
        for name, run, metrics, most in jobs:
            wanted = paths[:1] if "nervaluate" in name else paths
            slow, theirs = timed(run)
            fast, ours = timed(partial(of_plumbline, right, wanted, metrics))
            compared(ours, theirs, most)
            print(f"{name:<24} {slow:8.2f} s   plumbline {fast:6.2f} s   {slow / fast:6.1f} times")


if __name__ == "__main__":
    main()
