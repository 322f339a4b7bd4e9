"""Rows of figures, packed by columns: a page holds the same numbers in a fifth of the room."""

from __future__ import annotations

from typing import Any, Final

DIGITS: Final = 7
"""Significant digits of numbers that are only drawn."""


def packed(spec: dict[str, Any]) -> dict[str, Any]:
    """The drawing with its data sets by columns; a script of the page unpacks them."""
    return {**spec, "datasets": {name: _columns(rows) for name, rows in spec.get("datasets", {}).items()}}


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """`{field: values}`, and how many rows there are; a row that lacks a field has a null."""
    fields = dict.fromkeys(field for row in rows for field in row)
    return {"rows": len(rows), "columns": {field: _column([row.get(field) for row in rows]) for field in fields}}


def _column(values: list[Any]) -> Any:  # noqa: ANN401 - a list, or words and which of them
    """Numbers are rounded; words that return are told once."""
    if not all(isinstance(value, str) for value in values):
        return [_rounded(value) for value in values]
    words = list(dict.fromkeys(values))
    if len(words) * 2 > len(values):
        return values
    places = {word: at for at, word in enumerate(words)}
    return {"words": words, "at": [places[value] for value in values]}


def _rounded(value: Any) -> Any:  # noqa: ANN401 - whatever a row holds
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
