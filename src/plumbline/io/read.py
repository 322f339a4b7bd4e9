"""From anything that holds gold or an output to a checked table; a reader is imported when a file needs it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from plumbline.deferred import replaced
from plumbline.errors import BadData, BadUsage, notices, usage
from plumbline.io.bytes.content import Content, load
from plumbline.io.bytes.lines import from_latin1, is_not_utf8
from plumbline.io.checks import check, name_notices, only_tag
from plumbline.io.memory.arrays import array_table, is_array
from plumbline.io.memory.frames import frame_table, is_frame
from plumbline.io.memory.nested import nested_table
from plumbline.io.paths import files_together, is_table, several_files
from plumbline.io.sniff import chosen_reader, sniff
from plumbline.io.table import ReadOptions, Role, Table
from plumbline.schema import FILLER, LABEL

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import AnyValue, Readable

EXPECTED = "a path, a dict {case: {item: number}}, a data frame or an open file"
LEVELS_EXPECTED = "levels, a dict {case: levels}, a path, a data frame, an open file or Composed(priority=..., clusters=...)"


def read(source: Readable, role: Role, options: ReadOptions | None = None, label: str | None = None) -> Table:
    """Read gold or an output from a path, an open file, a dict or a data frame."""
    options = options or ReadOptions()
    options = options if options.role == role else replace(options, role=role)
    chosen_reader(options)  # a wrong name is an error for sources that need no reader, too
    if isinstance(source, Table):
        return source
    if options.kind == "levels":
        from plumbline.io.columns.levels import checked

        return checked(_organization(source, label or role, options), "grade" if role == "gold" else "score")
    return check(_read(source, label or role, options), role)


def _read(source: Readable, name: str, options: ReadOptions) -> Table:
    if options.kind == "spans":
        from plumbline.io.annotated import check_annotations

        return check_annotations(_spans(source, name, options), options.annotations)
    if options.kind == "clusters" and (clusters := _clusters(source, name, options)) is not None:
        return clusters
    if _is_file(source):
        return _of_files(source, options)
    if options.of_labels and is_array(source):
        return array_table(source, name, options)
    if isinstance(source, Mapping):
        kinds = set(map(type, source.values()))  # few, unlike the values
        if not options.of_labels and kinds and kinds <= {list, tuple}:
            raise BadUsage(usage.bad_object(f"{_called(name)}: a dict of lists", usage.numbers_of_lists(name)))
        if not options.of_labels and not all(issubclass(kind, Mapping) for kind in kinds):
            raise BadUsage(usage.bad_object(f"{_called(name)}: a dict whose values are not dicts", EXPECTED))
        return nested_table(source, name, "dict", options)
    if is_frame(source):
        return frame_table(source, name, options)
    expected = usage.numbers_of_lists(name) if isinstance(source, list) and not options.of_labels else EXPECTED
    raise BadUsage(usage.bad_object(f"{_called(name)}: a {type(source).__name__}", expected))


def _called(name: str) -> str:
    return f"the {name}" if name in {"gold", "output"} else name


def _organization(source: Readable, name: str, options: ReadOptions) -> Table:
    """Levels and clusters, or a ranking, a filter or a clustering, or two of them."""
    from plumbline.io.columns.levels import one_level
    from plumbline.io.memory.clusters import is_list
    from plumbline.io.memory.compose import Composed, compose
    from plumbline.io.memory.organizations import organization_object

    clustering = replace(options, kind="clusters", reader=None, gold_reader=None, output_reader=None, tag=None)
    if isinstance(source, Composed):
        options, clustering = (replace(one, several_systems=False) for one in (options, clustering))
        priority = read(source.priority, options.role, options, name)
        return compose(priority, read(source.clusters, options.role, clustering, f"{name} clusters"))
    if (paths := files_together(source)) is not None:
        return one_level(_joined(paths, str(source), clustering))
    if _is_file(source):
        return _in_any_encoding(load(source, options.max_bytes), options)
    if is_frame(source):
        return frame_table(source, name, options)
    if isinstance(source, Mapping) or is_list(source):
        return organization_object(source, name, "dict", options)
    raise BadUsage(usage.bad_object(f"the {name}: a {type(source).__name__}", LEVELS_EXPECTED))


def _spans(source: Readable, name: str, options: ReadOptions) -> Table:
    """Spans of a file, of all files of a folder, of a frame or of a Python object."""
    from plumbline.io.memory.spans import span_object

    if (paths := files_together(source, tables=True)) is not None:
        return _joined(paths, str(source), options)
    if _is_file(source):
        return _from_content(load(source, options.max_bytes), options)
    return frame_table(source, name, options) if is_frame(source) else span_object(source, name, "dict", options)


def _clusters(source: Readable, name: str, options: ReadOptions) -> Table | None:
    """What only clusterings have: lists of items, folders, and text that is not UTF-8."""
    from plumbline.io.memory.clusters import cluster_lists

    if (paths := files_together(source, tables=True)) is not None:
        return _joined(paths, str(source), options)
    if _is_file(source):
        return _in_any_encoding(load(source, options.max_bytes), options)
    return cluster_lists(source, name)


def open_once(source: Readable, options: ReadOptions) -> AnyValue:
    """The content of a file that is looked at before it is read, so that it is opened once; other sources stay as they are."""
    if options.kind in {"clusters", "levels", "spans"}:
        together = files_together(source, tables=options.kind != "levels") is not None
    else:
        together = several_files(source) is not None
    return load(source, options.max_bytes) if _is_file(source) and not together else source


def _is_file(source: object) -> bool:
    return isinstance(source, (str, os.PathLike, Content)) or hasattr(source, "read")


def _of_files(source: Readable, options: ReadOptions) -> Table:
    """The rows of a file, or of all files of a folder or pattern; a case may be in several of them."""
    paths = several_files(source)
    if paths is None:
        return _from_content(load(source, options.max_bytes), options)
    from plumbline.io.rows import stacked

    return stacked([_from_content(load(path, options.max_bytes), options) for path in paths], os.fspath(source), options)


def _joined(paths: list[Path], label: str, options: ReadOptions) -> Table:
    """The files of a folder or pattern as one table; a case may be in several of them, if they are tables themselves."""
    from plumbline.io.rows import check_apart, joined, stacked

    contents = (replace(load(path, options.max_bytes), one_of_many=True) for path in paths)
    tables = [_in_any_encoding(content, options) for content in contents]
    if all(is_table(path) for path in paths) and all(table.documents is None for table in tables):
        if any(FILLER in table.frame.columns for table in tables):
            check_apart(tables)  # records are numbered within their file
        return stacked(tables, label, options)
    return joined(tables, label)


def _in_any_encoding(content: Content, options: ReadOptions) -> Table:
    try:
        return _from_content(content, options)
    except BadData as error:
        if not is_not_utf8(error.diagnostics[0]) or content.head(1) in {b"{", b"["}:
            raise
    table = _from_content(from_latin1(content), options)
    return replace(table, notices=(*table.notices, notices.read_as_latin1(content.label)))


def _from_content(content: Content, options: ReadOptions) -> Table:
    reader, why = sniff(content, options)
    table = reader(content, options)
    if options.role == "output" and table.tag is None:
        only_tag([], content.label, options.tag)  # formats without run tags refuse one
    if options.kind == "levels" and LABEL not in table.frame.columns:
        from plumbline.io.columns.levels import one_level

        table = one_level(table)
    of_names = name_notices(table) if options.role == "gold" else []
    return replaced(table, notices=(notices.read_as(content.label, table.reader, why), *table.notices, *of_names))
