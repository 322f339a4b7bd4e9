"""Results in files: a Parquet table that other tools can read, with everything else about the result in its metadata.

Only classes that are declared with `saveable` are made again, so that a file cannot name code to run.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from dataclasses import fields, is_dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from plumbline._version import __version__
from plumbline.errors import BadData, Diagnostic, Place, table
from plumbline.io.bytes.atomic import write_atomically
from plumbline.io.bytes.panics import without_panic_message
from plumbline.io.bytes.refusals import refusals_kept
from plumbline.lazily import pl

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

T = TypeVar("T")
_METADATA: Final = "plumbline"
_CLASS: Final = "result"
_OLDEST: Final = "plumbline.scores:Scores"
"""The class of files that do not name one: the first versions saved scores only."""
_KIND: Final = "kind"
_MARK: Final = "_saveable"
_ITS_OWN: Final = (KeyError, OSError, ValueError, TypeError, AttributeError, ImportError)
"""What a file raises that `save` did not write."""


def saveable(cls: type[T]) -> type[T]:
    """Declare a dataclass whose values may stand in a saved result; results themselves need no declaration."""
    setattr(cls, _MARK, True)
    return cls


def _is_saveable(cls: type) -> bool:
    return cls in {Diagnostic, Place} or getattr(cls, _MARK, False) is True


def write_result(
    cls: type, frame: pl.DataFrame, facts: Mapping[str, Any], path: str | os.PathLike[str], *, force: bool
) -> None:
    """Write a table with facts, which are plain JSON, for a result of a class."""
    import json

    with write_atomically(Path(path), force=force) as file, refusals_kept(file) as target:
        frame.write_parquet(target, metadata={_METADATA: json.dumps(described_result(cls, facts))})


def described_result(cls: type, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a result with its class and the version, which are saved with it."""
    return {_CLASS: _name(cls), "version": __version__, **facts}


def class_of(facts: Mapping[str, Any]) -> type:
    """The class of the result of these facts.

    Raises:
        ValueError: If plumbline saves no such class.
    """
    return _class(facts.get(_CLASS, _OLDEST))


def read_result(path: str | os.PathLike[str]) -> tuple[type, pl.DataFrame, dict[str, Any]]:
    """The class, the table and the facts that a file holds.

    Raises:
        BadData: The file is not one that `save` wrote.
    """
    import json

    try:
        data = Path(path).read_bytes()  # a file that is mapped and cut meanwhile would end the process
        with without_panic_message(pl.exceptions.PanicException):
            facts = json.loads(pl.read_parquet_metadata(BytesIO(data))[_METADATA])
            frame = pl.read_parquet(BytesIO(data))
        return class_of(facts), frame, facts
    except (*_ITS_OWN, pl.exceptions.PanicException, pl.exceptions.PolarsError):
        raise BadData(table.not_saved(str(path))) from None


def saved_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as plain JSON, without those that are not part of its value (`compare=False`)."""
    kept = [one.name for one in fields(value) if one.init and one.compare]
    return {name: to_json(getattr(value, name)) for name in kept}


def to_json(value: Any) -> Any:
    """Data as plain JSON, from which `from_json` makes it again."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (pl.DataFrame, np.ndarray)):
        return _packed(value)
    if isinstance(value, dict):
        return {_KIND: "dict", "items": [[to_json(key), to_json(one)] for key, one in value.items()]}
    if isinstance(value, (tuple, list, set, frozenset)):
        return {_KIND: type(value).__name__, "items": [to_json(one) for one in value]}
    if is_dataclass(value) and _is_saveable(type(value)):
        return {_KIND: _name(type(value)), "fields": saved_fields(value)}
    message = f"a {type(value).__name__} cannot be saved"
    raise TypeError(message)


def from_json(value: Any) -> Any:
    """Data from what `to_json` made of it."""
    if not isinstance(value, dict):
        return value
    kind = value[_KIND]
    if kind == "frame":
        return pl.read_ipc(BytesIO(a2b_base64(value["data"])))
    if kind == "array":
        return np.load(BytesIO(a2b_base64(value["data"])), allow_pickle=False)
    if kind == "dict":
        return {from_json(key): from_json(one) for key, one in value["items"]}
    if kind in _SEQUENCES:
        return _SEQUENCES[kind](from_json(one) for one in value["items"])
    return _class(kind)(**{name: from_json(one) for name, one in value["fields"].items()})


_SEQUENCES: Final[dict[str, type]] = {one.__name__: one for one in (tuple, list, set, frozenset)}


def _packed(value: pl.DataFrame | np.ndarray[Any, Any]) -> dict[str, str]:
    """A table or an array with its exact types, as text."""
    file = BytesIO()
    if isinstance(value, pl.DataFrame):
        value.write_ipc(file)
    else:
        np.save(file, value, allow_pickle=False)
    kind = "frame" if isinstance(value, pl.DataFrame) else "array"
    return {_KIND: kind, "data": b2a_base64(file.getvalue(), newline=False).decode("ascii")}


def _name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _class(name: str) -> type:
    """The saveable class of this name; its module is one of plumbline's."""
    module, _, attribute = name.partition(":")
    cls: Any = getattr(import_module(module), attribute) if module.startswith("plumbline.") else None
    if not isinstance(cls, type) or not _is_saveable(cls):
        message = f"{name} is not a class that plumbline saves"
        raise ValueError(message)
    return cls
