"""The engine on Ray: a task for each file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plumbline.evaluation.engines.clusters import evaluate_on_cluster, library
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from plumbline.evaluation.engines.scoring import Scored, Shared, Work
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def run_on_ray(evaluation: Evaluation, memory: int, cluster: str | None = None) -> Scores:
    """The scores by the cluster that is connected already, or by that at this address; one that is started is stopped."""
    ray: Any = library("ray", "ray")
    running = ray.is_initialized()
    if not running:
        ray.init(address=cluster, include_dashboard=False, log_to_driver=False)

    def run(shared: Shared, works: list[Work]) -> list[Scored]:
        task, known = ray.remote(max_retries=3)(score), ray.put(shared)
        found: list[Scored] = ray.get([task.remote(known, work) for work in works])
        return found

    try:
        return evaluate_on_cluster(evaluation, memory, "ray", run)
    finally:
        if not running:
            ray.shutdown()
