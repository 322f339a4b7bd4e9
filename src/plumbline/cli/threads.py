"""How many threads NumPy multiplies matrices with; they are started when it is imported, whether they are needed or not."""

from __future__ import annotations

import os
from typing import Final

_THREADS: Final = "OPENBLAS_NUM_THREADS"


def one_thread() -> None:
    """Start none in commands that multiply no matrices, since that takes longer than scoring a small file.

    Who chose a number keeps it.
    """
    os.environ.setdefault(_THREADS, "1")
