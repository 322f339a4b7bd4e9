"""Commands of which a file or a word is changed: done or refused, and nothing else.

`PLUMBLINE_FUZZ=20000` tries more, as CI does.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline import agree, check, clicks, compare, experiment, load, meta, policy_value, pool, split
from tests.helpers.command_fuzzing import COMMANDS, Attempt, attempt_of, failures, files_of, folder, tried
from tests.helpers.fuzzing import LONGEST_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) // 10
PARTS = 10
KEPT: tuple[str, ...] = (
    f"evaluate learners/gold.csv learners/linear.csv --task classification --folds {'9' * 400}",
    f"compare {'9' * 400}",
    f"evaluate qrels.txt {'x' * 400}",
    f"evaluate qrels.txt bm25.run --task {'x' * 3_000}",
    "policy actions.csv --policy uniform --resamples 2147483648",
    "agree matrix.csv --resamples 2147483648",
    "interleave --log impressions.csv --resamples 2147483648",
    "audit my_metrics:f2 --budget 2147483648",
    "meta benchmark_long.csv --splits 2147483648",
    "elsewhere benchmark_wide.csv -m accuracy --splits 2147483648",
    "split mails.csv --repeats 2147483648",
    "split mails.csv --bootstrap 2147483648",
    "clicks log.csv --rounds 2147483648",
    "clicks --simulate qrels.txt bm25.run --sessions 2147483648",
    "aggregate matrix.csv --method glad --rounds 2147483648",
    "interleave bm25.run dense.run --lists-per-case 2147483648",
    "weights --n 2147483648",
)
"""Words that ended in an internal error, a wrong reason, a long message or never."""
MENDED: tuple[int, ...] = (
    *(2062, 2238, 2455, 3042, 3431, 3540, 3609, 4254, 4735, 5002, 5183),
    *(5342, 5505, 5766, 6478, 6793, 7637, 8079, 9383, 11396, 13764, 58360),
)
"""Attempts that ended in an internal error, a number that is none or a long message."""
CHANGED = {
    "split mails.csv --check mail_folds.csv": ("mail_folds.csv", b"item,fold\nm01,\nm02,1\n", 1),
    "split mails.csv --check mail_folds.csv --group user": ("mail_folds.csv", b"item,fold,repeat\nm01,1,x\n", 1),
    "agree matrix.csv --resamples 20": ("matrix.csv", b"item,ann,ben\na,1,2\nb,-1e308,1\nc,2,2\n", 0),
}
"""Files that ended in an internal error."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_commands_end_well(part: int) -> None:
    assert dict(failures(range(part, COUNT, PARTS))) == {}


@pytest.mark.parametrize("number", MENDED)
def test_attempts_that_failed_end_well(number: int) -> None:
    tried(attempt_of(number))


@pytest.mark.parametrize("command", KEPT)
def test_odd_words_are_refused(command: str) -> None:
    assert tried(Attempt(tuple(shlex.split(command)))).code in {1, 2}


@pytest.mark.parametrize("command", CHANGED)
def test_odd_files_are_answered(command: str) -> None:
    file, data, code = CHANGED[command]
    assert tried(Attempt(tuple(shlex.split(command)), file, data)).code == code


def test_a_row_without_a_fold_is_named() -> None:
    command = "split mails.csv --check mail_folds.csv"
    message = tried(Attempt(tuple(shlex.split(command)), *CHANGED[command][:2])).err
    assert "E488 row 1: the fold is empty" in message


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_changed_is_sane(command: str) -> None:
    ended = tried(Attempt(tuple(shlex.split(command))))
    assert ended.code == 0 or command.startswith(("check", "split mails.csv --check", "compare benchmark_long.csv"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_that_is_too_long_is_refused_in_the_place_of_every_file(command: str) -> None:
    words = shlex.split(command)
    files = [word for word in words[1:] if "." in word and not word.startswith("-")]
    for word in files:
        long = "x" * 5_000 + word[word.rindex(".") :]
        ended = tried(Attempt(tuple(long if other == word else other for other in words)))
        assert ended.code in {1, 2} or word not in files_of(words), word


@pytest.mark.parametrize("name", ["x" * 400, "a\0b", "x/" * 3_000 + "*", "/dev/null/x", "https://" + "x" * 70_000])
@pytest.mark.parametrize("call", [check, clicks, agree, split, experiment, pool, policy_value, meta, compare, load])
def test_names_that_no_file_can_have_are_refused(name: str, call: Callable[[str], object]) -> None:
    with pytest.raises(plumbline.PlumblineError) as caught:
        call(name)
    assert len(str(caught.value)) < LONGEST_MESSAGE


@pytest.mark.parametrize("name", ["x" * 400, "a\0b"])
def test_an_output_with_such_a_name_is_refused(name: str) -> None:
    for gold, output in ((folder() / "qrels.txt", name), (name, folder() / "bm25.run")):
        with pytest.raises(plumbline.BadUsage):
            plumbline.evaluate(gold, output, "AP")


def test_attempts_are_the_same_every_time_and_differ() -> None:
    assert attempt_of(7) == attempt_of(7)
    assert len({attempt_of(number) for number in range(20)}) > 10
