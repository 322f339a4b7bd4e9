"""Files of features or distances: tables with an item column, records, and bare matrices of numbers."""

from __future__ import annotations

from io import BytesIO
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, files, table
from plumbline.io.bytes.lines import numbered
from plumbline.io.columns.text import is_number
from plumbline.io.formats.columnar.reading import columnar_frame
from plumbline.io.formats.delimited.reading import delimited_frame
from plumbline.io.formats.json_file.reading import RecordOrigin, jsonl_records, parsed_json
from plumbline.io.sniff import columns_of, self_described
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.bytes.content import Content
    from plumbline.io.table import AnyValue, Origin

_NUMPY: Final = b"\x93NUMPY"
EXAMPLE: Final = '{"item": "d1", "vector": [0.5, 1.0]}'


def matrix_or_frame(content: Content) -> tuple[Any, Origin]:
    """An array, a frame or a dict, as the file has it."""
    plain = FrameOrigin(content.label)
    if content.head(len(_NUMPY)) == _NUMPY:
        return _saved_array(content), plain
    kind = self_described(content)
    if kind in {"parquet", "arrow"}:
        return columnar_frame(content, kind), plain
    if kind == "jsonl":
        records, origin = jsonl_records(content)
        return _frame(records, origin), origin
    if kind == "json":
        return _of_json(parsed_json(content.label, bytes(content.data), 1), content.label)
    line, separator = columns_of(content)
    if not line:
        raise BadData(files.no_data(content.label))
    if all(map(is_number, line)):
        return _numbers(content, separator), plain
    return delimited_frame(content)


def _saved_array(content: Content) -> NDArray[np.float64]:
    try:
        saved: NDArray[np.float64] = np.load(BytesIO(bytes(content.data)), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise BadData(files.damaged(content.label, "NumPy", str(error).splitlines()[0])) from None
    except (SyntaxError, TokenError, TypeError, MemoryError, RecursionError):  # the header is parsed like a line of Python
        raise BadData(files.damaged(content.label, "NumPy", "the header cannot be read")) from None
    return saved


def _of_json(data: AnyValue, label: str) -> tuple[Any, Origin]:
    if isinstance(data, list) and data and all(isinstance(record, dict) for record in data):
        return _frame(data, RecordOrigin(label)), RecordOrigin(label)
    if not isinstance(data, (list, dict)):
        raise BadData(table.json_shape(Place(label), f"a single {type(data).__name__}", EXAMPLE))
    return data, RecordOrigin(label)


def _frame(records: list[dict[str, Any]], origin: RecordOrigin) -> pl.DataFrame:
    columns = {name: [record.get(name) for record in records] for name in records[0]}
    try:
        return pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        place = origin.places([-1], "feature")[0]
        raise BadData(table.json_shape(place, "fields that are neither numbers nor vectors", EXAMPLE)) from None


def _numbers(content: Content, separator: str | None) -> NDArray[np.float64]:
    """A matrix without names, such as numpy.savetxt writes."""
    try:
        return np.loadtxt(BytesIO(bytes(content.data)), delimiter=separator, ndmin=2, dtype=np.float64)
    except ValueError:
        raise BadData(_fault(content, separator)) from None


def _fault(content: Content, separator: str | None) -> Diagnostic:
    """The first line that is not like the others, or the first cell that is no number."""
    lines = [(number, line.decode(errors="replace").split(separator)) for number, line in numbered(content) if line.strip()]
    expected = len(lines[0][1])
    for number, cells in lines:
        if len(cells) != expected:
            return table.wrong_columns(Place(content.label, number), len(cells), expected, "numbers as in the first line")
    faults = ((number, cell) for number, cells in lines for cell in cells if not _is_feature(cell))
    number, odd = next(faults, (lines[0][0], lines[0][1][0]))
    return table.not_a_number(Place(content.label, number), "a feature:", odd)


def _is_feature(cell: str) -> bool:
    """Whether NumPy reads it: `1_0` is a number in Python only."""
    return is_number(cell) and "_" not in cell and cell.isascii()
