"""why_not(): where items cannot be the units of a comparison, and the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from plumbline.evaluation.evaluation import Evaluation

_REASONS: Final = {
    "ranking": "one ranking is one observation: what an item adds depends on the items above it",
    "clustering": "one clustering is one observation: whether an item is in the right place depends on the items beside it",
    "organization": "one organization is one observation: what an item adds depends on the items above and beside it",
}


def why_not(evaluation: Evaluation) -> str | None:
    """Why items cannot be the units of a comparison; None if they can.

    Args:
        evaluation: The gold and the outputs; they are not read.

    Returns:
        A clause that says why nothing can be tested item by item, or None.
    """
    task = evaluation.request.task
    if not task.has("units"):
        return _REASONS.get(task.name, f"the metrics of {task.outputs} are not computed from decisions about single items")
    if evaluation.request.options.get("zscores") is not None:
        return "standardised scores exist for cases, not for items"
    return None
