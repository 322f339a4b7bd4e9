"""Small outputs of filters: matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.audits.constraints.filtering import Matrix
from plumbline.audits.scenes.scene import Scene, numbered
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Sequence


def tables(matrices: Sequence[Matrix]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Every item of every matrix with its label, 1 or 0, in the gold and in the output."""
    counts = np.array(matrices, dtype=np.int64)
    cases, items = numbered(counts.sum(axis=1))
    kinds = np.repeat(np.tile([0, 1, 2, 3], len(counts)), counts.ravel())
    named = {CASE: pl.Series(cases).cast(pl.String), ITEM: pl.Series(items).cast(pl.String)}
    relevant, accepted = (pl.Series(np.isin(kinds, own).astype(np.int8)).cast(pl.String) for own in ([0, 2], [0, 1]))
    return pl.DataFrame({**named, LABEL: relevant}), pl.DataFrame({**named, LABEL: accepted})


def drawn(matrix: Matrix) -> str:
    """The four numbers with their names."""
    return "  ".join(f"{name.upper()} {count}" for name, count in matrix._asdict().items())


FILTERING: Final = Scene("filtering", tables, drawn, lambda _: "", tuple, Matrix._fields, {"positive": "1"})
