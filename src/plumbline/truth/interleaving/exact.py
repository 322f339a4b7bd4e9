"""Methods of interleaving with exact fractions, list by list: slow and obvious, for audits of small worlds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.interleaving.lottery import lottery
from plumbline.truth.interleaving.scoring import BY_CREDIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Ranking = tuple[int, ...]
Shown = tuple[Ranking, tuple[int | None, ...]]
"""The items of a list, and the team of each."""
Chances = dict[Shown, Fraction]
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True)
class ExactMethod:
    """A method of interleaving two rankings: every list with its probability, and what clicks on it say.

    `margin(rankings, shown, clicks)` is positive if clicks on these positions speak for the first ranking.
    """

    name: str
    lists: Callable[[Sequence[Ranking], int], Chances]
    margin: Callable[[Sequence[Ranking], Shown, Sequence[int]], Fraction]
    by_credit: bool = False


def _left(ranking: Ranking, shown: Ranking) -> list[int]:
    return [item for item in ranking if item not in shown]


def _rank(ranking: Ranking, item: int) -> int:
    return ranking.index(item) + 1 if item in ranking else len(ranking) + 1


def _sign(value: Fraction | int) -> Fraction:
    return Fraction((value > 0) - (value < 0))


def team_draft_lists(rankings: Sequence[Ranking], length: int) -> Chances:
    """All orders of the teams in each round, equally likely."""
    found: dict[Shown, Fraction] = defaultdict(Fraction)
    orders = list(permutations(range(len(rankings))))

    def grow(items: Ranking, teams: tuple[int, ...], chance: Fraction) -> None:
        if len(items) == length or not any(_left(ranking, items) for ranking in rankings):
            found[items, teams] += chance
            return
        for order in orders:
            longer, of = items, teams
            for team in order:
                left = _left(rankings[team], longer)
                if left and len(longer) < length:
                    longer, of = (*longer, left[0]), (*of, team)
            grow(longer, of, chance / len(orders))

    grow((), (), Fraction(1))
    return dict(found)


def team_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:  # noqa: ARG001 - as all methods
    """More clicks on items of one's team win."""
    teams = [shown[1][place] for place in clicks]
    return _sign(teams.count(0) - teams.count(1))


def balanced_lists(rankings: Sequence[Ranking], length: int) -> Chances:
    """Two lists, one for each side of the coin: pointers move in turns and skip what is there."""
    found: dict[Shown, Fraction] = defaultdict(Fraction)
    for begins in (0, 1):
        items: list[int] = []
        teams: list[int | None] = []
        pointer = [0, 0]
        while len(items) < length and any(pointer[team] < len(rankings[team]) for team in (0, 1)):
            behind = pointer[begins] > pointer[1 - begins]
            team = 1 - begins if behind else begins
            if pointer[team] < len(rankings[team]) and rankings[team][pointer[team]] not in items:
                items.append(rankings[team][pointer[team]])
                teams.append(team)
            pointer[team] += 1
        found[tuple(items), tuple(teams)] += HALF
    return dict(found)


def balanced_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """Clicked items among the first k of each ranking, where k reaches the lowest click in one of them."""
    lowest = shown[0][max(clicks)]
    k = min(_rank(ranking, lowest) for ranking in rankings if lowest in ranking)
    clicked = [shown[0][place] for place in clicks]
    counts = [sum(item in ranking[:k] for item in clicked) for ranking in rankings]
    return _sign(counts[0] - counts[1])


def probabilistic_lists(rankings: Sequence[Ranking], length: int, softness: int = 3) -> Chances:
    """A fair coin and a softmax for each position; the teams are summed over."""
    found: dict[Shown, Fraction] = defaultdict(Fraction)

    def grow(items: Ranking, chance: Fraction) -> None:
        drawn = _drawn(rankings, items, softness)
        if len(items) == length or not drawn:
            found[items, (None,) * len(items)] += chance
            return
        for item in {item for one in drawn.values() for item in one}:
            share = sum((one.get(item, Fraction(0)) for one in drawn.values()), Fraction(0)) / len(drawn)
            grow((*items, item), chance * share)

    grow((), Fraction(1))
    return dict(found)


