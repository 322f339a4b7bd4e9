"""What a file becomes with the reader in C and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from plumbline.errors import PlumblineError
from plumbline.io.native import SWITCH
from plumbline.io.read import read
from plumbline.io.table import ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from plumbline.io.table import Role, Table


def outcome(path: Path, options: ReadOptions) -> object:
    """Everything about a file: its rows and where they are, what was noticed, its documents; or what is wrong with it."""
    try:
        table = read(path, options.role, options)
    except PlumblineError as error:
        return [str(one) for one in error.diagnostics]
    except UnicodeDecodeError as error:
        return str(error)
    frame = table.frame
    kinds = [(name, str(kind)) for name, kind in frame.schema.items()]
    texts = frame.with_columns(pl.col(pl.Categorical).cast(pl.String))
    places = [table.origin.places([row], column) for row in range(min(len(frame), 20)) for column in ("item", "label")]
    notices = [str(one) for one in table.notices]
    return kinds, texts.rows(), places, notices, table.empty_cases, table.classes, _documents(table)


def _documents(table: Table) -> object:
    known = table.documents
    if known is None:
        return None
    count = min(len(known.names), 20)
    lengths = None if known.lengths is None else known.lengths.tolist()
    texts = None if known.text_of is None else [known.text_of(at) for at in range(count)]
    places = None if known.place_of is None else [known.place_of(at, token) for at in range(count) for token in (0, 1, 99)]
    prints = None if known.prints is None else known.prints.tolist()
    return known.names, lengths, texts, places, prints


def both(path: Path, role: Role, options: ReadOptions, patch: pytest.MonkeyPatch) -> tuple[object, object]:
    """With it and without it."""
    of_role = ReadOptions(**{**options.__dict__, "role": role})
    ours = outcome(path, of_role)
    with patch.context() as off:
        off.setenv(SWITCH, "0")
        return ours, outcome(path, of_role)
