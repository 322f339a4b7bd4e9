"""Combining functions in exact arithmetic, and each axiom as one loop over fractions, as it is written in the papers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Exact = Callable[[Fraction, Fraction], Fraction]

EXACT: dict[str, Exact] = {
    "F": lambda p, r: 2 * p * r / (p + r) if p and r else Fraction(0),
    "F(alpha=0.25)": lambda p, r: 1 / (Fraction(1, 4) / p + Fraction(3, 4) / r) if p and r else Fraction(0),
    "arithmetic": lambda p, r: (p + r) / 2,
    "arithmetic(alpha=0.75)": lambda p, r: (3 * p + r) / 4,
    "geometric": lambda p, r: p * r,  # the square: the same order
    "product": lambda p, r: p * r,
    "maximum": max,
    "minimum": min,
}
"""Each orders points as the function of this name does."""


def grid(size: int, least: int = 1) -> list[Fraction]:
    """Multiples of 1/size."""
    return [Fraction(part, size) for part in range(least, size + 1)]


def monotonic(f: Exact, size: int) -> bool:
    """More of both is better."""
    every = grid(size, 0)
    return all(f(a, b) > f(c, d) for a, b, c, d in product(every, repeat=4) if a > c and b > d)


def independent(f: Exact, size: int, least: int = 1) -> bool:
    """What is as good with one value of the other score is as good with every value."""
    every = grid(size, least)
    first = all(f(a, q) >= f(b, q) for a, b, p, q in product(every, repeat=4) if f(a, p) >= f(b, p))
    return first and all(f(q, a) >= f(q, b) for a, b, p, q in product(every, repeat=4) if f(p, a) >= f(p, b))


def thomsen(f: Exact, size: int) -> bool:
    """Two equalities imply the third."""
    return all(
        f(r1, p1) == f(r2, p2)
        for r1, r2, r3, p1, p2, p3 in product(grid(size), repeat=6)
        if f(r1, p3) == f(r3, p2) and f(r3, p1) == f(r2, p3)
    )


def essential(f: Exact, size: int) -> bool:
    """Each score matters somewhere."""
    every = list(product(grid(size), repeat=3))
    return any(f(a, c) != f(b, c) for a, b, c in every) and any(f(c, a) != f(c, b) for a, b, c in every)


def decreasing(f: Exact, size: int, steps: int = 16) -> bool:
    """Some exchange of one score for as much of the other is worse, in both directions."""
    shares = [Fraction(step, steps) for step in range(1, steps + 1)]
    return all(
        any(f(r - r * share, p + r * share) < f(r, p) for share in shares)
        and any(f(r + p * share, p - p * share) < f(r, p) for share in shares)
        for r, p in product(grid(size), repeat=2)
        if r + p <= 1
    )


AXIOMS: dict[str, Callable[[Exact, int], bool]] = {
    "monotonicity": monotonic,
    "independence": independent,
    "independence, with zeros": lambda f, size: independent(f, size, 0),
    "Thomsen condition": thomsen,
    "essential components": essential,
    "decreasing marginal effectiveness": decreasing,
}
