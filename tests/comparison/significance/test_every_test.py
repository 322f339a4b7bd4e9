"""What holds for every significance test that is declared, whoever declared it."""

from __future__ import annotations

from itertools import combinations
from math import nan, sqrt

import numpy as np
import pytest

import plumbline
from plumbline.comparison.significance import catalogue
from plumbline.comparison.significance.registry import SignificanceTest, all_tests, find_test
from plumbline.comparison.significance.widening import widened
from plumbline.errors import BadUsage
from plumbline.reports.sections.references import entries
from tests.helpers.command_line import plumbline as program
from tests.helpers.made_scores import scores
from tests.helpers.significance_oracles import PAIR_ORACLES, TABLE_ORACLES

DRAWS = 4000
EVERY = pytest.mark.parametrize("test", all_tests().values(), ids=lambda test: test.name)


def error(test: SignificanceTest, p: np.ndarray | float = 0.5) -> np.ndarray | float:
    """Five standard errors of a drawn p, and the one that is added to both counts; rounding otherwise."""
    return 5 * np.sqrt(np.asarray(p) * (1 - np.asarray(p)) / DRAWS) + 1 / DRAWS if test.drawn else 1e-9


@EVERY
def test_it_is_declared_with_everything_that_is_printed_about_it(test: SignificanceTest) -> None:
    assert test.summary.endswith(".")
    assert test.title
    assert not test.choose_if.endswith(".")
    assert len(entries([str(test.paper)])) == 1, "the paper has an entry in references.bib"
    assert find_test(test.name) is test
    assert test.name in catalogue.test_names()
    assert (test.name in catalogue.pairwise_test_names()) != test.familywise


@EVERY
def test_it_has_an_oracle(test: SignificanceTest) -> None:
    assert test.name in (TABLE_ORACLES if test.familywise else PAIR_ORACLES)


@EVERY
@pytest.mark.parametrize(("cases", "digits", "missing"), [(3, 2, 0.0), (5, 1, 0.0), (5, None, 0.0), (7, 2, 0.25)])
def test_it_agrees_with_its_oracle(test: SignificanceTest, cases: int, digits: int | None, missing: float) -> None:
    values = scores(3, cases, digits=digits, missing=missing, seed=8)
    result = test(values, resamples=DRAWS, seed=1)
    if test.familywise:
        complete = values[:, ~np.isnan(values).any(axis=0)]
        expected = TABLE_ORACLES[test.name](complete)
        assert (np.abs(result.p - expected) <= error(test, expected)).all()
        assert (result.cases == complete.shape[1]).all()
        return
    for a, b in combinations(range(len(values)), 2):
        both = ~np.isnan(values[[a, b]]).any(axis=0)
        slow = PAIR_ORACLES[test.name](values[a][both], values[b][both])
        tolerance = (
            (0.2 if test.widened else 0.1) if missing and test.drawn else error(test, slow)
        )  # draws from all cases are a little different
        assert result.p[a, b] == pytest.approx(slow, abs=float(tolerance))
        assert result.cases[a, b] == both.sum()


@EVERY
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_p_is_a_symmetric_table_of_probabilities(test: SignificanceTest, missing: float) -> None:
    values = scores(5, 25, digits=2, missing=missing)
    result = test(values, resamples=200, seed=3)
    known = result.p[~np.isnan(result.p)]
    assert ((known >= 0) & (known <= 1)).all()
    assert np.array_equal(result.p, result.p.T, equal_nan=True)
    assert (np.diag(result.p) == 1).all()
    assert (result.name, result.familywise) == (test.title, test.familywise)
    assert (result.resamples, result.seed) == ((200, 3) if test.drawn else (None, None))


@EVERY
def test_names_order_units_and_direction_do_not_matter(test: SignificanceTest) -> None:
    values = scores(4, 12)
    p = test(values, resamples=DRAWS).p
    systems, cases = np.array([2, 0, 3, 1]), np.random.default_rng(0).permutation(12)
    others = {
        "the order of systems": test(values[systems], resamples=DRAWS).p[np.ix_(np.argsort(systems), np.argsort(systems))],
        "the order of cases": test(values[:, cases], resamples=DRAWS).p,
        "the unit": test(values * 4, resamples=DRAWS).p,
        "what all systems have in common on a case": test(values + np.linspace(0, 1, 12), resamples=DRAWS).p,
        "the direction": test(-values, resamples=DRAWS).p,
    }
    if test.name == "nemenyi":
        others["any scale of a case"] = test(values * np.linspace(1, 9, 12), resamples=DRAWS).p
    for what, other in others.items():
        assert (np.abs(other - p) <= sqrt(2) * np.asarray(error(test, p)) + 1e-9).all(), what


@EVERY
def test_a_pair_has_the_same_p_alone_and_in_company(test: SignificanceTest) -> None:
    values = scores(4, 20)
    alone, together = test(values[:2], resamples=500).p[0, 1], test(values, resamples=500).p[0, 1]
    assert (alone == pytest.approx(together, rel=1e-9)) != test.familywise


@EVERY
def test_a_large_difference_is_found(test: SignificanceTest) -> None:
    values = scores(3, 40)
    values[2] += 2
    assert (test(values, resamples=500).p[2, :2] < 0.01).all()


@EVERY
def test_equal_systems_have_p_1(test: SignificanceTest) -> None:
    values = np.tile(scores(1, 20), (3, 1))
    assert (test(values, resamples=50).p == 1).all()


