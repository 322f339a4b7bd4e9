"""Folders are written completely or not at all, keep their rights, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plumbline.errors import BadUsage
from plumbline.io.bytes import folders
from plumbline.io.bytes.folders import replaced_folder

if TYPE_CHECKING:
    from pathlib import Path

WAYS = pytest.mark.parametrize("in_one_step", [True, False])
"""With and without an exchange of names by the system."""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights and signals")
KILLED = """
import os, signal, sys
from pathlib import Path
from plumbline.io.bytes.folders import replaced_folder
with replaced_folder(Path(sys.argv[1])) as folder:
    (folder / "new").write_text("half of it")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def _way(monkeypatch: pytest.MonkeyPatch, *, in_one_step: bool) -> None:
    if not in_one_step:
        monkeypatch.setattr(folders, "_exchanged", lambda _part, _path: False)


def _old(folder: Path) -> Path:
    path = folder / "set"
    path.mkdir()
    (path / "old").write_text("old")
    return path


@WAYS
def test_the_new_folder_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_one_step: bool
) -> None:
    _way(monkeypatch, in_one_step=in_one_step)
    path = _old(tmp_path)
    with replaced_folder(path) as folder:
        (folder / "new").write_text("new")
        assert [file.name for file in path.iterdir()] == ["old"]
    assert [file.name for file in path.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [path]


@POSIX
@WAYS
def test_rights_and_links_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_one_step: bool) -> None:
    _way(monkeypatch, in_one_step=in_one_step)
    path = _old(tmp_path)
    path.chmod(0o750)
    (tmp_path / "link").symlink_to(path)
    with replaced_folder(tmp_path / "link") as folder:
        (folder / "new").write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "link" / "new").read_text() == "new"


def test_a_failure_leaves_the_old_folder_and_nothing_else(tmp_path: Path) -> None:
    path = _old(tmp_path)
    with pytest.raises(ZeroDivisionError), replaced_folder(path) as folder:
        (folder / "new").write_text(str(1 / 0))
    with pytest.raises(BadUsage, match="E010"), replaced_folder(path) as folder:
        (folder / "no" / "such" / "folder").write_text("")
    assert [file.name for file in path.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [path]


@POSIX
def test_a_kill_leaves_the_old_folder_and_the_next_writer_removes_the_rest(tmp_path: Path) -> None:
    """A part of a living writer is not touched, however old it is."""
    path = _old(tmp_path)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [file.name for file in path.iterdir()] == ["old"]
    (left,) = (one for one in tmp_path.iterdir() if one != path)
    os.utime(left, (0, 0))
    with folders._locked(left), replaced_folder(path):  # noqa: SLF001 - as the writer has it
        assert left.exists()
    assert left.exists()
    with replaced_folder(path):
        assert not left.exists()
