"""Label arrays: one case, items counted from 0, as scikit-learn takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.deferred import later
from plumbline.errors import BadUsage, usage
from plumbline.io.columns.text import label_values
from plumbline.io.memory.labelled import labelled_array
from plumbline.io.memory.masks import unmasked
from plumbline.io.memory.nested import object_columns
from plumbline.io.table import FrameOrigin, Table
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, ONLY_CASE, SCORE, VALUE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.io.table import AnyValue, ReadOptions

_ROUNDING: Final = 1e-3
"""How far the probabilities of an item may be from 1 together."""
_INDICATOR: Final = 2
"""The dimensions of an array with a row per item and a column per class."""


def is_array(candidate: object) -> bool:
    """Whether it is a list or array of labels, not a path, dict or frame."""
    if isinstance(candidate, (str, bytes, Mapping)) or hasattr(type(candidate), "columns") or hasattr(candidate, "read"):
        return False
    return isinstance(candidate, Sequence) or hasattr(candidate, "__array__") or hasattr(candidate, "todense")


def array_table(values: AnyValue, label: str, options: ReadOptions) -> Table:
    """A table from labels, lists of labels, scores, or a matrix of 0 and 1 with a column for each class."""
    values = unmasked(values, f"the {label}")
    dimensions = getattr(values, "ndim", 1)
    if dimensions not in {1, _INDICATOR}:
        raise BadUsage(usage.bad_object(f"the {label}: an array of {dimensions} dimensions", "one label, or one row, per item"))
    if dimensions == _INDICATOR and options.role == "output" and _are_probabilities(values):
        return _probabilities(np.asarray(values, dtype=np.float64), label)
    if dimensions == _INDICATOR:
        columns, classes = [_indicated(values, label)], tuple(str(column) for column in range(values.shape[1]))
    else:
        plain = options.kind in {"labels", "clusters"} and options.label_separator is None
        labelled = labelled_array(values, clusters=options.kind == "clusters") if plain else None
        if labelled is not None:
            numbered: tuple[pl.Series, ...] = later(lambda: tuple(_columns(values, label, options)))
            made: pl.DataFrame = later(lambda: _numbered(_columns(values, label, options), as_text=options.kind != "clusters"))
            return Table(made, label, "array", FrameOrigin(label), numbered=numbered, labelled=labelled)
        columns, classes = _columns(values, label, options), ()
    as_text = options.kind != "clusters"
    frame: pl.DataFrame = later(lambda: _numbered(columns, as_text=as_text))
    return Table(frame, label, "array", FrameOrigin(label), classes=classes, numbered=tuple(columns))


def _numbered(columns: list[pl.Series], *, as_text: bool) -> pl.DataFrame:
    """The columns of one case, whose items are counted from 0."""
    count = len(columns[0])
    case = pl.Series(CASE, [ONLY_CASE], dtype=pl.Categorical).new_from_index(0, count)
    items = pl.int_range(count, eager=True).alias(ITEM)
    return pl.DataFrame([case, items.cast(pl.String) if as_text else items, *columns])


def _are_probabilities(values: AnyValue) -> bool:
    """Whether every row is a distribution over classes, and not all are certain: those may be labels."""
    if hasattr(values, "todense") or np.asarray(values).dtype.kind != "f":
        return False
    matrix = np.asarray(values)
    sums = bool(matrix.size) and bool(np.allclose(matrix.sum(axis=1), 1, atol=_ROUNDING)) and bool((matrix >= 0).all())
    return sums and not np.isin(matrix, (0, 1)).all()


def _probabilities(matrix: NDArray[np.float64], label: str) -> Table:
    """The number of the most probable class of each item, and, of two classes, the probability of the second."""
    columns = [pl.Series(VALUE, matrix.argmax(axis=1))]
    if matrix.shape[1] == _INDICATOR:
        columns.append(pl.Series(SCORE, matrix[:, 1]))
    return Table(_numbered(columns, as_text=True), label, "array", FrameOrigin(label), probabilities=matrix.shape[1])


def _columns(values: AnyValue, label: str, options: ReadOptions) -> list[pl.Series]:
    if isinstance(values, (list, tuple)):
        return object_columns(list(values), FrameOrigin(label), options)
    if hasattr(values, "isna") and not isinstance(values.dtype, np.dtype):  # pandas' own types, in which labels may be missing
        listed = [None if missing else value for value, missing in zip(values.tolist(), values.isna().tolist(), strict=True)]
        return object_columns(listed, FrameOrigin(label), options)
    array = values if isinstance(values, pl.Series) else np.asarray(values)
    if array.dtype in (pl.Object, object):
        return object_columns(list(array), FrameOrigin(label), options)
    try:
        series = pl.Series(VALUE, array)
    except UnicodeEncodeError:  # a lone surrogate, whose place is named
        return object_columns(list(array), FrameOrigin(label), options)
    if series.dtype.is_float() and options.role == "output":
        return [series.cast(pl.Float64).alias(SCORE)]
    return [label_values(series, options).alias(VALUE)]


def _indicated(values: AnyValue, label: str) -> pl.Series:
    dense = np.asarray(values.todense() if hasattr(values, "todense") else values)
    if not np.isin(dense, (0, 1)).all():
        raise BadUsage(
            usage.bad_object(f"the {label}: a matrix with other numbers than 0 and 1", "labels, or 0 and 1 per class")
        )
    return pl.Series(VALUE, [[str(column) for column in np.flatnonzero(row)] for row in dense], dtype=pl.List(pl.String))
