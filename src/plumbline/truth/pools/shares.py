"""How much of what systems show was judged: by rank and by system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import RANK, SYSTEM

if TYPE_CHECKING:
    from plumbline.truth.pools.places import Flags, Places

FIRST: Final = 10
"""The rank that Judged@10 looks down to."""
DEEPEST: Final = 100
"""Ranks of the table by rank, at most."""


def judged_by_rank(places: Places) -> pl.DataFrame:
    """`system, rank, lists, judged`: of the lists that go so far, the share whose item there was judged."""
    kept = places.rank <= DEEPEST
    frame = pl.DataFrame({"number": places.system[kept], RANK: places.rank[kept], "judged": places.judged[kept]})
    shares = frame.group_by("number", RANK).agg(pl.len().alias("lists"), pl.col("judged").mean()).sort("number", RANK)
    names = pl.Series(SYSTEM, places.aligned.systems, dtype=pl.String).gather(shares["number"])
    return shares.select(names, RANK, "lists", "judged")


def judged_by_system(places: Places, teams: list[str], contributing: Flags) -> pl.DataFrame:
    """`system, team, contributed, judged, judged@10, first_unjudged`: a row for each system.

    `first_unjudged` is the median over lists of the rank of the first unjudged item; a list without one counts with its end.
    """
    systems, count = places.aligned.systems, len(places.aligned.shown)
    lists = places.lists
    first = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(first, lists[~places.judged], places.rank[~places.judged])
    first = np.minimum(first, places.aligned.shown + 1).reshape(len(systems), places.cases)
    present = ~places.aligned.missing.reshape(len(systems), places.cases)
    early = places.rank <= FIRST

    def share(rows: Flags) -> list[float | None]:
        shown = np.bincount(places.system[rows], minlength=len(systems))
        judged = np.bincount(places.system[rows & places.judged], minlength=len(systems))
        return [int(one) / int(all_of) if all_of else None for one, all_of in zip(judged, shown, strict=True)]

    medians = [float(np.median(row[has])) if has.any() else None for row, has in zip(first, present, strict=True)]
    return pl.DataFrame(
        {
            SYSTEM: list(systems),
            "team": teams,
            "contributed": contributing.tolist(),
            "judged": share(np.ones(len(lists), dtype=np.bool_)),
            f"judged@{FIRST}": share(early),
            "first_unjudged": medians,
        },
        schema_overrides={"judged": pl.Float64, f"judged@{FIRST}": pl.Float64, "first_unjudged": pl.Float64},
    )
