"""A slow, obvious second implementation of Reliability and Sensitivity: every asserted relation, one by one.

Nothing here imports plumbline. A side is a list of occurrences `(item, level, cluster)`: the least level is the best, and
a cluster may span levels. `relations` lists what the first side asserts, how much each relation weighs and how likely the
other side has it (Amigó, Gonzalo and Verdejo 2013, section 3.3); value and losses are sums over that list, which is kept,
as is what its levels weigh. Numbers are fractions unless the discount is irrational. None is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import fsum, inf, log2
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Number = Fraction | float
Value = Number | None
Occurrence = tuple[str, float, Hashable]
Organization = Sequence[Occurrence]
Levels = list[list[list[str]]]
Left = Callable[[Any], Number]
Over = Literal["priority", "related", "both", "joint"]
KINDS: tuple[Over, ...] = ("priority", "related")
EVERY_OVER: tuple[Over, ...] = (*KINDS, "both", "joint")


@dataclass(frozen=True)
class Setting:
    """The parameters: `left` replaces the default discount, `cost` is what an item takes of it (1 unless given)."""

    collection: str = "unlimited"
    n: int = 30
    w: Number = Fraction(4, 5)
    tail_credit: bool = True
    absent: str = "unknown"
    left: Left | None = None
    cost: Callable[[str], Number] | None = None

    def remaining(self, before: Number) -> Number:
        """The share of the weight that lies after so many occurrences, or seconds."""
        return (self.left or inverse_square(self.n, self.w))(before)

    def taken(self, items: Iterable[str]) -> Number:
        """What these items take together."""
        return total(self.cost(item) if self.cost else Fraction(1) for item in items)


class Relation(NamedTuple):
    """What one side asserts: its weight there, the chance that the other side has it, and why the rest is lost."""

    weight: Number
    chance: Fraction
    cause: str


def total(numbers: Iterable[Number]) -> Number:
    """The sum, exact among fractions."""
    values = list(numbers)
    return (
        fsum(values)
        if any(isinstance(value, float) for value in values)
        else sum((Fraction(value) for value in values), Fraction(0))
    )


# --- discounts: the share of the weight that is left after b --------------------------------------------------------------


def inverse_square(n: int, w: Number) -> Left:
    """The paper's own: c/(c+b)."""
    c = (1 - Fraction(w)) * n / Fraction(w)
    return lambda b: c / (c + Fraction(b))


def geometric(n: int, w: Number) -> Left:
    """Each occurrence takes the same share of what is left, so that n of them take w."""
    return lambda b: float(1 - w) ** (float(b) / n)


def uniform(n: int, w: Number) -> Left:
    """The first n take the same, the others nothing; the tail keeps 1 - w."""
    return lambda b: 1 - Fraction(w) * min(Fraction(b), Fraction(n)) / n


def parts(b: Number) -> list[Fraction]:
    """How much of each occurrence is among the first b: all of it, but of the last one maybe a fraction (smoothed counts)."""
    integer, rest = divmod(Fraction(b), 1)
    return [Fraction(1)] * int(integer) + [rest] * (rest > 0)


def logarithmic(n: int, w: Number) -> Left:
    """The first n take as DCG discounts, the others nothing."""

    def sums(b: Number) -> float:
        return fsum(part / log2(i + 2) for i, part in enumerate(parts(b)))

    return lambda b: 1 - float(w) * sums(min(Fraction(b), Fraction(n))) / sums(n)


def custom_weights(vector: list[Number], w: Number) -> Left:
    """The places take as the vector says, those after its end nothing."""
    exact = [Fraction(one) for one in vector]

    def sums(b: Number) -> Fraction:
        return sum((part * one for part, one in zip(parts(b), exact, strict=False)), Fraction(0))

    return lambda b: 1 - Fraction(w) * sums(b) / sums(len(exact))


CURVES: dict[str, Callable[[int, Number], Left]] = {
    "inverse_square": inverse_square,
    "geometric": geometric,
    "uniform": uniform,
    "logarithmic": logarithmic,
}
"""The discounts that go by position, by their names."""


