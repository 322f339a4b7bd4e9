"""Random texts for the reader in C, compared with slow and obvious readers: python -m tests.helpers.native_fuzzing 0 1000000.

It prints the numbers of the texts on which they differ, for all families of functions or for those that are named. With
a module that was built with sanitizers, `make sanitize` runs it.
"""

from __future__ import annotations

import random
import re
import sys
from typing import Final, NamedTuple

import numpy as np
import plumbline_core as core

from tests.helpers import native_labels, native_tags

COLUMNS: Final = ((6, 1, 2, 4, 3, 5), (4, 1, 2, 3, -1, -1))
_NAMES: Final = (b"q1", b"q2", b"q", b"Q0", b"0", b"1", b"2", b"3", b"d1", b"d2", b"d3", b"document-number-12", b"tag", b"t")
NUMBERS: Final = (b"1", b"2", b"3", b"10", b"2.5", b"-1", b"1e5", b".5", b"7.", b"-0", b"1e23", b"1e-320", b"9007199254740993")
_LONG: Final = (b"12345678901234567890", b"0.1234567890123456789", b"1e400")
_ODD: Final = (
    "é".encode(),
    "\u0661".encode(),
    b"1_0",
    b"nan",
    b"inf",
    b"-",
    b".",
    b"e",
    b"+",
    b"#",
    b"#q",
    b"0x1",
    b"\xff",
    b"\xc3",
)
_BLANK: Final = (*[b" "] * 5, b"  ", b"\t", *[b"\n"] * 3, b"\n\n", b"\r\n", b"\x00", b"\x1f")
PIECES: Final = (*_NAMES, *NUMBERS, *_LONG, *_ODD, *_BLANK)
BREAKS: Final = getattr(core, "breaks", lambda data, begin, stop: data.count(b"\n", begin, stop))
"""A module in C that was installed earlier has none."""
_NUMBER: Final = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_SHORT: Final = re.compile(rb"[-+]?[0-9.]{1,15}(e5)?")


class Rows(NamedTuple):
    """What both readers return."""

    cases: list[bytes]
    values: list[float]
    items: list[bytes]
    disorder: tuple[int, int]
    """How many ranks contradict scores, and the first row of those."""
    ascii: bool


