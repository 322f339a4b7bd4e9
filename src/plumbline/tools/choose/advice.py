"""What the advisor answers with."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from textwrap import fill
from typing import Literal

_MARGIN = 17
_WIDTH = 80

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


@dataclass(frozen=True)
class Advice:
    """Metrics that fit the answers, why they do, and the command that computes them."""

    task: str
    family: str
    metrics: tuple[str, ...]
    smoothing: Smoothing | None
    """None where the task knows no smoothing."""
    reason: str
    noninformative: str
    """What the family does with outputs that do not depend on the input."""
    notes: tuple[str, ...]
    """What to watch out for."""
    references: tuple[str, ...]
    """Keys of references.bib."""
    assumed: tuple[tuple[str, str], ...]
    """The questions that were left open, each with what was done instead."""
    unused: tuple[str, ...]
    """Answers that did not matter."""
    command: str

    def __str__(self) -> str:
        rows = [
            ("task", self.task),
            ("family", self.family),
            ("metrics", "  ".join(self.metrics)),
            ("smoothing", self.smoothing),
            ("why", self.reason),
            ("non-informative", self.noninformative),
            *(("note", note) for note in self.notes),
            *(("not answered", f"{key}: {words}") for key, words in self.assumed),
            ("not used", ", ".join(self.unused)),
            ("references", ", ".join(self.references)),
        ]
        return "\n".join([*(_row(name, text) for name, text in rows if text), "", self.command])


def _row(name: str, text: str) -> str:
    return fill(
        text,
        _WIDTH,
        initial_indent=f"{name:<{_MARGIN}}",
        subsequent_indent=" " * _MARGIN,
        break_long_words=False,
        break_on_hyphens=False,
    )


def command_line(task: str, metrics: tuple[str, ...]) -> str:
    """The command that computes the metrics, ready for a shell."""
    asked = " ".join(f"-m {shlex.quote(name)}" for name in metrics)
    positive = " --positive LABEL" if task == "filtering" else ""
    return f"plumbline evaluate GOLD SYSTEM... --task {task}{positive} {asked}"
