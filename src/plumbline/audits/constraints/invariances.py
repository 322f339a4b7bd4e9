"""Further properties of filtering metrics: invariances (Sokolova and Lapalme 2009) and the other axioms of Sebastiani (2015).

An invariance is no virtue and no vice. It says what a metric does not look at, so that one can ask whether that matters. The
size of a world is the larger class of its gold, as in `filtering`; for a change of one class only, that of the smaller world.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.filtering import Matrix, golds, outputs
from plumbline.audits.constraints.registry import Pair, constraint

if TYPE_CHECKING:
    from collections.abc import Iterator

INVARIANCES: Final = "sokolova2009"
AXIOMS: Final = "sebastiani2015"
LARGEST: Final = {"filtering": 6}
FACTORS: Final = (1, 2, 3)
STEP: Final = 1e-4
"""How far apart the points are between which a metric must not bend or jump."""


def _all_outputs(size: int) -> Iterator[Matrix]:
    for gold in golds(size):
        yield from outputs(*gold)


@constraint("exchange of classes", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def exchange_of_classes(size: int) -> Iterator[Pair]:
    """The score is the same if both classes change their roles (TP with TN, FP with FN)."""
    for one in _all_outputs(size):
        other = Matrix(one.tn, one.fn, one.fp, one.tp)
        if one < other:
            yield Pair(one, other, size)


def _changed(size: int, cell: str) -> Iterator[Pair]:
    for one in _all_outputs(size):
        yield Pair(one._replace(**{cell: getattr(one, cell) + 1}), one, size)


@constraint("more true negatives", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def more_true_negatives(size: int) -> Iterator[Pair]:
    """The score does not depend on how many other items are rightly discarded."""
    return _changed(size, "tn")


@constraint("more true positives", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def more_true_positives(size: int) -> Iterator[Pair]:
    """The score does not depend on how many items of the class are rightly accepted."""
    return _changed(size, "tp")


@constraint("more false negatives", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def more_false_negatives(size: int) -> Iterator[Pair]:
    """The score does not depend on how many items of the class are wrongly discarded."""
    return _changed(size, "fn")


@constraint("more false positives", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def more_false_positives(size: int) -> Iterator[Pair]:
    """The score does not depend on how many other items are wrongly accepted."""
    return _changed(size, "fp")


def _scaled(size: int, first: tuple[str, str]) -> Iterator[Pair]:
    """Two cells by one factor, the other two by another."""
    for one, (here, there) in product(_all_outputs(size), product(FACTORS, repeat=2)):
        factors = {cell: here if cell in first else there for cell in Matrix._fields}
        other = Matrix(*(count * factors[cell] for cell, count in one._asdict().items()))
        if here != there and other != one:
            yield Pair(other, one, size)


@constraint("uniform scaling", paper=INVARIANCES, smallest=1, largest=LARGEST, demand="equal", group="invariances")
def uniform_scaling(size: int) -> Iterator[Pair]:
    """The score is the same if there are k times as many items of every kind."""
    for one, factor in product(_all_outputs(size), FACTORS[1:]):
        yield Pair(Matrix(*(count * factor for count in one)), one, size)


@constraint("scaling of answers", paper=INVARIANCES, smallest=1, largest={"filtering": 4}, demand="equal", group="invariances")
def scaling_of_answers(size: int) -> Iterator[Pair]:
    """The score is the same if there are k times as many accepted items of both classes, and m times as many discarded ones."""
    return _scaled(size, ("tp", "fp"))


@constraint("scaling of classes", paper=INVARIANCES, smallest=1, largest={"filtering": 4}, demand="equal", group="invariances")
def scaling_of_classes(size: int) -> Iterator[Pair]:
    """The score is the same if there are k times as many items of the class, right and wrong, and m times as many others."""
    return _scaled(size, ("tp", "fn"))


@constraint("fixed range", paper=AXIOMS, smallest=2, largest={"filtering": 12}, demand="equal", group="axioms")
def fixed_range(size: int) -> Iterator[Pair]:
    """The perfect output has the same score for every gold, and so has the one that is always wrong."""
    for relevant, others in golds(size):
        if size > 1:
            yield Pair(Matrix(relevant, 0, 0, others), Matrix(1, 0, 0, 1), size)
            yield Pair(Matrix(0, others, relevant, 0), Matrix(0, 1, 1, 0), size)


@constraint("robustness to imbalance", paper=AXIOMS, smallest=1, largest={"filtering": 12}, demand="equal", group="axioms")
def robustness_to_imbalance(size: int) -> Iterator[Pair]:
    """Accepting everything and discarding everything have one and the same score, whatever the share of the class."""
    nothing = Matrix(0, 0, 1, 1)
    for relevant, others in golds(size):
        trivial = (Matrix(relevant, others, 0, 0), Matrix(0, 0, relevant, others))
        yield from (Pair(one, nothing, size) for one in trivial if one != nothing)


@constraint("differentiability", paper=AXIOMS, smallest=1, largest={"filtering": 4}, demand="smooth", group="axioms")
def differentiability(size: int) -> Iterator[Pair]:
    """The score is defined everywhere, and changes with the true positives and negatives without a jump or a bend."""
    for relevant, others in golds(size):
        for tp, tn in product(range(relevant + 1), range(others + 1)):
            for up, right in ((STEP, 0.0), (0.0, STEP)):
                yield _in_a_row(relevant, others, (tp, up), (tn, right), size)


def _in_a_row(relevant: int, others: int, tp: tuple[int, float], tn: tuple[int, float], size: int) -> Pair:
    """Three points around one, or beside it where it is at the edge."""

    def shift(at: int, step: float, most: int) -> int:
        return 0 if not step or 0 < at < most else 1 if at == 0 else -1

    points = []
    for place in (-1, 0, 1):
        first = tp[0] + tp[1] * (place + shift(*tp, relevant))
        second = tn[0] + tn[1] * (place + shift(*tn, others))
        points.append(Matrix(first, others - second, relevant - first, second))  # type: ignore[arg-type]  # between counts
    return Pair(points[0], points[2], size, ((points[1], points[1]),))
