"""What the advisor answers with."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from plumbline.lazily import pl
from plumbline.options.evaluation import LabelOptions
from plumbline.options.option import matters
from plumbline.render.formats import render
from plumbline.render.grid import Fields, Verbatim
from plumbline.render.result import Result

if TYPE_CHECKING:
    from plumbline.render.grid import Block

Smoothing = Literal["none", "noninformative"]


@dataclass(frozen=True)
class Pick:
    """What the rules of a task choose: metrics, and why."""

    family: str
    metrics: tuple[str, ...]
    reason: str
    noninformative: str
    references: tuple[str, ...]
    notes: tuple[str, ...] = ()
    smoothing: Smoothing | None = None


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """Metrics that fit the answers of `choose`, the reasons, and the command that computes them.

    Attributes:
        task: The task that the metrics are for.
        family: What the metrics have in common.
        metrics: The names of the metrics.
        smoothing: The smoothing of filtering metrics; None for other tasks.
        reason: Why they fit.
        noninformative: What the metrics do with outputs that do not depend on the input.
        notes: What to watch out for.
        references: Keys of references.bib.
        assumed: The questions that were left open, each with what was assumed instead.
        unused: Answers that did not matter.
        command: The command that computes the metrics.

    Example:
        >>> import plumbline
        >>> advice = plumbline.choose(task="clustering", overlaps=True)
        >>> advice.metrics[0]
        'F(BCubedP,BCubedR)'
    """

    task: str
    family: str
    metrics: tuple[str, ...]
    smoothing: Smoothing | None
    reason: str
    noninformative: str
    notes: tuple[str, ...]
    references: tuple[str, ...]
    assumed: tuple[tuple[str, str], ...]
    unused: tuple[str, ...]
    command: str

    def to_blocks(self) -> list[Block]:
        """Task, metrics, reasons and notes, and the command."""
        return [Fields(tuple(self._fields())), Verbatim(self.command)]

    def to_polars(self) -> pl.DataFrame:
        """`field, text`: what people read, in rows."""
        rows = [*self._fields(), ("command", self.command)]
        return pl.DataFrame(rows, schema={"field": pl.String, "text": pl.String}, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Every field of the advice."""
        return {**{one.name: getattr(self, one.name) for one in fields(self)}, "assumed": dict(self.assumed)}

    def __str__(self) -> str:
        return render(self, "table").rstrip("\n")

    def _fields(self) -> list[tuple[str, str]]:
        rows = [
            ("task", self.task),
            ("family", self.family),
            ("metrics", "  ".join(self.metrics)),
            ("smoothing", self.smoothing),
            ("why", self.reason),
            ("non-informative", self.noninformative),
            *(("note", note) for note in self.notes),
            *(("not answered", f"{key}: {text}") for key, text in self.assumed),
            ("not used", ", ".join(self.unused)),
            ("references", ", ".join(self.references)),
        ]
        return [(name, text) for name, text in rows if text]


def command_line(task: str, metrics: tuple[str, ...]) -> str:
    """The command that computes the metrics, ready for a shell."""
    options = " ".join(f"-m {shlex.quote(name)}" for name in metrics)
    positive = " --positive LABEL" if matters("positive", LabelOptions, task) else ""
    return f"plumbline evaluate GOLD SYSTEM... --task {task}{positive} {options}"
