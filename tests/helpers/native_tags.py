"""Random tags of tokens for the reader in C, compared with slow and obvious readers; `native_fuzzing` runs it."""

from __future__ import annotations

import random
from typing import Any, Final, NamedTuple

import numpy as np
import plumbline_core as core

from plumbline.io.spans import schemes

MOST: Final = 12
"""Bytes of the longest tag: few, so that some are longer."""
_LINES: Final = (
    *(b"Ada B-PER", b"left O", b"x\tNN\tI-PER", b"O", b"y  S-LOC", b"z U", b"B-PER", b"w L-\xc3\xa9", b"", b"", b"a b c E-X"),
    *(b"-DOCSTART- -X- O", b"-DOCSTART-", b"# newdoc id = a", b"# text = b", b"#1 O", b"-D O", b"- O", b"-- B-X"),
    *(b"a B-TOO-LONG-FOR-A-TAG", b"a O ", b" ", b"\t", b"# id ", b"a \xff", b"a OO", b" O"),
)
_PIECES: Final = (b" ", b"\t", b"\n", b"\r", b"\x00", b"#", b"-", b"D", b"O", b"B-", b"\xc3", b"\xff", b"x" * 20)


class Read(NamedTuple):
    """What both readers return."""

    prints: list[int]
    sentences: list[tuple[int, int]]
    tagged: list[tuple[int, int, int, str]]
    skipped: list[int]


def text_of(number: int) -> tuple[bytes, list[int] | None]:
    """A text that is always the same for a number, and the places of lines to leave out."""
    chance = random.Random(number)  # noqa: S311 - no secret
    text = bytearray(b"\n".join(chance.choices(_LINES, k=chance.randint(0, 9))) + b"\n" * chance.randint(0, 2))
    for _ in range(chance.choice((0, 0, 1, 2))):
        at = chance.randint(0, len(text))
        text[at : at + chance.randint(0, 2)] = chance.choice(_PIECES)
    data = bytes(text)
    if chance.random() < 0.5:
        return data, None
    marked = [start for start, line in _starts(data) if line[:1] in {b"#", b"-"} or chance.random() < 0.1]
    return data, marked


def _starts(data: bytes) -> list[tuple[int, bytes]]:
    """Where each line starts, and the line."""
    lines = data.split(b"\n")
    starts = np.cumsum([0, *(len(line) + 1 for line in lines)]).tolist()
    return [(start, line) for start, line in zip(starts, lines, strict=False) if start < len(data)]


def obvious(data: bytes, skips: list[int] | None) -> Read | None:
    """Line by line; None for anything odd."""
    read, outside = Read([], [], [], []), True
    for number, (start, line) in enumerate(_starts(data)):
        text = line.rstrip(b" \t")
        if skips is not None and start in skips:
            if text != line:
                return None
            read.skipped.append(number)
            outside = True
            continue
        if not text:
            outside = True
            continue
        if text.startswith((b"#", b"-D")) and (skips is None or text != line):
            return None
        tag = text.replace(b"\t", b" ").rsplit(b" ", 1)[-1]
        if outside:
            read.sentences.append((len(read.prints), number))
            outside = False
        if tag != b"O":
            if len(tag) > MOST or not _is_utf8(tag):
                return None
            read.tagged.append((len(read.prints), len(read.sentences) - 1, number, tag.decode()))
        read.prints.append(print_of(text[: len(text) - len(tag)]))
    return read


def print_of(text: bytes) -> int:
    """A number for a text: words of eight bytes are mixed one after the other, and the last 32 bits are kept."""
    number = len(text) * 0xD6E8FEB86659FD93 % 2**64
    for at in range(0, len(text), 8):
        number = _mixed(number ^ int.from_bytes(text[at : at + 8].ljust(8, b"\x00"), "little"))
    last = _mixed(number) % 2**32
    return last - 2**32 if last >= 2**31 else last


def _mixed(number: int) -> int:
    number = (number ^ number >> 32) * 0x9E3779B97F4A7C15 % 2**64
    return number ^ number >> 29


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def quick(data: bytes, skips: list[int] | None) -> Read | None:
    """The reader in C, with arrays that have just the room."""
    room = len(_starts(data))
    into: list[Any] = [np.empty(room, np.int32), *(np.empty(room, np.int64) for _ in range(6))]
    skipped = None if skips is None else np.empty(len(skips), np.int64)
    result = core.tags(data, None if skips is None else np.array(skips, np.int64), skipped, MOST, room, tuple(into))
    if result is None:
        return None
    count, sentences, tagged, tags = result
    prints, *begins, token, sentence, line, code = (array.tolist() for array in into)
    rows = zip(token[:tagged], sentence[:tagged], line[:tagged], code[:tagged], strict=True)
    return Read(
        prints[:count],
        list(zip(*(begin[:sentences] for begin in begins), strict=True)),
        [(*row[:3], tags[row[3]]) for row in rows],
        [] if skipped is None else skipped.tolist(),
    )


def chunks_differ(number: int) -> bool:
    """Whether spans of random tags are others by the rules in C than by those in Python."""
    chance = np.random.default_rng(number)
    rows = int(chance.integers(0, 12))
    steps = chance.integers(1, 3, (2, rows))
    position, sequence = np.cumsum(steps[0]), np.cumsum(steps[1] - 1)
    tags = schemes.Tags(position, sequence, chance.integers(0, len(schemes.PREFIXES), rows), chance.integers(0, 2, rows))
    rules = schemes._tables(schemes.SCHEMES[number % len(schemes.SCHEMES)])  # noqa: SLF001 - both ways have the same rules
    ways = (schemes._chunks(tags, *rules), schemes._quickly(core.chunks, tags, rules))  # noqa: SLF001 - both ways side by side
    ours, theirs = ([column.tolist() for column in way] for way in ways)
    return ours != theirs


def differs(number: int) -> bool:
    """Whether the readers differ on a text, or on tags."""
    data, skips = text_of(number)
    return quick(data, skips) != obvious(data, skips) or chunks_differ(number)
