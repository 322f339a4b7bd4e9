"""The pairs of every constraint on rankings a second time, from its words."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from plumbline.audits.constraints.ranking import Listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Pairs = set[tuple[Listed, Listed]]


def lists(size: int) -> Iterator[Listed]:
    """Every list with something relevant in its gold, of which none, one or two relevant items are not shown."""
    for hidden in (0, 1, 2):
        for length in range(1, size + 1):
            for letters in product("RN", repeat=length):
                if length + hidden == size and letters.count("R") + hidden > 0:
                    yield Listed("".join(letters), hidden)


def differing(one: Listed, other: Listed) -> list[int]:
    """The places at which two lists of one gold differ, none if they are not of the same items."""
    if one.hidden != other.hidden or len(one.shown) != len(other.shown):
        return []
    return [place for place in range(len(one.shown)) if one.shown[place] != other.shown[place]]


def is_priority(better: Listed, worse: Listed) -> bool:
    """Two neighbours are the other way round, the relevant one above."""
    places = differing(better, worse)
    return len(places) == 2 and places[1] == places[0] + 1 and better.shown[places[0]] == "R" != better.shown[places[1]]


def is_deepness(better: Listed, worse: Listed) -> bool:
    """Of one list, both have two neighbours exchanged for the worse, the better one further down."""
    places = differing(better, worse)
    if len(places) != 4 or places[1] != places[0] + 1 or places[3] != places[2] + 1:
        return False
    return ["".join(one.shown[place] for place in places) for one in (better, worse)] == ["RNNR", "NRRN"]


def is_confidence(better: Listed, worse: Listed) -> bool:
    """The worse one has an item more at its end, which is not relevant."""
    return better.hidden == worse.hidden and "R" in better.shown and worse.shown == better.shown + "N"


TRUE_OF = {"priority": is_priority, "deepness": is_deepness, "confidence": is_confidence}


def pairs(name: str, size: int) -> Pairs:
    """Every two lists of which the words are true, the larger one being of this size."""
    every = [*lists(size), *(lists(size - 1) if name == "confidence" else ())]
    actual = {(one, other) for one, other in product(every, repeat=2) if TRUE_OF[name](one, other)}
    return {pair for pair in actual if max(len(one.shown) + one.hidden for one in pair) == size}


def by_two_exchanges(size: int) -> Pairs:
    """Deepness by making two exchanges in every list."""
    actual = set()
    for base in lists(size):
        right = [place for place in range(len(base.shown) - 1) if base.shown[place : place + 2] == "RN"]
        for high, low in combinations(right, 2):
            wrong = [base.shown[:place] + "NR" + base.shown[place + 2 :] for place in (low, high)]
            actual.add((Listed(wrong[0], base.hidden), Listed(wrong[1], base.hidden)))
    return actual
