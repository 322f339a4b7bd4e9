"""The engine on Ray: a task for each file, or for each block of a dataset."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from plumbline.evaluation.engines.clusters import evaluate_on_cluster, library
from plumbline.evaluation.engines.frames import bucketing, column_to_shuffle, home_of, put_together, score_portion, without_data
from plumbline.evaluation.engines.item_part import BUCKET
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from plumbline.evaluation.engines.sources import Scored, Shared, Work
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
        files = {at: task.remote(known, work) for at, work in enumerate(works) if home_of(work.data) != "ray"}
        return [
            one
            for at, work in enumerate(works)
            for one in ([ray.get(files[at])] if at in files else _of_dataset(shared, known, ray, work))
        ]

    try:
        return evaluate_on_cluster(evaluation, memory, "ray", run)
    finally:
        if not running:
            ray.shutdown()


def _of_dataset(shared: Shared, known: Any, ray: Any, work: Work) -> list[Scored]:
    """The scores of a dataset, whose blocks are made of whole cases, or of whole buckets of items, first."""
    column, plain = column_to_shuffle(work, shared, "ray"), without_data(work)
    blocks = max(1, int(ray.cluster_resources().get("CPU", 1)))
    data, to_buckets = work.data, bucketing(work, shared)
    if to_buckets is not None:

        def numbered(table: Any) -> Any:
            return table.append_column(BUCKET, to_buckets.numbers(table).to_arrow())

        data, column = data.map_batches(numbered, batch_size=None, batch_format="pyarrow"), BUCKET
    shuffled = data.repartition(1) if column is None else data.repartition(blocks, keys=[column])

    def scored(table: Any) -> dict[str, Any]:
        portion = score_portion(ray.get(known), plain, table) if table.num_rows else None
        return {"portion": [pickle.dumps(portion)]}

    rows = shuffled.map_batches(scored, batch_size=None, batch_format="pyarrow").take_all()
    return put_together(work, [pickle.loads(row["portion"]) for row in rows])  # noqa: S301 - our own
