"""Where two mean-F curves cross, in exact fractions: the numerator of their difference, by Sturm's theorem."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Part = tuple[Fraction, Fraction]
    Polynomial = list[Fraction]
    """Coefficients, that of the highest power last; no zero at the end."""


def crossings_and_touches(a: Sequence[Part], b: Sequence[Part]) -> tuple[list[float], list[float]] | None:
    """The alphas in (0, 1) where the difference of mean F changes its sign, and where it is 0 without; None if always 0."""
    numerator = _numerator(a, b)
    if not numerator:
        return None
    simple = _quotient(numerator, _divisor(numerator, _slope(numerator)))[0]
    crossings: list[float] = []
    touches: list[float] = []
    for low, high in _brackets(simple):
        changes = (_at(numerator, low) > 0) != (_at(numerator, high) > 0)
        (crossings if changes else touches).append(_root(simple, low, high))
    return crossings, touches


def _numerator(a: Sequence[Part], b: Sequence[Part]) -> Polynomial:
    """Of the sum over cases of F of a minus F of b, which is p r / (p + alpha (r - p)) each, on one denominator."""
    parts = [(sign * p * r, [p, r - p]) for sign, cases in ((1, a), (-1, b)) for p, r in cases if p * r]
    total: Polynomial = []
    for number, (over, _) in enumerate(parts):
        product = [over]
        for other, (_, under) in enumerate(parts):
            product = product if other == number else _product(product, under)
        total = _sum(total, product)
    return total


def _brackets(simple: Polynomial) -> list[tuple[Fraction, Fraction]]:
    """For each root in (0, 1) an interval of its own, with no root at its ends."""
    chain = [simple, _slope(simple)]
    while chain[-1]:
        chain.append([-part for part in _quotient(chain[-2], chain[-1])[1]])
    chain.pop()
    inside = [Fraction(1, 10**9), 1 - Fraction(1, 10**9)]
    while any(_at(simple, end) == 0 for end in inside):
        inside = [end + (Fraction(1, 3) - end) / 10**6 for end in inside]
    todo, actual = [(inside[0], inside[1])], []
    while todo:
        low, high = todo.pop()
        count = _changes(chain, low) - _changes(chain, high)
        if count == 1:
            actual.append((low, high))
        elif count > 1:
            middle = (low + high) / 2
            while _at(simple, middle) == 0:
                middle += (high - middle) / 7
            todo += [(middle, high), (low, middle)]
    return sorted(actual)


def _root(simple: Polynomial, low: Fraction, high: Fraction) -> float:
    rising = _at(simple, high) > 0
    while high - low > Fraction(1, 10**15):
        middle = (low + high) / 2
        value = _at(simple, middle)
        if value == 0:
            return float(middle)
        low, high = (low, middle) if (value > 0) == rising else (middle, high)
    return float((low + high) / 2)


def _changes(chain: list[Polynomial], at: Fraction) -> int:
    signs = [value > 0 for value in (_at(part, at) for part in chain) if value != 0]
    return sum(left != right for left, right in pairwise(signs))


def _at(polynomial: Polynomial, x: Fraction) -> Fraction:
    value = Fraction(0)
    for part in reversed(polynomial):
        value = value * x + part
    return value


def _trimmed(polynomial: Polynomial) -> Polynomial:
    while polynomial and polynomial[-1] == 0:
        polynomial = polynomial[:-1]
    return polynomial


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    longest = max(len(a), len(b))
    padded = ([*part, *[Fraction(0)] * (longest - len(part))] for part in (a, b))
    return _trimmed([x + y for x, y in zip(*padded, strict=True)])


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return _trimmed(result)


def _slope(a: Polynomial) -> Polynomial:
    return [power * part for power, part in enumerate(a)][1:]


def _quotient(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The quotient and the rest."""
    result = [Fraction(0)] * max(len(a) - len(b) + 1, 1)
    while len(a) >= len(b):
        shift, factor = len(a) - len(b), a[-1] / b[-1]
        result[shift] = factor
        a = _trimmed([*a[:shift], *(x - factor * y for x, y in zip(a[shift:], b, strict=True))][:-1])
    return _trimmed(result), a


def _divisor(a: Polynomial, b: Polynomial) -> Polynomial:
    while b:
        a, b = b, _quotient(a, b)[1]
    return [part / a[-1] for part in a]
