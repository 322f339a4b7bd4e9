"""Numbers in the cells of a matrix, in a colour that can be read on theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from plumbline.figures.parts import Chart

DIGIT: Final = 6.5
"""The width of a digit, in pixels."""


def fits(width: Any, cells: int, digits: int) -> bool:  # noqa: ANN401 - a number or "container"
    """Whether numbers fit into so many cells side by side; a box of unknown width is taken to be wide enough."""
    return not isinstance(width, int | float) or width / cells >= DIGIT * digits


def written(base: Chart, field: str, form: str) -> list[Chart]:
    """The number of each cell: rows say whether the colour of theirs is `strong`, or null where there is none."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    text = alt.Text(field, format=form)
    return [
        base.transform_filter("datum.strong === false").mark_text(style="ink").encode(text=text),
        base.transform_filter("datum.strong === true").mark_text(style="paper").encode(text=text),
    ]
