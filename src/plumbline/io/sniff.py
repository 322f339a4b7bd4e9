"""Which reader fits a file, decided by its content, with the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, BadUsage, Place, files, table, usage
from plumbline.io.formats.cluster_kinds import CLUSTER_READERS, cluster_kind
from plumbline.io.formats.columns import EVALL, known_names
from plumbline.io.formats.organization_columns import LEVELS
from plumbline.io.formats.plain import LAYOUTS, separator_of
from plumbline.io.memory.labels import LABELS, PROBABILITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.io.bytes.content import Content
    from plumbline.io.table import ReadOptions

READERS: Final = ("trec", "csv", "tsv", "json", "jsonl", "evall", "parquet", "arrow", "plain", *CLUSTER_READERS)

_REFUSED: Final = {
    b"PK\x03\x04": ("a zip archive", "unpack it and give the files"),
    b"Rar!": ("a rar archive", "unpack it and give the files"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it and give the files"),
}
_PICKLE: Final = re.compile(rb"\x80[\x02-\x05]")
_NUMBER: Final = re.compile(r"(^|[\s,;])[-+]?\d+(\.\d*)?([\s,;]|$)")
"""A line that names columns holds no number, so a run tag called `run` makes no header."""
_LABELS_TOO: Final = frozenset({"y", "pos", "rel", "s", "q", "d"})
"""Names of columns that are labels as often: beside unknown words they make no header."""
_TREC: Final = frozenset({4, 6})
"""How many columns judgements and runs have."""
_FEW: Final = 2
"""With more lines than these, the last one may have been cut with the part of the file that is looked at."""
_TAR_MAGIC: Final = slice(257, 262)


def sniff(
    content: Content, wanted: str | None, *, labels: bool = False, clusters: bool = False, more: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """The reader for this content and why it was chosen; files of labels may have no header.

    More names of columns may be told, beside those that every table has.
    """
    head = content.head()
    _refuse(content.label, head)
    if wanted is not None:
        if wanted not in READERS or (wanted in CLUSTER_READERS and not clusters):
            raise BadUsage(usage.bad_option("reader", wanted, list(READERS)))
        return wanted, "as asked"
    of_clusters = cluster_kind(head) if clusters else None
    return of_clusters or _binary_kind(head) or _json_kind(head) or _text_kind(content.label, head, more, labels=labels)


def kind_of(content: Content, options: ReadOptions) -> tuple[str, str]:
    """The same for what the options say is read."""
    if options.organization:
        return sniff(content, options.reader, labels=True, clusters=True, more=frozenset(LEVELS))
    return sniff(content, options.reader, labels=options.labels, clusters=options.clusters)


def known_kind(content: Content) -> str | None:
    """The kind of a file that says so itself: Parquet, Arrow or JSON; archives are refused."""
    head = content.head()
    _refuse(content.label, head)
    found = _binary_kind(head) or _json_kind(head)
    return found[0] if found else None


def columns_of(content: Content) -> tuple[list[str], str | None]:
    """The columns of the first line, and what stands between them: a tab, a comma or, as None, white space."""
    line = _first_line(content.head())
    separator = next((sign for sign in "\t," if sign in line), None)
    return line.split(separator), separator


def _refuse(label: str, head: bytes) -> None:
    for magic, (kind, advice) in _REFUSED.items():
        if head.startswith(magic):
            raise BadData(files.refused_kind(label, kind, advice))
    if head[_TAR_MAGIC] == b"ustar":
        raise BadData(files.refused_kind(label, "a tar archive", "unpack it and give the files"))
    if _PICKLE.match(head):
        raise BadData(files.refused_kind(label, "a pickle", "write the data as JSON, CSV or Parquet"))


def _binary_kind(head: bytes) -> tuple[str, str] | None:
    if head.startswith(b"PAR1"):
        return "parquet", "it starts with PAR1"
    if head.startswith((b"ARROW1", b"FEA1")):
        return "arrow", "it starts with ARROW1"
    return None


def _json_kind(head: bytes) -> tuple[str, str] | None:
    text = head.lstrip()
    if text.startswith(b"["):
        return "json", "it starts with ["
    if not text.startswith(b"{"):
        return None
    first, _, rest = text.partition(b"\n")
    if first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{"):
        return "jsonl", "every line starts with {"
    return "json", "it starts with {"


def _text_kind(label: str, head: bytes, more: frozenset[str], *, labels: bool) -> tuple[str, str]:
    line = _first_line(head)
    names = [name.strip().strip('"').lower() for name in re.split(r"[,\t;]", line)]
    if set(names) >= EVALL:
        return "evall", "its columns are test_case, id, value"
    if _are_names(names, more, labels=labels) and len(names) > 1 and not _NUMBER.search(line):
        if ";" in line and "," not in line and "\t" not in line:
            raise BadData(table.semicolons(Place(label, 1, 1, line)))
        return ("tsv", "its first line names columns, with tabs") if "\t" in line else ("csv", "its first line names columns")
    if labels and line.strip() and len(_plain_columns(line)) in LAYOUTS:
        return "plain", f"its lines have {len(_plain_columns(line))} columns and no header"
    if not labels and (width := _width(head)) in LAYOUTS:
        raise BadData(files.labels_without_task(label, width))
    if len(re.split(r"[ \t]+", line.strip())) > 2:  # noqa: PLR2004 - the least columns of a TREC-like file
        return "trec", "its lines have columns between white space"
    if not line.strip():
        raise BadData(files.no_data(label))
    raise BadData(files.unknown_kind(label, line[:40], list(READERS)))


def _are_names(words: list[str], more: frozenset[str], *, labels: bool) -> bool:
    """Whether the words name columns; files of labels need no header, and some labels are called like a column."""
    if not labels:
        return any(word in known_names() for word in words)
    named = [word for word in words if word in known_names() | more or word in LABELS + PROBABILITIES]
    return len(named) == len(words) or any(word not in _LABELS_TOO for word in named)


def _width(head: bytes) -> int:
    """How many columns the lines have; 0 where that differs, where there are too few lines, or the first is one of TREC."""
    lines = list(_lines(head))
    if not lines or len(lines[0].split()) in _TREC:
        return 0
    whole = lines if len(lines) <= _FEW else lines[:-1]
    widths = {len(_plain_columns(line)) for line in whole}
    return widths.pop() if len(widths) == 1 and len(whole) > 1 else 0


def _plain_columns(line: str) -> list[str]:
    separator = separator_of(line)
    return line.split() if separator == " " else line.split(separator)


def _first_line(head: bytes) -> str:
    return next(_lines(head), "")


def _lines(head: bytes) -> Iterator[str]:
    """The lines that hold data."""
    for line in re.finditer(rb"[^\r\n]+", head):
        if line.group().strip(b" \t") and not line.group().startswith(b"#"):
            yield line.group().decode(errors="replace")
