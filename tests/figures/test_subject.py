"""What figures draw from."""

from __future__ import annotations

import pytest

import plumbline
from drawn import evaluated, named, table
from plumbline import BadUsage
from plumbline.figures.subject import Subject, subject_of

THREE = table(named(3), ("P", "R", "AP"))


def test_metrics_narrow_every_kind_of_source() -> None:
    scores = evaluated("ranking", 3).scores
    for source, metrics in ((THREE, ["AP", "P"]), (plumbline.compare(THREE), ["AP", "P"]), (scores, ["RR", "AP"])):
        made = subject_of(source, metrics=metrics)
        assert made.cube.metrics == tuple(metrics)
        assert made.comparison is not None
        assert made.comparison.cube.metrics == tuple(metrics)
    assert subject_of(THREE, metrics="AP").cube.metrics == ("AP",)
    with pytest.raises(BadUsage, match="E308 no metric"):
        subject_of(plumbline.compare(THREE), metrics=["nothing"])


def test_a_comparison_is_kept_as_it_is() -> None:
    found = plumbline.compare(THREE, test="t", eps=0.25)
    made = subject_of(found)
    assert made.comparison is found
    assert made.eps == 0.25
    assert made.compared_by(("P",)).test == "t"
    assert made.compared_by(systems=("system01", "system02")).systems == ("system01", "system02")


def test_options_of_compare_count() -> None:
    made = subject_of(THREE, comparing={"baseline": "system01", "lower": ["R"], "mean": "arithmetic"})
    assert made.comparison is not None
    assert made.comparison.baseline == "system01"
    assert made.cube.lower.tolist() == [False, True, False]
    assert made.mean == "arithmetic"


def test_one_system_is_not_compared() -> None:
    made = subject_of(table(["only"]))
    assert made.comparison is None
    with pytest.raises(BadUsage, match="E167"):
        made.compared_by(("P",))


def test_gold_and_systems_are_evaluated_and_kept() -> None:
    made = evaluated("ranking", 3)
    assert made.has_outputs
    assert made.task == "ranking"
    assert made.scores is not None
    assert made.notices == made.scores.notices


def test_nothing() -> None:
    assert not Subject().has_values
    assert Subject().notices == ()
    assert Subject().comparison is None
