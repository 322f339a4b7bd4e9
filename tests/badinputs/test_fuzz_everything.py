"""Mutated files of every format and task: scored or refused, and nothing else.

`PLUMBLINE_FUZZ=20000` tries more, as CI does.
"""

from __future__ import annotations

import os

import pytest

from tests.helpers.fuzzing import SEVERAL, Input, failures, input_of, outcome, sane

COUNT = int(os.environ.get("PLUMBLINE_FUZZ", "1000"))
PARTS = 20
KEPT: tuple[int, ...] = (5, 77, 5633, 9185, 453_088)
"""Numbers that are always tried: one that is scored and one that is refused, and those that failed once."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_files_are_scored_or_refused(part: int) -> None:
    assert dict(failures(range(part, COUNT, PARTS))) == {}


@pytest.mark.parametrize("number", KEPT)
def test_kept_numbers(number: int) -> None:
    outcome(input_of(number))


def test_some_are_scored_and_some_are_refused() -> None:
    """Otherwise nothing would be tested."""
    outcomes = {outcome(input_of(number)) for number in range(40)}
    assert "scored" in outcomes
    assert len(outcomes) > 2


@pytest.mark.parametrize(("task", "form"), sorted(sane()))
def test_what_is_mutated_is_sane(task: str, form: str) -> None:
    gold, output = sane()[task, form]
    assert outcome(Input(task, form, gold, output, SEVERAL[task], {})) == "scored"


def test_a_failure_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash is one, and so are zeros without a notice."""
    input_of(0)  # which metrics there are is found out by evaluating
    for name in ("evaluate", "check"):
        monkeypatch.setattr(f"plumbline.{name}", lambda *_, **__: 1 / 0)
    assert [number for number, _ in failures(range(3))] == [0, 1, 2]
