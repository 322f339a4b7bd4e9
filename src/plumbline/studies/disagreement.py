"""The outputs about which two metrics disagree most, each with what is known about it and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.studies.facts import INFORMATIVE, FilterFacts, lists_of
from plumbline.studies.reasons import reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.studies.facts import Counts, Facts, Places
    from plumbline.studies.outputs import Outputs

    Numbers = NDArray[np.float64]

TOP: Final = 20
"""Outputs that are told of."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two metrics on all outputs, with the facts where these are at hand."""

    outputs: Outputs
    a: int
    b: int
    facts: Facts | None = None

    @property
    def metrics(self) -> tuple[int, int]:
        """The numbers of both metrics."""
        return self.a, self.b

    @cached_property
    def shares(self) -> Numbers:
        """Mean ranks as shares of the outputs, `[metric, output]`: 1 is the best."""
        return np.asarray(self.outputs.ranks[[self.a, self.b]] / len(self.outputs))

    @cached_property
    def differences(self) -> Numbers:
        """How much higher a ranks each output than b does."""
        return np.asarray(self.shares[0] - self.shares[1])

    @cached_property
    def lists(self) -> NDArray[np.int64] | None:
        """Where the facts about each output are; -1 if there are none."""
        return None if self.facts is None else lists_of(self.facts, self.outputs)

    @cached_property
    def kinds(self) -> NDArray[np.object_]:
        """Which outputs know nothing of the gold, and how, and which have a gold of one class."""
        if self.lists is None or not isinstance(self.facts, FilterFacts):
            return np.full(len(self.outputs), INFORMATIVE, dtype=object)
        return np.where(self.lists < 0, INFORMATIVE, self.facts.kinds[self.lists])

    def name(self, metric: int) -> str:
        """The name of a metric."""
        return self.outputs.cube.metrics[metric]

    def fact(self, output: int) -> Counts | Places | None:
        """What is known about an output."""
        if self.facts is None or self.lists is None or self.lists[output] < 0:
            return None
        return self.facts.fact(int(self.lists[output]))


def disagreements(pair: Pair, top: int = TOP) -> pl.DataFrame:
    """`a, b` and, for the outputs on which their ranks differ most, values, ranks, the facts, the kind and a reason."""
    size = np.round(np.abs(pair.differences), 12)
    chosen = np.argsort(-size, kind="stable")[:top].tolist()
    given = pair.outputs.given[[pair.a, pair.b]]
    rows = []
    for output in chosen:
        fact = pair.fact(output)
        numbers = (*given[:, output].tolist(), *pair.shares[:, output].tolist(), float(pair.differences[output]))
        told = None if fact is None else str(fact)
        kind = pair.kinds[output] or None
        rows.append(
            (*pair.outputs.name(output), pair.name(pair.a), pair.name(pair.b), *numbers, told, kind, reason(pair, output))
        )
    numbers_of = dict.fromkeys(("value_a", "value_b", "rank_a", "rank_b", "difference"), pl.Float64)
    names = dict.fromkeys(("system", "case", "a", "b"), pl.String)
    words = dict.fromkeys(("output", "kind", "reason"), pl.String)
    return pl.DataFrame(rows, schema={**names, **numbers_of, **words}, orient="row")
