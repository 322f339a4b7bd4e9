"""Slow, obvious second implementations of the measures of coreference, from links and from every assignment."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING, Any

from tests.helpers.filtering_oracles import Value, harmonic

if TYPE_CHECKING:
    from collections.abc import Callable

Clusters = list[frozenset[str]]
Links = set[frozenset[str]]
COREFERENCE: dict[str, Callable[..., Value]] = {}


def items(clusters: Clusters) -> set[str]:
    """What is in some cluster."""
    return set(chain.from_iterable(clusters))


def safe(formula: Callable[..., Value]) -> Callable[..., Value]:
    """The same formula, undefined where it divides by nothing."""

    def oracle(*sides: Clusters, **parameters: Any) -> Value:
        try:
            return formula(*sides, **parameters)
        except ZeroDivisionError:
            return None

    return oracle


def in_parts(name: str) -> Callable[[Callable[[Clusters, Clusters], Fraction]], Callable[[Clusters, Clusters], Fraction]]:
    """Register a measure that is the F of one formula and of the same with system and gold exchanged."""

    def register(formula: Callable[[Clusters, Clusters], Fraction]) -> Callable[[Clusters, Clusters], Fraction]:
        def oracle(system: Clusters, gold: Clusters, *, part: str = "F") -> Value:
            precision, recall = safe(formula)(system, gold), safe(formula)(gold, system)
            return {"P": precision, "R": recall, "F": harmonic(precision, recall, 0.5)}[part]

        COREFERENCE[name] = oracle
        return formula

    return register


@in_parts("MUC")
def muc(asserted: Clusters, requested: Clusters) -> Fraction:
    """The links that hold each cluster together, less those that the other side lacks."""
    kept = needed = 0
    for cluster in asserted:
        pieces = {frozenset(x for x in cluster if x == item or linked(x, item, requested)) for item in cluster}
        needed += len(cluster) - 1
        kept += len(cluster) - len(pieces)
    return Fraction(kept, needed)


def linked(one: str, other: str, clusters: Clusters) -> bool:
    """Whether two items share a cluster."""
    return any(one in cluster and other in cluster for cluster in clusters)


def best_assignment(ours: Clusters, theirs: Clusters, alike: Callable[[frozenset[str], frozenset[str]], Fraction]) -> Fraction:
    """The most that one-to-one pairs of clusters reach, of all ways to pair them."""
    short, long = sorted((ours, theirs), key=len)
    ways = permutations(long, len(short))
    return max(sum((alike(a, b) for a, b in zip(short, way, strict=True)), Fraction(0)) for way in ways)


@in_parts("CEAFe")
def ceaf_entities(asserted: Clusters, requested: Clusters) -> Fraction:
    """Pairs are worth the F of their items, a cluster paired with itself is worth 1."""
    worth = best_assignment(asserted, requested, lambda a, b: Fraction(2 * len(a & b), len(a) + len(b)))
    return worth / len(asserted)


@in_parts("CEAFm")
def ceaf_mentions(asserted: Clusters, requested: Clusters) -> Fraction:
    """Pairs are worth the items that they share."""
    worth = best_assignment(asserted, requested, lambda a, b: Fraction(len(a & b)))
    return worth / sum(len(cluster) for cluster in asserted)


@in_parts("LEA")
def lea(asserted: Clusters, requested: Clusters) -> Fraction:
    """The share of the links of each cluster that the other side has, weighted by its size; one item is linked to itself."""
    total = Fraction(0)
    for cluster in asserted:
        kept = sum(len(links_within(cluster) & links_within(other)) for other in requested)
        total += len(cluster) * Fraction(kept, len(links_within(cluster)))
    return total / sum(len(cluster) for cluster in asserted)


def links_within(cluster: frozenset[str]) -> Links:
    """All pairs of its items, or the one item."""
    return {frozenset(pair) for pair in combinations(cluster, 2)} or {cluster}


def blanc(system: Clusters, gold: Clusters, *, part: str = "F") -> Value:
    """The mean of what links and what missing links score; a kind that the gold does not have does not count."""
    scores = []
    for ours, theirs in zip(both_kinds(system), both_kinds(gold), strict=True):
        if theirs:
            right = len(ours & theirs)
            precision, recall = (Fraction(right, len(links)) if links else Fraction(0) for links in (ours, theirs))
            scores.append({"P": precision, "R": recall, "F": harmonic(precision, recall, 0.5) or Fraction(0)}[part])
    return sum(scores, Fraction(0)) / len(scores) if scores else None


def both_kinds(clusters: Clusters) -> tuple[Links, Links]:
    """The pairs of items that are linked, and those that are not."""
    pairs = list(combinations(items(clusters), 2))
    actual = {frozenset((a, b)) for a, b in pairs if linked(a, b, clusters)}
    return actual, {frozenset(pair) for pair in pairs} - actual


COREFERENCE["BLANC"] = blanc
