"""Spans scored slowly and obviously: every way to pair them is tried, and small documents are drawn at random."""

from __future__ import annotations

import random
from itertools import product
from typing import NamedTuple

Span = tuple[int, int, str]
Spans = list[Span]
World = dict[str, Spans]


class Verdicts(NamedTuple):
    """The counts of one document."""

    cor: float
    inc: float
    par: float
    mis: float
    spu: float

    @property
    def precision(self) -> float | None:
        """Credit over the spans of the output."""
        given = self.cor + self.inc + self.par + self.spu
        return (self.cor + 0.5 * self.par) / given if given else None

    @property
    def recall(self) -> float | None:
        """Credit over the spans of the gold."""
        wanted = self.cor + self.inc + self.par + self.mis
        return (self.cor + 0.5 * self.par) / wanted if wanted else None


def overlap(one: Span, other: Span) -> float:
    """The positions of both over those of either."""
    a, b = set(range(*one[:2])), set(range(*other[:2]))
    return len(a & b) / len(a | b)


def credit(wanted: Span, given: Span, match: str, iou: float) -> float:
    """What a pair is worth."""
    if match == "strict":
        return float(wanted == given)
    if match == "boundary":
        return float(wanted[:2] == given[:2])
    if match == "type":
        return float(wanted[2] == given[2])
    if match == "partial":
        return 1.0 if wanted[:2] == given[:2] else 0.5
    return float(wanted[2] == given[2] and overlap(wanted, given) >= iou)


def verdicts(wanted: Spans, given: Spans, match: str, iou: float = 0.5) -> Verdicts:
    """The counts of the pairing of most credit and, of those, of most pairs."""
    wanted, given = sorted(set(wanted)), sorted(set(given))
    best = (-1.0, -1, Verdicts(0, 0, 0, 0, 0))
    partners = [[None, *(at for at, other in enumerate(given) if overlap(one, other) > 0)] for one in wanted]
    for chosen in product(*partners):
        used = [at for at in chosen if at is not None]
        if len(set(used)) < len(used):
            continue
        worth = [credit(one, given[at], match, iou) for one, at in zip(wanted, chosen, strict=True) if at is not None]
        counts = (worth.count(1.0), worth.count(0.0), worth.count(0.5))
        result = Verdicts(*counts, len(wanted) - len(used), len(given) - len(used))
        best = max(best, (sum(worth), len(used), result), key=lambda one: one[:2])
    return best[2]


def added(every: list[Verdicts]) -> Verdicts:
    """The counts of several documents together."""
    return Verdicts(*(sum(column) for column in zip(*every, strict=True)))


def f_of(actual: Verdicts) -> float | None:
    """The harmonic mean of precision and recall."""
    p, r = actual.precision, actual.recall
    if p == 0 or r == 0:
        return 0.0
    return None if p is None or r is None else 2 * p * r / (p + r)


def positions(wanted: Spans, given: Spans) -> tuple[float | None, float | None]:
    """Precision and recall of pairs of a position and a type."""
    right, result = ({(at, kind) for start, end, kind in spans for at in range(start, end)} for spans in (wanted, given))
    both = len(right & result)
    return (both / len(result) if result else None), (both / len(right) if right else None)


def drawn_spans(generator: random.Random, most: int = 4, length: int = 9, kinds: str = "AB") -> Spans:
    """A few spans, which may be nested and overlap."""
    names = set()
    for _ in range(generator.randint(0, most)):
        start = generator.randrange(length - 1)
        names.add((start, generator.randint(start + 1, min(start + 4, length)), generator.choice(kinds)))
    return sorted(names)


def drawn_world(seed: int, documents: int = 4) -> tuple[World, World]:
    """A gold and an output."""
    generator = random.Random(seed)  # noqa: S311 - no secret
    gold = {f"d{number}": drawn_spans(generator) for number in range(documents)}
    output = {name: _noisy(generator, spans) for name, spans in gold.items()}
    return gold, output


def _noisy(generator: random.Random, spans: Spans) -> Spans:
    kept = [span for span in spans if generator.random() < 0.6]
    return sorted({*kept, *drawn_spans(generator, most=3)})


def drawn_tags(generator: random.Random, letters: str, most: int = 9, kinds: str = "XY") -> list[str]:
    """Any tags of these letters, in any order."""
    size = generator.randint(1, most)
    drawn = [generator.choice(letters) for _ in range(size)]
    return [letter if letter == "O" else f"{letter}-{generator.choice(kinds)}" for letter in drawn]
