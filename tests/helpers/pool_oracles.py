"""Slow second implementations of the orders of pools: one case at a time, with lists and loops."""

from __future__ import annotations

from math import log
from typing import TypeAlias

Lists: TypeAlias = dict[str, list[str]]
"""The items of each system, best first."""
Relevance: TypeAlias = dict[str, bool]


def items(lists: Lists) -> list[str]:
    """All items, in the order of their ids."""
    return sorted({item for ranked in lists.values() for item in ranked})


def depth(lists: Lists) -> list[str]:
    """All first items, then all second ones."""
    longest = max(map(len, lists.values()))
    in_turn = [ranked[place] for place in range(longest) for ranked in lists.values() if place < len(ranked)]
    return list(dict.fromkeys(in_turn))


def rrf(lists: Lists) -> list[str]:
    """Sums of reciprocal ranks."""
    worth = {item: sum(1 / (61 + ranked.index(item)) for ranked in lists.values() if item in ranked) for item in items(lists)}
    return sorted(worth, key=lambda item: (-round(worth[item], 12), item))


def borda(lists: Lists) -> list[str]:
    """Points n, n - 1, ...; those that are left are shared."""
    every = items(lists)

    def points(ranked: list[str], item: str) -> float:
        if item in ranked:
            return len(every) - ranked.index(item)
        left = range(1, len(every) - len(ranked) + 1)
        return sum(left) / len(left)

    worth = {item: sum(points(ranked, item) for ranked in lists.values()) for item in every}
    return sorted(worth, key=lambda item: (-round(worth[item], 9), item))


def move_to_front(lists: Lists, relevant: Relevance) -> list[str]:
    """The system that was moved back least is asked; a relevant item moves it to the front."""
    moved_back, left = dict.fromkeys(lists, 0), {name: list(ranked) for name, ranked in lists.items()}
    order: list[str] = []
    while any(left.values()):
        name = min((name for name in lists if left[name]), key=moved_back.__getitem__)
        item = left[name].pop(0)
        if item not in order:
            order.append(item)
        moved_back[name] = 0 if relevant[item] else moved_back[name] + 1
    return order


def bandit(lists: Lists, relevant: Relevance, forget: float = 0.0) -> list[str]:
    """The next item of the system with the best mean of Beta(1 + hits, 1 + misses)."""
    hits, misses = dict.fromkeys(lists, 0.0), dict.fromkeys(lists, 0.0)
    order: list[str] = []
    while len(order) < len(items(lists)):
        open_ones = [name for name, ranked in lists.items() if set(ranked) - set(order)]
        best = max(open_ones, key=lambda name: (1 + hits[name]) / (2 + hits[name] + misses[name]))
        item = next(item for item in lists[best] if item not in order)
        order.append(item)
        for name, ranked in lists.items():
            if item in ranked:
                hits[name] = (1 - forget) * hits[name] + relevant[item]
                misses[name] = (1 - forget) * misses[name] + (not relevant[item])
    return order


def hedge(lists: Lists, relevant: Relevance) -> list[str]:
    """The item with the largest weighted sum of ln(depth / rank)."""
    longest, loss = max(map(len, lists.values())) + 1, dict.fromkeys(lists, 0.0)
    order: list[str] = []

    def worth(name: str, item: str) -> float:
        ranked = lists[name]
        return 0.5 * log(longest / (ranked.index(item) + 1)) if item in ranked else 0.0

    while len(order) < len(items(lists)):
        left = [item for item in items(lists) if item not in order]
        mixed = {item: sum(0.1 ** loss[name] * worth(name, item) for name in lists) for item in left}
        best = max(mixed.values())
        item = next(item for item in left if mixed[item] >= best * (1 - 1e-12))
        order.append(item)
        for name in lists:
            loss[name] += worth(name, item) * (-1 if relevant[item] else 1)
    return order
