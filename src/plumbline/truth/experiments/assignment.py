"""Whether units were assigned as planned: the sizes of the arms against their shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadUsage
from plumbline.errors import experiments as problems
from plumbline.lazily import special, stats

if TYPE_CHECKING:
    from collections.abc import Sequence

EXACT_BELOW: Final = 10_000
"""Units of two arms up to which the binomial test is exact."""
WITHHELD: Final = 0.001
"""Below this p there is no verdict (Fabijan et al. 2019)."""
SUSPECT: Final = 0.01
LARGEST: Final = 1e6
"""The largest number of a share; the smallest is one divided by it."""


@dataclass(frozen=True)
class Assignment:
    """The arms with the control first, how many units each has, and how probable such sizes are."""

    arms: tuple[str, ...]
    counts: tuple[int, ...]
    shares: tuple[float, ...]
    p: float
    method: str

    @property
    def control(self) -> str:
        """The arm that the others are compared with."""
        return self.arms[0]


def assignment(arms: Sequence[str], counts: Sequence[int], shares: Sequence[float]) -> Assignment:
    """Test the sizes: exactly for two arms with fewer than 10,000 units, otherwise by chi-squared."""
    total, expected = sum(counts), np.array(shares) / sum(shares)
    fixed = tuple(float(one) for one in expected)
    if len(counts) == 2 and total < EXACT_BELOW:  # noqa: PLR2004 - control and treatment
        p = float(stats.binomtest(counts[0], total, fixed[0]).pvalue)
        return Assignment(tuple(arms), tuple(counts), fixed, p, "exact binomial test")
    squared = float(((np.array(counts) - total * expected) ** 2 / (total * expected)).sum())
    return Assignment(tuple(arms), tuple(counts), fixed, float(special.chdtrc(len(counts) - 1, squared)), "chi-squared test")


def planned_shares(text: str | None, arms: Sequence[str]) -> list[float]:
    """The share of each arm, control first: `50:50`, or `A=9,B=1` in any order; equal ones if none are given."""
    if text is None:
        return [1.0] * len(arms)
    if "=" not in text:
        numbers = text.replace("/", ":").split(":")
        if len(numbers) != len(arms):
            raise BadUsage(problems.bad_shares(text, list(arms)))
        return [_positive(number, text, arms) for number in numbers]
    named = dict(part.rpartition("=")[::2] for part in text.split(","))
    shares = {name.strip(): _positive(number, text, arms) for name, number in named.items()}
    missing = [name for name in shares if name not in arms]
    if missing:
        raise BadUsage(problems.empty_arm(missing[0], list(arms)))
    if len(shares) != len(arms):
        raise BadUsage(problems.bad_shares(text, list(arms)))
    return [shares[arm] for arm in arms]


def _positive(number: str, text: str, arms: Sequence[str]) -> float:
    try:
        value = float(number)
    except ValueError:
        value = 0.0
    if not 1 / LARGEST <= value <= LARGEST:
        raise BadUsage(problems.bad_shares(text, list(arms)))
    return value
