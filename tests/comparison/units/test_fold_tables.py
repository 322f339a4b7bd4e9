"""Tables of scores with a row for each fold: the column `repeat` tells repeats apart, as in the files that `split` writes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

import plumbline

REPEATS, FOLDS = 4, 5


def table(name: str = "repeat") -> pl.DataFrame:
    draw = np.random.default_rng(1)
    rows = [
        {"system": system, name: repeat, "fold": fold, "case": f"{repeat}-{fold}", "AP": shift + draw.random() / 5}
        for system, shift in (("a", 0.5), ("b", 0.45))
        for repeat in range(REPEATS)
        for fold in range(FOLDS)
    ]
    return pl.DataFrame(rows)


def compared(frame: pl.DataFrame, **options: Any) -> dict[str, Any]:
    return plumbline.compare(frame, "AP", folds="fold", **options).significance.to_dicts()[0]


def test_repeats_are_told_apart_without_being_named() -> None:
    assert compared(table()) == compared(table("turn"), runs="turn") == compared(table(), runs="repeat")


def test_another_name_has_to_be_given() -> None:
    assert compared(table("turn"))["units"] == FOLDS
    assert compared(table())["units"] == REPEATS * FOLDS


def test_the_p_is_that_of_every_fold_of_every_repeat() -> None:
    values = table().sort("system", "repeat", "fold")["AP"].to_numpy().reshape(2, -1)
    difference = values[0] - values[1]
    share = (1 / FOLDS) / (1 - 1 / FOLDS)
    error = np.sqrt((1 / len(difference) + share) * difference.var(ddof=1))

    wanted = 2 * t.sf(abs(difference.mean() / error), len(difference) - 1)
    assert compared(table())["p"] == pytest.approx(wanted)
