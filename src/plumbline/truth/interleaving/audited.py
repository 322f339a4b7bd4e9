"""An audit of methods of interleaving as a result that can be printed and saved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from plumbline.render.grid import Cell, Grid, Verbatim, percent
from plumbline.render.result import Result
from plumbline.truth.interleaving.demands import DEMANDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.render.grid import Block

_SCHEMA = {
    "method": pl.String,
    "demand": pl.String,
    "worlds": pl.Int64,
    "broken": pl.Int64,
    "counterexample": pl.String,
    "share": pl.String,
}


@dataclass(frozen=True)
class InterleavingVerdict:
    """Whether a method meets a demand.

    Attributes:
        method: The method.
        demand: The demand.
        worlds: How many worlds were tried: all of them.
        broken: In how many the demand is broken.
        counterexample: The smallest one.
        share: How often the first ranking is preferred there, as a fraction.
    """

    _saveable: ClassVar = True

    method: str
    demand: str
    worlds: int
    broken: int
    counterexample: str = ""
    share: str = ""

    @property
    def holds(self) -> bool:
        """Whether the demand holds in every world."""
        return not self.broken


@dataclass(frozen=True, repr=False)
class InterleavingAudit(Result):
    """Which methods of interleaving meet which demands.

    Attributes:
        verdicts: What was found, by method, then by demand.
        methods: The methods, in the order of the table.
        items: All rankings of up to this many items were tried.

    Example:
        >>> import plumbline
        >>> result = plumbline.audit_interleaving(["balanced", "team-draft"], items=3)
        >>> result.verdict("balanced", "random click").holds, result.verdict("team-draft", "random click").holds
        (False, True)
    """

    heading: ClassVar[str] = "Audit of interleaving"

    verdicts: tuple[InterleavingVerdict, ...]
    methods: tuple[str, ...]
    items: int

    def verdict(self, method: str, demand: str) -> InterleavingVerdict:
        """The verdict about one method and one demand.

        Args:
            method: The name of the method.
            demand: The name of the demand.

        Returns:
            The verdict, with its counterexample.
        """
        return next(one for one in self.verdicts if (one.method, one.demand) == (method, demand))

    def to_polars(self) -> pl.DataFrame:
        """A row for each method and demand, with the smallest counterexample."""
        rows = [
            {**asdict(one), "counterexample": one.counterexample or None, "share": one.share or None} for one in self.verdicts
        ]
        return pl.DataFrame(rows, schema=_SCHEMA)

    def grid(self) -> Grid:
        """Demands by methods."""
        cells = {(one.method, one.demand): _short(one) for one in self.verdicts}
        rows = tuple((Cell(one.name), *(Cell(cells[method, one.name]) for method in self.methods)) for one in DEMANDS)
        return Grid(("demand", *self.methods), rows, f"all pairs of rankings of 2 to {self.items} items, with exact fractions")

    def to_blocks(self) -> Sequence[Block]:
        """The table, and the counterexamples below it."""
        return [self.grid(), Verbatim(self.counterexamples())]

    def counterexamples(self) -> str:
        """Every broken demand in words, with its smallest counterexample."""
        texts = {one.name: one.text for one in DEMANDS}
        broken = [one for one in self.verdicts if not one.holds]
        parts = [
            f"{one.method} breaks {one.demand} in {one.broken} of {one.worlds}. {texts[one.demand]}\n{one.counterexample}"
            for one in broken
        ]
        return "\n\n".join(parts) if parts else "No demand is broken."

    def to_dict(self) -> dict[str, Any]:
        """Everything, with the text of each demand."""
        return {
            "items": self.items,
            "demands": [{"name": one.name, "text": one.text, "paper": one.paper} for one in DEMANDS],
            "verdicts": self.to_polars().to_dicts(),
        }


def _short(verdict: InterleavingVerdict) -> str:
    return "yes" if verdict.holds else f"no ({percent(verdict.broken / verdict.worlds)})"
