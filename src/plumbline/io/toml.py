"""TOML that others may have written: what would take all memory or all of the stack is refused before it is parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.lazily import pattern

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 2**20
"""Bytes of a file of settings or of a plan; real ones have a few thousand."""
DEEPEST: Final = 32
"""Parts of a dotted key; the parser needs memory for the square of their number."""
_PART: Final = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY: Final = pattern(rf"(?<![\w-])(?:{_PART}[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def toml_text(path: Path) -> str:
    """The text of a file.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is too large, or not UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        message = f"it has more than {LARGEST:,} bytes"
        raise ValueError(message)
    return data.decode()


def parsed_toml(text: str) -> dict[str, Any]:
    """What it says.

    Raises:
        ValueError: If it is no TOML, or a key or a value is nested too deeply.
    """
    if _DEEP_KEY.search(text):
        message = f"a key has more than {DEEPEST} parts"
        raise ValueError(message)
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        message = "its values are nested too deeply"
        raise ValueError(message) from None
