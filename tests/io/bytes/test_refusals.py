"""Native code writes files; what the system refuses is raised as the system raises it."""

from __future__ import annotations

import io
import os
import sys
from errno import ENOSPC
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from plumbline.io.bytes.refusals import refusals_kept

if TYPE_CHECKING:
    from pathlib import Path

FRAME = pl.DataFrame({"case": [f"q{number}" for number in range(300)], "value": [number / 7 for number in range(300)]})


class Full(io.BytesIO):
    """A disk with little room."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write what there is room for."""
        if self.tell() + len(data) > self.room:
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        return super().write(data)


def _write(file: io.BytesIO) -> None:
    with refusals_kept(file) as target:
        FRAME.write_parquet(target, metadata={"facts": "x" * 20_000})


def test_a_full_disk_at_every_stage_of_a_file() -> None:
    whole = Full(1_000_000)
    _write(whole)
    for room in range(0, len(whole.getvalue()), 997):
        with pytest.raises(OSError, match="No space left") as caught:
            _write(Full(room))
        assert caught.value.errno == ENOSPC


def test_another_error_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), refusals_kept(io.BytesIO()) as target:
        target.write(bytes(1 // 0))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
@pytest.mark.parametrize("kind", ["scores.parquet", f"scores{os.sep}"], ids=["file", "folder"])
def test_a_full_disk_at_every_stage_of_a_result(kind: str, tmp_path: Path) -> None:
    """Native code describes some failures in words of its own."""
    import resource  # noqa: PLC0415 - not on Windows

    grades = {f"q{number}": {"d": 1} for number in range(300)}
    scores = plumbline.evaluate(grades, grades, ["AP", "RR"])
    scores.save(f"{tmp_path}{os.sep}{kind}")
    size = max(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in range(100, size, size // 12):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        try:
            with pytest.raises(plumbline.BadUsage, match="E010 File too large"):
                scores.save(f"{tmp_path}{os.sep}new_{kind}")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert [path.name for path in tmp_path.iterdir()] == [kind.rstrip(os.sep)]
