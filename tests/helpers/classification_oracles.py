"""Slow, obvious second implementations of the classification metrics: loops over items and classes, in fractions.

Nothing here imports plumbline. An item is its gold labels and the system's, None where the system gave no answer; a list of
items is one case. `CLASSIFICATION` maps the name of a metric to a function of the items and the parameters; None is undefined.
`classes` are the classes in their order; if none are given, the labels of the case in alphabetical order.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import fsum, log2, sqrt
from typing import TYPE_CHECKING, Any

from tests.helpers.filtering_oracles import harmonic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Labels = frozenset[str]
Items = list[tuple[Labels, Labels | None]]
Value = Fraction | float | None
NOTHING: Labels = frozenset()


def single(pairs: Sequence[tuple[str, str | None]]) -> Items:
    """Items of one label each."""
    return [(frozenset([gold]), None if answer is None else frozenset([answer])) for gold, answer in pairs]


def classes_of(items: Items, classes: Sequence[str] | None = None) -> list[str]:
    """The classes that were given, or the labels of the case; having no answer is not a class."""
    return (
        list(classes)
        if classes is not None
        else sorted({label for gold, answer in items for label in gold | (answer or NOTHING)})
    )


def ratio(part: Fraction | int, total: Fraction | int) -> Fraction | None:
    """An exact ratio, undefined if there is nothing to divide by."""
    return Fraction(part) / Fraction(total) if total else None


CLASSIFICATION: dict[str, Callable[..., Value]] = {}
BY_CLASS: dict[str, Callable[..., Fraction | None]] = {}
"""The formulas of metrics that each class has a value of, from its TP, FP and FN."""


def oracle(*names: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function as the oracle of these metrics."""

    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        CLASSIFICATION.update(dict.fromkeys(names, function))
        return function

    return register


# --- whole answers ----------------------------------------------------------------------------------------------------


@oracle("Accuracy", "SubsetAccuracy")
def accuracy(items: Items, **_: Any) -> Value:
    """The share of items with exactly the right labels; no answer is never right."""
    return ratio(sum(gold == answer for gold, answer in items), len(items))


@oracle("ErrorRate")
def error_rate(items: Items, **_: Any) -> Value:
    """The share of the other items."""
    return ratio(sum(gold != answer for gold, answer in items), len(items))


@oracle("HammingLoss")
def hamming_loss(items: Items, *, classes: Sequence[str] | None = None, multi: bool = False) -> Value:
    """Single labels: the share of wrong items. Several: of the wrong cells of items and classes."""
    if not multi:
        return error_rate(items)
    wrong = cells = 0
    for gold, answer in items:
        for label in classes_of(items, classes):
            cells += 1
            wrong += (label in gold) != (label in (answer or NOTHING))
    return ratio(wrong, cells)


# --- precision, recall, their means -----------------------------------------------------------------------------------


def table_of(items: Items, label: str) -> tuple[int, int, int]:
    """TP, FP and FN of one class."""
    tp = fp = fn = 0
    for gold, answer in items:
        answers = label in (answer or NOTHING)
        tp += answers and label in gold
        fp += answers and label not in gold
        fn += not answers and label in gold
    return tp, fp, fn


def value_of(name: str, table: tuple[int, int, int], **parameters: float) -> Fraction | None:
    """A metric of one class, from its TP, FP and FN."""
    return BY_CLASS[name](*table, **parameters)


def of_class(name: str, items: Items, label: str, **parameters: float) -> Fraction | None:
    """A metric of one class, what average=none shows."""
    return value_of(name, table_of(items, label), **parameters)


def mean_where_defined(values: list[Fraction | None], weights: list[int]) -> Fraction | None:
    """The weighted mean of the values that there are."""
    total, weight_of_all = Fraction(0), 0
    for value, weight in zip(values, weights, strict=True):
        if value is not None:
            total += value * weight
            weight_of_all += weight
    return ratio(total, weight_of_all)


def averaged(
    name: str, items: Items, *, average: str = "macro", classes: Sequence[str] | None = None, **parameters: float
) -> Fraction | None:
    """A metric over the classes, or over the items."""
    labels = classes_of(items, classes)
    tables = [table_of(items, label) for label in labels]
    if average == "micro":
        tp, fp, fn = (sum(table[cell] for table in tables) for cell in range(3))
        return value_of(name, (tp, fp, fn), **parameters)
    if average == "samples":
        each = [
            (len(gold & answers), len(answers - gold), len(gold - answers))
            for gold, answers in ((g, a or NOTHING) for g, a in items)
        ]
        return mean_where_defined([value_of(name, table, **parameters) for table in each], [1 for _ in each])
    weights = {"macro": [1 for _ in labels], "weighted": [sum(label in gold for gold, _ in items) for label in labels]}[average]
    return mean_where_defined([value_of(name, table, **parameters) for table in tables], weights)


def class_oracle(name: str) -> Callable[[Callable[..., Fraction | None]], Callable[..., Fraction | None]]:
    """Register the formula of a metric that each class has a value of; it takes the TP, FP and FN of the class."""

    def register(formula: Callable[..., Fraction | None]) -> Callable[..., Fraction | None]:
        BY_CLASS[name] = formula
        CLASSIFICATION[name] = partial(averaged, name)
        return formula

    return register


@class_oracle("P")
def precision(tp: int, fp: int, fn: int) -> Fraction | None:  # noqa: ARG001 - every formula gets the three
    """The share of right ones among the items that were given a class."""
    return ratio(tp, tp + fp)


