"""Any cutting of labels and clusters by item, in any order, gives what the whole gives: values, means, notices and errors."""

from __future__ import annotations

import pickle
import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.evaluation.engines.by_item import combined_by_item
from plumbline.evaluation.engines.item_part import ItemPart, bucket_of, counted_part
from plumbline.evaluation.engines.job import SYSTEM_NUMBER, Job, Source, gold_rows, output_rows
from plumbline.evaluation.engines.sources import Shared
from plumbline.evaluation.evaluation import evaluation_of
from tests.evaluation.engines.test_parts import outcome, references, same, shown
from tests.helpers import label_worlds
from tests.helpers.label_worlds import few_of
from tests.helpers.ranking_worlds import thorough


def by_items(gold: Any, systems: Any, metrics: Any, seed: int, **options: Any) -> plumbline.Scores:
    """The same evaluation cut into items, with rows shuffled, sent elsewhere and put together."""
    evaluation = evaluation_of(gold, systems, metrics, **options)
    table = evaluation.read_gold()
    tables = dict(evaluation.outputs(evaluation.named_systems(table), table))
    request = evaluation.request
    job = Job(
        tuple(measure.typed for measure in request.measures),
        {**request.options, "task": request.task.name},
        Source.of(table),
        {name: Source.of(one) for name, one in tables.items()},
    )
    draw = random.Random(seed)  # noqa: S311 - no secret
    count = draw.choice([1, 2, 3, 8, 200])
    shared = Shared(job.sent(), gold_rows(table).drop_nulls("item"), 1, count)
    parts = []
    for number, one in enumerate(tables.values()):
        output = output_rows(one, number).drop(SYSTEM_NUMBER)
        for at in range(count):
            some = [
                side.filter(bucket_of(count) == at).sample(fraction=1, shuffle=True, seed=seed)
                for side in (shared.gold, output)
            ]
            if at and some[1].is_empty():
                continue
            sent = pickle.loads(pickle.dumps((job.sent(), shared.cases, *some, number, (at,))))  # noqa: S301 - our own
            made = counted_part(*sent, exact=one.probabilities > 0)
            parts.append(pickle.loads(pickle.dumps(made)))  # noqa: S301 - our own
    draw.shuffle(parts)
    assert all(isinstance(part, ItemPart) for part in parts)
    return combined_by_item(job, table, shared, parts, {one.label: one.origin for one in tables.values()})


OPTIONS: list[dict[str, Any]] = [
    {},
    {"missing": "skip"},
    {"missing": "error"},
    {"missing_items": "error"},
    {"undefined": "zero"},
    {"undefined": "error"},
    {"floor": True},
]


@thorough(150)
@given(st.data(), st.sampled_from(label_worlds.KINDS), st.sampled_from(OPTIONS), st.integers(0, 10**6))
def test_labels_by_item(data: st.DataObject, kind: Any, options: dict[str, Any], seed: int) -> None:
    world = data.draw(label_worlds.label_worlds([kind]))
    systems = {"first": world.run, "second": data.draw(label_worlds.outputs(world.gold, kind))}
    chosen: dict[str, Any] = {"task": world.task, **options}
    metrics = data.draw(st.sampled_from([few_of(kind), [name for name in few_of(kind) if "average=samples" not in name][:3]]))
    if options.get("floor"):
        metrics = metrics[:2]
    at_once = outcome(lambda: plumbline.evaluate(world.gold, systems, metrics, **chosen))
    same(outcome(lambda: by_items(world.gold, systems, metrics, seed, **chosen)), at_once)


RULES: list[dict[str, Any]] = [
    {},
    *({"missing_items": rule} for rule in ("singleton", "one-cluster", "drop", "absent", "one-sided", "error")),
    {"noise": "-1"},
    {"missing": "skip"},
]
PARTITIONS = ["F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "Purity", "InvPurity", "Rel", "Sens"]


def members(cases: str, items: str, clusters: list[str | None]) -> st.SearchStrategy[Any]:
    """Rows of items and their clusters, of which some repeat others and some items are in several."""
    row = st.tuples(st.sampled_from(cases), st.sampled_from(items), st.sampled_from(clusters))
    return st.lists(row, min_size=1, max_size=30)


def one_of_each(rows: Any) -> Any:
    """The first row of every item."""
    return list({row[:2]: row for row in reversed(rows)}.values())


def clustered(rows: Any) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"case": pl.String, "item": pl.String, "cluster": pl.String}, orient="row")


