"""Slow, obvious second implementations of every ranking metric: loops and fractions, written from the formulas.

Nothing here imports plumbline. `ORACLES` maps the name of a metric to a function of one list and the metric's parameters;
None is undefined.
"""

# ruff: noqa: N806 - R and N are the papers' letters

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations, product
from math import exp, floor, fsum, log, log2
from typing import TYPE_CHECKING, Any

from tests.helpers.organization_oracles import options_of, ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Number = float | Fraction
Value = float | Fraction | str | None
Case = dict[str, float]


@dataclass(frozen=True)
class Listed:
    """One ranking: the grade at each rank (None: not judged), the grades of the case, the top grade of the whole gold.

    Metrics of relations look at the scores of what is shown and at the grades, by item.
    """

    shown: tuple[float | None, ...]
    gold: tuple[float, ...]
    top: float = 1.0
    scores: Case = field(default_factory=dict)
    grades: Case = field(default_factory=dict)

    def relevant(self, rel: float) -> int:
        """R: the relevant items of the case."""
        return sum(grade >= rel for grade in self.gold)

    def irrelevant(self, rel: float) -> int:
        """N: the judged irrelevant items of the case."""
        return sum(0 <= grade < rel for grade in self.gold)

    def ranks(self) -> Iterator[tuple[int, float | None]]:
        """Rank and grade of each place."""
        return iter(enumerate(self.shown, start=1))

    def hits(self, rel: float, depth: float | None = None) -> int:
        """Relevant items down to a rank."""
        return sum(is_relevant(grade, rel) for rank, grade in self.ranks() if depth is None or rank <= depth)

    def ideal(self) -> list[float]:
        """The positive grades of the case, best first."""
        return sorted((grade for grade in self.gold if grade > 0), reverse=True)


def is_relevant(grade: float | None, rel: float) -> bool:
    """Judged with this grade or a better one."""
    return grade is not None and grade >= rel


def is_irrelevant(grade: float | None, rel: float) -> bool:
    """Judged, and not relevant; a negative grade is no judgement."""
    return grade is not None and 0 <= grade < rel


def gain_of(grade: float | None, kind: str = "linear") -> float:
    """What an item is worth."""
    worth = max(grade or 0.0, 0.0)
    return worth if kind == "linear" else 2.0**worth - 1


def discount_at(rank: int, kind: str = "burges") -> float:
    """What a place is worth."""
    if kind == "burges":
        return 1 / log2(rank + 1)
    return 1.0 if rank == 1 else 1 / log2(rank)


ORACLES: dict[str, Callable[..., Value]] = {}


