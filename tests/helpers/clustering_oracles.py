"""Slow, obvious second implementations of the clustering metrics, by loops over items, pairs and clusters.

Nothing here imports plumbline. `CLUSTERING` maps the name of a metric to a function of the system's clusters and the gold's
classes of one case. The items of the case are those of the gold; the system has no others. An item that the system has in no
cluster is `absent`: precision 1 and recall 0 in what is averaged over items, in no cluster elsewhere. None is undefined.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb, fsum, log, sqrt
from typing import TYPE_CHECKING, Any, TypeVar

from tests.helpers.coreference_oracles import COREFERENCE, Clusters, items, safe
from tests.helpers.filtering_oracles import Value, harmonic
from tests.helpers.organization_oracles import Over, options_of, rel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Formula = TypeVar("Formula", bound="Callable[..., Value]")
CLUSTERING: dict[str, Callable[..., Value]] = dict(COREFERENCE)


def oracle(name: str, exchanged: str = "") -> Callable[[Formula], Formula]:
    """Register a metric, and under another name the same with system and gold exchanged; 0/0 is undefined."""

    def register(formula: Formula) -> Formula:
        CLUSTERING[name] = safe(formula)
        if exchanged:
            CLUSTERING[exchanged] = safe(lambda system, gold, **parameters: formula(gold, system, **parameters))
        return formula

    return register


# --- each cluster and its best class ----------------------------------------------------------------------------------


@oracle("Purity", "InvPurity")
def purity(system: Clusters, gold: Clusters) -> Value:
    """The share of occurrences that belong to the class that their cluster has most items of."""
    best = [max((len(cluster & one) for one in gold), default=0) for cluster in system]
    return Fraction(sum(best), sum(map(len, system)))


@oracle("ClusterF")
def cluster_f(system: Clusters, gold: Clusters, *, alpha: float = 0.5) -> Value:
    """The F of the cluster that fits a class best, weighted by the size of the class."""
    total = Fraction(0)
    for one in gold:
        fits = [Fraction(0)]
        for cluster in system:
            both = len(cluster & one)
            fits.append(harmonic(Fraction(both, len(cluster)), Fraction(both, len(one)), alpha) or Fraction(0))
        total += len(one) * max(fits)
    return total / sum(len(one) for one in gold)


@oracle("EditDistance")
def edit_distance(system: Clusters, gold: Clusters) -> Value:
    """Fewest merges and moves that make the classes of the clusters, over those that singletons need; absent items move."""
    moves = len(items(gold) - items(system))
    heirs: list[list[int]] = []
    for cluster in system:
        most = max(len(cluster & one) for one in gold)
        if most:
            heirs.append([i for i, one in enumerate(gold) if len(cluster & one) == most])
        moves += len(cluster) - most
    chosen = max(len(set(choice)) for choice in product(*heirs))
    return Fraction(len(heirs) - chosen + moves, len(items(gold)) - len(gold))


# --- information ------------------------------------------------------------------------------------------------------


class Chances:
    """What a random item that both sides have is in, as probabilities, and the entropies of that; no item is 0/0."""

    def __init__(self, system: Clusters, gold: Clusters) -> None:
        both = items(system) & items(gold)
        if not both:
            raise ZeroDivisionError
        ours, classes = ([one & both for one in side if one & both] for side in (system, gold))
        self.sizes, self.n = ([len(cluster) for cluster in ours], [len(one) for one in classes]), len(both)
        self.cluster = [Fraction(size, self.n) for size in self.sizes[0]]
        self.of_class = [Fraction(size, self.n) for size in self.sizes[1]]
        self.joint = {
            (j, i): Fraction(sum(item in cluster and item in one for item in both), self.n)
            for (j, cluster), (i, one) in product(enumerate(ours), enumerate(classes))
        }
        self.h_cluster, self.h_class = uncertainty(self.cluster), uncertainty(self.of_class)

    def class_if_cluster(self) -> float:
        """H(class | cluster)."""
        classes = range(len(self.of_class))
        return fsum(p * uncertainty(self.joint[j, i] / p for i in classes) for j, p in enumerate(self.cluster))

    def information(self) -> float:
        """How far the joint distribution is from that of independent sides."""
        return fsum(p * log(p / (self.cluster[j] * self.of_class[i])) for (j, i), p in self.joint.items() if p)


def uncertainty(shares: Iterable[Fraction]) -> float:
    """The entropy of a distribution, in nats."""
    return fsum(-share * log(share) for share in shares if share)


@oracle("Entropy", "ClassEntropy")
def entropy(system: Clusters, gold: Clusters) -> Value:
    """How uncertain the class of an item is whose cluster is known."""
    return Chances(system, gold).class_if_cluster()


@oracle("MI")
def mutual_information(system: Clusters, gold: Clusters) -> Value:
    """What the cluster tells of the class."""
    return Chances(system, gold).information()


@oracle("VI")
def variation_of_information(system: Clusters, gold: Clusters) -> Value:
    """What the cluster leaves open of the class, and the class of the cluster."""
    return Chances(system, gold).class_if_cluster() + Chances(gold, system).class_if_cluster()


@oracle("NMI")
def normalised_information(system: Clusters, gold: Clusters, *, norm: str = "arithmetic") -> Value:
    """MI over a mean of both entropies, or over that of both together."""
    chances = Chances(system, gold)
    a, b = chances.h_class, chances.h_cluster
    most = {"arithmetic": (a + b) / 2, "min": min(a, b), "max": max(a, b), "geometric": sqrt(a * b)}
    return chances.information() / (most | {"joint": uncertainty(chances.joint.values())})[norm]


@oracle("Homogeneity", "Completeness")
def homogeneity(system: Clusters, gold: Clusters) -> float:
    """The share of the uncertainty of the class that the cluster takes away."""
    chances = Chances(system, gold)
    return 1 - chances.class_if_cluster() / chances.h_class if chances.h_class else 1.0


@oracle("VMeasure")
def v_measure(system: Clusters, gold: Clusters, *, beta: float = 1) -> Value:
    """The harmonic mean of homogeneity and completeness; 0 where both are."""
    h, c = homogeneity(system, gold), homogeneity(gold, system)
    return (1 + beta) * h * c / (beta * h + c) if h + c else 0.0


@oracle("AMI")
def adjusted_information(system: Clusters, gold: Clusters) -> Value:
    """MI above that of clusters and classes of the same sizes at random, over the most that this can be."""
    chances, terms = Chances(system, gold), []
    if (n := chances.n) < 2:
        return None
    if chances.sizes in (([1] * n, [1] * n), ([n], [n])):
        return 1.0
    for a, b in product(*chances.sizes):
        for both in range(max(1, a + b - n), min(a, b) + 1):
            chance = Fraction(comb(a, both) * comb(n - a, b - both), comb(n, b))
            terms.append(chance * Fraction(both, n) * log(Fraction(n * both, a * b)))
    by_chance = fsum(terms)
    return (chances.information() - by_chance) / ((chances.h_class + chances.h_cluster) / 2 - by_chance)


# --- pairs of items ---------------------------------------------------------------------------------------------------


class Side:
    """Which clusters an item is in."""

    def __init__(self, clusters: Clusters) -> None:
        self.of = {item: {i for i, cluster in enumerate(clusters) if item in cluster} for item in items(clusters)}

    def shared(self, one: str, other: str) -> int:
        """How many clusters have both items."""
        return len(self.of.get(one, set()) & self.of.get(other, set()))


def pairs(system: Clusters, gold: Clusters) -> list[tuple[int, int]]:
    """For each two items, how many clusters and how many classes they share."""
    ours, theirs = Side(system), Side(gold)
    return [(ours.shared(a, b), theirs.shared(a, b)) for a, b in combinations(sorted(items(gold) | items(system)), 2)]


def together(system: Clusters, gold: Clusters) -> list[int]:
    """How many pairs are together in both, in the system only, in the gold only and in neither."""
    count = Counter((x > 0, g > 0) for x, g in pairs(system, gold))
    return [count[True, True], count[True, False], count[False, True], count[False, False]]


PAIRS: dict[str, Callable[[int, int, int, int], Value]] = {
    "Rand": lambda ss, sd, ds, dd: Fraction(ss + dd, ss + sd + ds + dd),
    "Jaccard": lambda ss, sd, ds, _: Fraction(ss, ss + sd + ds),
    "FM": lambda ss, sd, ds, _: ss / sqrt((ss + sd) * (ss + ds)),
    "PairP": lambda ss, sd, _, __: Fraction(ss, ss + sd),
    "PairR": lambda ss, _, ds, __: Fraction(ss, ss + ds),
}


def of_pairs(formula: Callable[[int, int, int, int], Value]) -> Callable[[Clusters, Clusters], Value]:
    """A formula of the four counts as one of system and gold."""
    return lambda system, gold: formula(*together(system, gold))


for _name, _formula in PAIRS.items():
    oracle(_name)(of_pairs(_formula))


@oracle("ARI")
def adjusted_rand(system: Clusters, gold: Clusters) -> Value:
    """Pairs together in both above those of random clusters of the same sizes; 1 if both sides are one same extreme."""
    ss, sd, ds, dd = together(system, gold)
    by_chance = Fraction((ss + sd) * (ss + ds), ss + sd + ds + dd)
    most = Fraction((ss + sd) + (ss + ds), 2)
    return (ss - by_chance) / (most - by_chance) if sd or ds else Fraction(1)


@oracle("Omega")
def omega(system: Clusters, gold: Clusters) -> Value:
    """How often pairs share as many clusters as classes, above what chance gives."""
    both = pairs(system, gold)
    observed = Fraction(sum(x == g for x, g in both), len(both))
    by_chance = Fraction(sum(x == g for (x, _), (_, g) in product(both, both)), len(both) ** 2)
    return (observed - by_chance) / (1 - by_chance)


# --- items and those they meet ----------------------------------------------------------------------------------------


@oracle("BCubedP", "BCubedR")
def bcubed(asserted: Clusters, requested: Clusters) -> Value:
    """The mean over items of the mean over those it meets of how many of the meetings the other side has."""
    ours, theirs, values = Side(asserted), Side(requested), []
    for item in items(asserted):
        met = [other for other in items(asserted) if ours.shared(item, other)]
        values.append(sum(likely(ours, theirs, item, other) for other in met) / len(met))
    absent = len(items(requested) - items(asserted))
    return (sum(values) + absent) / (len(values) + absent)


@oracle("Rel", "Sens")
def reliability(
    asserted: Clusters, requested: Clusters, *, over: Over = "related", collection: str = "finite", **arguments: Any
) -> Value:
    """The same, where each occurrence of an item is an item of its own; else all clusters are one level of an organization."""
    if over == "related" and (collection == "finite" or items(asserted) != items(requested)):
        tail = options_of(arguments)["left"](sum(map(len, asserted))) if collection == "unlimited" else Fraction(0)
        return tail + (1 - tail) * of_occurrences(asserted, requested)
    x, g = ([(item, 0, i) for i, cluster in enumerate(side) for item in cluster] for side in (asserted, requested))
    return rel(x, g, over=over, collection=collection, **options_of(arguments))


def of_occurrences(asserted: Clusters, requested: Clusters) -> Fraction:
    """The mean over occurrences of the mean over their clusters of how likely the other side has the meeting."""
    ours, theirs = Side(asserted), Side(requested)
    right = [
        sum((likely(ours, theirs, item, other) for other in cluster), Fraction(0)) / len(cluster)
        for cluster in asserted
        for item in cluster
    ]
    absent = len(items(requested) - items(asserted))
    return (sum(right, Fraction(0)) + absent) / (len(right) + absent)


def likely(ours: Side, theirs: Side, item: str, other: str) -> Fraction:
    """The chance that the other side has a meeting of two items that this side has."""
    meetings = ours.shared(item, other)
    return Fraction(min(meetings, theirs.shared(item, other)), meetings)


# --- overlapping information ------------------------------------------------------------------------------------------


@oracle("ONMI")
def overlapping_information(system: Clusters, gold: Clusters, *, match: str = "overlapping") -> Value:
    """The mean of what each side's clusters, one by one, lose in uncertainty to the best of the other, over the larger H."""
    n = len(items(gold) | items(system))
    h_system, h_gold = (fsum(bits(len(cluster), n - len(cluster)) for cluster in side) for side in (system, gold))
    kept = [
        fsum(left_open(one, [other for other in others if match == "any" or one & other], n) for one in side)
        for side, others in ((system, gold), (gold, system))
    ]
    return ((h_system - kept[0]) + (h_gold - kept[1])) / 2 / max(h_system, h_gold)


def bits(*counts: int) -> float:
    """The entropy of a variable that takes its values so many times."""
    return uncertainty(Fraction(count, sum(counts)) for count in counts)


def left_open(one: frozenset[str], others: Clusters, n: int) -> float:
    """H of membership in a cluster if the membership in the best of the others is known."""
    alone = bits(len(one), n - len(one))
    known = [bits(*cells(one, other, n)) - bits(len(other), n - len(other)) for other in others if alike(one, other, n)]
    return min([alone, *known])


def cells(one: frozenset[str], other: frozenset[str], n: int) -> tuple[int, int, int, int]:
    """How many items are in neither, in the other only, in the one only and in both."""
    return n - len(one | other), len(other - one), len(one - other), len(one & other)


def alike(one: frozenset[str], other: frozenset[str], n: int) -> bool:
    """Whether agreement is worth no less than disagreement, h(a) + h(d) >= h(b) + h(c), in whole numbers to see ties."""
    a, b, c, d = cells(one, other, n)
    return bool(n ** (a + d) * b**b * c**c >= n ** (b + c) * a**a * d**d)
