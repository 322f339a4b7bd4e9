"""Filters: the counts, the probabilities, and the formula filled in."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from plumbline.align.filtering import CELLS
from plumbline.render.formula import plain_formula
from plumbline.schema import LIST, SCORE
from plumbline.views.confusion import NAMED, Confusion

if TYPE_CHECKING:
    from plumbline.align.filtering import AlignedFilters
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why


def explain_filter(aligned: AlignedFilters, measure: Single, number: int, plain: Why, item: str | None) -> Why:  # noqa: ARG001 - of lists
    """The four counts and every probability that the formula names, or the items at each score."""
    rows_of_list = aligned.counts.filter(pl.col(LIST) == number)
    if measure.metric.needs == "scores":
        rows = aligned.scored.filter(pl.col(LIST) == number).sort(SCORE, descending=True)
        return replace(plain, rows=rows.select(SCORE, "positives", "negatives"))
    counts = rows_of_list.row(0, named=True)
    view = Confusion({name: np.array([count]) for name, count in counts.items()}, dict(measure.arguments).get("smooth", "none"))
    known = {name: _or_none(getattr(view, attribute).item()) for name, attribute in NAMED.items()}
    formula = plain_formula(plain.formula)
    used = {name: value for name, value in known.items() if name in formula.replace(", ", ",")}
    numbers = {name.upper(): counts[name] for name in CELLS}
    given = {name: value for name, value in measure.arguments if isinstance(value, (int, float))}
    return replace(plain, rows=_table(counts), probabilities=used, filled=_filled(formula, {**known, **numbers, **given}))


def _or_none(number: float) -> float | None:
    """The number; none if it is undefined."""
    return None if isnan(number) else number


def _table(counts: dict[str, float]) -> pl.DataFrame:
    """The confusion matrix of a filter."""
    return pl.DataFrame(
        {
            "gold": ["positive", "negative"],
            "accepted": [int(counts["tp"]), int(counts["fp"])],
            "discarded": [int(counts["fn"]), int(counts["tn"])],
        }
    )


def _filled(formula: str, known: dict[str, float | None]) -> str:
    """The formula with numbers instead of the names of counts, probabilities and parameters."""
    text = formula.replace(", ", ",")
    names = sorted(known, key=len, reverse=True)
    pattern = "|".join(re.escape(name) if "(" in name else rf"\b{re.escape(name)}\b" for name in names)
    filled = re.sub(pattern, lambda match: _number(known[match[0]]), text)
    return "" if filled == text else re.sub(r"(?<=[\d)]) (?=[\d(])", " * ", filled)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4g}"
