"""What a dataset of scores looks like: a Parquet file for each system, of which the first says what belongs together.

Each file has the columns `system`, `case`, one for each metric and one for each metric with texts; its rows are sorted by case.
Other tools read the folder as one table. What plumbline needs beside the rows is in the metadata of the first file.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors.urls import is_url
from plumbline.io.bytes.remote import STORES, scheme_of
from plumbline.lazily import pattern
from plumbline.schema import CASE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Protocol

    class BySystem(Protocol):
        """Scores that need not be one table."""

        @property
        def cases(self) -> tuple[str, ...]:
            """All cases, in their order."""

        def frames(self) -> Iterator[pl.DataFrame]:
            """For each system its cases, in their order, with a column for each metric."""


KEY: Final = "plumbline.dataset"
"""The metadata key of the first file."""
FIRST: Final = "part-00000.parquet"
_PART: Final = pattern(r"part-[0-9a-f-]+\.parquet")


@dataclass(frozen=True)
class Manifest:
    """What belongs to a dataset."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    texts: tuple[str, ...]
    """Metrics whose values are texts."""
    cases: tuple[str, ...] = field(repr=False)
    """All cases in the order of the gold, which random draws follow; any system may lack some."""
    facts: Mapping[str, Any] = field(repr=False)
    """What any saved result keeps: its class, how it was made, means, notices."""
    files: tuple[str, ...] = ()
    """The file of each system."""

    def to_text(self) -> str:
        """As JSON."""
        names = {"systems": self.systems, "metrics": self.metrics, "texts": self.texts, "files": self.files}
        return json.dumps({**names, "cases": _packed(self.cases), "facts": self.facts})

    @classmethod
    def of_text(cls, text: str) -> Manifest:
        """From what `to_text` made.

        Raises:
            ValueError: If it is anything else; so are KeyError, TypeError and AttributeError.
        """
        known = json.loads(text)
        listed = {name: tuple(map(str, known[name])) for name in ("systems", "metrics", "texts", "files")}
        if len(listed["files"]) != len(listed["systems"]) or not all(map(_PART.fullmatch, listed["files"])):
            raise ValueError(listed["files"])
        return cls(**listed, cases=_unpacked(known["cases"]), facts=dict(known["facts"]))


def is_dataset(source: object) -> bool:
    """Whether scores are to be read from a folder: one that has a dataset, or a URL that ends with a slash."""
    if not isinstance(source, (str, os.PathLike)):
        return False
    if is_url(os.fspath(source)):
        return os.fspath(source).partition("?")[0].endswith("/")
    return manifest_text(Path(source)) is not None


def is_target(path: object) -> bool:
    """Whether scores are to be written to a folder: it has a dataset, ends with a slash, or is a URL of a cloud."""
    if not isinstance(path, (str, os.PathLike)):
        return False
    text = os.fspath(path)
    if is_url(text):
        return scheme_of(text) in STORES
    return text.endswith(("/", os.sep)) or is_dataset(text)


def manifest_text(folder: Path) -> str | None:
    """What the first file of a folder says about its dataset; None if there is none."""
    try:
        with (folder / FIRST).open("rb") as file:
            return pl.read_parquet_metadata(file).get(KEY)
    except (OSError, ValueError, pl.exceptions.PolarsError):
        return None


def _packed(names: tuple[str, ...]) -> str:
    file = BytesIO()
    pl.DataFrame({CASE: pl.Series(names, dtype=pl.String)}).write_ipc(file, compression="zstd")
    return b64encode(file.getvalue()).decode("ascii")


def _unpacked(text: str) -> tuple[str, ...]:
    return tuple(pl.read_ipc(BytesIO(b64decode(text)))[CASE])
