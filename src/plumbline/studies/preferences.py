"""Do people prefer the outputs that a metric prefers? The share of preferences that the values of a metric follow.

A preference says which of two systems somebody found better, on one case or on the whole. A metric follows it if the better
system has the better value there; equal values are counted apart, and as one half in the agreement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, studies, table
from plumbline.io.scores.sources import open_source
from plumbline.schema import CASE
from plumbline.studies.outputs import mean_steps, steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic

BETTER: Final = "better"
WORSE: Final = "worse"
_NONE: Final = -1


def read_preferences(source: Any) -> pl.DataFrame:  # noqa: ANN401 - a path, a frame of any library or a dict of columns
    """`case, better, worse`; the case is null in all rows of a table without cases."""
    given = open_source(source, "preferences")
    frame = given.data if isinstance(given.data, pl.DataFrame) else pl.DataFrame()
    names = {name.strip().lower(): name for name in frame.columns}
    for wanted in (BETTER, WORSE):
        if wanted not in names:
            raise BadData(table.missing_column(Place(given.label), f"{wanted} system", [wanted], frame.columns, None))
    case = pl.col(names[CASE]).cast(pl.String) if CASE in names else pl.lit(None, pl.String)
    sides = [pl.col(names[name]).cast(pl.String).alias(name) for name in (BETTER, WORSE)]
    rows = frame.select(case.alias(CASE), *sides)
    if rows.is_empty():
        raise BadData(studies.no_preferences(given.label))
    return rows


def unknown(cube: Cube, rows: pl.DataFrame) -> list[Diagnostic]:
    """A notice about preferences that speak of systems or cases without scores."""
    case, better, worse = _places(cube, rows)
    lost = (better == _NONE) | (worse == _NONE) | ((case == _NONE) & rows[CASE].is_not_null().to_numpy())
    if not lost.any():
        return []
    where, one, other = rows.filter(pl.Series(lost)).row(0)
    first = f"{one} to {other}" + ("" if where is None else f" in {where}")
    return [studies.unknown_preferences(int(lost.sum()), len(rows), first)]


def _places(cube: Cube, rows: pl.DataFrame) -> tuple[NDArray[np.int64], ...]:
    """Where the case and both systems of each preference are; -1 for those that have no scores."""
    known = (cube.cases, cube.systems, cube.systems)
    return tuple(
        rows[column]
        .replace_strict(dict(zip(names, range(len(names)), strict=True)), default=_NONE)
        .cast(pl.Int64)
        .fill_null(_NONE)
        .to_numpy()
        for column, names in zip((CASE, BETTER, WORSE), known, strict=True)
    )


def preferred(cube: Cube, rows: pl.DataFrame) -> pl.DataFrame:
    """`metric, agreement, tau, agreed, opposed, tied, preferences`: a row for each metric.

    The agreement is the share of preferences that the metric follows, with one half for equal values; tau is the number that it
    follows less the number that it contradicts, as a share of all.
    """
    case, better, worse = _places(cube, rows)
    usable = (better != _NONE) & (worse != _NONE) & ((case != _NONE) | rows[CASE].is_null().to_numpy())
    values = steps(cube.signed)
    means = mean_steps(cube)
    result = []
    for metric, of_metric, of_systems in zip(cube.metrics, values, means, strict=True):
        one, other = (
            np.where(case == _NONE, of_systems[side], of_metric[side, np.maximum(case, 0)]) for side in (better, worse)
        )
        gain = np.sign(one - other)[usable]
        gain = gain[~np.isnan(gain)]
        agreed, opposed, tied = (int((gain == sign).sum()) for sign in (1, -1, 0))
        count = len(gain)
        agreement = (agreed + tied / 2) / count if count else None
        tau = (agreed - opposed) / count if count else None
        result.append((metric, agreement, tau, agreed, opposed, tied, count))
    counts = dict.fromkeys(("agreed", "opposed", "tied", "preferences"), pl.Int64)
    schema = {"metric": pl.String, "agreement": pl.Float64, "tau": pl.Float64, **counts}
    return pl.DataFrame(result, schema=schema, orient="row")
