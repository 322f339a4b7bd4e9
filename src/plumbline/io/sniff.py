"""Which reader fits a file, decided by its content, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadData, BadUsage, files, usage
from plumbline.io.columns.names import plain_name
from plumbline.io.registry import readers
from plumbline.io.sample import Sample
from plumbline.lazily import pattern

if TYPE_CHECKING:
    from plumbline.io.bytes.content import Content
    from plumbline.io.registry import Reader
    from plumbline.io.table import ReadOptions
    from plumbline.schema import TableKind

_REFUSED: Final = {
    b"PK\x03\x04": ("a zip archive", "unpack it and give the files"),
    b"Rar!": ("a rar archive", "unpack it and give the files"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it and give the files"),
}
_PICKLE: Final = pattern(rb"\x80[\x02-\x05]")
_TAR_MAGIC: Final = slice(257, 262)


def sniff(content: Content, options: ReadOptions) -> tuple[Reader, str]:
    """The reader for this content, and why it was chosen."""
    head = content.head_of_data()
    _refuse(content.label, head)
    chosen = chosen_reader(options)
    if chosen is not None:
        return chosen, "as requested"
    sample = Sample(content.label, head, options.kind, frozenset(map(plain_name, options.column_of.values())))
    for reader in _readers_of(options.kind):
        reason = reader.sniff(sample)
        if reason is not None:
            return reader, reason
    if not sample.first_line.strip():
        raise BadData(files.no_data(content.label))
    names = [reader.name for reader in _readers_of(options.kind)]
    raise BadData(files.unknown_kind(content.label, sample.first_line[:40], names))


def chosen_reader(options: ReadOptions) -> Reader | None:
    """The reader that was chosen by name; it must exist and read the kind of table that is wanted."""
    name = options.reader_of_role
    if name is None:
        return None
    reader = readers().get(name)
    if reader is None:
        raise BadUsage(usage.bad_option("reader", name, [reader.name for reader in _readers_of(options.kind)]))
    if options.kind not in reader.kinds or options.role not in reader.roles:
        allowed = [other.name for other in _readers_of(options.kind) if options.role in other.roles]
        raise BadUsage(usage.unfit_reader(name, reader.about, allowed))
    return reader


def self_described(content: Content) -> str | None:
    """The format of a file that can be recognised by its first bytes, such as Parquet, Arrow or JSON; archives are refused."""
    head = content.head()
    _refuse(content.label, head)
    sample = Sample(content.label, head)
    sure = (reader for reader in _readers_of("scores") if reader.sign == "magic")
    return next((reader.name for reader in sure if reader.sniff(sample) is not None), None)


def columns_of(content: Content) -> tuple[list[str], str | None]:
    """The columns of the first line, and what stands between them: a tab, a comma or, as None, white space."""
    line = Sample(content.label, content.head()).first_line
    separator = next((sign for sign in "\t," if sign in line), None)
    return line.split(separator), separator


def _readers_of(kind: TableKind) -> list[Reader]:
    return [reader for reader in readers().values() if kind in reader.kinds]


def _refuse(label: str, head: bytes) -> None:
    for magic, (name, advice) in _REFUSED.items():
        if head.startswith(magic):
            raise BadData(files.refused_kind(label, name, advice))
    if head[_TAR_MAGIC] == b"ustar":
        raise BadData(files.refused_kind(label, "a tar archive", "unpack it and give the files"))
    if _PICKLE.match(head):
        raise BadData(files.refused_kind(label, "a pickle", "write the data as JSON, CSV or Parquet"))
