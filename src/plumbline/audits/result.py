"""The result of an audit: verdicts as a table of the papers' kind, and counterexamples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline._version import __version__
from plumbline.audits.constraints.filtering import FAMILIES, family
from plumbline.audits.constraints.registry import constraints_of
from plumbline.audits.scenes.scene import scene_of
from plumbline.audits.searching import searched
from plumbline.audits.verdict import Verdict, in_words, short
from plumbline.errors.base import plural
from plumbline.render.grid import Cell, Grid, Verbatim
from plumbline.render.result import Result, described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.audits.constraints.registry import Constraint
    from plumbline.audits.verdict import Counterexample
    from plumbline.errors import Diagnostic
    from plumbline.render.grid import Block

SCHEMA = {
    "metric": pl.String,
    "constraint": pl.String,
    "outcome": pl.String,
    "compared": pl.Int64,
    "undefined": pl.Int64,
    "broken": pl.Int64,
    "all_up_to": pl.Int64,
    "drawn": pl.Int64,
    "n": pl.Int64,
    "reason": pl.String,
    "gold": pl.String,
    "better": pl.String,
    "worse": pl.String,
    "better_score": pl.Float64,
    "worse_score": pl.Float64,
    "given": pl.String,
}
_SAVED = ("metric", "better", "worse", "outcome", "broken_at", "undefined", "size", "reason", "given", "idle", "tolerance")
"""What a file holds of each verdict; its pairs can be made again."""


@dataclass(frozen=True, repr=False, eq=False)
class Audit(Result):
    """Which metrics keep which constraints.

    Attributes:
        task: The task whose metrics were audited.
        verdicts: What was found, by constraint, then by metric.
        constraints: The constraints, in the order of the table.
        budget: How many pairs were tried for each constraint.
        seed: The seed of pairs that were drawn.
        notices: What was left out, and why.

    Example:
        >>> import plumbline
        >>> result = plumbline.audit("RR", constraints=["priority", "deepness"], budget=500)
        >>> result.held("RR")
        ()
        >>> result.table.select("metric", "constraint", "outcome").rows()
        [('RR', 'priority', 'broken'), ('RR', 'deepness', 'broken')]
    """

    task: str
    verdicts: tuple[Verdict, ...]
    constraints: tuple[Constraint, ...]
    budget: int
    seed: int
    notices: tuple[Diagnostic, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(dict.fromkeys(verdict.metric for verdict in self.verdicts))

    def verdict(self, metric: str, constraint: str) -> Verdict:
        """The verdict about one metric and one constraint.

        Args:
            metric: The name of the metric, as in `metrics`.
            constraint: The name of the constraint.

        Returns:
            The verdict, with its counterexamples.
        """
        return next(one for one in self.verdicts if (one.metric, one.constraint.name) == (metric, constraint))

    def held(self, metric: str) -> tuple[str, ...]:
        """The constraints that a metric keeps.

        Args:
            metric: The name of the metric, as in `metrics`.

        Returns:
            The names of the constraints.
        """
        return tuple(one.constraint.name for one in self.verdicts if one.metric == metric and one.holds)

    @property
    def families(self) -> dict[str, str | None]:
        """The family of each filtering metric; None if it has the property of none, or if that was not audited."""
        return {metric: family(self.held(metric)) for metric in self.metrics}

    @property
    def table(self) -> pl.DataFrame:
        """A row for each metric and constraint, with the smallest counterexample."""
        return pl.DataFrame([_row(verdict) for verdict in self.verdicts], schema=SCHEMA, orient="row")

    def to_polars(self) -> pl.DataFrame:
        """A row for each metric and constraint, with the smallest counterexample."""
        return self.table

    def to_rows(self, *, counterexamples: bool = False) -> pl.DataFrame:  # noqa: ARG002 - the rows always have them
        """The table of verdicts.

        Args:
            counterexamples: Has no effect: the smallest ones are always there.

        Returns:
            A row for each metric and constraint.
        """
        return self.table

    def grid(self) -> Grid:
        """Metrics by constraints; with few metrics constraints by metrics."""
        names = [constraint.name for constraint in self.constraints]
        cells = {(one.metric, one.constraint.name): short(one) for one in self.verdicts}
        if set(FAMILIES) <= set(names):
            names.append("family")
            cells |= {(metric, "family"): name or "none" for metric, name in self.families.items()}
        across = len(self.metrics) < len(names)
        rows, columns = (names, self.metrics) if across else (self.metrics, names)
        lines = ((Cell(row), *(Cell(cells[(column, row) if across else (row, column)]) for column in columns)) for row in rows)
        caption = f"up to {plural(self.budget, 'pair')} for each constraint; plumbline {__version__}"
        return Grid(("constraint" if across else "metric", *columns), tuple(lines), caption)

    def to_blocks(self, *, counterexamples: bool = False) -> Sequence[Block]:
        """The table of metrics and constraints.

        Args:
            counterexamples: Whether every verdict with its counterexample follows.

        Returns:
            The table, and perhaps the verdicts in words.
        """
        return [self.grid(), *([Verbatim(self.counterexamples())] if counterexamples else [])]

    def _repr_html_(self) -> str:
        """In a notebook, the counterexamples are what one wants to see."""
        return self.to_html(counterexamples=True)

    def counterexamples(self) -> str:
        """Every verdict in words, metric by metric."""
        return "\n\n".join("\n".join(in_words(one) for one in self.verdicts if one.metric == metric) for metric in self.metrics)

    def to_dict(self, *, counterexamples: bool = False) -> dict[str, Any]:  # noqa: ARG002 - the rows always have them
        """Everything, with full precision.

        Args:
            counterexamples: Has no effect: the smallest ones are always there.

        Returns:
            Dicts, lists, texts and numbers.
        """
        return {
            "version": __version__,
            "task": self.task,
            "budget": self.budget,
            "seed": self.seed,
            "constraints": [{"name": one.name, "text": one.text, "paper": one.paper} for one in self.constraints],
            "families": self.families,
            "verdicts": self.table.to_dicts(),
            "notices": described(self.notices),
        }

    def _to_file(self) -> tuple[pl.DataFrame, dict[str, Any]]:
        """The table, and what the scores of the pairs were; the pairs are always the same for the same seed."""
        from plumbline.render.saving import to_json  # noqa: PLC0415 - only where something is saved

        verdicts = [
            {name: getattr(one, name) for name in _SAVED} | {"constraint": one.constraint.name} for one in self.verdicts
        ]
        names = [one.name for one in self.constraints]
        facts = {"task": self.task, "budget": self.budget, "seed": self.seed, "constraints": names}
        return self.table, {**facts, "verdicts": to_json(verdicts), "notices": to_json(self.notices)}

    @classmethod
    def _from_file(cls, frame: pl.DataFrame, facts: dict[str, Any]) -> Audit:  # noqa: ARG003 - the verdicts have it
        from plumbline.render.saving import from_json  # noqa: PLC0415 - as above

        task, budget, seed = facts["task"], facts["budget"], facts["seed"]
        constraints = {one.name: one for one in constraints_of(task, facts["constraints"])}
        pairs = {name: searched(one, budget, seed) for name, one in constraints.items()}
        verdicts = []
        for one in from_json(facts["verdicts"]):
            name = one.pop("constraint")
            verdicts.append(Verdict(constraint=constraints[name], searched=pairs[name], scene=scene_of(task), **one))
        return cls(task, tuple(verdicts), tuple(constraints.values()), budget, seed, from_json(facts["notices"]))


def _row(verdict: Verdict) -> tuple[Any, ...]:
    example = verdict.counterexample
    drawn = {name: (text, score) for name, text, score in example.rows()} if example else {}
    better, worse = (drawn.get(name, (None, None)) for name in ("better", "worse"))
    if "output" in drawn:
        better = drawn["output"]
    return (
        verdict.metric,
        verdict.constraint.name,
        verdict.outcome,
        verdict.pairs,
        verdict.undefined,
        len(verdict.broken_at),
        verdict.searched.every,
        verdict.searched.drawn,
        verdict.size,
        verdict.reason or None,
        drawn.get("gold", (None, None))[0],
        better[0],
        worse[0],
        better[1],
        worse[1],
        _given(example) if example and example.given else None,
    )


def _given(example: Counterexample) -> str:
    """The condition in one line: each output with its score."""
    return "; ".join(f"{name} {example.scene.drawn(output)} ({score:.6g})" for name, output, score in example.given)
