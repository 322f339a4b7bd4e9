"""Arrays of any size: large ones are kept in temporary files, of which the system holds in memory what there is room for.

Whatever is as long as all scores is made with the functions of this module, some rows at a time, so that no step holds another
copy of everything in memory. The result is the same bit for bit, wherever an array is kept.
"""

from __future__ import annotations

import os
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.errors import BadUsage, files
from plumbline.lazily import shutil, tempfile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import DTypeLike, NDArray

IN_MEMORY: Final = 2**27
"""Bytes up to which an array is kept in memory."""
_AT_ONCE: Final = 2**20
"""Numbers that one step works on, about."""


def empty(shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """An array to be filled; a large one is a temporary file, which is gone as soon as the array is.

    Raises:
        BadUsage: If there is not enough space for temporary files.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size <= IN_MEMORY:
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile(prefix="plumbline-") as file:
        _reserve(file.fileno(), size)
        return np.asarray(np.memmap(file, dtype, "w+", shape=shape))


def free_space() -> int:
    """How many bytes of temporary files can be written."""
    return shutil.disk_usage(tempfile.gettempdir()).free


def _reserve(file: int, size: int) -> None:
    """Make sure that there is space, since writing into an array cannot report that there is none."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)
            return
    except OSError:
        pass  # there is no space, or the file system cannot reserve any
    if free_space() < size:
        raise BadUsage(files.unreadable(tempfile.gettempdir(), f"there is no space for a temporary file of {size:,} bytes"))


def made(shape: tuple[int, ...], rows_of: Callable[[slice], Any], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """An array of which the function gives some rows at a time."""
    out = empty(shape, dtype)
    for rows in portions(shape):
        out[rows] = rows_of(rows)
    return out


def made_by_columns(like: NDArray[Any], columns_of: Callable[[slice], Any]) -> NDArray[np.float64]:
    """A wide table in the same order of memory as another one, of which the function gives some columns at a time."""
    turned = like.flags.f_contiguous and not like.flags.c_contiguous
    out = empty(like.shape[::-1]).T if turned else empty(like.shape)
    for columns in portions(like.shape[::-1]):
        out[:, columns] = columns_of(columns)
    return out


def cells(values: NDArray[np.float64], rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Some rows and columns of a table, each once and in their order; the table itself if that is all of it."""
    if (len(rows), len(columns)) == values.shape:
        return values
    return made((len(rows), len(columns)), lambda some: values[np.ix_(rows[some], columns)])


def known_values(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where a table has a number."""
    return made(values.shape, lambda rows: ~np.isnan(values[rows]), np.bool_)


def largest_of_rows(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest absolute value of each row, 0 without any."""
    return gathered(values.shape, lambda rows: np.abs(np.nan_to_num(values[rows])).max(axis=1, initial=0.0))


def extent(values: NDArray[np.float64]) -> tuple[float, float]:
    """The least and the largest number of a table; infinity and its negative without any."""
    parts = [values[rows] for rows in portions(values.shape)]
    least = min(float(np.fmin.reduce(part, axis=None, initial=np.inf)) for part in parts)
    return least, max(float(np.fmax.reduce(part, axis=None, initial=-np.inf)) for part in parts)


def gathered(shape: tuple[int, ...], numbers_of: Callable[[slice], Any]) -> NDArray[Any]:
    """A number for each row of a large array, which the function gives for some rows at a time."""
    return np.concatenate([numbers_of(rows) for rows in portions(shape)])


def portions(shape: tuple[int, ...]) -> Iterator[slice]:
    """The rows of an array, some at a time; one portion at least, which may be empty."""
    step = max(1, _AT_ONCE // max(prod(shape[1:]), 1))
    return (slice(start, start + step) for start in range(0, max(shape[0], 1), step))
