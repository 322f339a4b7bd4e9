"""Whether labels are the answers of a filter: yes and no, in the usual words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import organizations
from plumbline.io.vocabulary import NO, YES

if TYPE_CHECKING:
    from plumbline.errors import Diagnostic

_NUMERALS: Final = frozenset({"0", "1", "-1", "+1"})
_CLUSTER_NUMBERS: Final = frozenset({"0", "-1"})
"""Clustering libraries number clusters from 0, and give -1 to noise; no filter has two words for no."""


def are_answers(labels: pl.Series) -> bool:
    """Whether every label is a usual word for yes or no, and no item has several."""
    words = _words(labels)
    return bool(words) and words <= YES | NO and not words >= _CLUSTER_NUMBERS and words != {"-1"}


def are_numerals(labels: pl.Series) -> bool:
    """Whether the answers are written as numbers, which may be names of clusters as well."""
    return _words(labels) <= _NUMERALS


def positive(labels: pl.Expr) -> pl.Expr:
    """Whether each answer is yes."""
    return labels.str.to_lowercase().is_in(sorted(YES))


def guessed_answers(label: str) -> Diagnostic:
    """The notice that numbers were taken for answers."""
    return organizations.read_values_as(
        label, "labels 0 and 1", "answers of a filter, 1 is positive", "if they are clusters, name the columns item,cluster"
    )


def _words(labels: pl.Series) -> set[str]:
    if labels.dtype != pl.String:
        return set()
    return {word.lower() for word in labels.unique().drop_nulls().to_list()}
