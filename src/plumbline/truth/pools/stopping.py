"""When a case is done: rules that look at the relevance of what was judged, in the order of judging."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil, log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from plumbline.errors import BadUsage, pools

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Flags = NDArray[np.bool_]

LEVEL: Final = 0.05
"""One minus the confidence of a target."""
_RULE: Final = re.compile(r"(quiet):(\d+)|(knee)|(target):(0?\.\d+)")
_STEEPEST, _FLATTEST = 156, 150
"""Cormack and Grossman (2016): the bend must be 156 times, less the relevant items found, up to 150 of them."""


class Stop(NamedTuple):
    """Where judging ends: after so many items in order, and so many others that were drawn to find out."""

    after: int
    beside: int = 0


@dataclass(frozen=True)
class Rule:
    """A stopping rule with its number."""

    name: str
    number: float = 0.0

    @property
    def text(self) -> str:
        """The rule as people write it."""
        return f"{self.name}:{self.number:g}" if self.number else self.name

    def stop(self, relevant: Flags, seed: int = 0) -> Stop | None:
        """Where the rule stops; None if it does not."""
        if self.name == "quiet":
            return quiet(relevant, int(self.number))
        if self.name == "knee":
            return knee(relevant)
        return target(relevant, self.number, seed)


def parse_rule(text: str) -> Rule:
    """Read `quiet:50`, `knee` or `target:0.8`."""
    match = _RULE.fullmatch(text.strip())
    if match is None or match[2] == "0":
        raise BadUsage(pools.bad_rule(text))
    return Rule(match[1] or match[3] or match[4], float(match[2] or match[5] or 0))


def quiet(relevant: Flags, most: int) -> Stop | None:
    """As soon as so many items in a row were not relevant."""
    last = np.maximum.accumulate(np.where(relevant, np.arange(1, len(relevant) + 1), 0))
    since = np.flatnonzero(np.arange(1, len(relevant) + 1) - last >= most)
    return Stop(int(since[0]) + 1) if len(since) else None


def knee(relevant: Flags) -> Stop | None:
    """As soon as relevant items come so much more slowly after the bend of the curve than before it."""
    so_far = np.cumsum(relevant)
    for judged in range(2, len(so_far) + 1):
        total = so_far[judged - 1]
        if total == 0 or relevant[judged - 1]:  # the curve bends no further at a relevant item
            continue
        places = np.arange(1, judged)
        bend = int(np.argmax(so_far[: judged - 1] - total * places / judged)) + 1
        before, after = so_far[bend - 1] / bend, (1 + total - so_far[bend - 1]) / (judged - bend)
        if before / after >= _STEEPEST - min(int(total), _FLATTEST):
            return Stop(judged)
    return None


def targets_needed(recall: float) -> int:
    """How many relevant items, drawn at random, must all have been found to show this recall.

    With a lower recall, so many would all be found with a probability of at most 0.05 (a binomial bound).
    """
    return ceil(log(LEVEL) / log(recall))


def target(relevant: Flags, recall: float, seed: int) -> Stop | None:
    """As soon as every relevant item of a random sample has been found; the items judged to draw it are counted."""
    needed = targets_needed(recall)
    drawn = np.random.default_rng(seed).permutation(len(relevant))
    hits = np.flatnonzero(relevant[drawn])
    if len(hits) < needed:
        return None
    sample = drawn[: hits[needed - 1] + 1]
    last = int(sample[relevant[sample]].max()) + 1
    return Stop(last, int((sample >= last).sum()))
