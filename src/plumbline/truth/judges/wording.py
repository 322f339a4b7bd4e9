"""What leaderboards under several judges, and estimates, say in sentences."""

from __future__ import annotations

import polars as pl

from plumbline.errors.base import listing, plural
from plumbline.render.grid import number, percent


def about_leaderboards(
    compared: pl.DataFrame, places: pl.DataFrame, shared: pl.DataFrame, systems: int, reference: str | None
) -> list[str]:
    """How alike judges rank the systems, by each metric; what is reversed; what all share."""
    lines = []
    for (metric,), rows in compared.group_by("metric", maintain_order=True):
        taus = rows["tau"].drop_nulls()
        if len(taus):
            whom = f"{reference} and any other judge" if reference is not None else "any two judges"
            if len(rows) == 1:
                whom = f"{rows['a'][0]} and {rows['b'][0]}"
            span = number(taus.min(), 2) if len(taus) == 1 else f"{number(taus.min(), 2)} to {number(taus.max(), 2)}"  # type: ignore[arg-type]
            lines.append(f"{metric}: {whom} rank {plural(systems, 'system')} with tau {span}.")
        turned, significant = int(rows["turn_round"].sum()), int(rows["significant"].sum())
        stay, vanish = int(rows["stay"].sum()), int(rows["vanish"].sum())
        if significant:
            lines.append(
                f"{metric}: of {plural(significant, 'significant difference')}, {stay:,} stay, {vanish:,} vanish and "
                f"{turned:,} are reversed under another judge."
            )
    every = len(shared)
    agreed = len(shared.filter(pl.col("uir") == 1))
    if every:
        lines.append(
            f"All judges and metrics agree on which one is better in {agreed:,} of {plural(every, 'pair')} of systems."
        )
    by_maker = places.filter("own")
    for row in by_maker.iter_rows(named=True):
        rest = places.filter((pl.col("judge") == row["judge"]) & (pl.col("metric") == row["metric"]) & ~pl.col("own"))
        usual = rest["change"].mean()
        moved = "rises" if row["change"] > 0 else "falls" if row["change"] < 0 else "stays"
        by = "" if row["change"] == 0 else f" by {abs(row['change']):g} places"
        lines.append(
            f"{row['metric']}: under {row['judge']}, which shares its maker, {row['system']} {moved}{by}; "
            f"other systems move by {number(usual, 1)} on average."  # type: ignore[arg-type]
        )
    return lines


def about_estimates(estimated: pl.DataFrame, by_stratum: pl.DataFrame) -> list[str]:
    """How many cases of the reference the estimates are worth, for each judge and metric."""
    lines = []
    if not by_stratum.is_empty():
        shares = by_stratum.unique("stratum", maintain_order=True).select("stratum", "share").iter_rows()
        each = listing([f"{stratum} {percent(share)}" for stratum, share in shares], 5)
        lines.append(f"Estimates are made within each stratum, and weighted by its share of the cases: {each}.")
    for (judge, metric), rows in estimated.filter(pl.col("minus").is_null()).group_by("judge", "metric", maintain_order=True):
        known = rows.drop_nulls("worth")
        if known.is_empty():
            continue
        cases = int(known["cases"].max())  # type: ignore[arg-type]
        low, high = float(known["worth"].min()), float(known["worth"].max())  # type: ignore[arg-type]
        lines.append(
            f"{metric}: with {judge}, {plural(cases, 'case')} of the reference are worth {low:.0f} to {high:.0f}, by system."
        )
    return lines
