"""White space made regular, by whole blocks of bytes.

A column parser splits at single separators, so doubled, leading and trailing spaces, mixed tabs, blank lines and
carriage returns would shift its columns without a word. A survey of the bytes finds them; only then a tidy copy is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK: Final = 2**18
"""Bytes looked at together: small enough to stay in the cache of a core."""
NUL: Final = np.uint8(0)
TAB, NEWLINE, RETURN, SPACE, HASH = (np.uint8(ord(character)) for character in "\t\n\r #")


@dataclass(frozen=True)
class Survey:
    """What a text file holds beside plain columns."""

    tabs: bool
    untidy: bool
    nul: bool
    comments: bool
    separators: int


def survey(data: bytes | mmap.mmap) -> Survey:
    """Look at every byte once, in blocks that overlap by one."""
    whole = np.frombuffer(data, dtype=np.uint8)
    doubled = bool(np.any(whole[:1] <= SPACE))
    spaces = tabs = 0
    returns = nul = False
    comments = bool(np.any(whole[:1] == HASH))
    for start in range(0, len(whole), BLOCK):
        block = whole[start : start + BLOCK + 1]
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


def tidied(data: bytes | mmap.mmap) -> bytes:
    r"""A copy with single spaces between columns, none at the ends, `\n` line ends and no blank lines."""
    return b"".join(_tidied(block) for block in _whole_lines(np.frombuffer(data, dtype=np.uint8)))


def _whole_lines(whole: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Blocks that end where a line ends, so that no run of white space is cut."""
    start = 0
    while start < len(whole):
        stop = start + BLOCK
        while stop < len(whole) and whole[stop - 1] not in (NEWLINE, RETURN):
            stop += 1
        yield whole[start:stop]
        start = stop


def _tidied(block: NDArray[np.uint8]) -> bytes:
    """Of each run of spaces the last before ink stays; then what follows a line end without ink in between goes."""
    plain = np.where(block == TAB, SPACE, np.where(block == RETURN, NEWLINE, block))
    before_ink = np.append(plain[1:] != SPACE, False) & np.append(plain[1:] != NEWLINE, False)
    single = plain[(plain != SPACE) | before_ink]
    after_line = np.append(True, single[:-1] == NEWLINE)
    lines = bytes(single[~(after_line & ((single == SPACE) | (single == NEWLINE)))])
    return lines if lines.endswith(b"\n") or not lines else lines + b"\n"
