"""Seeded mutations of sane label files: a score in range or an error that explains, and nothing else."""

from __future__ import annotations

import math
import random
from typing import Final

import pytest

import plumbline as pb
from tests.badinputs.test_fuzz import explained, mutated
from tests.helpers.label_forms import FILES, GUESS, SPAM, TAGGED, TOPICS, file

MUTATIONS: Final = 12
"""For each kind of file, role and task."""
KINDS: Final = [
    *("tabs", "spaces", "commas", "two columns", "comments", "csv", "tsv"),
    *("json nested", "json flat", "json records", "json lines", "evall json", "evall tsv", "gzip", "parquet", "arrow"),
]
SANE: Final = {"filtering": (SPAM, GUESS), "classification": (TOPICS, TAGGED)}
METRICS: Final = {
    "filtering": ["Accuracy", "P", "R", "F(P,R)", "Lam", "AUC", "F(Rel,Sens)"],
    "classification": ["Accuracy", "P", "R", "F(P,R)", "CEM"],
}
OPTIONS: Final[dict[str, list[dict[str, object]]]] = {
    "filtering": [{}, {"threshold": 0.5}, {"positive": "1"}, {"missing_items": "wrong", "on_duplicate": "last"}],
    "classification": [{}, {"label_separator": "|"}, {"multilabel": True}, {"on_duplicate": "first"}],
}


def in_order(gold: bytes, output: bytes, task: str, options: dict[str, object]) -> bool:
    """Whether it was scored; every value must then be null or within its range."""
    names = METRICS[task] if not {"multilabel", "label_separator"} & options.keys() else METRICS[task][:-1]
    try:
        scores = pb.evaluate(file(gold), file(output), names, task=task, **options)  # type: ignore[arg-type]
    except pb.PlumblineError as refused:
        return not explained(refused)
    values = [*scores.per_case["value"].to_list(), *scores.mean["value"].to_list()]
    assert all(value is None or (math.isfinite(value) and 0 <= value <= 1 + 1e-12) for value in values)
    return True


def as_bytes(data: bytes | str) -> bytes:
    return data if isinstance(data, bytes) else data.encode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", ["gold", "system"])
@pytest.mark.parametrize("task", list(SANE))
def test_mutations_are_scored_or_explained(task: str, role: str, kind: str) -> None:
    chance = random.Random(f"{task} {role} {kind}")  # noqa: S311 - nothing secret
    sane = [as_bytes(FILES[kind](rows)) for rows in SANE[task]]
    outcomes = []
    for number in range(MUTATIONS):
        files = list(sane)
        files[role == "system"] = mutated(sane[role == "system"], chance)
        options = OPTIONS[task][number % len(OPTIONS[task])]
        try:
            outcomes.append(in_order(files[0], files[1], task, options))
        except Exception as error:
            message = f"{type(error).__name__} from {files[role == 'system']!r} with {options}"
            raise AssertionError(message) from error
    assert False in outcomes, "some mutations do harm"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", list(SANE))
def test_what_is_mutated_is_sane(task: str, kind: str) -> None:
    gold, output = (as_bytes(FILES[kind](rows)) for rows in SANE[task])
    for options in OPTIONS[task]:
        assert in_order(gold, output, task, options)
