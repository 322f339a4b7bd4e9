"""Which stratum each case belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from plumbline.errors import BadData, judgements
from plumbline.io.columns.names import CASES, STRATA, plain_name
from plumbline.io.scores.sources import open_source

MEANINGS = {"case": CASES, "stratum": STRATA}


def read_strata(source: Any) -> dict[str, str]:
    """The stratum of each case, from a table with both columns or a dict."""
    if isinstance(source, Mapping):
        return {str(case): str(stratum) for case, stratum in source.items()}
    opened = open_source(source, "strata")
    frame = opened.data
    names = {plain_name(name): name for name in frame.columns} if isinstance(frame, pl.DataFrame) else {}
    columns = [next((names[name] for name in aliases if name in names), None) for aliases in MEANINGS.values()]
    if not isinstance(frame, pl.DataFrame) or None in columns:
        raise BadData(judgements.no_stratum(opened.label, ["any case: columns case and stratum are needed"]))
    pairs = frame.select(
        pl.col(str(column)).cast(pl.String).alias(name) for column, name in zip(columns, MEANINGS, strict=True)
    )
    several = pairs.unique().group_by("case").len().filter(pl.col("len") > 1)["case"].sort().to_list()
    if several:
        raise BadData(judgements.several_strata(opened.label, several))
    return dict(pairs.drop_nulls().iter_rows())
