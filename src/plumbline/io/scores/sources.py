"""From a file or an object with scores to a frame or nested dicts, with the places of rows."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, BadUsage, Diagnostic, Place, comparisons, files, table, usage
from plumbline.errors.base import READ_AS, restored
from plumbline.io.bytes.content import Content, load
from plumbline.io.bytes.lines import numbered
from plumbline.io.columns.text import is_number
from plumbline.io.formats.columnar.reading import columnar_frame
from plumbline.io.formats.delimited.reading import delimited_frame
from plumbline.io.memory.frames import check_levels, is_frame, polars_frame
from plumbline.io.paths import name_of
from plumbline.io.scores.dataset.layout import is_dataset
from plumbline.io.scores.dataset.reading import Dataset, open_dataset
from plumbline.io.scores.json_file import frame_of_columns, json_scores
from plumbline.io.sniff import self_described
from plumbline.io.table import FrameOrigin

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue, Origin, Readable

EXPECTED: Final = "Scores, a path, a data frame, {metric: source} or {metric: {system: {case: value}}}"
SAVED: Final = "plumbline"
"""The metadata key under which a Parquet file of saved Scores describes its metrics."""
SCORE: Final = "score"
"""The name of the only metric of a table that has none."""


@dataclass(frozen=True)
class Source:
    """A frame, or dicts of systems and cases, as they were given."""

    data: pl.DataFrame | Mapping[Any, Any]
    label: str
    origin: Origin
    name: str = SCORE
    """What a single metric is called if nobody names it."""
    kind: str = "frame"
    better: dict[str, str] = field(default_factory=dict)
    """The directions of metrics, from a file of saved Scores."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Other names of its metrics."""
    notices: tuple[Diagnostic, ...] = ()
    """Notices from when the scores were computed."""


def open_source(source: Readable, label: str) -> Source:
    """Read a file, or take an object as it is."""
    if is_dataset(source):
        return _of_dataset(open_dataset(source))
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _of_content(load(source))
    if isinstance(source, Mapping):
        lists = bool(source) and not any(isinstance(one, (str, bytes, Mapping, os.PathLike)) for one in source.values())
        if lists and all(
            hasattr(one, "__len__") and getattr(one, "ndim", 1) == 1 and not is_frame(one) for one in source.values()
        ):
            return Source(frame_of_columns(dict(source), label), label, FrameOrigin(label))
        return Source(source, label, FrameOrigin(label), kind="dict")
    source = _with_index(source, label)
    if is_frame(source):
        return Source(polars_frame(source, label), label, FrameOrigin(label))
    raise BadUsage(usage.bad_object(f"the {label}: a {type(source).__name__}", EXPECTED))


def _with_index(frame: AnyValue, label: str) -> AnyValue:
    """A pandas frame with its index as columns if the index has names or text, and with column names that are text."""
    index = getattr(frame, "index", None)
    if index is None or isinstance(frame, type) or not (hasattr(frame, "reset_index") and hasattr(frame, "columns")):
        return frame
    check_levels(frame)
    has_names = any(name is not None for name in index.names) or str(index.dtype) in {"object", "str", "string", "category"}
    frame = frame.reset_index(allow_duplicates=True) if has_names else frame
    names = [str(name) for name in frame.columns]
    _check_once(names, Place(label))
    return frame.set_axis(names, axis=1)


def _of_dataset(dataset: Dataset) -> Source:
    """All values of a dataset as one table."""
    source = Source(dataset.long(), dataset.label, FrameOrigin(dataset.label), name_of(dataset.label), "dataset")
    return replace(source, better=dataset.better, aliases=dataset.aliases, notices=dataset.notices)


def _of_content(content: Content) -> Source:
    kind = self_described(content)
    name = SCORE if content.label.startswith("<") else name_of(content.label)
    if kind in {"parquet", "arrow"}:
        source = Source(columnar_frame(content, kind), content.label, FrameOrigin(content.label), name, kind)
        return _as_saved(source, content) if kind == "parquet" else source
    if kind is not None:
        data, records = json_scores(content, kind)
        return Source(data, content.label, records, name, kind)
    _check_header(content)
    frame, origin = delimited_frame(content)
    return Source(frame, content.label, origin, name, "tsv" if origin.separator == "\t" else "csv")


def _as_saved(source: Source, content: Content) -> Source:
    """The source with the facts that saved Scores keep about their metrics; any other Parquet file is a plain table."""
    try:
        facts = json.loads(pl.read_parquet_metadata(BytesIO(bytes(content.data))).get(SAVED, "{}"))
        columns = [(str(column["name"]), str(column["better"]), str(column["asked"])) for column in facts["columns"]]
        notices = [restored(notice) for notice in facts["notices"]]
    except (PolarsError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return source
    better, aliases = {name: way for name, way, _ in columns}, {alias: name for name, _, alias in columns}
    kept = tuple(notice for notice in notices if notice.code != READ_AS)
    return replace(source, better=better, aliases=aliases, notices=kept)


def _check_header(content: Content) -> None:
    """The first line names columns: each once, not by numbers, and separated by tabs or commas."""
    number, line = next(((number, line) for number, line in numbered(content) if line.strip()), (0, b""))
    if not number:
        raise BadData(files.no_data(content.label))
    text = line.decode(errors="replace")
    place = Place(content.label, number)
    if ";" in text and "," not in text and "\t" not in text:
        raise BadData(table.semicolons(Place(content.label, number, 1, text)))
    separator = "\t" if "\t" in text else ","
    try:
        names = [name.strip() for name in next(csv.reader([text], delimiter=separator), [])]
    except csv.Error:
        raise BadData(comparisons.unknown_form(place, "the first line is too long to name columns")) from None
    _check_once(names, place)
    if names and all(map(is_number, names)) and not _counted(names):
        raise BadData(comparisons.unknown_form(place, "the first line has numbers where names of columns are expected"))


def _check_once(names: list[str], place: Place) -> None:
    """No two columns have one name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadData(comparisons.two_columns(place, "columns of the same name", twice))


def _counted(names: list[str]) -> bool:
    """Whether the names are 0, 1, 2 or 1, 2, 3, as data frames call columns without names."""
    return any(names == [str(number) for number in range(start, start + len(names))] for start in (0, 1)) and len(names) > 1
