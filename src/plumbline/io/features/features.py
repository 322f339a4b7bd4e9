"""Features of items: a row of numbers for each, or its distances to all others; and the lengths of items."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import polars as pl

from plumbline.errors import BadData, BadUsage, Place, discounts, table, usage
from plumbline.io.bytes.content import load
from plumbline.io.columns.names import CLUSTER_CASES, CLUSTER_ITEMS, plain_name
from plumbline.io.columns.text import id_column, id_text
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.memory.arrays import is_array
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.memory.masks import unmasked
from plumbline.io.table import FrameOrigin, NestedOrigin
from plumbline.lazily import sparse
from plumbline.schema import ITEM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.io.table import Origin, Readable

What = Literal["features", "distances"]
Matrix = Any
"""A NumPy array or a sparse matrix in rows, of 64-bit numbers."""

EXPECTED: Final = "an array with a row per item, a sparse matrix, a data frame, a dict {item: vector} or a path"
_ITEMS: Final = tuple(name for name in CLUSTER_ITEMS if name not in {"items", "members", "d"})
_CASES: Final = tuple(name for name in CLUSTER_CASES if name != "q")
"""A row is that of one item, and single letters are names of features."""
LARGEST: Final = 1e150
"""Features are squared and added up; larger ones would overflow."""
_TABLE: Final = 2
"""The dimensions of a matrix."""


@dataclass(frozen=True, eq=False)
class Features:
    """A matrix with a row for each item."""

    label: str
    numbers: Matrix
    origin: Origin
    items: pl.Series | None = None
    """The item of each row; none where the rows are the items of the gold in their order."""
    cases: pl.Series | None = None
    """The case of each row; none where an item is the same in every case."""


def read_features(source: Readable, what: What, max_bytes: int | None = None, label: str = "") -> Features:
    """Read features or distances; distances may also be a dict of dicts. The label is that of what is no file."""
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        content = load(source, max_bytes)
        data, origin = matrix_or_frame(content)
        return _of_object(data, what, content.label, origin)
    return _of_object(source, what, label or what, FrameOrigin(label or what))


def _of_object(source: Readable, what: What, label: str, origin: Origin) -> Features:
    if hasattr(source, "tocsr"):
        return _checked(Features(label, _sparse(source, what), origin), what)
    if isinstance(source, Mapping):
        return _checked(_of_dict(source, what, label), what)
    if is_frame(source):
        return _checked(_of_frame(polars_frame(source, label), what, label, origin), what)
    if is_array(source):
        return _checked(Features(label, _matrix(source, label), origin), what)
    raise BadUsage(usage.bad_object(f"the {what}: a {type(source).__name__}", EXPECTED))


def _sparse(source: Readable, what: What) -> Matrix:
    if what == "distances":
        raise BadUsage(
            usage.bad_object("the distances: a sparse matrix, in which 0 and unknown look the same", "a dense array")
        )
    return sparse.csr_array(source, dtype=np.float64)


def _matrix(source: Readable, label: str) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(unmasked(source, label))
        numbers = numbers if np.iscomplexobj(numbers) else numbers.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise BadUsage(usage.bad_object(f"{label}: rows of different lengths, or not of numbers", EXPECTED)) from None
    if numbers.ndim != _TABLE or np.iscomplexobj(numbers):
        raise BadUsage(usage.bad_object(f"{label}: {numbers.ndim} dimensions of {numbers.dtype}", EXPECTED))
    return numbers


def _of_dict(data: Mapping[Any, Any], what: What, label: str) -> Features:
    """`{item: vector}`, for distances also `{item: {item: distance}}`, or one of these for each case."""
    first = next(iter(data.values()), None)
    inner = next(iter(first.values()), None) if isinstance(first, Mapping) else None
    cased = isinstance(first, Mapping) and (what == "features" or not np.isscalar(inner))
    parts = dict(data) if cased else {"": data}
    if not all(isinstance(part, Mapping) for part in parts.values()):
        raise BadUsage(usage.bad_object(f"{label}: a dict in which only some values are dicts", EXPECTED))
    ids = [id_column(part.keys(), label, "item") for part in parts.values()]
    items = pl.concat(ids) if ids else pl.Series(dtype=pl.String)
    cases = id_column((case for case, part in parts.items() for _ in part), label, "case")
    if what == "distances":
        blocks = [_block(part, ids_of_case.to_list(), label) for part, ids_of_case in zip(parts.values(), ids, strict=True)]
        numbers = _diagonal(blocks)
    else:
        numbers = _matrix([vector for part in parts.values() for vector in part.values()], label)
    return Features(label, numbers, NestedOrigin(label, cases, items), items, cases if cased else None)


def _block(rows: Mapping[Any, Any], items: list[str], label: str) -> NDArray[np.float64]:
    """The distances of one case; one of two directions is enough."""
    if not any(isinstance(row, Mapping) for row in rows.values()):
        return _matrix(list(rows.values()), label)
    known = [{str(item): distance for item, distance in row.items()} for row in rows.values()]
    distances = [
        [row.get(other, 0.0 if other == item else np.nan) for other in items] for item, row in zip(items, known, strict=True)
    ]
    block = _matrix(distances, label)
    return np.where(np.isnan(block), block.T, block)


def _diagonal(blocks: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """One matrix, in which distances between items of different cases are unknown."""
    if len(blocks) == 1:
        return blocks[0]
    matrix = np.full((sum(map(len, blocks)), sum(block.shape[1] for block in blocks)), np.nan)
    row = column = 0
    for block in blocks:
        matrix[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return matrix


def _of_frame(frame: pl.DataFrame, what: What, label: str, origin: Origin) -> Features:
    """An item column, perhaps a case column, and numbers or vectors in all others."""
    names = {plain_name(name): name for name in frame.columns}
    item = next((names[name] for name in _ITEMS if name in names), None)
    case = next((names[name] for name in _CASES if name in names), None)
    if item is None:
        raise BadData(table.missing_column(origin.places([-1], "item")[0], "item", list(_ITEMS), list(names.values()), None))
    items = id_text(frame[item], "item", origin)
    rest = [name for name in frame.columns if name not in {item, case}]
    if what == "distances" and sorted(rest) == sorted(items.to_list()):
        rest = items.to_list()
    columns = [_column(frame[name], origin) for name in rest]
    numbers = np.concatenate([np.empty((len(frame), 0)), *columns], axis=1)
    return Features(label, numbers, origin, items, None if case is None else id_text(frame[case], "case", origin))


def _vectors(values: pl.Series, origin: Origin) -> NDArray[np.float64]:
    lists = values.cast(pl.List(pl.Float64), strict=False)
    lengths = lists.list.len().fill_null(0).to_list()
    width = max(lengths, default=0)
    row = next((row for row, length in enumerate(lengths) if length != width), None)
    if row is not None:
        raise BadData(table.wrong_columns(origin.places([row], values.name)[0], lengths[row], width, values.name))
    return lists.explode().to_numpy().reshape(len(lists), -1)


def _column(values: pl.Series, origin: Origin) -> NDArray[np.float64]:
    """A column of numbers, or of vectors that are all of one length."""
    if isinstance(values.dtype, (pl.List, pl.Array)):
        return _vectors(values, origin)
    readable = values.dtype.is_numeric() or values.dtype in (pl.String, pl.Boolean)
    numbers = values.cast(pl.Float64, strict=False) if readable else pl.Series([None] * len(values), dtype=pl.Float64)
    if numbers.null_count():
        row = numbers.is_null().arg_max() or 0
        raise BadData(table.not_a_number(origin.places([row], values.name)[0], f"{values.name}:", str(values[row])))
    return numbers.to_numpy().reshape(-1, 1)


def _checked(features: Features, what: What) -> Features:
    """Features are finite, and so are their squares; distances form a square matrix, and are checked where they are used."""
    height, width = features.numbers.shape
    if width == 0:
        raise BadUsage(usage.bad_object(f"{features.label}: rows without a number", EXPECTED))
    if what == "distances" and height != width:
        raise BadUsage(usage.bad_object(f"{features.label}: {height} rows, {width} columns", "a square matrix"))
    stored = features.numbers.data if hasattr(features.numbers, "tocsr") else features.numbers.ravel()
    fine = np.abs(stored) <= LARGEST
    wrong = int(np.argmin(fine)) if what == "features" and len(stored) else None
    if wrong is not None and not fine[wrong]:
        row = (
            int(np.searchsorted(features.numbers.indptr, wrong, "right")) - 1
            if hasattr(features.numbers, "tocsr")
            else wrong // width
        )
        place = features.origin.places([row], "feature")[0]
        if not np.isfinite(stored[wrong]):
            raise BadData(table.not_finite(place, "a feature", str(stored[wrong])))
        item = f"row {row + 1}" if features.items is None else str(features.items[row])
        raise BadData(table.feature_too_large(place, item, float(stored[wrong]), LARGEST))
    return features


def read_lengths(source: Readable, max_bytes: int | None = None) -> tuple[str, pl.DataFrame]:
    """The label of the source, and a frame of `item` and `words`, the length of each item."""
    given = {item: [lengths] for item, lengths in source.items()} if isinstance(source, Mapping) else source
    features = read_features(given, "features", max_bytes, "lengths")
    if features.items is None or hasattr(features.numbers, "tocsr"):
        raise BadUsage(
            usage.bad_object("the lengths: no items", "a file with the columns item,length, or a dict {item: words}")
        )
    label = "lengths" if isinstance(source, Mapping) else features.label
    if features.numbers.shape[1] != 1:
        raise BadData(discounts.bad_length(Place(label), f"{features.numbers.shape[1]} numbers"))
    lengths = np.asarray(features.numbers)[:, 0]
    if (lengths < 0).any():
        row = int(np.argmax(lengths < 0))
        raise BadData(discounts.bad_length(features.origin.places([row], "length")[0], f"{lengths[row]:g}"))
    return label, pl.DataFrame({ITEM: features.items.cast(pl.String), "words": lengths}).unique(ITEM, maintain_order=True)
