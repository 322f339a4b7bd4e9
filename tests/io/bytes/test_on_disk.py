"""Large files stay on disk: slices are those of the bytes, and a file that is cut meanwhile is an error, not a crash."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.errors import BadData
from plumbline.io.bytes.content import load
from plumbline.io.bytes.digests import digest_of, recording
from plumbline.io.bytes.on_disk import OnDisk, progress_to
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.command_line import QRELS, RUN
from tests.helpers.fuzzing import sane

if TYPE_CHECKING:
    from pathlib import Path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows cuts no file that is open")
KINDS: dict[str, Literal["scores", "labels", "clusters", "levels"]] = {
    "ranking": "scores",
    "filtering": "labels",
    "classification": "labels",
    "clustering": "clusters",
    "organization": "levels",
}


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read like large ones, a few bytes at a time."""
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 0)
    monkeypatch.setattr("plumbline.io.bytes.on_disk.PORTION", 50)


@given(
    st.binary(min_size=1, max_size=40),
    st.slices(45),
    st.tuples(st.integers(0, 45), st.integers(0, 45)),
    st.one_of(st.binary(min_size=1, max_size=3), st.sampled_from([b"\x00", b"\x00\x00"])),
    st.sampled_from([3, 7, 50]),
)
def test_slices_and_searches_are_those_of_the_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, part: slice, bounds: tuple[int, int], sought: bytes, portion: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "file"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as monkeypatch, path.open("rb") as file:
        monkeypatch.setattr("plumbline.io.bytes.on_disk.PORTION", portion)
        there = OnDisk(file, "file")
        assert there[part] == data[part]
        assert (there[0], there[-1], bytes(there), len(there)) == (data[0], data[-1], data, len(data))
        assert there.rfind(data[:1], *bounds) == data.rfind(data[:1], *bounds)
        assert there.find(sought, bounds[0]) == data.find(sought, bounds[0])
        assert (sought in there) == (sought in data)
        assert b"".join(there.portions()) == data


@POSIX
@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize(("task", "form"), sorted(sane()))
@pytest.mark.parametrize("left", [0, 10])
def test_a_file_of_any_format_that_is_cut_after_it_was_opened(task: str, form: str, left: int, tmp_path: Path) -> None:
    """It is refused; a crash would end the tests. What was unpacked before is read as it was."""
    path = tmp_path / "large"
    path.write_bytes(sane()[task, form][0])
    content = load(path)
    os.truncate(path, left)
    if not isinstance(content.data, OnDisk):
        assert len(read(content, "gold", ReadOptions(kind=KINDS[task])).frame)
        return
    with pytest.raises(BadData, match="E012 the file became shorter while it was read"):
        read(content, "gold", ReadOptions(kind=KINDS[task]))


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize(("task", "form"), sorted(sane()))
def test_every_format_is_read_as_from_memory(task: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large"
    path.write_bytes(sane()[task, form][0])
    from_disk = read(path, "gold", ReadOptions(kind=KINDS[task]))
    monkeypatch.undo()
    from_memory = read(path, "gold", ReadOptions(kind=KINDS[task]))
    assert from_disk.frame.equals(from_memory.frame)
    rows = list(range(len(from_disk.frame)))
    assert from_disk.origin.places(rows, "item") == from_memory.origin.places(rows, "item")


@pytest.mark.usefixtures("on_disk")
def test_digest_and_emptiness(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS, encoding="utf-8")
    with recording() as record:
        assert isinstance(load(path).data, OnDisk)
    assert record[path] == digest_of(path)
    path.write_bytes(b"")
    with pytest.raises(BadData, match="E001"):
        load(path)


@POSIX
def test_a_small_file_that_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS, encoding="utf-8")
    content = load(path)
    os.truncate(path, 0)
    assert bytes(content.data).decode() == QRELS


@pytest.mark.usefixtures("on_disk")
def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In steps up to the size of the file, and only inside the block."""
    monkeypatch.setattr("plumbline.io.bytes.blocks.BLOCK", 40)
    path, steps = tmp_path / "run.txt", list[tuple[str, int, int]]()
    path.write_text(RUN, encoding="utf-8")
    with progress_to(lambda *step: steps.append(step)):
        read(path, "output")
    assert {(label, size) for label, _, size in steps} == {(str(path), len(RUN))}
    assert max(done for _, done, _ in steps) == len(RUN)
    assert len({done for _, done, _ in steps}) > 4
    steps_so_far = len(steps)
    read(path, "output")
    assert len(steps) == steps_so_far


def test_progress_is_told_every_eight_mebibytes(tmp_path: Path) -> None:
    path, steps = tmp_path / "large", list[int]()
    with path.open("wb+") as file:
        file.truncate(20 * 2**20)
        content = OnDisk(file, "large")
    assert len(bytes(content)) == 20 * 2**20
    with progress_to(lambda _, done, __: steps.append(done)):
        assert len(bytes(content)) == 20 * 2**20
    assert steps == [8 * 2**20, 16 * 2**20, 20 * 2**20]
