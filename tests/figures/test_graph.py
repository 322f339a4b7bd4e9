"""The improvement graph: what it shows, and that names do not cover each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.comparison.leaderboard import tiers as levels
from plumbline.figures.graph_layout import placed
from plumbline.figures.kinds.graph import HALF_ROW
from plumbline.figures.labels import BESIDE, clipped
from plumbline.figures.subject import subject_of
from tests.helpers.examples import some_of
from tests.helpers.figure_subjects import data, named, scored, spec, table


@pytest.mark.parametrize("count", [5, 50])
def test_nodes_and_edges_are_those_of_the_comparison(count: int) -> None:
    result = scored(count).comparison
    assert result is not None
    drawn = spec("graph", scored(count))
    beats = {(a, b) for a, b, verdict in result.significance.select("a", "b", "verdict").rows() if verdict == "better"}
    tiers = dict(zip(result.systems, levels(result.beats).tolist(), strict=True))
    nodes = data(drawn, "beaten")
    assert {row["system"]: row["tier"] for row in nodes} == tiers
    assert {row["system"]: row["beats"] for row in nodes} == {name: sum(a == name for a, _ in beats) for name in named(count)}
    edges = {(row["better"], row["worse"]) for row in data(drawn, "better", "worse")}
    assert edges == {(a, b) for a, b in beats if not any((a, c) in beats and (c, b) in beats for c in named(count))}
    assert edges or not beats


def test_with_a_baseline_what_was_tested_is_told() -> None:
    subject = subject_of(table(named(12)), comparing={"baseline": "system02"})
    result = subject.comparison
    assert result is not None
    drawn = spec("graph", subject)
    edges = {(row["better"], row["worse"]) for row in data(drawn, "better", "worse")}
    assert edges
    assert all("system02" in pair for pair in edges)
    at = result.systems.index("system02")
    assert len(edges) == int(result.beats[at].sum() + result.beats[:, at].sum()), "nothing follows from pairs with one system"
    assert drawn["title"]["subtitle"] == "Only pairs with system02 are tested"
    assert drawn["description"].endswith("only pairs with system02 are tested")
    assert "title" not in spec("graph", scored(5))


def test_lines_go_down_from_box_to_box() -> None:
    drawn = spec("graph", scored(50))
    nodes = {row["system"]: row for row in data(drawn, "beaten")}
    for row in data(drawn, "better", "worse"):
        better, worse = nodes[row["better"]], nodes[row["worse"]]
        assert better["bottom"] <= row["y"] <= worse["top"]
        if row["down"] in (0, 1):
            end = better if row["down"] == 0 else worse
            assert (row["x"], row["y"]) == pytest.approx((end["x"], end["y"] + (HALF_ROW if row["down"] == 0 else -HALF_ROW)))


@settings(max_examples=some_of(40))
@given(st.lists(st.tuples(st.integers(1, 4), st.text(min_size=1, max_size=30)), min_size=1, max_size=25), st.integers(360, 900))
def test_names_do_not_cover_each_other(systems: list[tuple[int, str]], width: int) -> None:
    tiers, names = [tier for tier, _ in systems], [name for _, name in systems]
    edges = np.array([[below == above + 1 for below in tiers] for above in tiers])
    layout = placed(names, tiers, edges, width)
    assert np.all(layout.x - layout.half >= -0.01)
    assert np.all(layout.x + layout.half <= width + 0.01)
    for one, other in combinations(range(len(names)), 2):
        apart = abs(layout.x[one] - layout.x[other]) >= layout.half[one] + layout.half[other] - 0.01
        assert apart or abs(layout.y[one] - layout.y[other]) >= 2 * HALF_ROW
        if tiers[one] < tiers[other]:
            assert layout.y[one] < layout.y[other]


def test_long_names_are_told_apart_by_their_ends() -> None:
    one, other = clipped("a-very-long-name-of-a-system-v1"), clipped("a-very-long-name-of-a-system-v2")
    assert one == "a-very-long…-system-v1"
    assert one != other
    assert clipped("x" * BESIDE) == "x" * BESIDE
