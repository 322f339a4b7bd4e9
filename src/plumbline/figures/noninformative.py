"""Outputs that tell nothing about the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.align.filtering import NEGATIVE, POSITIVE
from plumbline.schema import CASE, SYSTEM
from plumbline.tools.confusion import confusion

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject


def ignoring(subject: Subject) -> frozenset[tuple[str, str]]:
    """System and case of filters that accept the same share of positive and of negative items: TP N = FP R.

    R and N are the positive and the negative items of the gold, so that this is TP TN = FP FN. Other tasks, and scores alone,
    tell of no such outputs.
    """
    if subject.task != "filtering" or not subject.has_outputs:
        return frozenset()
    cells = confusion(subject.gold, subject.systems, task="filtering", **subject.options).cells
    counts = {
        name: pl.col("count").filter((pl.col("gold") == wanted) & (pl.col("given") == given)).sum()
        for name, (wanted, given) in {
            "tp": (POSITIVE, POSITIVE),
            "fp": (NEGATIVE, POSITIVE),
            "fn": (POSITIVE, NEGATIVE),
            "tn": (NEGATIVE, NEGATIVE),
        }.items()
    }
    found = cells.group_by(SYSTEM, CASE).agg(**counts)
    same = found.filter(pl.col("tp") * pl.col("tn") == pl.col("fp") * pl.col("fn"))
    return frozenset(same.select(SYSTEM, CASE).iter_rows())