@class_oracle("R")
def recall(tp: int, fp: int, fn: int) -> Fraction | None:  # noqa: ARG001 - every formula gets the three
    """The share of the items of a class that were given it."""
    return ratio(tp, tp + fn)


@class_oracle("F")
def f_measure(tp: int, fp: int, fn: int, alpha: float = 0.5) -> Fraction | None:
    """The harmonic mean of both."""
    return harmonic(precision(tp, fp, fn), recall(tp, fp, fn), alpha)


@class_oracle("Jaccard")
def jaccard(tp: int, fp: int, fn: int) -> Fraction | None:
    """The items that both sides put into a class, over those that any side does."""
    return ratio(tp, tp + fp + fn)


@oracle("BalancedAccuracy")
def balanced_accuracy(items: Items, **_: Any) -> Value:
    """The mean recall of the classes of the gold."""
    of_gold = sorted({label for gold, _ in items for label in gold})
    return mean_where_defined([of_class("R", items, label) for label in of_gold], [1 for _ in of_gold])


# --- single labels: agreement and correlation -------------------------------------------------------------------------


def pairs_of(items: Items) -> list[tuple[str, str | None]]:
    """The only gold label of each item, and the only answer; an error if there are several."""
    pairs: list[tuple[str, str | None]] = []
    for (gold,), answer in items:
        label = None
        if answer is not None:
            (label,) = answer
        pairs.append((gold, label))
    return pairs


def distance(gold: str, answer: str | None, order: list[str], weights: str) -> int:
    """How wrong an answer is; no answer is as wrong as the class that is farthest from the gold's."""
    if weights == "none":
        return int(gold != answer)
    given = order if answer is None else [answer]
    steps = max(abs(order.index(gold) - order.index(label)) for label in given)
    return steps if weights == "linear" else steps**2


@oracle("Kappa")
def kappa(items: Items, *, weights: str = "none", classes: Sequence[str] | None = None) -> Value:
    """1 less the mean distance, over the mean distance after the answers were shuffled in every way."""
    order, pairs = classes_of(items, classes), pairs_of(items)
    observed = sum(distance(gold, answer, order, weights) for gold, answer in pairs)
    shuffled = sum(distance(gold, answer, order, weights) for gold, _ in pairs for _, answer in pairs)
    share = ratio(observed * len(pairs), shuffled)
    return None if share is None else 1 - share


@oracle("MCC")
def matthews(items: Items, *, classes: Sequence[str] | None = None) -> Value:
    """The correlation of the two matrices that say which item has which class; no answer is one more column."""
    columns = [*classes_of(items, classes), None]
    gold = [[int(label == column) for column in columns] for label, _ in pairs_of(items)]
    answers = [[int(label == column) for column in columns] for _, label in pairs_of(items)]

    def covariance(left: list[list[int]], right: list[list[int]]) -> Fraction:
        total = Fraction(0)
        for column in range(len(columns)):
            left_mean = Fraction(sum(row[column] for row in left), len(items))
            right_mean = Fraction(sum(row[column] for row in right), len(items))
            total += sum((a[column] - left_mean) * (b[column] - right_mean) for a, b in zip(left, right, strict=True))
        return total

    spread = covariance(gold, gold) * covariance(answers, answers) if items else 0
    return float(covariance(gold, answers)) / sqrt(spread) if spread else None


# --- information ------------------------------------------------------------------------------------------------------


def information(items: Items, labels: Labels) -> float:
    """IC of a set: the sum over its classes of -log2 of their share in the gold; a class that the gold lacks has one item."""
    return fsum(-log2(Fraction(max(sum(label in gold for gold, _ in items), 1), len(items))) for label in labels)


@oracle("ICM")
def icm(items: Items, **_: Any) -> Value:
    """The mean information contrast of answer and gold."""
    each = []
    for gold, answer in items:
        answers = answer or NOTHING
        each.append(2 * information(items, answers) + 2 * information(items, gold) - 3 * information(items, answers | gold))
    return fsum(each) / len(each) if each else None


@oracle("ICMNorm")
def icm_norm(items: Items, **_: Any) -> Value:
    """ICM between that of the gold (1) and its negative (0), kept within both."""
    actual, best = icm(items), icm([(gold, gold) for gold, _ in items])
    if not best or actual is None:
        return None
    return min(max((float(actual) / float(best) + 1) / 2, 0.0), 1.0)


def proximity(items: Items, answer: str | None, gold: str, order: list[str], scale: str) -> float:
    """How informative it is that an answer is as near to the gold as this one."""
    if answer is None:
        return 0.0
    n = {label: sum(label in labels for labels, _ in items) for label in order}
    if scale == "nominal" and answer != gold:
        return -log2(Fraction(len(items) + n[gold], 2 * len(items)))
    start, end = order.index(answer), order.index(gold)
    way = order[start + 1 : end + 1] if start < end else order[end:start]
    return -log2((Fraction(n[answer], 2) + sum(n[label] for label in way)) / len(items))


def nearness(items: Items, scale: str, classes: Sequence[str] | None = None) -> float:
    """The sum of proximities of answers and gold: the numerator of CEM."""
    order = classes_of(items, classes)
    return fsum(proximity(items, answer, gold, order, scale) for gold, answer in pairs_of(items))


@oracle("CEM")
def closeness(items: Items, *, scale: str = "ordinal", classes: Sequence[str] | None = None) -> Value:
    """The sum of proximities, over that of the gold with itself."""
    best = nearness([(gold, gold) for gold, _ in items], scale, classes_of(items, classes))
    return nearness(items, scale, classes) / best if best else None
