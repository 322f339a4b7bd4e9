"""Table 6 of Amigo et al. 2013 found again by brute force, and where members of a family differ from it, why."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline.audits.constraints.clustering import rag_bag
from plumbline.audits.constraints.registry import Pair
from plumbline.audits.judging import judge
from plumbline.audits.scenes.clustering import SCENE, classes, drawn
from plumbline.audits.searching import searched
from plumbline.audits.subjects import registered
from tests.helpers.audit_cache import full_audit
from tests.helpers.audit_findings import COREFERENCE, COUNTING_PAIRS, ENTROPY_BASED, FOUND, METRICS

if TYPE_CHECKING:
    from plumbline.audits.verdict import Verdict
    from tests.helpers.audit_findings import Found

pytestmark = pytest.mark.slow

CONSTRAINTS = tuple(FOUND)
OVERLAPPING = "size versus quantity, overlapping"
TABLE_6 = {
    "F(Purity,InvPurity)": (True, False, False, True),
    "VI": (True, True, False, True),
    "EditDistance": (False, True, False, True),
    "Rand": (True, True, False, False),
    "F(BCubedP,BCubedR)": (True, True, True, True),
    "F(Rel,Sens)": (True, True, True, True),
}
"""Homogeneity, completeness, rag bag, size versus quantity, for the member that stands for its family."""
ALIKE = {
    "F(Purity,InvPurity)": ("ClusterF",),
    "VI": ("NMI", "VMeasure", "MI", "F(Entropy,ClassEntropy)"),
    "Rand": ("Jaccard", "FM", "F(PairP,PairR)"),
}
"""Other members of these families."""
DIFFERENT = {
    ("ClusterF", "homogeneity"): "a class may fit another cluster as well or better, and only its best cluster counts",
    ("ClusterF", "rag bag"): "the F of the clean class falls from 1, which purity does not see; it holds",
    ("NMI", "completeness"): "0 for every clustering of one class",
    ("VMeasure", "completeness"): "0 for every clustering of one class",
    ("MI", "completeness"): "H(L) - H(L|C) does not see that a class is divided",
    ("MI", "size versus quantity"): "the same",
    ("F(Entropy,ClassEntropy)", "homogeneity"): "lower is better, so that one part of 0 makes all 0",
    ("F(Entropy,ClassEntropy)", "completeness"): "the same",
    ("F(Entropy,ClassEntropy)", "size versus quantity"): "the same",
    ("Jaccard", "homogeneity"): "0 wherever no pair is right, however many are wrong",
    ("FM", "homogeneity"): "the same",
    ("F(PairP,PairR)", "homogeneity"): "the same",
}
"""Where a member differs from the row of its family, and why."""
OWN_TIES = {("EditDistance", "homogeneity")}
"""Which pair is the smallest depends on how it chooses among classes that a cluster shares as much with; see below."""
EQUAL = 1e-9
PAIRS = {"homogeneity": 1089, "completeness": 642, "rag bag": 158, "size versus quantity": 455}


@cache
def others() -> plumbline.Audit:
    """Metrics that are not among those of the task."""
    return plumbline.audit("F(Entropy,ClassEntropy)", task="clustering")


def verdicts(constraint: str) -> dict[str, Verdict]:
    actual = (*full_audit("clustering").verdicts, *others().verdicts)
    return {one.metric: one for one in actual if one.constraint.name == constraint and one.metric in METRICS}


def verdict(metric: str, constraint: str, budget: int) -> Verdict:
    return plumbline.audit(metric, task="clustering", constraints=constraint, budget=budget).verdict(metric, constraint)


@pytest.mark.parametrize("metric", TABLE_6)
def test_table_6(metric: str) -> None:
    actual = tuple(verdicts(constraint)[metric].holds for constraint in CONSTRAINTS)
    assert actual == TABLE_6[metric]


@pytest.mark.parametrize(
    ("metric", "constraints"),
    [
        ("Purity", {"completeness"}),
        *((metric, {"size versus quantity"}) for metric in COUNTING_PAIRS),
        *((metric, {"rag bag", "completeness"}) for metric in ENTROPY_BASED),
    ],
)
def test_each_breaks_one_of_these(metric: str, constraints: set[str]) -> None:
    broken = [verdicts(constraint)[metric].counterexample for constraint in constraints]
    shown = [example for example in broken if example is not None]
    assert shown
    better = plumbline.parse(metric, task="clustering").better
    for one in shown:
        assert one.better <= one.worse + EQUAL if better == "higher" else one.better >= one.worse - EQUAL


def test_other_members_of_the_families_differ_where_it_is_explained_and_nowhere_else() -> None:
    differing = {
        (member, constraint)
        for head, members in ALIKE.items()
        for member in members
        for constraint, expected in zip(CONSTRAINTS, TABLE_6[head], strict=True)
        if verdicts(constraint)[member].holds != expected
    }
    assert differing == set(DIFFERENT)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_smallest_counterexamples(constraint: str) -> None:
    expected: Found = FOUND[constraint]
    for metric, verdict in verdicts(constraint).items():
        assert verdict.pairs + verdict.undefined - verdict.searched.drawn == PAIRS[constraint]
        assert verdict.holds == (metric not in expected), str(verdict)
        if verdict.counterexample is None or (metric, constraint) in OWN_TIES:
            continue
        better, worse, score = expected[metric]
        smallest = verdict.counterexample
        assert (drawn(smallest.pair.better), drawn(smallest.pair.worse)) == (better, worse), str(verdict)
        assert [smallest.better, smallest.worse] == pytest.approx([score, score], abs=1e-6), str(verdict)


# --- why --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["Jaccard", "FM", "F(PairP,PairR)", "MUC"])
def test_links_break_homogeneity_only_where_nothing_is_right(metric: str) -> None:
    broken = verdicts("homogeneity")[metric].broken
    assert {round(score, 12) for one in broken for score in (one.better, one.worse)} == {0.0}


@pytest.mark.parametrize("metric", ["NMI", "VMeasure", "AMI", "ARI", "Omega", "ONMI"])
def test_they_break_completeness_only_where_the_gold_is_one_class(metric: str) -> None:
    assert {len(classes(one.pair.better)) for one in verdicts("completeness")[metric].broken} == {1}


def test_ari_breaks_homogeneity_only_where_all_classes_have_one_item() -> None:
    assert {len(word) for one in verdicts("homogeneity")["ARI"].broken for word in classes(one.pair.better)} == {1}


def test_only_two_metrics_prefer_the_worse_clustering_and_only_in_homogeneity() -> None:
    wrong = [
        (verdict.metric, constraint, str(one))
        for constraint in CONSTRAINTS
        for verdict in verdicts(constraint).values()
        for one in verdict.broken
        if abs(one.better - one.worse) > EQUAL
    ]
    assert {(metric, constraint) for metric, constraint, _ in wrong} == {("AMI", "homogeneity"), ("CEAFe", "homogeneity")}
    first = next(drawn for metric, _, drawn in wrong if metric == "CEAFe")
    assert first.splitlines() == [
        "  gold    aa | bb",
        "  better  aa | b | b  0.666667",  # 1 + 2/3 matched, twice that over 3 clusters and 2 classes
        "  worse   aab | b     0.733333",  # 4/5 + 2/3 matched, twice that over 2 clusters and 2 classes
    ]


def test_what_coreference_measures_keep() -> None:
    kept = {metric: [name for name in CONSTRAINTS if verdicts(name)[metric].holds] for metric in (*COREFERENCE, "BLANC")}
    assert kept == {
        "MUC": ["completeness", "size versus quantity"],
        "CEAFe": ["completeness", "rag bag", "size versus quantity"],
        "CEAFm": ["size versus quantity"],
        "LEA": ["completeness", "rag bag", "size versus quantity"],
        "BLANC": ["homogeneity", "completeness"],
    }


# --- overlaps ---------------------------------------------------------------------------------------------------------


def test_extended_bcubed_breaks_size_versus_quantity_with_overlaps_and_reliability_does_not() -> None:
    actual = full_audit("clustering")
    broken = actual.verdict("F(BCubedP,BCubedR)", OVERLAPPING)
    assert not broken.holds
    assert actual.verdict("F(BCubedP,BCubedR)", "size versus quantity").holds
    assert actual.verdict("F(Rel,Sens)", OVERLAPPING).holds
    assert all(shares_items(one.pair) for one in broken.broken)


def shares_items(pair: Pair) -> bool:
    """Whether an item is in two of the classes of two."""
    letters = "".join(pair.better.classes)
    return len(set(letters)) < len(letters)


def test_what_is_defined_for_partitions_only_cannot_be_told() -> None:
    parameters = full_audit("clustering").verdict("VI", OVERLAPPING)
    assert (parameters.outcome, parameters.reason) == ("undecided", "it is defined for partitions only")


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_pairs_and_size_by_hand() -> None:
    """45 pairs; three are wrongly apart: a with three a, or b, c and d each with its like."""
    assert str(verdict("Rand", "size versus quantity", 10)).splitlines() == [
        "Rand: size versus quantity is broken on 1 of 1 pair (all up to size 10); the smallest, equal scores:",
        "  gold    aaaa | bb | cc | dd",
        "  better  aaa | a | bb | cc | dd        0.933333",
        "  worse   aaaa | b | b | c | c | d | d  0.933333",
    ]


def test_edit_distance_and_homogeneity_by_hand() -> None:
    """Singletons need 2 merges. `aab | b` needs b to move, `aa | b | b` needs b and b merged: 1/2 each."""
    broken = verdicts("homogeneity")["EditDistance"].broken
    actual = next(one for one in broken if drawn(one.pair.worse) == "aab | b")
    assert drawn(actual.pair.better) == "aa | b | b"
    assert (actual.better, actual.worse) == (0.5, 0.5)


def test_purity_and_the_rag_bag_by_hand() -> None:
    """Of five items, aa and one of the bag are in the class that their cluster has most of, wherever d is; 3/5 and 1."""
    assert str(verdict("F(Purity,InvPurity)", "rag bag", 10)).splitlines() == [
        "F(Purity,InvPurity): rag bag is broken on 1 of 1 pair (all up to size 5); the smallest, equal scores:",
        "  gold    aa | b | c | d",
        "  better  aa | bcd        0.750000",
        "  worse   aad | bc        0.750000",
    ]


def test_bcubed_and_the_rag_bag_by_hand() -> None:
    """The precisions of the items add up to 2 + 3/3 in the better and to 2 * 2/3 + 1/3 + 2/2 in the worse."""
    (pair,) = rag_bag.pairs(5)
    scores = plumbline.evaluate([[1, 2], [3], [4], [5]], {"b": [[1, 2], [3, 4, 5]], "w": [[1, 2, 5], [3, 4]]}, "BCubedP")
    assert drawn(pair.better) == "aa | bcd"
    assert scores.mean["value"].to_list() == pytest.approx([3 / 5, (8 / 3) / 5])


def test_a_smaller_rag_bag_would_not_tell_metrics_apart() -> None:
    """The sketch of 2013 has three items in the bag and four in the clean cluster, so that fewer pairs become wrong."""
    sketch = replace(rag_bag, pairs=lambda _: iter([Pair(("aaaa", "bcde"), ("aaaae", "bcd"), 8)]), smallest=8, largest=8)
    names = ["VI", "NMI", "Rand", "Jaccard", "F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "EditDistance"]
    actual = judge([registered(name, "clustering") for name in names], [(sketch, searched(sketch))], SCENE)
    assert [one.holds for one in actual] == [True, True, True, True, True, False, False]


def test_what_holds_is_said() -> None:
    """One with 5 items, one with 6, 1 + 4 with 7, 1 + 10 with 8: as many as there are worlds of the other items."""
    actual = verdict("F(BCubedP,BCubedR)", "rag bag", 200)
    assert str(actual) == "F(BCubedP,BCubedR): rag bag holds on 18 pairs (all up to size 8)"


# --- what cannot be compared --------------------------------------------------------------------------------------------


def test_what_is_undefined_is_counted_and_no_failure() -> None:
    actual = verdict("Jaccard", "homogeneity", 10)
    assert (actual.pairs, actual.undefined, actual.broken, actual.holds) == (0, 1, (), False)
    parameters = "Jaccard: homogeneity cannot be decided, 1 pair not comparable because a score is undefined"
    assert str(actual) == parameters


def test_lower_is_better_for_some() -> None:
    assert verdict("BCubedP", "homogeneity", 100).holds
    assert verdict("Entropy", "homogeneity", 100).holds
    assert {plumbline.parse(name, task="clustering").better for name in METRICS} == {"higher", "lower"}


def test_parameters_and_aliases_are_understood() -> None:
    names = ["F(B3P,B3R,alpha=0.2)", "nmi(norm=joint)"]
    actual = plumbline.audit(names, task="clustering", constraints="homogeneity", budget=50)
    assert actual.metrics == ("F(BCubedP,BCubedR,alpha=0.2)", "NMI(norm=joint)")
    assert all(one.holds for one in actual.verdicts)


@pytest.mark.parametrize("metric", ["F(Entropy,Purity)", "AP", "Silhouette"])
def test_what_cannot_be_audited(metric: str) -> None:
    with pytest.raises(plumbline.BadUsage):
        plumbline.audit(metric, task="clustering")
