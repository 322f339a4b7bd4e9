"""Python programs that get little memory."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process like this")
GIGABYTE = 2**30


def limited(
    words: Sequence[str], gigabytes: float, *, cwd: Path | None = None, stdin: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words and so much memory: threads reserve much of it, so there are few."""
    import resource  # noqa: PLC0415 - not on Windows

    limit = int(gigabytes * GIGABYTE)
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=cwd,
        stdin=stdin,
        env={**os.environ, "POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
