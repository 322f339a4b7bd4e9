"""Unanimous improvements against a triple loop, the paper's examples, scipy and what must always hold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from plumbline import Comparison
from plumbline.comparison.combining import combined
from plumbline.comparison.unanimity import unanimity as module
from plumbline.comparison.unanimity.interval import interval
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.errors import BadUsage
from tests.helpers.score_cubes import cube_of, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from plumbline.comparison.cube import Cube

TABLE_3_A = [
    (0.5, 0.5),
    (0.5, 0.2),
    (0.5, 0.2),
    (0.6, 0.4),
    (0.7, 0.5),
    (0.3, 0.5),
    (0.4, 0.5),
    (0.4, 0.5),
    (0.3, 0.5),
    (0.2, 0.5),
]
TABLE_3_B = [
    (0.5, 0.5),
    (0.5, 0.2),
    (0.4, 0.2),
    (0.6, 0.3),
    (0.6, 0.4),
    (0.1, 0.4),
    (0.5, 0.6),
    (0.6, 0.6),
    (0.1, 0.6),
    (0.4, 0.3),
]


def systems_of(*systems: Sequence[tuple[float, ...]]) -> Cube:
    """Each system as its cases, each case as its values by metric."""
    return cube_of(np.array(systems).transpose(2, 0, 1))


def no_worse(cube: Cube, a: int, b: int, case: int, eps: float) -> bool | None:
    """Whether a is at least as good as b by every metric; None if a value is missing."""
    answer = True
    for metric in range(len(cube.metrics)):
        one, other = (float(cube.values[metric, system, case]) for system in (a, b))
        if np.isnan(one) or np.isnan(other):
            return None
        answer &= (other - one if not cube.lower[metric] else one - other) <= eps * (1 + 1e-9) + 1e-13
    return answer


def counted(cube: Cube, a: int, b: int, eps: float = 0.0, cases: Sequence[int] | None = None) -> tuple[int, int, int, int, int]:
    """`a_ge_b, b_ge_a, biased, equal, cases`, case by case."""
    result = [0] * 5
    for case in range(len(cube.cases)) if cases is None else cases:
        there, back = no_worse(cube, a, b, case, eps), no_worse(cube, b, a, case, eps)
        if there is None or back is None:
            continue
        for at, true in enumerate((there, back, not there and not back, there and back, True)):
            result[at] += true
    return (result[0], result[1], result[2], result[3], result[4])


def check_against_loops(cube: Cube, eps: float) -> None:
    result = unanimity(cube, eps)
    for a in range(len(cube.systems)):
        for b in range(len(cube.systems)):
            a_ge_b, b_ge_a, biased, equal, cases = counted(cube, a, b, eps)
            ours = [table[a, b] for table in (result.a_ge_b, result.b_ge_a, result.biased, result.equal, result.cases)]
            assert ours == [a_ge_b, b_ge_a, biased, equal, cases]
            expected = (a_ge_b - b_ge_a) / cases if cases else np.nan
            assert result.uir[a, b] == pytest.approx(expected, abs=0, rel=0, nan_ok=True)


worlds = st.builds(
    drawn,
    st.integers(0, 10**6),
    st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 20)),
    levels=st.integers(1, 8),
    missing=st.sampled_from([0.0, 0.1, 0.6]),
)


@given(worlds, st.sampled_from([0.0, 0.125, 0.5, 0.3]))
def test_it_is_what_a_triple_loop_finds(cube: Cube, eps: float) -> None:
    check_against_loops(cube, eps)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("metrics", [1, 2, 3])
@pytest.mark.parametrize("systems", [2, 3, 6, 7])
def test_ranks_say_the_same_as_the_values(metrics: int, missing: float, systems: int) -> None:
    for levels in (1, 4, 100, 1000):
        check_against_loops(drawn(metrics, (metrics, systems, 70), levels=levels, missing=missing), 0.0)


@pytest.mark.parametrize("missing", [0.0, 0.01])
@pytest.mark.parametrize("cases", [1, 63, 64, 65, 128, 300])
def test_blocks_are_joined(monkeypatch: pytest.MonkeyPatch, cases: int, missing: float) -> None:
    monkeypatch.setattr(module, "_NARROWEST", 8)
    monkeypatch.setattr(module, "_BLOCK", 64)
    monkeypatch.setattr(module, "_SORTED", 64)
    check_against_loops(drawn(cases, (2, 4, cases), levels=6, missing=missing), 0.0)
    check_against_loops(drawn(cases, (2, 3, cases), levels=50, missing=missing), 0.0)


def test_many_systems_without_a_case() -> None:
    result = unanimity(cube_of(np.zeros((2, 50, 0))))
    assert not result.a_ge_b.any()
    assert not result.cases.any()


@pytest.mark.parametrize("systems", [39, 40, 41, 255, 256, 257, 300])
def test_many_systems_with_as_many_levels(systems: int) -> None:
    values = np.random.default_rng(systems).permuted(np.tile(np.arange(float(systems)), (2, 9, 1)), axis=2).transpose(0, 2, 1)
    values[0, 3, 4] = np.nan
    result = unanimity(cube_of(values))
    expected = (values[:, :, None] >= values[:, None]).all(axis=0).sum(axis=2)
    assert np.array_equal(result.a_ge_b, expected)
    assert result.cases[3, 5] == 8


def test_counters_do_not_overflow_and_blocks_are_joined() -> None:
    better = np.zeros((1, 2, 5001))
    better[:, 0] = 1.0
    better[:, :, 7] = 0.0
    result = unanimity(cube_of(better))
    assert [result.a_ge_b[0, 1], result.b_ge_a[0, 1], result.equal[0, 1], result.cases[0, 1]] == [5001, 1, 1, 5001]


def test_table_3_of_the_paper() -> None:
    row = unanimity(systems_of(TABLE_3_A, TABLE_3_B)).table().row(0, named=True)
    assert (row["uir"], row["a_ge_b"], row["b_ge_a"], row["biased"], row["cases"]) == (0.2, 6, 4, 2, 10)
    assert list(row) == ["a", "b", "uir", "a_ge_b", "b_ge_a", "biased", "cases", "p"]


def test_table_4_neither_is_better_twice_but_once_is() -> None:
    uir = unanimity(systems_of([(0.5, 0.5)], [(0.6, 0.4)], [(0.45, 0.45)])).uir
    assert uir[0, 1] == uir[1, 2] == 0.0
    assert uir[0, 2] == 1.0


@given(worlds)
def test_antisymmetric_and_in_range(cube: Cube) -> None:
    uir = unanimity(cube).uir
    assert np.array_equal(uir, -uir.T, equal_nan=True)
    assert np.all(np.isnan(uir) | (np.abs(uir) <= 1.0))


@given(worlds, st.integers(0, 3))
def test_a_monotone_rescaling_changes_nothing(cube: Cube, metric: int) -> None:
    before, values = unanimity(cube), cube.values.copy()
    values[metric % len(values)] = np.exp(3.0 * values[metric % len(values)]) - 7.0
    assert np.array_equal(unanimity(replace(cube, values=values)).a_ge_b, before.a_ge_b)


@given(worlds)
def test_lower_is_better_is_the_negative_of_higher(cube: Cube) -> None:
    turned = replace(cube, values=cube.signed, lower=np.zeros(len(cube.metrics), dtype=np.bool_))
    assert np.array_equal(unanimity(turned).a_ge_b, unanimity(cube).a_ge_b)


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_uir_of_1_is_better_for_every_alpha(seed: int, cases: int) -> None:
    generator = np.random.default_rng(seed)
    worse = generator.integers(0, 9, (2, cases)) / 10
    better = worse + generator.integers(0, 2, (2, cases)) / 10
    better[0] = np.where((better == worse).all(axis=0), worse[0] + 0.1, better[0])
    assert unanimity(cube_of(np.stack((better, worse), axis=1))).uir[0, 1] == 1.0
    for alpha in np.linspace(0.0, 1.0, 21):
        for case in range(cases):
            assert f_measure(better[:, case], alpha) >= f_measure(worse[:, case], alpha) - 1e-15


def f_measure(parts: Any, alpha: float) -> float:
    return 0.0 if min(parts) == 0 else 1.0 / (alpha / parts[0] + (1.0 - alpha) / parts[1])


@given(st.integers(0, 10**6), st.integers(1, 15))
def test_two_metrics_without_ties_average_their_balances(seed: int, cases: int) -> None:
    """What one metric says alone, averaged over both: on biased cases the two cancel out."""
    values = np.random.default_rng(seed).random((2, 4, cases))
    single = [unanimity(cube_of(values[[at]])).uir for at in (0, 1)]
    assert unanimity(cube_of(values)).uir == pytest.approx((single[0] + single[1]) / 2)


@given(worlds, st.sampled_from([0.1, 0.25, 0.5, 1.0]))
def test_references_are_what_a_loop_finds(cube: Cube, threshold: float) -> None:
    result = unanimity(cube)
    for a, row in enumerate(result.references(threshold).iter_rows(named=True)):
        improved, best, most = [], None, -2.0
        for b in range(len(cube.systems)):
            if b == a:
                continue
            if result.uir[a, b] >= threshold:
                improved.append(cube.systems[b])
            if result.uir[b, a] >= threshold and result.uir[b, a] > most:
                best, most = cube.systems[b], result.uir[b, a]
        assert row == {"system": cube.systems[a], "improves": improved, "reference": best, "uir": most if best else None}


@given(worlds, st.sampled_from([-0.5, 0.0, 0.25]), st.randoms())
def test_of_equal_references_the_first_in_the_order_is_taken(cube: Cube, threshold: float, random: Random) -> None:
    result = unanimity(cube)
    order = random.sample(range(len(cube.systems)), len(cube.systems))
    for a, row in enumerate(result.references(threshold, order).iter_rows(named=True)):
        best, most = None, -2.0
        for b in order:
            if b != a and result.uir[b, a] >= threshold and result.uir[b, a] > most:
                best, most = cube.systems[b], result.uir[b, a]
        assert (row["reference"], row["uir"]) == (best, most if best else None)


def test_the_better_one_of_two_equal_references_is_taken() -> None:
    cube = cube_of([[[0.2, 0.2], [0.6, 0.6], [0.9, 0.9]]])
    references = Comparison(cube, combined(cube)).references
    assert references.filter(system="s0")["reference"].to_list() == ["s2"]


@given(worlds)
def test_p_is_that_of_the_sign_test(cube: Cube) -> None:
    result = unanimity(cube)
    for a in range(len(cube.systems)):
        for b in range(len(cube.systems)):
            a_ge_b, b_ge_a, _, equal, cases = counted(cube, a, b)
            wins, losses = a_ge_b - equal, b_ge_a - equal
            expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
            assert result.p[a, b] == pytest.approx(expected if cases else np.nan, nan_ok=True)


def test_differences_of_eps_on_paper_count_as_none() -> None:
    result = unanimity(cube_of([[[0.7, 0.8, 0.7], [0.8, 0.7, 0.81]]]), 0.1)
    assert (result.equal[0, 1], result.a_ge_b[0, 1], result.b_ge_a[0, 1]) == (2, 2, 3)


@pytest.mark.parametrize("systems", [2, 60])
def test_scores_that_are_equal_but_for_rounding_improve_nothing(systems: int) -> None:
    values = np.full((2, systems, 3), 0.3)
    values[:, 1] = 0.1 + 0.2
    result = unanimity(cube_of(values))
    assert (result.equal == 3).all()
    assert (result.uir == 0).all()


@pytest.mark.parametrize("systems", [3, 60])
def test_a_huge_score_of_one_system_does_not_make_the_others_equal(systems: int) -> None:
    values = np.full((1, systems, 3), 12.0)
    values[:, 1], values[:, 2] = 20.0, 1e15
    result = unanimity(cube_of(values))
    assert result.uir[1, 0] == result.uir[2, 1] == 1


@pytest.mark.parametrize("eps", [-0.1, float("nan")])
def test_eps_must_be_a_size(eps: float) -> None:
    with pytest.raises(BadUsage):
        unanimity(cube_of([[[1.0]]]), eps)


def test_nothing_shared_has_no_uir_no_p_and_no_interval() -> None:
    cube = cube_of([[[1.0, np.nan], [np.nan, 1.0]]])
    result = unanimity(cube)
    row = result.table().row(0, named=True)
    assert (row["uir"], row["p"], row["cases"]) == (None, None, 0)
    assert result.references()["reference"].to_list() == [None, None]
    low, high = interval(result)
    assert np.isnan([low[0, 1], high[0, 1]]).all()


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 1, 3), (1, 2, 0), (3, 0, 2)])
def test_little_data(shape: tuple[int, int, int]) -> None:
    cube = cube_of(np.zeros(shape))
    result = unanimity(cube)
    assert result.table().height == shape[1] * (shape[1] - 1)
    assert result.references().height == shape[1]
    low, high = interval(result)
    assert low.shape == high.shape == (shape[1], shape[1])