@thorough(150)
@given(
    members("pq", "abcdefgh", ["A", "B", "C", None]),
    st.lists(members("pqz", "abcdefghxyw", ["k", "l", "m", "n", "-1", None]), min_size=1, max_size=2),
    st.booleans(),
    st.sampled_from(RULES),
    st.integers(0, 10**6),
)
def test_clusters_by_item(gold: Any, outputs: Any, once: bool, options: dict[str, Any], seed: int) -> None:  # noqa: FBT001 - drawn
    rule = one_of_each if once else list
    systems = {f"s{at}": clustered(rule(rows)) for at, rows in enumerate(outputs)}
    metrics = CLUSTERS if once else ANY_CLUSTERS
    chosen = {"task": "clustering", **options}
    at_once = outcome(lambda: plumbline.evaluate(clustered(rule(gold)), systems, metrics, **chosen))
    same(outcome(lambda: by_items(clustered(rule(gold)), systems, metrics, seed, **chosen)), at_once)


CLUSTERS = [
    name
    for name, metric in plumbline.all_metrics("clustering").items()
    if not metric.internal and metric.needs != "memberships"
]
ANY_CLUSTERS = [name for name in CLUSTERS if not plumbline.all_metrics("clustering")[name].single_label]


LABELLED = st.lists(
    st.tuples(st.sampled_from("pqz"), st.sampled_from("abcde"), st.sampled_from(["1", "1.0", "0", "yes", "c", None])),
    min_size=1,
)


@thorough(150)
@given(
    LABELLED,
    LABELLED,
    st.sampled_from(["filtering", "classification"]),
    st.sampled_from(["error", "first", "last"]),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_repeated_labels_by_item(gold: Any, output: Any, task: str, rule: str, several: bool, seed: int) -> None:  # noqa: FBT001 - drawn
    wanted, given_ = ([(case, item, label) for case, item, label in rows] for rows in (gold, output))
    frames = [
        pl.DataFrame(rows, schema={"case": pl.String, "item": pl.String, "label": pl.String}, orient="row")
        for rows in (wanted, given_)
    ]
    options: dict[str, Any] = {"task": task, "on_duplicate": rule}
    if task == "filtering":
        options["positive"] = ["1"]
    elif several:
        options["multilabel"] = True
    at_once = outcome(lambda: plumbline.evaluate(frames[0], {"x": frames[1]}, **options))
    same(outcome(lambda: by_items(frames[0], {"x": frames[1]}, None, seed, **options)), at_once)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("task", ["filtering", "classification"])
def test_cases_keep_their_values_where_the_first_rows_are_left_out(task: str, seed: int) -> None:
    """The case that comes first in the gold comes second in what is kept of it."""
    schema = {"case": pl.String, "item": pl.String, "label": pl.String}
    rows = [("p", "a", "1"), ("q", "a", "1"), ("q", "b", "0"), ("p", "a", "0"), ("p", "b", "1")]
    gold, output = pl.DataFrame(rows, schema=schema, orient="row"), [("q", "a", "1"), ("q", "b", "0"), ("p", "b", "0")]
    systems = {"x": pl.DataFrame(output, schema=schema, orient="row")}
    options: dict[str, Any] = {"task": task, "on_duplicate": "last"}
    at_once = plumbline.evaluate(gold, systems, ["Accuracy"], **options)
    assert at_once.per_case["case"].to_list() == ["p", "q"]
    same(shown(by_items(gold, systems, ["Accuracy"], seed, **options)), shown(at_once))


@pytest.mark.parametrize("seed", range(4))
def test_the_rows_of_an_item_in_two_clusters_are_named_in_their_order(seed: int) -> None:
    """Another item, which is like it, has its clusters in the other order."""
    gold = clustered([("p", item, "A") for item in "abcdxy"])
    rows = [*(("p", item, "k") for item in "abcd"), ("p", "y", "k"), ("p", "y", "l"), ("p", "x", "l"), ("p", "x", "k")]
    at_once = outcome(lambda: plumbline.evaluate(gold, {"s": clustered(rows)}, ["ARI"], task="clustering"))
    assert "item x is in a cluster already (line 7)" in at_once[1]
    same(outcome(lambda: by_items(gold, {"s": clustered(rows)}, ["ARI"], seed, task="clustering")), at_once)


@thorough(60)
@given(st.data(), st.sampled_from(label_worlds.KINDS), st.integers(0, 10**6))
def test_z_scores_by_item(data: st.DataObject, kind: Any, seed: int) -> None:
    world = data.draw(label_worlds.label_worlds([kind]))
    systems = {"first": world.run, "second": data.draw(label_worlds.outputs(world.gold, kind))}
    metrics = few_of(kind)[:3]
    chosen: dict[str, Any] = {"task": world.task, "zscores": data.draw(references([*world.gold, "odd"], metrics))}
    at_once = outcome(lambda: plumbline.evaluate(world.gold, systems, metrics, **chosen))
    same(outcome(lambda: by_items(world.gold, systems, metrics, seed, **chosen)), at_once)
