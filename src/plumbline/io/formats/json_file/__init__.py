"""JSON and JSON Lines: an object of objects, or records with named fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plumbline.io.registry import KINDS, Reader, Writer, declare

if TYPE_CHECKING:
    from plumbline.io.sample import Sample


def sniff_json(sample: Sample) -> str | None:
    """A list or an object."""
    if sample.text.startswith(b"["):
        return "it starts with ["
    return "it starts with {" if sample.text.startswith(b"{") and not _has_lines(sample) else None


def sniff_jsonl(sample: Sample) -> str | None:
    """An object on every line."""
    return "every line starts with {" if _has_lines(sample) else None


def _has_lines(sample: Sample) -> bool:
    first, *rest = re.split(rb"[\r\n]+", sample.text, maxsplit=1)
    return first.startswith(b"{") and first.rstrip().endswith(b"}") and b"".join(rest).lstrip().startswith(b"{")


declare(
    Reader(
        "json",
        '`{"q1": {"d1": 2.5}}`, or a list of records `[{"case": "q1", "item": "d1", "score": 2.5}]`',
        "plumbline.io.formats.json_file.reading:read_json",
        sniff_json,
        sign="magic",
        suffixes=(".json",),
        example='{"q1": {"d1": 2.5, "caf\u00e9": 1.5}, "q2": {"d1": 0.5}}\n',
    ),
    Reader(
        "jsonl",
        "one record per line",
        "plumbline.io.formats.json_file.reading:read_jsonl",
        sniff_jsonl,
        sign="magic",
        suffixes=(".jsonl", ".ndjson"),
        example='{"case": "q1", "item": "d1", "score": 2.5}\n{"case": "q1", "item": "caf\u00e9", "score": 1.5}\n',
    ),
    Writer("json", "plumbline.io.formats.json_file.writing:write_json", suffixes=(".json",), empty_cases=KINDS),
    Writer(
        "jsonl", "plumbline.io.formats.json_file.writing:write_jsonl", suffixes=(".jsonl",), empty_cases=("levels", "spans")
    ),
)