def oracle(*names: str) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function as the oracle of these metrics."""

    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        ORACLES.update(dict.fromkeys(names, function))
        return function

    return register


# --- counts -----------------------------------------------------------------------------------------------------------


@oracle("NumQ")
def number_of_cases(_: Listed) -> Value:
    """Every case counts once."""
    return 1.0


@oracle("NumRet")
def number_shown(case: Listed) -> Value:
    """The length of the list."""
    return float(len(case.shown))


@oracle("NumRel")
def number_relevant(case: Listed, *, rel: float) -> Value:
    """R."""
    return float(case.relevant(rel))


@oracle("NumRelRet")
def number_relevant_shown(case: Listed, *, rel: float) -> Value:
    """All hits."""
    return float(case.hits(rel))


@oracle("NumNonRelJudgedRet")
def number_irrelevant_shown(case: Listed, *, rel: float) -> Value:
    """Judged irrelevant items shown."""
    return float(sum(is_irrelevant(grade, rel) for grade in case.shown))


# --- precision, recall, sets ------------------------------------------------------------------------------------------


def ratio(part: Number, total: Number, *, defined: bool) -> Value:
    """An exact ratio, undefined where the case does not allow one."""
    return Fraction(part) / Fraction(total) if defined else None


@oracle("P")
def precision(case: Listed, *, k: int, rel: float) -> Value:
    """Hits among k, over k."""
    return ratio(case.hits(rel, k), k, defined=case.relevant(rel) > 0)


@oracle("R")
def recall(case: Listed, *, k: int, rel: float) -> Value:
    """Hits among k, over R."""
    return ratio(case.hits(rel, k), case.relevant(rel), defined=case.relevant(rel) > 0)


@oracle("RelativeP")
def relative_precision(case: Listed, *, k: int, rel: float) -> Value:
    """Hits among k, over the most there can be."""
    return ratio(case.hits(rel, k), min(k, case.relevant(rel)), defined=case.relevant(rel) > 0)


@oracle("Success")
def success(case: Listed, *, k: int, rel: float) -> Value:
    """Any hit among k."""
    return None if case.relevant(rel) == 0 else float(case.hits(rel, k) > 0)


@oracle("Rprec", "BreakEven")
def r_precision(case: Listed, *, rel: float) -> Value:
    """Precision at R."""
    R = case.relevant(rel)
    return ratio(case.hits(rel, R), R, defined=R > 0)


@oracle("RprecMult")
def r_precision_multiple(case: Listed, *, x: float, rel: float) -> Value:
    """Precision at x times R, rounded as trec_eval does."""
    R = case.relevant(rel)
    depth = floor(x * R + 0.9)
    return ratio(case.hits(rel, depth), depth, defined=R > 0 and depth > 0)


@oracle("SetP")
def set_precision(case: Listed, *, rel: float) -> Value:
    """Hits over the length; an empty list has 0."""
    return ratio(case.hits(rel), max(len(case.shown), 1), defined=case.relevant(rel) > 0)


@oracle("SetR")
def set_recall(case: Listed, *, rel: float) -> Value:
    """Hits over R."""
    return ratio(case.hits(rel), case.relevant(rel), defined=case.relevant(rel) > 0)


@oracle("SetF")
def set_f(case: Listed, *, rel: float, beta: float) -> Value:
    """The harmonic mean of both, spelled out: 1 / (alpha / P + (1 - alpha) / R)."""
    if case.relevant(rel) == 0:
        return None
    if case.hits(rel) == 0:
        return 0.0
    alpha = 1 / (1 + Fraction(beta) ** 2)
    P, R = Fraction(case.hits(rel), len(case.shown)), Fraction(case.hits(rel), case.relevant(rel))
    return 1 / (alpha / P + (1 - alpha) / R)


@oracle("SetAP")
def set_average_precision(case: Listed, *, rel: float) -> Value:
    """Set precision times set recall."""
    hits, R = case.hits(rel), case.relevant(rel)
    return ratio(hits * hits, max(len(case.shown), 1) * R, defined=R > 0)


@oracle("SetRelativeP")
def set_relative_precision(case: Listed, *, rel: float) -> Value:
    """Hits over the most that the length allows."""
    return ratio(case.hits(rel), max(min(len(case.shown), case.relevant(rel)), 1), defined=case.relevant(rel) > 0)


@oracle("Utility")
def utility(case: Listed, *, tp: float, fp: float, fn: float, tn: float, docs: float, rel: float) -> Value:
    """The four cells with their weights."""
    hits, n, R = case.hits(rel), len(case.shown), case.relevant(rel)
    return fsum([tp * hits, fp * (n - hits), fn * (R - hits), tn * (docs - n - (R - hits))])


# --- the order of relevant items --------------------------------------------------------------------------------------


@oracle("AP")
def average_precision(case: Listed, *, rel: float, k: int | None = None) -> Value:
    """The precision at each relevant item, over R."""
    if case.relevant(rel) == 0:
        return None
    total = Fraction(0)
    for rank, grade in case.ranks():
        if is_relevant(grade, rel) and (k is None or rank <= k):
            total += Fraction(case.hits(rel, rank), rank)
    return total / case.relevant(rel)


@oracle("GMAP")
def geometric_map(case: Listed, *, rel: float) -> Value:
    """AP; only the mean over cases differs."""
    return average_precision(case, rel=rel)


@oracle("RR")
def reciprocal_rank(case: Listed, *, k: int | None, rel: float) -> Value:
    """1 over the first rank that hits."""
    if case.relevant(rel) == 0:
        return None
    for rank, grade in case.ranks():
        if is_relevant(grade, rel) and (k is None or rank <= k):
            return Fraction(1, rank)
    return 0.0


@oracle("Bpref", "GMBpref")
def binary_preference(case: Listed, *, rel: float) -> Value:
    """The share of the judged irrelevant items that do not stand above."""
    R, N = case.relevant(rel), case.irrelevant(rel)
    if R == 0:
        return None
    total, above = Fraction(0), 0
    for grade in case.shown:
        above += is_irrelevant(grade, rel)
        if is_relevant(grade, rel):
            total += 1 - (Fraction(min(above, R), min(N, R)) if above else 0)
    return total / R


@oracle("infAP")
def inferred_average_precision(case: Listed, *, rel: float) -> Value:
    """AP with the precision above each hit estimated from the judged part of the pool."""
    if case.relevant(rel) == 0:
        return None
    epsilon, total = Fraction(1, 100_000), Fraction(0)
    for rank, grade in case.ranks():
        if not is_relevant(grade, rel):
            continue
        above = case.shown[: rank - 1]
        hits, misses = sum(is_relevant(g, rel) for g in above), sum(is_irrelevant(g, rel) for g in above)
        pooled = sum(g is not None for g in above)
        total += Fraction(1, rank)
        if rank > 1:
            seen = Fraction(pooled, rank - 1) * (hits + epsilon) / (hits + misses + 2 * epsilon)
            total += Fraction(rank - 1, rank) * seen
    return total / case.relevant(rel)


@oracle("AUC")
def area_under_curve(case: Listed, *, rel: float) -> Value:
    """Every pair of a relevant and an irrelevant item: 1 if in the right order, one half if neither is shown.

    An empty list says nothing and gets 0.
    """
    R, N = case.relevant(rel), case.irrelevant(rel)
    if R == 0 or N == 0:
        return None
    if not case.shown:
        return 0.0
    good = [rank for rank, grade in case.ranks() if is_relevant(grade, rel)]
    bad = [rank for rank, grade in case.ranks() if is_irrelevant(grade, rel)]
    nowhere = len(case.shown) + 1
    total = Fraction(0)
    for one in good + [nowhere] * (R - len(good)):
        for other in bad + [nowhere] * (N - len(bad)):
            total += 1 if one < other else Fraction(1, 2) if one == other else 0
    return total / (R * N)


def interpolated(case: Listed, share: float, rel: float, points: str) -> Fraction:
    """The best precision from the point on at which enough relevant items were seen."""
    wanted = share * case.relevant(rel)
    needed = {"exact": wanted - 1e-9, "round": floor(wanted + 0.5), "truncate": floor(wanted + 0.9)}[points]
    best = Fraction(0)
    for rank, _ in case.ranks():
        if case.hits(rel, rank) >= needed:
            best = max(best, Fraction(case.hits(rel, rank), rank))
    return best


@oracle("IPrec")
def interpolated_precision(case: Listed, *, recall: float, rel: float, points: str) -> Value:
    """Interpolated precision at one recall."""
    return interpolated(case, recall, rel, points) if case.relevant(rel) else None


@oracle("11pt")
def eleven_points(case: Listed, *, rel: float, points: str) -> Value:
    """The mean over eleven recalls."""
    if case.relevant(rel) == 0:
        return None
    return sum((interpolated(case, tenth / 10, rel, points) for tenth in range(11)), Fraction(0)) / 11


@oracle("binG")
def binary_gain(case: Listed, *, rel: float) -> Value:
    """Each hit discounted by the misses above it."""
    if case.relevant(rel) == 0:
        return None
    terms = [1 / log2(2 + rank - case.hits(rel, rank)) for rank, grade in case.ranks() if is_relevant(grade, rel)]
    return fsum(terms) / case.relevant(rel)


# --- graded gains -----------------------------------------------------------------------------------------------------


def dcg(grades: list[float | None], k: int | None, gain: str = "linear", discount: str = "burges") -> float:
    """Discounted cumulated gain of grades in rank order."""
    return fsum(gain_of(g, gain) * discount_at(i, discount) for i, g in enumerate(grades[:k], start=1))


@oracle("CG")
def cumulated_gain(case: Listed, *, k: int | None, gain: str) -> Value:
    """The sum of gains."""
    return fsum(gain_of(grade, gain) for grade in case.shown[:k]) if case.ideal() else None


@oracle("DCG")
def discounted_gain(case: Listed, *, k: int | None, gain: str, discount: str) -> Value:
    """The sum of discounted gains."""
    return dcg(list(case.shown), k, gain, discount) if case.ideal() else None


@oracle("nDCG")
def normalised_gain(case: Listed, *, k: int | None, gain: str, discount: str) -> Value:
    """DCG over the DCG of the ideal list."""
    best = dcg([*case.ideal()], k, gain, discount)
    return dcg(list(case.shown), k, gain, discount) / best if best else None


def ndcg_at(case: Listed, k: int | None) -> float:
    """The usual nDCG at a rank."""
    return dcg(list(case.shown), k) / dcg([*case.ideal()], k)


@oracle("nDCGrel")
def gain_at_relevant(case: Listed) -> Value:
    """The mean of nDCG over the ranks of the items with a gain; those not shown count with the end of the list."""
    n = len(case.ideal())
    if n == 0:
        return None
    at = [ndcg_at(case, rank) for rank, grade in case.ranks() if gain_of(grade) > 0]
    return fsum(at + [ndcg_at(case, None)] * (n - len(at))) / n


@oracle("RnDCG")
def gain_at_levels(case: Listed, *, rel: float | None) -> Value:
    """The mean of nDCG over the ends of the levels of the ideal list, and the end of a longer list."""
    best = case.ideal()
    if not best or (rel is not None and not case.relevant(rel)):
        return None
    ends: list[int | None] = [rank for rank in range(1, len(best) + 1) if rank == len(best) or best[rank] != best[rank - 1]]
    if len(case.shown) > len(best) + 1:
        ends.append(None)
    return fsum(ndcg_at(case, end) for end in ends) / len(ends)


@oracle("G")
def graded_gain(case: Listed) -> Value:
    """Each gain discounted by how far the list is behind the cost of its places."""
    best = case.ideal()
    if not best:
        return None
    cost = gained = total = 0.0
    for rank, grade in case.ranks():
        cost += max(best[rank - 1], 1.0) if rank <= len(best) else 1.0
        gained += gain_of(grade)
        total += gain_of(grade) / log2(2 + cost - gained) if gain_of(grade) else 0.0
    return total / fsum(best)


@oracle("Q")
def q_measure(case: Listed, *, rel: float, beta: float) -> Value:
    """The blended ratio at each hit, over R."""
    R = case.relevant(rel)
    if R == 0:
        return None
    ideal = [Fraction(grade) for grade in case.ideal() if grade >= rel]
    total = gained = Fraction(0)
    for rank, grade in case.ranks():
        if grade is not None and grade >= rel:
            gained += Fraction(grade)
            total += (case.hits(rel, rank) + Fraction(beta) * gained) / (rank + Fraction(beta) * sum(ideal[:rank]))
    return total / R


@oracle("ERR")
def expected_reciprocal_rank(case: Listed, *, k: int | None, gmax: float | None, mapping: str, prob: str) -> Value:
    """A user goes down the list and is satisfied by each item with its own probability."""
    if not case.ideal():
        return None
    top, total, still_reading = case.top if gmax is None else gmax, 0.0, 1.0
    for rank, grade in case.ranks():
        if k is not None and rank > k:
            break
        worth = max(grade or 0.0, 0.0)
        satisfied = (2.0**worth - 1) / 2.0**top if mapping == "graded" else float(worth > 0)
        satisfied = worth if prob == "given" else satisfied
        total += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return total


@oracle("RBP")
def rank_biased_precision(case: Listed, *, p: float, rel: float, gain: str) -> Value:
    """Gains of a user who goes on with probability p."""
    if not (case.relevant(rel) if gain == "binary" else case.ideal()):
        return None
    top = {"binary": 1.0, "linear": case.top, "case": max([1.0, *case.gold])}[gain]
    worth = [float(is_relevant(g, rel)) if gain == "binary" else gain_of(g) / top for g in case.shown]
    return (1 - p) * fsum(value * p**above for above, value in enumerate(worth))


@oracle("RBPResidual")
def rank_biased_residual(case: Listed, *, p: float) -> Value:
    """What unjudged places and the places after the end could add; 0 if every item shown is judged."""
    unjudged = [above for above, grade in enumerate(case.shown) if grade is None or grade < 0]
    if not unjudged:
        return 0.0
    return p ** len(case.shown) + (1 - p) * fsum(p**above for above in unjudged)


# --- judgements -------------------------------------------------------------------------------------------------------


@oracle("Judged")
def judged_share(case: Listed, *, k: int) -> Value:
    """The judged share of the first k, or of a shorter list; an empty list has 0."""
    top = case.shown[:k]
    return Fraction(sum(grade is not None and grade >= 0 for grade in top), max(len(top), 1))


@oracle("Unjudged")
def unjudged_share(case: Listed, *, k: int) -> Value:
    """Unjudged items among the first k, over k."""
    return Fraction(sum(grade is None or grade < 0 for grade in case.shown[:k]), k)


@oracle("RelString")
def relevance_string(case: Listed, *, k: int) -> Value:
    """One letter per item."""
    letters = ["-" if g is None else "." if g < 0 else ">" if g > 9 else str(floor(g)) for g in case.shown[:k]]
    return "".join(letters)


# --- relations --------------------------------------------------------------------------------------------------------

WHATEVER_THE_TIES = {"Rel", "Sens"}
"""Equal scores are one level for them, so that all orders of a tie are the same."""


@oracle("Rel")
def reliability(case: Listed, **arguments: Any) -> Value:
    """The share of what the list puts above something else that the gold does, too."""
    return ranking(case.scores, case.grades, side="rel", **options_of(arguments))


@oracle("Sens")
def sensitivity(case: Listed, **arguments: Any) -> Value:
    """The share of what the gold puts above something else that the list does, too."""
    return ranking(case.scores, case.grades, side="sens", **options_of(arguments))


# --- combination and means --------------------------------------------------------------------------------------------


def f_of(first: float | None, second: float | None, alpha: float) -> float | None:
    """F: 0 as soon as a part is 0, undefined if a part is; a part without weight has no say."""
    if alpha in (0, 1):
        return first if alpha == 1 else second
    if first == 0 or second == 0:
        return 0.0
    if first is None or second is None:
        return None
    return 1 / (alpha / first + (1 - alpha) / second)


def geometric_mean(values: list[float]) -> float:
    """The geometric mean with trec_eval's floor."""
    return exp(fsum(log(max(value, 0.00001)) for value in values) / len(values))


