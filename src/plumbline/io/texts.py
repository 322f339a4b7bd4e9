"""Texts by the id of what they belong to: documents of a corpus, queries of cases."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadData, Place, files
from plumbline.io.bytes.content import load
from plumbline.io.bytes.fields import rows_of
from plumbline.io.columns.names import CASES, ITEMS, plain_name
from plumbline.io.memory.frames import is_frame, polars_frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.io.table import Readable

IDS: Final[dict[str, tuple[str, ...]]] = {"item": (*ITEMS, "_id"), "case": (*CASES, "id", "_id")}
_TEXTS: Final = (
    "text",
    "contents",
    "content",
    "body",
    "passage",
    "snippet",
    "query_text",
    "description",
    "query",
    "title",
    "topic",
)


def read_texts(source: Readable, of: str) -> dict[str, str]:
    """The text of each item or case, from a dict, a frame, or a file: JSON lines, CSV, TSV, or `id TAB text`.

    A title goes before the text.
    """
    if isinstance(source, Mapping):
        return {str(name): str(text) for name, text in source.items()}
    if is_frame(source):
        return _of_records(polars_frame(source, "texts").iter_rows(named=True), of, "texts")
    content = load(source)
    data = bytes(content.data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(files.not_utf8(Place(content.label, data.count(b"\n", 0, error.start) + 1))) from None
    if text.lstrip()[:1] in {"{", "["}:
        return _of_records(_json_records(text, content.label), of, content.label)
    return _of_lines(text, of, content.label)


def _json_records(text: str, label: str) -> Iterable[Mapping[str, Any]]:
    if text.lstrip().startswith("["):
        try:
            records = json.loads(text)
        except ValueError:
            raise BadData(files.unknown_kind(label, text[:40], ["jsonl"])) from None
        yield from (record for record in records if isinstance(record, dict))
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise BadData(files.unknown_kind(f"{label}:{number}", line[:40], ["jsonl"])) from None
        if isinstance(record, dict):
            yield record


def _of_lines(text: str, of: str, label: str) -> dict[str, str]:
    first = text.partition("\n")[0]
    separator = "\t" if "\t" in first else ","
    rows = [row for _, row in rows_of(text, separator, label, list, quotes=separator == ",")]
    names = [plain_name(name) for name in rows[0]] if rows else []
    if set(names) & set(IDS[of]) and set(names) & set(_TEXTS) and len(set(names)) > 1:
        return _of_records((dict(zip(names, row, strict=False)) for row in rows[1:] if row), of, label)
    return {row[0]: separator.join(row[1:]) for row in rows if len(row) > 1}


def _of_records(records: Iterable[Mapping[str, Any]], of: str, label: str) -> dict[str, str]:
    made: dict[str, str] = {}
    for record in records:
        named = {plain_name(str(name)): value for name, value in record.items()}
        identifier = next((named[name] for name in IDS[of] if name in named), None)
        text = next((named[name] for name in _TEXTS if name in named and named[name] != identifier), None)
        if identifier is None or text is None:
            known = [f"an {of} and its text"]
            raise BadData(files.unknown_kind(label, ", ".join(map(str, record))[:40], known))
        title = named.get("title")
        head = f"{title}\n\n" if title and title != text and of == "item" else ""
        made[os.fspath(identifier) if isinstance(identifier, os.PathLike) else str(identifier)] = f"{head}{text}"
    return made
