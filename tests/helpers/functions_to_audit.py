"""Metrics as somebody would write them for an audit, one formula each; `mutants` changes each of them in one place."""

from __future__ import annotations

from math import log, log2


def wacc(tp: int, fp: int, fn: int, tn: int, *, lam: float = 2.0) -> float:
    """Weighted accuracy."""
    return (lam * tp + tn) / (lam * (tp + fn) + (fp + tn))


def kappa(tp: int, fp: int, fn: int, tn: int) -> float:
    """Agreement beyond chance."""
    n = tp + fp + fn + tn
    agreed = (tp + tn) / n
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return (agreed - chance) / (1 - chance)


def maac(tp: int, fp: int, fn: int, tn: int) -> float:
    """The mean of two rates."""
    return (tp / (tp + fn) + tn / (tn + fp)) / 2


def ap(grades: list[int], relevant: int) -> float:
    """The mean precision at relevant items."""
    total, hits = 0.0, 0
    for rank, grade in enumerate(grades, 1):
        if grade > 0:
            hits = hits + 1
            total = total + hits / rank
    return total / relevant


def dcg(grades: list[int], _: int) -> float:
    """Discounted gains."""
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if rank <= len(grades):
            total = total + grade / log2(rank + 1)
    return total


def rbp(grades: list[int], _: int) -> float:
    """Gains of a user who goes on with probability 0.8."""
    total, p = 0.0, 0.8
    for rank, grade in enumerate(grades, 1):
        total = total + grade * p ** (rank - 1)
    return total * (1 - p)


def bcubed(clusters: list[list[str]], classes: list[list[str]]) -> float:
    """The harmonic mean of BCubed precision and recall of a partition."""
    n, precision, recall = 0, 0.0, 0.0
    for cluster in clusters:
        for one in classes:
            both = len(set(cluster) & set(one))
            n = n + both
            precision = precision + both * both / len(cluster)
            recall = recall + both * both / len(one)
    return 2 * precision * recall / ((precision + recall) * n)


def vi(clusters: list[list[str]], classes: list[list[str]]) -> float:
    """Variation of information; lower is better."""
    n, total = sum(len(one) for one in classes), 0.0
    for cluster in clusters:
        for one in classes:
            both = len(set(cluster) & set(one))
            if both > 0:
                total = total - both * (log(both / len(cluster)) + log(both / len(one)))
    return total / n


def macro_f(gold: list[str], answers: list[str]) -> float:
    """The mean of F over the classes of one label per item."""
    total, count = 0.0, 0
    for label in sorted(set(gold)):
        both, of_class, called = 0, 0, 0
        for right, given in zip(gold, answers, strict=True):
            both = both + (right == label) * (given == label)
            of_class = of_class + (right == label)
            called = called + (given == label)
        total = total + 2 * both / (of_class + called)
        count = count + 1
    return total / count


def macro_recall(gold: list[str], answers: list[str]) -> float:
    """The mean of recall over the classes of one label per item."""
    total, count = 0.0, 0
    for label in sorted(set(gold)):
        both, of_class = 0, 0
        for right, given in zip(gold, answers, strict=True):
            both = both + (right == label) * (given == label)
            of_class = of_class + (right == label)
        total = total + both / of_class
        count = count + 1
    return total / count