# --- from gold and run to lists ---------------------------------------------------------------------------------------


def single(score: float) -> float:
    """The nearest 32-bit float."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


def orders(gold: Case, run: Case, ties: str) -> Iterator[list[str]]:
    """The order of the items; with ties="average" every order that the scores allow."""
    levels = [[item for item in run if run[item] == score] for score in sorted(set(run.values()), reverse=True)]
    if ties == "average":
        for choice in product(*(permutations(level) for level in levels)):
            yield [item for level in choice for item in level]
        return
    ordered: list[str] = []
    for level in levels:
        tied = sorted(level, reverse=True)
        if ties != "id":
            tied.sort(key=lambda item: gold.get(item, 0.0), reverse=ties == "best")
        ordered += tied
    yield ordered


def oracle_score(  # noqa: PLR0913 - a metric, a world and the policies
    name: str,
    parameters: dict[str, Any],
    gold: dict[str, Case],
    run: dict[str, Case],
    case: str,
    *,
    ties: str = "id",
    depth: int | None = None,
    judged_only: bool = False,
    single_precision: bool = False,
) -> float | str | None:
    """The value of a metric on one case, as `evaluate` would give it; a missing list is an empty one."""
    judged, scores = gold[case], dict(run.get(case, {}))
    if single_precision:
        scores = {item: single(score) for item, score in scores.items()}
    top = max([1.0, *(grade for grades in gold.values() for grade in grades.values())])
    values: list[float] = []
    every_order = orders(judged, scores, ties)
    for order in islice(every_order, 1) if name in WHATEVER_THE_TIES and depth is None else every_order:
        kept = (item for item in order[:depth] if not judged_only or judged.get(item, -1.0) >= 0)
        shown = {item: scores[item] for item in kept}
        listed = Listed(tuple(judged.get(item) for item in shown), tuple(judged.values()), top, shown, judged)
        value = ORACLES[name](listed, **parameters)
        if value is None or isinstance(value, str):
            return value
        values.append(float(value))
    return fsum(values) / len(values)
