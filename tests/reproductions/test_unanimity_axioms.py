"""The axioms of the unanimous improvement: relations by hand, and what the README shows; no data are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.helpers import reproductions as reproduced

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("unanimity_axioms")


def test_the_relation_by_hand(script: ModuleType) -> None:
    order, high, low, other = script.unanimous(), script.Point(3, 2), script.Point(3, 1), script.Point(2, 3)
    assert order.at_least(high, low)
    assert order.better(high, low)
    assert order.equal(low, low)
    assert not order.at_least(high, other)
    assert not order.at_least(other, high)
    assert script.connected(order).equal(high, other)
    assert script.connected(order).better(high, low)


@pytest.mark.parametrize("key", ["sum", "first"])
def test_orders_by_one_number_keep_what_they_should(script: ModuleType, key: str) -> None:
    """A sum satisfies all axioms but the last one; the first score alone has no essential second one."""
    values = np.array([sum(point) if key == "sum" else point.first for point in script.POINTS])
    order = script.Ordered(values[:, None] >= values)
    broken = {name for name, (tried, *_) in script.AXIOMS.items() if tried(order) is not None}
    expected = {"decreasing marginal effectiveness"} if key == "sum" else {"essential components"}
    assert broken == expected


def test_decreasing_marginal_effectiveness_of_the_smaller_score(script: ModuleType) -> None:
    """Giving up all of a score leaves 0 as the smaller one."""
    values = np.array([min(point) for point in script.POINTS])
    assert script.decreasing_marginal_effectiveness(script.Ordered(values[:, None] >= values)) is None


def test_the_readme_shows_what_is_printed(script: ModuleType) -> None:
    assert script.report() in reproduced.readme()
