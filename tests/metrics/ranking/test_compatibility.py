"""Compatibility: a second time, and as the program of its authors has it."""

from __future__ import annotations

from math import fsum

import pytest

import plumbline
from tests.helpers.draw import draw, score
from tests.helpers.ranking_oracles import Listed, Value, oracle
from tests.helpers.shared import shared


def overlap(one: list[int], other: list[int], p: float) -> float:
    return fsum(p**depth * len(set(one[: depth + 1]) & set(other[: depth + 1])) / (depth + 1) for depth in range(1000))


@oracle("Compat")
def compatibility(case: Listed, *, p: float) -> Value:
    """Both lists as lists; items that are not shown get numbers of their own."""
    if not case.ideal():
        return None
    unseen = list(case.gold)
    for grade in case.shown:
        if grade is not None:
            unseen.remove(grade)
    items = [*case.shown, *unseen]
    ideal = sorted((at for at, grade in enumerate(items) if grade is not None and grade > 0), key=lambda at: -(items[at] or 0))
    return overlap(list(range(len(case.shown))), ideal, p) / overlap(ideal, ideal, p)


def test_the_program_of_its_authors_agrees() -> None:
    files = {name: shared("data", "small_oracles", f"compat.{name}") for name in ("qrels", "run")}
    lines = shared("data", "small_oracles", "expected_compat.tsv").read_text(encoding="utf-8").splitlines()[1:]
    names = [line.split("\t")[0] for line in lines]
    scores = plumbline.evaluate(files["qrels"], files["run"], names)
    actual = scores.per_case.sort("case", maintain_order=True)["value"].to_list()
    expected = [float(line.split("\t")[column]) for column in (1, 2) for line in lines]
    assert actual == pytest.approx(expected, abs=1e-12)


def test_the_order_within_a_grade_does_not_matter_and_that_of_grades_does() -> None:
    assert score("Compat", draw("2 1 1")) == pytest.approx(1.0)
    assert (score("Compat", draw("1 2 1")) or 1.0) < 1.0
