"""The comparison of methods of intervals, with few data sets: methods are what they are called, and the best one is used."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from tests.helpers import reproductions as reproduced

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("interval_methods")


def test_t_is_scipys(script: ModuleType) -> None:
    x = np.random.default_rng(1).exponential(size=(3, 7))
    for row, low, high in zip(x, *script.by_t(x), strict=True):
        expected = stats.t.interval(0.95, 6, row.mean(), stats.sem(row))
        assert (low, high) == pytest.approx(expected)


def test_ends_of_signs_are_where_the_randomization_test_begins_to_reject(script: ModuleType) -> None:
    x = np.random.default_rng(2).exponential(size=(1, 8))
    signs = np.array(list(product((-1, 1), repeat=8)))

    def p(truth: float) -> float:
        sums = np.abs(signs @ (x[0] - truth))
        return float((sums >= abs((x[0] - truth).sum()) - 1e-12).mean())

    low, high = (float(end[0]) for end in script.by_signs(x))
    assert p(low - 1e-6) < 0.05 <= p(low + 1e-6)
    assert p(high + 1e-6) < 0.05 <= p(high - 1e-6)
    assert np.isnan(script.by_signs(x[:, :5])).all()


def test_few_cases_with_tails_are_covered_best_by_the_method_in_use(script: ModuleType) -> None:
    for kind in ("skewed", "half tied, skewed", "very long tail"):
        rates = {name: held for name, (held, _) in script.rates(kind, 10, 1500).items()}
        assert rates["plumbline"] > rates["t"] + 0.04
        assert rates["plumbline"] >= max(rates.values()) - 0.015
    assert 0.945 <= script.rates("normal", 10, 1500)["plumbline"][0] <= 0.98


def test_the_readme_has_a_table_for_every_size(script: ModuleType) -> None:
    text = reproduced.readme()
    for cases in script.SIZES:
        assert f"### {cases} cases: intervals of 95 % that hold the truth" in text
    assert f"| differences | {' | '.join(script.METHODS)} |" in text
