"""The five constraints on ranking metrics (Amigo et al. 2013, section 2.3); a world is a list of relevant and other items.

Surroundings are any: where the paper writes dots, every list is tried. Its inequality of deepness is printed the wrong way
round: what is meant, and demanded here, is that an error weighs more the higher it stands.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.registry import Pair, constraint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

PAPER: Final = "amigo2013"
RIGHT, WRONG = "RN", "NR"
MOST_HIDDEN: Final = 2
"""How many relevant items may be missing from a list."""
FAR: Final = (150, 200, 300, 500, 700, 1000)


class Listed(NamedTuple):
    """A list: R is a relevant item, N another; `hidden` relevant ones are not shown."""

    shown: str
    hidden: int = 0


def lists(size: int, suffix: str = "") -> Iterator[Listed]:
    """Every list of so many items, shown or hidden, of which one at least is relevant."""
    for hidden in range(min(size, MOST_HIDDEN + 1)):
        for letters in product("RN", repeat=size - hidden - len(suffix)):
            shown = "".join(letters) + suffix
            if "R" in shown or hidden:
                yield Listed(shown, hidden)


def _some_list(size: int, rng: Random) -> Listed:
    hidden = rng.randint(0, MOST_HIDDEN)
    share = rng.random()
    return Listed("".join("R" if rng.random() < share else "N" for _ in range(size - hidden)), hidden)


def _rights(shown: str) -> list[int]:
    """Where a relevant item stands right above another."""
    return [place for place in range(len(shown) - 1) if shown[place : place + 2] == RIGHT]


def swapped(world: Listed, place: int) -> Listed:
    """The two items from this place on change places."""
    return world._replace(shown=world.shown[:place] + WRONG + world.shown[place + 2 :])


def _some_priority(size: int, rng: Random) -> Pair | None:
    world = _some_list(size, rng)
    places = _rights(world.shown)
    return Pair(world, swapped(world, rng.choice(places)), size) if places else None


@constraint(
    "priority",
    paper=PAPER,
    smallest=2,
    largest={"ranking": 10, "organization": 8},
    draw=_some_priority,
)
def priority(size: int) -> Iterator[Pair]:
    """Putting a relevant item right above another one, instead of right below, is better."""
    for world in lists(size):
        for place in _rights(world.shown):
            yield Pair(world, swapped(world, place), size)


def _some_deepness(size: int, rng: Random) -> Pair | None:
    world = _some_list(size, rng)
    places = _rights(world.shown)
    if len(places) < 2:  # noqa: PLR2004 - an error above and an error below
        return None
    high, low = sorted(rng.sample(places, 2))
    return Pair(swapped(world, low), swapped(world, high), size)


@constraint(
    "deepness",
    paper=PAPER,
    smallest=4,
    largest={"ranking": 10, "organization": 8},
    draw=_some_deepness,
)
def deepness(size: int) -> Iterator[Pair]:
    """Of two such exchanges in one list the upper one matters more."""
    for world in lists(size):
        places = _rights(world.shown)
        for number, low in enumerate(places):
            for high in places[:number]:
                yield Pair(swapped(world, low), swapped(world, high), size)


def one_at_the_top(n: int) -> Listed:
    """One relevant item, then 2n - 1 others; n relevant ones are not shown."""
    return Listed("R" + "N" * (2 * n - 1), n)


def many_below(n: int) -> Listed:
    """So many other items, then as many relevant ones; one relevant item is not shown."""
    return Listed("N" * n + "R" * n, 1)


@constraint(
    "deepness threshold",
    paper=PAPER,
    smallest=1,
    largest={"ranking": 100, "organization": 100},
    demand="from some size on",
    sizes=FAR,
)
def deepness_threshold(n: int) -> Iterator[Pair]:
    """From some n on, one relevant item at the top is better than n relevant ones below n others."""
    yield Pair(one_at_the_top(n), many_below(n), n)


@constraint(
    "closeness threshold",
    paper=PAPER,
    smallest=2,
    largest={"ranking": 100, "organization": 100},
    demand="at some size",
    sizes=FAR,
)
def closeness_threshold(n: int) -> Iterator[Pair]:
    """For some n, n relevant items below n others are better than one at the top."""
    yield Pair(many_below(n), one_at_the_top(n), n)


def _some_confidence(size: int, rng: Random) -> Pair | None:
    world = _some_list(size - 1, rng)
    return Pair(world, world._replace(shown=world.shown + "N"), size) if "R" in world.shown else None


@constraint(
    "confidence",
    paper=PAPER,
    smallest=2,
    largest={"ranking": 10, "organization": 8},
    draw=_some_confidence,
)
def confidence(size: int) -> Iterator[Pair]:
    """A list that holds a relevant item gets worse when another item is added at its end."""
    for world in lists(size, suffix="N"):
        if "R" in world.shown:
            yield Pair(world._replace(shown=world.shown[:-1]), world, size)
