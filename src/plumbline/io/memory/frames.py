"""Data frames of any library, by the interfaces that they share: Arrow streams, and methods that hand over a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, usage
from plumbline.io.table import FrameOrigin
from plumbline.lazily import pl

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, ReadOptions, Table

_STREAM: Final = "__arrow_c_stream__"
_METHODS: Final = (
    "collect",
    "compute",
    "to_arrow",
    "to_pyarrow",
    "toArrow",
    "to_arrow_table",
    "to_pandas",
    "toPandas",
    "_to_pandas",
)
"""Methods by which lazy and distributed frames hand over a table that is in memory."""
_REFUSALS: Final = (TypeError, ValueError, OverflowError, NotImplementedError)
"""What libraries raise for columns that they cannot hand over; those of pyarrow are kinds of these."""


def is_frame(candidate: object) -> bool:
    """Whether it is a data frame: it has columns, and some way to hand them over."""
    kind = type(candidate)  # the attributes of a lazy frame itself may be costly
    if isinstance(candidate, (str, bytes, type, Mapping)) or not hasattr(kind, "columns"):
        return False
    return hasattr(kind, _STREAM) or any(callable(getattr(kind, name, None)) for name in _METHODS)


def frame_table(frame: object, label: str, options: ReadOptions) -> Table:
    """A table from a data frame of polars, pandas, pyarrow or another library."""
    from plumbline.io.columns.tables import to_table

    return to_table(polars_frame(frame, label), label, "frame", options, FrameOrigin(label))


def dict_frame(columns: Mapping[Any, Any], label: str) -> pl.DataFrame:
    """A frame of lists, arrays or series of one length."""
    try:
        return pl.DataFrame({str(name): pl.Series(values, strict=False) for name, values in columns.items()})
    except (*_REFUSALS, pl.exceptions.PolarsError):
        raise BadUsage(usage.bad_object(f"the {label}", "columns of the same length")) from None


def polars_frame(frame: AnyValue, label: str) -> pl.DataFrame:
    """The same frame in polars."""
    try:
        return _converted(frame)
    except (*_REFUSALS, pl.exceptions.PolarsError) as error:
        reason = str(error).partition("\n")[0]
        raise BadUsage(usage.bad_object(f"the {label}: {reason}", "columns of one type each, such as text")) from None
    except ImportError as error:
        package = error.name or "pyarrow"
        raise BadUsage(usage.needs_package(f"reading a {type(frame).__name__} of {_library(frame)}", package)) from None


def _converted(frame: AnyValue) -> pl.DataFrame:
    if isinstance(frame, pl.DataFrame):
        return frame
    if _library(frame) == "pandas":
        return _of_pandas(frame)
    if hasattr(frame, _STREAM):
        return pl.DataFrame(frame)
    name = next(name for name in _METHODS if callable(getattr(type(frame), name, None)))
    return _converted(getattr(frame, name)())


def check_levels(frame: AnyValue) -> None:
    """Columns of pandas that have several names each have no meaning that could be found."""
    if getattr(frame.columns, "nlevels", 1) > 1:
        problem = "a frame with several levels of columns"
        raise BadUsage(usage.bad_object(problem, "a frame with one row of column names"))


def _of_pandas(frame: AnyValue) -> pl.DataFrame:
    """Polars converts columns of text by way of pyarrow; where that is not installed, they are lists of Python values."""
    check_levels(frame)
    try:
        return pl.DataFrame(frame)
    except ImportError:
        return pl.DataFrame({str(name): _of_values(frame[name]) for name in frame.columns})


def _of_values(column: AnyValue) -> pl.Series:
    missing = column.isna().tolist()
    values = column.tolist()
    return pl.Series([None if none else value for none, value in zip(missing, values, strict=True)])


def _library(frame: object) -> str:
    return type(frame).__module__.partition(".")[0]
