"""Table 6 of Amigo et al. 2013 found again by brute force, and where members of a family differ from it, why."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import plumbline
from audits.clustering_findings import COREFERENCE, FOUND, METRICS, Found
from plumbline.audits.check import check, check_all
from plumbline.audits.constraints.clustering import CLUSTERING, HOMOGENEITY, RAG_BAG, SIZE_VERSUS_QUANTITY
from plumbline.audits.constraints.constraint import Pair
from plumbline.audits.verdict import Verdict, draw

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
PAIRS = {"homogeneity": 1089, "completeness": 642, "rag bag": 158, "size versus quantity": 455}


@cache
def verdicts(constraint: str) -> dict[str, Verdict]:
    return dict(zip(METRICS, check_all(METRICS, CLUSTERING[constraint]), strict=True))


@pytest.mark.parametrize("metric", TABLE_6)
def test_table_6(metric: str) -> None:
    found = tuple(verdicts(constraint)[metric].holds for constraint in CLUSTERING)
    assert found == TABLE_6[metric]


def test_other_members_of_the_families_differ_where_it_is_explained_and_nowhere_else() -> None:
    differing = {
        (member, constraint)
        for head, members in ALIKE.items()
        for member in members
        for constraint, expected in zip(CLUSTERING, TABLE_6[head], strict=True)
        if verdicts(constraint)[member].holds != expected
    }
    assert differing == set(DIFFERENT)


@pytest.mark.parametrize("constraint", CLUSTERING)
def test_smallest_counterexamples(constraint: str) -> None:
    expected: Found = FOUND[constraint]
    for metric, verdict in verdicts(constraint).items():
        assert verdict.pairs + verdict.undefined == PAIRS[constraint]
        assert verdict.holds == (metric not in expected), str(verdict)
        if verdict.counterexample is None or (metric, constraint) in OWN_TIES:
            continue
        better, worse, score = expected[metric]
        smallest = verdict.counterexample
        assert (draw(smallest.pair.better), draw(smallest.pair.worse)) == (better, worse), str(verdict)
        assert [smallest.better, smallest.worse] == pytest.approx([score, score], abs=1e-6), str(verdict)


# --- why --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["Jaccard", "FM", "F(PairP,PairR)", "MUC"])
def test_links_break_homogeneity_only_where_nothing_is_right(metric: str) -> None:
    broken = verdicts("homogeneity")[metric].broken
    assert {round(score, 12) for one in broken for score in (one.better, one.worse)} == {0.0}


@pytest.mark.parametrize("metric", ["NMI", "VMeasure", "AMI", "ARI", "Omega", "ONMI"])
def test_they_break_completeness_only_where_the_gold_is_one_class(metric: str) -> None:
    assert {len(one.pair.gold) for one in verdicts("completeness")[metric].broken} == {1}


def test_ari_breaks_homogeneity_only_where_all_classes_have_one_item() -> None:
    assert {len(word) for one in verdicts("homogeneity")["ARI"].broken for word in one.pair.gold} == {1}


def test_only_two_metrics_prefer_the_worse_clustering_and_only_in_homogeneity() -> None:
    wrong = [
        (verdict.metric, constraint, str(one))
        for constraint in CLUSTERING
        for verdict in verdicts(constraint).values()
        for one in verdict.broken
        if not one.equal
    ]
    assert {(metric, constraint) for metric, constraint, _ in wrong} == {("AMI", "homogeneity"), ("CEAFe", "homogeneity")}
    first = next(drawn for metric, _, drawn in wrong if metric == "CEAFe")
    assert first.splitlines() == [
        "  gold    aa | bb",
        "  better  aa | b | b  0.666667",  # 1 + 2/3 matched, twice that over 3 clusters and 2 classes
        "  worse   aab | b     0.733333",  # 4/5 + 2/3 matched, twice that over 2 clusters and 2 classes
    ]


def test_what_coreference_measures_keep() -> None:
    kept = {metric: [name for name in CLUSTERING if verdicts(name)[metric].holds] for metric in (*COREFERENCE, "BLANC")}
    assert kept == {
        "MUC": ["completeness", "size versus quantity"],
        "CEAFe": ["completeness", "rag bag", "size versus quantity"],
        "CEAFm": ["size versus quantity"],
        "LEA": ["completeness", "rag bag", "size versus quantity"],
        "BLANC": ["homogeneity", "completeness"],
    }


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_pairs_and_size_by_hand() -> None:
    """45 pairs; three are wrongly apart: a with three a, or b, c and d each with its like."""
    assert str(check("Rand", SIZE_VERSUS_QUANTITY, largest=10)).splitlines() == [
        "Rand: size versus quantity fails on 1 of 1 pair of up to 10 items; the smallest, equal scores:",
        "  gold    aaaa | bb | cc | dd",
        "  better  aaa | a | bb | cc | dd        0.933333",
        "  worse   aaaa | b | b | c | c | d | d  0.933333",
    ]


def test_edit_distance_and_homogeneity_by_hand() -> None:
    """Singletons need 2 merges. `aab | b` needs b to move, `aa | b | b` needs b and b merged: 1/2 each."""
    broken = verdicts("homogeneity")["EditDistance"].broken
    found = next(one for one in broken if draw(one.pair.worse) == "aab | b")
    assert draw(found.pair.better) == "aa | b | b"
    assert (found.better, found.worse) == (0.5, 0.5)


def test_purity_and_the_rag_bag_by_hand() -> None:
    """Of five items, aa and one of the bag are in the class that their cluster has most of, wherever d is; 3/5 and 1."""
    assert str(check("F(Purity,InvPurity)", RAG_BAG, largest=5)).splitlines() == [
        "F(Purity,InvPurity): rag bag fails on 1 of 1 pair of up to 5 items; the smallest, equal scores:",
        "  gold    aa | b | c | d",
        "  better  aa | bcd        0.750000",
        "  worse   aad | bc        0.750000",
    ]


def test_bcubed_and_the_rag_bag_by_hand() -> None:
    """The precisions of the items add up to 2 + 3/3 in the better and to 2 * 2/3 + 1/3 + 2/2 in the worse."""
    (pair,) = RAG_BAG.pairs(5)
    scores = plumbline.evaluate([[1, 2], [3], [4], [5]], {"b": [[1, 2], [3, 4, 5]], "w": [[1, 2, 5], [3, 4]]}, "BCubedP")
    assert draw(pair.better) == "aa | bcd"
    assert scores.mean["value"].to_list() == pytest.approx([3 / 5, (8 / 3) / 5])


def test_a_smaller_rag_bag_would_not_tell_metrics_apart() -> None:
    """The sketch of 2013 has three items in the bag and four in the clean cluster, so that fewer pairs become wrong."""
    sketch = replace(RAG_BAG, pairs=lambda _: iter([Pair(("aaaa", "bcde"), ("aaaae", "bcd"))]))
    found = check_all(["VI", "NMI", "Rand", "Jaccard", "F(BCubedP,BCubedR)", "F(Purity,InvPurity)", "EditDistance"], sketch)
    assert [verdict.holds for verdict in found] == [True, True, True, True, True, False, False]


def test_what_holds_is_said() -> None:
    said = str(check("F(BCubedP,BCubedR)", HOMOGENEITY, largest=4))
    assert said == "F(BCubedP,BCubedR): homogeneity holds on 19 pairs of up to 4 items"
