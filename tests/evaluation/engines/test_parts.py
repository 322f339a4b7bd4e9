"""Any cutting of an evaluation into parts, in any order, gives what the whole gives: values, means, notices and errors."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.errors import PlumblineError
from plumbline.evaluation.engines.combine import combined
from plumbline.evaluation.engines.partition import Part, partition
from plumbline.evaluation.engines.reading import rows_of
from plumbline.evaluation.evaluation import evaluation_of
from plumbline.schema import CASE
from tests.helpers.organization_worlds import NESTED, organizations
from tests.helpers.ranking_worlds import outputs, thorough, worlds

METRICS = ["AP", "nDCG@3", "P@2", "RR", "gm_map", "NumQ", "relstring", "ERR", "infAP", "Rel", "Sens"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "average"},
    {"ties": "best", "depth": 2},
    {"judged_only": True},
    {"missing": "skip"},
    {"missing": "error"},
    {"undefined": "zero"},
    {"undefined": "error"},
    {"as_": "trec_eval"},
]
Result = tuple[Any, ...]


def shown(scores: plumbline.Scores) -> Result:
    """Everything that people get."""
    texts = scores.texts.rows() if scores.text_names else []
    notices = [(notice.code, str(notice)) for notice in scores.notices]
    return scores.per_case.rows(), scores.mean.rows(), texts, notices, scores.made, scores.columns


def outcome(make: Any) -> Result:
    """The result of a function or its error; NaN never occurs in it."""
    try:
        return shown(make())
    except PlumblineError as error:
        return type(error), str(error), error.diagnostics


def same(actual: Result, expected: Result) -> None:
    """Equal field by field."""
    for one, other in zip(actual, expected, strict=True):
        assert one == other, f"{one}\n\n{other}"


def in_parts(gold: Any, systems: Any, metrics: Any, seed: int, **options: Any) -> plumbline.Scores:
    """The same evaluation cut into whole cases, with rows shuffled, sent elsewhere and put together."""
    rows = rows_of(evaluation_of(gold, systems, metrics, **options))
    draw = random.Random(seed)  # noqa: S311 - no secret
    count = draw.choice([1, 2, 3, 8])
    cases = sorted({*rows.gold[CASE], *rows.outputs[CASE]})
    home = {case: draw.randrange(count) for case in cases}
    parts = []
    for at in range(count):
        ours = [case for case in cases if home[case] == at]
        gold_rows = rows.gold.filter(pl.col(CASE).is_in(ours))
        output_rows = rows.outputs.filter(pl.col(CASE).is_in(ours))
        some = [frame.sample(fraction=1, shuffle=True, seed=seed) for frame in (gold_rows, output_rows)]
        sent = pickle.loads(pickle.dumps((rows.job.sent(), *some)))  # noqa: S301 - our own
        parts.append(pickle.loads(pickle.dumps(partition(*sent))))  # noqa: S301 - our own
    draw.shuffle(parts)
    assert all(isinstance(part, Part) for part in parts)
    return combined(rows.job, parts, rows.origins)


@thorough(150)
@given(worlds(cases=5), st.data(), st.sampled_from(OPTIONS), st.integers(0, 10**6))
def test_rankings_in_parts(world: Any, data: st.DataObject, options: dict[str, Any], seed: int) -> None:
    second = {case: data.draw(outputs()) for case in (*world.gold, "unknown", "odd")}
    systems = {"first": world.run, "second": second}
    at_once = outcome(lambda: plumbline.evaluate(world.gold, systems, METRICS, **options))
    same(outcome(lambda: in_parts(world.gold, systems, METRICS, seed, **options)), at_once)


@st.composite
def references(draw: st.DrawFn, cases: list[str], metrics: list[str]) -> pl.DataFrame:
    """Means and standard deviations of other systems: some are lacking, some do not vary, and some are there twice."""
    pair = st.tuples(st.sampled_from(cases), st.sampled_from(metrics))
    rows = draw(st.lists(st.tuples(pair, st.floats(-1, 1), st.sampled_from([0.0, 0.1, 0.3, 2.0, -1.0])), max_size=20))
    schema = {"case": pl.String, "metric": pl.String, "mean": pl.Float64, "std": pl.Float64}
    return pl.DataFrame([(*one, mean, spread) for one, mean, spread in rows], schema=schema, orient="row")


@thorough(100)
@given(worlds(cases=5), st.data(), st.sampled_from(OPTIONS), st.integers(0, 10**6))
def test_z_scores_in_parts(world: Any, data: st.DataObject, options: dict[str, Any], seed: int) -> None:
    systems = {"first": world.run, "second": {case: data.draw(outputs()) for case in (*world.gold, "odd")}}
    zscores = data.draw(references([*world.gold, "odd"], [*METRICS, "map"]))
    at_once = outcome(lambda: plumbline.evaluate(world.gold, systems, METRICS, zscores=zscores, **options))
    same(outcome(lambda: in_parts(world.gold, systems, METRICS, seed, zscores=zscores, **options)), at_once)


@thorough(40)
@given(worlds(cases=5), st.data(), st.integers(0, 10**6))
def test_a_dataset_of_scores_in_parts(world: Any, data: st.DataObject, seed: int) -> None:
    """Each file of the folder is the same, byte for byte."""
    systems = {"first": world.run, "second": {case: data.draw(outputs()) for case in (*world.gold, "odd")}}
    at_once = outcome(lambda: plumbline.evaluate(world.gold, systems, METRICS))
    same(outcome(lambda: in_parts(world.gold, systems, METRICS, seed)), at_once)
    if isinstance(at_once[0], type):  # an error
        return
    with TemporaryDirectory() as folder:
        plumbline.evaluate(world.gold, systems, METRICS).save(f"{folder}/w/")
        in_parts(world.gold, systems, METRICS, seed).save(f"{folder}/p/")
        one, other = ({path.name: path.read_bytes() for path in Path(folder, name).iterdir()} for name in "wp")
        assert one == other


@thorough(60)
@given(st.dictionaries(st.sampled_from("pqrs"), organizations(NESTED), min_size=1), st.data(), st.integers(0, 10**6))
def test_organizations_in_parts(gold: Any, data: st.DataObject, seed: int) -> None:
    wanted = organized({**gold, "t": [("a", 0, 0)]}, "grade")
    systems = {
        name: organized({"zz": [("a", 0, 0)], **{case: data.draw(organizations(NESTED)) for case in gold}}, "score")
        for name in ("one", "two")
    }
    at_once = outcome(lambda: plumbline.evaluate(wanted, systems, task="organization"))
    same(outcome(lambda: in_parts(wanted, systems, None, seed, task="organization")), at_once)


def organized(side: Any, value: str) -> pl.DataFrame:
    """Occurrences as a table."""
    rows = [(case, item, -level, f"{case} {cluster}") for case, some in side.items() for item, level, cluster in some]
    schema = {"case": pl.String, "item": pl.String, value: pl.Float64, "cluster": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


ROWS = st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("abcd"), st.sampled_from([0.0, 1.0, 2.0])), min_size=1)


@thorough(120)
@given(ROWS, ROWS, ROWS, st.sampled_from(["error", "first", "last", "best"]), st.integers(0, 10**6))
def test_repeated_rows_in_parts(gold: Any, one: Any, two: Any, rule: str, seed: int) -> None:
    wanted = pl.DataFrame(gold, schema=["case", "item", "grade"], orient="row")
    systems = {
        name: pl.DataFrame(rows, schema=["case", "item", "score"], orient="row")
        for name, rows in zip("xy", (one, two), strict=True)
    }
    options: dict[str, Any] = {"on_duplicate": rule, "task": "ranking"}
    at_once = outcome(lambda: plumbline.evaluate(wanted, systems, ["AP", "nDCG"], **options))
    same(outcome(lambda: in_parts(wanted, systems, ["AP", "nDCG"], seed, **options)), at_once)


SUBTOPICS = "".join(
    f"q{case} {topic} d{item} {(case + topic + item) % 3 - 1}\n" for case in (1, 2) for topic in (1, 2) for item in range(9)
)
RUN = "".join(f"q{case} Q0 d{item} 0 {item // 5} x\n" for case in (1, 2, 3) for item in range(20))


@pytest.mark.parametrize("seed", range(4))
def test_sampled_orders_and_subtopics_in_parts(tmp_path: Path, seed: int) -> None:
    gold, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    gold.write_text(SUBTOPICS)
    run.write_text(RUN)
    names = ["AP", "RR", "alpha_nDCG@5", "Bpref"]
    at_once = plumbline.evaluate(gold, run, names, ties="average")
    assert {"N282", "N211", "N202"} <= {notice.code for notice in at_once.notices}
    same(shown(in_parts(gold, run, names, seed, ties="average")), shown(at_once))


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    gold, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    gold.write_text("q1 0 d1 1\nq2 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 2 x\nq2 Q0 d1 1 2 x\n# a remark\nq2 Q0 d1 2 1 x\n")
    with pytest.raises(plumbline.BadData) as caught:
        in_parts(gold, run, ["AP"], 1)
    assert (caught.value.code, caught.value.path, caught.value.line) == ("E104", str(run), 4)
    assert "first at line 2" in str(caught.value)


def test_a_list_in_two_parts_is_refused() -> None:
    rows = rows_of(evaluation_of({"q": {"a": 1, "b": 0}}, {"x": {"q": {"a": 1.0, "b": 2.0}}}, ["AP"]))
    parts = [partition(rows.job, rows.gold, rows.outputs[[at]]) for at in (0, 1)]
    with pytest.raises(plumbline.BadData, match="E700"):
        combined(rows.job, parts)
