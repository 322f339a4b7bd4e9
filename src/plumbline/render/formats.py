"""Output formats: each is declared once, in a module of this package, and found by walking it; `render` is the one dispatch."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from plumbline.declarations import declarations, module_texts
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.records import dataclass

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from plumbline.render.document import Document, Renderable

F = TypeVar("F", bound="Callable[[Document], str]")
_PACKAGE: Final = "plumbline.render"


@dataclass(frozen=True)
class OutputFormat:
    """A way to write any result down."""

    name: str
    convert: Callable[[Document], str]
    suffixes: tuple[str, ...] = ()
    """Endings of file names that mean this format."""
    aliases: tuple[str, ...] = ()
    one_table: bool = False
    """Whether a file of this format holds a single table."""
    display: Callable[[Document, IO[str]], None] | None = None
    """Prints to a terminal, where that differs from writing the text."""

    @property
    def description(self) -> str:
        """The first line of the docstring."""
        return (self.convert.__doc__ or "").partition("\n")[0]

    def print(self, document: Document, file: IO[str]) -> None:
        """Write to an open text file, with colours if it is a terminal and the format has some."""
        if self.display is not None:
            self.display(document, file)
        else:
            file.write(self.convert(document))


_FORMATS: dict[str, OutputFormat] = {}


def output_format(
    name: str,
    *,
    suffixes: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    one_table: bool = False,
    display: Callable[[Document, IO[str]], None] | None = None,
) -> Callable[[F], F]:
    """Declare the decorated function, which turns a `Document` into text, as an output format."""

    def declare(convert: F) -> F:
        taken = {word for known in _FORMATS.values() for word in (known.name, *known.aliases)}
        if not convert.__doc__ or taken & {name, *aliases}:
            message = f"the output format {name} needs a docstring and a name of its own"
            raise ValueError(message)
        _FORMATS[name] = OutputFormat(name, convert, suffixes, aliases, one_table, display)
        return convert

    return declare


@cache
def output_formats() -> dict[str, OutputFormat]:
    """Every output format by its name, the one for terminals first; this package is walked to find them."""
    _import_declarations()
    return {name: _FORMATS[name] for name in format_names()}


def format_names() -> list[str]:
    """The names of all output formats, the one for terminals first; nothing is imported to know them."""
    names = declarations(_PACKAGE, output_format.__name__).keys() | _FORMATS.keys()
    return sorted(names, key=lambda name: (name != "table", name))


def _import_declarations(mentioning: str = "") -> None:
    """Import the modules that declare a format and mention a text; others are not, so that nobody waits for them."""
    for module, text in module_texts(_PACKAGE).items():
        if f"\n@{output_format.__name__}(" in text and mentioning in text:
            import_module(f"{_PACKAGE}.{module}")


def find_format(name: str) -> OutputFormat:
    """The format of this name or alias.

    Raises:
        BadUsage: There is no such format; the message names the nearest ones.
    """
    if name not in _by_name():
        _import_declarations(f'"{name}"')
    known = _by_name()
    if name not in known:
        names = list(output_formats())
        raise BadUsage(usage.unknown_format(name, nearest(name, _by_name(), n=1), names))
    return known[name]


def _by_name() -> dict[str, OutputFormat]:
    """The formats that are imported by now, by their names and aliases."""
    return {word: one for one in _FORMATS.values() for word in (one.name, *one.aliases)}


def format_of(path: str | os.PathLike[str]) -> OutputFormat | None:
    """The format that the ending of a file name means, if it means one."""
    suffix = Path(path).suffix.lower()
    return next((one for one in output_formats().values() if suffix in one.suffixes), None)


def render(
    result: Renderable,
    form: str = "table",
    *part: Any,
    tables_only: bool = False,
    **view: Any,
) -> str:
    """A result as text in one of the output formats.

    Args:
        result: Any result of plumbline, such as `Scores` or a `Comparison`.
        form: The name of the format, such as "markdown".
        part: Which part of the result is wanted, such as the name of the system of a confusion matrix.
        tables_only: Leave out everything but the tables, where there are some.
        view: The same as keyword arguments, such as `per_case=True` of `Scores`.

    Returns:
        The text, which ends with a line break.

    Raises:
        BadUsage: There is no such format, or it cannot hold the result.
    """
    from plumbline.render.document import Document

    return find_format(form).convert(Document(result, part, view, tables_only))
