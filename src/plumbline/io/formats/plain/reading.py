"""Label files without a header: `item label` or `case item label`, between tabs, commas or white space."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, Diagnostic, Place, files, notices, table
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.io.bytes.lines import Fields, TextOrigin, checked_text, data_lines
from plumbline.io.bytes.tidy import tidied
from plumbline.io.columns.levels import by_labels
from plumbline.io.columns.text import label_values
from plumbline.io.formats.plain import LAYOUTS, separator_of
from plumbline.io.table import Table
from plumbline.schema import CASE, ITEM, ONLY_CASE, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions

_ENOUGH_ROWS: Final = 4
"""The fewest rows that can show, by ids with digits or by repeated labels, that the first line is different."""
_RARELY: Final = 10
"""A label that only one row has is that of the first row by chance in at most one of so many files."""
_SHORTEST: Final = 2
"""The fewest letters of a column name, if the lines below do not decide."""
_NUMBER: Final = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$"


def read_columns(content: Content, options: ReadOptions) -> Table:
    """Every line has the columns of the first one; a label may hold spaces where tabs separate."""
    first = next(data_lines(content), None)
    if first is None:
        raise BadData(files.no_data(content.label))
    checked_text(content)
    separator = separator_of(first[1].decode())
    width = len(_splitter(separator)(first[1].decode()))
    layout = LAYOUTS.get(width, LAYOUTS[2])
    origin = TextOrigin(content, {"item": layout.index(ITEM), "label": len(layout) - 1})
    frame = _by_columns(content, layout, separator)
    if frame is None:
        frame = _line_by_line(content, layout, separator)
    case = pl.col(CASE) if CASE in frame.columns else pl.lit(ONLY_CASE)
    labels = label_values(frame["label"], options).alias(VALUE)
    chosen = frame.select(case.cast(pl.Categorical).alias(CASE), ITEM).with_columns(labels)
    doubts = _heading(frame, separator, Place(content.label, first[0])) if options.reader_of_role != "plain" else ()
    hidden = _commented(content, separator, width)
    remarks = (notices.commented_rows(content.label, hidden),) if hidden else ()
    table = Table(chosen, content.label, "plain", origin, notices=(*doubts, *remarks))
    return by_labels(table) if options.kind == "levels" else table


def _commented(content: Content, separator: str, width: int) -> int:
    """How many comments have the columns of a row; between spaces, any two words would."""
    if separator == " " or content.data.find(b"#") < 0:
        return 0
    field = f"{separator}[^{separator}\n]+".encode()
    pattern = rb"^#[^\s#][^" + separator.encode() + rb"\n]*" + field * (width - 1) + b"$"
    return len(re.findall(pattern, bytes(content.data), re.MULTILINE))


def _heading(frame: pl.DataFrame, separator: str, place: Place) -> tuple[Diagnostic, ...]:
    """A first line that looks like a heading with unknown names is data, but the user should know."""
    if not _looks_like_heading(frame, separator):
        return ()
    return (notices.maybe_heading(place, " ".join(frame.row(0)), ",".join(frame.columns)),)


def _by_columns(content: Content, layout: tuple[str, ...], separator: str) -> pl.DataFrame | None:
    """The fast way, or None where it cannot be sure."""
    data = tidied(bytes(content.data)) if separator == " " else bytes(content.data)
    try:
        frame = pl.read_csv(
            BytesIO(data),
            has_header=False,
            separator=separator,
            quote_char=None,
            comment_prefix="#",
            empty_string_is_null=True,
            schema=dict.fromkeys(layout, pl.String),
            glob=False,
        )
    except PolarsError:
        return None
    return None if frame.is_empty() or frame.null_count().sum_horizontal().item() else frame


def _line_by_line(content: Content, layout: tuple[str, ...], separator: str) -> pl.DataFrame:
    """The exact way, which names every line that is wrong."""
    lines = [(number, line.decode().rstrip("\r")) for number, line in data_lines(content)]
    split = _splitter(separator)
    rows = [columns if len(columns := split(line)) == len(layout) else line.split() for _, line in lines]
    wrong = [index for index, row in enumerate(rows) if len(row) != len(layout)]
    if wrong:
        made = [_wrong(_place(content, *lines[index]), len(rows[index]), layout) for index in wrong[:MOST_SHOWN]]
        raise BadData(*counted(made, len(wrong)))
    nameless = next((index for index, row in enumerate(rows) if "" in row[:-1]), None)
    if nameless is not None:
        what = layout[rows[nameless].index("")]
        raise BadData(table.bad_id(_place(content, *lines[nameless]), what, "is missing"))
    labelled = [(*row[:-1], row[-1] or None) for row in rows]
    return pl.DataFrame(labelled, schema=dict.fromkeys(layout, pl.String), orient="row")


def _splitter(separator: str) -> Callable[[str], list[str]]:
    if separator == " ":
        return str.split
    return lambda line: line.split(separator)


def _place(content: Content, number: int, line: str) -> Place:
    return Fields.of(number, line.encode()).place(content.label)


def _wrong(place: Place, count: int, layout: tuple[str, ...]) -> Diagnostic:
    return table.wrong_columns(place, count, len(layout), " ".join(layout))


def _looks_like_heading(frame: pl.DataFrame, separator: str) -> bool:
    """Whether the first row holds a label that no other row has, no digit, and words of another kind than the rows below.

    Nothing is certain: a class, or a cluster, may have one item, which may come first.
    """
    first, labels = [word or "" for word in frame.row(0)], frame["label"]
    if "" in first or any(map(str.isdigit, "".join(first))) or (labels == first[-1]).sum() > 1:
        return False
    below = labels[1:].drop_nulls()
    if len(below) and bool(below.str.contains(_NUMBER).all()):
        return True
    if len(frame) >= _ENOUGH_ROWS and bool(frame[ITEM][1:].str.contains(r"\d").all()):
        return True
    if len(frame) < _ENOUGH_ROWS - 1 or not _look_like_names(first):
        return False
    alone = int((labels.value_counts()["count"] == 1).sum())
    few = len(frame) < _ENOUGH_ROWS or (len(frame) < _RARELY and alone < len(frame))
    return few or separator == "," or alone * _RARELY <= len(frame)


def _look_like_names(texts: Sequence[str]) -> bool:
    """Whether all are longer than a letter, as names of columns are."""
    return all(len(text) >= _SHORTEST for text in texts)
