"""What `experiment` returns: effects with verdicts, the assignment, segments, unanimity, and what each look showed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import polars as pl

from plumbline.errors import BadUsage, usage
from plumbline.render.frame import frame_grid
from plumbline.render.grid import Cell, Grid, Sentences, chance
from plumbline.render.result import Result
from plumbline.truth.experiments.wording import amount, ends, share
from plumbline.truth.tables import chosen_tables, everything, only_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

TABLES: Final = {
    "arms": "units of each arm",
    "segments": "effects in each segment",
    "unanimity": "improvements that all metrics share, by segment",
    "sequence": "what each look showed",
}
"""The tables beside the effects, and what people read above them."""


@dataclass(frozen=True, repr=False, eq=False)
class Experiment(Result):
    """How the arms of an experiment differ from its control.

    Example:
        >>> import plumbline
        >>> units = {"variant": ["A"] * 400 + ["B"] * 400, "orders": [0, 0, 1, 2] * 100 + [0, 1, 1, 2] * 100}
        >>> result = plumbline.experiment(units)
        >>> result.verdict("orders")
        'better'
    """

    heading: ClassVar[str] = "Experiment"
    summary: tuple[str, ...]
    """The answer in sentences."""
    effects: pl.DataFrame
    """A row for each metric and arm: values, difference, intervals, p, verdict; the reason tells why there is no p."""
    arms: pl.DataFrame
    """`arm, n, share, planned`."""
    segments: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The same as the effects, in each segment."""
    unanimity: pl.DataFrame = field(default_factory=pl.DataFrame)
    """UIR of each arm against the control, with segments as cases."""
    sequence: pl.DataFrame = field(default_factory=pl.DataFrame)
    """What each look showed, with always valid intervals."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How it was made: control, p of the sizes of the arms, level, correction."""
    notices: tuple[Diagnostic, ...] = ()

    def verdict(self, metric: str, arm: str | None = None) -> str:
        """The verdict about an arm by a metric.

        Args:
            metric: Its name.
            arm: The arm; the only one if there is only one besides the control.

        Returns:
            `better`, `worse`, `equivalent`, `open`, or `withheld` where the assignment failed.

        Raises:
            BadUsage: If there is no such metric or arm.
        """
        arms = self.effects["arm"].unique(maintain_order=True).to_list()
        for what, name, known in (
            ("metric", metric, self.effects["metric"].to_list()),
            ("arm", arms[0] if arm is None else arm, arms),
        ):
            if name not in known:
                raise BadUsage(usage.unknown_name(what, name, list(dict.fromkeys(known))[:3]))
        chosen = arms[0] if arm is None else arm
        word: str = self.effects.filter(metric=metric, arm=chosen)["verdict"][0]
        return word

    def to_polars(self) -> pl.DataFrame:
        """The effects."""
        return self.effects

    def grid(self) -> Grid:
        """The effects for people."""
        several = self.effects["arm"].n_unique() > 1
        heading = ("metric", *(("arm",) if several else ()), self.made.get("control", "control"), *self._columns(several))
        rows = tuple(self._row(row, several=several) for row in self.effects.iter_rows(named=True))
        return Grid(heading, rows, self.made.get("caption", ""), keep=2 if several else 1, drop=("relative",))

    def _columns(self, several: bool) -> tuple[str, ...]:  # noqa: FBT001 - a fact about the table
        arm = "value" if several else self.effects["arm"][0]
        return (arm, "difference", "relative", "p", "verdict")

    def _row(self, row: Mapping[str, Any], *, several: bool) -> tuple[Cell, ...]:
        relative = "n/a" if row["relative"] is None else f"{share(row['relative'], signed=True)}{ends(row, 'relative_')}"
        return (
            Cell(row["metric"]),
            *((Cell(row["arm"]),) if several else ()),
            Cell(amount(row["control"])),
            Cell(amount(row["value"])),
            Cell(f"{amount(row['difference'], signed=True)}{ends(row)}"),
            Cell(relative),
            Cell(chance(row["p_corrected"])),
            Cell(row["verdict"], best=row["verdict"] == "better"),
        )

    def to_blocks(self, *, show: Sequence[str] = ()) -> Sequence[Block]:
        """The answer, the effects and what else was asked for.

        Args:
            show: The names of further tables: "arms", "segments", "unanimity" or "sequence".

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        chosen = chosen_tables(self, ("unanimity",), show, TABLES)
        return [Sentences(self.summary), self.grid(), *(frame_grid(_brief(*one), TABLES[one[0]]) for one in chosen.items())]

    def to_rows(self, *, show: Sequence[str] = ()) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            show: The name of one table instead of the effects.

        Returns:
            The table.
        """
        return only_table(self, show, TABLES)

    def to_dict(self, *, show: Sequence[str] = ()) -> dict[str, Any]:  # noqa: ARG002 - all tables are always there
        """Everything, as dicts, lists, texts and numbers.

        Args:
            show: Changes nothing, since all tables are always there.

        Returns:
            The answer, all tables and the notices.
        """
        return everything(self, "effects", TABLES)


SEGMENT_COLUMNS: Final = [
    "by",
    "segment",
    "metric",
    "arm",
    "n_control",
    "n",
    "difference",
    "low",
    "high",
    "p_corrected",
    "verdict",
]


def _brief(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """The columns of a table that people read."""
    return frame.select(SEGMENT_COLUMNS) if name == "segments" else frame
