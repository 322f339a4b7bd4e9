"""The result of an audit: verdicts as a table of the papers' kind, and counterexamples."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from plumbline._version import __version__
from plumbline.audits.families import FAMILIES, family
from plumbline.audits.wording import short, told
from plumbline.errors.base import plural
from plumbline.render.grid import Cell, Grid
from plumbline.render.html import html
from plumbline.render.latex import latex
from plumbline.render.markdown import markdown
from plumbline.render.terminal import plain

if TYPE_CHECKING:
    from plumbline.audits.constraints.constraint import Constraint
    from plumbline.audits.verdict import Verdict
    from plumbline.errors import Diagnostic
    from plumbline.metrics.registry import Task

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
}


@dataclass(frozen=True, repr=False, eq=False)
class Audit:
    """Which metrics keep which constraints."""

    task: Task
    verdicts: tuple[Verdict, ...]
    """By constraint, then by metric."""
    constraints: tuple[Constraint, ...]
    budget: int
    seed: int
    notices: tuple[Diagnostic, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(dict.fromkeys(verdict.metric for verdict in self.verdicts))

    def verdict(self, metric: str, constraint: str) -> Verdict:
        """What was found about one metric and one constraint."""
        return next(one for one in self.verdicts if (one.metric, one.constraint.name) == (metric, constraint))

    def held(self, metric: str) -> tuple[str, ...]:
        """The names of the constraints that a metric keeps."""
        return tuple(one.constraint.name for one in self.verdicts if one.metric == metric and one.holds)

    @property
    def families(self) -> dict[str, str | None]:
        """The family of each filtering metric; none if it has no property of any, or if that was not asked."""
        return {metric: family(self.held(metric)) for metric in self.metrics}

    @property
    def table(self) -> pl.DataFrame:
        """A row for each metric and constraint, with the smallest counterexample."""
        return pl.DataFrame([_row(verdict) for verdict in self.verdicts], schema=SCHEMA, orient="row")

    def grid(self) -> Grid:
        """Metrics by constraints; with few metrics constraints by metrics."""
        names = [constraint.name for constraint in self.constraints]
        told = {(one.metric, one.constraint.name): short(one) for one in self.verdicts}
        if set(FAMILIES) <= set(names):
            names.append("family")
            told |= {(metric, "family"): found or "none" for metric, found in self.families.items()}
        across = len(self.metrics) < len(names)
        rows, columns = (names, self.metrics) if across else (self.metrics, names)
        cells = ((Cell(row), *(Cell(told[(column, row) if across else (row, column)]) for column in columns)) for row in rows)
        caption = f"up to {plural(self.budget, 'pair')} for each constraint; plumbline {__version__}"
        return Grid(("constraint" if across else "metric", *columns), tuple(cells), caption)

    def counterexamples(self) -> str:
        """Every verdict in words, metric by metric."""
        return "\n\n".join("\n".join(told(one) for one in self.verdicts if one.metric == metric) for metric in self.metrics)

    def to_latex(self) -> str:
        """The table of metrics and constraints as LaTeX (booktabs)."""
        return latex(self.grid())

    def to_markdown(self) -> str:
        """The table of metrics and constraints as Markdown."""
        return markdown(self.grid())

    def to_json(self) -> str:
        """Everything, with full precision."""
        facts: dict[str, Any] = {
            "version": __version__,
            "task": self.task,
            "budget": self.budget,
            "seed": self.seed,
            "constraints": [{"name": one.name, "text": one.text, "paper": one.paper} for one in self.constraints],
            "families": self.families,
            "verdicts": self.table.to_dicts(),
        }
        return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"

    def __repr__(self) -> str:
        return plain(self.grid()).rstrip()

    def _repr_html_(self) -> str:
        return html(self.grid())


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
    )
