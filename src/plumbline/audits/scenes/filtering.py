"""Small outputs of filters: matrices, which are what an alignment of labels would count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.audits.constraints.filtering import Matrix
from plumbline.audits.scenes.scene import Scene
from plumbline.compute.computed import combined
from plumbline.compute.filtering import values_of
from plumbline.schema import LIST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.audits.scenes.scene import Values
    from plumbline.metrics.measure import Measure

NO_SCORES: Final = pl.DataFrame()
ALL_ANSWERED: Final = tuple(pl.lit(0.0).alias(f"open_{name}") for name in Matrix._fields)


def values(matrices: Sequence[Matrix], measures: list[Measure]) -> Values:
    """Straight from the counts, every item of which has an answer."""
    counts = pl.DataFrame(np.array(matrices, dtype=np.float64), schema=list(Matrix._fields), orient="row")
    scores = combined(values_of(counts.with_row_index(LIST).with_columns(ALL_ANSWERED), NO_SCORES, measures), measures)
    return {measure.name: scores[measure.name].fill_null(np.nan).to_numpy() for measure in measures}


def drawn(matrix: Matrix) -> str:
    """The four numbers with their names."""
    return "  ".join(f"{name.upper()} {count:g}" for name, count in matrix._asdict().items())


SCENE: Final = Scene("filtering", values, drawn, lambda _: "", tuple, Matrix._fields)
