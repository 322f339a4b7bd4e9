"""Rules for parameters, written in their types: `p: Annotated[float, Between(0, 1)] = 0.8`."""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Protocol

from plumbline.records import dataclass


class Rule(Protocol):
    """Says whether a value is allowed, in words what is, and which values the tests try."""

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        ...

    def description(self) -> str:
        """What is allowed, to follow "must be"."""
        ...

    def samples(self) -> tuple[float, ...]:
        """Allowed values that the tests of every metric try: the ends, where they are allowed, and some between."""
        ...


@dataclass(frozen=True)
class Between:
    """Between two numbers, both allowed unless `open_ended`."""

    least: float
    most: float
    open_ended: bool = False

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return self.least < value < self.most if self.open_ended else self.least <= value <= self.most

    def description(self) -> str:
        """What is allowed."""
        between = f"between {self.least:g} and {self.most:g}"
        return f"strictly {between}" if self.open_ended else between

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        width = self.most - self.least
        if self.open_ended:
            return (self.least + 0.5 * width, self.least + 0.9 * width)
        return (self.least, self.least + 0.3 * width, self.most)


@dataclass(frozen=True)
class AtLeast:
    """A finite number not below a bound."""

    least: float

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return isfinite(value) and value >= self.least

    def description(self) -> str:
        """What is allowed."""
        return f"from {self.least:g}"

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        return (self.least, self.least + 2, self.least + 19)


@dataclass(frozen=True)
class Count:
    """So many positions of a list: from 1 to more than any list has."""

    most: int = 10**9

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return 1 <= value <= self.most

    def description(self) -> str:
        """What is allowed."""
        return f"from 1 to {self.most:,}"

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        return (1, 3, 20)


@dataclass(frozen=True)
class Finite:
    """Any finite number."""

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return isfinite(value)

    def description(self) -> str:
        """What is allowed."""
        return "finite"

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        return (3.0, 0.25, -0.5)


@dataclass(frozen=True)
class Positive:
    """A finite number above 0."""

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return isfinite(value) and value > 0

    def description(self) -> str:
        """What is allowed."""
        return "above 0"

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        return (1.0, 0.5, 2.0)


@dataclass(frozen=True)
class Below:
    """A finite number below a bound."""

    most: float

    def allows(self, value: float) -> bool:
        """Whether the value is allowed."""
        return isfinite(value) and value < self.most

    def description(self) -> str:
        """What is allowed."""
        return f"below {self.most:g}"

    def samples(self) -> tuple[float, ...]:
        """Values to try."""
        return (self.most - 2, self.most - 0.5)


Cutoff = Annotated[int, Count()]
Level = Annotated[float, Positive()]
Part = Annotated[float, Between(0, 1, open_ended=True)]
Share = Annotated[float, Between(0, 1)]
Tiny = Annotated[float, Between(0, 0.5, open_ended=True)]
Weight = Annotated[float, Finite()]