def half_life(h: Number = Fraction(224)) -> Left:
    """Half of the readers are gone after h seconds (Smucker and Clarke 2012)."""
    return lambda t: 2.0 ** -float(Fraction(t) / Fraction(h))


def reading_time(lengths: dict[str, int], gold: Organization) -> Callable[[str], Number]:
    """The seconds that an item takes: its summary, and the whole of it if it is opened, oftener so if it is relevant."""
    relevant = {item for item, _, _ in gold}

    def seconds(item: str) -> Number:
        opened = Fraction("0.64") if item in relevant else Fraction("0.39")
        return Fraction("4.4") + (Fraction("0.018") * lengths[item] + Fraction("7.8")) * opened

    return seconds


def options_of(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a metric as options of the functions below: its discount as a curve, its words as what they mean."""
    named: dict[str, Any] = {
        "n": 30,
        "w": 0.8,
        "discount": "inverse_square",
        "weights": None,
        "tail_credit": "true",
    } | parameters
    weights, n, w = named.pop("weights"), named.pop("n"), named.pop("w")
    curve = CURVES[named.pop("discount")]
    left = curve(n, w) if weights is None else custom_weights([Fraction(one) for one in weights.split(":")], w)
    return named | {"left": left, "tail_credit": named["tail_credit"] == "true"}


# --- weights ------------------------------------------------------------------------------------------------------------


class Weights:
    """What the levels, their occurrences and the tail of one side weigh."""

    def __init__(self, side: Organization, setting: Setting) -> None:
        self.of_level: dict[float, Number] = {}
        self.tail: Number = Fraction(0)
        self.size = {level: sum(other == level for _, other, _ in side) for _, level, _ in side}
        if setting.collection == "finite":
            self.of_level = {level: Fraction(size, len(side)) for level, size in self.size.items()}
            return
        for level in self.size:
            before = setting.taken(item for item, other, _ in side if other < level)
            after = setting.taken(item for item, other, _ in side if other <= level)
            self.of_level[level] = setting.remaining(before) - setting.remaining(after)
        self.tail = setting.remaining(setting.taken(item for item, _, _ in side))

    def of(self, occurrence: Occurrence) -> Number:
        """An equal share of what the level weighs."""
        return self.of_level[occurrence[1]] / self.size[occurrence[1]]

    def elsewhere(self, occurrence: Occurrence) -> Number:
        """Everything outside the level, tail included: what the occurrence has a priority relation with."""
        return 1 - self.of_level[occurrence[1]]


weights_of = lru_cache(maxsize=2_000)(Weights)  # every kind of relation needs those of a tuple again


# --- priority -----------------------------------------------------------------------------------------------------------


class Places:
    """At which levels the items of one side occur."""

    def __init__(self, side: Organization, absent: str) -> None:
        self.side = side
        self.absent = [inf] if absent == "tail" else []

    def of(self, item: str) -> list[float]:
        """The levels of its occurrences."""
        return [level for one, level, _ in self.side if one == item]

    def above(self, item: str, other: str) -> int:
        """How many times the item occurs above the other one; an absent one occurs nowhere, or once below everything."""
        ours, theirs = (self.of(one) or self.absent for one in (item, other))
        return sum(a < b for a in ours for b in theirs)


def above_tail(x: Places, g: Places, item: str) -> Fraction:
    """The chance that an occurrence of an item is rightly above the tail."""
    return Fraction(min(len(g.of(item)), len(x.of(item))), len(x.of(item)))


def of_two(x: Places, g: Places, upper: str, lower: str) -> tuple[Fraction, str]:
    """The chance that one item is rightly above another, and what is wrong otherwise."""
    asserted = x.above(upper, lower)
    chance = Fraction(min(g.above(upper, lower), asserted), asserted)
    actual = [side.of(item) for side in (x, g) for item in (upper, lower)]
    if not g.of(upper) or not (g.of(lower) or g.absent):
        return chance, "extra item"
    if all(len(levels) == 1 for levels in actual) and g.of(upper) == g.of(lower):
        return chance, "tied"
    return chance, "wrong order"


def priority_relations(x: Organization, g: Organization, setting: Setting) -> Iterator[Relation]:
    """Each occurrence with each of another level, and with the tail from both ends."""
    if setting.collection == "finite" and setting.absent == "tail":
        x, g = completed(x, g), completed(g, x)
    weights, ours, theirs = weights_of(tuple(x), setting), Places(x, setting.absent), Places(g, setting.absent)
    for one in x:
        weight, elsewhere = weights.of(one), weights.elsewhere(one)
        if not weight or not elsewhere:
            continue
        for other in x:
            if one[1] != other[1]:
                upper, lower = (one, other) if one[1] < other[1] else (other, one)
                yield Relation(weight * weights.of(other) / elsewhere, *of_two(ours, theirs, upper[0], lower[0]))
        if weights.tail:
            chance = above_tail(ours, theirs, one[0])
            credited = Fraction(1) if setting.tail_credit else chance
            yield Relation(weight * weights.tail / elsewhere, credited, "extra item")
            yield Relation(weight * weights.tail / (1 - weights.tail), chance, "extra item")


def completed(side: Organization, other: Organization) -> Organization:
    """A side of a finite collection whose last level is what only the other side has."""
    lacking = sorted({item for item, _, _ in other} - {item for item, _, _ in side})
    last = max((level for _, level, _ in side), default=-1) + 1
    return [*side, *((item, last, ("last", item)) for item in lacking)]


# --- relatedness --------------------------------------------------------------------------------------------------------


def shared(side: Organization, item: str, other: str) -> int:
    """How many clusters have both items, or the one if they are the same."""
    clusters = {cluster for _, _, cluster in side}
    return sum((item in members(side, cluster)) and (other in members(side, cluster)) for cluster in clusters)


def members(side: Organization, cluster: Hashable) -> set[str]:
    """The items of a cluster."""
    return {item for item, _, its in side if its == cluster}


def related_relations(x: Organization, g: Organization, setting: Setting) -> Iterator[Relation]:
    """Each occurrence with each of its cluster, itself included, and the tail, which is always right."""
    weights, known = weights_of(tuple(x), setting), {item for item, _, _ in g}
    for one in x:
        cluster = [other for other in x if other[2] == one[2]]
        together = total(weights.of(other) for other in cluster)
        for other in cluster if together else []:
            asserted = shared(x, one[0], other[0])
            chance = Fraction(min(shared(g, one[0], other[0]), asserted), asserted)
            cause = "merged cluster" if one[0] in known and other[0] in known else "extra item"
            yield Relation(weights.of(one) * weights.of(other) / together, chance, cause)
    yield Relation(weights.tail, Fraction(1), "")


# --- both at once -------------------------------------------------------------------------------------------------------


def joint_relations(x: Organization, g: Organization, setting: Setting) -> Iterator[Relation]:
    """Every relation of an occurrence, of either kind: its weight is shared among them all (section 3).

    A document of the tail has no weight of its own, so that it gives nothing to itself.
    """
    if setting.collection == "finite" and setting.absent == "tail":
        x, g = completed(x, g), completed(g, x)
    weights, ours, theirs = weights_of(tuple(x), setting), Places(x, setting.absent), Places(g, setting.absent)
    for one in x:
        cluster = [other for other in x if other[2] == one[2]]
        everything = weights.elsewhere(one) + total(weights.of(other) for other in cluster)
        if not everything:
            continue
        share = weights.of(one) / everything
        for other in x:
            if one[1] != other[1]:
                upper, lower = (one, other) if one[1] < other[1] else (other, one)
                yield Relation(share * weights.of(other), of_two(ours, theirs, upper[0], lower[0])[0], "")
        for other in cluster:
            asserted = shared(x, one[0], other[0])
            yield Relation(share * weights.of(other), Fraction(min(shared(g, one[0], other[0]), asserted), asserted), "")
        chance = above_tail(ours, theirs, one[0])
        yield Relation(share * weights.tail, Fraction(1) if setting.tail_credit else chance, "")
        if weights.tail:
            yield Relation(weights.of(one) * weights.tail / (1 - weights.tail), chance, "")


# --- the measures -------------------------------------------------------------------------------------------------------

EXCHANGED = {"extra item": "missing item", "merged cluster": "broken cluster"}
"""What a loss of Reliability is called when it is one of Sensitivity."""


def relations(x: Organization, g: Organization, over: Over, setting: Setting) -> Sequence[Relation]:
    """What the first side asserts; no weight at all is nothing."""
    return listed(tuple(x), tuple(g), over, setting)


@lru_cache(maxsize=2_000)
def listed(x: Organization, g: Organization, over: Over, setting: Setting) -> tuple[Relation, ...]:
    """The same of tuples, kept: value, losses and the mean of several kinds are sums over one list."""
    if not x and (setting.collection == "unlimited" or over == "joint"):
        return ()
    every = {"priority": priority_relations, "related": related_relations, "joint": joint_relations}[over](x, g, setting)
    return tuple(relation for relation in every if relation.weight)


def rel(x: Organization, g: Organization, *, over: Over = "both", **options: Any) -> Value:
    """The share of what the first side asserts that the second has too; see `Setting` for the options."""
    if over == "both":
        return of_both(x, g, **options)
    asserted = relations(x, g, over, Setting(**options))
    return total(one.weight * one.chance for one in asserted) if asserted else None


def sens(x: Organization, g: Organization, *, over: Over = "both", **options: Any) -> Value:
    """The same with the sides exchanged."""
    return rel(g, x, over=over, **options)


def of_both(x: Organization, g: Organization, **options: Any) -> Value:
    """The harmonic mean of both kinds of relation, without a kind that neither side asserts; 0 as soon as one is 0."""
    kinds = [kind for kind in KINDS if any(relations(*sides, kind, Setting(**options)) for sides in ((x, g), (g, x)))]
    values = [rel(x, g, over=kind, **options) for kind in kinds]
    if 0 in values:
        return Fraction(0)
    defined = [value for value in values if value is not None]
    return len(values) / total(1 / value for value in defined) if values and len(defined) == len(values) else None


def losses(x: Organization, g: Organization, *, over: Over, side: str = "rel", **options: Any) -> dict[str, Number]:
    """What each cause takes from 1, for one kind of relation; nothing asserted is no loss."""
    asserted, requested = (x, g) if side == "rel" else (g, x)
    actual: dict[str, list[Number]] = {}
    for weight, chance, cause in relations(asserted, requested, over, Setting(**options)):
        if chance < 1:
            actual.setdefault(cause if side == "rel" else EXCHANGED.get(cause, cause), []).append(weight * (1 - chance))
    return {cause: total(amounts) for cause, amounts in actual.items()}


# --- what organizations are made of -------------------------------------------------------------------------------------


def from_levels(levels: Levels) -> Organization:
    """The occurrences of nested levels, best first, each of clusters, each of items."""
    return [(item, i, (i, j)) for i, level in enumerate(levels) for j, cluster in enumerate(level) for item in cluster]


def of_ranking(
    scores: dict[str, float], grades: dict[str, float], rel: float | None = None, collection: str = "unlimited"
) -> tuple[Organization, Organization]:
    """System and gold of a ranking: a level per score or relevant grade; in a finite collection the rest is the last one."""
    relevant = {item: grade for item, grade in grades.items() if (grade > 0 if rel is None else grade >= rel)}
    x, g = ranked(scores), ranked(relevant)
    if collection == "finite":
        everything = ranked(dict.fromkeys([*scores, *relevant, *(one for one in grades if grades[one] >= 0)], 0.0))
        x, g = completed(x, everything), completed(g, everything)
    return x, g


def ranked(values: dict[str, float]) -> Organization:
    """Singletons in a level per value, the greatest first."""
    distinct = sorted(set(values.values()), reverse=True)
    return [(item, distinct.index(value), item) for item, value in values.items()]


def ranking(
    scores: dict[str, float], grades: dict[str, float], *, side: str = "rel", rel: float | None = None, **options: Any
) -> Value:
    """Rel or Sens of a ranking with its defaults: undefined if nothing is relevant, 0 for an empty output."""
    options = {"over": "priority"} | options
    if not of_ranking(scores, grades, rel)[1]:
        return None
    if not scores:
        return Fraction(0)
    x, g = of_ranking(scores, grades, rel, options.get("collection", "unlimited"))
    return MEASURES[side](x, g, **options)


MEASURES: dict[str, Callable[..., Value]] = {"rel": rel, "sens": sens}
