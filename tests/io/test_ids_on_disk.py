"""Ids of a file on the disk are compared with ids in memory by the module in C: the answer of the obvious comparison."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from plumbline.io.bytes.on_disk import OnDisk
from plumbline.io.listed import Texts, rows_in_gold
from plumbline.io.native import native_function

if TYPE_CHECKING:
    from pathlib import Path

equal_on_disk = native_function("equal_on_disk")
pytestmark = pytest.mark.skipif(equal_on_disk is None, reason="the module in C is turned off or not installed")
LONGEST = 2**16


def _starts(text: bytes) -> list[int]:
    return [at for at in range(len(text)) if text[at] not in b" \t\n" and (at == 0 or text[at - 1] in b" \t\n")]


def _compared(path: Path, starts: list[int], text: bytes, others: list[int], size: int | None = None) -> int:
    assert equal_on_disk is not None
    with path.open("rb") as file:
        length = path.stat().st_size if size is None else size
        places = (np.array(starts, np.uint32), text, np.array(others, np.uint32))
        return int(equal_on_disk(file.fileno(), length, *places))


@pytest.mark.parametrize("number", range(40))
def test_ids_anywhere_in_both_texts(tmp_path: Path, number: int) -> None:
    chance = random.Random(number)  # noqa: S311 - no secret
    words = ["d", "d1", "d12", "e12", "x" * 600, "x" * 599 + "y", "é"]
    far = "z" * chance.choice((1, 3000))

    def drawn() -> bytes:
        blank = " \t\n"
        return "".join(chance.choice((*words, far)) + chance.choice(blank) * chance.randint(1, 2) for _ in range(30)).encode()

    on_disk, text = drawn()[: -chance.randint(0, 1)] or b"d", drawn()[: -chance.randint(1, 2)]
    path = tmp_path / "ids"
    path.write_bytes(on_disk)
    starts, others = _starts(on_disk), _starts(text)
    pairs = [(start, other) for start in starts for other in others]
    same = [pair for pair in pairs if on_disk[pair[0] :].split()[0] == text[pair[1] :].split()[0]]
    differ = [pair for pair in pairs if pair not in same]
    assert _compared(path, [one for one, _ in same], text, [other for _, other in same]) == 1
    for wrong in chance.sample(differ, 20):
        some = sorted([*chance.sample(same, min(5, len(same))), wrong])
        assert _compared(path, [one for one, _ in some], text, [other for _, other in some]) == 0, wrong


def test_a_file_that_became_shorter_and_ids_of_any_length_are_left_to_the_reader_in_python(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_bytes(b"d1 d2")
    assert _compared(path, [3], b"d2", [0]) == 1
    assert _compared(path, [3], b"d2", [0], size=6) == -1
    assert _compared(path, [40], b"d2", [0], size=50) == -1
    assert _compared(path, [], b"", []) == 1
    path.write_bytes(b"d" * (LONGEST + 1))
    assert _compared(path, [0], b"d" * (LONGEST + 1), [0]) == -1


def test_a_shared_hash_does_not_decide(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_bytes(b"d1 d2\n")
    with path.open("rb") as file:
        run = Texts(OnDisk(file, "ids"), np.array([0, 3], np.uint32), np.array([7, 8], np.uint64), plain=True)
        gold = Texts(b"d2 d1", np.array([0, 3], np.uint32), np.array([7, 9], np.uint64), plain=True)  # d2 has the hash of d1
        rows, of_gold = rows_in_gold((gold, np.zeros(2, np.int32)), (run, np.zeros(2, np.int32)))
    assert (rows.tolist(), of_gold.tolist()) == ([0, 1], [1, 0])
