"""audit_interleaving(): published facts about methods, with exact fractions, and methods of one's own."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline.truth.interleaving.demands import World, preference
from plumbline.truth.interleaving.registry import exact_methods
from tests.helpers.command_line import plumbline as program
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.truth.interleaving.exact import Ranking

ABCD, BCDA = (1, 2, 3, 4), (2, 3, 4, 1)


def share(method: str, first: Ranking, second: Ranking, clicks: Callable[[Ranking], Any]) -> Fraction:
    known = exact_methods()[method]
    world = World(first, second, len(first), clicks)
    return preference(known, world, known.lists(world.rankings, len(first)))


def one_click(items: Ranking) -> dict[tuple[int, ...], Fraction]:
    return {(place,): Fraction(1, len(items)) for place in range(len(items))}


def test_the_known_biases() -> None:
    golden = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))["interleaving"]
    balanced = share("balanced", ABCD, BCDA, one_click)
    assert (float(balanced), float(1 - balanced)) == (
        golden["balanced_abcd_bcda_one_random_click"]["A"],
        golden["balanced_abcd_bcda_one_random_click"]["B"],
    )
    assert float(share("team-draft", ABCD, BCDA, one_click)) == golden["team_draft_abcd_bcda_one_random_click"]["A"]
    only = share("team-draft", (1, 2, 3), (2, 3, 1), lambda items: {(items.index(3),): Fraction(1)})
    assert float(only) == golden["team_draft_123_231_click_on_3_only"]["A"]


def test_what_each_method_keeps() -> None:
    result = plumbline.audit_interleaving(items=3)
    kept = {method: {one.demand for one in result.verdicts if one.method == method and one.holds} for method in result.methods}
    everything = {one.demand for one in result.verdicts}
    assert everything - kept["team-draft"] == {"better wins", "first click"}
    assert everything - kept["balanced"] == {"random click", "random clicks", "any position", "better wins"}
    assert everything - kept["probabilistic"] == {"considerate"}
    assert everything - kept["optimized"] == set()
    assert everything - kept["pairwise"] == {"considerate"}


def test_the_smallest_counterexamples() -> None:
    result = plumbline.audit_interleaving(["balanced", "team-draft"], items=4)
    assert result.verdict("balanced", "random click").share == "1/3"
    assert result.verdict("balanced", "random click").counterexample.splitlines()[:2] == ["  first   1 2 3", "  second  2 3 1"]
    assert result.verdict("team-draft", "better wins").share == "1/2"
    assert result.verdict("team-draft", "better wins").counterexample.splitlines()[:2] == ["  first   1 2 3", "  second  3 1 2"]


def always_first(first: list[int], second: list[int], toss: Callable[[], bool]) -> tuple[list[int], list[int]]:
    """Shows one ranking as it is, and gives every click to a coin."""
    del second
    return first, [int(toss()) for _ in first]


def shy_draft(first: list[int], second: list[int], toss: Callable[[], bool]) -> tuple[list[int], list[int]]:
    """Team draft in which the first team always begins: a mistake that programs have."""
    del toss
    items: list[int] = []
    teams: list[int] = []
    while len(items) < len(first):
        for team, ranking in enumerate((first, second)):
            left = [item for item in ranking if item not in items]
            if left:
                items.append(left[0])
                teams.append(team)
    return items, teams


def own_draft(first: list[int], second: list[int], toss: Callable[[], bool]) -> tuple[list[int], list[int]]:
    """Team draft again."""
    items: list[int] = []
    teams: list[int] = []
    while len(items) < len(first):
        order = (0, 1) if toss() else (1, 0)
        for team in order:
            left = [item for item in (first, second)[team] if item not in items]
            if left:
                items.append(left[0])
                teams.append(team)
    return items, teams


def test_methods_of_ones_own() -> None:
    result = plumbline.audit_interleaving([always_first, shy_draft, own_draft, "team-draft"], items=3)
    assert result.verdict("always_first", "random click").holds
    assert not result.verdict("always_first", "better wins").holds
    assert not result.verdict("always_first", "first click").holds
    assert not result.verdict("shy_draft", "any position").holds
    mine, ours = (
        [(one.demand, one.broken) for one in result.verdicts if one.method == name] for name in ("own_draft", "team-draft")
    )
    assert mine == ours


@pytest.mark.parametrize(
    "wrong",
    [
        "draft",
        "no_such_module:f",
        "math:nothing",
        lambda first, second, toss: first,  # noqa: ARG005 - no teams
        lambda first, second, toss: ([first[0]] * 2, [0, 0]),  # noqa: ARG005 - an item twice
        lambda first, second, toss: 1 / 0,  # noqa: ARG005 - fails
        lambda first, second, toss: [toss() for _ in range(50)],  # noqa: ARG005 - tosses too often
    ],
)
def test_methods_that_are_none(wrong: Any) -> None:
    with pytest.raises(plumbline.BadUsage, match="E578"):
        plumbline.audit_interleaving(wrong, items=2)


def test_the_command() -> None:
    done = program("interleave", "--audit", "--method", "balanced", "--method", "team-draft", "--items", "3")
    assert done.code == 0
    assert "first is preferred in 1/3 of the sessions; demanded: 1/2" in done.out
