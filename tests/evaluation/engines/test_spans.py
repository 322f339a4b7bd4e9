"""Any cutting of spans, fields and relations by document gives what the whole gives: values, means, notices and errors."""

from __future__ import annotations

import pickle
import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.evaluation.engines.by_document import combined_by_document
from plumbline.evaluation.engines.job import Job, Source, gold_rows, output_rows
from plumbline.evaluation.engines.span_part import SpanPart, span_part
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.schema import CASE
from tests.evaluation.engines.test_parts import outcome, same
from tests.helpers.ranking_worlds import thorough


def by_documents(gold: Any, systems: Any, metrics: Any, seed: int, **options: Any) -> plumbline.Scores:
    """The same evaluation cut into documents, with rows shuffled, sent elsewhere and put together."""
    evaluation = evaluation_of(gold, systems, metrics, task="extraction", **options)
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
    count = draw.choice([1, 2, 3, 8])
    wanted, given_ = gold_rows(table), [output_rows(one, number) for number, one in enumerate(tables.values())]
    together = draw.random() < 0.5 and len({tuple(one.columns) for one in given_}) == 1
    parts = []
    for outputs in [pl.concat(given_)] if together else given_:
        home = {case: draw.randrange(count) for case in sorted(outputs[CASE].unique())}
        for at in range(count):
            some = outputs.filter(pl.col(CASE).replace_strict(home) == at).sample(fraction=1, shuffle=True, seed=seed)
            ours = wanted.join(some.select(CASE).unique(), on=CASE, how="semi", maintain_order="left")
            if some.is_empty():
                continue
            sent = pickle.loads(pickle.dumps((job.sent(), ours.sample(fraction=1, shuffle=True, seed=seed), some)))  # noqa: S301 - our own
            parts.append(pickle.loads(pickle.dumps(span_part(*sent))))  # noqa: S301 - our own
    draw.shuffle(parts)
    assert all(isinstance(part, SpanPart) for part in parts)
    return combined_by_document(job, table, parts, {one.label: one.origin for one in tables.values()})


TYPES = ["PER", "LOC", "ORG"]
SPANS = {"case": pl.String, "start": pl.Int64, "end": pl.Int64, "label": pl.String}
FIELDS = {"case": pl.String, "record": pl.Int64, "field": pl.String, "value": pl.String}
RELATIONS = {"case": pl.String, "head": pl.String, "relation": pl.String, "tail": pl.String}
Schema = dict[str, Any]


def spans(cases: str, types: list[str]) -> st.SearchStrategy[Any]:
    start = st.integers(0, 9)
    row = st.tuples(st.sampled_from(cases), start, st.integers(1, 4), st.sampled_from(types))
    return st.lists(row.map(lambda one: (one[0], one[1], one[1] + one[2], one[3])), min_size=1, max_size=25)


def fields(cases: str, types: list[str]) -> st.SearchStrategy[Any]:
    row = st.tuples(st.sampled_from(cases), st.integers(0, 2), st.sampled_from(types), st.sampled_from("uvwx"))
    return st.lists(row, min_size=1, max_size=25)


def relations(cases: str, types: list[str]) -> st.SearchStrategy[Any]:
    end = st.sampled_from(["Ada", "Ada Lovelace", "Bob", "Bob Lovelace", "0-4", "2-9", "5-7"])
    return st.lists(st.tuples(st.sampled_from(cases), end, st.sampled_from(types), end), min_size=1, max_size=25)


SHAPES: dict[str, tuple[Any, Schema, list[str]]] = {
    "spans": (spans, SPANS, ["strict", "boundary", "type", "partial", "overlap", "positions"]),
    "fields": (fields, FIELDS, ["strict", "type", "partial"]),
    "relations": (relations, RELATIONS, ["strict", "type", "partial"]),
}
METRICS = ["P", "R", "F(P,R)", "COR", "INC", "PAR", "MIS", "SPU"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"pooled": True},
    {"missing": "error"},
    {"undefined": "zero"},
    {"undefined": "error"},
    {"floor": True},
    {"floor": True, "pooled": True},
]


def measures(draw: Any, ways: list[str]) -> list[str]:
    """Some metrics, with ways of matching and of averaging, also of single classes."""
    names = []
    for name in draw(st.lists(st.sampled_from(METRICS), min_size=1, max_size=4, unique=True)):
        way, average = draw(st.sampled_from(ways)), draw(st.sampled_from(["micro", "macro", "weighted", "none"]))
        inside = [*(["P,R"] if name.startswith("F") else []), f"match={way}", f"average={average}"]
        names.append(f"{name.partition('(')[0]}({','.join(inside)})")
    return names


@thorough(250)
@given(st.data(), st.sampled_from(list(SHAPES)), st.sampled_from(OPTIONS), st.integers(0, 10**6))
def test_spans_by_document(data: st.DataObject, shape: str, options: dict[str, Any], seed: int) -> None:
    drawn, schema, ways = SHAPES[shape]
    gold = pl.DataFrame(data.draw(drawn("pqrs", TYPES)), schema=schema, orient="row")
    rows = data.draw(st.lists(drawn("pqrsz", [*TYPES, "MISC"]), min_size=1, max_size=3))
    systems = {f"s{at}": pl.DataFrame(one, schema=schema, orient="row") for at, one in enumerate(rows)}
    metrics = data.draw(st.sampled_from([None, measures(data.draw, ways)]))
    at_once = outcome(lambda: plumbline.evaluate(gold, systems, metrics, task="extraction", **options))
    same(outcome(lambda: by_documents(gold, systems, metrics, seed, **options)), at_once)


def test_spans_beside_fields_are_refused() -> None:
    gold = pl.DataFrame([("p", 0, 3, "PER")], schema=SPANS, orient="row")
    other = pl.DataFrame([("p", 0, "name", "Ada")], schema=FIELDS, orient="row")
    systems = {"x": gold, "y": other}
    at_once = outcome(lambda: plumbline.evaluate(gold, systems, ["P"], task="extraction"))
    assert "E614" in at_once[1]
    same(outcome(lambda: by_documents(gold, systems, ["P"], 1)), at_once)


def test_a_document_in_two_parts_is_refused() -> None:
    gold = pl.DataFrame([("p", 0, 3, "PER"), ("p", 4, 5, "PER")], schema=SPANS, orient="row")
    evaluation = evaluation_of(gold, {"x": gold}, ["P"], task="extraction")
    job = Job(("P",), {"task": "extraction"}, Source("gold"), {"x": Source("x")})
    table, outputs = evaluation.read_gold(), output_rows(evaluation.read_gold(), 0)
    parts = [span_part(job, gold_rows(table), outputs[[at]]) for at in (0, 1)]
    with pytest.raises(plumbline.BadData, match="E700"):
        combined_by_document(job, table, parts, {})
