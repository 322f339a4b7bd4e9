"""Ids and labels as columns of text, and words for yes, no and numbers."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, BadUsage, Place, table, usage
from plumbline.lazily import pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin, ReadOptions


YES: Final = frozenset({"1", "true", "yes", "y", "t", "positive", "pos", "relevant", "rel", "+1", "+"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "negative", "neg", "irrelevant", "nonrelevant", "-1", "-"})
"""The usual words of a filter for yes and no."""


def id_column(names: Iterable[object], label: str, what: str) -> pl.Series:
    """Keys of dicts as text; only text and whole numbers are ids, those of NumPy too."""
    text = list(names)
    if not set(map(type, text)) <= {str}:
        odd = next((name for name in text if not _is_id(name)), None)
        if odd is not None:
            raise BadData(table.bad_id(Place(label), what, f"{odd!r} is a {type(odd).__name__}"))
        text = [str(name) for name in text]
    try:
        return pl.Series(text, dtype=pl.String)
    except UnicodeEncodeError:
        raise BadData(table.bad_id(Place(label), what, "holds a lone surrogate, which is not a character")) from None


def _is_id(name: object) -> bool:
    return isinstance(name, (str, Integral)) and not isinstance(name, bool)


def id_text(ids: pl.Series, what: str, origin: Origin) -> pl.Series:
    """Ids as text: text, whole numbers and categories are ids, and none is missing."""
    if ids.is_empty():  # of any type: there is nothing to be wrong about
        return ids.cast(pl.String)
    if ids.null_count():
        row = ids.is_null().arg_max() or 0
        raise BadData(table.bad_id(origin.places([row], what)[0], what, "is missing"))
    if ids.dtype.is_float():
        raise BadData(table.bad_id(origin.places([0], what)[0], what, f"is a decimal number ({ids[0]})"))
    if ids.dtype == pl.String or ids.dtype.is_integer() or isinstance(ids.dtype, (pl.Categorical, pl.Enum)):
        return ids.cast(pl.String)
    raise BadUsage(usage.bad_object(f"{what} ids of type {ids.dtype}", "ids as text or whole numbers"))


def single_values(values: pl.Series, what: str) -> pl.Series:
    """A column of text, numbers, truth values or dates, not of lists or objects; categories become text."""
    if isinstance(values.dtype, (pl.Categorical, pl.Enum)):
        return values.cast(pl.String)
    if is_single(values.dtype):
        return values
    raise BadUsage(of_several(what, values.dtype))


def single_texts(values: pl.Series, what: str) -> pl.Series:
    """The same as text; NaN is missing."""
    single = single_values(values, what)
    return (single.fill_nan(None) if single.dtype.is_float() else single).cast(pl.String)


def is_single(kind: pl.DataType) -> bool:
    """Whether a cell of this type is one text, number, truth value or date, or a category."""
    single = (pl.String, pl.Boolean, pl.Date, pl.Datetime, pl.Categorical, pl.Enum, pl.Null)
    return kind.is_numeric() or isinstance(kind, single)


def of_several(what: str, kind: pl.DataType) -> Diagnostic:
    """The refusal of any other type."""
    return usage.bad_object(f"{what} of type {kind}", "text, numbers, truth values or dates")


def encodable(text: str) -> bool:
    """Whether the text can be written: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def label_text(labels: pl.Series) -> pl.Series:
    """Labels as text; a number that is whole is written without a point, so that 1.0 is the class 1."""
    if not labels.dtype.is_float():
        return labels.cast(pl.String)
    known = labels.fill_nan(None)
    integers = known.cast(pl.Int64, strict=False)
    return (integers if bool((integers == known).all()) else known).cast(pl.String)


def label_values(labels: pl.Series, options: ReadOptions) -> pl.Series:
    """Labels as text or whole numbers, or lists of text where an item may have several; a separator splits text."""
    if labels.dtype.is_integer() and "128" not in str(labels.dtype) and options.label_separator is None:
        return labels  # NumPy has no integers of 128 bits
    try:
        text = labels.cast(pl.List(pl.String)) if isinstance(labels.dtype, (pl.List, pl.Array)) else label_text(labels)
    except pl.exceptions.PolarsError:
        raise BadUsage(usage.bad_object(f"labels of type {labels.dtype}", "labels as text or whole numbers")) from None
    if isinstance(text.dtype, pl.List):
        return text
    if options.label_separator is None:
        return text
    parts = text.fill_null("").str.split(options.label_separator).list.eval(pl.element().str.strip_chars())
    return parts.list.eval(pl.element().filter(pl.element() != ""))


def is_number(word: str) -> bool:
    """Whether a word is written as a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