def _drawn(rankings: Sequence[Ranking], items: Ranking, softness: int) -> dict[int, dict[int, Fraction]]:
    """How probably each ranking that still has items would bring each of them."""
    found = {}
    for team, ranking in enumerate(rankings):
        weights = {item: Fraction(1, _rank(ranking, item) ** softness) for item in _left(ranking, items)}
        if weights:
            total = sum(weights.values(), Fraction(0))
            found[team] = {item: weight / total for item, weight in weights.items()}
    return found


def probabilistic_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int], softness: int = 3) -> Fraction:
    """The expected winner over all assignments of the clicked items to teams."""
    ahead: dict[int, Fraction] = {0: Fraction(1)}
    for place in clicks:
        drawn = _drawn(rankings, shown[0][:place], softness)
        shares = [drawn.get(team, {}).get(shown[0][place], Fraction(0)) for team in (0, 1)]
        first = shares[0] / (shares[0] + shares[1])
        moved: dict[int, Fraction] = defaultdict(Fraction)
        for difference, chance in ahead.items():
            moved[difference + 1] += chance * first
            moved[difference - 1] += chance * (1 - first)
        ahead = dict(moved)
    return sum((chance * _sign(difference) for difference, chance in ahead.items()), Fraction(0))


def optimized_lists(rankings: Sequence[Ranking], length: int) -> Chances:
    """The lottery of the linear program, with its probabilities as the fractions that they are."""
    found = lottery(np.array(rankings[0]), np.array(rankings[1]), length)
    chances = {
        (shown, (None,) * len(shown)): Fraction(float(chance)).limit_denominator(1_000_000)
        for shown, chance in zip(found.lists, found.probability, strict=True)
        if chance > 1e-9  # noqa: PLR2004 - zero, but for rounding
    }
    total = sum(chances.values(), Fraction(0))
    return {shown: chance / total for shown, chance in chances.items()}


def optimized_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """The difference of 1/rank over the clicked items."""
    clicked = [shown[0][place] for place in clicks]
    return sum((Fraction(1, _rank(rankings[0], item)) - Fraction(1, _rank(rankings[1], item)) for item in clicked), Fraction(0))


def pairwise_lists(rankings: Sequence[Ranking], length: int) -> Chances:
    """Each position takes any item that fits there, all equally likely."""
    found: dict[Shown, Fraction] = defaultdict(Fraction)

    def grow(items: Ranking, chance: Fraction) -> None:
        fitting = sorted(_fitting(rankings, len(items) + 1) - set(items))
        if len(items) == length or not fitting:
            found[items, (None,) * len(items)] += chance
            return
        for item in fitting:
            grow((*items, item), chance / len(fitting))

    grow((), Fraction(1))
    return dict(found)


def _fitting(rankings: Sequence[Ranking], position: int) -> set[int]:
    return {item for ranking in rankings for item in ranking[:position]}


def pairwise_margin(rankings: Sequence[Ranking], shown: Shown, clicks: Sequence[int]) -> Fraction:
    """The difference of the scores that inferred preferences give both rankings."""
    items = shown[0]
    best = [min(_rank(ranking, item) for ranking in rankings) for item in items]
    total = Fraction(0)
    for place in clicks:
        for other in range(min(place + 2, len(items))):
            if other in clicks:
                continue
            k = max(best[place], best[other])
            if k > min(place, other) + 1:
                continue
            chance = Fraction(1)
            for position in range(min(best[place], best[other]), k):
                chance *= 1 - Fraction(1, len(_fitting(rankings, position)) - (position - 1))
            signs = [_sign(_rank(ranking, items[other]) - _rank(ranking, items[place])) for ranking in rankings[:2]]
            total += (signs[0] - signs[1]) / chance
    return total


def exact_methods(softness: int = 3) -> dict[str, ExactMethod]:
    """Every method by its name."""
    methods = [
        ExactMethod("team-draft", team_draft_lists, team_margin),
        ExactMethod("balanced", balanced_lists, balanced_margin),
        ExactMethod(
            "probabilistic",
            lambda rankings, length: probabilistic_lists(rankings, length, softness),
            lambda rankings, shown, clicks: probabilistic_margin(rankings, shown, clicks, softness),
        ),
        ExactMethod("optimized", optimized_lists, optimized_margin),
        ExactMethod("pairwise", pairwise_lists, pairwise_margin),
    ]
    return {one.name: ExactMethod(one.name, one.lists, one.margin, one.name in BY_CREDIT) for one in methods}
