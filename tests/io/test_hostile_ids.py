"""Ids that were made to have the same hash: they take no longer than others, and give the same scores."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import plumbline
from plumbline.io.listed import Texts, rows_in_gold
from plumbline.io.native import SWITCH, native

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

core = pytest.importorskip("plumbline_core", reason="the reader in C is not installed: pip install ./native")
pytestmark = pytest.mark.skipif(native() is None, reason=f"the reader in C is turned off: {SWITCH}=0")

ODD, LENGTH, SHIFT, HALF = map(np.uint64, (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 29, 32))
INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 2**64))
STEPS = 4_096
"""How many steps the module in C looks for a text."""
PLAIN = np.arange(ord("%"), 127, dtype=np.uint8)


def of_ids(state: Words, word: Words) -> Words:
    """The hash of cases and items takes a word of eight bytes."""
    state = (state ^ word) * ODD
    return state ^ state >> SHIFT


def of_tags(state: Words, word: Words) -> Words:
    """The same for tags."""
    state = state ^ word
    state = (state ^ state >> HALF) * ODD
    return state ^ state >> SHIFT


def colliding(take: Callable[[Words, Words], Words], start: bytes, stages: int) -> list[str]:
    """2 ** stages texts with one hash: at each stage either of two pairs of words leads to the same state."""
    first, random = start.ljust(8, b"-"), np.random.default_rng(24)
    with np.errstate(over="ignore"):
        state = take(np.array([16 * stages + 16], np.uint64) * LENGTH, np.frombuffer(first, np.uint64))
        pairs = []
        for stage in range(stages):
            aim = np.frombuffer(b"PPPPPPP" + bytes([65 + stage]), np.uint64)
            words = random.choice(PLAIN, (30_000, 8))
            rest = (aim ^ take(state, words.view(np.uint64).ravel())).view(np.uint8).reshape(-1, 8)
            fine = np.flatnonzero(np.isin(rest, PLAIN).all(axis=1))[:2]
            pairs.append([words[at].tobytes() + rest[at].tobytes() for at in fine])
            state = take(aim, np.zeros(1, np.uint64))
    return [(first + b"".join(one) + b"the-last").decode() for one in product(*pairs)]


@pytest.fixture(scope="module")
def ids() -> list[str]:
    return colliding(of_ids, b"d", 13)


def scanned(lines: list[str], room: int) -> object:
    data = "".join(lines).encode()
    into = [np.empty(room, kind) for kind in (np.int32, np.float64, np.uint32, np.uint64)]
    read = core.scan(data, 0, len(data), len(data), (6, 1, 2, 4, 3, 5), room, *into)
    return None if read is None else len(set(into[3].tolist()))


def test_they_collide(ids: list[str]) -> None:
    """Otherwise nothing is tested here: the hash may have become another one."""
    assert len(set(ids)) == 2**13
    assert scanned([f"q Q0 {one} 1 0.5 t\n" for one in ids[:100]], 100) == 1


def test_cases_that_collide_are_left_to_another_reader(ids: list[str]) -> None:
    lines = [f"{one} Q0 d 1 0.5 t\n" for one in ids]
    assert scanned(lines[:STEPS], STEPS) == 1
    assert scanned(lines, len(lines)) is None


@pytest.mark.parametrize("layout", ["{} {second} d 1", "q {second} {} 1", "{} {second} {} 1"])
def test_scores_are_the_same(layout: str, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.io.formats.trec.small.AT_MOST", 0)
    monkeypatch.setattr("plumbline.io.formats.trec.small.ALWAYS", 0)
    some = ids[: STEPS + 500]
    gold = "".join(layout.format(one, one, second=0) + "\n" for one in some)
    run = "".join(f"{layout.format(one, one, second='Q0')} {at % 97} t\n" for at, one in enumerate(some))
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "run").write_text(run)
    quick = plumbline.evaluate(tmp_path / "gold", tmp_path / "run", ["RR", "nDCG"]).per_case.rows()
    monkeypatch.setenv(SWITCH, "0")
    assert quick == plumbline.evaluate(tmp_path / "gold", tmp_path / "run", ["RR", "nDCG"]).per_case.rows()


def test_tags_that_collide_are_left_to_another_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = colliding(of_tags, b"B-", 13)
    path = tmp_path / "tags.iob"
    path.write_text("".join(f"word {tag}\n" for tag in tags[: STEPS + 10]))
    quick = plumbline.evaluate(path, path, ["P", "COR"], task="extraction").mean.rows()
    monkeypatch.setenv(SWITCH, "0")
    assert quick == plumbline.evaluate(path, path, ["P", "COR"], task="extraction").mean.rows()


@pytest.mark.skipif(not hasattr(core, "labels"), reason="an earlier module in C is installed")
@pytest.mark.parametrize("layout", ["{}\td\tyes", "q\t{}\tyes", "q\td{number}\t{}"])
def test_labels_that_collide_are_left_to_another_reader(layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = colliding(of_tags, b"B-", 13)[: STEPS + 10]
    lines = [layout.format(text, number=number) for number, text in enumerate(texts)]
    (tmp_path / "gold").write_text("\n".join(lines))
    (tmp_path / "output").write_text("\n".join(reversed(lines)))

    def scored() -> tuple[object, list[str]]:
        scores = plumbline.evaluate(tmp_path / "gold", tmp_path / "output", ["BCubedP", "ARI"], task="clustering")
        return scores.per_case.rows(), [str(one) for one in scores.notices]

    quick = scored()
    monkeypatch.setenv(SWITCH, "0")
    assert quick == scored()


def _unmixed(keys: Words) -> Words:
    """The hashes whose keys, for case 0, these are."""
    state: Words = (keys ^ keys >> SHIFT ^ keys >> np.uint64(58)) * INVERSE
    return state ^ state >> HALF


@pytest.mark.parametrize("rows", [STEPS - 10, STEPS + 10])
def test_places_that_collide_are_decided_by_text(rows: int) -> None:
    """Different hashes with the same place in the table: no more than some steps are taken there."""
    hashes = _unmixed(np.arange(1, rows + 1, dtype=np.uint64) << np.uint64(40) | np.uint64(1))
    codes, starts = np.zeros(rows, dtype=np.int32), np.arange(0, 8 * rows, 8, dtype=np.uint32)
    assert core.repeats(codes, hashes, np.array([0, rows])) == (rows > STEPS)
    texts = Texts(b"".join(b"%07d " % at for at in range(rows)), starts, hashes, plain=True)
    sides = (texts.data, starts, hashes, codes)
    assert core.find(sides, sides, *np.empty((2, rows), dtype=np.int64)) == (rows if rows < STEPS else -1)
    found, of_gold = rows_in_gold((texts, codes), (texts, codes))
    assert found.tolist() == of_gold.tolist() == list(range(rows))


def _near_one_place(rows: int) -> list[str]:
    """An item for each case from 1 on, such that many pairs have nearly one place in the table of hashes."""
    items = [f"{number:08}" for number in range(3_000)]
    with np.errstate(over="ignore"):
        state = LENGTH * np.uint64(8) ^ np.frombuffer("".join(items).encode(), np.uint64)
        hashes = of_tags(np.zeros(1, np.uint64), state)
        keys = [of_tags(hashes, np.array([code], np.uint64) * ODD) for code in range(1, rows + 1)]
    return [items[np.argmin((key >> np.uint64(1)) & np.uint64(2**14 - 1))] for key in keys]


def test_items_of_lists_that_are_ranked_while_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 3_000)
    monkeypatch.setattr("plumbline.io.bytes.blocks.BLOCK", 200_000)
    items = _near_one_place(STEPS + 200)
    (tmp_path / "gold").write_text("".join(f"q{case} 0 {item} 1\n" for case, item in enumerate(items, 1)))
    lists = [f"q{case} Q0 {item} 1 {case % 7} t\nq{case} Q0 other 2 -1 t\n" for case, item in enumerate(items, 1)]
    further = [f"r{case} Q0 d 1 1 t\n" for case in range(2_000)]
    (tmp_path / "run").write_text("".join(["q0 Q0 d 1 1 t\n", *lists, *further]))
    quick = plumbline.evaluate(tmp_path / "gold", tmp_path / "run", ["RR", "nDCG"]).per_case.rows()
    monkeypatch.setenv(SWITCH, "0")
    assert quick == plumbline.evaluate(tmp_path / "gold", tmp_path / "run", ["RR", "nDCG"]).per_case.rows()
