"""Small TREC files without a table: reading so few lines takes less time than importing what makes tables."""

from __future__ import annotations

import sys
from itertools import groupby
from operator import eq
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.io.columns.ranks import NO_DISORDER, Disorder
from plumbline.io.formats.trec.scanning import FIRST_LINES
from plumbline.io.table import LARGEST_GRADE, Nested
from plumbline.io.uncollected import uncollected
from plumbline.lazily import pattern
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions, Role

ALWAYS: Final = 2**17
"""Bytes that are read this way even where tables have been made before."""
AT_MOST: Final = 2**22
"""Bytes that are read this way before any table was made."""
_ODD: Final = pattern(r"[^\S \t\n]|[\x00-\x08\x0e-\x1f]")
"""White space that does not separate columns, and control characters."""
_TAB, _NEWLINE, _SPACE = (np.uint8(ord(character)) for character in "\t\n ")
_COLUMNS_OF_A_RUN: Final = 6
_COLUMNS_OF_JUDGEMENTS: Final = 4


@dataclass(frozen=True)
class SmallFile:
    """The rows of a file, its run tag, and whether ranks contradict scores."""

    nested: Nested
    tag: str | None
    disorder: Disorder


@uncollected
def read_small(content: Content, layout: tuple[str, ...], role: Role, options: ReadOptions) -> SmallFile | None:
    """The rows of a small file about which there is nothing to tell; None for any other."""
    most = ALWAYS if "polars" in sys.modules else AT_MOST
    plain = options.kind == "scores" and (role == "gold" or (options.order == "score" and options.tag is None))
    if not plain or len(content.data) > most:
        return None
    usual = _COLUMNS_OF_A_RUN if role == "output" else _COLUMNS_OF_JUDGEMENTS  # judgements of samples have more
    if len(layout) != usual:
        return None
    data = bytes(content.data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    columns = _columns(data, text, usual)
    if columns is None:
        return None
    return _run(text, columns) if role == "output" else _judgements(columns)


def _columns(data: bytes, text: str, width: int) -> Sequence[Sequence[str]] | None:
    """The columns of lines that all have so many; None if there is another line, or anything odd."""
    array = np.frombuffer(data, dtype=np.uint8)
    blanks = np.flatnonzero(array <= _SPACE)
    kinds = array[blanks]
    ends = kinds == _NEWLINE
    if not (ends | (kinds == _SPACE) | (kinds == _TAB)).all() or (not text.isascii() and _ODD.search(text)):
        return None
    if len(ends) and len(ends) % width == 0 and blanks[-1] == len(data) - 1 and blanks[0] > 0 and (np.diff(blanks) > 1).all():
        lines = ends.reshape(-1, width)
        if not lines[:, -1].all() or lines[:, :-1].any():
            return None
        fields = text.split()
        return [fields[column::width] for column in range(width)]
    rows = list(filter(None, map(str.split, text.split("\n"))))
    return list(zip(*rows, strict=True)) if set(map(len, rows)) == {width} else None


def _judgements(columns: Sequence[Sequence[str]]) -> SmallFile | None:
    cases, second, items, grades = columns
    values = _numbers(grades)
    if len(set(second)) > 1 or values is None or np.abs(values).max() > LARGEST_GRADE:
        return None
    nested = _nested(cases, items, values)
    return None if nested is None else SmallFile(nested, None, NO_DISORDER)


def _run(text: str, columns: Sequence[Sequence[str]]) -> SmallFile | None:
    cases, _, items, ranks, scores, tags = columns
    values, places = _numbers(scores), _numbers(ranks)
    nested = None if values is None else _nested(cases, items, values)
    if nested is None or values is None or places is None or len(set(tags)) > 1:
        return None
    same = np.fromiter(map(eq, cases[1:], cases), np.bool_, len(cases) - 1)
    if len(text.encode()) > FIRST_LINES and not np.any((values[1:] > values[:-1]) & same):
        head = text.encode()[:FIRST_LINES].rpartition(b"\n")[0]
        same[max(len(list(filter(bytes.strip, head.split(b"\n")))) - 1, 0) :] = False
    better, lower = places[1:] < places[:-1], values[1:] < values[:-1]
    worse, higher = places[1:] > places[:-1], values[1:] > values[:-1]
    odd = np.flatnonzero(same & ((better & lower) | (worse & higher)))
    disorder = Disorder(len(odd), cases[int(odd[0])]) if len(odd) else NO_DISORDER
    return SmallFile(nested, tags[0], disorder)


def _numbers(texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Finite numbers as every reader takes them; Python also reads `1_000` and digits of other scripts."""
    every = "".join(texts)
    if "_" in every or not every.isascii():
        return None
    try:
        values = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _nested(cases: Sequence[str], items: Sequence[str], values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Nested | None:
    """The rows case by case; None where a case comes back after another one, an item is there twice, or a line is a comment."""
    numbers = values.tolist()
    data: dict[str, Mapping[str, float]] = {}
    start = 0
    for case, group in groupby(cases):
        stop = start + len(list(group))
        of_case = dict(zip(items[start:stop], numbers[start:stop], strict=True))
        if case in data or len(of_case) < stop - start or case.startswith("#"):
            return None
        data[case], start = of_case, stop
    return Nested(data, values)
