"""All systems against each other: unanimity, weightings, significance, leaderboard, verdicts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plumbline.comparison import grids, wording
from plumbline.comparison.tables import Tables, settings
from plumbline.comparison.verdict import Verdict, verdict
from plumbline.errors import BadUsage, usage
from plumbline.render.grid import Sentences
from plumbline.render.present import svg_of
from plumbline.render.result import ReportableResult, described

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block, Grid


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Tables, ReportableResult):
    """All systems against each other; tables are polars frames, made when they are first used.

    Example:
        >>> import plumbline
        >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4], "new": [0.5, 0.6, 0.4, 0.5, 0.3, 0.7]}
        >>> comparison = plumbline.compare(table)
        >>> comparison.leaderboard["system"].to_list()
        ['new', 'old']
        >>> comparison.verdict("old", "new").robust
        True
    """

    notices: tuple[Diagnostic, ...] = field(default=())
    """What should be known about the scores and the comparison."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How the scores were made, where they are `Scores`."""
    evaluation: Any = field(default=None, repr=False, compare=False)
    """The `Evaluation` that the scores came from; None for scores that were loaded."""

    @property
    def threshold(self) -> float:
        """The old name of `uir_threshold`, which goes with the next version."""
        warnings.warn("Comparison.threshold is now Comparison.uir_threshold", DeprecationWarning, stacklevel=2)
        return self.uir_threshold

    # --- verdicts ---------------------------------------------------------------------------------------------------------

    def verdict(self, a: str, b: str) -> Verdict:
        """What can be said about two systems.

        Args:
            a: The name of a system.
            b: The name of another one.

        Returns:
            The verdict, in which the better one comes first, in whichever order they are named.

        Raises:
            BadUsage: If there is no such system.

        Example:
            >>> import plumbline
            >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4], "new": [0.5, 0.6, 0.4, 0.5, 0.3, 0.7]}
            >>> print(plumbline.compare(table, test="sign").verdict("old", "new"))
            new beats old by score; better in 6 of 6 cases, worse in 0; p = 0.0312 after Holm (sign test (exact)).
        """
        for name in (a, b):
            if name not in self.systems:
                raise BadUsage(usage.unknown_name("system", name, list(self.systems)[:3]))
        return verdict(self, self.systems.index(a), self.systems.index(b))

    def at_least_as_good(self, system: str, baseline: str | None = None) -> Verdict | None:
        """Whether a system may replace the baseline: the verdict that speaks against it, if there is one.

        A system is at least as good as long as the baseline does not lead robustly, the system does not lose by every
        weighting, and both share a case.

        Args:
            system: The name of the system.
            baseline: The name of the baseline; that of the comparison if none is given. If the comparison has a baseline,
                other pairs were not tested, and no other one can be given.

        Returns:
            None if the system is at least as good, or else the verdict against it.

        Raises:
            BadUsage: If there is no such system or no baseline.

        Example:
            >>> import plumbline
            >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4], "new": [0.5, 0.6, 0.4, 0.5, 0.3, 0.7]}
            >>> comparison = plumbline.compare(table, baseline="old")
            >>> comparison.at_least_as_good("new") is None
            True
        """
        against = self.baseline if baseline is None else baseline
        if against is None:
            raise BadUsage(usage.bad_option("baseline", "none", list(self.systems)))
        if self.baseline is not None and against != self.baseline:
            raise BadUsage(usage.bad_option("baseline", against, [self.baseline]))
        pair = self.verdict(system, against)
        loses = pair.better == against != system and pair.leads and (pair.robust or pair.for_every_weighting)
        return pair if loses or pair.difference is None else None

    # --- output -----------------------------------------------------------------------------------------------------------

    def to_polars(self) -> pl.DataFrame:
        """The leaderboard as a polars frame."""
        return self.leaderboard

    def grid(self) -> Grid:
        """The leaderboard for people, as plain data."""
        return grids.leaderboard_grid(self)

    def to_blocks(self, *, pairs: bool = False, show: Sequence[str] = ()) -> Sequence[Block]:
        """The summary in sentences and the leaderboard.

        Args:
            pairs: Add a table with every pair.
            show: The names of further tables to add, such as "unanimity".

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        further = [grids.frame_grid(getattr(self, name), name) for name in show]
        return [
            Sentences(tuple(wording.summary(self))),
            self.grid(),
            *([grids.pairs_grid(self)] if pairs else []),
            *further,
        ]

    def to_rows(self, *, pairs: bool = False, show: Sequence[str] = ()) -> pl.DataFrame:
        """The one table that a CSV file holds.

        Args:
            pairs: Every pair instead of the leaderboard.
            show: The name of one table instead of the leaderboard.

        Returns:
            The table.
        """
        if pairs + len(show) > 1:
            raise BadUsage(usage.bad_object("several tables for a file that holds one", "pairs, or one table"))
        table: pl.DataFrame = self.significance if pairs else getattr(self, show[0]) if show else self.leaderboard
        return table

    def to_dict(self, *, pairs: bool = False, show: Sequence[str] = ()) -> dict[str, Any]:  # noqa: ARG002 - pairs are always there
        """Everything, as dicts, lists, texts and numbers.

        Args:
            pairs: Changes nothing, since the pairs are always there.
            show: The names of further tables to add.

        Returns:
            The summary, the leaderboard, all pairs, unanimity, weights, the further tables, the settings and the notices.
        """
        names = {"leaderboard": "leaderboard", "pairs": "significance"}
        names |= {name: name for name in ("unanimity", "weights", "leads", "references", *show)}
        return {
            "summary": wording.summary(self),
            **{key: getattr(self, name).to_dicts() for key, name in names.items()},
            "made": settings(self),
            "notices": described(self.notices),
        }

    def to_svg(self) -> str:
        """The curves of the best systems over alpha as SVG; deprecated, use `plot.alpha()`."""
        return svg_of(self, "alpha")
