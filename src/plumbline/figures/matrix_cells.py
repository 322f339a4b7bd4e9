"""Numbers in the cells of a matrix, in a colour that can be read on theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plumbline.figures.parts import Chart


def written(base: Chart, field: str, form: str) -> list[Chart]:
    """The number of each cell: rows say whether the colour of theirs is `strong`, or null where there is none."""
    import altair as alt  # noqa: PLC0415 - an extra, and slow to import

    text = alt.Text(field, format=form)
    return [
        base.transform_filter("datum.strong === false").mark_text(style="ink").encode(text=text),
        base.transform_filter("datum.strong === true").mark_text(style="paper").encode(text=text),
    ]
