"""A ranking and a clustering given side by side, as one organization."""

from __future__ import annotations

from typing import Any

import click


def composed(gold: str, systems: tuple[str, ...], options: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The gold and the systems, those of --priority and --clusters among them; takes these options away."""
    from plumbline.io.memory.compose import Composed

    priority, clusters, of_gold = (options.pop(name) for name in ("priority", "clusters", "gold_clusters"))
    if (priority or clusters or of_gold) and options.get("task") != "organization":
        raise click.UsageError("--priority, --clusters and --gold-clusters go with --task organization")
    if bool(priority) != bool(clusters) or (len(clusters) > 1 and len(clusters) != len(priority)):
        raise click.UsageError("give a --clusters for each --priority, or one for all")
    _refuse_metrics(systems)
    if not priority and not systems:
        raise click.UsageError("Missing argument 'SYSTEM...'.")
    each = clusters * len(priority) if len(clusters) == 1 else clusters
    pairs = [Composed(order, groups) for order, groups in zip(priority, each, strict=True)]
    return gold if of_gold is None else Composed(gold, of_gold), (*systems, *pairs)


def _refuse_metrics(systems: tuple[str, ...]) -> None:
    """A metric in the place of a file was meant for -m, which takes one name, or several between commas."""
    from plumbline.io.paths import exists
    from plumbline.metrics.names import is_spelled
    from plumbline.tasks import task_names

    metrics = click.get_current_context().params.get("metrics")
    for name in systems:
        if exists(name) or "=" in name:
            continue
        if any(is_spelled(name, task) for task in task_names()):
            message = f"{name} is a metric, and no file has this name: write -m {name}"
            raise click.UsageError(message)
        if metrics and name.isidentifier():
            message = f"there is no file {name}; if it is a metric, write {' '.join(f'-m {one}' for one in (*metrics, name))}"
            raise click.UsageError(message)
