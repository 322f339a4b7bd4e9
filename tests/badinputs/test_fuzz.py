"""Seeded mutations of sane files: a score in range or an error that explains, and nothing else."""

from __future__ import annotations

import json
import math
import random
from io import BytesIO
from typing import TYPE_CHECKING, Final

import pytest

import plumbline as pb
from tests.helpers.command_line import QRELS, RUN

if TYPE_CHECKING:
    from collections.abc import Callable

MUTATIONS: Final = 45
"""For each kind of file; ten kinds make a few hundred."""
Rows = list[tuple[str, ...]]
METRICS: Final = ["AP", "RR", "P@5", "nDCG"]

_RUN_ROWS: Final = [line.split() for line in RUN.splitlines()]
_QRELS_ROWS: Final = [line.split() for line in QRELS.splitlines()]


def _csv(rows: Rows, heading: tuple[str, ...], separator: str = ",") -> bytes:
    return "".join(f"{separator.join(row)}\n" for row in [heading, *rows]).encode()


def _nested(rows: Rows) -> bytes:
    systems: dict[str, dict[str, float]] = {}
    for case, item, value in rows:
        systems.setdefault(case, {})[item] = float(value)
    return json.dumps(systems, indent=1).encode()


def _records(rows: Rows, name: str) -> list[dict[str, str | float]]:
    return [{"case": case, "item": item, name: float(value)} for case, item, value in rows]


RUN_ROWS: Final[Rows] = [(row[0], row[2], row[4]) for row in _RUN_ROWS]
QRELS_ROWS: Final[Rows] = [(row[0], row[2], row[3]) for row in _QRELS_ROWS]

SANE: Final[dict[str, dict[str, bytes]]] = {
    "gold": {
        "trec": QRELS.encode(),
        "csv": _csv(QRELS_ROWS, ("query_id", "doc_id", "relevance")),
        "tsv": _csv(QRELS_ROWS, ("qid", "docno", "label"), "\t"),
        "json": _nested(QRELS_ROWS),
        "jsonl": b"".join(json.dumps(record).encode() + b"\n" for record in _records(QRELS_ROWS, "grade")),
    },
    "system": {
        "trec": RUN.encode(),
        "csv": _csv([(case, f'"{item}"', score) for case, item, score in RUN_ROWS], ("query_id", "doc_id", "score")),
        "tsv": _csv(RUN_ROWS, ("qid", "docno", "score"), "\t"),
        "json": json.dumps(_records(RUN_ROWS, "score")).encode(),
        "jsonl": b"".join(json.dumps(record).encode() + b"\n" for record in _records(RUN_ROWS, "score")),
    },
}


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    piece = chance.choice(
        [chance.randbytes(1), chance.randbytes(4), b'"', b"\\", b"nan", b"1e999", b"-", b",", b"{", b"[" * 2000]
    )
    return data[:at] + piece + data[at:]


def delete(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 8) :]


def repeat_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    return b"".join([*lines[:at], lines[at], *lines[at:]])


def swap_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines)


def white_space(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes(chance.choice(b" \t\r\n\x0b\x0c") for _ in range(chance.randrange(1, 5))) + data[at:]


KINDS: Final[list[Callable[[bytes, random.Random], bytes]]] = [cut, flip, insert, delete, repeat_line, swap_lines, white_space]


def mutated(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        data = chance.choice(KINDS)(data or b"q", chance)
    return data


def named(data: bytes) -> BytesIO:
    file = BytesIO(data)
    file.name = "file"
    return file


def explained(refused: pb.PlumblineError) -> bool:
    """A refusal says what is wrong, under a code."""
    assert refused.code.startswith("E")
    assert all(problem.text for problem in refused.diagnostics)
    return True


def in_order(gold: bytes, system: bytes) -> bool:
    """Whether it was scored; every value must then be null or within its range."""
    try:
        scores = pb.evaluate(named(gold), named(system), METRICS)
    except pb.PlumblineError as refused:
        return not explained(refused)
    values = [*scores.per_case["value"].to_list(), *scores.mean["value"].to_list()]
    assert all(value is None or (math.isfinite(value) and 0 <= value <= 1 + 1e-12) for value in values)
    return True


@pytest.mark.parametrize("kind", list(SANE["gold"]))
@pytest.mark.parametrize("role", ["gold", "system"])
def test_mutations_are_scored_or_explained(role: str, kind: str) -> None:
    chance = random.Random(f"{role} {kind}")  # noqa: S311 - nothing secret
    outcomes = []
    for _ in range(MUTATIONS):
        files = {"gold": SANE["gold"]["trec"], "system": SANE["system"]["trec"], role: mutated(SANE[role][kind], chance)}
        try:
            outcomes.append(in_order(files["gold"], files["system"]))
        except Exception as error:
            message = f"{type(error).__name__} from {files[role]!r}"
            raise AssertionError(message) from error
    assert set(outcomes) == {True, False}, "some mutations are harmless and some are not"


@pytest.mark.parametrize("kind", list(SANE["gold"]))
def test_what_is_mutated_is_sane(kind: str) -> None:
    assert in_order(SANE["gold"][kind], SANE["system"][kind])


@pytest.mark.parametrize("stop", range(0, 60, 3))
def test_every_beginning_of_a_compressed_file_is_refused(stop: int) -> None:
    import gzip  # noqa: PLC0415 - used here only

    packed = gzip.compress(RUN.encode(), mtime=0)
    assert len(packed) > stop
    with pytest.raises(pb.PlumblineError):
        pb.evaluate(named(QRELS.encode()), named(packed[:stop]))
