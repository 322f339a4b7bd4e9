"""Read click logs: files in any of the forms, or frames."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, Place, clicks, files, table, usage
from plumbline.io.bytes.content import Content, load
from plumbline.io.columns.text import encodable
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.formats.json_file.reading import RecordOrigin, jsonl_records, parsed_json
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.sniff import self_described
from plumbline.io.table import FrameOrigin
from plumbline.truth.clicks.reading.forms import (
    Opened,
    check_queries,
    chosen_columns,
    is_ubi,
    is_yandex,
    read_table,
    read_ubi,
    read_yandex,
)
from plumbline.truth.clicks.reading.impressions import Impressions, checked_impressions
from plumbline.truth.clicks.reading.large import divided, large_table
from plumbline.truth.clicks.reading.portions import Portions, undivided

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.io.table import Origin

EXPECTED: Final = "a path, a list of paths, or a data frame with the columns session, case, item, position, clicked"


def read_log(
    sources: Any,
    columns: str | Mapping[str, str] | None = None,
    positions_from: int = 1,
    max_bytes: int | None = None,
) -> Portions:
    """All logs as one, large tables in portions; the queries and events of UBI may be in different files."""
    chosen = chosen_columns(columns)
    log = Portions((), 0, "")
    records: list[dict[str, Any]] = []
    label = ""
    for source in sources if isinstance(sources, (list, tuple)) else [sources]:
        table_or_file = source if is_frame(source) else _loaded(source, max_bytes)
        large = large_table(table_or_file, chosen)
        if large is not None:
            log = divided(large, positions_from).after(log)
            continue
        opened = open_log(table_or_file, chosen)
        if isinstance(opened.data, list):
            records += opened.data
            label = label or opened.label
        else:
            log = undivided(read_impressions(opened, positions_from)).after(log)
    if records:
        log = undivided(checked_impressions(read_ubi(records, label, RecordOrigin(label)), 1)).after(log)
    if not log.parts:
        raise BadUsage(usage.bad_object("an empty list", EXPECTED))
    return log


def read_impressions(opened: Opened, positions_from: int = 1) -> Impressions:
    """The rows of a log that is a table, or has a line for each page; there, positions are counted and not read."""
    if isinstance(opened.data, str):
        return checked_impressions(read_yandex(opened.data, opened.label, opened.origin), 1)
    return checked_impressions(read_table(opened), positions_from)


def _loaded(source: Any, max_bytes: int | None) -> Content:
    if not (isinstance(source, (str, os.PathLike, Content)) or hasattr(source, "read")):
        raise BadUsage(usage.bad_object(f"the log: a {type(source).__name__}", EXPECTED))
    return load(source, max_bytes)


def open_log(source: Any, columns: Mapping[str, str]) -> Opened:
    """What a file or a frame holds, before anything of it is understood."""
    if not isinstance(source, Content):
        return Opened(polars_frame(source, "log"), "log", FrameOrigin("log"), columns)
    kind = self_described(source)
    if kind in {"json", "jsonl"}:
        return _of_json(source, kind, columns)
    if kind is None and is_yandex(source.head_of_data()):
        return Opened(_text(source), source.label, FrameOrigin(source.label), columns)
    data, origin = matrix_or_frame(source)
    if not isinstance(data, pl.DataFrame):
        raise BadData(clicks.no_column(Place(source.label), "session", []))
    return Opened(data, source.label, origin, columns)


def _of_json(content: Content, kind: str, columns: Mapping[str, str]) -> Opened:
    """Records of UBI, or the rows of a table."""
    if kind == "jsonl":
        records, origin = jsonl_records(content)
    else:
        parsed, origin = parsed_json(content.label, bytes(content.data), 1), RecordOrigin(content.label)
        records = [parsed] if isinstance(parsed, dict) else parsed
    if not isinstance(records, list) or not records or not all(isinstance(one, dict) for one in records):
        raise BadData(clicks.no_column(Place(content.label), "session", []))
    _check_texts(records, content, origin)
    if is_ubi(records):
        check_queries(records, origin)
        return Opened(records, content.label, origin, columns)
    names = list(dict.fromkeys(name for record in records for name in record))
    plain = {name: [record.get(name) for record in records] for name in names}
    nested = next((name for name, values in plain.items() if any(isinstance(one, (list, dict)) for one in values)), None)
    kept = {name: pl.Series(values, strict=False) for name, values in plain.items() if name != nested}
    return Opened(pl.DataFrame(kept), content.label, origin, columns)


def _check_texts(records: list[dict[str, Any]], content: Content, origin: Origin) -> None:
    """Half of a surrogate pair, which JSON can spell, is no character."""
    if re.search(rb"\\u[dD]", bytes(content.data)) is None:
        return
    row = next((row for row, one in enumerate(records) if not encodable(json.dumps(one, ensure_ascii=False))), None)
    if row is not None:
        raise BadData(table.bad_json(origin.places([row], "")[0], "it holds a lone surrogate, which is not a character"))


def _text(content: Content) -> str:
    try:
        return bytes(content.data).decode()
    except UnicodeDecodeError as error:
        line = bytes(content.data[: error.start]).count(b"\n") + 1
        raise BadData(files.not_utf8(Place(content.label, line))) from None
