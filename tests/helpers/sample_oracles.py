"""Slow second implementations of estimates from a sample of the pool: loops over one list, written from the formulas."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log2, sqrt

EPSILON = Fraction(1, 100_000)


@dataclass(frozen=True)
class Item:
    """An item of the gold: grade (negative: pooled, not judged), stratum and, perhaps, the probability of being judged."""

    grade: float
    stratum: str = ""
    probability: float | None = None


@dataclass(frozen=True)
class Sampled:
    """One list: what each place shows (None: not pooled), and all items of the gold."""

    shown: tuple[Item | None, ...]
    gold: tuple[Item, ...]

    def strata(self) -> list[str]:
        """The strata of the gold."""
        return sorted({item.stratum for item in self.gold})

    def pooled(self, stratum: str) -> int:
        """N."""
        return sum(item.stratum == stratum for item in self.gold)

    def drawn(self, stratum: str) -> int:
        """N."""
        return sum(item.stratum == stratum and item.grade >= 0 for item in self.gold)

    def weight(self, item: Item) -> Fraction:
        """For how many items one stands."""
        if item.probability is not None:
            return 1 / Fraction(item.probability)
        return Fraction(self.pooled(item.stratum), self.drawn(item.stratum))

    def total(self, rel: float) -> Fraction:
        """The estimated number of relevant items."""
        return sum((self.weight(item) for item in self.gold if item.grade >= rel), Fraction(0))

    def first(self, end: int) -> list[Item]:
        """The pooled items among the first places."""
        return [item for item in self.shown[:end] if item is not None]


def precision_at(case: Sampled, rank: int, rel: float) -> Fraction:
    """1, and the expected relevant items above, over the rank."""
    expected = Fraction(0)
    for stratum in case.strata():
        above = [item for item in case.first(rank - 1) if item.stratum == stratum]
        hits, judged = sum(item.grade >= rel for item in above), sum(item.grade >= 0 for item in above)
        expected += len(above) * (hits + EPSILON) / (judged + 3 * EPSILON)
    return (1 + expected) / rank


def xinfap(case: Sampled, rel: float, limit: int | None = None) -> float | None:
    """Sum over relevant items shown, each for those that it stands for."""
    total = case.total(rel)
    if not total:
        return None
    value = Fraction(0)
    for rank, item in enumerate(case.shown, start=1):
        if item is not None and item.grade >= rel:
            value += case.weight(item) * precision_at(case, rank, rel)
    return float(value / total * (total / limit if limit and total > limit else 1))


def xinfap_error(case: Sampled, rel: float) -> float | None:
    """The error of a stratified total of (precision - value) over relevant items."""
    value, total = xinfap(case, rel), case.total(rel)
    if value is None:
        return None
    parts: dict[str, list[float]] = {stratum: [] for stratum in case.strata()}
    places = {id(item): rank for rank, item in enumerate(case.shown, start=1) if item is not None}
    for item in case.gold:
        if item.grade >= 0:
            rank = places.get(id(item))
            part = 0.0 if item.grade < rel else (0.0 if rank is None else float(precision_at(case, rank, rel))) - value
            parts[item.stratum].append(part + (0.0 if rank is None else said_about_others(case, item, rank, rel)))
    variances = [stratified(case.pooled(stratum), numbers) for stratum, numbers in parts.items()]
    known = [number for number in variances if number is not None]
    return None if len(known) < len(variances) else sqrt(sum(known)) / float(total)


def said_about_others(case: Sampled, item: Item, rank: int, rel: float) -> float:
    """What an item changes in the precision at relevant items below it: they estimate their stratum above from it."""
    change = 0.0
    for place, other in enumerate(case.shown, start=1):
        if place > rank and other is not None and other.grade >= rel:
            above = [one for one in case.first(place - 1) if one.stratum == item.stratum]
            judged = [one for one in above if one.grade >= 0]
            mean = sum(one.grade >= rel for one in judged) / len(judged)
            change += float(case.weight(other)) * len(above) / place / len(judged) * ((item.grade >= rel) - mean)
    return change * case.drawn(item.stratum) / case.pooled(item.stratum)


def stratified(pooled: int, numbers: list[float]) -> float | None:
    """The variance of a total that is estimated from some of so many items."""
    n = len(numbers)
    if n == pooled:
        return 0.0
    if n < 2:
        return None
    mean = sum(numbers) / n
    return pooled**2 * (1 - n / pooled) * sum((number - mean) ** 2 for number in numbers) / (n - 1) / n


def statap(case: Sampled, rel: float) -> float | None:
    """Horvitz-Thompson, an item itself counted once."""
    total = case.total(rel)
    if not total:
        return None
    value, above = Fraction(0), Fraction(0)
    for rank, item in enumerate(case.shown, start=1):
        if item is not None and item.grade >= rel:
            value += case.weight(item) * (1 + above) / rank
            above += case.weight(item)
    return float(value / total)


def statap_error(case: Sampled, rel: float) -> float | None:
    """Linearised, items drawn independently."""
    value, total = statap(case, rel), case.total(rel)
    if value is None:
        return None
    hits = [(rank, item) for rank, item in enumerate(case.shown, start=1) if item is not None and item.grade >= rel]
    variance = 0.0
    for item in case.gold:
        if item.grade < rel:
            continue
        weight = float(case.weight(item))
        change = 0.0
        for rank, other in hits:
            if other is item:
                change += (1 + float(sum(case.weight(above) for place, above in hits if place < rank))) / rank
                change += sum(float(case.weight(below)) / place for place, below in hits if place > rank)
        variance += (1 - 1 / weight) * weight**2 * (change - value) ** 2
    return sqrt(variance) / float(total)


def scaled(case: Sampled, end: int, worth: dict[int, float]) -> tuple[float, float | None]:
    """The total over strata of what judged places are worth, and its error; `worth` is by rank."""
    total, variance = 0.0, 0.0
    unknown = False
    for stratum in case.strata():
        places = [rank for rank, item in enumerate(case.shown[:end], start=1) if item is not None and item.stratum == stratum]
        judged = [rank for rank in places if (item := case.shown[rank - 1]) is not None and item.grade >= 0]
        numbers = [worth[rank] for rank in judged]
        if judged:
            total += len(places) * sum(numbers) / len(judged)
        if not places:
            continue
        each = stratified(len(places), numbers)
        unknown, variance = unknown or each is None, variance + (each or 0.0)
    return total, None if unknown else sqrt(variance)


def best_list(case: Sampled, count: str, more: float | None = None) -> list[float]:
    """The grades of the best list, of as many items of each as are estimated, and one more of a grade."""
    best: list[float] = []
    for grade in sorted({item.grade for item in case.gold if item.grade > 0}, reverse=True):
        number = sum((case.weight(item) for item in case.gold if item.grade == grade), Fraction(0))
        best += [grade] * (int(number + (Fraction(1, 2) if count == "nearest" else 0)) + (grade == more))
    return best


def gain(grades: list[float]) -> float:
    """The discounted gain of a list of grades."""
    return sum(grade / log2(place + 1) for place, grade in enumerate(grades, start=1))


def infndcg(case: Sampled, k: int | None, count: str = "nearest") -> tuple[float | None, float | None]:
    """The value and its error."""
    ideal = gain(best_list(case, count)[:k])
    if not any(item.grade > 0 for item in case.gold) or not ideal:
        return None, None
    end = len(case.shown) if k is None else k
    worth = {rank: max(item.grade, 0.0) / log2(rank + 1) for rank, item in enumerate(case.shown, start=1) if item is not None}
    total, _ = scaled(case, end, worth)
    value = total / ideal
    parts: dict[str, list[float]] = {stratum: [] for stratum in case.strata()}
    for item in case.gold:
        if item.grade < 0:
            continue
        first = case.first(end)
        pooled = [other for other in first if other.stratum == item.stratum]
        judged = [other for other in pooled if other.grade >= 0]
        part = 0.0
        if any(other is item for other in judged):
            places = {id(other): rank for rank, other in enumerate(case.shown, start=1) if other is not None}
            mean = sum(worth[places[id(other)]] for other in judged) / len(judged)
            share = case.drawn(item.stratum) / case.pooled(item.stratum)
            part = len(pooled) / len(judged) * share * (worth[places[id(item)]] - mean)
        slope = gain(best_list(case, count, item.grade)[:k]) - ideal if item.grade > 0 else 0.0
        parts[item.stratum].append(part - value * slope)
    variances = [stratified(case.pooled(stratum), numbers) for stratum, numbers in parts.items()]
    known = [number for number in variances if number is not None]
    return value, None if len(known) < len(variances) else sqrt(sum(known)) / ideal


def ip(case: Sampled, k: int, rel: float) -> tuple[float | None, float | None]:
    """The value and its error."""
    if not case.total(rel):
        return None, None
    worth = {rank: float(item.grade >= rel) for rank, item in enumerate(case.shown, start=1) if item is not None}
    total, error = scaled(case, k, worth)
    return total / k, None if error is None else error / k
