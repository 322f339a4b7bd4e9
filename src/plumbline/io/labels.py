"""From a frame or dict with labels to a `Table` whose value is a label, a list of labels or, as in TREC files, a number."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, Place, table
from plumbline.io.table import NestedOrigin, Table
from plumbline.schema import CASE, ITEM, SCORE, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.table import ReadOptions

LABELS: Final = (
    *("label", "labels", "class", "classes", "category", "prediction", "predicted", "answer"),
    *("y_true", "y_pred", "y", "target", "value"),
)
PROBABILITIES: Final = ("score", "probability", "prob", "confidence", "similarity")
WHOLE: Final = "whole"
"""The name of the only case, where the data has no cases."""


def label_values(labels: pl.Series, options: ReadOptions) -> pl.Series:
    """Labels as text, or lists of text where an item may have several; a separator splits text into several."""
    if isinstance(labels.dtype, (pl.List, pl.Array)):
        return labels.cast(pl.List(pl.String))
    text = labels.cast(pl.String)
    if options.label_separator is None:
        return text
    parts = text.fill_null("").str.split(options.label_separator).list.eval(pl.element().str.strip_chars())
    return parts.list.eval(pl.element().filter(pl.element() != ""))


def nested_labels(data: Mapping[str, Any], label: str, reader: str, options: ReadOptions) -> Table:
    """A table from `{case: {item: label or labels}}`, or from `{item: label or labels}` as the only case."""
    whole = data if all(hasattr(inner, "keys") for inner in data.values()) and data else {WHOLE: data}
    cases = pl.Series(
        list(chain.from_iterable(repeat(str(case), len(inner)) for case, inner in whole.items())), dtype=pl.String
    )
    items = pl.Series([str(item) for inner in whole.values() for item in inner], dtype=pl.String)
    found = list(chain.from_iterable(inner.values() for inner in whole.values()))
    origin = NestedOrigin(label, cases, items)
    columns = [cases.cast(pl.Categorical).alias(CASE), items.alias(ITEM), *object_columns(found, origin, options)]
    empty = tuple(str(case) for case, inner in whole.items() if not inner)
    return Table(pl.DataFrame(columns), label, reader, origin, empty_cases=empty)


def object_columns(found: list[Any], origin: Any, options: ReadOptions) -> list[pl.Series]:  # noqa: ANN401 - an Origin
    """Python values as labels: text, whole numbers and truth values are labels, sets and lists several, fractions scores."""
    kinds = set(map(type, found)) - {type(None)}
    if kinds and all(issubclass(kind, (list, tuple, set, frozenset)) for kind in kinds):
        several = [None if labels is None else sorted({_text(label) for label in labels}) for labels in found]
        return [pl.Series(VALUE, several, dtype=pl.List(pl.String))]
    odd = [kind for kind in kinds if not issubclass(kind, (str, int, bool)) and not hasattr(kind, "__float__")]
    if odd:
        row = next(index for index, label in enumerate(found) if type(label) in odd)
        place: Place = origin.places([row], "label")[0]
        raise BadData(table.bad_label(place, f"is a {type(found[row]).__name__}"))
    if any(issubclass(kind, float) for kind in kinds) and options.role == "output":
        return [pl.Series(SCORE, [None if score is None else float(score) for score in found], dtype=pl.Float64)]
    text = pl.Series(VALUE, [None if label is None else _text(label) for label in found], dtype=pl.String)
    return [label_values(text, options).alias(VALUE)]


def _text(label: object) -> str:
    """Truth values are written as every format here writes them."""
    return str(label).lower() if isinstance(label, bool) else str(label)
