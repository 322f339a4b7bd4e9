"""The plotting library is kept for the next report, and made anew if what was kept is not whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plumbline.reports import library as kept

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """How often the script was made, in a folder of its own."""
    times: list[str] = []

    def make() -> str:
        times.append("made")
        return "script \N{EURO SIGN}\n2"

    monkeypatch.setattr(kept, "_made", make)
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path / "cache")
    return times


def test_it_is_made_once(made: list[str], tmp_path: Path) -> None:
    assert {kept.library.__wrapped__() for _ in range(3)} == {"script \N{EURO SIGN}\n2"}
    assert len(made) == 1
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert kept.library.__wrapped__() == "script \N{EURO SIGN}\n2"
    assert len(made) == 2
    file.write_bytes(b"\xff")
    assert kept.library.__wrapped__() == "script \N{EURO SIGN}\n2"


def test_a_folder_that_cannot_be_written_is_no_error(made: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    assert kept.library.__wrapped__() == kept.library.__wrapped__()
    assert len(made) == 2
