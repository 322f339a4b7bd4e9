"""Labels of dicts and short arrays without a table."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.io.columns.text import encodable
from plumbline.io.labelled import CodedLabels, Labelled
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FEW: Final = 10_000
"""Up to so many labels of an array are numbered one by one, which takes less time than a step of polars."""
_KINDS: Final = ({str}, {int}, {bool})
"""Labels are all of one of these types: 1 and True are equal keys, but different labels."""


def labelled_dicts(data: Mapping[str, Any]) -> Labelled | None:
    """The rows of `{case: {item: label}}` or `{item: label}`; None where there is anything else to be told or decided."""
    if type(data) is not dict:
        return None
    kinds = set(map(type, data.values()))
    nested: Mapping[str, Mapping[str, Any]] = data if kinds == {dict} else {ONLY_CASE: data}
    items = list(chain.from_iterable(nested.values()))
    labels = _coded(list(chain.from_iterable(inner.values() for inner in nested.values())))
    if labels is None or not _are_texts(items) or not _are_texts(nested):
        return None
    sizes = list(filter(None, map(len, nested.values())))
    cases = [case for case, inner in nested.items() if inner]
    return Labelled(cases, np.repeat(np.arange(len(cases), dtype=np.int32), sizes), items, labels)


def labelled_array(values: Any, *, clusters: bool = False) -> Labelled | None:  # noqa: ANN401 - any sequence or array
    """The rows of a short list or array of labels, None for any other; clusters of an array of numbers are in their order."""
    by_value = clusters and isinstance(values, np.ndarray) and values.dtype.kind in "iu"
    if isinstance(values, np.ndarray):
        values = values.tolist() if values.ndim == 1 and values.dtype.kind in "biuU" and len(values) <= FEW else ()
    labels = _coded(values, by_value=by_value) if isinstance(values, (list, tuple)) and len(values) <= FEW else None
    return None if labels is None else Labelled([ONLY_CASE], np.zeros(len(labels), dtype=np.int32), None, labels)


def _coded(values: Sequence[Any], *, by_value: bool = False) -> CodedLabels | None:
    """Numbers for labels of one type; None for any others, and for none at all."""
    kinds = set(map(type, values))
    if kinds not in _KINDS:
        return None
    number = {label: code for code, label in enumerate(sorted(set(values)) if by_value else dict.fromkeys(values))}
    names = tuple(map(str.lower, map(str, number))) if bool in kinds else tuple(map(str, number))
    if not all(map(encodable, names)):
        return None
    return CodedLabels(names, np.fromiter(map(number.__getitem__, values), np.int32, len(values)))


def _are_texts(names: Any) -> bool:  # noqa: ANN401 - keys of a dict, whatever they are
    """Whether these are texts that can be written."""
    try:
        return encodable("".join(names))
    except TypeError:
        return False
