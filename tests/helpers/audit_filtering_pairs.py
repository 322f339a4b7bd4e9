"""The pairs of every constraint on filters a second time: each item has a label in the gold and in the output."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from plumbline.audits.constraints.filtering import Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    Labels = tuple[bool, ...]
    Pairs = set[tuple[Matrix, Matrix]]


def outputs(size: int, least: int) -> Iterator[tuple[Labels, Labels]]:
    """Every gold of which the larger class has so many items and the smaller one at least so few, with every output."""
    for relevant, others in product(range(least, size + 1), repeat=2):
        if max(relevant, others) == size:
            gold = (True,) * relevant + (False,) * others
            for output in product([True, False], repeat=len(gold)):
                yield gold, output


def counted(gold: Labels, output: Labels) -> Matrix:
    """How many items there are of each kind."""
    both = list(zip(output, gold, strict=True))
    return Matrix(both.count((True, True)), both.count((True, False)), both.count((False, True)), both.count((False, False)))


def relabelled(output: Labels, *items: int) -> Labels:
    """The output with the other label for these items."""
    return tuple(label != (number in items) for number, label in enumerate(output))


def monotonic(size: int) -> Pairs:
    """An item that was labelled otherwise than in the gold is now labelled as there."""
    return {
        (counted(gold, relabelled(output, item)), counted(gold, output))
        for gold, output in outputs(size, 1)
        for item in range(len(gold))
        if gold[item] != output[item]
    }


def defined(size: int) -> Pairs:
    """Every output, where the gold has both classes."""
    return {(counted(gold, output),) * 2 for gold, output in outputs(size, 1)}


def strongly_defined(size: int) -> Pairs:
    """Every output, whatever the gold."""
    return {(counted(gold, output),) * 2 for gold, output in outputs(size, 0)}


def both_more(size: int) -> Pairs:
    """One relevant and one other item more are accepted."""
    actual = set()
    for gold, output in outputs(size, 1):
        for one, other in product(range(len(gold)), repeat=2):
            if gold[one] and not gold[other] and not output[one] and not output[other]:
                actual.add((counted(gold, relabelled(output, one, other)), counted(gold, output)))
    return actual


def uninformative(size: int) -> set[Matrix]:
    """The outputs that accept the same share of both classes."""
    every = {counted(gold, output) for gold, output in outputs(size, 1)}
    return {one for one in every if one.tp * (one.fp + one.tn) == one.fp * (one.tp + one.fn)}


def same_gold(one: Matrix, other: Matrix) -> bool:
    """Whether they are outputs for the same items."""
    return (one.tp + one.fn, one.fp + one.tn) == (other.tp + other.fn, other.fp + other.tn)


EXACTLY = {
    "strict monotonicity": monotonic,
    "definiteness": defined,
    "strong definiteness": strongly_defined,
    "absolute weighting": both_more,
}
"""Constraints with a pair for each two outputs of which they speak."""
