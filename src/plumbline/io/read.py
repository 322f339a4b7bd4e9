"""From anything that holds gold or an output to a checked table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plumbline.errors import BadData, BadUsage, notices, usage
from plumbline.io.arrays import array_table, is_array
from plumbline.io.checks import check, name_notices
from plumbline.io.cluster_kinds import clustering_files
from plumbline.io.clusters import cluster_lists, is_list
from plumbline.io.columnar import read_columnar
from plumbline.io.compose import Composed, compose
from plumbline.io.conll import read_conll
from plumbline.io.conllu import read_conllu
from plumbline.io.content import Content, load
from plumbline.io.delimited import read_delimited
from plumbline.io.jsonfile import read_json, read_jsonl
from plumbline.io.members import joined
from plumbline.io.objects import frame_table, is_frame, nested_table
from plumbline.io.organization_checks import checked
from plumbline.io.organization_forms import by_grades, by_labels, by_scores, one_level
from plumbline.io.organization_objects import organization_object
from plumbline.io.plain import read_plain
from plumbline.io.sniff import kind_of
from plumbline.io.table import ReadOptions, Role, Table
from plumbline.io.text import from_latin1, is_not_utf8
from plumbline.io.trec import layout_of, read_trec
from plumbline.io.weps import case_of, read_weps
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
    paths = clustering_files(source)
    if paths is not None:
        return _joined(paths, str(source), role, options)
    if isinstance(source, (str, os.PathLike)) or hasattr(source, "read"):
        return _in_any_encoding(load(source, options.max_bytes), role, options)
    return cluster_lists(source, name)


def _joined(paths: list[Path], label: str, role: Role, options: ReadOptions) -> Table:
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
    if reader == "weps":
        table = read_weps(content, case)
    elif reader in {"conll", "conllu"}:
        table = read_conll(content) if reader == "conll" else read_conllu(content)
    elif reader == "plain":
        table = read_plain(content, options)
    elif reader == "trec":
        table = _read_lines(content, role, options)
    elif reader in {"csv", "tsv", "evall"}:
        table = read_json(content, role, options) if content.head(1) == b"[" else read_delimited(content, reader, role, options)
    elif reader in {"parquet", "arrow"}:
        table = read_columnar(content, reader, role, options)
    else:
        table = read_json(content, role, options) if reader == "json" else read_jsonl(content, role, options)
    if options.organization and LABEL not in table.frame.columns:
        table = by_labels(table) if reader == "plain" else one_level(table)
    said: list[Diagnostic] = [notices.read_as(content.label, table.reader, why), *table.notices]
    if role == "gold":
        said += name_notices(table)
    return replace(table, notices=tuple(said))


def _read_lines(content: Content, role: Role, options: ReadOptions) -> Table:
    """A run or judgements; as an organization, gold and outputs may be either."""
    if not options.organization:
        return read_trec(content, role, options)
    kind = layout_of(content, role)
    table = read_trec(content, kind, options)
    return by_grades(table) if kind == "gold" else by_scores(table)
