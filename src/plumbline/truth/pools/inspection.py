"""What was found out about a pool, in words and tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors.base import listing, plural
from plumbline.render.grid import Cell, Grid, Sentences, number, percent
from plumbline.render.result import Result, described
from plumbline.schema import METRIC, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

SMALL: Final = 0.02
"""A loss up to which a pool can be reused for systems that were not pooled: what systems lose is within what topics vary."""
LARGE: Final = 0.10
LEAST_CASES: Final = 10
LEAST_GROUPS: Final = 5
"""Systems, or teams where there are some, that are left out one after the other."""
LEAST_UNIQUE: Final = 20
"""Judged items that one system or team alone brought in: if hardly any is taken away, nothing was tried."""
TITLES: Final = {
    "bounds": "value with no unjudged item relevant, and with all of them",
    "ranges": "value, and its range if the first unjudged items were relevant; other sets may give more or less",
    "thinned": "order of systems with fewer judgements, fewer cases or a shallower pool: tau, most places that a system falls",
    "condensed": "value of whole lists, and of lists without unjudged items",
}


@dataclass(frozen=True, repr=False)
class Inspection(Result):
    """How complete and how fair a pool is.

    Attributes:
        systems: `system, team, contributed, judged, judged@10, first_unjudged`: a row for each system.
        by_rank: `system, rank, lists, judged`: the share of judged items at each rank.
        depths: `depth, pooled, judged, share, relevant, new`: the pool that each depth makes.
        left_out: `left_out, system, team, unique, unique_relevant, metric, value, without, rank, rank_without`.
        depth: The depth down to which the pool is judged, read off the data; None if there is none.
        facts: Counts: gold, cases, judged, relevant, explained, contributing, teams, curve.
        tables: Further tables that were requested, by name.
        notices: What should be known about the pool.

    Example:
        >>> import plumbline
        >>> gold = {"q1": {"a": 1, "b": 0, "c": 1}}
        >>> runs = {"one": {"q1": {"a": 2.0, "b": 1.0}}, "two": {"q1": {"c": 2.0, "x": 1.0}}}
        >>> plumbline.inspect_pool(gold, runs, "P@2").systems["judged"].to_list()
        [1.0, 0.5]
    """

    systems: pl.DataFrame
    by_rank: pl.DataFrame
    depths: pl.DataFrame
    left_out: pl.DataFrame
    depth: int | None
    facts: dict[str, Any]
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`system, team, contributed, judged, judged@10, first_unjudged`."""
        return self.systems

    @property
    def losses(self) -> pl.DataFrame:
        """`left_out, metric, systems, loss, worst, worst_system, drop`: what leaving one out costs, as shares of the value."""
        lost = (
            self.left_out.filter(pl.col("value") > 0)
            .with_columns(
                ((pl.col("value") - pl.col("without")) / pl.col("value")).alias("loss"),
                (pl.col("rank_without") - pl.col("rank")).alias("drop"),
            )
            .drop_nulls("loss")
        )
        return lost.group_by("left_out", METRIC, maintain_order=True).agg(
            pl.len().alias("systems"),
            pl.col("loss").mean(),
            pl.col("loss").max().alias("worst"),
            pl.col(SYSTEM).sort_by("loss").last().alias("worst_system"),
            pl.col("drop").max(),
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the pool is good for, in sentences."""
        return (*self._about_the_pool(), *self._about_missing(), *self._verdict())

    def _about_the_pool(self) -> list[str]:
        facts, judged = self.facts, self.facts["judged"]
        share = percent(facts["relevant"] / judged) if judged else "n/a"
        first = f"{plural(judged, 'judgement')} in {plural(facts['cases'], 'case')}, {facts['relevant']:,} relevant ({share})."
        if self.depth is None:
            top = self.depths["share"][0] if len(self.depths) else 0.0
            return [first, f"No depth can be read off: of the first items of the systems, {percent(top)} are judged."]
        row = self.depths.row(self.depth - 1, named=True)
        of = "all" if row["judged"] == row["pooled"] else f"{row['judged']:,} of the"
        second = (
            f"The pool is {self.depth} deep: {of} {row['pooled']:,} items that "
            f"{plural(facts['contributing'], 'system')} have down to that depth are judged, "
            f"which makes {percent(facts['explained'] / judged)} of all judgements.{self._deeper()}"
        )
        return [first, second]

    def _deeper(self) -> str:
        if self.depth is None or self.depth >= len(self.depths):
            return ""
        below = self.depths.row(min(self.depth + max(1, self.depth // 2), len(self.depths)) - 1, named=True)
        return f" At depth {below['depth']} it would be {percent(below['share'])}."

    def _about_missing(self) -> list[str]:
        curve = self.facts["curve"]
        if curve is None:
            return []
        more = (
            f"Ranks {curve['first']} to {curve['last']} would add about {curve['missing']:,.0f} relevant items "
            f"({max(curve['low'], 0):,.0f} to {curve['high']:,.0f}) to the {self.facts['relevant']:,} that are known."
        )
        return [more]

    def _verdict(self) -> list[str]:
        losses = self.losses
        if losses.is_empty():
            return []
        kind = "team" if "team" in losses["left_out"] else "system"
        rows = losses.filter(pl.col("left_out") == kind).sort("loss", descending=True)
        worst = rows.row(0, named=True)
        each = listing([f"{percent(row['loss'])} of {row[METRIC]}" for row in rows.iter_rows(named=True)])
        most = f", {worst['worst_system']} as much as {percent(worst['worst'])} of {worst[METRIC]}"
        more = most if percent(worst["worst"]) != percent(worst["loss"]) else ""
        owner = "its own team" if kind == "team" else "it alone"
        cost = f"Without what {owner} brought into the pool, a system loses {each} on average{more}."
        share, below = percent(worst["loss"]), "differences below that say nothing about unpooled systems"
        evidence, enough = self._evidence(kind)
        if worst["loss"] <= LARGE and not enough:
            needed = f"{LEAST_CASES} cases, {LEAST_GROUPS} {kind}s and {LEAST_UNIQUE} judged items that one {kind} alone has"
            unknown = "There is too little data to say whether the pool can be reused"
            return [cost, f"{unknown}: that takes at least {needed}, and there are {evidence}."]
        if worst["loss"] <= SMALL:
            return [
                cost,
                f"The pool can be reused: a system that was not pooled loses next to nothing. This rests on {evidence}.",
            ]
        if worst["loss"] <= LARGE:
            reused = f"The pool can be reused with care: a new system loses about {share}; {below}. This rests on {evidence}."
            return [cost, reused]
        lost = f"A new system loses about {share} of {worst[METRIC]} by not having been pooled; {below}."
        return [cost, f"Usable for these systems. {lost}"]

    def _evidence(self, kind: str) -> tuple[str, bool]:
        """What was left out, in words, and whether that is enough for a small loss to say something about new systems."""
        rows = self.left_out.filter(pl.col("left_out") == kind).unique("team" if kind == "team" else SYSTEM)
        cases, groups, unique = self.facts["cases"], len(rows), int(rows["unique"].sum())
        words = f"{plural(cases, 'case')}, {plural(groups, kind)} and {plural(unique, 'such item')}"
        if cases >= LEAST_CASES and groups >= LEAST_GROUPS and unique >= LEAST_UNIQUE:
            words = (
                f"{plural(cases, 'case')}, {plural(groups, kind)} and {plural(unique, 'judged item')} that one {kind} alone has"
            )
            return words, True
        return words, False

    def grid(self) -> Grid:
        """A row for each system: what is judged of it, what it found alone, and what it loses without that."""
        losses = self._by_system()
        metrics = self.left_out[METRIC].unique(maintain_order=True).to_list()
        teams = self.systems["team"].to_list() != self.systems[SYSTEM].to_list()
        rows = []
        for row in self.systems.iter_rows(named=True):
            lost = losses.get(row[SYSTEM], {})
            cells = [row[SYSTEM], *([row["team"]] if teams else []), percent(row["judged@10"]), percent(row["judged"])]
            cells += ["" if row["first_unjudged"] is None else f"{row['first_unjudged']:g}"]
            cells += [str(lost.get("unique", "")), str(lost.get("unique_relevant", ""))]
            rows.append(tuple(Cell(text) for text in (*cells, *(lost.get(metric, "") for metric in metrics))))
        heading = (SYSTEM, *(["team"] if teams else []), "judged@10", "judged", "first unjudged", "alone", "relevant")
        kind = "team" if "team" in self.left_out["left_out"] else "system"
        caption = f"what the {kind} alone brought into the pool, and the score without it; first unjudged: median rank"
        return Grid((*heading, *(f"{metric} without" for metric in metrics)), tuple(rows), caption)

    def _by_system(self) -> dict[str, dict[str, Any]]:
        """What each contributing system loses, for the table."""
        kind = "team" if "team" in self.left_out["left_out"] else "system"
        made: dict[str, dict[str, Any]] = {}
        for row in self.left_out.filter(pl.col("left_out") == kind).iter_rows(named=True):
            entry = made.setdefault(row[SYSTEM], {"unique": row["unique"], "unique_relevant": row["unique_relevant"]})
            fall = "" if not row["value"] or row["without"] is None else f" ({change(row['value'], row['without'])})"
            entry[row[METRIC]] = f"{number(row['without'])}{fall}"
        return made

    def to_blocks(self) -> Sequence[Block]:
        """Sentences, the table of systems, and what else was requested."""
        blocks: list[Block] = [Sentences(self.sentences), self.grid()]
        for name, table in self.tables.items():
            numbers = [column for column in table.columns if table.schema[column] == pl.Float64]
            rows = tuple(
                tuple(Cell(number(row[column]) if column in numbers else str(row[column])) for column in table.columns)
                for row in table.iter_rows(named=True)
            )
            blocks.append(Grid(tuple(table.columns), rows, TITLES[name]))
        return blocks

    def to_rows(self) -> pl.DataFrame:
        """The one table that a CSV file holds: that of systems, or the further one that was requested.

        Returns:
            A polars frame.
        """
        return next(iter(self.tables.values())) if len(self.tables) == 1 else self.systems

    def to_dict(self) -> dict[str, Any]:
        """Everything: sentences, counts, all tables, and the notices.

        Returns:
            A dict that JSON can hold.
        """
        tables = {
            "systems": self.systems,
            "by_rank": self.by_rank,
            "depths": self.depths,
            "left_out": self.left_out,
            **self.tables,
        }
        rows = {name: table.to_dicts() for name, table in tables.items()}
        return {
            "sentences": list(self.sentences),
            "depth": self.depth,
            **self.facts,
            **rows,
            "notices": described(self.notices),
        }


def change(before: float, after: float) -> str:
    """By which share a value changed, as tables show it."""
    share = (after - before) / before
    return "=" if round(share, 3) == 0 else f"{share:+.1%}"