@EVERY
def test_it_seldom_claims_a_difference_where_there_is_none(test: SignificanceTest) -> None:
    """At level 0.05: a pair in 5 % of the tables, or for a familywise test any pair of 4 systems."""
    generator = np.random.default_rng(11)
    if test.familywise:
        tables = generator.normal(size=(150, 4, 15)) + generator.normal(size=(150, 1, 15))
        claims = [bool((test(table, resamples=99).p < 0.05).any()) for table in tables]
    else:
        tables = generator.normal(size=(10, 80, 30)) + generator.normal(size=(10, 1, 30))
        first = np.arange(0, 80, 2)  # pairs that share no system
        claims = [claim for table in tables for claim in test(table, resamples=199).p[first, first + 1] < 0.05]
    rate = np.mean(claims)
    assert 0.01 < rate < 0.05 + 4 * sqrt(0.05 * 0.95 / len(claims))


@EVERY
@pytest.mark.parametrize(
    "values",
    [
        np.full((3, 4), nan),
        np.zeros((3, 0)),
        np.zeros((0, 4)),
        np.zeros((1, 4)),
        np.array([[0.1], [0.2]]),
        np.array([[0.1, nan], [nan, 0.2], [0.3, 0.3]]),
        np.array([[0.5, 0.5, 0.5], [0.25, 0.25, 0.25]]),
        np.zeros((2, 5)),
        np.array([[0.1, 0.2, 0.3], [nan, nan, nan], [0.2, 0.1, 0.5]]),
    ],
)
def test_degenerate_tables_have_an_answer(test: SignificanceTest, values: np.ndarray) -> None:
    """Never a warning (they are errors in these tests), never a crash; where p is missing, the note tells."""
    result = test(values, resamples=20)
    assert result.p.shape == result.statistic.shape == result.cases.shape == (len(values), len(values))
    assert (np.diag(result.p) == 1).all()
    assert np.array_equal(result.p, result.p.T, equal_nan=True)
    if np.isnan(result.p).any():
        assert "no p" in result.note or "left out" in result.note


@EVERY
def test_blocks_do_not_matter(test: SignificanceTest, monkeypatch: pytest.MonkeyPatch) -> None:
    values = scores(11, 25, digits=2, missing=0.02)
    at_once = test(values, resamples=300)
    for module in ("pairs", "resampling", "randomization", "wilcoxon"):
        monkeypatch.setattr(f"plumbline.comparison.significance.{module}.BLOCK", 64)
    assert np.allclose(test(values, resamples=300).p, at_once.p, rtol=1e-12, equal_nan=True)


@EVERY
def test_few_cases_bound_p_as_declared(test: SignificanceTest) -> None:
    """With n cases p is at least 2 of 2^n, if it is a share of all signs."""
    if test.exact_up_to:
        values = np.array([[0.9, 0.8, 0.7, 0.95], [0.1, 0.2, 0.4, 0.05]])
        assert test(values).p[0, 1] == pytest.approx(2 / 2**4)


@EVERY
@pytest.mark.parametrize(("cases", "systems"), [(1, 2), (2, 2), (3, 2), (3, 3), (5, 2)])
def test_no_p_is_smaller_than_declared(test: SignificanceTest, cases: int, systems: int) -> None:
    """Neither that of one system which wins every case by as much as the others differ, nor those of chance."""
    smallest = test.smallest_p(cases, systems)
    best = np.tile(np.arange(systems)[::-1, None], (1, cases)) / 4.0
    for values in (best, *(scores(systems, cases, seed=seed) for seed in range(3))):
        p = test(values, resamples=DRAWS).p
        assert np.nanmin(p) >= smallest - error(test, smallest)
    if test.widened:
        return  # more draws would make it smaller
    reached = test(best, resamples=DRAWS).p[0, -1]
    assert np.isnan(reached) or reached == pytest.approx(smallest, abs=float(error(test, smallest)))


@EVERY
def test_p_that_no_draw_reached_is_at_most(test: SignificanceTest) -> None:
    values = scores(3, 40)
    values[2] += 2
    result = test(values, resamples=100)
    if not test.drawn:
        assert result.bounded is None
        return
    assert result.bounded is not None
    least = widened(1 / 101, 40) if test.widened else 1 / 101
    assert result.bounded.tolist() == (result.p <= least).tolist()
    assert result.bounded[2, :2].all()
    assert not result.bounded.diagonal().any()


@EVERY
def test_several_metrics_are_tested_with_the_same_draws(test: SignificanceTest) -> None:
    values = np.stack((scores(3, 20), scores(3, 20, seed=1), scores(3, 20)))
    results = test.each(values, resamples=50, seed=4)
    assert np.array_equal(results[0].p, results[2].p)
    assert np.array_equal(results[1].p, test(values[1], resamples=50, seed=4).p)


@EVERY
def test_its_name_is_printed(test: SignificanceTest) -> None:
    table = {"a": [0.9, 0.8, 0.7, 0.9, 0.6], "b": [0.1, 0.2, 0.4, 0.3, 0.2], "c": [0.3, 0.1, 0.5, 0.2, 0.4]}
    comparison = plumbline.compare(table, test=test.name)
    assert comparison.verdict("a", "b").test == test.title
    assert test.title in repr(comparison)
    assert f'"{test.title}"' in comparison.to_json()
    assert ("Holm" in comparison.to_json()) != test.familywise


@EVERY
def test_the_program_offers_it(test: SignificanceTest) -> None:
    assert test.name in program("compare", "--help").out
    assert (test.name in program("meta", "--help").out) != test.familywise


def test_an_unknown_test_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BadUsage, match="wilcoxon"):
        plumbline.compare({"a": [0.1, 0.2], "b": [0.3, 0.1]}, test="magic")
