"""Orders of judging: a second time slowly, and on the pool of TREC-COVID."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.truth.pools.orders import ADAPTIVE, ORDERS
from tests.helpers import covid_pool, pool_oracles
from tests.helpers.ranking_worlds import moderate

if TYPE_CHECKING:
    from tests.helpers.pool_oracles import Lists, Relevance

LETTERS = "abcdefgh"
SLOW = {name: getattr(pool_oracles, name.replace("-", "_")) for name in ORDERS}


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, tuple[Lists, Relevance]]:
    """A few cases, each with the lists of the same systems and the relevance of all letters."""
    ranked = st.permutations(LETTERS).flatmap(lambda order: st.integers(1, len(order)).map(lambda end: list(order[:end])))
    names = draw(st.lists(st.sampled_from(["one", "two", "three", "four"]), min_size=1, max_size=4, unique=True))
    return {
        f"q{case}": (
            {name: draw(ranked) for name in names},
            dict(zip(LETTERS, draw(st.tuples(*[st.booleans()] * len(LETTERS))), strict=True)),
        )
        for case in range(draw(st.integers(1, 8)))
    }


def systems_of(world: dict[str, tuple[Lists, Relevance]]) -> dict[str, dict[str, dict[str, float]]]:
    """The lists as outputs with falling scores."""
    names = next(iter(world.values()))[0]
    scores = {
        case: {name: {item: -float(at) for at, item in enumerate(lists[name])} for name in names}
        for case, (lists, _) in world.items()
    }
    return {name: {case: scores[case][name] for case in world} for name in names}


def gold_of(world: dict[str, tuple[Lists, Relevance]]) -> dict[str, dict[str, int]]:
    """The relevance as grades."""
    return {case: {item: int(flag) for item, flag in relevant.items()} for case, (_, relevant) in world.items()}


def order_of(systems: Any, **options: Any) -> dict[str, list[str]]:
    """The items of each case in the order of judging."""
    made = plumbline.pool(systems, **options)
    assert isinstance(made, plumbline.Pool)
    rows = made.items.group_by("case", maintain_order=True).agg("item")
    return dict(rows.iter_rows())


@pytest.mark.parametrize("name", sorted(set(ORDERS) - ADAPTIVE))
@moderate(6)
@given(world=worlds())
def test_orders_without_judgements_agree_with_their_oracles(name: str, world: dict[str, tuple[Lists, Relevance]]) -> None:
    expected = {case: SLOW[name](lists) for case, (lists, _) in world.items()}
    assert order_of(systems_of(world), method=name) == expected


@pytest.mark.parametrize("name", sorted(ADAPTIVE))
@moderate(6)
@given(world=worlds(), forget=st.sampled_from([0.0, 0.5, 1.0]))
def test_adaptive_orders_agree_with_their_oracles(name: str, world: dict[str, tuple[Lists, Relevance]], forget: float) -> None:
    more: dict[str, Any] = {"forget": forget} if name == "bandit" and forget else {}
    replay = plumbline.pool(systems_of(world), method=name, simulate=gold_of(world), **more)
    assert isinstance(replay, plumbline.Replay)
    orders = {case: SLOW[name](lists, relevant, **more) for case, (lists, relevant) in world.items()}
    longest = max(map(len, orders.values()))
    results = [
        sum(world[case][1][item] for case, order in orders.items() for item in order[:step]) for step in range(1, longest + 1)
    ]
    assert replay.curve["relevant"].to_list() == results


@moderate(3)
@given(world=worlds(), depth=st.integers(1, 4))
def test_a_pool_is_a_union_whatever_the_order_of_systems(world: dict[str, tuple[Lists, Relevance]], depth: int) -> None:
    systems = systems_of(world)
    backwards = dict(reversed(list(systems.items())))
    for name in set(ORDERS) - ADAPTIVE:
        one, other = (order_of(those, method=name, depth=depth) for those in (systems, backwards))
        assert {case: set(items) for case, items in one.items()} == {case: set(items) for case, items in other.items()}
        assert name == "depth" or one == other  # only this order depends on that of systems
        for case, (lists, _) in world.items():
            assert set(one[case]) == {item for ranked in lists.values() for item in ranked[:depth]}


@pytest.mark.parametrize("name", sorted(ADAPTIVE))
def test_a_loop_of_judging_one_item_at_a_time_is_the_replay(name: str) -> None:
    """What `--judged` asks for next, judged and given back, comes in the order of the replay."""
    lists = {"one": list("abcd"), "two": list("cebf"), "three": list("gfab")}
    relevant = {item: item in "cfb" for item in LETTERS}
    systems = systems_of({"q": (lists, relevant)})
    judged: dict[str, int] = {}
    for expected in SLOW[name](lists, relevant):
        [asked] = order_of(systems, method=name, judged={"q": dict(judged)} if judged else {"q": {"zz": 0}}, per_case=1)["q"]
        assert asked == expected
        judged[asked] = int(relevant[asked])


# --- TREC-COVID, round 1 ----------------------------------------------------------------------------------------------

AT = [25, 50, 75, 100, 150]
PUBLISHED = {
    "rrf": [526, 916, 1217, 1449, 1766],
    "bandit": [529, 939, 1262, 1514, 1850],
    "non-stationary": [478, 847, 1145, 1381, 1728],
    "depth": [421, 651, 898, 1117, 1478],
    "move-to-front": [444, 775, 1082, 1350, 1733],
}
"""Relevant items found after so many judgements per topic, computed by hand elsewhere; depth order takes systems best first."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_relevant_items_found_on_the_pool_of_trec_covid(name: str) -> None:
    systems = covid_pool.contributing(best_first=name == "depth")
    options: dict[str, Any] = {"method": "bandit", "forget": 1.0} if name == "non-stationary" else {"method": name}
    replay = plumbline.pool(systems, depth=20, simulate=covid_pool.qrels(), judged_only=True, **options)
    assert isinstance(replay, plumbline.Replay)
    assert (replay.pooled, replay.relevant) == (7965, 2242)
    result = dict(replay.curve.select("per_case", "relevant").iter_rows())
    assert [result[step] for step in AT] == PUBLISHED[name]
