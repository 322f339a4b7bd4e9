"""Nested dicts: numbers or labels of items, in cases or without; and Python values as labels."""

from __future__ import annotations

from functools import partial
from itertools import chain, repeat
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.deferred import later
from plumbline.errors import BadData, labelling, table
from plumbline.io.columns.text import encodable, id_column, label_values
from plumbline.io.memory.labelled import labelled_dicts
from plumbline.io.native import native_function
from plumbline.io.table import LARGEST_GRADE, Nested, NestedOrigin, Table
from plumbline.lazily import pl
from plumbline.schema import CASE, ITEM, ONLY_CASE, SCORE, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from plumbline.io.table import Origin, ReadOptions, Role


_OTHERS: Final = (np.float64, np.float32, np.int64, np.int32)
_NUMBERS: Final = frozenset({float, int, *_OTHERS})
_LARGEST: Final = float(np.finfo(np.float64).max)


def nested_table(data: Mapping[str, Mapping[str, Any]], label: str, reader: str, options: ReadOptions) -> Table:
    """A table from `{case: {item: number}}`; order="file" takes the order of the keys."""
    if options.of_labels:
        return nested_labels(data, label, reader, options)
    nested = _plain(data, options)
    if nested is None:
        return _columns(data, label, reader, options)
    table_of = partial(_columns, data, label, reader, options)
    empty = tuple(case for case, inner in data.items() if not inner)
    frame, origin = later(lambda: table_of().frame), later(lambda: table_of().origin)
    return Table(frame, label, reader, origin, empty_cases=empty, nested=nested)


def _plain(data: Mapping[str, Mapping[str, Any]], options: ReadOptions) -> Nested | None:
    """Dicts that need no table: text for ids and finite numbers; None where there is anything else to be told or decided."""
    if type(data) is not dict or (options.role == "output" and options.order != "score"):
        return None
    if set(map(type, data.values())) != {dict}:
        return None
    values, largest = _numbers(data)
    return Nested(data, values) if largest <= (LARGEST_GRADE if options.role == "gold" else _LARGEST) else None


def _numbers(data: Mapping[str, Mapping[str, Any]]) -> tuple[NDArray[np.float64], float]:
    """All numbers and the largest size among them: NaN if there is none, or anything else than texts and finite numbers."""
    count = sum(map(len, data.values()))
    plain = native_function("plain")
    if plain is not None and count:
        values = np.empty(count)
        largest = plain(data, _OTHERS, values)
        if largest is not None:
            return values, largest
    numbers = list(chain.from_iterable(inner.values() for inner in data.values()))
    texts = _encodable(chain.from_iterable(data.values())) and _encodable(data)
    if not numbers or not texts or not set(map(type, numbers)) <= _NUMBERS:
        return np.empty(0), np.nan
    try:
        values = np.fromiter(numbers, np.float64, len(numbers))
    except OverflowError:
        return np.empty(0), np.nan
    return values, float(np.abs(values).max())


def _encodable(texts: Iterable[str]) -> bool:
    """Whether these are texts that can be written."""
    try:
        joined = "".join(texts)
    except TypeError:
        return False
    return joined.isascii() or encodable(joined)


def _columns(data: Mapping[str, Mapping[str, Any]], label: str, reader: str, options: ReadOptions) -> Table:
    cases = id_column(chain.from_iterable(repeat(case, len(inner)) for case, inner in data.items()), label, "case")
    items = id_column(chain.from_iterable(inner.keys() for inner in data.values()), label, "item")
    numbers = list(chain.from_iterable(inner.values() for inner in data.values()))
    _check_types(numbers, cases, items, label, options.role)
    values = pl.Series(VALUE, numbers, dtype=pl.Float64, strict=False)
    if options.role == "output" and options.order == "file":
        values = pl.Series(VALUE, range(0, -len(numbers), -1), dtype=pl.Float64)
    elif options.role == "output" and options.order == "rank":
        values = -values
    frame = pl.DataFrame([cases.cast(pl.Categorical).alias(CASE), items.alias(ITEM), values.alias(VALUE)])
    empty = _empty_cases(data, label)
    return Table(frame, label, reader, NestedOrigin(label, cases, items), empty_cases=empty)


def _empty_cases(data: Mapping[str, Mapping[str, Any]], label: str) -> tuple[str, ...]:
    return tuple(id_column((case for case, inner in data.items() if not inner), label, "case"))


def _check_types(numbers: list[Any], cases: pl.Series, items: pl.Series, label: str, role: Role) -> None:
    what = "grade" if role == "gold" else "score"
    odd = {kind for kind in set(map(type, numbers)) if kind is bool or not hasattr(kind, "__float__") or kind is str}
    if odd:
        row = next(index for index, number in enumerate(numbers) if type(number) in odd)
        shown = "null" if numbers[row] is None else f"{numbers[row]!r}"
        raise BadData(table.json_value(label, cases[row], items[row], shown, what))
    try:
        all(map(float, numbers))
    except OverflowError:
        too_large = (
            index for index, number in enumerate(numbers) if not isinstance(number, np.generic) and abs(number) > 2**1023
        )
        row = next(too_large)
        raise BadData(table.json_value(label, cases[row], items[row], "too large", what)) from None


