"""How many units an effect takes: sample sizes of shares, means and ratios, for two arms or several."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

from plumbline.lazily import optimize, special

TWO: Final = 2
"""Units that every arm has at least."""
MOST_UNITS: Final = 10**15
"""No experiment has more, and a float still tells their number exactly."""


@dataclass(frozen=True)
class Design:
    """What is known before the start."""

    baseline: float
    deviation: float | None
    """The standard deviation of a unit; None if the metric is a share, which has that of its value."""
    level: float = 0.05
    shares: tuple[float, ...] = (0.5, 0.5)
    """The share of units in each arm, the control first."""
    inflation: float = 1.0
    """How many times as many units clusters take (Donner and Klar 2000)."""

    @property
    def tested_level(self) -> float:
        """The level of each comparison with the control, by Bonferroni."""
        return self.level / (len(self.shares) - 1)

    def countable(self, change: float, power: float) -> bool:
        """Whether so many units could ever be counted."""
        return sum(self._arm_units(change, power)) <= MOST_UNITS

    def fits(self, change: float) -> bool:
        """Whether the change is possible, in one direction at least."""
        return change != 0 and (self.deviation is not None or any(0 < self.baseline + one < 1 for one in (change, -change)))

    def units(self, change: float, power: float) -> int:
        """The units of all arms: each has as many as its share, and the smallest one is large enough."""
        return sum(self.arm_units(change, power))

    def arm_units(self, change: float, power: float) -> tuple[int, ...]:
        """The units of each arm, the control first, to the nearest unit as calculators have it."""
        return tuple(max(round(units), TWO) for units in self._arm_units(change, power))

    def _arm_units(self, change: float, power: float) -> tuple[float, ...]:
        smallest = min(self.shares[1:])
        control = self._control(abs(change), power, smallest / self.shares[0]) * self.inflation
        return tuple(control * share / self.shares[0] for share in self.shares)

    def power(self, change: float, units: float) -> float:
        """The probability to detect a change, in the direction that is harder to detect."""
        smallest = min(self.shares[1:])
        control = units * self.shares[0] / sum(self.shares) / self.inflation
        z = float(special.ndtri(1 - self.tested_level / 2))
        reached = []
        for one in self._directions(abs(change)):
            null, alternative = self._deviations(one, smallest / self.shares[0])
            reached.append(float(special.ndtr((abs(one) * sqrt(control) - z * null) / alternative)))
        return min(reached)

    def change(self, units: float, power: float) -> float:
        """The smallest change that so many units detect."""
        largest = max(self.baseline, 1 - self.baseline) * (1 - 1e-9) if self.deviation is None else self.deviation
        while self.deviation is not None and self.power(largest, units) < power:
            largest *= 2
        if self.power(largest, units) < power:
            return inf
        least = largest * 1e-9
        while self.power(least, units) > power:
            least *= 1e-3
        return float(optimize.brentq(lambda one: self.power(one, units) - power, least, largest, xtol=least * 1e-6))

    def _control(self, change: float, power: float, ratio: float) -> float:
        """Units of the control, for the larger of both directions; `ratio` is the size of the smallest arm beside it."""
        z, reach = float(special.ndtri(1 - self.tested_level / 2)), float(special.ndtri(power))
        needed = 0.0
        for one in self._directions(change):
            null, alternative = self._deviations(one, ratio)
            root = (z * null + reach * alternative) / one
            needed = max(needed, root * root)
        return needed

    def _directions(self, change: float) -> tuple[float, ...]:
        if self.deviation is not None:
            return (change,)
        return tuple(one for one in (change, -change) if 0 <= self.baseline + one <= 1)

    def _deviations(self, change: float, ratio: float) -> tuple[float, float]:
        """Of the difference, times the root of the units of the control: without the effect, and with it."""
        if self.deviation is not None:
            same = self.deviation * sqrt(1 + 1 / ratio)
            return same, same
        before, after = self.baseline * (1 - self.baseline), (self.baseline + change) * (1 - self.baseline - change)
        return sqrt(before * (1 + 1 / ratio)), sqrt(before + after / ratio)
