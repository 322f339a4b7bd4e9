"""ICM of classes in a hierarchy by the recursion of its paper; the names of classes are paths."""

from __future__ import annotations

from math import fsum, log2

Sets = list[frozenset[str]]


def upwards(name: str) -> list[str]:
    """A class and those above it, the nearest first."""
    return [name, *upwards(name.rpartition("/")[0])] if name else []


def alone(name: str, gold: Sets) -> float:
    """The information of one class: how rare its items are, those of the classes below it among them."""
    count = sum(any(name in upwards(label) for label in labels) for labels in gold)
    return log2(len(gold) / max(count, 1))


def together(names: list[str], gold: Sets) -> float:
    """The information of several classes, as the paper has it.

    That of the first and of the others, less that of the deepest classes above both the first and each of the others.
    """
    if not names:
        return 0.0
    first, *others = names
    shared = {next((one for one in upwards(first) if one in upwards(other)), "") for other in others} - {""}
    return alone(first, gold) + together(others, gold) - together(sorted(shared), gold)


def contrast(gold: Sets, answers: Sets) -> float:
    """The mean over all items of the information contrast."""
    each = [
        2 * together(sorted(given), gold) + 2 * together(sorted(right), gold) - 3 * together(sorted(given | right), gold)
        for right, given in zip(gold, answers, strict=True)
    ]
    return fsum(each) / len(each)
