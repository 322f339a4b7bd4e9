"""A small space with two clusterings of it, for the tests of internal criteria."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import cdist

import plumbline

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = ["Silhouette", "DaviesBouldin", "CalinskiHarabasz", "Dunn", "IntraSimilarity", "InterSimilarity"]
ITEMS = [f"d{number}" for number in range(40)]
LABELS = np.random.default_rng(1).integers(0, 5, 40)
GOLD = np.random.default_rng(2).integers(0, 3, 40)
SPACE = np.random.default_rng(3).normal(size=(40, 6)) + LABELS[:, None] * 0.5
SQUARE = cdist(SPACE, SPACE)


def scored(features: Any = None, names: list[str] | str = ALL, labels: Any = LABELS, **options: Any) -> dict[str, float | None]:
    scores = plumbline.evaluate(GOLD[: len(labels)], labels, names, task="clustering", features=features, **options)
    return dict(scores.per_case.select("metric", "value").iter_rows())


def named(labels: Any = LABELS) -> dict[str, str]:
    return {item: f"c{label}" for item, label in zip(ITEMS, labels, strict=True)}


def frame() -> pl.DataFrame:
    return pl.DataFrame({"item": ITEMS, **{f"x{at}": SPACE[:, at] for at in range(6)}})


def code_of(call: Callable[[], object], kind: type[plumbline.PlumblineError]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return caught.value.code
