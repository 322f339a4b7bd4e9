"""What brute force finds: for each constraint the metrics that break it, each with its smallest counterexample.

Up to 7 items for homogeneity and completeness, 10 for rag bag, 16 for size versus quantity. All of these are equal scores, the
number is that score. A metric of METRICS that is not listed holds on all pairs.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Final

Found = dict[str, tuple[str, str, float]]

SET_MATCHING: Final = ("F(Purity,InvPurity)", "ClusterF", "Purity", "InvPurity")
ENTROPY_BASED: Final = ("VI", "NMI", "VMeasure", "MI", "Entropy", "ClassEntropy", "F(Entropy,ClassEntropy)", "AMI", "ONMI")
COUNTING_PAIRS: Final = ("Rand", "Jaccard", "FM", "F(PairP,PairR)", "ARI", "Omega", "BLANC")
BCUBED: Final = ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "F(Rel,Sens)", "Rel", "Sens")
COREFERENCE: Final = ("MUC", "CEAFe", "CEAFm", "LEA")
METRICS: Final = (*SET_MATCHING, *ENTROPY_BASED, "EditDistance", *COUNTING_PAIRS, *BCUBED, *COREFERENCE)

_TWO = ("a | b", "ab")
_THREE = ("a | b | a", "ab | a")
_FOUR = ("ab | a | b", "ab | ab")
_ALL_DIFFERENT = ("ab | c | d", "ab | cd")
HOMOGENEITY: Final[Found] = {
    "ClusterF": ("a | b | a | b", "ab | a | b", 2 / 3),
    "InvPurity": (*_TWO, 1),
    "ClassEntropy": (*_TWO, 0),
    "F(Entropy,ClassEntropy)": (*_TWO, 0),
    "AMI": (*_ALL_DIFFERENT, 0),
    "EditDistance": (*_THREE, 1),
    "Jaccard": (*_THREE, 0),
    "FM": (*_FOUR, 0),
    "F(PairP,PairR)": (*_THREE, 0),
    "ARI": (*_ALL_DIFFERENT, 0),
    "Omega": (*_ALL_DIFFERENT, 0),
    "BCubedR": (*_TWO, 1),
    "Sens": (*_TWO, 1),
    "MUC": (*_THREE, 0),
    "CEAFe": (*_THREE, 2 / 3),
    "CEAFm": (*_THREE, 2 / 3),
    "LEA": (*_FOUR, 0),
}

_ONE = ("aa", "a | a")
_ONE_OF_THREE = ("a | aa", "a | a | a")
_HALVES = ("aa | aa", "aa | a | a")
COMPLETENESS: Final[Found] = {
    "F(Purity,InvPurity)": (*_HALVES, 2 / 3),
    "ClusterF": (*_HALVES, 2 / 3),
    "Purity": (*_ONE, 1),
    "InvPurity": (*_HALVES, 1 / 2),
    "Entropy": (*_ONE, 0),
    "F(Entropy,ClassEntropy)": (*_ONE, 0),
    "MI": (*_ONE, 0),
    "NMI": (*_ONE_OF_THREE, 0),
    "VMeasure": (*_ONE_OF_THREE, 0),
    "AMI": (*_ONE_OF_THREE, 0),
    "ONMI": (*_ONE_OF_THREE, 0),
    "ARI": (*_ONE_OF_THREE, 0),
    "Omega": (*_ONE_OF_THREE, 0),
    "BCubedP": (*_ONE, 1),
    "Rel": (*_ONE, 1),
    "CEAFm": (*_HALVES, 1 / 2),
}

_BAG = ("aa | bcd", "aad | bc")
_OF_CLASSES, _OF_CLUSTERS, _LEFT = log(5) - 0.4 * log(2), log(5) - 0.4 * log(2) - 0.6 * log(3), 0.6 * log(3)
"""H(L) of 2, 1, 1, 1; H(C) of 2, 3, which is MI too, since every class is in one cluster; H(L|C)."""
RAG_BAG: Final[Found] = {
    "F(Purity,InvPurity)": (*_BAG, 3 / 4),
    "Purity": (*_BAG, 3 / 5),
    "InvPurity": (*_BAG, 1),
    "Entropy": (*_BAG, _LEFT),
    "ClassEntropy": (*_BAG, 0),
    "F(Entropy,ClassEntropy)": (*_BAG, 0),
    "VI": (*_BAG, _LEFT),
    "MI": (*_BAG, _OF_CLUSTERS),
    "NMI": (*_BAG, 2 * _OF_CLUSTERS / (_OF_CLUSTERS + _OF_CLASSES)),
    "VMeasure": (*_BAG, 2 * _OF_CLUSTERS / (_OF_CLUSTERS + _OF_CLASSES)),
    "AMI": (*_BAG, 0.335435),
    "EditDistance": (*_BAG, 2),
    "Rand": (*_BAG, 7 / 10),
    "Jaccard": (*_BAG, 1 / 4),
    "FM": (*_BAG, 1 / 2),
    "F(PairP,PairR)": (*_BAG, 2 / 5),
    "ARI": (*_BAG, 2 / 7),
    "Omega": (*_BAG, 2 / 7),
    "BLANC": (*_BAG, 3 / 5),
    "BCubedR": (*_BAG, 1),
    "Sens": (*_BAG, 1),
    "MUC": (*_BAG, 1 / 2),
    "CEAFm": (*_BAG, 3 / 5),
}

_MANY = ("aaa | a | bb | cc | dd", "aaaa | b | b | c | c | d | d")
SIZE_VERSUS_QUANTITY: Final[Found] = {
    "Purity": (*_MANY, 1),
    "Entropy": (*_MANY, 0),
    "F(Entropy,ClassEntropy)": (*_MANY, 0),
    "MI": (*_MANY, 0.4 * log(10 / 4) + 0.6 * log(10 / 2)),
    "Rand": (*_MANY, 42 / 45),
    "Jaccard": (*_MANY, 6 / 9),
    "FM": (*_MANY, sqrt(6 / 9)),
    "F(PairP,PairR)": (*_MANY, 12 / 15),
    "ARI": (*_MANY, 16 / 21),
    "Omega": (*_MANY, 16 / 21),
    "BLANC": (*_MANY, (12 / 15 + 72 / 75) / 2),
    "BCubedP": (*_MANY, 1),
    "Rel": (*_MANY, 1),
}
FOUND: Final = {
    "homogeneity": HOMOGENEITY,
    "completeness": COMPLETENESS,
    "rag bag": RAG_BAG,
    "size versus quantity": SIZE_VERSUS_QUANTITY,
}
