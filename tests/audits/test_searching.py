"""Which pairs are tried: all small ones as far as the budget goes, then larger ones that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.audits.constraints.classification import Labelled
from plumbline.audits.constraints.filtering import Matrix
from plumbline.audits.constraints.ranking import Listed
from plumbline.audits.constraints.registry import all_constraints
from plumbline.audits.scenes.clustering import classes, clusters
from plumbline.audits.searching import BUDGET, searched
from tests.helpers.audit_cache import TASKS
from tests.helpers.audit_clustering_pairs import divided, joined, world
from tests.helpers.audit_filtering_pairs import same_gold
from tests.helpers.audit_ranking_pairs import TRUE_OF
from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from plumbline.audits.constraints.clustering import Words
    from plumbline.audits.constraints.registry import Constraint

EVERY = [constraint for task in TASKS for constraint in all_constraints()[task]]
every_constraint = pytest.mark.parametrize("constraint", EVERY, ids=lambda one: f"{one.task} {one.name}")
DRAWN = [constraint for constraint in EVERY if constraint.draw is not None]


def is_monotonic(better: Matrix | Labelled, worse: Matrix | Labelled) -> bool:
    if isinstance(better, Labelled) or isinstance(worse, Labelled):
        return is_corrected(better, worse)
    return same_gold(better, worse) and (better.tp + better.tn) - (worse.tp + worse.tn) == 1


def is_corrected(better: Any, worse: Any) -> bool:
    """Whether they differ in one item, which is right in the better output."""
    changed = [
        (right, one) for right, one, other in zip(worse.gold, better.answers, worse.answers, strict=True) if one != other
    ]
    return better.gold == worse.gold and len(changed) == 1 and changed[0][0] == changed[0][1]


def is_change(better: Words, worse: Words, name: str) -> bool:
    """Whether the better clustering is among all that come of the change."""
    items = {item: number for number, item in enumerate(item for cluster in clusters(worse) for item in cluster)}
    system, gold = ([[items[item] for item in one] for one in sets] for sets in (clusters(worse), classes(worse)))
    every = {"homogeneity": divided, "completeness": joined}[name](system, gold)
    actual = [[items[item] for item in one] for one in clusters(better)]
    return world(actual, gold) in {world(one, gold) for one in every}


def is_pair(name: str, better: Any, worse: Any) -> bool:
    if name in TRUE_OF:
        return TRUE_OF[name](better, worse)
    return is_monotonic(better, worse) if name == "strict monotonicity" else is_change(better, worse, name)


def size_of(world: Listed | Matrix | Labelled | Words) -> int:
    if isinstance(world, Listed):
        return len(world.shown) + world.hidden
    if isinstance(world, Matrix):
        return max(world.tp + world.fn, world.fp + world.tn)
    return len(world.gold) if isinstance(world, Labelled) else sum(map(len, world))


@pytest.mark.parametrize("constraint", DRAWN, ids=lambda one: f"{one.task} {one.name}")
def test_drawn_pairs_are_pairs_of_the_constraint(constraint: Constraint) -> None:
    actual = searched(constraint, 400 * constraint.cost)
    drawn = actual.pairs[len(actual.pairs) - actual.drawn :]
    assert len(drawn) == len(set(drawn)) > 50
    for pair in drawn:
        assert is_pair(constraint.name, pair.better, pair.worse), pair
        assert max(size_of(pair.better), size_of(pair.worse)) == pair.size
        assert actual.every < pair.size <= 2 * actual.every + 2


def test_what_is_no_pair_is_seen() -> None:
    """The other way round no pair is one."""
    for constraint in DRAWN:
        assert not any(is_pair(constraint.name, pair.worse, pair.better) for pair in searched(constraint, 100).pairs)


@pytest.mark.parametrize("constraint", DRAWN, ids=lambda one: f"{one.task} {one.name}")
def test_the_seed_decides_what_is_drawn(constraint: Constraint) -> None:
    budget = 100 * constraint.cost
    assert searched(constraint, budget, 1) == searched(constraint, budget, 1)
    assert searched(constraint, budget, 1) != searched(constraint, budget, 2)


@every_constraint
def test_with_the_usual_budget_all_pairs_up_to_the_stated_size(constraint: Constraint) -> None:
    actual = searched(constraint)
    sizes = [pair.size for pair in actual.pairs]
    assert sizes == sorted(sizes)
    assert sizes[0] == constraint.smallest
    assert len(sizes) * constraint.cost <= BUDGET
    enough = {"size versus quantity, overlapping": 20}.get(constraint.name, min(constraint.largest, 6))
    assert actual.every >= enough


@every_constraint
@settings(max_examples=some_of(15))
@given(budget=st.integers(1, 300))
def test_all_pairs_of_a_size_or_none(constraint: Constraint, budget: int) -> None:
    actual = searched(constraint, budget)
    before = actual.pairs[: len(actual.pairs) - actual.drawn]
    tried = [size for size in (*range(constraint.smallest, constraint.largest + 1), *constraint.sizes) if size <= actual.every]
    assert list(before) == [pair for size in tried for pair in constraint.pairs(size)]
    assert len(actual.pairs) <= max(budget // constraint.cost, 1)
    assert actual.largest == max((pair.size for pair in actual.pairs), default=0)
