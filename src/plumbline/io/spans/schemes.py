"""From tags of tokens, such as B-PER and I-PER, to spans: leniently as conlleval does, or by the rules of one scheme."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from plumbline.io.native import native_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

PREFIXES: Final = "OIBESUL"
"""The first letters of tags; the place of a letter is its code."""
OUTSIDE: Final = PREFIXES.index("O")
INSIDE: Final = PREFIXES.index("I")
BEGIN: Final = PREFIXES.index("B")
LENIENT: Final = "lenient"
_TYPES: Final = {"=": [1], "!": [0], "*": [0, 1]}
"""Whether two tokens have one type, 1 if they have."""


class _Rules(NamedTuple):
    """Rules as words of three signs: the letters before and at a token (. is any), and whether both have one type (= ! *)."""

    allowed: str
    starts: str
    continues: str
    ends: str
    """Before: the last token of a span; at: the token after it."""


_RULES: Final = {
    LENIENT: _Rules(
        "OIBESUL",
        ".B* .S* .U* OI* OE* OL* " + " ".join(f"{end}{next_}*" for end in "ESUL" for next_ in "IEL") + " .I! .E! .L!",
        "BI= BE= BL= II= IE= IL=",
        "..*",
    ),
    "IOB1": _Rules("OIB", "OI* II! BI* IB= BB=", "BI= II=", "II! IO* IB* BO* BI! BB="),
    "IOB2": _Rules("OIB", ".B*", "BI= II=", "IO* II! IB* BO* BI! BB*"),
    "IOE1": _Rules("OIE", "OI* II! EI* EE=", "II= IE=", "II! IO* IE! EI= EE="),
    "IOE2": _Rules("OIE", "OI* OE* EI* EE* II! IE!", "IE= II=", "E.*"),
    "IOBES": _Rules("OIBES", ".B* .S*", "BI= BE= II= IE=", "S.* E.*"),
    "BILOU": _Rules("OIBUL", ".B* .U*", "BI= BL= II= IL=", "U.* L.*"),
}
SCHEMES: Final = tuple(_RULES)
"""What `scheme=` takes."""


class Tags(NamedTuple):
    """The tokens of all sequences that are not outside of every span, in their order."""

    position: Integers
    """The number of the token in its document."""
    sequence: Integers
    """The number of the sentence; no span goes on in the next one."""
    prefix: Integers
    """The place of the first letter of the tag in PREFIXES."""
    kind: Integers
    """The number of the type."""


class Chunks(NamedTuple):
    """The spans: their first and last token, as rows of the tags."""

    first: Integers
    last: Integers
    covered: Flags
    """Which rows of the tags are in a span."""


def chunks_of(tags: Tags, scheme: str) -> Chunks:
    """The spans that the tags mark.

    A span starts where the rules say so, goes on while they say so, and counts if they say that it may end there.
    """
    rules = _tables(scheme)
    quick = native_function("chunks")
    return _chunks(tags, *rules) if quick is None else _quickly(quick, tags, rules)


def _quickly(quick: Callable[..., int], tags: Tags, rules: tuple[Flags, Flags, Flags]) -> Chunks:
    """The same by the reader in C."""
    first, last = np.empty((2, len(tags.prefix)), dtype=np.int64)
    covered = np.empty(len(tags.prefix), dtype=np.bool_)
    columns = (np.ascontiguousarray(column, dtype=np.int64) for column in tags)
    count = quick(*columns, rules, first, last, covered)
    return Chunks(first[:count], last[:count], covered)


def _chunks(tags: Tags, starts: Flags, continues: Flags, ends: Flags) -> Chunks:
    adjacent = (np.diff(tags.position) == 1) & (np.diff(tags.sequence) == 0)
    same = adjacent & (np.diff(tags.kind) == 0)
    outside = np.full(1, OUTSIDE)
    apart = np.zeros(1, dtype=np.bool_)
    before = np.concatenate((outside, np.where(adjacent, tags.prefix[:-1], OUTSIDE)))[: len(tags.prefix)]
    after = np.concatenate((np.where(adjacent, tags.prefix[1:], OUTSIDE), outside))[: len(tags.prefix)]
    same_before = np.concatenate((apart, same))[: len(tags.prefix)].astype(np.int64)
    same_after = np.concatenate((same, apart))[: len(tags.prefix)].astype(np.int64)
    start = starts[before, tags.prefix, same_before]
    run = np.cumsum(~continues[before, tags.prefix, same_before])
    opening = np.flatnonzero(start)
    opening = opening[np.concatenate(([True], np.diff(run[opening]) != 0))[: len(opening)]]
    last = np.searchsorted(run, run[opening], side="right") - 1
    counts = ends[tags.prefix[last], after[last], same_after[last]]
    first, last = opening[counts], last[counts]
    depth = np.zeros(len(tags.prefix) + 1, dtype=np.int64)
    depth[first] += 1
    depth[last + 1] -= 1
    return Chunks(first, last, np.cumsum(depth)[:-1] > 0)


def letters_of(scheme: str) -> str:
    """The letters that tags of a scheme begin with."""
    return _RULES[scheme].allowed


@cache
def _tables(scheme: str) -> tuple[Flags, Flags, Flags]:
    """Whether a span starts, goes on or ends, by the codes of two tokens and whether they have one type."""
    rules = _RULES[scheme]
    return _table(rules.starts), _table(rules.continues), _table(rules.ends)


def _table(words: str) -> Flags:
    table = np.zeros((len(PREFIXES), len(PREFIXES), 2), dtype=np.bool_)
    for word in words.split():
        rows, columns = (list(range(len(PREFIXES))) if letter == "." else [PREFIXES.index(letter)] for letter in word[:2])
        table[np.ix_(rows, columns, _TYPES[word[2]])] = True
    return table
