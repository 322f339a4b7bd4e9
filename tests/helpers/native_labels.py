"""Random tables of labels for the reader in C, compared with a slow and obvious reader; `native_fuzzing` runs it."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import plumbline_core as core

LAYOUTS: Final = ((3, 0, 1, 2), (2, -1, 0, 1), (4, 3, 1, 0), (2, -1, 1, 0))
"""How many columns there are, and which have the case, the item and the label."""
_VALUES: Final = (
    *(b"q1", b"q2", b"d1", b"d2", b"a longer name of an item", b"12345678", b"123456789", b"yes", b"no", b"1", b"0"),
    *("é".encode(), b" ", b"x y", b"#", b"'", b"a#b", b";"),
)
_PIECES: Final = (
    *(b"\t", b",", b"\n", b"\n\n", b"\r\n", b'"', b"#", b" ", b"\x00", b"\x1f", b"\x7f", b"\xff", b"\xc3"),
    b"x" * 70,
)


class Read(NamedTuple):
    """What both readers return."""

    rows: list[tuple[bytes, ...]]
    cases: list[bytes]
    labels: list[bytes]
    is_ascii: bool


def text_of(number: int) -> tuple[bytes, int, str, tuple[int, int, int, int]]:
    """A text that is always the same for a number, where its rows begin, its separator and its columns."""
    chance = random.Random(number)  # noqa: S311 - no secret
    separator, layout = chance.choice("\t\t,"), chance.choice(LAYOUTS)
    lines = [separator.encode().join(chance.choices(_VALUES, k=layout[0])) for _ in range(chance.choice((0, 1, 3, 6, 9, 40)))]
    text = bytearray(b"\n".join(lines) + b"\n" * chance.choice((0, 1, 1, 1, 2)))
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        at = chance.randint(0, len(text))
        text[at : at + chance.randint(0, 2)] = chance.choice(_PIECES)
    begin = chance.choice((0, 0, text.find(b"\n") + 1))
    return bytes(text), begin, separator, layout


def obvious(data: bytes, begin: int, separator: str, layout: tuple[int, int, int, int]) -> Read | None:
    """Line by line; None for anything odd."""
    text = data[begin:]
    width, *places = layout
    rows = []
    for line in text.removesuffix(b"\n").split(b"\n") if text else []:
        fields = line.split(separator.encode())
        odd = any((byte < ord(" ") and byte != ord("\t")) or byte == ord('"') for byte in line)
        if odd or (separator == "," and b"\t" in line) or line.startswith(b"#") or len(fields) != width or b"" in fields:
            return None
        rows.append(tuple(b"" if place < 0 else fields[place] for place in places))
    cases, _, labels = ([*dict.fromkeys(column)] for column in zip(*rows, strict=True)) if rows else ([], [], [])
    cases = [] if places[0] < 0 else cases
    if not all(_is_utf8(name) for name in (*cases, *labels)):
        return None
    return Read(rows, cases, labels, text.isascii())


def quick(data: bytes, begin: int, separator: str, layout: tuple[int, int, int, int]) -> Read | None:
    """The reader in C, with arrays that have just the room."""
    room = data.count(b"\n", begin) + 1
    case, label = np.empty(room, np.int32), np.empty(room, np.int32)
    starts, hashes = np.empty(room, np.uint32), np.empty(room, np.uint64)
    result = core.labels(data, begin, separator, layout, room, (case, label, starts, hashes))
    if result is None:
        return None
    count, cases, labels, is_ascii = result
    cases, labels = [name.encode() for name in cases], [name.encode() for name in labels]
    items = [re.split(rb"[\n%b]" % separator.encode(), data[at:], maxsplit=1)[0] for at in starts[:count].tolist()]
    names = [cases[code] if cases else b"" for code in case[:count].tolist()]
    rows: list[tuple[bytes, ...]] = list(zip(names, items, (labels[code] for code in label[:count].tolist()), strict=True))
    if not _are_alike(items, hashes[:count].tolist()) or not _compare(data, separator, starts[:count], items):
        return None
    return Read(rows, cases, labels, is_ascii)


def _are_alike(items: list[bytes], hashes: list[int]) -> bool:
    """Whether the same items have the same hashes, and others have others."""
    return len(set(items)) == len(set(hashes)) == len(set(zip(items, hashes, strict=True)))


def _compare(data: bytes, separator: str, starts: np.ndarray, items: list[bytes]) -> bool:
    """Whether C finds neighbours equal just where they are."""
    sides = ((data, starts[at : at + 1], separator) for at in range(len(items)))
    if not core.equal_columns((data, starts, separator), (data + b"\n", starts, separator)):
        return False
    return [core.equal_columns(*pair) for pair in pairwise(sides)] == [one == other for one, other in pairwise(items)]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def differs(number: int) -> bool:
    """Whether the readers differ on a text."""
    given = text_of(number)
    return quick(*given) != obvious(*given)
