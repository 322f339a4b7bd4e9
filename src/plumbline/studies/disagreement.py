"""The outputs about which two metrics disagree most, each with what is known about it and a reason.

Everything that a reason says is counted or computed from the data at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.errors.base import plural
from plumbline.large import portions
from plumbline.render.grid import number
from plumbline.studies.facts import INFORMATIVE
from plumbline.studies.outputs import steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.studies.facts import Pair
    from plumbline.studies.outputs import Numbers, Rows

TOP: Final = 20
"""How many outputs are shown by default."""
VALUES_ONLY: Final = "there are only values: with the gold and the outputs more could be said"


def disagreements(pair: Pair, top: int = TOP) -> pl.DataFrame:
    """`a, b` and, for the outputs on which their ranks differ most, values, ranks, the facts, the kind and a reason."""
    outputs, rows = pair.outputs, []
    for output in _farthest(pair.differences, top):
        fact = pair.fact(output)
        given = outputs.cube.values[list(pair.metrics), outputs.system[output], outputs.case[output]].tolist()
        numbers = (*given, *map(float, pair.shares(output)), float(pair.differences[output]))
        described = None if fact is None else str(fact)
        kind = pair.kinds[output] or None
        rows.append(
            (*pair.outputs.name(output), pair.name(pair.a), pair.name(pair.b), *numbers, described, kind, reason(pair, output))
        )
    numbers_of = dict.fromkeys(("value_a", "value_b", "rank_a", "rank_b", "difference"), pl.Float64)
    names = dict.fromkeys(("system", "case", "a", "b"), pl.String)
    texts = dict.fromkeys(("output", "kind", "reason"), pl.String)
    return pl.DataFrame(rows, schema={**names, **numbers_of, **texts}, orient="row")


def _farthest(differences: Numbers, top: int) -> list[int]:
    """The outputs with the greatest differences; those that differ alike stay in their order."""
    ends = ((part.start, min(part.stop, len(differences))) for part in portions(differences.shape))
    some = [_first(differences, np.arange(*end), top) for end in ends]
    return [int(output) for output in _first(differences, np.concatenate(some), top)]


def _first(differences: Numbers, outputs: Rows, top: int) -> Rows:
    sizes = np.round(np.abs(differences[outputs]), 12)
    return outputs[np.argsort(-sizes, kind="stable")[:top]]


def reason(pair: Pair, output: int) -> str:
    """What may explain the difference, or that nothing is known."""
    ends = _ends(pair, output) if pair.kinds[output] == INFORMATIVE else ()
    return "; ".join([*_facts(pair, output), *ends, *_shared_by_case(pair, output)]) or VALUES_ONLY


def _facts(pair: Pair, output: int) -> Iterator[str]:
    fact = pair.fact(output)
    if fact is None or pair.facts is None:
        return
    if fact.missing:
        yield "the system has no output here, which counts as the worst"
    else:
        yield from pair.facts.reasons(pair, output)


def _ends(pair: Pair, output: int) -> Iterator[str]:
    """Whether a metric gives the output the same best or worst value as many others."""
    for metric in pair.metrics:
        rounded = steps(pair.outputs.values[metric : metric + 1])[0]
        others = int(np.count_nonzero(rounded == rounded[output])) - 1
        end = "best" if rounded[output] == rounded.max() else "worst" if rounded[output] == rounded.min() else ""
        if end and others:
            yield f"{pair.name(metric)} gives its {end} value, as it does to {plural(others, 'other output')}"


def _shared_by_case(pair: Pair, output: int) -> Iterator[str]:
    """Whether it is the case: all systems stand higher by the same metric there."""
    here = pair.differences[pair.outputs.case == pair.outputs.case[output]]
    difference = float(pair.differences[output])
    if len(here) > 1 and bool((np.sign(here) == np.sign(difference)).all()) and abs(here.mean()) >= abs(difference) / 2:
        high, low = pair.metrics if difference > 0 else pair.metrics[::-1]
        mean = number(abs(float(here.mean())), 2)
        yield (
            f"it is the case: all {len(here)} systems rank higher there by {pair.name(high)} than by {pair.name(low)}, "
            f"by {mean} on average"
        )
