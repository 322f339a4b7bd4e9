"""Small tables of scores, with many ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

Nested = dict[str, dict[str, dict[str, float]]]
Block = list[list[list[int]]]
"""`[metric][system][case]`, whole numbers."""


@st.composite
def blocks(draw: st.DrawFn, metrics: int = 4, systems: int = 4, cases: int = 5) -> Block:
    """Two metrics or more, two systems or more, two cases or more; tenths from 0 to 6."""
    shape = [draw(st.integers(2, most)) for most in (metrics, systems, cases)]
    cells = draw(st.lists(st.integers(0, 6), min_size=shape[0] * shape[1] * shape[2], max_size=shape[0] * shape[1] * shape[2]))
    numbers = iter(cells)
    return [[[next(numbers) for _ in range(shape[2])] for _ in range(shape[1])] for _ in range(shape[0])]


def nested(block: Sequence[Sequence[Sequence[float]]], names: Sequence[str] | None = None) -> Nested:
    """`{metric: {system: {case: value}}}` with tenths as values; metrics are m0, m1, ..."""
    parameters = names or [f"m{at}" for at in range(len(block))]
    return {
        metric: {f"s{system}": {f"c{case}": value / 10 for case, value in enumerate(row)} for system, row in enumerate(rows)}
        for metric, rows in zip(parameters, block, strict=True)
    }


def flat(block: Block) -> dict[str, list[float]]:
    """The values of all outputs by metric, system by system."""
    return {f"m{at}": [float(value) for row in rows for value in row] for at, rows in enumerate(block)}
