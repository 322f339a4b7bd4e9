"""Round 1 of TREC-COVID: 143 runs of 56 teams, and what the round judged."""

from __future__ import annotations

import io
import lzma
from functools import cache

import polars as pl

from tests.helpers.shared import shared


@cache
def leaderboard() -> pl.DataFrame:
    """`run, team` and whether the run contributed, best first."""
    return pl.read_csv(shared("data", "trec_covid_round1_pool", "leaderboard.csv")).select(
        "run", "team", (pl.col("contributed judgments") == "yes").alias("contributed")
    )


@cache
def runs() -> dict[str, pl.DataFrame]:
    """The runs by name, in the order of names."""
    packed = shared("data", "trec_covid_round1_pool", "runs_top100.tsv.xz").read_bytes()
    table = pl.read_csv(io.BytesIO(lzma.decompress(packed)), separator="\t", schema_overrides={"case": pl.String})
    scored = table.select("system", "case", "item", (-pl.col("rank").cast(pl.Float64)).alias("score"))
    parts = scored.partition_by("system", as_dict=True, include_key=False)
    return {str(name): parts[(name,)] for (name,) in sorted(parts)}


def contributing(*, best_first: bool = False) -> dict[str, pl.DataFrame]:
    """The runs whose items were pooled."""
    names = leaderboard().filter("contributed")["run"].to_list()
    return {name: runs()[name] for name in (names if best_first else sorted(names))}


def qrels() -> str:
    """The path of the judgements."""
    return str(shared("data", "trec_covid_round1_pool", "qrels.txt"))
