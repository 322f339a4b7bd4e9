"""Table 6 of Amigo et al. 2013 for rankings, and what the search finds beside it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import plumbline
from plumbline.audits.constraints.ranking import Listed, priority
from plumbline.audits.constraints.registry import all_constraints
from plumbline.audits.judging import judge
from plumbline.audits.scenes.ranking import SCENE
from plumbline.audits.searching import searched
from plumbline.audits.subjects import registered
from tests.helpers.audit_cache import full_audit
from tests.helpers.audit_exact import exact

pytestmark = pytest.mark.slow

NAMES = [constraint.name for constraint in all_constraints()["ranking"]]
PUBLISHED = {
    "AP": (True, True, False, True, False),
    "DCG": (True, True, False, True, False),
    "Q": (True, True, False, True, False),
    "P@10": (False, False, True, True, False),
    "RR": (True, True, True, False, False),
    "RBP": (True, True, True, True, False),
    "F(Rel,Sens)": (True, True, True, True, True),
}
"""Priority, deepness, deepness threshold, closeness threshold, confidence."""
DIFFERENT = {
    (
        "AP",
        "deepness",
    ): "an item counts the relevant ones above it, of which a lower one has more",
    ("Q", "deepness"): "the same",
    ("RR", "priority"): "nothing below the first relevant item counts",
    ("RR", "deepness"): "the same",
}
"""Where the search finds otherwise, and why."""
IN_THE_TAIL = "F(Rel(absent=tail,tail_credit=false),Sens(absent=tail,tail_credit=false))"
"""R*S with items that the gold lacks at the end of its tail, where an irrelevant item is rightly below all relevant ones."""
OF_THE_WHOLE_LIST = {"SetP", "SetF", "SetAP", "Utility"}
"""They look at the list as a set, which becomes worse with each irrelevant item if it has a relevant one."""


def test_table_6() -> None:
    actual = full_audit("ranking")
    differing = {
        (metric, name)
        for metric, row in PUBLISHED.items()
        for name, expected in zip(NAMES, row, strict=True)
        if actual.verdict(metric, name).holds != expected
    }
    assert differing == set(DIFFERENT)


@pytest.mark.parametrize(
    ("metric", "constraint"),
    [
        ("AP", "deepness threshold"),
        ("DCG", "deepness threshold"),
        ("ERR", "closeness threshold"),
        ("RR", "closeness threshold"),
        ("P@10", "priority"),
        ("P@10", "deepness"),
        ("RBP", "confidence"),
    ],
)
def test_counterexamples_show_the_wrong_order(metric: str, constraint: str) -> None:
    example = full_audit("ranking").verdict(metric, constraint).counterexample
    assert example is not None
    better, worse = (exact(metric, "ranking", world) for world in (example.pair.better, example.pair.worse))
    assert better is not None
    assert worse is not None
    assert (example.better, example.worse) == pytest.approx((float(better), float(worse)))
    assert better <= worse


def test_confidence_is_kept_by_what_looks_at_the_whole_list_only() -> None:
    actual = full_audit("ranking")
    keep = {metric for metric in actual.metrics if actual.verdict(metric, "confidence").holds}
    assert keep == {"Rel", "F(Rel,Sens)"} | OF_THE_WHOLE_LIST | {"RBU"}, "RBU subtracts the effort of each item"


@pytest.mark.parametrize("metric", ["SetP", "SetF", "SetAP"])
def test_sets_would_break_confidence_without_a_relevant_item(metric: str) -> None:
    """Their score is 0 then, and stays it: this is why the constraint speaks of lists that hold a relevant item."""
    shorter, longer = (exact(metric, "ranking", Listed(shown, 1)) for shown in ("N", "NN"))
    assert shorter == longer == 0


def test_average_precision_and_deepness_by_hand() -> None:
    """Of N N N R N R R N the first item falls from 1/4 to 1/5, or the last one from 3/7 to 3/8."""
    example = full_audit("ranking").verdict("AP", "deepness").counterexample
    assert example is not None
    assert (example.pair.better, example.pair.worse) == (Listed("NNNRNRNR"), Listed("NNNNRRRN"))
    better, worse = (exact("AP", "ranking", world) for world in (example.pair.better, example.pair.worse))
    assert better == (Fraction(1, 4) + Fraction(2, 6) + Fraction(3, 8)) / 3
    assert worse == (Fraction(1, 5) + Fraction(2, 6) + Fraction(3, 7)) / 3
    assert better < worse


def test_a_relevant_item_below_an_irrelevant_one_can_be_better_if_absent_items_are_in_the_tail() -> None:
    """Thirteen relevant items and then another one score below twelve, the other one, and the thirteenth."""
    for relevant, right_is_better in ((4, True), (12, True), (13, False)):
        right, wrong = Listed("R" * relevant + "N"), Listed("R" * (relevant - 1) + "NR")
        better, worse = (exact(IN_THE_TAIL, "ranking", world) for world in (right, wrong))
        assert isinstance(better, Fraction)
        assert isinstance(worse, Fraction)
        assert (better > worse) == right_is_better


def test_the_audit_finds_that_too() -> None:
    verdict = plumbline.audit(IN_THE_TAIL, task="ranking", constraints=["priority"]).verdicts[0]
    assert verdict.counterexample is not None
    assert verdict.counterexample.pair.size == 14 > verdict.searched.every


def test_all_lists_of_11_to_13_items_keep_priority() -> None:
    """With up to 10 items all are tried anyway."""
    larger = replace(priority, smallest=11, largest=13, draw=None)
    subjects = [registered(name, "ranking") for name in ("F(Rel,Sens)", IN_THE_TAIL)]
    for verdict in judge(subjects, [(larger, searched(larger, 100_000))], SCENE):
        assert verdict.searched.every == 13
        assert verdict.holds


def reliability(shown: str, hidden: int = 0, *, n: int = 30) -> Fraction:
    """Rel of a list, in fractions."""
    value = exact(f"Rel(n={n})", "ranking", Listed(shown, hidden))
    assert isinstance(value, Fraction)
    return value


@pytest.mark.parametrize(("n", "items"), [(49, None), (50, 7), (800, 15)])
def test_a_deep_reader_forgives_what_is_added_at_the_end(n: int, items: int | None) -> None:
    """From n = 50 on the credit of an added item can be more than what it costs: R*S breaks confidence (section 4.4.1)."""
    lists = ["N" * place + "R" + "N" * (size - place - 1) for size in range(1, 16) for place in range(size)]
    rises = [len(shown) for shown in lists if reliability(f"{shown}N", n=n) >= reliability(shown, n=n)]
    assert min(rises, default=None) == items


def test_lists_without_a_relevant_item_are_credited() -> None:
    """Their score rises up to 7 items, so the constraint speaks of lists that hold a relevant one."""
    scores = [reliability("N" * size, hidden=1) for size in range(1, 10)]
    assert scores.index(max(scores)) == 6
    assert sorted(scores[:7]) == scores[:7]
