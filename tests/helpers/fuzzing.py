"""Seeded mutations of files of every format and task, each known by its number.

An input is either scored or refused. It must not end in another exception, hang, warn, give NaN or a value out of range, write
a message as long as a page, or give nothing but zeros without a notice.

`python -m tests.helpers.fuzzing 0 1000000` tries many and prints those that fail.
"""

from __future__ import annotations

import json
import math
import random
import signal
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import plumbline
from tests.badinputs.test_fuzz import SANE as RANKINGS
from tests.badinputs.test_fuzz import mutated
from tests.helpers.label_forms import FILES, GUESS, SPAM, TAGGED, TOPICS, file
from tests.helpers.organization_forms import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_MESSAGE: Final = 2_000
PATIENCE: Final = 120
"""Seconds after which an input counts as one that never ends."""
METRICS: Final = {
    "ranking": ["AP", "RR", "P@5", "nDCG", "ERR"],
    "filtering": ["Accuracy", "F(P,R)", "Lam", "AUC"],
    "classification": ["Accuracy", "F(P,R)", "Kappa"],
    "clustering": ["F(BCubedP,BCubedR)", "Purity", "VI"],
    "organization": ["F(Rel,Sens)"],
}
OPTIONS: Final[dict[str, list[dict[str, Any]]]] = {
    "ranking": [{}, {"ties": "average"}, {"on_duplicate": "first"}, {"depth": 2}, {"missing": "skip"}],
    "filtering": [{}, {"threshold": 0.5}, {"positive": "1"}, {"missing_items": "wrong", "on_duplicate": "last"}],
    "classification": [{}, {"on_duplicate": "first"}, {"missing_items": "wrong"}],
    "clustering": [{}, {"missing_items": "drop"}, {"noise": "x"}],
    "organization": [{}],
}


@dataclass(frozen=True)
class Input:
    """A gold and an output, one of them changed."""

    task: str
    form: str
    gold: bytes
    output: bytes
    options: dict[str, Any]


@cache
def sane() -> dict[tuple[str, str], tuple[bytes, bytes]]:
    """Gold and output of each task in each format."""
    files = {("ranking", form): (RANKINGS["gold"][form], RANKINGS["system"][form]) for form in RANKINGS["gold"]}
    rows = {"filtering": (SPAM, GUESS), "classification": (TOPICS, TAGGED), "clustering": (TOPICS, TAGGED)}
    for task, sides in rows.items():
        for form, write in FILES.items():
            gold, output = (data if isinstance(data, bytes) else data.encode() for data in map(write, sides))
            files[task, form] = (gold, output)
    records = "".join(json.dumps({"case": case, "levels": levels}) + "\n" for case, levels in LEVELS.items()).encode()
    whole = json.dumps(LEVELS, indent=1).encode()
    return files | {("organization", "jsonl"): (records, records), ("organization", "json"): (whole, whole)}


def input_of(number: int) -> Input:
    """The input of this number; the same at every time and place."""
    chance = random.Random(f"issue 24, {number}")  # noqa: S311 - nothing secret
    task, form = chance.choice(sorted(sane()))
    files = list(sane()[task, form])
    side = chance.randrange(2)
    files[side] = mutated(files[side], chance)
    return Input(task, form, files[0], files[1], chance.choice(OPTIONS[task]))


def outcome(given: Input) -> str:
    """How an input ends: "scored" or the code of the refusal; anything else is a failure."""
    with warnings.catch_warnings(), _limited_time():
        warnings.simplefilter("error")
        try:
            scores = plumbline.evaluate(
                file(given.gold), file(given.output), METRICS[given.task], task=given.task, **given.options
            )
        except plumbline.PlumblineError as refused:
            return _code(refused)
    assert all(len(str(notice)) < LONGEST_MESSAGE for notice in scores.notices), "a long notice"
    values = [value for value in (*scores.per_case["value"], *scores.mean["value"]) if value is not None]
    assert all(map(math.isfinite, values)), "not a number"
    assert given.task == "clustering" or all(-1 - 1e-12 <= value <= 1 + 1e-12 for value in values), "out of range"
    silent = [notice for notice in scores.notices if notice.code != "N212"] == []
    assert not (silent and values and not any(values)), "nothing but zeros without a notice"
    return "scored"


def _code(refused: plumbline.PlumblineError) -> str:
    assert refused.code.startswith("E")
    assert len(str(refused)) < LONGEST_MESSAGE, "a long message"
    return refused.code


class _limited_time:  # noqa: N801 - used like a function
    """An exception for what never ends; only where the system has alarms."""

    def __enter__(self) -> None:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._ring)
            signal.alarm(PATIENCE)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)

    def _ring(self, *_: object) -> None:
        message = "it never ends"
        raise AssertionError(message)


def failures(numbers: range) -> Iterator[tuple[int, str]]:
    """The numbers of inputs that fail, and how."""
    for number in numbers:
        try:
            outcome(input_of(number))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            yield number, f"{type(error).__name__}: {str(error)[:200]}"


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:3])
    for start in range(first, last, 10_000):
        for number, how in failures(range(start, min(start + 10_000, last))):
            print(number, how, flush=True)  # noqa: T201 - a program
        print(f"{min(start + 10_000, last):,} inputs", flush=True)  # noqa: T201 - a program
