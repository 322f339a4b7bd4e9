"""Small outputs of extractors: spans of a short text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.audits.scenes.scene import Scene, by_evaluation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.audits.constraints.extraction import Extracted, Span

    Spans = list[Span]


def tables(worlds: Sequence[Extracted]) -> tuple[dict[str, Spans], dict[str, Spans]]:
    """The spans of each case, on both sides."""
    return _cases(world.gold for world in worlds), _cases(world.output for world in worlds)


def _cases(sides: Iterable[tuple[Span, ...]]) -> dict[str, Spans]:
    return {str(case): list(side) for case, side in enumerate(sides)}


def arguments(world: Extracted) -> tuple[Spans, Spans]:
    """The spans of the gold and those of the output."""
    return list(world.gold), list(world.output)


def drawn(world: Extracted) -> str:
    """The spans of the gold, then those of the output: type and place of each."""
    return " -> ".join(" ".join(f"{kind}[{start},{end})" for start, end, kind in side) or "-" for side in world)


SCENE: Final = Scene("extraction", by_evaluation("extraction", tables), drawn, lambda _: "", arguments, ("gold", "output"))
