"""Mutated logs of clicks and of policies: understood or refused, and nothing else.

`PLUMBLINE_FUZZ=20000` tries more, as CI does.
"""

from __future__ import annotations

import json
import os
import random
import warnings
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
import pytest

import plumbline
from tests.badinputs.test_fuzz import mutated
from tests.helpers.fuzzing import odd_field

if TYPE_CHECKING:
    from pathlib import Path

COUNT = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) // 10
FEW: Final = 12


def _impressions() -> pl.DataFrame:
    columns = ["session", "case", "item", "position", "clicked", "when"]
    rows = [
        (f"s{session}", f"q{session % 2}", f"d{(session + rank) % 5}", rank, int(session * rank % 3 == 0), f"2026-03-0{rank}")
        for session in range(12)
        for rank in (1, 2, 3)
    ]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _queries() -> str:
    records = [{"query_id": f"s{n}", "user_query": "shoes", "query_response_hit_ids": ["a", "b"]} for n in range(8)]
    return "".join(json.dumps(record) + "\n" for record in records)


def _events() -> str:
    records = [
        {"query_id": f"s{n}", "action_name": "click", "event_attributes": {"object": {"object_id": "ab"[n % 2]}}}
        for n in range(8)
    ]
    return "".join(json.dumps(record) + "\n" for record in records)


def _actions() -> pl.DataFrame:
    action = np.random.default_rng(1).choice(3, 60)
    propensity = np.array([0.5, 0.3, 0.2])[action]
    return pl.DataFrame(
        {"session": np.arange(60) // 2, "action": action.astype(str), "propensity": propensity, "reward": action % 2}
    )


SANE: Final[dict[str, str]] = {
    "clicks.csv": _impressions().write_csv(),
    "clicks.jsonl": _impressions().write_ndjson(),
    "clicks.txt": "q\ta,b,c : a;\nq\tb,a,c : b , c;\n" * 4,
    "queries.jsonl": _queries(),
    "events.jsonl": _events(),
    "policy.csv": _actions().write_csv(),
    "policy.jsonl": _actions().write_ndjson(),
}


def outcome(name: str, data: bytes, folder: Path) -> str:
    """How a log ends: "fine", or the code of the refusal; anything else is a failure."""
    for other in ("queries.jsonl", "events.jsonl"):
        (folder / other).write_text(SANE[other], encoding="utf-8")
    (folder / name).write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if name.startswith("policy"):
                plumbline.policy_value(folder / name, policy="uniform", least=0.0, resamples=10)
            else:
                files = [folder / "queries.jsonl", folder / "events.jsonl"] if name in {"queries.jsonl", "events.jsonl"} else []
                plumbline.clicks(files or folder / name, model=["item-ctr", "sdbn"], split="session")
    except plumbline.PlumblineError as refused:
        return refused.code
    return "fine"


def changed(name: str, number: int) -> bytes:
    """The file of this number; the same at every time and place."""
    chance = random.Random(f"{name}, {number}")  # noqa: S311 - nothing secret
    return chance.choice([mutated, odd_field])(SANE[name].encode(), chance)


@pytest.mark.parametrize("name", SANE)
def test_what_is_mutated_is_sane_and_some_mutations_are_refused(name: str, tmp_path: Path) -> None:
    assert outcome(name, SANE[name].encode(), tmp_path) == "fine"
    outcomes = {outcome(name, changed(name, number), tmp_path) for number in range(FEW)}
    assert len(outcomes) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SANE)
def test_mutated_logs_are_understood_or_refused(name: str, tmp_path: Path) -> None:
    for number in range(COUNT):
        outcome(name, changed(name, number), tmp_path)


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("clicks.jsonl", '{"session": "\\ud800", "case": "q", "item": "a", "position": 1, "clicked": 1}', "E111"),
        ("queries.jsonl", '{"user_query": "shoes", "query_response_hit_ids": ["a"]}', "E114"),
        ("queries.jsonl", '{"query_id": "x", "query_response_hit_ids": 3}', "E111"),
        ("policy.jsonl", '{"session": 1, "action": "1", "propensity": {}, "reward": 1}', "E114"),
        ("policy.jsonl", '{"session": 1, "action": "1", "propensity": 5e-324, "reward": 1}', "E582"),
    ],
)
def test_lines_that_failed_once(name: str, line: str, code: str, tmp_path: Path) -> None:
    lines = [f"{line}\n", SANE[name]] if name.startswith("policy") else [SANE[name], f"{line}\n"]
    assert outcome(name, "".join(lines).encode(), tmp_path) == code


@pytest.mark.parametrize("attributes", ["{}", "3", '{"object": "a"}', "null"])
def test_a_click_on_nothing_is_no_click(attributes: str, tmp_path: Path) -> None:
    line = f'{{"query_id": "s1", "action_name": "click", "event_attributes": {attributes}}}'
    assert outcome("events.jsonl", f"{SANE['events.jsonl']}{line}\n".encode(), tmp_path) == "fine"