def nested_labels(data: Mapping[str, Any], label: str, reader: str, options: ReadOptions) -> Table:
    """A table from `{case: {item: label or labels}}`, or from `{item: label or labels}` as the only case."""
    labelled = (
        None if options.kind not in {"labels", "clusters"} or options.label_separator is not None else labelled_dicts(data)
    )
    if labelled is None:
        return _label_columns(data, label, reader, options)
    table_of = partial(_label_columns, data, label, reader, options)
    empty = tuple(case for case, inner in data.items() if type(inner) is dict and not inner)
    frame, origin = later(lambda: table_of().frame), later(lambda: table_of().origin)
    return Table(frame, label, reader, origin, empty_cases=empty, labelled=labelled)


def _label_columns(data: Mapping[str, Any], label: str, reader: str, options: ReadOptions) -> Table:
    nested = data if all(hasattr(inner, "keys") for inner in data.values()) else {ONLY_CASE: data}
    cases = id_column(chain.from_iterable(repeat(case, len(inner)) for case, inner in nested.items()), label, "case")
    items = id_column(chain.from_iterable(inner.keys() for inner in nested.values()), label, "item")
    values = list(chain.from_iterable(inner.values() for inner in nested.values()))
    origin = NestedOrigin(label, cases, items)
    columns = [cases.cast(pl.Categorical).alias(CASE), items.alias(ITEM), *object_columns(values, origin, options)]
    empty = _empty_cases(nested, label)
    return Table(pl.DataFrame(columns), label, reader, origin, empty_cases=empty)


def object_columns(values: list[Any], origin: Origin, options: ReadOptions) -> list[pl.Series]:
    """Python values as labels: text, whole numbers and truth values are labels, sets and lists several, fractions scores."""
    kinds = {kind for kind in set(map(type, values)) if not _is_missing(kind)}
    if kinds and all(issubclass(kind, (list, tuple, set, frozenset)) or kind.__name__ == "ndarray" for kind in kinds):
        return [several_labels(values, origin)]
    _refuse(values, [kind for kind in kinds if not _is_label(kind)], origin)
    if any(map(_is_fraction, kinds)) and not any(issubclass(kind, str) for kind in kinds):
        numbers = pl.Series(VALUE, [None if _is_missing(type(one)) else float(one) for one in values], dtype=pl.Float64)
        return [numbers.alias(SCORE)] if options.role == "output" else [label_values(numbers, options)]
    text = [None if _is_missing(type(one)) or one != one else _text(one) for one in values]  # noqa: PLR0124 - NaN is missing
    return [label_values(_column(text, pl.String(), _unchanged, origin), options)]


def several_labels(values: list[Any], origin: Origin) -> pl.Series:
    """Lists or sets of labels; an item without any is one that no class has."""
    inner = {type(label) for labels in values if not _is_missing(type(labels)) for label in labels}
    odd = [kind for kind in inner if not _is_label(kind)]
    if odd:
        row = next(index for index, labels in enumerate(values) if any(type(label) in odd for label in labels or ()))
        raise BadData(labelling.bad_label(origin.places([row], "label")[0], f"is a list with a {odd[0].__name__} in it"))
    listed = [None if _is_missing(type(labels)) else sorted({_text(label) for label in labels}) for labels in values]
    return _column(listed, pl.List(pl.String), "".join, origin)


def _refuse(values: list[Any], odd: list[type], origin: Origin) -> None:
    if odd:
        row = next(index for index, label in enumerate(values) if type(label) in odd)
        raise BadData(labelling.bad_label(origin.places([row], "label")[0], f"is a {type(values[row]).__name__}"))


def _column(values: list[Any], dtype: pl.DataType, joined: Callable[[Any], str], origin: Origin) -> pl.Series:
    try:
        return pl.Series(VALUE, values, dtype=dtype)
    except UnicodeEncodeError:
        row = next(index for index, value in enumerate(values) if value is not None and not encodable(joined(value)))
        place = origin.places([row], "label")[0]
        raise BadData(labelling.bad_label(place, "holds a lone surrogate, which is not a character")) from None


def _unchanged(text: str) -> str:
    return text


def _is_missing(kind: type) -> bool:
    """Nothing, in Python and in pandas."""
    return kind.__name__ in {"NoneType", "NAType"}


def _is_label(kind: type) -> bool:
    return issubclass(kind, (str, int)) or hasattr(kind, "__float__")


def _is_fraction(kind: type) -> bool:
    return issubclass(kind, Real) and not issubclass(kind, Integral)


def _text(label: object) -> str:
    """Truth values are written as every format here writes them."""
    return str(label).lower() if type(label).__name__ in {"bool", "bool_"} else str(label)
