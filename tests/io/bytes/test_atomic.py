"""Files are written completely or not at all, keep their rights, and nothing is left behind."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from plumbline.errors import BadUsage
from plumbline.io.bytes import atomic
from plumbline.io.bytes.atomic import check_writable, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
WAYS = pytest.mark.parametrize("unnamed", [True, False], ids=["unnamed", "named"])
"""With and without files that have no name."""
LONG_AGO = 1_000_000


def _way(monkeypatch: pytest.MonkeyPatch, *, unnamed: bool) -> None:
    if not unnamed:
        monkeypatch.setattr(atomic, "_unnamed", lambda _folder, _rights: None)


def _write(path: Path, text: bytes = b"new") -> None:
    with write_atomically(path, force=True) as file:
        file.write(text)


@POSIX
@WAYS
@pytest.mark.parametrize("rights", [0o600, 0o640, 0o444, 0o755])
def test_a_file_that_is_replaced_keeps_its_rights(
    rights: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unnamed: bool
) -> None:
    _way(monkeypatch, unnamed=unnamed)
    path = tmp_path / "scores.csv"
    path.write_bytes(b"old")
    path.chmod(rights)
    _write(path)
    assert stat.S_IMODE(path.stat().st_mode) == rights
    assert path.read_bytes() == b"new"


@POSIX
@WAYS
def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unnamed: bool) -> None:
    _way(monkeypatch, unnamed=unnamed)
    (tmp_path / "other").write_bytes(b"")
    _write(tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").stat().st_mode == (tmp_path / "other").stat().st_mode


@WAYS
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unnamed: bool
) -> None:
    _way(monkeypatch, unnamed=unnamed)
    path = tmp_path / "scores.csv"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), write_atomically(path, force=True) as file:
        file.writelines([b"half of the new", None])  # type: ignore[list-item]  # a failure after the first line
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@POSIX
@WAYS
def test_what_killed_writers_left_is_removed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, unnamed: bool
) -> None:
    """A part of a living writer has a lock; parts of other files, and files that only look alike, are not ours."""
    import fcntl  # noqa: PLC0415 - not on Windows

    _way(monkeypatch, unnamed=unnamed)
    names = {
        "abandoned": ".scores.csv.0123abcd.part",
        "alive": ".scores.csv.00000000.part",
        "new": ".scores.csv.11111111.part",
        "of another file": ".scores.csv2.0123abcd.part",
        "alike": ".scores.csv.backup.part",
    }
    for name in names.values():
        (tmp_path / name).write_bytes(b"")
        if name != names["new"]:
            os.utime(tmp_path / name, (LONG_AGO, LONG_AGO))
    with (tmp_path / names["alive"]).open("rb") as living:
        fcntl.flock(living, fcntl.LOCK_EX)
        _write(tmp_path / "scores.csv")
    assert {path.name for path in tmp_path.iterdir()} == {*names.values(), "scores.csv"} - {names["abandoned"]}


def test_an_error_of_native_code_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E010 No space left on device\n"), write_atomically(tmp_path / "a", force=False):
        raise RuntimeError("ComputeError: No space left on device (os error 28)")  # noqa: EM101, TRY003 - as polars says it


def test_other_errors_are_not_called_errors_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="a bug"), write_atomically(tmp_path / "a", force=False):
        raise RuntimeError("a bug")  # noqa: EM101, TRY003 - a test


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    """Also where the same file is spelled in two ways."""
    one, other = tmp_path / "a.csv", tmp_path / "b.csv"
    check_writable(one, other, None, force=False)
    with pytest.raises(BadUsage, match="two outputs cannot be one file"):
        check_writable(one, tmp_path / "." / ".." / tmp_path.name / "a.csv", force=False)
    with pytest.raises(BadUsage, match="E010 No such file or directory"):
        check_writable(tmp_path / "nowhere" / "a.csv", force=True)
