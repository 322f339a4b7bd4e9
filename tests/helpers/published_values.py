"""Reading values that others computed and published, from the shared data."""

from __future__ import annotations

import lzma
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The root of the project."""


def text(path: Path) -> str:
    """The text of a file, unpacked if it is .xz."""
    content = path.read_bytes()
    return (lzma.decompress(content) if path.suffix == ".xz" else content).decode()


def trec_values(path: Path) -> dict[tuple[str, str], str]:
    """What trec_eval printed, by measure and case."""
    rows = (line.split() for line in text(path).splitlines())
    return {(row[0], row[1]): row[2] for row in rows}
