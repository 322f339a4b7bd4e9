"""Slow, obvious second implementations of the filtering metrics, in fractions, written from the formulas.

Nothing here imports plumbline. `FILTERING` maps the name of a metric to a function of the four counts of one case, the word of
the smoothing and the other parameters; `SCORED` to a function of (score, is positive) pairs. None is undefined.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp, fsum, inf, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tests.helpers.organization_oracles import options_of

if TYPE_CHECKING:
    from collections.abc import Callable

Number = float | Fraction
Value = Fraction | float | None
Scored = list[tuple[float, bool]]
Answered = list[tuple[bool, bool | None]]
Formula = TypeVar("Formula", bound="Callable[..., Value]")
Scores = TypeVar("Scores", bound="Callable[..., Value]")
Answers = TypeVar("Answers", bound="Callable[[Answered], Value]")


class Counts(NamedTuple):
    """The four cells of one case and system."""

    tp: Number
    fp: Number
    fn: Number
    tn: Number


CELLS = [(True, True), (True, False), (False, True), (False, False)]
"""Called positive, is positive: TP, FP, FN, TN."""


class Table:
    """The cells, and the probabilities that are read from them; asking for one that is 0/0 is a ZeroDivisionError."""

    def __init__(self, counts: Counts, smooth: str) -> None:
        self.tp, self.fp, self.fn, self.tn = (Fraction(cell) + (smooth == "laplace") for cell in counts)
        self.pseudo = 2 if smooth == "noninformative" else 0
        self.size = self.tp + self.fp + self.fn + self.tn
        if smooth == "cells":  # one more item, of which chance gives each cell its share
            cells = (self.tp, self.fp, self.fn, self.tn)
            self.tp, self.fp, self.fn, self.tn = (
                cell + share for cell, share in zip(cells, self.independent().values(), strict=True)
            )
            self.size += 1

    def share(self, count: Fraction, of: Fraction, prior: Fraction) -> Fraction:
        """A count over its group, to which two items were added that behave as the prior says."""
        return (count + self.pseudo * prior) / (of + self.pseudo)

    def g(self) -> Fraction:
        """P(G): an item is positive in the gold."""
        return (self.tp + self.fn) / self.size

    def s(self) -> Fraction:
        """P(S): the system calls an item positive."""
        return (self.tp + self.fp) / self.size

    def s_if_g(self) -> Fraction:
        """P(S|G)."""
        return self.share(self.tp, self.tp + self.fn, self.s())

    def s_if_not_g(self) -> Fraction:
        """P(S|~G)."""
        return self.share(self.fp, self.fp + self.tn, self.s())

    def g_if_s(self) -> Fraction:
        """P(G|S)."""
        return self.share(self.tp, self.tp + self.fp, self.g())

    def g_if_not_s(self) -> Fraction:
        """P(G|~S)."""
        return self.share(self.fn, self.fn + self.tn, self.g())

    def joint(self) -> dict[tuple[bool, bool], Fraction]:
        """P(S,G) by (called positive, is positive)."""
        if self.pseudo:
            in_g, outside = self.s_if_g() * self.g(), self.s_if_not_g() * (1 - self.g())
            shares = [in_g, outside, self.g() - in_g, (1 - self.g()) - outside]
        else:
            shares = [cell / self.size for cell in (self.tp, self.fp, self.fn, self.tn)]
        return dict(zip(CELLS, shares, strict=True))

    def independent(self) -> dict[tuple[bool, bool], Fraction]:
        """What the joint probabilities were if system and gold knew nothing of each other."""
        answers, true = {True: self.s(), False: 1 - self.s()}, {True: self.g(), False: 1 - self.g()}
        return {(a, b): answers[a] * true[b] for a, b in CELLS}


FILTERING: dict[str, Callable[[Counts, str, dict[str, Any]], Value]] = {}


def oracle(name: str) -> Callable[[Formula], Formula]:
    """Register the formula of a metric; a division by nothing is undefined."""

    def register(formula: Formula) -> Formula:
        def safe(counts: Counts, smooth: str, parameters: dict[str, Any]) -> Value:
            try:
                return formula(Table(counts, smooth), **parameters)
            except ZeroDivisionError:
                return None

        FILTERING[name] = safe
        return formula

    return register


SCORED: dict[str, Callable[..., Value]] = {}
PROBABILITIES: set[str] = set()
"""The metrics of scores that read them as probabilities; the others look at their order alone."""
ANSWERED: dict[str, Callable[[Answered], Value]] = {}


def scores_oracle(name: str, *, probabilities: bool = False) -> Callable[[Scores], Scores]:
    """Register the formula of a metric of scores."""

    def register(formula: Scores) -> Scores:
        SCORED[name] = formula
        PROBABILITIES.update([name] if probabilities else [])
        return formula

    return register


def answers_oracle(name: str) -> Callable[[Answers], Answers]:
    """Register the formula of a metric of answers, of which some may be missing."""

    def register(formula: Answers) -> Answers:
        ANSWERED[name] = formula
        return formula

    return register


# --- agreement --------------------------------------------------------------------------------------------------------


def agreement(joint: dict[tuple[bool, bool], Fraction]) -> Fraction:
    """The share of items of which both sides say the same."""
    return sum((share for (answers, true), share in joint.items() if answers == true), Fraction(0))


@oracle("WAcc")
def weighted_accuracy(table: Table, *, lam: float) -> Value:
    """Accuracy where a positive item counts as much as lam others."""
    joint, weight = table.joint(), Fraction(lam)
    return (weight * joint[True, True] + joint[False, False]) / (weight * table.g() + (1 - table.g()))


@oracle("Kappa")
def kappa(table: Table) -> Value:
    """How much of the agreement that chance leaves open was reached."""
    by_chance = agreement(table.independent())
    return (agreement(table.joint()) - by_chance) / (1 - by_chance)


@oracle("Phi")
def phi(table: Table) -> Value:
    """The correlation of two indicators."""
    joint = table.joint()
    above = joint[True, True] * joint[False, False] - joint[True, False] * joint[False, True]
    return float(above) / sqrt(table.g() * (1 - table.g()) * table.s() * (1 - table.s()))


@oracle("MI")
def mutual_information(table: Table) -> Value:
    """What one side tells of the other, in nats."""
    joint, independent = table.joint(), table.independent()
    return fsum(share * log(share / independent[key]) for key, share in joint.items() if share > 0)


# --- utility ----------------------------------------------------------------------------------------------------------


@oracle("Utility")
def utility(table: Table, *, tp: float = 2, tn: float = 0, fp: float = 1, fn: float = 0) -> Fraction:
    """What each right item earns, less what each wrong one costs."""
    worth = dict(zip(CELLS, (tp, -fp, -fn, tn), strict=True))
    return sum((table.size * share * Fraction(worth[cell]) for cell, share in table.joint().items()), Fraction(0))


@oracle("NUtility")
def normalised_utility(
    table: Table, *, floor: float = -0.5, s: float | None = None, tp: float = 2, tn: float = 0, **costs: float
) -> Value:
    """Utility over that of the gold itself, floored, and moved so that the floor is 0; s wrong items may be the floor."""
    best = table.size * (Fraction(tp) * table.g() + Fraction(tn) * (1 - table.g()))
    if best <= 0:
        return None
    reached, lowest = utility(table, tp=tp, tn=tn, **costs) / best, Fraction(floor)
    if s is not None:
        lowest = -Fraction(s) * Fraction(costs.get("fp", 1)) / best
    return (max(reached, lowest) - lowest) / (1 - lowest)


# --- rates ------------------------------------------------------------------------------------------------------------


def logit(chance: Fraction) -> float:
    """The logarithm of the odds."""
    return log(chance / (1 - chance)) if 0 < chance < 1 else inf if chance else -inf


@oracle("Lam")
def lam(table: Table) -> Value:
    """The mean of both error rates on the logit scale; infinities of opposite sign cancel."""
    missed, alarm = logit(1 - table.s_if_g()), logit(table.s_if_not_g())
    if {missed, alarm} == {inf, -inf}:
        return 0.5
    return 1 / (1 + exp(-(missed + alarm) / 2))


@oracle("Odds")
def odds_ratio(table: Table) -> Value:
    """The odds of S in G over those outside; 1 where nothing is known of either, undefined where infinite."""
    above = table.s_if_g() * (1 - table.s_if_not_g())
    below = (1 - table.s_if_g()) * table.s_if_not_g()
    return Fraction(1) if above == below == 0 else above / below


SIMPLE: dict[str, Callable[[Table], Fraction]] = {
    "Accuracy": lambda t: agreement(t.joint()),
    "ErrorRate": lambda t: t.joint()[True, False] + t.joint()[False, True],
    "Jaccard": lambda t: t.joint()[True, True] / (t.s() + t.g() - t.joint()[True, True]),
    "P": lambda t: t.g_if_s(),
    "NPV": lambda t: 1 - t.g_if_not_s(),
    "R": lambda t: t.s_if_g(),
    "PCFallout": lambda t: 1 - t.g_if_s(),
    "PCMiss": lambda t: t.g_if_not_s(),
    "FNR": lambda t: 1 - t.s_if_g(),
    "FPR": lambda t: t.s_if_not_g(),
    "Specificity": lambda t: 1 - t.s_if_not_g(),
    "MAAc": lambda t: (t.s_if_g() + (1 - t.s_if_not_g())) / 2,
    "Youden": lambda t: t.s_if_g() + (1 - t.s_if_not_g()) - 1,
    "Chi": lambda t: (t.s_if_g() * (1 - t.s_if_not_g()) - t.s_if_not_g() * (1 - t.s_if_g()) + 1) / 2,
}
for _name, _formula in SIMPLE.items():
    oracle(_name)(_formula)


def precision_and_recall(table: Table) -> tuple[Fraction, Fraction]:
    """Both, where one of them that is 0 stands for both, also if the other one is undefined."""
    parts = []
    for part in (table.g_if_s, table.s_if_g):
        try:
            parts.append(part())
        except ZeroDivisionError:
            continue
    if 0 in parts:
        return Fraction(0), Fraction(0)
    return table.g_if_s(), table.s_if_g()


@oracle("Product")
def product_of_both(table: Table) -> Value:
    """Precision times recall."""
    precision, recall = precision_and_recall(table)
    return precision * recall


@oracle("MeanF")
def mean_f(table: Table) -> Value:
    """The integral of F over its weight."""
    precision, recall = precision_and_recall(table)
    if precision == recall:
        return float(precision)
    return float(precision * recall / (recall - precision)) * log(recall / precision)


@oracle("Rel")
def reliability(table: Table, **arguments: Any) -> Value:
    """The share of what the filter puts above something else that the gold does, too."""
    return strict(table.tp + table.fp, table.g_if_s, lambda: 1 - table.g_if_not_s(), arguments)


@oracle("Sens")
def sensitivity(table: Table, **arguments: Any) -> Value:
    """The share of what the gold puts above something else that the filter does, too."""
    return strict(table.tp + table.fn, table.s_if_g, lambda: 1 - table.s_if_not_g(), arguments)


def strict(count: Fraction, above: Callable[[], Fraction], below: Callable[[], Fraction], arguments: dict[str, Any]) -> Value:
    """Two levels in a finite collection, else so many items above a tail; how likely each is right there is given.

    Single items are related to themselves: they all are there in a finite collection, else the tail is right as a whole.
    """
    options = {"over": "priority", "collection": "finite"} | options_of(arguments)
    if options["collection"] == "finite":
        return above() * below() if options["over"] == "priority" else Fraction(1)
    tail: Number = options["left"](count)
    if options["over"] == "related":
        return (1 - tail) * above() + tail
    return (1 - tail) * (1 if options["tail_credit"] else above()) + tail * above()


def harmonic(a: Value, b: Value, alpha: float) -> Fraction | None:
    """F: 0 as soon as a part is 0, undefined if a part is; a part without weight has no say."""
    weighted = [(part, weight) for part, weight in ((a, Fraction(alpha)), (b, 1 - Fraction(alpha))) if weight]
    if any(part == 0 for part, _ in weighted):
        return Fraction(0)
    below = Fraction(0)
    for part, weight in weighted:
        if part is None:
            return None
        below += weight / Fraction(part)
    return 1 / below if below else None


# --- scores -----------------------------------------------------------------------------------------------------------


def rates(items: Scored, threshold: float) -> tuple[Fraction, Fraction]:
    """FPR and FNR if every item with this score or a better one is called positive."""
    good = [score for score, is_positive in items if is_positive]
    bad = [score for score, is_positive in items if not is_positive]
    return Fraction(sum(s >= threshold for s in bad), len(bad)), Fraction(sum(s < threshold for s in good), len(good))


@scores_oracle("AUC")
def auc(items: Scored) -> Value:
    """How many of the pairs of a positive and a negative item are in the right order; a tie is half of one."""
    pairs = [(one, other) for one, is_good in items if is_good for other, is_also_good in items if not is_also_good]
    right = sum((Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a, b in pairs), Fraction(0))
    return right / len(pairs) if pairs else None


@scores_oracle("AP")
def average_precision(items: Scored) -> Value:
    """The precision at each threshold, weighted by the recall that it adds."""
    positives = sum(is_positive for _, is_positive in items)
    if not positives:
        return None
    total = recall = Fraction(0)
    for threshold in sorted({score for score, _ in items}, reverse=True):
        chosen = [is_positive for score, is_positive in items if score >= threshold]
        total += (Fraction(sum(chosen), positives) - recall) * Fraction(sum(chosen), len(chosen))
        recall = Fraction(sum(chosen), positives)
    return total


@scores_oracle("BrierScore", probabilities=True)
def brier(items: Scored) -> Value:
    """The mean squared distance of the scores from 0 and 1."""
    squares = [(Fraction(score) - int(is_positive)) ** 2 for score, is_positive in items]
    return sum(squares, Fraction(0)) / len(squares) if squares else None


@scores_oracle("LogLoss", probabilities=True)
def log_loss(items: Scored, *, clip: float = 2**-52) -> Value:
    """The mean of -ln of the probability that was given to what is true."""
    eps = Fraction(clip)
    clipped = [(min(max(Fraction(score), eps), 1 - eps), is_positive) for score, is_positive in items]
    return -fsum(log(p if is_positive else 1 - p) for p, is_positive in clipped) / len(items) if items else None


@scores_oracle("EER")
def equal_error_rate(items: Scored) -> Value:
    """Where the polygon through all points of the ROC curve meets the line FPR = FNR."""
    if len({is_positive for _, is_positive in items}) < 2:
        return None
    thresholds = sorted({score for score, _ in items}, reverse=True)
    points = [(Fraction(0), Fraction(1)), *(rates(items, threshold) for threshold in thresholds)]
    before, after = next((a, b) for a, b in pairwise(points) if b[0] >= b[1])
    lead, next_lead = before[1] - before[0], after[1] - after[0]
    return before[0] + lead / (lead - next_lead) * (after[0] - before[0])


# --- items without an answer ------------------------------------------------------------------------------------------


@answers_oracle("c1")
def c1(items: Answered) -> Value:
    """Accuracy where the items without an answer are as often right as all items are."""
    n, right = len(items), sum(gold == answer for gold, answer in items)
    unanswered = sum(answer is None for _, answer in items)
    return (right + unanswered * Fraction(right, n)) / n if n else None


@answers_oracle("F05u")
def f05u(items: Answered) -> Value:
    """F with beta 0.5 where every item without an answer is one more miss."""
    tp = fp = misses = 0
    for gold, answer in items:
        tp += gold and answer is True
        fp += not gold and answer is True
        misses += answer is None or (gold and answer is False)
    weight = Fraction(1, 2) ** 2
    return (1 + weight) * tp / ((1 + weight) * tp + weight * misses + fp) if tp + fp + misses else None
