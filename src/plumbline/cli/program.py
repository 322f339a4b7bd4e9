"""Where the program starts and ends.

A small command consists of imports, whose objects stay until the end, so that looking for garbage among them is idle.
"""

from __future__ import annotations

import gc
from typing import Final, NoReturn

FEW_COLLECTIONS: Final = (100_000, 20, 20)
"""Thresholds of the garbage collector."""


def main() -> NoReturn:
    """Run the program; before anything is imported collections become rare, and nothing is left for those of the end."""
    gc.set_threshold(*FEW_COLLECTIONS)
    from plumbline.cli import app

    try:
        app.main()
    finally:
        gc.freeze()
