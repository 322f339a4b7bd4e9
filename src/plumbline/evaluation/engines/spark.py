"""The engine on Spark: a job over the paths of files, each of which a task opens and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plumbline.evaluation.engines.clusters import evaluate_on_cluster, library
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from plumbline.evaluation.engines.scoring import Scored, Shared, Work
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def run_on_spark(evaluation: Evaluation, memory: int, cluster: Any = None) -> Scores:  # noqa: ANN401 - an address or a session
    """The scores by the session that is given or runs already, or by one at this address, which is stopped at the end."""
    sql = library("pyspark.sql", "spark")
    running = cluster if cluster is not None and not isinstance(cluster, str) else sql.SparkSession.getActiveSession()
    session = running or _started(sql, cluster)
    context = session.sparkContext

    def run(shared: Shared, works: list[Work]) -> list[Scored]:
        known = context.broadcast(shared)
        try:
            found: list[Scored] = context.parallelize(works, len(works)).map(lambda work: score(known.value, work)).collect()
        finally:
            known.unpersist()
        return found

    try:
        return evaluate_on_cluster(evaluation, memory, "spark", run)
    finally:
        if running is None:
            session.stop()


def _started(sql: Any, address: str | None) -> Any:  # noqa: ANN401 - pyspark's own
    named = sql.SparkSession.builder.appName("plumbline")
    return (named if address is None else named.master(address)).getOrCreate()
