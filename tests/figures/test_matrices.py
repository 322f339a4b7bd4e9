"""Confusion matrices: their counts, and whose they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from statistics import fmean
from typing import Any

import pytest

from plumbline.figures.kinds.confusion import matrix_tables
from tests.helpers.figure_subjects import data, evaluated, named, outputs, spec


def test_confusion_matrix() -> None:
    subject = evaluated("classification", 5)
    for system in named(5):
        counted = {
            (row["gold"], row["given"]): (row["count"], row["share"])
            for row in data(spec("confusion", subject, systems=(system,)), "count")
        }
        for wanted, given_class in product(("cat", "dog", "owl"), repeat=2):
            pairs = [
                (label, subject.outputs.systems[system][case][item])
                for case, labels in subject.outputs.gold.items()
                for item, label in labels.items()
            ]
            count, total = pairs.count((wanted, given_class)), sum(label == wanted for label, _ in pairs)
            assert counted[wanted, given_class] == (count, pytest.approx(count / total))


@pytest.mark.slow
def test_the_best_systems_have_a_matrix_and_a_baseline_always_has() -> None:
    subject = outputs("classification", named(12), metrics=["Accuracy"])
    means = {name: round(fmean(subject.cube.values[0, at]), 9) for at, name in enumerate(subject.cube.systems)}
    best = sorted(named(12), key=lambda name: -means[name])
    assert best[:6] != named(6)
    drawn = spec("confusion", subject)
    assert _titles(drawn) == best[:6]
    assert f"of the best 6 systems ({', '.join(best[:6])})" in drawn["description"]
    assert "not drawn: 6 more systems" in drawn["description"]
    assert _titles(spec("confusion", replace(subject, comparing={"baseline": best[-1]}))) == [*best[:5], best[-1]]
    assert _titles(spec("confusion", replace(subject, comparing={"baseline": best[1]}))) == best[:6]
    assert _titles(spec("confusion", subject, systems=(best[-1], best[0]))) == [best[-1], best[0]]


def test_the_tables_behind_matrices_are_those_of_the_best_systems() -> None:
    subject = outputs("classification", named(15), metrics=["Accuracy"])
    means = {name: round(fmean(subject.cube.values[0, at]), 9) for at, name in enumerate(subject.cube.systems)}
    best = sorted(named(15), key=lambda name: -means[name])
    tables = matrix_tables(subject)
    assert [table.summary for table in tables] == [f"The counts of {name}" for name in best[:12]]
    assert tables[-1].grid.notes == (
        "The page has the matrices of the best 12 systems, by score; 3 more systems are left out.",
    )
    against = matrix_tables(replace(subject, comparing={"baseline": best[-1]}))
    assert against[-1].summary == f"The counts of {best[-1]}"
    assert f"of the best 11 systems and {best[-1]}, by score" in against[-1].grid.notes[0]


def _titles(drawn: dict[str, Any]) -> list[str]:
    rows_of = drawn.get("vconcat", [drawn])
    return [panel["layer"][0]["title"]["text"] for row in rows_of for panel in row["hconcat"]]
