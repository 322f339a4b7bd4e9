"""Classes in a hierarchy: ICM by the recursion of its paper, labels with all classes above them, what is refused."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from tests.helpers.hierarchy_oracles import contrast
from tests.helpers.ranking_worlds import moderate

CLASSES = ["a", "a/b", "a/b/x", "a/b/y", "a/c", "d", "d/e", "f"]
NAMES = ["ICM", "ICMNorm"]


def scores(gold: list[Any], answers: list[Any], names: list[str] = NAMES, **options: Any) -> dict[str, float | None]:
    """The values of one list."""
    made = plumbline.evaluate(gold, {"s": answers}, names, task="classification", **options)
    return dict(made.mean.select("metric", "value").iter_rows())


label_sets = st.frozensets(st.sampled_from(CLASSES), max_size=3)


@moderate(60)
@given(items=st.lists(st.tuples(label_sets, label_sets), min_size=1, max_size=6))
def test_icm_by_the_recursion_of_the_paper(items: list[tuple[frozenset[str], frozenset[str]]]) -> None:
    items = [(frozenset({"a/c"}), frozenset({"a", "d"})), *items]  # both sides have something in common
    gold, answers = [right for right, _ in items], [given for _, given in items]
    actual = scores([sorted(one) for one in gold], [sorted(one) for one in answers], hierarchy="/")
    expected, best = contrast(gold, answers), contrast(gold, gold)
    assert actual["ICM"] == pytest.approx(expected, abs=1e-12)
    if abs(best) > 1e-12:
        assert actual["ICMNorm"] == pytest.approx(min(max((expected / best + 1) / 2, 0), 1), abs=1e-12)
    else:
        assert actual["ICMNorm"] is None


@moderate(30)
@given(pairs=st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=8))
def test_icm_of_one_label_per_item(pairs: list[tuple[str, str]]) -> None:
    pairs = [("a/b", "a/c"), *pairs]
    gold, answers = [right for right, _ in pairs], [given for _, given in pairs]
    expected = contrast([frozenset({one}) for one in gold], [frozenset({one}) for one in answers])
    assert scores(gold, answers, hierarchy="/")["ICM"] == pytest.approx(expected, abs=1e-12)


def test_icm_by_hand() -> None:
    """Two of four items are in a/b, three in a: a alone tells log2(4/3) bits, a/b tells 1, a/c and d tell 2."""
    gold = ["a/b", "a/b", "a/c", "d"]
    a = log2(4 / 3)
    right = [1, 1, 2, 2]
    assert scores(gold, gold, hierarchy="/")["ICM"] == pytest.approx(sum(right) / 4)
    sibling = 2 * 1 + 2 * 2 - 3 * (1 + 2 - a)
    parent = 2 * a + 2 * 2 - 3 * 2
    elsewhere = 2 * 2 + 2 * 2 - 3 * (2 + 2)
    for answer, value in (("a/b", sibling), ("a", parent), ("d", elsewhere)):
        actual = scores(gold, ["a/b", "a/b", answer, "d"], hierarchy="/")["ICM"]
        assert actual == pytest.approx((1 + 1 + value + 2) / 4), answer
    assert parent > elsewhere
    assert sibling > elsewhere


def test_without_classes_above_nothing_changes() -> None:
    gold, answers = ["a", "b", "c", "a"], ["a", "c", "c", "b"]
    plain = scores(gold, answers)
    assert scores(gold, answers, hierarchy="/") == pytest.approx(plain)
    made = plumbline.evaluate(gold, {"s": answers}, "ICM", task="classification", hierarchy="/")
    assert "N298" in {notice.code for notice in made.notices}
    made = plumbline.evaluate(["a/b", "b"], {"s": ["a", "b"]}, "ICM", task="classification", hierarchy="/")
    assert "N298" not in {notice.code for notice in made.notices}


def test_other_metrics_count_the_classes_above_too() -> None:
    """Hierarchical precision and recall: of the given classes and those above them, how many are right."""
    gold, answers = ["a/b/x", "a/c", "d"], ["a/b/y", "a", "d/e"]
    names = ["P(average=micro)", "R(average=micro)", "Accuracy"]
    actual = scores(gold, answers, names, hierarchy="/")
    assert actual == pytest.approx({names[0]: (2 + 1 + 1) / (3 + 1 + 2), names[1]: (2 + 1 + 1) / (3 + 2 + 1), "Accuracy": 0.0})


def test_any_text_may_stand_between_the_parts() -> None:
    gold, answers = ["a/b/x", "a/c", "d", "a/b"], ["a/b/y", "a/b", "d/e", "a"]
    dotted = [[name.replace("/", "::") for name in side] for side in (gold, answers)]
    assert scores(*dotted, hierarchy="::") == scores(gold, answers, hierarchy="/")


def test_classes_that_are_declared_get_those_above_them() -> None:
    gold, answers = ["a/b", "a/c", "d"], ["a/b", "a/b", "d"]
    free = scores(gold, answers, hierarchy="/")
    assert scores(gold, answers, hierarchy="/", classes=["a/b", "a/c", "d"]) == pytest.approx(free)


def test_an_item_without_an_answer_and_a_case_without_any() -> None:
    gold = {"p": {"1": "a/b", "2": "a/c", "3": "d"}, "q": {"1": "a/b", "2": "d"}}
    answers = {"p": {"1": "a/b", "2": "a"}}
    made = plumbline.evaluate(gold, {"s": answers}, NAMES, task="classification", hierarchy="/")
    values = {(case, name): value for _, case, name, value in made.per_case.iter_rows()}
    expected = contrast(
        [frozenset({"a/b"}), frozenset({"a/c"}), frozenset({"d"})], [frozenset({"a/b"}), frozenset({"a"}), frozenset()]
    )
    assert values["p", "ICM"] == pytest.approx(expected)
    assert values["q", "ICMNorm"] == 0


def test_the_floor_and_comparisons_of_items() -> None:
    gold = ["a/b", "a/c", "d", "a/b", "a/b", "d"] * 3
    good, bad = [*gold[:-1], "a/b"], ["a/c", "a/b", "a", "d", "a/b", "d"] * 3
    options: dict[str, Any] = {"task": "classification", "hierarchy": "/"}
    made = plumbline.evaluate(gold, {"good": good}, "ICM", floor=True, **options)
    floor = dict(made.mean.select("system", "value").iter_rows())
    sets = [frozenset({one}) for one in gold]
    assert floor["[majority]"] == pytest.approx(contrast(sets, [frozenset({"a"})] * len(gold)))
    compared = plumbline.compare(gold, {"good": good, "bad": bad}, ["ICM"], units="items", **options).to_polars()
    answers = {name: [frozenset({one}) for one in side] for name, side in (("good", good), ("bad", bad))}
    expected = {name: contrast(sets, side) for name, side in answers.items()}
    assert dict(compared.select("system", "ICM").iter_rows()) == pytest.approx(expected)
    assert compared["band"].to_list() == [1, 2]


@pytest.mark.parametrize("name", ["a//b", "/a", "a/", "a/ /b"])
def test_an_empty_part_is_refused(name: str) -> None:
    for gold, answers in ((["a/b", name], ["a/b", "a"]), (["a/b", "a"], ["a/b", name])):
        with pytest.raises(plumbline.PlumblineError, match="empty part"):
            scores(gold, answers, hierarchy="/")


def test_metrics_of_one_label_are_refused() -> None:
    with pytest.raises(plumbline.PlumblineError, match="several labels"):
        scores(["a/b", "c"], ["a/b", "c"], ["CEM"], hierarchy="/")


def test_nothing_between_the_parts_is_refused() -> None:
    with pytest.raises(plumbline.PlumblineError, match="hierarchy"):
        scores(["a/b", "c"], ["a/b", "c"], hierarchy="")
