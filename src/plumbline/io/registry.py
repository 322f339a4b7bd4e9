"""Readers and writers are declared where they live, in the modules of `io/formats`, and found by walking that package.

The walk imports every declaration, so a declaration imports nothing heavy: what reads or writes is a small function, or the
address of one as `"module:function"`, which is imported when a file needs it.
"""

from __future__ import annotations

import importlib
from dataclasses import field
from functools import cache
from typing import IO, TYPE_CHECKING, Any, Final, get_args

from plumbline.declarations import import_all
from plumbline.io.catalogue import PACKAGE, SIGNS
from plumbline.io.table import Role
from plumbline.records import dataclass
from plumbline.schema import TableKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    import polars as pl

    from plumbline.io.bytes.content import Content
    from plumbline.io.catalogue import Sign
    from plumbline.io.sample import Sample
    from plumbline.io.table import ReadOptions, Table

    ReadFunction: TypeAlias = Callable[[Content, ReadOptions], Table]
    WriteFunction: TypeAlias = Callable[["Rows", IO[bytes]], object]

KINDS: Final[tuple[TableKind, ...]] = get_args(TableKind)
ROLES: Final[tuple[Role, ...]] = get_args(Role)


@dataclass(frozen=True, eq=False)
class Reader:
    """A format that can be read, as its module declares it."""

    name: str
    about: str
    """One line about what it reads."""
    read: ReadFunction | str
    """Makes a table of the content of a file."""
    sniff: Callable[[Sample], str | None]
    """Why a file is of this format, to follow "read as NAME:"; None if it is not."""
    sign: Sign
    suffixes: tuple[str, ...]
    """Endings of file names, which a system is not called after."""
    example: str = ""
    """A small output in this format, as the first of its kinds; empty if it is no text, and the writer makes one."""
    kinds: tuple[TableKind, ...] = KINDS
    """The kinds of tables that such a file can hold."""
    roles: tuple[Role, ...] = ROLES
    role_of: Callable[[Content], Role | None] | str | None = None
    """Tells gold from output by the content; None to look at the names of columns."""
    comments: bool = False
    """Whether lines that start with # are comments."""
    text: bool = True
    """Whether files are text, with an encoding and without NUL bytes."""
    folders: bool = False
    """Whether the files of a folder are one gold or output together."""
    annotated: bool = False
    """Whether spans have attributes and relations of their own."""

    def __call__(self, content: Content, options: ReadOptions) -> Table:
        """Read a file."""
        table: Table = resolved(self.read)(content, options)
        return table


@dataclass(frozen=True)
class Rows:
    """What a writer gets: a frame with `case`, `item` and a column that is named after what it holds.

    That is `grade` in the gold and `score` in an output, `label` for labels and clusters, `level` and `cluster` for levels.
    """

    frame: pl.DataFrame
    kind: TableKind
    role: Role
    path: str
    """The file that is written, for messages."""
    tag: str
    """The name of the system."""
    empty_cases: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        """The name of the column that follows case and item."""
        return self.frame.columns[-1] if self.kind != "levels" else "level"


@dataclass(frozen=True, eq=False)
class Writer:
    """A format that can be written, as its module declares it."""

    name: str
    write: WriteFunction | str
    suffixes: tuple[str, ...]
    """Endings of file names that choose this format."""
    kinds: tuple[TableKind, ...] = KINDS
    """The kinds of tables that it can hold."""
    suffix_roles: Mapping[str, Role] = field(default_factory=dict)
    """Endings that only gold has, or only outputs."""
    lists: bool = True
    """Whether a row can hold a list of labels; otherwise there is a row for each label."""
    empty_cases: tuple[TableKind, ...] = ()
    """The kinds of tables in which a case without items can be written."""

    def __call__(self, rows: Rows, file: IO[bytes]) -> None:
        """Write a file."""
        resolved(self.write)(rows, file)


_READERS: dict[str, Reader] = {}
_WRITERS: dict[str, Writer] = {}


def declare(*formats: Reader | Writer) -> None:
    """Add readers and writers; no two readers and no two writers have the same name."""
    for one in formats:
        known: dict[str, Any] = _READERS if isinstance(one, Reader) else _WRITERS
        if one.name in known:
            message = f"the {type(one).__name__.lower()} {one.name} is declared twice"
            raise ValueError(message)
        known[one.name] = one


def reader(name: str, **facts: Any) -> Callable[[ReadFunction], ReadFunction]:  # noqa: ANN401 - the fields of Reader, checked by it
    """Declare the decorated function as a reader; the first line of its docstring says what it reads."""

    def decorate(read: ReadFunction) -> ReadFunction:
        declare(Reader(name, (read.__doc__ or "").split("\n", 1)[0].rstrip("."), read, **facts))
        return read

    return decorate


def writer(name: str, **facts: Any) -> Callable[[WriteFunction], WriteFunction]:  # noqa: ANN401 - the fields of Writer, checked by it
    """Declare the decorated function as a writer."""

    def decorate(write: WriteFunction) -> WriteFunction:
        declare(Writer(name, write, **facts))
        return write

    return decorate


@cache
def readers() -> dict[str, Reader]:
    """Every reader by its name, those with the surest sign first, then in alphabetical order."""
    _walk()
    return dict(sorted(_READERS.items(), key=lambda pair: (SIGNS.index(pair[1].sign), pair[0])))


@cache
def writers() -> dict[str, Writer]:
    """Every writer by its name, in alphabetical order."""
    _walk()
    return dict(sorted(_WRITERS.items()))


@cache
def _walk() -> None:
    import_all(PACKAGE)


@cache
def _imported(address: str) -> Callable[..., Any]:
    module, _, name = address.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def resolved(function: Callable[..., Any] | str) -> Callable[..., Any]:
    """The function, imported if only its address was given."""
    return _imported(function) if isinstance(function, str) else function
