"""Values of an evaluation by case and name, and how they are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from tests.helpers.ranking_worlds import World

if TYPE_CHECKING:
    from tests.helpers.ranking_worlds import Table

Values = dict[tuple[str, str], float | str | None]

LONG = World(
    {"q1": {f"i{number:02d}": float(number % 5 - 1) for number in range(0, 40, 2)}, "q2": {"i05": 0.0}, "q3": {}},
    {"q1": {f"i{number:02d}": float(number * 7 % 13) for number in range(40)}, "q2": {"i05": 1.0}},
)
"""A longer list with ties and every second item judged; a case without relevant items and one without judgements."""


def values_of(scores: plumbline.Scores, system: str) -> Values:
    """Every value of a system by case and canonical name, text included."""
    actual: Values = {(case, name): value for who, case, name, value in scores.per_case.iter_rows() if who == system}
    for row in scores.texts.iter_rows(named=True):
        if row["system"] == system:
            actual |= {(row["case"], name): value for name, value in row.items() if name not in {"system", "case"}}
    return actual


def values(names: list[str], gold: Table, run: Table, **options: Any) -> Values:
    """Every value of one system."""
    return values_of(plumbline.evaluate(gold, {"system": run}, names, **options), "system")


def assert_same(actual: Values, expected: Values, tolerance: float = 1e-12) -> None:
    """Equal up to rounding; undefined and text exactly."""
    assert actual.keys() == expected.keys()
    for key, value in expected.items():
        if isinstance(value, float):
            assert actual[key] == pytest.approx(value, rel=tolerance, abs=tolerance), key
        else:
            assert actual[key] == value, key
