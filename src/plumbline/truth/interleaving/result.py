"""Interleaved lists and preferences as results that can be printed and saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from plumbline.errors.base import listing, plural
from plumbline.render.grid import Cell, Grid, Sentences, chance, number
from plumbline.render.result import Result, described
from plumbline.truth.interleaving.registry import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

SHOWN: Final = 10
"""More lists are not printed."""


@dataclass(frozen=True, repr=False)
class InterleavedLists(Result):
    """Lists to show to users.

    Attributes:
        items: `case, list, position, item, team`: a row for each item. `team` is the system that a click counts for, null
            where the method gives credit by the rankings instead; users must not see it.
        method: How the lists were made.
        systems: The systems that were interleaved.
        cases: The number of cases.
        lists_per_case: How many lists each case has.
        alike: In how many cases all systems rank alike, so that no click can tell them apart.
        seed: The seed of the draws.
        notices: What should be known about the lists.

    Example:
        >>> import plumbline
        >>> runs = {"old": {"q1": {"a": 2.0, "b": 1.0}}, "new": {"q1": {"b": 2.0, "c": 1.0}}}
        >>> plumbline.interleave(runs, method="balanced", seed=4).items["item"].to_list()
        ['b', 'a', 'c']
    """

    heading: ClassVar[str] = "Interleaved lists"

    items: pl.DataFrame
    method: str
    systems: tuple[str, ...]
    cases: int
    lists_per_case: int = 1
    alike: int = 0
    seed: int = 0
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`case, list, position, item, team`: a row for each item."""
        return self.items

    def grid(self) -> Grid:
        """The first lists, an item with the number of its team."""
        lists = self.items.group_by("case", "list", maintain_order=True).agg("item", "team").head(SHOWN)
        teams = {name: place + 1 for place, name in enumerate(self.systems)}
        rows = tuple(
            (
                Cell(case),
                Cell(str(order)),
                Cell(" ".join(f"{item}{f' ({teams[team]})' if team else ''}" for item, team in zip(items, of, strict=True))),
            )
            for case, order, items, of in lists.iter_rows()
        )
        total = self.cases * self.lists_per_case
        shown = f"the first {len(rows)} of {total:,} lists; " if total > len(rows) else ""
        numbered = ", ".join(f"({place}) {name}" for name, place in teams.items())
        return Grid(("case", "list", "items"), rows, f"{shown}seed {self.seed}; teams: {numbered}", keep=2)

    def to_blocks(self) -> Sequence[Block]:
        """A sentence, and the first lists."""
        total = self.cases * self.lists_per_case
        systems = f"{listing(list(self.systems))} by {title_of(self.method)}"
        text = f"{plural(total, 'list')} for {plural(self.cases, 'case')}, {systems}."
        same = f" In {plural(self.alike, 'case')} all rank alike: no click there can tell them apart." if self.alike else ""
        return [Sentences((text + same,)), self.grid()]


@dataclass(frozen=True, repr=False)
class Preferences(Result):
    """Which system users prefer, pair by pair.

    Attributes:
        table: A row for each pair: `first, second, sessions, wins, losses, ties, preference, low, high, outcome, p,
            corrected`. `preference` goes from -1 (everybody prefers the second) to 1; it is twice the Δ of Chapelle et al.
            (2012). `outcome` is the share of wins among sessions without ties. `corrected` is p after Holm.
        method: How the lists had been interleaved.
        credit: Which clicks counted.
        over: The units of intervals and tests: users or sessions.
        units: How many users or sessions there are.
        confidence: The confidence level of the intervals.
        resamples: How often units were drawn.
        seed: The seed of the draws.
        notices: What should be known about the log.

    Example:
        >>> import plumbline, polars
        >>> log = polars.DataFrame({"session": [1, 2, 3], "event": ["click"] * 3, "team": ["A", "A", "B"]})
        >>> plumbline.analyse_interleaving(log).table.select("wins", "losses", "ties").row(0)
        (2.0, 1.0, 0.0)
    """

    heading: ClassVar[str] = "Preferences of users"

    table: pl.DataFrame
    method: str
    credit: str
    over: str
    units: int
    confidence: float = 0.95
    resamples: int = 0
    seed: int = 0
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """A row for each pair of systems."""
        return self.table

    def sentences(self) -> tuple[str, ...]:
        """A verdict for each pair."""
        return tuple(self._verdict(row) for row in self.table.iter_rows(named=True))

    def _verdict(self, row: dict[str, Any]) -> str:
        ahead, behind = (row["first"], row["second"]) if row["preference"] >= 0 else (row["second"], row["first"])
        sign = 1 if row["preference"] >= 0 else -1
        ends = sorted((sign * row["low"], sign * row["high"]))
        numbers = f"preference {sign * row['preference']:.3f} [{ends[0]:.3f}, {ends[1]:.3f}], p {_p(row['corrected'])}"
        won = row["wins"] if sign > 0 else row["losses"]
        lost = row["losses"] if sign > 0 else row["wins"]
        ties = f"{_count(row['ties'])} {'is a tie' if row['ties'] == 1 else 'are ties'}"
        counts = f"wins {_count(won)} of {row['sessions']:,} sessions and loses {_count(lost)}, {ties}"
        if row["corrected"] <= 1 - self.confidence:
            return f"Users prefer {ahead} to {behind} ({numbers}): it {counts}."
        if row["preference"] == 0:
            wins = f"{_count(won)} {'win' if won == 1 else 'wins'}"
            return f"Users are not shown to prefer {ahead} or {behind} ({numbers}): {wins} each, {ties}."
        return f"Users are not shown to prefer {ahead} or {behind} ({numbers}): {ahead} {counts}."

    def grid(self) -> Grid:
        """Counts, preference, interval and p of each pair."""
        heading = (
            "pair",
            "sessions",
            "wins",
            "losses",
            "ties",
            "preference",
            f"{self.confidence:.0%} interval",
            "outcome",
            "p",
        )
        rows = tuple(
            (
                Cell(f"{row['first']} : {row['second']}"),
                Cell(f"{row['sessions']:,}"),
                *(Cell(_count(row[name])) for name in ("wins", "losses", "ties")),
                Cell(number(row["preference"])),
                Cell(f"[{number(row['low'])}, {number(row['high'])}]"),
                Cell(number(row["outcome"])),
                Cell(chance(row["corrected"])),
            )
            for row in self.table.iter_rows(named=True)
        )
        corrected = f"; p corrected by Holm over {len(rows)} pairs" if len(rows) > 1 else ""
        units = plural(self.units, self.over.removesuffix("s"))
        caption = (
            f"{title_of(self.method)}, credit by {self.credit}; interval and test over {units}{corrected}; seed {self.seed}"
        )
        return Grid(heading, rows, caption, drop=("outcome", "ties"))

    def to_blocks(self) -> Sequence[Block]:
        """The verdicts, and the table."""
        return [Sentences(self.sentences()), self.grid()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, with full precision."""
        return {
            "method": self.method,
            "credit": self.credit,
            "over": self.over,
            "units": self.units,
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "pairs": self.table.to_dicts(),
            "sentences": list(self.sentences()),
            "notices": described(self.notices),
        }


def _count(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _p(value: float) -> str:
    text = chance(value)
    return text if text.startswith("<") else f"= {text}"
