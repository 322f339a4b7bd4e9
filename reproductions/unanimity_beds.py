"""Four batteries of clustering data as test beds of the same methods: scores for section 7 of Amigó et al. (2011)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from plumbline.comparison.cube import Cube

METHODS: Final = ("Genie_", "fastcluster_", "FCPS_", "sklearn_")
"""Methods that cluster; the others of the collection search for the best value of an internal index."""
METRICS: Final = ("Purity", "InvPurity")
REFERENCE: Final = "labels0"


def clusterings(path: Path) -> pl.DataFrame:
    """A row for each point that is not noise: its class, and its cluster by each method that was given the right number."""
    points = pl.read_csv(path, infer_schema=False).filter(pl.col(REFERENCE) != "0")
    ending = f"__k{points[REFERENCE].n_unique()}"
    made = [name for name in points.columns if name.startswith(METHODS) and name.endswith(ending)]
    return points.with_row_index(ITEM).select(
        pl.lit(path.name.partition(".")[0]).alias(CASE),
        pl.col(ITEM).cast(pl.String),
        pl.col(REFERENCE).alias(LABEL),
        *(pl.col(name).alias(name.removesuffix(ending)) for name in made),
    )


def by_first_word(cube: Cube) -> dict[str, Cube]:
    """The cases in groups, by the first word of their names."""
    made = {}
    for word in sorted({case.partition("_")[0] for case in cube.cases}):
        at = [number for number, case in enumerate(cube.cases) if case.partition("_")[0] == word]
        made[word] = replace(cube, cases=tuple(cube.cases[number] for number in at), values=cube.values[:, :, at])
    return made


def scored(tables: Iterable[pl.DataFrame]) -> Cube:
    """Purity and Inverse Purity of the methods that every set of data has."""
    result = list(tables)
    common = [name for name in result[0].columns[3:] if all(name in one.columns for one in result)]
    every = pl.concat(one.select(CASE, ITEM, LABEL, *common) for one in result)
    systems = {name: every.select(CASE, ITEM, pl.col(name).alias(LABEL)) for name in common}
    scores = plumbline.evaluate(every.select(CASE, ITEM, LABEL), systems, list(METRICS), task="clustering")
    return read_scores(scores, metrics=METRICS)[0]


def batteries(folder: Path) -> dict[str, Cube]:
    """Each battery is a test bed, and its sets of data are the cases."""
    return by_first_word(scored(clusterings(path) for path in sorted((folder / "gagolews_clusterings").glob("*.csv.gz"))))
