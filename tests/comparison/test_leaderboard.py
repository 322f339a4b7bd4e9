"""The partial order of systems against slow loops, and the board that is made of it."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.comparison.bands import bands, pareto, rank_ranges
from plumbline.comparison.combining import combined
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.grids import leaderboard_grid
from plumbline.comparison.leaderboard import around, circles, closest, edges, tiers
from plumbline.render.fitting import fitted
from tests.helpers.score_cubes import cube_of, drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Flags = NDArray[np.bool_]

NAN = float("nan")


def compared(cube: Cube, **options: Any) -> Comparison:
    return Comparison(cube, combined(cube), **options)


def flags(count: int, arrows: list[tuple[int, int]]) -> Flags:
    table = np.zeros((count, count), dtype=np.bool_)
    for a, b in arrows:
        table[a, b] = True
    return table


@st.composite
def orders(draw: st.DrawFn) -> Flags:
    """Arrows from earlier to later systems, which are then shuffled: never a circle."""
    count = draw(st.integers(1, 8))
    places = draw(st.permutations(range(count)))
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    chosen = [pair for pair in pairs if draw(st.booleans())]
    return flags(count, [(places[a], places[b]) for a, b in chosen])


@given(orders())
def test_a_tier_is_the_length_of_the_longest_chain_above(beats: Flags) -> None:
    @cache
    def tier(system: int) -> int:
        return 1 + max((tier(other) for other in range(len(beats)) if beats[other, system]), default=0)

    assert tiers(beats).tolist() == [tier(system) for system in range(len(beats))]
    assert not circles(beats).any()


@given(orders())
def test_only_arrows_that_follow_from_two_others_are_left_out(beats: Flags) -> None:
    some = range(len(beats))
    needed = [
        (a, b) for a, b in product(some, some) if beats[a, b] and not any(beats[a, via] and beats[via, b] for via in some)
    ]
    assert [(int(a), int(b)) for a, b in np.argwhere(closest(beats))] == needed


def test_a_circle_shares_a_tier_below_who_beats_it_and_above_who_it_beats() -> None:
    beats = flags(6, [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)])
    assert tiers(beats).tolist() == [1, 2, 2, 2, 3, 1]
    assert circles(beats).tolist() == [False, True, True, True, False, False]


def test_a_long_chain_has_as_many_tiers_as_systems() -> None:
    beats = flags(70, [(at, at + 1) for at in range(69)])
    assert tiers(beats).tolist() == list(range(1, 71))


def test_an_edge_needs_a_better_mean_unanimity_and_significance() -> None:
    values = (0.1, 0.0, -0.1, NAN), (0.25, 0.24, NAN), (0.049, 0.05, NAN)
    keys = list(product(*values))
    difference, uir, p = np.array(keys).T[:, None]
    result = dict(zip(keys, edges(difference, uir, p, 0.25, 0.05)[0].tolist(), strict=True))
    assert [key for key, edge in result.items() if edge] == [(0.1, 0.25, 0.049)]


@pytest.mark.parametrize("seed", range(5))
def test_the_board_is_what_loops_over_the_pairs_find(seed: int) -> None:
    cube = drawn(seed, (2, 7, 40), missing=0.05)
    result = compared(cube, uir_threshold=0.05, level=0.4, correction="none", test="t", rule="unanimous", combined=True)
    beats, board = result.beats, result.leaderboard
    names = result.systems
    assert board.columns == [
        *("system", "band", "score", "m0", "m1", "rank_low", "rank_high", "wins", "pareto", "reference", "uir", "floor"),
        *("tier", "beats", "beaten_by"),
    ]
    uir = {(a, b): value for a, b, value in result.unanimity.select("a", "b", "uir").iter_rows()}
    for row in board.iter_rows(named=True):
        at, name = names.index(row["system"]), row["system"]
        verdicts = (result.verdict(name, other) for other in names if other != name)
        assert row["beats"] == sum(verdict.robust and verdict.better == name for verdict in verdicts)
        assert row["beaten_by"] == sum(bool(beats[other, at]) for other in range(len(names)))
        best = max((other for other in names if other != name), key=lambda other: uir[other, name])
        robust = uir[best, name] >= 0.05
        assert row["uir"] == (pytest.approx(uir[best, name]) if robust else None)
        assert (uir[row["reference"], name] == uir[best, name]) if robust else row["reference"] is None
        improved = result.references.filter(pl.col("system") == name)["improves"][0].to_list()
        assert improved == [other for other in names if other != name and uir[name, other] >= 0.05]
    tier = dict(board.select("system", "tier").iter_rows())
    assert all(tier[names[a]] < tier[names[b]] for a, b in np.argwhere(beats) if not circles(beats)[[a, b]].all())
    assert board["score"].to_list() == sorted(board["score"].to_list(), reverse=True), "by score, whatever the tier"
    assert board["band"].to_list() == sorted(board["band"].to_list())


def test_the_papers_table_7_on_its_own_numbers() -> None:
    """Table 7 shows the best system by F without a reference, and for others who improves them most, from 0.25 on."""
    first = [0.6, 0.6, 0.6, 0.6]
    values = [[first, [0.5, 0.5, 0.7, 0.5], [0.1, 0.1, 0.1, 0.1]], [first, [0.5, 0.5, 0.5, 0.5], [0.1, 0.1, 0.7, 0.7]]]
    table = compared(cube_of(values)).references
    assert table.columns == ["system", "improves", "reference", "uir", "reference_of", "score"]
    assert table["system"].to_list() == ["s0", "s1", "s2"]
    assert table["improves"].to_list() == [["s1", "s2"], ["s2"], []]
    assert table["reference"].to_list() == [None, "s0", "s0"]
    assert table["uir"].to_list() == [None, 0.75, 0.5]


def test_a_system_without_any_score_has_no_band_and_stands_last() -> None:
    board = compared(cube_of([[[NAN, NAN], [0.1, 0.2], [0.3, 0.4]]])).leaderboard
    assert board["system"].to_list() == ["s2", "s1", "s0"]
    assert board.row(2, named=True)["band"] is None
    assert board.row(2, named=True)["rank_low"] is None
    assert board["score"].to_list()[2] is None


@given(st.integers(0, 9999), st.integers(2, 9))
def test_bands_never_put_a_worse_mean_above_a_better_one(seed: int, count: int) -> None:
    """Against a loop: a band ends before the first system that is shown to be worse than the best of the band."""
    generator = np.random.default_rng(seed)
    means = generator.random(count)
    order = np.argsort(-means).tolist()
    wins = (means[:, None] > means) & (generator.random((count, count)) < 0.5)
    expected, first = {}, order[0]
    for system in order:
        first = system if wins[first, system] else first
        expected[system] = first
    band = bands(order, wins)
    assert [band[system] for system in order] == sorted(band[system] for system in order)
    for system in order:
        same = [other for other in order if band[other] == band[system]]
        assert same[0] == expected[system]
        assert not wins[same[0], same].any()


@given(st.integers(0, 9999), st.integers(1, 7))
def test_ranges_of_ranks_hold_every_order_that_the_tests_allow(seed: int, count: int) -> None:
    generator = np.random.default_rng(seed)
    strength = generator.permutation(count)
    wins = (strength[:, None] > strength) & (generator.random((count, count)) < 0.4)
    low, high = rank_ranges(wins, np.ones(count, dtype=np.bool_))
    true_rank = count - strength
    assert (low <= true_rank).all()
    assert (true_rank <= high).all()
    assert low.tolist() == [1 + sum(wins[other, at] for other in range(count)) for at in range(count)]


@given(st.integers(0, 9999), st.integers(1, 3), st.integers(1, 6))
def test_pareto_against_a_loop(seed: int, metrics: int, count: int) -> None:
    means = np.random.default_rng(seed).integers(0, 3, (metrics, count)).astype(float)
    expected = [
        not any((means[:, other] >= means[:, at]).all() and (means[:, other] > means[:, at]).any() for other in range(count))
        for at in range(count)
    ]
    assert pareto(means).tolist() == expected


def test_metrics_that_are_called_like_columns_say_that_they_are_metrics() -> None:
    cube = drawn(1, (4, 3, 5))
    names = ("score", "score (metric)", "wins", "other")
    cube = type(cube)(names, cube.systems, cube.cases, cube.values, np.zeros(4, dtype=np.bool_))
    board = compared(cube).leaderboard
    assert board.columns[3:7] == ["score (metric) (metric)", "score (metric)", "wins (metric)", "other"]
    at = [cube.systems.index(name) for name in board["system"]]
    for column, means in zip(board.columns[3:7], cube.means, strict=True):
        assert board[column].to_list() == means[at].tolist()
    assert board["score"].to_list() == board["score (metric) (metric)"].to_list(), "the first metric orders the table"


def test_tiers_around_a_baseline() -> None:
    """0 and 3 beat 1, which beats 4; 2 does not differ from it. Nothing else is tested."""
    beats = flags(5, [(0, 1), (3, 1), (1, 4)])
    assert around(beats, 1).tolist() == [1, 2, 2, 1, 3]
    assert around(flags(3, [(1, 2)]), 1).tolist() == [1, 1, 2]
    assert around(flags(3, []), 0).tolist() == [1, 1, 1]
    block = cube_of([[[0.9] * 20, [0.5] * 20, [0.1] * 20, [0.4, 0.6] * 10]])
    result = compared(block, baseline="s1", rule="unanimous")
    assert result.leaderboard.select("system", "tier").rows() == [("s0", 1), ("s1", 2), ("s3", 2), ("s2", 3)]


def test_with_a_baseline_there_are_no_bands_and_ranks() -> None:
    """Systems that are not compared with each other are not shown to differ, which must not look like being equal."""
    scores = {"a": [0.1, 0.2, 0.3, 0.2], "b": [0.5, 0.6, 0.4, 0.5], "c": [0.9, 0.8, 0.9, 0.7]}
    board = plumbline.compare(scores, baseline="a").leaderboard
    assert board.select("band", "rank_low", "rank_high").null_count().row(0) == (3, 3, 3)
    assert "band" not in repr(plumbline.compare(scores, baseline="a"))
    assert "band" in repr(plumbline.compare(scores))


def test_on_a_narrow_terminal_the_rule_of_the_paper_keeps_its_own_columns() -> None:
    cube = drawn(3, (2, 4, 20))
    heading = {
        rule: fitted(leaderboard_grid(compared(cube, rule=rule, combined=rule == "unanimous")), 76).heading
        for rule in ("unanimous", "significant")
    }
    assert {"tier", "improves", "reference", "UIR"} < set(heading["unanimous"])
    assert "difference" in heading["significant"]
    assert not {"difference", "band", "ranks"} & set(heading["unanimous"])
