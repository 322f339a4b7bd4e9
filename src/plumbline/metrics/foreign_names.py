"""Names that people bring from other libraries: `roc_auc`, `f1_macro`, `recall_at_10`, `hit_rate@5`.

What a library calls a metric is declared with the metric (`elsewhere`); here is how such names are written and combined.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.lazily import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.metrics.registry import Metric

COMPOSED: Final = (
    "f1",
    "f1_macro",
    "f1_micro",
    "f1_weighted",
    "precision_macro",
    "precision_micro",
    "recall_macro",
    "recall_micro",
)
"""Common names that are not declared but composed, for hints."""
_PARAMETERS: Final = pattern(r"\(.*?\)")
_ENDINGS: Final = ("_loss", "_score")
"""Endings of functions of scikit-learn that the names of its scorers lack."""
_AVERAGES: Final = r"(?:[_ -](?P<average>macro|micro|weighted|samples))?"
_F: Final = pattern(rf"f[_-]?(?P<beta>\d+(?:\.\d+)?)(?:[_ -]?score)?{_AVERAGES}(?:@(?P<k>\d+))?", re.IGNORECASE)
_AVERAGED: Final = pattern(r"(?P<name>[a-z]+)[_ -](?P<average>macro|micro|weighted|samples)", re.IGNORECASE)
_AT: Final = pattern(r"(?P<name>[a-z][a-z_]*)_at_(?P<k>\d+)", re.IGNORECASE)


def names_elsewhere(metric: Metric) -> Iterator[str]:
    """The names that other libraries have for a metric, without parameters and cutoffs."""
    for names in metric.elsewhere.values():
        for written in _PARAMETERS.sub("", names).split(","):
            name = written.partition("@")[0].strip()
            yield name
            for ending in _ENDINGS:
                if name.endswith(ending) and name.count("_") > 1:
                    name = name.removesuffix(ending)
                    yield name


def translation(name: str, task: str) -> str | None:
    """The name as it is written here, if it is composed as other libraries compose names; its parts need not be known."""
    if match := _F.fullmatch(name):
        return _harmonic_mean(task, float(match["beta"]), match["average"], match["k"])
    if task == "classification" and (match := _AVERAGED.fullmatch(name)):
        return f"{match['name']}(average={match['average'].lower()})"
    if match := _AT.fullmatch(name):
        return f"{match['name']}@{match['k']}"
    return None


def _harmonic_mean(task: str, beta: float, average: str | None, k: str | None) -> str | None:
    """F of precision and recall: of a ranking at a cutoff, of classes with an average."""
    fits = {
        "ranking": k is not None and average is None,
        "filtering": k is None and average is None,
        "classification": k is None,
    }
    if not fits.get(task, False):
        return None
    at = f"@{k}" if k else ""
    averaged = f",average={average.lower()}" if average else ""
    return f"F(P{at},R{at},beta={beta:g}{averaged})"
