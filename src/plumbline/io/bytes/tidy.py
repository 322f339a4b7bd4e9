"""White space made regular, a block of bytes at a time.

A column parser splits at single separators, so doubled, leading and trailing spaces, mixed tabs, blank lines and
carriage returns would shift its columns silently. A survey of the bytes detects them; only then a tidy copy is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK: Final = 2**18
"""Bytes looked at together: small enough to stay in the cache of a core."""
NUL: Final = np.uint8(0)
TAB, NEWLINE, RETURN, SPACE, HASH = (np.uint8(ord(character)) for character in "\t\n\r #")


@dataclass(frozen=True)
class Survey:
    """Which white space and control characters a text has."""

    tabs: bool
    untidy: bool
    nul: bool
    comments: bool
    separators: int


def survey(data: bytes) -> Survey:
    """Look at every byte once, in blocks that overlap by one."""
    array = np.frombuffer(data, dtype=np.uint8)
    doubled = bool(np.any(array[:1] <= SPACE))
    spaces = tabs = 0
    returns = nul = False
    comments = bool(np.any(array[:1] == HASH))
    for start in range(0, len(array), BLOCK):
        block = array[start : start + BLOCK + 1]
        gap = block <= SPACE
        doubled = doubled or bool(np.any(gap[1:] & gap[:-1]))
        blank = int(np.count_nonzero(block[:BLOCK] == SPACE))
        spaces += blank
        hashes = block == HASH
        comments = comments or bool(hashes.any() and np.any(hashes[1:] & (block[:-1] == NEWLINE)))
        if np.count_nonzero(gap[:BLOCK]) > blank + np.count_nonzero(block[:BLOCK] == NEWLINE):
            tabs += int(np.count_nonzero(block[:BLOCK] == TAB))
            returns, nul = (seen or bool(np.any(block == byte)) for seen, byte in ((returns, RETURN), (nul, NUL)))
    untidy = doubled or returns or (tabs > 0 and spaces > 0)
    return Survey(tabs > 0, untidy, nul, comments, spaces + tabs)


def tidied(data: bytes) -> bytes:
    r"""A copy with single spaces between columns, none at the ends, `\n` line ends and no blank lines."""
    return b"".join(_tidied(block) for block in _line_blocks(np.frombuffer(data, dtype=np.uint8)))


def _line_blocks(array: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Blocks that end with a line, so that no run of white space is cut."""
    start = 0
    while start < len(array):
        stop = start + BLOCK
        while stop < len(array) and array[stop - 1] not in (NEWLINE, RETURN):
            stop += 1
        yield array[start:stop]
        start = stop


def _tidied(block: NDArray[np.uint8]) -> bytes:
    """Keep one space before each column; then drop spaces and line ends that directly follow a line end."""
    plain = np.where(block == TAB, SPACE, np.where(block == RETURN, NEWLINE, block))
    before_ink = np.append(plain[1:] != SPACE, False) & np.append(plain[1:] != NEWLINE, False)
    single = plain[(plain != SPACE) | before_ink]
    after_line = np.append(True, single[:-1] == NEWLINE)
    lines = bytes(single[~(after_line & ((single == SPACE) | (single == NEWLINE)))])
    return lines if lines.endswith(b"\n") or not lines else lines + b"\n"
