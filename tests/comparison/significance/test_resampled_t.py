"""The t test of folds against published values, and what its correction does."""

from __future__ import annotations

from itertools import permutations
from math import nan

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.paired_t import paired_t
from plumbline.comparison.significance.resampled_t import resampled_t
from plumbline.errors import BadUsage
from tests.helpers.made_scores import scores
from tests.helpers.shared import shared


def test_the_example_of_scikit_learn() -> None:
    """Four support vector machines in ten times ten folds; p there is one-sided."""
    values = np.loadtxt(shared("data", "baycomp", "nadeau_bengio_scores.csv"), delimiter=",").T
    corrected, plain = resampled_t(values, 1 / 9), resampled_t(values, 0.0)
    assert corrected.statistic[0, 1] == pytest.approx(0.7503127, abs=1e-7)
    assert corrected.p[0, 1] / 2 == pytest.approx(0.2274230, abs=1e-7)
    assert plain.statistic[0, 1] == pytest.approx(2.6111648, abs=1e-7)
    assert plain.p[0, 1] / 2 == pytest.approx(0.0052130, abs=1e-7)


def test_p_by_formula() -> None:
    values = scores(4, 10, missing=0.1)
    result = resampled_t(values, 0.25)
    for a, b in permutations(range(4), 2):
        d = (values[a] - values[b])[~np.isnan(values[a] - values[b])]
        t = d.mean() / np.sqrt((1 / len(d) + 0.25) * d.var(ddof=1))
        assert result.statistic[a, b] == pytest.approx(t)
        assert result.p[a, b] == pytest.approx(2 * stats.t.sf(abs(t), len(d) - 1))


def test_without_a_share_the_columns_are_the_folds() -> None:
    values = scores(3, 5)
    assert resampled_t(values).p == pytest.approx(resampled_t(values, 1 / 4).p)
    assert resampled_t(values, 0.0).p == pytest.approx(paired_t(values).p)
    assert (resampled_t(values).p >= paired_t(values).p).all()


def test_folds_that_share_training_data_keep_the_level() -> None:
    """Fold differences with a correlation of 0.1, as ten folds have: the plain test claims four times too often."""
    generator = np.random.default_rng(1)
    shared_part, noise = generator.normal(size=(400, 1)), generator.normal(size=(400, 10))
    differences = np.sqrt(0.1) * shared_part + np.sqrt(0.9) * noise
    values = np.concatenate((differences, np.zeros((1, 10))))
    assert (resampled_t(values).p[:-1, -1] < 0.05).mean() < 0.08
    assert (paired_t(values).p[:-1, -1] < 0.05).mean() > 0.1


def test_degenerate_tables_have_an_answer() -> None:
    assert resampled_t([[0.3, 0.4], [0.2, 0.3]]).p[0, 1] == 0
    assert resampled_t([[0.3, 0.4], [0.3, 0.4]]).p[0, 1] == 1
    lonely = resampled_t([[0.3, nan], [0.2, nan]])
    assert np.isnan(lonely.p[0, 1])
    assert "no p" in lonely.note
    assert resampled_t(np.zeros((0, 3))).p.shape == (0, 0)
    with pytest.raises(BadUsage):
        resampled_t(scores(2, 3), -0.1)
