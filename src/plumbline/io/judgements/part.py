"""What each form of a file of judgements gives: rows of case, item, assessor and label, and how to find them again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.declarations import import_all
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin

ASSESSOR: Final = "assessor"
SECONDS: Final = "seconds"
GOLD: Final = "gold"
WHEN: Final = "when"
BATCH: Final = "batch"
ROW: Final = "row"
COLUMNS: Final = (CASE, ITEM, ASSESSOR, LABEL, SECONDS, WHEN, BATCH, GOLD)
FORMS: Final = "plumbline.io.judgements.forms"


@dataclass(frozen=True, eq=False)
class Part:
    """The judgements of one file or object; a column that it does not have is not in the frame.

    `label` is text, or a list of texts where an answer is a set. `row` is the row of the source.
    """

    frame: pl.DataFrame
    label: str
    name: str
    """The name of the assessor where the file has no column for it."""
    origin: Origin
    notices: tuple[Diagnostic, ...] = ()

    def named(self, name: str) -> Part:
        """The same, with another name of its assessor."""
        return replace(self, name=name)


@dataclass(frozen=True, eq=False)
class Opened:
    """A file or object that was opened and not yet understood."""

    data: Any
    """A frame, or what JSON holds: a list of records or an object."""
    label: str
    name: str
    origin: Origin
    columns: Mapping[str, str]
    """The columns that were named for a meaning."""


@dataclass(frozen=True, eq=False)
class Form:
    """A form of judgements, as its module declares it."""

    name: str
    about: str
    fits: Callable[[Opened], bool]
    read: Callable[[Opened], Part]


_FORMS: dict[str, Form] = {}


def judgement_form(
    name: str, *, fits: Callable[[Opened], bool]
) -> Callable[[Callable[[Opened], Part]], Callable[[Opened], Part]]:
    """Declare the decorated function as the reader of a form; the first line of its docstring says what it reads."""

    def decorate(read: Callable[[Opened], Part]) -> Callable[[Opened], Part]:
        if name in _FORMS:
            message = f"the form {name} is declared twice"
            raise ValueError(message)
        _FORMS[name] = Form(name, (read.__doc__ or "").split("\n", 1)[0].rstrip("."), fits, read)
        return read

    return decorate


@cache
def forms() -> dict[str, Form]:
    """Every form by its name; those of one tool come first, and `table` is the last."""
    import_all(FORMS)
    return dict(sorted(_FORMS.items(), key=lambda pair: (pair[0] == "table", pair[0] == "matrix", pair[0])))


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A frame of rows that a form collected one by one; every row has the same keys."""
    kinds: dict[str, Any] = {SECONDS: pl.Float64, ROW: pl.Int64}
    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else (ITEM, LABEL, ROW))}
    lists = any(isinstance(value, list) for value in columns[LABEL])
    labels = pl.List(pl.String) if lists else pl.String
    schema = {name: labels if name == LABEL else kinds.get(name, pl.String) for name in columns}
    return pl.DataFrame(columns, schema=schema, strict=False)
