"""Matrices of probabilities, a column for each class in its order, as classifiers of other libraries return them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from plumbline.align.label_names import place_in_order
from plumbline.errors import BadData, labelling
from plumbline.lazily import pl
from plumbline.schema import SCORE, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from plumbline.io.table import Table


def most_probable(read: Table, classes: Sequence[str]) -> Table:
    """The output with the name of the most probable class of each item."""
    if not read.probabilities:
        return read
    if read.probabilities != len(classes):
        raise BadData(labelling.other_classes(read.label, read.probabilities, list(classes)))
    names = dict(enumerate(classes))
    named = read.frame[VALUE].replace_strict(names, return_dtype=pl.String)
    return replace(read, frame=read.frame.drop(SCORE, strict=False).with_columns(named))


def of_positive_class(read: Table, labels: Sequence[str], is_positive: Callable[[str], bool]) -> Table:
    """The output with the probability of the positive one of two classes: the second, unless the first label is positive."""
    if not read.probabilities:
        return read
    if SCORE not in read.frame.columns:
        raise BadData(labelling.other_classes(read.label, read.probabilities, ["negative", "positive"]))
    first, *others = sorted(labels, key=place_in_order) or ["", ""]
    frame = read.frame.drop(VALUE)
    if is_positive(first) and others and not any(map(is_positive, others)):
        frame = frame.with_columns((1 - pl.col(SCORE)).alias(SCORE))
    return replace(read, frame=frame)
