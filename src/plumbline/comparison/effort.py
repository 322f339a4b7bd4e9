"""What a comparison of many systems will take: pairs, seconds and memory, told before the work."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from plumbline.comparison.significance.draws import default_resamples
from plumbline.comparison.significance.registry import find_test
from plumbline.errors.base import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from plumbline.comparison.cube import Cube

# Measured on one core of a cloud machine with 200 to 2,000 systems, 50 to 1,000 cases and 1 to 4 metrics; 1,000 systems also
# with 100,000 cases.
_PER_PAIR: Final = 4e-6
"""Seconds for each pair and metric, whatever the test."""
_PER_DRAW: Final = 4e-10
"""Seconds for each pair, metric and draw."""
_PER_DIFFERENCE: Final = 3e-9
"""Seconds for each pair, metric and case."""
_PER_RANK: Final = 2e-8
"""The same for tests that look at the differences of each pair."""
_PER_VALUE: Final = 1e-6
"""Seconds for each score of which a page is made."""
_PAIR_BY_PAIR: Final = frozenset({"sign", "wilcoxon"})
_BASE: Final = 150e6
"""Bytes without any pair."""
_BYTES_OF_A_PAIR: Final = 190
"""Whatever the metrics."""
_BYTES: Final = 200
"""For each pair and metric."""
LONG: Final = 10.0
"""Seconds from which on people are told before the work."""
LARGE: Final = 1e9
"""Bytes from which on they are."""


_TOLD: Final[ContextVar[Callable[[Effort | str], None] | None]] = ContextVar("told", default=None)


@contextmanager
def told_to(tell: Callable[[Effort | str], None]) -> Iterator[None]:
    """A comparison inside tells what it will take before it starts, if that is much."""
    token = _TOLD.set(tell)
    try:
        yield
    finally:
        _TOLD.reset(token)


def announce(cube: Cube, options: dict[str, Any]) -> None:
    """Tell whoever wants to know what the comparison will take, if that is much."""
    tell = _TOLD.get()
    if tell is not None:
        expected = effort(cube, options)
        if expected.worth_telling:
            tell(expected)


def announce_page(values: int) -> None:
    """Tell whoever wants to know what the figures and tables of a page will take, beside the comparison, if that is much."""
    tell, seconds = _TOLD.get(), values * _PER_VALUE
    if tell is not None and seconds >= LONG:
        tell(f"drawing {plural(values, 'score')}: {_about(seconds)} more")


@dataclass(frozen=True)
class Effort:
    """What a comparison will take, about."""

    pairs: int
    measures: int
    seconds: float
    bytes: float

    @property
    def worth_telling(self) -> bool:
        """Whether it takes long or needs much memory."""
        return self.seconds >= LONG or self.bytes >= LARGE

    def __str__(self) -> str:
        pairs = f"{plural(self.pairs, 'pair')} by {plural(self.measures, 'metric')}"
        return f"comparing {pairs}: {_about(self.seconds)} and {self.bytes / 1e9:.1f} GB of memory"


def _about(seconds: float) -> str:
    return f"about {seconds:.0f} seconds" if seconds < 100 else f"about {seconds / 60:.0f} minutes"  # noqa: PLR2004 - of two digits


def effort(cube: Cube, options: dict[str, Any]) -> Effort:
    """The effort of a comparison with these options, before any of it is done; a slower machine takes longer."""
    systems, measures = len(cube.systems), len(cube.metrics)
    pairs = systems * (systems - 1) // 2
    test, correction = options.get("test", "randomization"), options.get("correction", "holm")
    tested = systems - 1 if options.get("baseline") else pairs
    level = options.get("level", 0.05)
    draws = options.get("resamples") or default_resamples(test, correction, tested * measures, level, len(cube.cases))
    drawn = _PER_DRAW * draws if find_test(test).drawn else 0.0
    looked_at = (_PER_RANK if test in _PAIR_BY_PAIR else _PER_DIFFERENCE) * len(cube.cases)
    seconds = pairs * measures * (_PER_PAIR + drawn + looked_at)
    return Effort(pairs, measures, seconds, _BASE + pairs * (_BYTES_OF_A_PAIR + measures * _BYTES))
