"""Why a score is what it is: the terms that add up to it, for one system and case."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.compute import compute, view_of
from plumbline.errors import BadUsage, usage
from plumbline.evaluation import prepare
from plumbline.metrics.names import Combined
from plumbline.schema import GRADE, ITEM, LIST, RANK
from plumbline.views.terms import Terms

if TYPE_CHECKING:
    from plumbline.align import Aligned
    from plumbline.metrics.names import Measure, Single

TERM: Final = "term"
SUM: Final = "sum"


@dataclass(frozen=True)
class Why:
    """One score taken apart."""

    measure: str
    system: str
    case: str
    value: float | None
    reason: str
    """Why the value is undefined; empty if it is not."""
    rows: pl.DataFrame
    """`rank, item, grade` of the judged items shown, with `term` and the running `sum` where the score is a sum."""
    total: float | None
    """The sum of the terms."""
    divisor: float | None
    """What the sum is divided by."""
    formula: str
    parts: tuple[Why, ...] = ()
    """The two parts of an F."""


def why(gold: Any, systems: Any, metric: str, *, case: str, system: str | None = None, **options: Any) -> Why:  # noqa: ANN401 - as evaluate
    """Take one score apart; `options` are those of `evaluate`, without `ties="average"`."""
    aligned, (measure, *_) = prepare(gold, systems, [metric], **options)
    if aligned.policy.ties == "average":
        raise BadUsage(usage.bad_option("ties", "average", ["id", "best", "worst"]))
    chosen = _index("system", aligned.systems[0] if system is None else system, list(aligned.systems))
    number = chosen * len(aligned.cases) + _index("case", case, aligned.cases)
    return _explained(aligned, measure, number)


def _index(what: str, name: str, names: list[str]) -> int:
    if name not in names:
        raise BadUsage(usage.not_there(what, name, get_close_matches(name, names, n=2) or names[:2]))
    return names.index(name)


def _explained(aligned: Aligned, measure: Measure, number: int) -> Why:
    values = compute(aligned, [measure]).values
    value = values.filter(pl.col(LIST) == number)[measure.name][0]
    system, case = aligned.systems[number // len(aligned.cases)], aligned.cases[number % len(aligned.cases)]
    if isinstance(measure, Combined):
        parts = tuple(_explained(aligned, part, number) for part in measure.parts)
        formula = f"1 / ({measure.alpha:g} / {measure.first.name} + {1 - measure.alpha:g} / {measure.second.name})"
        reason = next((part.reason for part in parts if part.reason), "") if value is None else ""
        return Why(measure.name, system, case, value, reason, pl.DataFrame(), None, None, formula, parts)
    rows, total, divisor = _terms(aligned, measure, number)
    reason = measure.metric.undefined if value is None else ""
    formula = measure.metric.explanation.partition("\n\n")[0]
    return Why(measure.name, system, case, value, reason, rows, total, divisor, formula)


def _terms(aligned: Aligned, measure: Single, number: int) -> tuple[pl.DataFrame, float | None, float | None]:
    view = view_of(aligned)
    kernel = measure.metric.kernel(view, **dict(measure.arguments))
    own = view.table().filter(pl.col(LIST) == number)
    shown = own.filter(pl.col(RANK).is_not_null()).select(pl.col(RANK).cast(pl.Int64), ITEM, GRADE)
    if not isinstance(kernel, Terms):
        return shown, None, None
    term = own.select(kernel.each.cast(pl.Float64).alias(TERM)).to_series()
    total, divisor = own.select(kernel.total().alias(SUM), kernel.divisor().cast(pl.Float64).alias("over")).row(0)
    if shown.is_empty():
        return shown, total, divisor
    return shown.with_columns(term, term.cum_sum().alias(SUM)), total, divisor
