"""Filters with known counts."""

from __future__ import annotations

Counts = tuple[int, int, int, int]
"""TP, FP, FN, TN."""
Labels = dict[str, dict[str, int]]


def output(counts: Counts) -> dict[str, int]:
    """The labels of a system on items in the order of the counts; the gold has the same items."""
    tp, fp, fn, tn = counts
    return dict(zip(names(counts), [1] * (tp + fp) + [0] * (fn + tn), strict=True))


def gold(counts: Counts) -> dict[str, int]:
    """The labels of the gold."""
    tp, fp, fn, tn = counts
    return dict(zip(names(counts), [1] * tp + [0] * fp + [1] * fn + [0] * tn, strict=True))


def names(counts: Counts) -> list[str]:
    """Names of items by what they are in the gold, so that all systems share them."""
    tp, fp, fn, tn = counts
    return [
        *(f"p{at}" for at in range(tp)),
        *(f"n{at}" for at in range(fp)),
        *(f"p{at}" for at in range(tp, tp + fn)),
        *(f"n{at}" for at in range(fp, fp + tn)),
    ]


def filters(systems: dict[str, dict[str, Counts]]) -> tuple[Labels, dict[str, Labels]]:
    """A gold and systems with these counts, `{system: {case: counts}}`."""
    first = next(iter(systems.values()))
    return (
        {case: gold(counts) for case, counts in first.items()},
        {name: {case: output(counts) for case, counts in cases.items()} for name, cases in systems.items()},
    )
