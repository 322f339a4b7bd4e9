"""All systems against each other: unanimity, weightings, significance, leaderboard, verdicts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.comparison import grids, wording
from plumbline.comparison.gate import Gate, gate
from plumbline.comparison.tables import SHOWN, Tables
from plumbline.comparison.verdict import Verdict, verdict
from plumbline.errors import BadUsage, comparisons, usage
from plumbline.errors.faces import either, rendered
from plumbline.render.fold_means import fold_grid
from plumbline.render.grid import Sentences
from plumbline.render.present import svg_of
from plumbline.render.result import ReportableResult, described

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from plumbline.comparison.gate import Condition
    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block, Grid


PAIR: Final = 2
MOST_SYSTEMS: Final = 500
"""Of more systems, the pairs are no part of the dicts."""


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Tables, ReportableResult):
    """All systems against each other; tables are polars frames, made when they are first used.

    Example:
        >>> import plumbline
        >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.3, 0.2], "new": [0.5, 0.6, 0.4, 0.5, 0.4, 0.6, 0.6, 0.4]}
        >>> comparison = plumbline.compare(table)
        >>> comparison.leaderboard["system"].to_list()
        ['new', 'old']
        >>> comparison.verdict("old", "new").kind
        'better'
    """

    notices: tuple[Diagnostic, ...] = field(default=())
    """What should be known about the scores and the comparison."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How the scores were made, if they are `Scores`."""
    evaluation: Any = field(default=None, repr=False, compare=False)
    """The `Evaluation` that the scores came from; None for scores that were loaded."""

    @property
    def threshold(self) -> float:
        """The old name of `uir_threshold`, which will be removed in the next version."""
        warnings.warn("Comparison.threshold is now Comparison.uir_threshold", DeprecationWarning, stacklevel=2)
        return self.uir_threshold

    # --- verdicts ---------------------------------------------------------------------------------------------------------

    def verdict(self, a: str | None = None, b: str | None = None) -> Verdict:
        """What can be said about two systems.

        Args:
            a: The name of a system. Without names, the verdict is about both systems of a comparison of two.
            b: The name of another system; by default the baseline, or the other one of two systems.

        Returns:
            The verdict, in which the better one comes first, in whichever order they are named.

        Raises:
            BadUsage: If there is no such system, or it is not clear which ones are meant.

        Example:
            >>> import plumbline
            >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.3, 0.2], "new": [0.5, 0.6, 0.4, 0.5, 0.4, 0.6, 0.6, 0.4]}
            >>> print(plumbline.compare(table, test="sign").verdict("old", "new").headline)
            new is better than old by score (+0.237 [0.197, 0.369] or +90.5 %, p = 0.0078).
        """
        for name in (a, b):
            if name is not None and name not in self.systems:
                raise BadUsage(usage.unknown_name("system", name, list(self.systems)[:3]))
        named = [name for name in (a, b) if name is not None]
        others = [name for name in self.systems if name not in named]
        if len(named) == 1 and self.baseline in others:
            others = [self.baseline]
        if len(named) < PAIR and len(named) + len(others) != PAIR:
            raise BadUsage(comparisons.unclear_pair(list(self.systems)))
        first, second = (*named, *others)[:PAIR]
        return verdict(self, self.systems.index(first), self.systems.index(second))

    def gate(self, condition: Condition = "not-worse", *, systems: Sequence[str] = (), metrics: Sequence[str] = ()) -> Gate:
        """Whether systems may replace the baseline, for automatic checks.

        Args:
            condition: `not-worse`: a system fails if it is significantly worse, or, with a margin, if its mean is lower by more
                than the margin. `better`: it fails unless it is significantly better.
            systems: The systems to look at; all but the baseline if none is named.
            metrics: The metrics to look at; if none is named, the one that decides, or else all.

        Returns:
            Whether all pass, with a check for each system and metric.

        Raises:
            BadUsage: If there is no baseline, or no such system or metric.

        Example:
            >>> import plumbline
            >>> table = {"old": [0.2, 0.4, 0.1, 0.3, 0.2, 0.4, 0.3, 0.2], "new": [0.5, 0.6, 0.4, 0.5, 0.4, 0.6, 0.6, 0.4]}
            >>> plumbline.compare(table, baseline="old").gate("better").passed
            True
        """
        return gate(self, condition, systems=systems, metrics=metrics)

    def at_least_as_good(self, system: str, baseline: str | None = None) -> Verdict | None:
        """The old form of `gate`, which will be removed in the next version.

        Args:
            system: The name of the system.
            baseline: The name of the baseline, which must be that of the comparison.

        Returns:
            None if the system is not worse, or else the verdict against it.

        Raises:
            BadUsage: If there is no such system, or the comparison has another baseline or none.
        """
        warnings.warn("Comparison.at_least_as_good() is now Comparison.gate()", DeprecationWarning, stacklevel=2)
        if baseline is not None and baseline != self.baseline:
            raise BadUsage(usage.bad_option("baseline", baseline, [self.baseline or "the baseline of the comparison"]))
        passed = self.gate(systems=[system]).passed
        return None if passed or self.baseline is None else self.verdict(system, self.baseline)

    # --- output -----------------------------------------------------------------------------------------------------------

    def to_polars(self) -> pl.DataFrame:
        """The leaderboard as a polars frame."""
        return self.leaderboard

    def grid(self) -> Grid:
        """The leaderboard for people, as plain data."""
        return grids.leaderboard_grid(self)

    def to_blocks(self, *, pairs: bool = False, show: Sequence[str] = (), gate: Gate | None = None) -> Sequence[Block]:
        """The summary in sentences and the leaderboard.

        Args:
            pairs: Add a table with every pair.
            show: The names of further tables to add, such as "unanimity".
            gate: A gate whose result is to come last.

        Returns:
            Sentences and tables, in the order in which people read them.
        """
        further = [grids.frame_in_words(self, name) for word in show for name in _tables(word)]
        over_folds = fold_grid(self.made)
        return [
            Sentences(tuple(wording.summary_lines(self))),
            self.grid(),
            *([over_folds] if over_folds is not None else []),
            *([grids.pairs_grid(self)] if pairs else []),
            *further,
            *([Sentences((str(gate),))] if gate is not None else []),
        ]

    def to_rows(self, *, pairs: bool = False, show: Sequence[str] = (), gate: Gate | None = None) -> pl.DataFrame:  # noqa: ARG002 - it is no table
        """The one table that a CSV file holds.

        Args:
            pairs: Every pair instead of the leaderboard.
            show: The name of one table instead of the leaderboard.
            gate: Changes nothing, since it is no table.

        Returns:
            The table.
        """
        if pairs + len(show) > 1:
            raise BadUsage(usage.bad_object("several tables for a file that holds one", "pairs, or one table"))
        table: pl.DataFrame = self.significance if pairs else getattr(self, _tables(show[0])[0]) if show else self.leaderboard
        return table

    def to_dict(
        self,
        *,
        pairs: bool = False,  # noqa: ARG002 - pairs are always there
        show: Sequence[str] = (),
        gate: Gate | None = None,
    ) -> dict[str, Any]:
        """Everything, as dicts, lists, texts and numbers.

        Args:
            pairs: Changes nothing, since the pairs are always there.
            show: The names of further tables to add.
            gate: A gate to add.

        Returns:
            The summary, the leaderboard, all pairs, unanimity, weights, the further tables, the settings and the notices. With
            more than 500 systems the pairs are left out, as they would be millions of dicts; `left_out` says so.
        """
        names = {"leaderboard": "leaderboard", "pairs": "significance"}
        further = [name for word in show for name in _tables(word)]
        names |= {name: name for name in ("unanimity", "weights", "leads", "references", *further)}
        pairs_left_out = len(self.systems) > MOST_SYSTEMS
        if pairs_left_out:
            names = {key: name for key, name in names.items() if key not in {"pairs", "unanimity", "weights"}}
        where = rendered(either("see .significance, .unanimity and .weights", "--pairs --format csv has them"))
        return {
            "summary": wording.summary(self),
            **({"left_out": f"the pairs of more than {MOST_SYSTEMS} systems: {where}"} if pairs_left_out else {}),
            **{key: getattr(self, name).to_dicts() for key, name in names.items()},
            **({} if gate is None else {"gate": gate.to_dict()}),
            "made": _settings(self),
            "notices": described(self.notices),
        }

    def to_svg(self) -> str:
        """The curves of the best systems over alpha as SVG; deprecated, use `plot.alpha()`."""
        return svg_of(self, "alpha")


def _tables(word: str) -> tuple[str, ...]:
    """The tables that a word chooses."""
    if word not in SHOWN:
        raise BadUsage(usage.bad_option("show", word, list(SHOWN)))
    return SHOWN[word]


def _settings(comparison: Tables) -> dict[str, Any]:
    """How the comparison was made."""
    return {
        "version": __version__,
        "metrics": list(comparison.cube.metrics),
        "ordered_by": comparison.main.name,
        "score": comparison.score.name,
        "rule": comparison.rule,
        "test": comparison.test_result.name,
        "unit": comparison.main.unit,
        "note": comparison.test_remarks,
        "correction": comparison.correction_used,
        "level": comparison.level,
        "margin": None if comparison.margin is None else str(comparison.margin),
        "uir_threshold": comparison.uir_threshold,
        "baseline": comparison.baseline,
        "cases": len(comparison.cube.cases),
        "eps": comparison.eps,
        "resamples": comparison.test_result.resamples,
        "seed": comparison.seed,
    }
