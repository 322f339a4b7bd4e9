"""Building blocks of figures. Names of systems, cases and metrics reach a chart as data, never as code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from plumbline.errors import visible
from plumbline.errors.base import listing
from plumbline.figures.labels import LONGEST, short_labels
from plumbline.lazily import alt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Chart: TypeAlias = Any
"""An Altair chart of any kind, a layer of one or an axis: the extra that has their types may not be installed."""
Row: TypeAlias = "dict[str, Any]"
"""What a mark stands for."""

ROW: Final = 18
"""The height of a row with a name, in pixels."""
NARROW_ROW: Final = 13
"""The same where there are many."""
MANY: Final = 20
CONTAINED: Final = 560
"""The width of several charts in a box: only one chart can ask how wide its box is."""
LEAST: Final = 60
"""No panel is narrower."""
GAP: Final = 14
"""Between panels."""
COLUMNS: Final = 3
"""Of a legend below a chart."""
DIGIT: Final = 6.5
"""The width of a digit, in pixels."""
RESERVED: Final = frozenset(
    {
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__"),
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"),
    }
)
"""What every object of JavaScript has: Vega looks names up in objects, and would find these where nothing is."""


def inline_data(values: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Data of a chart; what is not a number is null. They are a tuple: Altair copies a list whenever it copies a chart."""
    return alt.InlineData(values=tuple({name: _known(value) for name, value in row.items()} for row in values))


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and value - value != 0.0 else value


def display_names(names: Iterable[str]) -> dict[str, str]:
    """Names as they are drawn: control characters are spelled out, and two names never become the same."""
    shown: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        text, count = _harmless(visible(name)) or "(empty name)", 1
        while text in taken:
            count += 1
            text = f"{visible(name)} ({count})"
        taken.add(text)
        shown[name] = text
    return shown


def listed(names: Iterable[str]) -> str:
    """A few names for a sentence or a title."""
    return _harmless(visible(listing(list(names), 8)))


def _harmless(text: str) -> str:
    """A text that is no property of objects: a space that is not seen tells them apart."""
    return f"{text}\N{NO-BREAK SPACE}" if text in RESERVED else text


def signed(value: float, digits: int) -> str:
    """A number with its sign, which is as long as a plus."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def row_height(count: int) -> int:
    """The height of all rows together."""
    return count * (ROW if count <= MANY else NARROW_ROW)


def text_fields(*fields: str) -> list[alt.Tooltip]:
    """Names in a tooltip."""
    return [alt.Tooltip(f"{field}:N") for field in fields]


def number_fields(*fields: str, form: str = ".4f", **titled: str) -> list[alt.Tooltip]:
    """Numbers in a tooltip, under the names of their fields or under titles of their own."""
    named = {**dict(zip(fields, fields, strict=True)), **titled}
    return [alt.Tooltip(f"{field}:Q", title=title, format=form) for field, title in named.items()]


def fixed_x(place: float | str) -> alt.XValue:
    """A place that no data decide: pixels from the left, or "width" for the right edge."""
    return alt.XValue(place)  # type: ignore[no-untyped-call]  # of all channels, Altair has no types for this one


def name_axis(longest: int = LONGEST, **properties: Any) -> alt.Axis:
    """An axis with a name at each place; of long names the middle is left out."""
    return alt.Axis(**short_labels(longest), **properties)


def name_legend(**properties: Any) -> alt.Legend:
    """A legend of names, likewise; it has no title of its own."""
    return alt.Legend(title=None, **short_labels(), **properties)


def with_properties(chart: Chart, **properties: Any) -> Chart:
    """The chart itself with these properties. Altair's `properties` makes a copy, which takes longer than the chart took."""
    for name, value in properties.items():
        chart[name] = value
    return chart


def panels(
    charts: Sequence[Chart], width: Any, columns: int, gap: int = GAP, *, height: Any = None, **properties: Any
) -> Chart:
    """Charts side by side in rows, which share a width and, if given, a height; one chart alone may fill its box."""
    high = {} if height is None else {"height": height}
    if len(charts) == 1:
        return with_properties(charts[0], width=width, **high, **properties)
    total = CONTAINED if width == "container" else width
    each = max((total - (columns - 1) * gap) // columns, LEAST)
    sized = [with_properties(chart, width=each, **high) for chart in charts]
    if len(sized) <= columns:
        return alt.hconcat(*sized, spacing=gap, **properties)
    rows = [alt.hconcat(*sized[start : start + columns], spacing=gap) for start in range(0, len(sized), columns)]
    return alt.vconcat(*rows, spacing=gap, **properties)


def numbers_fit(width: Any, cells: int, digits: int) -> bool:
    """Whether numbers fit into so many cells side by side; a container of unknown width is taken to be wide enough."""
    return not isinstance(width, int | float) or width / cells >= DIGIT * digits


def cell_numbers(base: Chart, field: str, form: str = "") -> list[Chart]:
    """The number of each cell of a matrix, readable on its colour.

    The field `strong` says whether the colour of a cell is strong, or null if the cell has none.
    """
    text = alt.Text(field, format=form) if form else alt.Text(field)
    return [
        base.transform_filter("datum.strong === false").mark_text(style="ink").encode(text=text),
        base.transform_filter("datum.strong === true").mark_text(style="paper").encode(text=text),
    ]
