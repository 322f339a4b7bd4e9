"""Runs and folds of a table of scores: means over runs, their spread, and values of folds."""

from __future__ import annotations

import io
from statistics import mean, stdev

import numpy as np
import pytest

from plumbline.comparison.reading import read_repeated, read_scores
from plumbline.errors import BadData

LONG = "system,case,seed,metric,value\n" + "".join(
    f"{system},{case},{seed},Accuracy,{value}\n"
    for system, case, seed, value in [
        ("A", "q1", 1, 0.2),
        ("A", "q2", 1, 0.4),
        ("A", "q1", 2, 0.4),
        ("A", "q2", 2, 0.8),
        ("B", "q1", 1, 0.5),
        ("B", "q2", 1, 0.1),
    ]
)
WIDE = "run,seed,case,Accuracy,AP\nA,1,q1,0.2,0.1\nA,2,q1,0.4,0.3\nB,1,q1,0.5,0.7\nB,2,q1,0.9,0.5\n"
FOLDS = "model,fold,Accuracy\nA,1,0.2\nA,2,0.4\nB,1,0.5\nB,2,0.9\n"


def test_values_are_means_over_runs() -> None:
    cube, repeated, _ = read_repeated(io.StringIO(LONG), runs="seed")
    assert repeated is not None
    assert (cube.systems, cube.cases, repeated.runs) == (("A", "B"), ("q1", "q2"), ("1", "2"))
    assert cube.values[0] == pytest.approx(np.array([[0.3, 0.6], [0.5, 0.1]]))
    assert repeated.of_runs[0, 0].tolist() == pytest.approx([0.3, 0.6])
    assert repeated.counts.tolist() == [[2, 1]]
    assert repeated.spread[0, 0] == pytest.approx(stdev([0.3, 0.6]))
    assert np.isnan(repeated.spread[0, 1])


def test_a_column_called_run_is_the_system_unless_it_tells_runs_apart() -> None:
    cube, repeated, _ = read_repeated(io.StringIO(WIDE), runs="Seed", metrics=["AP"])
    assert repeated is not None
    assert cube.systems == ("A", "B")
    assert repeated.metrics == ("AP",)
    assert cube.values[0, :, 0].tolist() == pytest.approx([mean([0.1, 0.3]), mean([0.7, 0.5])])
    renamed = WIDE.replace("run,seed", "model,run")
    assert read_repeated(io.StringIO(renamed), runs="run")[0].values == pytest.approx(
        read_repeated(io.StringIO(WIDE), runs="seed")[0].values
    )


def test_folds_are_the_cases_of_a_table_without_cases() -> None:
    cube, repeated, _ = read_repeated(io.StringIO(FOLDS), folds="fold")
    assert repeated is not None
    assert (cube.cases, repeated.folds) == (("1", "2"), ("1", "2"))
    assert repeated.of_folds[0].tolist() == cube.values[0].tolist() == [[0.2, 0.4], [0.5, 0.9]]


def test_cases_lie_in_folds() -> None:
    text = "system,case,fold,Accuracy\n" + "".join(
        f"{s},q{c},{c % 2},{v}\n" for s, v in (("A", 0.2), ("B", 0.5)) for c in range(4)
    )
    cube, repeated, _ = read_repeated(io.StringIO(text.replace("A,q2,0,0.2", "A,q2,0,0.4")), folds="fold")
    assert repeated is not None
    assert cube.cases == ("q0", "q1", "q2", "q3")
    assert repeated.of_folds[0] == pytest.approx(np.array([[0.3, 0.2], [0.5, 0.5]]))


def test_a_case_in_several_folds_is_a_case_in_each() -> None:
    text = "system,dataset,fold,AP\nA,iris,1,0.1\nA,iris,2,0.2\nB,iris,1,0.3\nB,iris,2,0.4\n"
    cube, repeated, _ = read_repeated(io.StringIO(text), folds="fold")
    assert repeated is not None
    assert cube.cases == ("iris, fold 1", "iris, fold 2")
    assert repeated.fold.tolist() == [0, 1]


def test_runs_without_cases_have_one_value_each() -> None:
    text = "system,seed,AP\nA,1,0.1\nA,2,0.3\nB,1,0.3\nB,2,0.4\n"
    cube, repeated, _ = read_repeated(io.StringIO(text), runs="seed")
    assert repeated is not None
    assert cube.values[0, :, 0].tolist() == pytest.approx([0.2, 0.35])
    assert repeated.spread[0].tolist() == pytest.approx([stdev([0.1, 0.3]), stdev([0.3, 0.4])])


def test_without_repetitions_nothing_changes() -> None:
    text = LONG.replace("seed", "value_id").splitlines()
    plain = "\n".join(line for line in text if ",2,Accuracy" not in line)
    cube, repeated, notices = read_repeated(io.StringIO(plain))
    again, others = read_scores(io.StringIO(plain))
    assert repeated is None
    assert cube.values.tolist() == again.values.tolist()
    assert notices == others


def test_two_values_of_one_run_are_refused_by_name() -> None:
    with pytest.raises(BadData, match="A, run 1 in case q1"):
        read_repeated(io.StringIO(LONG + "A,q1,1,Accuracy,0.9\n"), runs="seed")
    with pytest.raises(BadData, match="no column 'sede' for the run"):
        read_repeated(io.StringIO(LONG), runs="sede")
    with pytest.raises(BadData, match="nested dicts"):
        read_repeated({"AP": {"A": {"q1": 0.5}, "B": {"q1": 0.6}}}, runs="seed")
    with pytest.raises(BadData, match="run"):
        read_repeated(io.StringIO(LONG.replace("A,q1,1,", "A,q1,,")), runs="seed")
