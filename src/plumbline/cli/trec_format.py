"""trec_eval's own layout, so that scripts which read it need no change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import visible
from plumbline.render.grid import UNDEFINED
from plumbline.schema import ALL, CASE, METRIC, SYSTEM, VALUE

if TYPE_CHECKING:
    from plumbline.scores import Column, Scores

_SUMMARY_ONLY: Final = ("geometric",)
_COUNT_OF_CASES: Final = "NumQ"


def trec_format(scores: Scores, *, per_case: bool) -> str:
    """`name<tab>case<tab>value` with four decimals, one system after the other, names as they were asked for."""
    lines: list[str] = []
    for system, tag in zip(scores.made["systems"], scores.made["tags"], strict=True):
        if per_case:
            lines += _cases(scores, system)
        lines += _summary(scores, system, tag or system)
    return "".join(f"{line}\n" for line in lines)


def _cases(scores: Scores, system: str) -> list[str]:
    """Relevance strings stand after the precision family, as trec_eval prints them."""
    own = scores.per_case.filter(pl.col(SYSTEM) == system)
    texts = scores.texts.filter(pl.col(SYSTEM) == system)
    values = {(row[0], row[1]): row[2] for row in own.select(CASE, METRIC, VALUE).iter_rows()}
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


def _summary(scores: Scores, system: str, tag: str) -> list[str]:
    own = scores.mean.filter(pl.col(SYSTEM) == system)
    values = dict(own.select(METRIC, VALUE).iter_rows())
    runid = [_line("runid", ALL, tag)] if _COUNT_OF_CASES in values or len(scores.made["systems"]) > 1 else []
    return runid + [_line(column.asked, ALL, _number(column, values[column.name])) for column in scores.columns]


def _number(column: Column, value: float | None) -> str:
    if value is None:
        return UNDEFINED
    whole = column.is_count and not column.asked.startswith("Z")
    return f"{value:.0f}" if whole else f"{value:.4f}"


def _line(name: str, case: str, value: str) -> str:
    width = 23 if name.startswith("Z") else 22  # trec_eval puts the Z of a standardised score before the padded name
    return f"{name:<{width}}\t{visible(case)}\t{visible(value)}"
