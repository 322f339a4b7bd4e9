"""Facts about filters: the four counts of each output, its kind, and what they say about a disagreement of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.correlation.orders import Both, spearman
from plumbline.errors.base import plural
from plumbline.render.grid import number, percent
from plumbline.schema import LIST
from plumbline.studies.facts import INFORMATIVE
from plumbline.studies.outputs import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.align.filtering import AlignedFilters
    from plumbline.studies.facts import Pair

    Numbers = NDArray[np.float64]

ZERO: Final = "zero"
PLACEBO: Final = "placebo"
ONE_CLASS: Final = "one class"
NONINFORMATIVE: Final = "non-informative"
UNINFORMED: Final = frozenset({ZERO, PLACEBO, NONINFORMATIVE})
"""The kinds of outputs that know nothing of the gold."""
CELLS: Final = ("tp", "fp", "fn", "tn")
CLOSE: Final = 1e-9
SEVERAL: Final = 3
"""So many different values can show that they follow something."""


@dataclass(frozen=True)
class Counts:
    """A filter on a case."""

    tp: int
    fp: int
    fn: int
    tn: int
    missing: bool = False

    def __str__(self) -> str:
        return "no output" if self.missing else f"TP {self.tp} FP {self.fp} FN {self.fn} TN {self.tn}"


@dataclass(frozen=True, eq=False)
class FilterFacts:
    """The counts of all filters on all cases."""

    aligned: AlignedFilters
    level: float
    """The grade from which an item is positive."""

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """`[list, cell]`, in the order TP, FP, FN, TN."""
        return self.aligned.decided_counts().sort(LIST).select(CELLS).to_numpy().astype(np.int64)

    @cached_property
    def kinds(self) -> NDArray[np.object_]:
        """For each list, whether it knows something of the gold, and if not, which kind of output it is.

        An output is non-informative if it selects the same share of positive and of negative items: TP * N = FP * R. Where
        the gold has one class only, there is nothing to tell apart, and even a perfect output would look like one of these.
        """
        tp, fp, fn, tn = self.counts.T
        positive, negative, size = tp + fn, fp + tn, tp + fp + fn + tn
        kinds = np.full(len(size), INFORMATIVE, dtype=object)
        kinds[tp * negative == fp * positive] = NONINFORMATIVE
        kinds[tp + fp == size] = PLACEBO
        kinds[tp + fp == 0] = ZERO
        kinds[(positive == 0) | (negative == 0)] = ONE_CLASS
        kinds[self.aligned.missing] = INFORMATIVE
        return kinds

    def fact(self, number: int) -> Counts:
        """The counts of a list."""
        tp, fp, fn, tn = self.counts[number].tolist()
        return Counts(tp, fp, fn, tn, bool(self.aligned.missing[number]))

    def reasons(self, pair: Pair, output: int) -> Iterator[str]:
        """What the counts say: the kind of output, and how both metrics treat its kind; or its precision and recall."""
        fact = pair.fact(output)
        if not isinstance(fact, Counts):
            return
        if pair.kinds[output] == INFORMATIVE:
            yield _counts_in_words(fact)
        else:
            yield _kind_in_words(pair.kinds[output], fact)
            yield from _same_kind(pair, output)


def _kind_in_words(kind: str, fact: Counts) -> str:
    if kind in {ZERO, PLACEBO}:
        return "nothing selected" if kind == ZERO else "everything selected"
    if kind == NONINFORMATIVE:
        return f"{percent(fact.tp / (fact.tp + fact.fn))} of the positive and of the negative items selected, as if by lot"
    return f"all items are {'negative' if fact.tp + fact.fn == 0 else 'positive'}"


def _same_kind(pair: Pair, output: int) -> Iterator[str]:
    """How the two metrics treat all outputs of this kind; golds of one class are alike if it is the same class."""
    same = pair.kinds == pair.kinds[output]
    if pair.kinds[output] == ONE_CLASS:
        negative = _negative(pair)
        same &= negative == negative[output]
    alike = np.flatnonzero(same)
    if len(alike) == 1:
        return
    fixed: list[int] = []
    moving: list[int] = []
    for metric in pair.metrics:
        rounded = steps(pair.outputs.values[[metric]])[0]
        (fixed if np.ptp(rounded[alike]) == 0 else moving).append(metric)
    if fixed:
        names = " and ".join(pair.name(metric) for metric in fixed)
        value = f" ({number(float(pair.outputs.given[fixed[0], output]))})" if len(fixed) == 1 else ""
        yield f"{names} {'gives' if len(fixed) == 1 else 'give'} all {len(alike)} such outputs the same value{value}"
    for metric in moving:
        yield _moving(pair, metric, output, alike)


def _moving(pair: Pair, metric: int, output: int, alike: NDArray[np.intp]) -> str:
    values = pair.outputs.given[metric]
    span = f"{number(float(values[alike].min()))} to {number(float(values[alike].max()))}"
    treated = f"{pair.name(metric)} gives them {span}, here {number(float(values[output]))}"
    negative = _negative(pair)
    follows = _follows(values[alike], negative[alike])
    return f"{treated}: {follows}, here {percent(float(negative[output]))}" if follows else treated


def _negative(pair: Pair) -> Numbers:
    """The share of negative items in the case of each output."""
    if pair.facts is None or pair.facts.counts is None or pair.lists is None:
        return np.full(len(pair.outputs), np.nan)
    _, fp, _, tn = pair.facts.counts[pair.lists].T
    return np.asarray((fp + tn) / pair.facts.counts[pair.lists].sum(axis=1))


def _follows(values: Numbers, negative: Numbers) -> str:
    """What the values have to do with the share of negative items; empty if there is no exact relation."""
    if np.allclose(values, negative, rtol=0.0, atol=CLOSE):
        return "it is the share of negative items"
    if np.allclose(values, 1.0 - negative, rtol=0.0, atol=CLOSE):
        return "it is the share of positive items, what is left of the negative ones"
    rounded = [steps(one[None])[0] for one in (values, negative)]
    if len(np.unique(rounded[0])) < SEVERAL or len(np.unique(rounded[1])) < SEVERAL:
        return ""
    agreed = spearman(Both.of(*rounded))
    if abs(agreed) < 1.0 - CLOSE:
        return ""
    return f"it {'grows' if agreed > 0 else 'falls'} with the share of negative items"


def _counts_in_words(fact: Counts) -> str:
    selected, positive = fact.tp + fact.fp, fact.tp + fact.fn
    share = f"{percent(positive / (selected + fact.fn + fact.tn))} of the items are positive"
    if fact.fp == fact.fn == 0:
        return f"the output is perfect; {share}"
    if fact.tp == 0:
        return f"no positive among the {plural(selected, 'selected item')}; {share}"
    if fact.fp == 0:
        return f"nothing wrong is selected, and {fact.fn} of {plural(positive, 'positive')} are missed; {share}"
    if fact.fn == 0:
        return f"no positive is missed, and {fact.fp} of {plural(selected, 'selected item')} are wrong; {share}"
    return f"precision {number(fact.tp / selected, 2)}, recall {number(fact.tp / positive, 2)}, {share}"
