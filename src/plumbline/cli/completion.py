"""What the Tab key offers: names of metrics after -m, files in the places of the gold and the systems."""

from __future__ import annotations

from typing import Any, Final

import click
from click.shell_completion import CompletionItem

METRICS: Final = ("metric", "metrics", "name")
"""Parameters that take names of metrics."""
WORDS: Final = ("code", "kind")
"""Arguments that are words, not files."""


class MetricName(type(click.STRING)):  # type: ignore[misc]  # click has no other name for it
    """The name of a metric; any text is taken, and checked where it is used."""

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The metrics of the task that was typed, or of all tasks; after a comma, the next name."""
        before, comma, start = incomplete.rpartition(",")
        names = metric_names(ctx.params.get("task"))
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.lower().startswith(start.lower())]


class FileName(type(click.STRING)):  # type: ignore[misc]  # as above
    """The name of a file; any text is taken, and files are looked for where they are read."""

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell, which knows the files."""
        return [CompletionItem(incomplete, type="file")]


def metric_names(task: Any = None) -> list[str]:
    """The names of metrics, read from their declarations without importing them."""
    from plumbline.declarations import declarations
    from plumbline.tasks import task_names

    tasks = [task] if task in task_names() else task_names()
    return sorted({name for one in tasks for name in declarations(f"plumbline.metrics.{one}", "metric")})


def with_completion(params: list[click.Parameter]) -> None:
    """Let parameters that are plain text offer metrics or files."""
    for param in params:
        if param.type is not click.STRING:
            continue
        if param.name in METRICS:
            param.type = MetricName()
        elif isinstance(param, click.Argument) and param.name not in WORDS:
            param.type = FileName()
