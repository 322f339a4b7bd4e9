"""The engine on Spark: a job over the paths of files, each of which a task opens and scores; or over the rows of a frame."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from plumbline.evaluation.engines.clusters import evaluate_on_cluster, library
from plumbline.evaluation.engines.frames import bucketing, column_to_shuffle, home_of, put_together, score_portion, without_data
from plumbline.evaluation.engines.item_part import BUCKET
from plumbline.evaluation.engines.scoring import score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.evaluation.engines.frames import Bucketing
    from plumbline.evaluation.engines.sources import Scored, Shared, Work
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.scores import Scores


def run_on_spark(evaluation: Evaluation, memory: int, cluster: Any = None) -> Scores:
    """The scores by the session that is given or runs already, or by one at this address, which is stopped at the end."""
    sql = library("pyspark.sql", "spark")
    running = cluster if cluster is not None and not isinstance(cluster, str) else sql.SparkSession.getActiveSession()
    session = running or _started(sql, cluster)
    context = session.sparkContext

    def run(shared: Shared, works: list[Work]) -> Iterator[Scored]:
        known = context.broadcast(shared)
        files = [work for work in works if home_of(work.data) != "spark"]
        try:
            of_files = (
                context.parallelize(files, len(files)).map(lambda work: score(known.value, work)).collect() if files else []
            )
            remaining = iter(of_files)
            for work in works:
                yield from _of_frame(shared, known, work) if home_of(work.data) == "spark" else [next(remaining)]
        finally:
            known.unpersist()

    try:
        return evaluate_on_cluster(evaluation, memory, "spark", run)
    finally:
        if running is None:
            session.stop()


def _of_frame(shared: Shared, known: Any, work: Work) -> list[Scored]:
    """The scores of a frame, whose executors score the cases, or count the items, that a shuffle brought to them."""
    column, plain = column_to_shuffle(work, shared, "spark"), without_data(work)
    frame, to_buckets = work.data, bucketing(work, shared)
    if to_buckets is not None:
        frame, column = _in_buckets(frame, to_buckets), BUCKET

    def scored(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa  # noqa: PLC0415 - on executors

        rows = [batch for batch in batches if batch.num_rows]
        portion = score_portion(known.value, plain, pa.Table.from_batches(rows)) if rows else None
        yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(portion)], pa.binary())], ["portion"])

    shuffled = frame.coalesce(1) if column is None else frame.repartition(column)
    portions = [pickle.loads(row.portion) for row in shuffled.mapInArrow(scored, "portion binary").collect()]  # noqa: S301 - our own
    return put_together(work, portions)


def _in_buckets(frame: Any, to_buckets: Bucketing) -> Any:
    """The frame with a column of the bucket of each row."""

    def numbered(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa  # noqa: PLC0415 - on executors

        for batch in batches:
            table = pa.Table.from_batches([batch])
            yield from table.append_column(BUCKET, pa.array(to_buckets.numbers(table), pa.int32())).to_batches()

    types = library("pyspark.sql.types", "spark")
    column = types.StructField(BUCKET, types.IntegerType())
    return frame.mapInArrow(numbered, types.StructType([*frame.schema.fields, column]))


def _started(sql: Any, address: str | None) -> Any:
    named = sql.SparkSession.builder.appName("plumbline")
    return (named if address is None else named.master(address)).getOrCreate()
