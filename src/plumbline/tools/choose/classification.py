"""Classification: classes with or without order, one or several for each item, classes or items as the unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.tools.choose.advice import Pick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.tools.choose.questions import Answers, Counts

_GUESS: Final = "Always naming the most common class gets its share in Accuracy"

_SINGLE: Final[Mapping[Counts, Pick]] = {
    "classes": Pick(
        "means over classes",
        ("F(P,R)", "BalancedAccuracy"),
        "Each class is scored by itself and all of them count the same, so a system cannot ignore the rare ones.",
        "Guessing without looking gets 1 / number of classes in BalancedAccuracy, whatever is guessed. In F(P,R) it has no "
        "fixed score.",
        ("sokolova2009",),
    ),
    "items": Pick(
        "counts of items",
        ("Accuracy", "Kappa"),
        "Each item counts the same, so Accuracy is the share of right decisions; Kappa subtracts what guessing would get.",
        f"{_GUESS}, which can be high; in Kappa it gets 0, as does, up to chance, every guess that ignores the input.",
        ("sokolova2009", "cohen1960"),
    ),
    "unknown": Pick(
        "one by classes, one by items, one against chance",
        ("F(P,R)", "Accuracy", "Kappa"),
        "Where F(P,R) and Accuracy disagree, the systems differ in the rare classes: that shows whether the question matters.",
        f"{_GUESS}, and 0 in Kappa. In F(P,R) it loses all classes but one.",
        ("sokolova2009", "cohen1960"),
    ),
}

_ORDERED_GUESS: Final = "Every guess that ignores the input gets 0 in the weighted Kappa, up to chance"

_ORDERED: Final[Mapping[Counts, Pick]] = {
    "classes": Pick(
        "ordered classes",
        ("CEM",),
        "An error weighs more the more items lie between the two classes, so near misses cost less and rare classes are not "
        "drowned by common ones.",
        "They have no fixed score: naming a class in the middle is closer to the others than naming one at the end.",
        ("amigo2020",),
    ),
    "items": Pick(
        "ordered classes",
        ("Kappa(weights=linear)", "Accuracy"),
        "The weighted Kappa counts by how many steps each item is off and subtracts what guessing would get; Accuracy counts "
        "only what is exactly right.",
        f"{_ORDERED_GUESS}. {_GUESS}.",
        ("cohen1968", "sokolova2009"),
    ),
    "unknown": Pick(
        "ordered classes",
        ("CEM", "Kappa(weights=linear)", "Accuracy"),
        "CEM measures how far an error goes by the items between the classes, the weighted Kappa by the steps; Accuracy "
        "ignores the order.",
        f"{_ORDERED_GUESS}. CEM has no fixed score for it. {_GUESS}.",
        ("amigo2020", "cohen1968", "sokolova2009"),
    ),
}

_SEVERAL: Final[Mapping[Counts, Pick]] = {
    "classes": Pick(
        "several classes, means over classes",
        ("F(P,R)", "ICMNorm"),
        "F(P,R) asks for each class by itself who got it. ICMNorm compares the classes of each item and gives the rare ones, "
        "which tell more, more weight.",
        "Naming no class gets 0. Naming every class finds all of them, so look at P and R too where F(P,R) is high.",
        ("sokolova2009", "amigo2022"),
    ),
    "items": Pick(
        "several classes, means over items",
        ("Jaccard(average=samples)", "SubsetAccuracy"),
        "For each item, Jaccard is the share of classes on which gold and system agree; SubsetAccuracy counts the items with "
        "no error at all.",
        "Naming no class gets 0 wherever the gold has one. Naming every class gets, in Jaccard, the share of "
        "classes that an item has.",
        ("sokolova2009",),
    ),
    "unknown": Pick(
        "several classes, by classes and by items",
        ("F(P,R)", "Jaccard(average=samples)", "ICMNorm"),
        "F(P,R) is a mean over classes, Jaccard a mean over items, and ICMNorm weighs classes by how much they tell.",
        "Naming no class gets 0. Naming every class has no fixed score: it gains with the number of classes an item has.",
        ("sokolova2009", "amigo2022"),
    ),
}


def pick(answers: Answers) -> Pick:
    """Metrics for the kind of classes."""
    if answers.multilabel:
        return _SEVERAL[answers.counts]
    return (_ORDERED if answers.ordered else _SINGLE)[answers.counts]