def text_of(number: int) -> tuple[bytes, int, int]:
    """A text that is always the same for a number, its columns, and where its head ends: lines with some bytes changed."""
    chance = random.Random(number)  # noqa: S311 - no secret
    kind = number % 2
    lines = []
    for _ in range(chance.randint(0, 6)):
        case, item = chance.choice(_NAMES[:3]), chance.choice(_NAMES[8:12])
        fields = [case, b"0", item, chance.choice(NUMBERS[:4]), chance.choice(NUMBERS + _LONG[:2]), b"t"]
        lines.append(chance.choice((b" ", b"\t", b"  ")).join(fields if kind == 0 else [*fields[:3], fields[4]]))
    text = bytearray(b"\n".join(lines) + b"\n" * chance.randint(0, 2))
    for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
        at = chance.randint(0, len(text))
        text[at : at + chance.randint(0, 2)] = chance.choice(PIECES)
    return bytes(text), kind, chance.choice((0, len(text) // 2, len(text)))


def obvious(data: bytes, kind: int, head: int) -> Rows | None:
    """Line by line; None for anything odd. Ranks are looked at in the head, or in all lines if a score rises within a case."""
    width, _, item, number, rank, _ = COLUMNS[kind]
    cases, scores, items, ranks, at, in_head = [], [], [], [], 0, 0
    for line in data.split(b"\n"):
        first = at + len(line) - len(line.lstrip(b" \t"))
        at += len(line) + 1
        fields = [field for field in re.split(rb"[ \t]+", line) if field]
        if any(byte < ord(" ") and byte != ord("\t") for byte in line) or (fields and len(fields) != width):
            return None
        if not fields:
            continue
        if fields[0].startswith(b"#") or not _NUMBER.fullmatch(fields[number]) or not np.isfinite(float(fields[number])):
            return None
        cases.append(fields[0])
        scores.append(float(fields[number]))
        items.append(fields[item])
        ranks.append(fields[rank])
        in_head += first < head
    pairs = [row for row in range(1, len(cases)) if cases[row] == cases[row - 1]]
    disorder = []
    if kind == 0:
        seen = len(cases) if any(scores[row] > scores[row - 1] for row in pairs) else in_head
        if not all(map(_NUMBER.fullmatch, ranks[:seen])):
            return None
        place = list(map(float, ranks[:seen]))
        signs = [(row, place[row] - place[row - 1], scores[row] - scores[row - 1]) for row in pairs if row < seen]
        disorder = [row for row, of_rank, of_score in signs if of_rank * of_score > 0]
    return Rows(cases, scores, items, (len(disorder), disorder[0] - 1 if disorder else 0), data.isascii())


def quick(data: bytes, kind: int, head: int) -> Rows | None:
    """The reader in C; the bytes are at the end of their block of memory, so that reading on is noticed."""
    room = BREAKS(data, 0, len(data)) + 1
    codes, values = np.empty(room, np.int32), np.empty(room)
    starts, hashes = np.empty(room, np.uint32), np.empty(room, np.uint64)
    result = core.scan(data, 0, len(data), head, COLUMNS[kind], room, codes, values, starts, hashes)
    if result is None:
        return None
    count, names = result[0], result[1]
    items = [re.split(rb"[ \t\n]", data[start:], maxsplit=1)[0] for start in starts[:count].tolist()]
    cases = [names[code].encode() for code in codes[:count].tolist()]
    texts = (data, starts[:count].copy(), hashes[:count].copy(), codes[:count].copy())
    pairs = list(zip(cases, items, strict=True))
    again = core.repeats(texts[3], texts[2], np.array([0, count], np.int64))
    if again != (len(set(pairs)) < len(pairs)):
        message = f"repeated pairs are not found in {pairs}"
        raise AssertionError(message)
    rows, of_gold = np.empty((2, count), np.int64)
    if core.find(texts, texts, rows, of_gold) != count or any(
        pairs[row] != pairs[gold] for row, gold in zip(rows, of_gold, strict=True)
    ):
        message = f"items do not find themselves in {pairs}"
        raise AssertionError(message)
    return Rows(cases, values[:count].tolist(), items, (result[7], result[8]), bool(result[6]))


def differs(number: int) -> bool:
    """Whether the two readers differ on a text; ranks with many digits, and ids that are not UTF-8, are left to others."""
    data, kind, head = text_of(number)
    try:
        ours = quick(data, kind, head)
    except AssertionError:
        return True
    theirs = obvious(data, kind, head)
    if ours is None:
        return theirs is not None and not _may_be_refused(data, kind)
    return theirs is None or repr(ours[:4]) != repr(theirs[:4])


def _may_be_refused(data: bytes, kind: int) -> bool:
    """Names of cases and tags are decoded, and ranks have few digits."""
    ranks = [line.split()[3] for line in data.split(b"\n") if line.strip(b" \t")] if kind == 0 else []
    return not _is_utf8(data) or not all(map(_SHORT.fullmatch, ranks))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def main() -> None:
    """Print the numbers that fail."""
    first, last = map(int, sys.argv[1:3])
    families = {"trec": differs, "tags": native_tags.differs, "labels": native_labels.differs}
    results = []
    for name in sys.argv[3:] or families:
        wrong = [number for number in range(first, last) if families[name](number)]
        print(f"{name}: {last - first:,} texts, {len(wrong)} differ: {wrong[:20]}", flush=True)  # noqa: T201 - what it is for
        results += wrong
    sys.exit(bool(results))


if __name__ == "__main__":
    main()
