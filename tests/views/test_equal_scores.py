"""Equal scores with ties="average": little memory, exact cascades, draws that do not depend on company."""

from __future__ import annotations

from itertools import permutations
from math import prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline
from plumbline.schema import LIST, OFFSET, SIZE
from plumbline.views.cascade import STOPS, Cascade, expected_worth
from tests.helpers.examples import some_of
from tests.helpers.limited_memory import LINUX, limited

MANY_TIED = """
import plumbline
gold = {{f"q{{case}}": {{f"d{{item}}": item % 4 for item in range({items})}} for case in range({cases})}}
run = {{case: dict.fromkeys(items, 1.0) for case, items in gold.items()}}
print(plumbline.evaluate(gold, run, {metrics}, ties="average").mean["value"].to_list())
"""


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize(
    ("cases", "items", "metrics"),
    [(1, 20_000, ["AP", "nDCG@10", "ERR"]), (100, 1_000, ["AP", "nDCG@10"])],
    ids=["one list", "many lists"],
)
def test_equal_scores_need_little_memory(cases: int, items: int, metrics: list[str]) -> None:
    """An item at every rank that it may have: 400,000,000 rows in the first case, and 100,000,000 in the second."""
    ended = limited(["-c", MANY_TIED.format(cases=cases, items=items, metrics=metrics)], 2.5)
    assert ended.returncode == 0, ended.stderr[-500:]


def _by_all_orders(groups: list[list[float]], worth: Cascade) -> float:
    """The mean over every order of every group of what the stop is worth."""
    total = 0.0
    orders: list[list[float]] = [[]]
    for group in groups:
        orders = [[*above, *order] for above in orders for order in permutations(group)]
    for order in orders:
        for place, stop in enumerate(order):
            rank = np.array([place + 1.0])
            total += stop * prod(1 - above for above in order[:place]) * float(worth.down_to(None)(rank)[0])
    return total / len(orders)


probabilities = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)


@settings(max_examples=some_of(25))
@given(
    st.lists(st.lists(st.lists(probabilities, min_size=1, max_size=4), min_size=1, max_size=3), min_size=1, max_size=3),
    st.none() | st.integers(1, 6),
)
def test_a_cascade_is_the_mean_over_all_orders(lists: list[list[list[float]]], cutoff: int | None) -> None:
    """Items that nobody stops at are places without a row, as those that are not judged are."""
    cascade = Cascade(np.zeros(0), np.reciprocal, cutoff)
    rows = [
        (number, sum(map(len, groups[:index])), len(group), stop)
        for number, groups in enumerate(lists)
        for index, group in enumerate(groups)
        for stop in group
        if stop > 0
    ]
    table = pl.DataFrame(rows, schema={LIST: pl.Int64, OFFSET: pl.Int64, SIZE: pl.Int64, STOPS: pl.Float64}, orient="row")
    expected = [_by_all_orders(groups, cascade) for groups in lists]
    assert expected_worth(table, len(lists), cascade.down_to(None)).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-15)


SAMPLED = {f"q{case}": {f"d{item}": (item * case) % 3 for item in range(20)} for case in (1, 2, 4)}
"""Cases with more orders than are tried."""


def test_draws_do_not_depend_on_company() -> None:
    """A case alone, with others, and in another order."""
    run = {case: dict.fromkeys(items, 1.0) for case, items in SAMPLED.items()}
    turned = dict(reversed(SAMPLED.items()))
    together, other_order = (_values(gold, run) for gold in (SAMPLED, turned))
    alone = {case: _values({case: items}, {case: run[case]})[case] for case, items in SAMPLED.items()}
    assert together == other_order == alone
    assert len(set(together.values())) > 1


def _values(gold: dict[str, dict[str, int]], run: dict[str, dict[str, float]], **options: int) -> dict[str, float]:
    scores = plumbline.evaluate(gold, run, "Bpref", ties="average", **options)  # type: ignore[arg-type]  # a seed
    assert [notice.code for notice in scores.notices].count("N211") == 1
    return dict(scores.per_case.select("case", "value").iter_rows())


def test_draws_depend_on_the_seed() -> None:
    run = {case: dict.fromkeys(items, 1.0) for case, items in SAMPLED.items()}
    assert _values(SAMPLED, run, seed=1) == _values(SAMPLED, run, seed=1)
    assert _values(SAMPLED, run, seed=1) != _values(SAMPLED, run, seed=2)
    assert _values(SAMPLED, run, seed=-1) != _values(SAMPLED, run, seed=1)


def test_small_portions_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are scored in portions; here each is a portion of its own, and those of one list are split."""
    run = {case: {item: float(len(item)) for item in items} for case, items in SAMPLED.items()} | {"q9": {}}
    gold, metrics = SAMPLED | {"q9": {"d1": 1}}, ["AP", "nDCG", "ERR", "Bpref", "RelString", "F(P@3,R@3)"]
    at_once = plumbline.evaluate(gold, run, metrics, ties="average")
    monkeypatch.setattr("plumbline.views.tie_orders.TOGETHER", 100)
    monkeypatch.setattr("plumbline.views.cascade._TOGETHER", 5)
    portions = plumbline.evaluate(gold, run, metrics, ties="average")
    for measure in ("AP", "nDCG", "ERR"):
        assert portions.per_case.filter(metric=measure).equals(at_once.per_case.filter(metric=measure))
    assert portions.per_case["value"].null_count() == at_once.per_case["value"].null_count()
    assert portions.texts.equals(at_once.texts)


def test_different_grades_beyond_all_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.compute.tied_rankings.LONGEST", 99)
    gold, run = {"q": {f"d{item}": item / 7 for item in range(10)}}, {"q": {f"d{item}": 1.0 for item in range(10)}}
    with pytest.raises(plumbline.BadUsage, match='E352 ties="average" needs 100 ranks of a single list'):
        plumbline.evaluate(gold, run, "AP", ties="average")
    plumbline.evaluate(gold, run, "ERR", ties="average")
