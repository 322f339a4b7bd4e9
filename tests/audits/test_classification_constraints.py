"""Constraints on classifiers: worlds counted a second way, the counterexamples that the docs show, functions of one's own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import plumbline
from plumbline.audits.constraints.classification import Labelled, golds, sets_of, worlds
from plumbline.audits.constraints.registry import constraints_of
from plumbline.audits.searching import searched


def renamed(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The first class is a, the next b."""
    names = {label: "abc"[number] for number, label in enumerate(dict.fromkeys(labels))}
    return tuple(names[label] for label in labels)


def test_every_gold_is_there_once() -> None:
    for size in range(1, 7):
        every = {tuple(sorted(map(gold.count, set(gold)))) for gold in product("abc", repeat=size)}
        assert sorted(tuple(sorted(map(gold.count, set(gold)))) for gold in golds(size, least=1)) == sorted(every)


def test_every_output_is_there_once_up_to_the_order_of_items() -> None:
    for size in (2, 3, 4):
        kept = [tuple(sorted(zip(*world[:2], strict=True))) for world in worlds(size)]
        assert len(kept) == len(set(kept))
        for gold in golds(size):
            every = {tuple(sorted(zip(gold, answers, strict=True))) for answers in product(sorted(set(gold)), repeat=size)}
            assert every <= set(kept)


def test_every_pair_of_label_sets_is_there_once() -> None:
    kept = [tuple(zip(*world[:2], strict=True)) for world in sets_of(2)]
    every = {
        tuple(sorted(items))
        for items in product(product(("", "a", "b", "ab"), repeat=2), repeat=2)
        if {letter for gold, _ in items for letter in gold} == {"a", "b"}
    }
    assert len(kept) == len(set(kept))
    assert set(kept) == every


def pairs(name: str) -> Any:
    (constraint,) = constraints_of("classification", [name])
    return searched(constraint, 400).pairs


def test_one_label_more_is_right() -> None:
    def right(world: Labelled) -> int:
        return sum(a == b for a, b in zip(world.gold, world.answers, strict=True))

    assert all(
        right(pair.better) == right(pair.worse) + 1 and pair.better.gold == pair.worse.gold
        for pair in pairs("strict monotonicity")
    )

    def wrong(world: Labelled) -> int:
        return sum(len(set(a) ^ set(b)) for a, b in zip(world.gold, world.answers, strict=True))

    assert all(wrong(pair.better) == wrong(pair.worse) - 1 for pair in pairs("strict monotonicity, several labels"))


def test_classes_only_change_their_names() -> None:
    for pair in pairs("exchange of classes"):
        joint = [tuple(f"{a}{b}" for a, b in zip(*world[:2], strict=True)) for world in (pair.better, pair.worse)]
        assert [renamed(labels) for labels in zip(*joint, strict=True)]
        assert sorted(map(joint[0].count, set(joint[0]))) == sorted(map(joint[1].count, set(joint[1])))


def test_one_label_is_missing_in_both_the_rarer_class_in_the_worse() -> None:
    for pair in pairs("rare classes, several labels"):
        missing = [[g for g, a in zip(world.gold, world.answers, strict=True) if g != a] for world in (pair.better, pair.worse)]
        ((common,), (rare,)) = missing
        assert pair.better.gold.count(common) > pair.better.gold.count(rare)


@pytest.mark.parametrize(
    ("metric", "constraint", "better", "worse"),
    [
        ("Accuracy", "robustness to imbalance", "a b b -> a a a", "a b -> a a"),
        ("P", "strict monotonicity", "a a b c -> a a c b", "a a b c -> a b c b"),
        ("Accuracy", "strict monotonicity, several labels", "ab -> a", "ab -> -"),
        ("ICM", "strict monotonicity, several labels", "ab -> a", "ab -> -"),
    ],
)
def test_the_smallest_counterexamples(metric: str, constraint: str, better: str, worse: str) -> None:
    example = plumbline.audit(metric, task="classification", constraints=constraint).verdicts[0].counterexample
    assert example is not None
    assert {name: text for name, text, _ in example.rows()} == {"better": better, "worse": worse}


def test_icm_fails_only_where_a_class_says_nothing() -> None:
    """A class that every item has carries no information, so its labels do not count."""
    (verdict,) = plumbline.audit("ICM", task="classification", constraints="strict monotonicity, several labels").verdicts
    assert len(verdict.broken) > 100
    for example in verdict.broken:
        gold = example.pair.better.gold
        assert any(all(letter in labels for labels in gold) for letter in "ab")


def test_functions_of_ones_own_see_one_label_unless_several_are_asked_for() -> None:
    seen = []

    def exact(gold: list[Any], answers: list[Any]) -> float:
        seen.append(gold)
        return float(sum(a == b for a, b in zip(gold, answers, strict=True)) / len(gold))

    actual = plumbline.audit(exact, budget=200)
    assert actual.task == "classification"
    assert all(isinstance(label, str) for gold in seen for label in gold)
    assert actual.verdict("exact", "rare classes, several labels").reason == "it is defined for one label per item only"
    seen.clear()
    plumbline.audit(exact, constraints="strict monotonicity, several labels", budget=200)
    assert all(isinstance(labels, list) for gold in seen for labels in gold)


def test_the_smallest_counterexamples_in_a_hierarchy() -> None:
    """ICM does not see a step into a class that all items of the class above have: it carries no information."""
    (verdict,) = plumbline.audit("ICM", task="classification", constraints="one step closer, hierarchy").verdicts
    assert verdict.counterexample is not None
    assert {name: text for name, text, _ in verdict.counterexample.rows()} == {"better": "d/e -> d", "worse": "d/e -> -"}
    for example in verdict.broken:
        gold = example.pair.better.gold
        above = {label[0] for label in gold}
        assert len(above) == 1 or any(len({label for label in gold if label[0] == letter}) == 1 for letter in above)


def test_worlds_in_a_hierarchy_hold_the_classes_above() -> None:
    for name in ("one step closer, hierarchy", "one step too far, hierarchy", "nearness, hierarchy", "rare classes, hierarchy"):
        for pair in pairs(name):
            for world in (pair.better, pair.worse):
                assert all(len(labels) < 2 or labels in ("ab", "ac", "de") for side in world[:2] for labels in side)
                assert sum(a != b for a, b in zip(world.gold, world.answers, strict=True)) <= 1


def test_a_function_of_ones_own_gets_paths() -> None:
    seen: set[str] = set()

    def shared(gold: list[list[str]], answers: list[list[str]]) -> float:
        """How many letters of the paths are right."""
        seen.update(label for side in (gold, answers) for labels in side for label in labels)
        return float(sum(len({*"".join(a)} & {*"".join(b)} - {"/"}) for a, b in zip(gold, answers, strict=True)))

    actual = plumbline.audit(shared, task="classification", constraints=["nearness, hierarchy", "one step closer, hierarchy"])
    assert [verdict.holds for verdict in actual.verdicts] == [True, True]
    assert seen == {"a", "a/b", "a/c", "d", "d/e"}
