"""From anything that holds gold or an output to a checked table; a reader is imported when a file needs it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plumbline.errors import BadData, BadUsage, notices, usage
from plumbline.io.bytes.content import Content, load
from plumbline.io.bytes.text import from_latin1, is_not_utf8
from plumbline.io.formats.checks import check, name_notices
from plumbline.io.memory.arrays import array_table, is_array
from plumbline.io.memory.objects import frame_table, is_frame, nested_table
from plumbline.io.sniff import kind_of
from plumbline.io.table import ReadOptions, Role, Table
from plumbline.schema import LABEL

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.errors import Diagnostic

EXPECTED = "a path, a dict {case: {item: number}}, a data frame or an open file"
LEVELS_EXPECTED = "levels, a dict {case: levels}, a path, a data frame, an open file or Composed(priority=..., clusters=...)"


def read(source: Any, role: Role, options: ReadOptions | None = None, label: str | None = None) -> Table:  # noqa: ANN401
    """Read gold or an output from a path, an open file, a dict or a data frame."""
    options = replace(options or ReadOptions(), role=role)
    if isinstance(source, Table):
        return source
    if options.organization:
        from plumbline.io.formats.organization_checks import checked  # noqa: PLC0415 - organizations only

        what = "grade" if role == "gold" else "score"
        return checked(_organization(source, label or role, role, options), what)
    return check(_read(source, label or role, role, options), role)


def _read(source: Any, name: str, role: Role, options: ReadOptions) -> Table:  # noqa: ANN401 - as read
    if options.clusters and (found := _clusters(source, name, role, options)) is not None:
        return found
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _from_content(load(source, options.max_bytes), role, options)
    if options.labels and is_array(source):
        return array_table(source, name, options)
    if isinstance(source, Mapping):
        if not options.labels and not all(isinstance(inner, Mapping) for inner in source.values()):
            raise BadUsage(usage.bad_object(f"the {name}: a dict whose values are not dicts", EXPECTED))
        return nested_table(source, name, "dict", role, options)
    if is_frame(source):
        return frame_table(source, name, role, options)
    raise BadUsage(usage.bad_object(f"the {name}: a {type(source).__name__}", EXPECTED))


def _organization(source: Any, name: str, role: Role, options: ReadOptions) -> Table:  # noqa: ANN401 - as read
    """Levels and clusters, or what is a ranking, a filter or a clustering, or two of them."""
    from plumbline.io.formats.cluster_kinds import clustering_files  # noqa: PLC0415 - organizations only
    from plumbline.io.formats.organization_forms import one_level  # noqa: PLC0415
    from plumbline.io.memory.clusters import is_list  # noqa: PLC0415
    from plumbline.io.memory.compose import Composed, compose  # noqa: PLC0415
    from plumbline.io.memory.organization_objects import organization_object  # noqa: PLC0415

    clustering = replace(options, organization=False, labels=True, clusters=True, reader=None, tag=None)
    if isinstance(source, Composed):
        return compose(read(source.priority, role, options, name), read(source.clusters, role, clustering, f"{name} clusters"))
    paths = clustering_files(source)
    if paths is not None:
        return one_level(_joined(paths, str(source), role, clustering))
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _in_any_encoding(load(source, options.max_bytes), role, options)
    if is_frame(source):
        return frame_table(source, name, role, options)
    if isinstance(source, Mapping) or is_list(source):
        return organization_object(source, name, "dict", options)
    raise BadUsage(usage.bad_object(f"the {name}: a {type(source).__name__}", LEVELS_EXPECTED))


def _clusters(source: Any, name: str, role: Role, options: ReadOptions) -> Table | None:  # noqa: ANN401 - as read
    """What only clusterings have: lists of items, folders, and text that is not UTF-8."""
    from plumbline.io.formats.cluster_kinds import clustering_files  # noqa: PLC0415 - clusterings only
    from plumbline.io.memory.clusters import cluster_lists  # noqa: PLC0415

    paths = clustering_files(source)
    if paths is not None:
        return _joined(paths, str(source), role, options)
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _in_any_encoding(load(source, options.max_bytes), role, options)
    return cluster_lists(source, name)


def _joined(paths: list[Path], label: str, role: Role, options: ReadOptions) -> Table:
    from plumbline.io.formats.members import joined  # noqa: PLC0415 - folders only
    from plumbline.io.formats.weps import case_of  # noqa: PLC0415

    return joined([_in_any_encoding(load(path, options.max_bytes), role, options, case_of(path)) for path in paths], label)


def _in_any_encoding(content: Content, role: Role, options: ReadOptions, case: str | None = None) -> Table:
    try:
        return _from_content(content, role, options, case)
    except BadData as error:
        if not is_not_utf8(error.diagnostics[0]) or content.head(1) in {b"{", b"["}:
            raise
    table = _from_content(from_latin1(content), role, options, case)
    return replace(table, notices=(*table.notices, notices.read_as_latin1(content.label)))


def _from_content(content: Content, role: Role, options: ReadOptions, case: str | None = None) -> Table:
    reader, why = kind_of(content, options)
    table = _by_reader(reader, content, role, options, case)
    if options.organization and LABEL not in table.frame.columns:
        from plumbline.io.formats.organization_forms import by_labels, one_level  # noqa: PLC0415 - organizations only

        table = by_labels(table) if reader == "plain" else one_level(table)
    said: list[Diagnostic] = [notices.read_as(content.label, table.reader, why), *table.notices]
    if role == "gold":
        said += name_notices(table)
    return replace(table, notices=tuple(said))


def _read_lines(content: Content, role: Role, options: ReadOptions) -> Table:
    """A run or judgements; as an organization, gold and outputs may be either."""
    from plumbline.io.formats.trec import layout_of, read_trec  # noqa: PLC0415 - each reader when it is needed

    if not options.organization:
        return read_trec(content, role, options)
    from plumbline.io.formats.organization_forms import by_grades, by_scores  # noqa: PLC0415 - organizations only

    kind = layout_of(content, role)
    table = read_trec(content, kind, options)
    return by_grades(table) if kind == "gold" else by_scores(table)


def _by_reader(reader: str, content: Content, role: Role, options: ReadOptions, case: str | None) -> Table:  # noqa: PLR0911 - one for each reader
    if reader == "trec":
        return _read_lines(content, role, options)
    if reader == "weps":
        from plumbline.io.formats.weps import read_weps  # noqa: PLC0415

        return read_weps(content, case)
    if reader == "conll":
        from plumbline.io.formats.conll import read_conll  # noqa: PLC0415

        return read_conll(content)
    if reader == "conllu":
        from plumbline.io.formats.conllu import read_conllu  # noqa: PLC0415

        return read_conllu(content)
    if reader == "plain":
        from plumbline.io.formats.plain import read_plain  # noqa: PLC0415

        return read_plain(content, options)
    if reader in {"parquet", "arrow"}:
        from plumbline.io.formats.columnar import read_columnar  # noqa: PLC0415

        return read_columnar(content, reader, role, options)
    if reader in {"csv", "tsv", "evall"} and content.head(1) != b"[":
        from plumbline.io.formats.delimited import read_delimited  # noqa: PLC0415

        return read_delimited(content, reader, role, options)
    from plumbline.io.formats.json_file import read_json, read_jsonl  # noqa: PLC0415

    return read_jsonl(content, role, options) if reader == "jsonl" else read_json(content, role, options)
