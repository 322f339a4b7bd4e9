"""JSON and JSON Lines: everything, in full precision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from plumbline.render.formats import output_format

if TYPE_CHECKING:
    from plumbline.render.document import Document


@output_format("json", suffixes=(".json",))
def json_object(document: Document) -> str:
    """Everything in one JSON object, in full precision."""
    return json.dumps(finite(document.facts), indent=1, allow_nan=False) + "\n"


@output_format("jsonl", aliases=("ndjson",), suffixes=(".jsonl", ".ndjson"), one_table=True)
def json_lines(document: Document) -> str:
    """One JSON object a line, one for each row."""
    return "".join(f"{json.dumps(finite(row), allow_nan=False)}\n" for row in document.records)


def finite(value: Any) -> Any:
    """The same data with null for infinity and NaN, which JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): finite(one) for name, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [finite(one) for one in value]
    return value
