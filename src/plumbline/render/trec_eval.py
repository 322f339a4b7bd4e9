"""The layout of trec_eval, so that scripts which read it need no change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage, visible
from plumbline.render.formats import output_format
from plumbline.render.grid import UNDEFINED
from plumbline.schema import ALL, CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    import polars as pl

    from plumbline.render.document import Document, ScoreColumn, ScoreTable

_SUMMARY_ONLY: Final = ("geometric",)
_COUNT_OF_CASES: Final = "NumQ"


@output_format("trec_eval")
def trec_eval(document: Document) -> str:
    """Name, case and value as trec_eval prints them, with four decimals; for scores of systems."""
    scores = document.scores
    if scores is None:
        raise BadUsage(usage.format_needs_scores("trec_eval", type(document.result).__name__))
    lines: list[str] = []
    systems: list[str] = scores.made["systems"]
    for system, tag in zip(systems, scores.made.get("tags") or systems, strict=True):
        if document.view.get("per_case", False):
            lines += _cases(scores, system)
        lines += _summary(scores, system, tag or system)
    return "".join(f"{line}\n" for line in lines)


def _of(frame: pl.DataFrame, system: str) -> pl.DataFrame:
    return frame.filter(frame[SYSTEM] == system)


def _cases(scores: ScoreTable, system: str) -> list[str]:
    """The lines of each case; relevance strings follow the precision metrics, as in trec_eval."""
    per_case = _of(scores.per_case, system)
    values = {(row[0], row[1]): row[2] for row in per_case.select(CASE, METRIC, VALUE).iter_rows()}
    known = scores.texts if SYSTEM in scores.texts.columns else scores.per_case.select(SYSTEM, CASE).unique(maintain_order=True)
    texts = _of(known, system)
    printed = [column for column in scores.columns if column.average not in _SUMMARY_ONLY and column.name != _COUNT_OF_CASES]
    precisions = [index for index, column in enumerate(printed) if column.asked.startswith(("P_", "ZP_"))]
    after = max(precisions, default=len(printed) - 1) + 1
    lines: list[str] = []
    for row in texts.iter_rows(named=True):
        case = row[CASE]
        numbers = [_line(column.asked, case, _number(column, values[case, column.name])) for column in printed]
        drawn = [_line(_trec_name(name), case, f"'{text or ''}'") for name, text in row.items() if name not in {SYSTEM, CASE}]
        lines += numbers[:after] + drawn + numbers[after:]
    return lines


def _trec_name(name: str) -> str:
    depth = name.partition("@")[2]
    return "relstring" if depth == "10" else f"relstring_{depth}"


def _summary(scores: ScoreTable, system: str, tag: str) -> list[str]:
    values = dict(_of(scores.mean, system).select(METRIC, VALUE).iter_rows())
    values |= _summed_in_order(_of(scores.per_case, system), scores)
    runid = [_line("runid", ALL, tag)] if _COUNT_OF_CASES in values or len(scores.made["systems"]) > 1 else []
    return runid + [_line(column.asked, ALL, _number(column, values[column.name])) for column in scores.columns]


def _summed_in_order(per_case: pl.DataFrame, scores: ScoreTable) -> dict[str, float]:
    """Means whose last digit is that of trec_eval: it adds up values one by one, in the order of the ids of cases."""
    import numpy as np

    averages = {column.name: column.average for column in scores.columns}
    means = {}
    for (name,), cases in per_case.drop_nulls(VALUE).sort(CASE).group_by(METRIC, maintain_order=True):
        if averages.get(str(name)) == "mean":
            means[str(name)] = float(np.cumsum(cases[VALUE].to_numpy())[-1]) / len(cases)
    return means


def _number(column: ScoreColumn, value: float | None) -> str:
    if value is None:
        return UNDEFINED
    integer = column.is_count and not column.asked.startswith("Z")
    return f"{value:.0f}" if integer else f"{value:.4f}"


def _line(name: str, case: str, value: str) -> str:
    width = 23 if name.startswith("Z") else 22  # trec_eval puts the Z of a standardised score before the padded name
    return f"{name:<{width}}\t{visible(case)}\t{visible(value)}"
