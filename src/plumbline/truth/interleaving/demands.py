"""What a method of interleaving should do, demand by demand, over all rankings of a few items."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING, Final

from plumbline.truth.interleaving.exact import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from plumbline.truth.interleaving.exact import Chances, ExactMethod, Ranking

Clicks = dict[tuple[int, ...], Fraction]
"""Positions that are clicked, with the probability of each such session."""


@dataclass(frozen=True)
class World:
    """Two rankings, how many items are shown, who clicks, and the clicks in words."""

    first: Ranking
    second: Ranking
    length: int
    clicks: Callable[[Ranking], Clicks] | None = None
    """What users click on a list; None if the demand is about the lists themselves."""
    in_words: str = ""

    @property
    def rankings(self) -> tuple[Ranking, Ranking]:
        """Both rankings."""
        return self.first, self.second


@dataclass(frozen=True)
class Demand:
    """A demand, the worlds in which it is made, and how a preference is judged; the smallest worlds come first."""

    name: str
    text: str
    paper: str
    worlds: Callable[[int], Iterator[World]]
    keeps: Callable[[Fraction], bool] | None = None
    wanted: str = ""


def preference(method: ExactMethod, world: World, chances: Chances) -> Fraction:
    """The share of the first ranking among all sessions with a click; ties are shared."""
    if world.clicks is None:
        return HALF
    ahead, size = Fraction(0), Fraction(0)
    for shown, chance in chances.items():
        for clicked, probability in world.clicks(shown[0]).items():
            if clicked:
                margin = method.margin(world.rankings, shown, clicked)
                ahead += chance * probability * margin
                size += chance * probability * (abs(margin) if method.by_credit else 1)
    return HALF + ahead / size / 2 if size else HALF


def inconsiderate(world: World, chances: Chances) -> Ranking | None:
    """A list that shows an item without, or above, one that both rankings have above it."""
    first, second = world.rankings
    for items, _ in chances:
        for lower, upper in permutations(first, 2):
            both = first.index(upper) < first.index(lower) and second.index(upper) < second.index(lower)
            if both and lower in items and (upper not in items or items.index(upper) > items.index(lower)):
                return items
    return None


def _pairs(size: int, *, full_lists: bool) -> Iterator[tuple[Ranking, Ranking, int]]:
    """All pairs of rankings up to names; lists as long as the rankings, or also shorter ones."""
    first = tuple(range(1, size + 1))
    for second in permutations(first):
        for length in (size,) if full_lists else range(1, size + 1):
            yield first, second, length


def _one_click(items: Ranking) -> Clicks:
    return {(place,): Fraction(1, len(items)) for place in range(len(items))}


def _coin_clicks(items: Ranking) -> Clicks:
    subsets = chain.from_iterable(combinations(range(len(items)), number) for number in range(len(items) + 1))
    return dict.fromkeys(subsets, Fraction(1, 2 ** len(items)))


def _click_at(place: int) -> Callable[[Ranking], Clicks]:
    return lambda items: {(place,): Fraction(1)} if place < len(items) else {}


def _relevant_clicks(relevant: Sequence[int]) -> Callable[[Ranking], Clicks]:
    return lambda items: {tuple(place for place, item in enumerate(items) if item in relevant): Fraction(1)}


def _first_relevant_click(relevant: Sequence[int]) -> Callable[[Ranking], Clicks]:
    return lambda items: {tuple(place for place, item in enumerate(items) if item in relevant)[:1]: Fraction(1)}


def _random_click(size: int) -> Iterator[World]:
    for pair in _pairs(size, full_lists=False):
        yield World(*pair, _one_click, "one click, on any position alike")


def _random_clicks(size: int) -> Iterator[World]:
    for pair in _pairs(size, full_lists=False):
        yield World(*pair, _coin_clicks, "every item is clicked or not, by a coin")


def _position_clicks(size: int) -> Iterator[World]:
    for first, second, length in _pairs(size, full_lists=False):
        for place in range(length):
            yield World(first, second, length, _click_at(place), f"one click, always on position {place + 1}")


def _same_rankings(size: int) -> Iterator[World]:
    first = tuple(range(1, size + 1))
    for relevant in _subsets(first):
        yield World(first, first, size, _relevant_clicks(relevant), _names(relevant))


def _subsets(items: Ranking) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(items, number) for number in range(1, len(items) + 1))


def _names(items: Sequence[int]) -> str:
    return ", ".join(map(str, items))


def _dominated(size: int) -> Iterator[tuple[Ranking, Ranking, tuple[int, ...]]]:
    """The first ranking has every relevant item at least as high as the second, and one higher."""
    for first, second, _ in _pairs(size, full_lists=True):
        for relevant in _subsets(first):
            gained = [second.index(item) - first.index(item) for item in relevant]
            if min(gained) >= 0 and max(gained) > 0:
                yield first, second, relevant


def _better_wins(size: int) -> Iterator[World]:
    for first, second, relevant in _dominated(size):
        yield World(first, second, size, _relevant_clicks(relevant), f"the relevant: {_names(relevant)}")


def _better_wins_first_click(size: int) -> Iterator[World]:
    for first, second, relevant in _dominated(size):
        if min(map(first.index, relevant)) < min(map(second.index, relevant)):
            yield World(first, second, size, _first_relevant_click(relevant), f"one click, on the first of {_names(relevant)}")


def _only_lists(size: int) -> Iterator[World]:
    for pair in _pairs(size, full_lists=False):
        yield World(*pair)


def _is_half(share: Fraction) -> bool:
    return share == HALF


DEMANDS: Final = (
    Demand("random click", "One click on a random position prefers nobody.", "hofmann2011", _random_click, _is_half, "1/2"),
    Demand("random clicks", "Clicks by coin prefer nobody.", "hofmann2013", _random_clicks, _is_half, "1/2"),
    Demand(
        "any position",
        "Clicks that depend on the position alone prefer nobody.",
        "radlinski2013",
        _position_clicks,
        _is_half,
        "1/2",
    ),
    Demand("same ranking", "Of two equal rankings neither is preferred.", "hofmann2013", _same_rankings, _is_half, "1/2"),
    Demand(
        "better wins",
        "A ranking that has every relevant item at least as high, and one higher, wins if these are clicked.",
        "hofmann2013",
        _better_wins,
        lambda share: share > HALF,
        "more than 1/2",
    ),
    Demand(
        "better never loses",
        "Such a ranking does not lose.",
        "hofmann2013",
        _better_wins,
        lambda share: share >= HALF,
        "1/2 or more",
    ),
    Demand(
        "first click",
        "A ranking whose first relevant item comes earlier wins if users click only the first that they see.",
        "radlinski2008",
        _better_wins_first_click,
        lambda share: share > HALF,
        "more than 1/2",
    ),
    Demand(
        "considerate",
        "No list shows an item above another one that both rankings have above it.",
        "radlinski2013",
        _only_lists,
    ),
)
"""All demands, in the order of the table."""
