"""From files or frames to one log."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, Place, files, table, usage
from plumbline.io.bytes.content import load
from plumbline.io.features.files import matrix_or_frame
from plumbline.io.formats.json_file.reading import RecordOrigin, jsonl_records, parsed_json
from plumbline.io.interleaved.log import chosen_columns
from plumbline.io.interleaved.table import read_table
from plumbline.io.interleaved.ubi import is_ubi, read_ubi
from plumbline.io.memory.frames import is_frame, polars_frame
from plumbline.io.sniff import self_described
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.io.interleaved.log import Log
    from plumbline.io.table import Origin

EXPECTED: Final = "a path, a list of paths (queries and events of UBI), or a data frame"
EXAMPLE: Final = '{"session": "s1", "item": "d1", "team": "A", "clicked": 1}'


def read_log(
    source: Any,  # noqa: ANN401 - see EXPECTED
    columns: str | Mapping[str, str] | None = None,
    actions: Sequence[str] = ("click",),
    first: int = 1,
    max_bytes: int | None = None,
) -> Log:
    """Read a log of clicks on interleaved lists, whatever form it has."""
    several = list(source) if isinstance(source, (list, tuple)) else [source]
    opened = [_opened(one, max_bytes) for one in several]
    if not opened:
        raise BadUsage(usage.bad_object("the log: nothing", EXPECTED))
    data, label, origin = opened[0]
    if len(opened) > 1:
        if any(isinstance(one[0], pl.DataFrame) for one in opened):
            raise BadUsage(usage.bad_object("several logs that are tables", "one table, or queries and events of UBI"))
        data = [record for records, _, _ in opened for record in records]
        origin = _SeveralOrigins([(len(records), where) for records, _, where in opened])
    named = chosen_columns(columns)
    if isinstance(data, pl.DataFrame):
        if data.is_empty():
            raise BadData(files.no_data(label))
        return read_table(data, label, origin, named, actions, first)
    return read_ubi(data, label, origin, actions, first)


class _SeveralOrigins:
    """The places of records that were read from several files, one after the other."""

    def __init__(self, parts: list[tuple[int, Origin]]) -> None:
        self.parts = parts

    def places(self, rows: list[int], column: str) -> list[Place]:
        """The places of these records."""
        return [self._place(row, column) for row in rows]

    def _place(self, row: int, column: str) -> Place:
        for length, origin in self.parts[:-1]:
            if row < length:
                return origin.places([row], column)[0]
            row -= length
        return self.parts[-1][1].places([row], column)[0]


def _opened(source: Any, max_bytes: int | None) -> tuple[Any, str, Origin]:  # noqa: ANN401 - see EXPECTED
    """A frame or records of UBI, what messages call it, and how to find a row again."""
    if is_frame(source):
        return polars_frame(source, "log"), "log", FrameOrigin("log")
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        raise BadUsage(usage.bad_object(f"the log: a {type(source).__name__}", EXPECTED))
    content = load(source, max_bytes)
    kind = self_described(content)
    if kind == "jsonl":
        records, origin = jsonl_records(content)
        if is_ubi(records):
            return records, content.label, origin
    elif kind == "json":
        data = parsed_json(content.label, bytes(content.data), 1)
        hits = _engine_hits(data)
        if hits is not None and is_ubi(hits):
            return hits, content.label, RecordOrigin(content.label)
    frame, where = matrix_or_frame(content)
    if not isinstance(frame, pl.DataFrame):
        raise BadData(table.json_shape(Place(content.label), "something that is no table", EXAMPLE))
    return frame, content.label, where


def _engine_hits(data: Any) -> list[dict[str, Any]] | None:  # noqa: ANN401 - what JSON holds
    """A list of records, or the hits of an answer of a search engine."""
    if isinstance(data, dict):
        hits, response = data.get("hits"), data.get("response")
        inner = hits.get("hits") if isinstance(hits, dict) else response.get("docs") if isinstance(response, dict) else None
        data = [data] if inner is None else inner
    return data if isinstance(data, list) and all(isinstance(one, dict) for one in data) else None
