"""Seeded mutations of files of every format and task, each known by its number.

An input is either scored or refused. It must not end in another exception, hang, warn, give NaN or a value out of range, write
a message as long as a page, or give nothing but zeros without a notice. One input in three is a file for `check`. Of the
others, one in eight is scored by several metrics that are not all zero by chance, the rest by one setting of one metric.

`python -m tests.helpers.fuzzing 0 1000000` tries many and prints those that fail.
"""

from __future__ import annotations

import gc
import json
import math
import random
import re
import signal
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import plumbline
from tests.badinputs.test_fuzz import SANE as RANKINGS
from tests.badinputs.test_fuzz import mutated
from tests.helpers.label_forms import FILES, GUESS, SPAM, TAGGED, TOPICS, file
from tests.helpers.metric_settings import names_of
from tests.helpers.organization_forms import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from plumbline.metrics.registry import Metric

LONGEST_MESSAGE: Final = 2_000
PATIENCE: Final = 120
"""Seconds after which an input counts as one that never ends."""
SEVERAL: Final = {
    "ranking": ("AP", "RR", "P@5", "nDCG", "ERR"),
    "filtering": ("Accuracy", "F(P,R)", "Lam", "AUC"),
    "classification": ("Accuracy", "F(P,R)", "Kappa"),
    "clustering": ("F(BCubedP,BCubedR)", "Purity", "VI"),
    "organization": ("F(Rel,Sens)", "Rel"),
}
FIELD: Final = re.compile(rb"[^\s,:;{}\[\]\"]+")
ODD: Final = (
    *(b"nan", b"NaN", b"inf", b"-inf", b"-0.0", b"1e308", b"-1e308", b"5e-324", b"1e999", b"0x1p3", b"1_0", b"9" * 400),
    *(
        b"",
        b" ",
        b'""',
        b"#",
        b"x" * 3_000,
        b"null",
        b"true",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\xe2\x80\xae",
        b"\\ud800",
        b"\x00",
    ),
    *(
        b"\xd9\xa1",
        b"=1+1",
        b"d1",
        b"1",
        b"0",
        b"-1",
        b"0.5",
        b"\x1b[31m",
        b"[]",
        b"{}",
        b"a|b",
        b"\xff",
        b"1e18",
        b"2147483648",
    ),
)
"""What stands in the place of a field."""
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
    metrics: tuple[str, ...]
    """What it is scored by; nothing if the changed file is only checked."""
    options: dict[str, Any]
    within: tuple[float | None, float | None] = (None, None)
    """The range of the metric, if it is one."""


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
    text = json.dumps(LEVELS, indent=1).encode()
    return files | {("organization", "jsonl"): (records, records), ("organization", "json"): (text, text)}


@cache
def forms(task: str) -> list[str]:
    """The formats of a task."""
    return sorted(form for each, form in sane() if each == task)


@cache
def settings(task: str) -> list[tuple[Metric, list[str]]]:
    """The settings of each metric of a task that needs nothing but a gold and an output, and gives a number."""
    gold, output = sane()[task, forms(task)[-1]]
    named = [(metric, names_of(metric)) for metric in plumbline.all_metrics(task).values() if not metric.text]
    return [one for one in named if outcome(Input(task, "", gold, output, (one[1][0],), {})) == "scored"]


def odd_field(data: bytes, chance: random.Random) -> bytes:
    """One field or value becomes something else."""
    start, end = chance.choice([field.span() for field in FIELD.finditer(data)] or [(0, 0)])
    return data[:start] + chance.choice(ODD) + data[end:]


def input_of(number: int) -> Input:
    """The input of this number; the same at every time and place."""
    chance = random.Random(f"issue 24, {number}")  # noqa: S311 - nothing secret
    task = chance.choice(list(SEVERAL))
    form = chance.choice(forms(task))
    files = list(sane()[task, form])
    side = chance.randrange(2)
    files[side] = chance.choice([mutated, odd_field])(files[side], chance)
    options = chance.choice(OPTIONS[task])
    if chance.randrange(3) == 0:
        return Input(task, form, files[side], b"", (), {})
    if chance.randrange(8) == 0:
        return Input(task, form, files[0], files[1], SEVERAL[task], options)
    metric, names = chance.choice(settings(task))
    return Input(task, form, files[0], files[1], (chance.choice(names),), options, metric.range)


def outcome(given: Input) -> str:
    """How an input ends: "scored" or the code of the refusal; anything else is a failure."""
    with warnings.catch_warnings(), limited_time():
        warnings.simplefilter("error")
        if not given.metrics:
            return _checked(given)
        try:
            scores = plumbline.evaluate(
                file(given.gold), file(given.output), list(given.metrics), task=given.task, **given.options
            )
        except plumbline.PlumblineError as refused:
            return _code(refused)
    assert all(len(str(notice)) < LONGEST_MESSAGE for notice in scores.notices), "a long notice"
    values = [*scores.per_case["value"].drop_nulls(), *scores.mean["value"].drop_nulls()]
    assert all(map(math.isfinite, values)), "not a number"
    least, most = given.within
    assert least is None or min(values, default=least) >= least - 1e-12, "below its range"
    assert most is None or max(values, default=most) <= most + 1e-12, "above its range"
    silent = all(notice.code == "N212" for notice in scores.notices)
    assert not (silent and len(given.metrics) > 1 and values and not any(values)), "nothing but zeros without a notice"
    return "scored"


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def _checked(given: Input) -> str:
    """What `check` says about a file."""
    written = Path(_folder().name, "file")
    written.write_bytes(given.gold)
    (result,) = plumbline.check(written, task=given.task).files
    assert all(len(str(one)) < LONGEST_MESSAGE for one in result.diagnostics), "a long message"
    return "fine" if result.ok else result.diagnostics[0].code


def _code(refused: plumbline.PlumblineError) -> str:
    assert refused.code.startswith("E")
    assert len(str(refused)) < LONGEST_MESSAGE, "a long message"
    return refused.code


class limited_time:  # noqa: N801 - used like a function
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


def failing(numbers: range, tried: Callable[[int], object]) -> Iterator[tuple[int, str]]:
    """The numbers that end in an exception, and which."""
    for number in numbers:
        try:
            tried(number)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            yield number, f"{type(error).__name__}: {str(error)[:300]}"


def failures(numbers: range) -> Iterator[tuple[int, str]]:
    """The numbers of inputs that fail, and how."""
    return failing(numbers, lambda number: outcome(input_of(number)))


if __name__ == "__main__":
    gc.set_threshold(100_000, 20, 20)
    first, last = map(int, sys.argv[1:3])
    for start in range(first, last, 10_000):
        for number, how in failures(range(start, min(start + 10_000, last))):
            print(number, how, flush=True)  # noqa: T201 - a program
        print(f"{min(start + 10_000, last):,} inputs", flush=True)  # noqa: T201 - a program
