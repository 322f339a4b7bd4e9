"""Large files are mapped: slices are those of the bytes, and a file that is cut meanwhile is an error, not a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.errors import BadData
from plumbline.io.bytes.content import SMALL, load
from plumbline.io.bytes.mapped import Mapped
from tests.helpers.command_line import QRELS

if TYPE_CHECKING:
    from pathlib import Path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows cuts no file that is mapped")
LINE = b"q1 Q0 item%07d %d %d.5 run\n"


@given(st.binary(min_size=1, max_size=40), st.slices(45), st.integers(0, 45), st.integers(0, 45))
def test_slices_are_those_of_the_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, part: slice, low: int, high: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "mapped"
    path.write_bytes(data)
    with path.open("rb") as file:
        mapped = Mapped(file, "mapped")
    assert mapped[part] == data[part]
    assert mapped[0] == data[0]
    assert mapped.rfind(data[:1], low, high) == data.rfind(data[:1], low, high)


@POSIX
def test_a_mapped_file_that_is_cut(tmp_path: Path) -> None:
    """In a process of its own: the system used to end it."""
    path = tmp_path / "large.run"
    path.write_bytes(b"".join(LINE % (number, number, number) for number in range(40_000)))
    assert path.stat().st_size > SMALL
    program = f"""
import os
from plumbline.errors import BadData
from plumbline.io.bytes.content import load
content = load({str(path)!r})
os.truncate({str(path)!r}, 10_000)
try:
    content.take(slice(0, 1_000_000))
except BadData as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.startswith(f"{path}: E012 the file became shorter while it was read\n")


@POSIX
def test_a_small_file_that_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS, encoding="utf-8")
    content = load(path)
    os.truncate(path, 0)
    assert bytes(content.data).decode() == QRELS


def test_a_mapped_file_is_read_like_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 0)
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS, encoding="utf-8")
    assert isinstance(load(path).data, Mapped)
    path.write_bytes(b"")
    with pytest.raises(BadData, match="E001"):
        load(path)
