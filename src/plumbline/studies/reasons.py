"""Why two metrics disagree about an output, in words; everything that is said is counted or computed from the data at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.comparison.correlation.orders import Both, spearman
from plumbline.errors import BadUsage
from plumbline.errors.base import plural
from plumbline.metrics.measure import Single
from plumbline.metrics.names import parse
from plumbline.render.grid import number, percent
from plumbline.studies.facts import INFORMATIVE, NONINFORMATIVE, ONE_CLASS, PLACEBO, ZERO, Counts, FilterFacts, Places
from plumbline.studies.outputs import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.studies.disagreement import Pair

    Numbers = NDArray[np.float64]

NOTHING_KNOWN: Final = "there are only values: with the gold and the outputs more could be said"
CLOSE: Final = 1e-9
SEVERAL: Final = 3
"""So many different values can show that they follow something."""


def reason(pair: Pair, output: int) -> str:
    """What speaks for the difference; the facts alone where no rule fits."""
    fact = pair.fact(output)
    ends = _ends(pair, output) if pair.kinds[output] == INFORMATIVE else ()
    told = [*_of_fact(pair, output, fact), *ends, *_of_case(pair, output)]
    return "; ".join(told) or NOTHING_KNOWN


def _of_fact(pair: Pair, output: int, fact: Counts | Places | None) -> Iterator[str]:
    if fact is not None and fact.missing:
        yield "the system has no output here, which counts as the worst"
    elif isinstance(fact, Places):
        yield from _of_places(pair, fact)
    elif isinstance(fact, Counts) and pair.kinds[output] != INFORMATIVE:
        yield _kind_in_words(pair.kinds[output], fact)
        yield from _alike(pair, output)
    elif isinstance(fact, Counts):
        yield _of_counts(fact)


def _kind_in_words(kind: str, fact: Counts) -> str:
    if kind in {ZERO, PLACEBO}:
        return "nothing selected" if kind == ZERO else "everything selected"
    if kind == NONINFORMATIVE:
        return f"{percent(fact.tp / (fact.tp + fact.fn))} of the positive and of the negative items selected, as by lot"
    return f"all items are {'negative' if fact.tp + fact.fn == 0 else 'positive'}"


def _alike(pair: Pair, output: int) -> Iterator[str]:
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
        whole = steps(pair.outputs.values[[metric]])[0]
        (fixed if np.ptp(whole[alike]) == 0 else moving).append(metric)
    if fixed:
        names = " and ".join(pair.name(metric) for metric in fixed)
        value = f" ({number(float(pair.outputs.given[fixed[0], output]))})" if len(fixed) == 1 else ""
        yield f"{names} {'gives' if len(fixed) == 1 else 'give'} all {len(alike)} such outputs the same value{value}"
    for metric in moving:
        yield _moving(pair, metric, output, alike)


def _moving(pair: Pair, metric: int, output: int, alike: NDArray[np.intp]) -> str:
    values = pair.outputs.given[metric]
    span = f"{number(float(values[alike].min()))} to {number(float(values[alike].max()))}"
    told = f"{pair.name(metric)} gives them {span}, here {number(float(values[output]))}"
    negative = _negative(pair)
    follows = _follows(values[alike], negative[alike])
    return f"{told}: {follows}, here {percent(float(negative[output]))}" if follows else told


def _negative(pair: Pair) -> Numbers:
    """The share of negative items in the case of each output."""
    if not isinstance(pair.facts, FilterFacts) or pair.lists is None:
        return np.full(len(pair.outputs), np.nan)
    _, fp, _, tn = pair.facts.counts[pair.lists].T
    return np.asarray((fp + tn) / pair.facts.counts[pair.lists].sum(axis=1))


def _follows(values: Numbers, negative: Numbers) -> str:
    """What the values have to do with the share of negative items; empty if there is no exact relation."""
    if np.allclose(values, negative, rtol=0.0, atol=CLOSE):
        return "it is the share of negative items"
    if np.allclose(values, 1.0 - negative, rtol=0.0, atol=CLOSE):
        return "it is the share of positive items, what is left of the negative ones"
    whole = [steps(one[None])[0] for one in (values, negative)]
    if len(np.unique(whole[0])) < SEVERAL or len(np.unique(whole[1])) < SEVERAL:
        return ""
    agreed = spearman(Both.of(*whole))
    if abs(agreed) < 1.0 - CLOSE:
        return ""
    return f"it {'grows' if agreed > 0 else 'falls'} with the share of negative items"


def _of_counts(fact: Counts) -> str:
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


def _of_places(pair: Pair, fact: Places) -> Iterator[str]:
    if not fact.ranks:
        yield f"no relevant item among the {fact.shown:,} shown"
        return
    yield f"{len(fact.ranks)} of {plural(fact.relevant, 'relevant item')} shown, the first at rank {fact.ranks[0]:,}"
    for metric in pair.metrics:
        yield from _of_cut(pair.name(metric), fact)


def _of_cut(name: str, fact: Places) -> Iterator[str]:
    """What a metric does not look at, and what it cannot reach."""
    try:
        measure = parse(name, None, "ranking")
    except BadUsage:
        return
    if not isinstance(measure, Single):
        return
    cut = dict(measure.arguments).get(measure.metric.at or "") if measure.metric.at == "k" else None
    if isinstance(cut, int):
        inside = sum(rank <= cut for rank in fact.ranks)
        yield f"{name} looks at the first {cut:,}, which have {inside} of {fact.relevant:,}"
        if measure.metric.name == "P" and fact.relevant < cut:
            yield f"{name} cannot be above {number(fact.relevant / cut)} here"
    elif measure.metric.name == "RR":
        yield f"{name} looks at the first one only"


def _ends(pair: Pair, output: int) -> Iterator[str]:
    """Whether a metric gives the output the same best or worst value as many others."""
    for metric in pair.metrics:
        whole = steps(pair.outputs.values[[metric]])[0]
        others = int(np.count_nonzero(whole == whole[output])) - 1
        end = "best" if whole[output] == whole.max() else "worst" if whole[output] == whole.min() else ""
        if end and others:
            yield f"{pair.name(metric)} gives its {end} value, as to {plural(others, 'other output')}"


def _of_case(pair: Pair, output: int) -> Iterator[str]:
    """Whether it is the case: all systems stand higher by the same metric there."""
    here = pair.differences[pair.outputs.case == pair.outputs.case[output]]
    own = float(pair.differences[output])
    if len(here) > 1 and bool((np.sign(here) == np.sign(own)).all()) and abs(here.mean()) >= abs(own) / 2:
        high, low = pair.metrics if own > 0 else pair.metrics[::-1]
        mean = number(abs(float(here.mean())), 2)
        yield (
            f"it is the case: all {len(here)} systems rank higher there by {pair.name(high)} than by {pair.name(low)}, "
            f"by {mean} on average"
        )
