"""Scores in every form and from every kind of source become the same cube."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.errors import BadData
from tests.helpers.score_texts import codes, message_of, of
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path


METRICS: Final = ("AP", "LogLoss")
SYSTEMS: Final = ("a", "b", "c")
CASES: Final = ("q1", "q2")
VALUES: Final = np.array([[[0.5, 0.25], [0.75, 0.125], [1.0, 0.0]], [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]])


def long() -> pl.DataFrame:
    rows = [
        (system, case, metric, VALUES[m, s, c])
        for m, metric in enumerate(METRICS)
        for s, system in enumerate(SYSTEMS)
        for c, case in enumerate(CASES)
    ]
    return pl.DataFrame(rows, schema=["system", "case", "metric", "value"], orient="row")


def wide() -> pl.DataFrame:
    return long().pivot("metric", index=["system", "case"], values="value", maintain_order=True)


def matrix(metric: str) -> pl.DataFrame:
    rows = long().filter(pl.col("metric") == metric)
    return rows.pivot("system", index="case", values="value", maintain_order=True)


def nested() -> dict[str, dict[str, dict[str, float]]]:
    results: dict[str, dict[str, dict[str, float]]] = {}
    for system, case, metric, value in long().iter_rows():
        results.setdefault(metric, {}).setdefault(system, {})[case] = value
    return results


def assert_is_the_example(source: Any) -> None:
    cube, notices = read_scores(source)
    assert cube.metrics == METRICS
    assert cube.systems == SYSTEMS
    assert cube.cases == CASES
    assert cube.values.tolist() == VALUES.tolist()
    assert cube.lower.tolist() == [False, True]
    assert codes(notices) == []


FRAMES: Final = {
    "long": long(),
    "wide": wide(),
    "aliases": long().rename({"system": "Model", "case": "Query", "metric": "measure", "value": "score"}),
    "more aliases": long().rename({"system": "team", "case": "dataset", "metric": "measure", "value": "result"}),
    "categories": long().with_columns(pl.col("system").cast(pl.Categorical), pl.col("metric").cast(pl.Enum(METRICS))),
    "wide aliases": wide().rename({"system": "method", "case": "instance"}),
}


@pytest.mark.parametrize("form", FRAMES)
def test_frames_of_all_libraries(form: str) -> None:
    frame = FRAMES[form]
    assert_is_the_example(frame)
    assert_is_the_example(frame.lazy())
    assert_is_the_example(frame.to_pandas())
    assert_is_the_example(frame.to_arrow())


@pytest.mark.parametrize("form", FRAMES)
def test_files_of_all_kinds(form: str, tmp_path: Path) -> None:
    frame = FRAMES[form]
    frame.write_csv(tmp_path / "scores.csv")
    frame.write_csv(tmp_path / "scores.tsv", separator="\t")
    frame.write_csv(tmp_path / "windows.csv", line_terminator="\r\n", include_bom=True)
    frame.write_csv(tmp_path / "quoted.csv", quote_style="always")
    frame.write_json(tmp_path / "scores.json")
    frame.write_ndjson(tmp_path / "scores.jsonl")
    frame.write_parquet(tmp_path / "scores.parquet")
    frame.write_ipc(tmp_path / "scores.arrow")
    (tmp_path / "scores.csv.gz").write_bytes(gzip.compress((tmp_path / "scores.csv").read_bytes()))
    (tmp_path / "columns.json").write_text(json.dumps(frame.to_dict(as_series=False)))
    for path in sorted(tmp_path.iterdir()):
        assert_is_the_example(path)
        with path.open("rb") as file:
            assert_is_the_example(file)


def test_matrices_of_all_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for metric in METRICS:
        matrix(metric).write_csv(tmp_path / f"{metric}.csv")
        matrix(metric).write_parquet(tmp_path / f"{metric}.parquet")
    paths = {metric: tmp_path / f"{metric}.csv" for metric in METRICS}
    assert_is_the_example(paths)
    assert_is_the_example({metric: str(path) for metric, path in paths.items()})
    assert_is_the_example({metric: tmp_path / f"{metric}.parquet" for metric in METRICS})
    assert_is_the_example([f"{metric}={path}" for metric, path in paths.items()])
    assert_is_the_example(list(paths.values()))
    assert_is_the_example({metric: matrix(metric) for metric in METRICS})
    assert_is_the_example({metric: matrix(metric).to_pandas().set_index("case") for metric in METRICS})
    assert_is_the_example({"AP": matrix("AP"), "LogLoss": nested()["LogLoss"]})
    monkeypatch.chdir(tmp_path)
    assert_is_the_example("*.csv")


def test_dicts_and_their_json(tmp_path: Path) -> None:
    assert_is_the_example(nested())
    (tmp_path / "scores.json").write_text(json.dumps(nested()))
    assert_is_the_example(tmp_path / "scores.json")


def test_a_matrix_of_lists_has_numbered_cases() -> None:
    lists = {metric: {system: list(cases.values()) for system, cases in nested()[metric].items()} for metric in METRICS}
    cube, notices = read_scores(lists)
    assert cube.cases == ("1", "2")
    assert cube.values.tolist() == VALUES.tolist()
    assert codes(notices) == []
    one, _ = read_scores({"a": np.array([1.0, np.nan]), "b": [3, None]})
    assert one.metrics == ("score",)
    np.testing.assert_array_equal(one.values, [[[1.0, np.nan], [3.0, np.nan]]])


def test_systems_in_rows_need_the_name_of_their_metric(tmp_path: Path) -> None:
    path = tmp_path / "leaderboard.csv"
    path.write_text("model,mmlu,gsm8k\na,0.5,0.2\nb,0.3,0.4\n")
    cube, notices = read_scores(f"Accuracy={path}")
    assert (cube.metrics, cube.systems, cube.cases) == (("Accuracy",), ("a", "b"), ("mmlu", "gsm8k"))
    assert cube.values.tolist() == [[[0.5, 0.2], [0.3, 0.4]]]
    assert "a row for each model, 2 columns read as cases of Accuracy: mmlu, gsm8k" in message_of(notices, "N238")


def test_means_are_one_case() -> None:
    for text in ("model,AP,P@10\na,0.5,0.2\nb,0.3,0.4\n", "run,metric,value\na,AP,0.5\na,P@10,0.2\nb,AP,0.3\nb,P@10,0.4\n"):
        cube, notices = of(text)
        assert (cube.metrics, cube.cases) == (("AP", "P@10"), ("all",))
        assert cube.values.tolist() == [[[0.5], [0.3]], [[0.2], [0.4]]]
        assert "no column for the case" in message_of(notices, "N238")


@pytest.mark.parametrize("text", ["topic,run,baseline\nq1,0.5,0.25\nq2,1.0,0.5\n", ",run,baseline\nq1,0.5,0.25\nq2,1.0,0.5\n"])
def test_a_column_of_fractions_is_a_system_not_a_column_of_names(text: str) -> None:
    cube, _ = of(text)
    assert (cube.systems, cube.cases) == (("run", "baseline"), ("q1", "q2"))


def test_systems_may_be_called_by_numbers() -> None:
    cube, _ = of("model,topic,AP\n3.5,q1,0.25\n4,q1,0.3\n")
    assert cube.systems == ("3.5", "4")
    cube, _ = of("0,1,2\n0.5,0.25,0.1\n")
    assert cube.systems == ("0", "1", "2")


def test_ids_are_text_without_white_space_around() -> None:
    cube, _ = of("system, case, AP\na , 007, 1\nb,007,2\n")
    assert (cube.metrics, cube.systems, cube.cases) == (("AP",), ("a", "b"), ("007",))


def test_empty_lines_are_no_rows() -> None:
    cube, notices = of('\n"a","b"\r\n\r\n0.5,1\r\n,\r\n\n\n2,3\r\n\r\n')
    assert cube.cases == ("1", "2", "3")
    np.testing.assert_array_equal(cube.values[0], [[0.5, np.nan, 2], [1, np.nan, 3]])
    assert "2 of 6 scores are missing and left out (score 2): a in 2, b in 2" in message_of(notices, "N240")


def test_scores_and_saved_scores(tmp_path: Path) -> None:
    gold = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    systems = {"s1": {"q1": {"d1": 1.0}, "q2": {"d2": 1.0, "d1": 0.5}}, "s2": {"q1": {"d2": 1.0, "d1": 0.2}}}
    scores = plumbline.evaluate(gold, systems, metrics=["map", "P@1", "num_ret"])
    scores.save(tmp_path / "scores.parquet")
    with (tmp_path / "scores.parquet").open("rb") as file:
        for source in (scores, tmp_path / "scores.parquet", [scores, scores], file):
            cube, notices = read_scores(source, metrics=["P@1", "map"])
            assert (cube.metrics, cube.systems, cube.cases) == (("P@1", "AP"), ("s1", "s2"), ("q1", "q2"))
            assert cube.values.tolist() == [[[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.5], [0.5, 0.0]]]
            assert "N201" in codes(notices)
    _, notices = read_scores(scores)
    assert "NumRet: higher is better assumed (a count, neither good nor bad)" in message_of(notices, "N237")


def test_files_of_different_systems_are_taken_together(tmp_path: Path) -> None:
    for system in SYSTEMS:
        long().filter(pl.col("system") == system).write_csv(tmp_path / f"{system}.csv")
    assert_is_the_example([tmp_path / f"{system}.csv" for system in SYSTEMS])


def test_a_metric_name_may_hold_a_sign(tmp_path: Path) -> None:
    matrix("AP").write_csv(tmp_path / "x.csv")
    cube, _ = read_scores(f"nDCG(gain=exp)@10={tmp_path / 'x.csv'}")
    assert cube.metrics == ("nDCG(gain=exp)@10",)


NUMBERS: Final = st.one_of(st.none(), st.floats(-10, 10).map(lambda value: round(value, 3)))
TABLES: Final = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("123456"), st.sampled_from(["AP", "RR"])), NUMBERS, min_size=1
)


@given(TABLES)
def test_any_long_table_is_the_cube_that_a_loop_makes(rows: dict[tuple[str, str, str], float | None]) -> None:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["system", "case", "metric", "value"])
    writer.writerows([*key, "NA" if value is None else value] for key, value in rows.items())
    present = {metric for (_, _, metric), value in rows.items() if value is not None}
    cases = {
        name: {case for (_, case, metric), value in rows.items() if metric == name and value is not None} for name in present
    }
    if not present or (len(present) > 1 and not cases["AP"] & cases["RR"]):
        with pytest.raises(BadData):
            of(buffer.getvalue())
        return
    cube, _ = of(buffer.getvalue())
    assert set(cube.metrics) == present
    for m, metric in enumerate(cube.metrics):
        for s, system in enumerate(cube.systems):
            for c, case in enumerate(cube.cases):
                value = rows.get((system, case, metric))
                np.testing.assert_equal(cube.values[m, s, c], np.nan if value is None else value)


def test_real_matrices() -> None:
    folder = shared("data", "urbano_topic_by_system")
    for path in sorted(folder.glob("**/*.csv")):
        with path.open(newline="") as file:
            header, *rows = list(csv.reader(file))
        named = header[0] == "topic"
        cube, notices = read_scores(path)
        assert cube.metrics == (path.stem,)
        assert cube.systems == tuple(header[named:])
        assert cube.cases == tuple(row[0] if named else str(number) for number, row in enumerate(rows, 1))
        assert cube.values[0].T.tolist() == [[float(word) for word in row[named:]] for row in rows]
        assert codes(notices) == ["N237"]


def test_several_real_matrices_are_one_cube() -> None:
    folder = shared("data", "urbano_topic_by_system", "sigir2018")
    names = {"AP": "ap", "P@10": "p10", "nDCG@20": "ndcg20", "ERR@20": "err20"}
    cube, notices = read_scores([f"{metric}={folder / f'web2010_{name}.csv'}" for metric, name in names.items()])
    assert cube.metrics == tuple(names)
    assert cube.values.shape == (4, 88, 48)
    assert codes(notices) == []
    with pytest.raises(BadData, match=r"web2011_p10.csv: E164 50 rows, and .*web2010_ap.csv has 48"):
        read_scores({"AP": folder / "web2010_ap.csv", "P@10": folder / "web2011_p10.csv"})
