"""What engines on clusters share: a block that suits a worker, and the refusal of what only this machine can read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plumbline.errors import BadUsage, usage
from plumbline.evaluation.engines.assembling import evaluate_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.evaluation.engines.sources import Scored, Shared, Work
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def library(name: str, engine: str) -> Any:
    """The library of an engine, imported now.

    Raises:
        BadUsage: If it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in name.partition(".")[0]:
            raise
        raise BadUsage(usage.needs_package(f"the engine {engine}", f"plumbline[{engine}]")) from None


def evaluate_on_cluster(
    evaluation: Evaluation, memory: int, engine: str, run: Callable[[Shared, list[Work]], Iterable[Scored]]
) -> Scores:
    """The scores of an evaluation whose files workers open: each needs the paths, and about the memory of a block."""
    return evaluate_with(evaluation, memory, engine, run, by_file=True)
