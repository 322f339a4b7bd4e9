"""Spans of a million tokens, five systems from files, beside seqeval and nervaluate; values are compared first.

python benchmarks/extraction.py                    all
python benchmarks/extraction.py --tokens 100000    the same with fewer tokens

Processor time is measured, which depends less on what else the machine does. Sentences and tags are made with a seed. All
read the same files; seqeval and nervaluate get lists of tags, read by the loop that people write. A difference of values ends
the benchmark. Last come fields of a tenth as many documents, beside a loop with counters.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
ENOUGH, MOST = 5.0, 5

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


def files(folder: Path, tokens: int) -> list[Path]:
    """The gold and the outputs; the lists that they are made of are gone afterwards, so that no collector goes through them."""
    gold, outputs = made(tokens)
    paths = [folder / "gold.iob", *(folder / f"s{at}.iob" for at in range(SYSTEMS))]
    for path, tags in zip(paths, (gold, *outputs), strict=True):
        write(path, tags)
    return paths


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
    scores = plumbline.evaluate(gold, list(map(str, outputs)), metrics, task="extraction", pooled=True)
    values = scores.mean["value"].to_list()
    return [values[at : at + len(metrics)] for at in range(0, len(values), len(metrics))]


def means_of_plumbline(gold: Path, output: Path) -> list[list[float | None]]:
    scores = plumbline.evaluate(gold, [str(output)], ["P", "R", "F(P,R)"], task="extraction")
    return [[scores.mean["value"][0]]]


def of_seqeval(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    return [[float(x) for x in precision_recall_fscore_support(right, read(one), average="micro")[:3]] for one in outputs]


def report_of_seqeval(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    results: list[list[float | None]] = []
    for one in outputs:
        report = classification_report(right, read(one), output_dict=True)
        results.append(
            [float(report[f"{kind} avg"][name]) for kind in AVERAGES for name in ("precision", "recall", "f1-score")]
        )
    return results


def of_nervaluate(gold: Path, outputs: list[Path]) -> list[list[float | None]]:
    right = read(gold)
    evaluators = (nervaluate.Evaluator(right, read(one), tags=list(KINDS), loader="list") for one in outputs)
    return [[result.evaluate()["overall"]["partial"].f1] for result in evaluators]


def timed(run: Callable[[], list[list[float | None]]]) -> tuple[float, list[list[float | None]]]:
    """The fastest of some runs; those of more than a few seconds are not repeated."""
    gc.collect()
    seconds: list[float] = []
    while not seconds or (sum(seconds) < ENOUGH and len(seconds) < MOST):
        start = time.process_time()
        values = run()
        seconds.append(time.process_time() - start)
    return min(seconds), values


def records(folder: Path, documents: int) -> list[Path]:
    """Gold and output of fields: one to three records of six values a document, of which the output has some wrong."""
    draw = random.Random(0)
    paths = [folder / "gold.jsonl", folder / "output.jsonl"]
    with paths[0].open("w", encoding="utf-8") as gold, paths[1].open("w", encoding="utf-8") as output:
        for number in range(documents):
            wanted = [_record(draw) for _ in range(draw.choice((1, 1, 2, 3)))]
            given = [{name: "other" if draw.random() < 0.1 else value for name, value in one.items()} for one in wanted]
            draw.shuffle(given)
            for file, of_document in ((gold, wanted), (output, given)):
                file.write(json.dumps({"id": f"d{number}", "records": of_document}) + "\n")
    return paths


def _record(draw: random.Random) -> dict[str, Any]:
    return {
        "name": f"n{draw.randint(0, 999)}",
        "born": draw.randint(1800, 2000),
        "fields": [f"t{at}" for at in draw.sample(range(50), 2)],
        "address": {"city": f"c{draw.randint(0, 99)}", "code": draw.randint(10_000, 99_999)},
    }


def loop_over_fields(gold: Path, output: Path) -> list[list[float | None]]:
    """Mean precision over documents by counters, where records are assigned by trying every order."""
    values = []
    with gold.open(encoding="utf-8") as first, output.open(encoding="utf-8") as second:
        for line, other in zip(first, second, strict=True):
            wanted, given = ([_counted(one) for one in json.loads(text)["records"]] for text in (line, other))
            right = max(sum((a & b).total() for a, b in zip(order, given, strict=True)) for order in permutations(wanted))
            values.append(right / sum(one.total() for one in given))
    return [[sum(values) / len(values)]]


def _counted(record: dict[str, Any]) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for name, value in record.items():
        if isinstance(value, dict):
            counts.update({(f"{name}.{inner}", str(one)): 1 for inner, one in value.items()})
        else:
            counts.update((name, str(one)) for one in (value if isinstance(value, list) else [value]))
    return counts


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
        right, *paths = files(Path(folder), tokens)
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
        gold, output = records(Path(folder), tokens // 10)
        slow, theirs = timed(lambda: loop_over_fields(gold, output))
        fast, ours = timed(lambda: means_of_plumbline(gold, output))
        compared(ours, theirs, CLOSE)
        print(f"fields of {tokens // 10:,} documents, P by a loop {slow:8.2f} s   plumbline, P R F {fast:6.2f} s")


if __name__ == "__main__":
    main()
