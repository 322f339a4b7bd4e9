"""The engine on Dask: a task for each file, or for each portion of a frame."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from plumbline.evaluation.engines.clusters import evaluate_on_cluster, library
from plumbline.evaluation.engines.frames import bucketing, column_to_shuffle, home_of, put_together, score_portion, without_data
from plumbline.evaluation.engines.item_part import BUCKET
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from plumbline.evaluation.engines.frames import Bucketing
    from plumbline.evaluation.engines.sources import Scored, Shared, Work
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def run_on_dask(evaluation: Evaluation, memory: int, cluster: Any = None) -> Scores:
    """The scores by the client that is given or connected already, or by one of this address; one that is made is closed."""
    distributed = library("distributed", "dask")
    with ExitStack() as stack:
        client = cluster if cluster is not None and not isinstance(cluster, str) else _connected(distributed)
        if client is None:
            client = stack.enter_context(
                distributed.Client(cluster, dashboard_address=None) if cluster is None else distributed.Client(cluster)
            )

        def run(shared: Shared, works: list[Work]) -> list[Scored]:
            known = client.scatter(shared, broadcast=True, hash=False)
            tasks = [
                _of_frame(client, shared, known, work)
                if home_of(work.data) == "dask"
                else client.submit(score, known, work, pure=False, retries=3)
                for work in works
            ]
            results = zip(works, client.gather(tasks), strict=True)
            return [
                scored
                for work, result in results
                for scored in (put_together(work, result) if isinstance(result, list) else [result])
            ]

        return evaluate_on_cluster(evaluation, memory, "dask", run)


def _of_frame(client: Any, shared: Shared, known: Any, work: Work) -> list[Any]:
    """A task for each portion of a frame, whose rows are shuffled by case or item first."""
    column, plain = column_to_shuffle(work, shared, "dask"), without_data(work)
    frame, to_buckets = work.data, bucketing(work, shared)
    if to_buckets is not None:
        frame, column = frame.map_partitions(_numbered, to_buckets), BUCKET
    shuffled = frame.repartition(npartitions=1) if column is None else frame.shuffle(on=column)
    portions = client.compute(shuffled.to_delayed())
    return [client.submit(score_portion, known, plain, portion, pure=False, retries=3) for portion in portions]


def _numbered(rows: Any, to_buckets: Bucketing) -> Any:
    """The rows with a column of the bucket of each."""
    return rows.assign(**{BUCKET: to_buckets.numbers(rows).to_numpy()})


def _connected(distributed: Any) -> Any:
    """The client that is connected, if there is one."""
    try:
        return distributed.get_client()
    except ValueError:
        return None
