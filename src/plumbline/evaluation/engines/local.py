"""The local engine: outputs block by block, so that files may be larger than the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plumbline.errors import BadUsage, engines
from plumbline.evaluation.engines.assembling import evaluate_with
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def run_locally(evaluation: Evaluation, memory: int, cluster: Any = None) -> Scores:
    """The scores of an evaluation within so many bytes of memory."""
    if cluster is not None:
        raise BadUsage(engines.refused_option("cluster", "local", "it works on this machine"))
    return evaluate_with(
        evaluation, memory, "local", lambda shared, works: (score(shared, work) for work in works), by_file=False
    )
