"""How many examples are drawn: all where `PLUMBLINE_FUZZ` asks for many, as CI does, and fewer otherwise."""

from __future__ import annotations

import os
from typing import Final

MANY: Final = 20_000
"""So many mutated files are tried in CI."""
ALL: Final = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) >= MANY
FEW: Final = 4
"""No property is tried less often, unless it asks for less."""


def some_of(examples: int, share: int = 2) -> int:
    """All of so many examples, or a share of them: the half, a fifth."""
    return examples if ALL else max(examples // share, min(examples, FEW))
