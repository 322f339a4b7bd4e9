"""The names of readers, read from their declarations without importing them.

Help pages list these names, and should not wait for what the readers need.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from plumbline.declarations import declarations

PACKAGE: Final = "plumbline.io.formats"
Sign = Literal["magic", "header", "layout", "fallback"]
SIGNS: Final[tuple[Sign, ...]] = get_args(Sign)
"""How a reader recognises its files, the surest sign first: the first bytes, named columns, the shape of lines, anything."""


def reader_names() -> tuple[str, ...]:
    """What `reader=` and `--reader` accept, those with the surest sign first, then in alphabetical order."""
    declared = declarations(PACKAGE, "Reader") | declarations(PACKAGE, "reader")
    return tuple(sorted(declared, key=lambda name: (SIGNS.index(declared[name]["sign"]), name)))
