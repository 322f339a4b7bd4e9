"""What takes long is said on a terminal, and nowhere else."""

from __future__ import annotations

import io
from contextlib import redirect_stderr
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from rich.progress import Progress

from plumbline.cli import progress
from plumbline.cli.app import run
from plumbline.io.bytes.on_disk import LISTENERS
from tests.helpers.command_line import RUN, write_pair

if TYPE_CHECKING:
    from pathlib import Path


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that were shown, of small files that are read like large ones."""
    write_pair(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plumbline.io.bytes.content.SMALL", 0)
    monkeypatch.setattr("plumbline.io.bytes.on_disk.PORTION", 50)
    shown: list[str] = []
    for name in ("add_task", "update"):
        monkeypatch.setattr(Progress, name, _recorded(getattr(Progress, name), shown))
    return shown


def on_terminal(command: str) -> int:
    with redirect_stderr(Terminal()):
        return run(command.split())


def _recorded(method: Any, shown: list[str]) -> Any:
    def recorded(self: Progress, *arguments: Any, **named: Any) -> Any:
        shown.append(named.get("description") or arguments[0])
        return method(self, *arguments, **named)

    return recorded


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("convert run.txt out.csv", "converting"),
        ("check run.txt", "checking"),
        ("evaluate qrels.txt run.txt", "evaluating"),
        ("compare qrels.txt run.txt b=run.txt", "evaluating"),
    ],
)
def test_how_much_of_a_file_is_read(command: str, what: str, lines: list[str]) -> None:
    assert on_terminal(command) == 0
    assert lines[0] == what
    shares = [line for line in lines if line.startswith("reading run.txt: ")]
    assert f"reading run.txt: {50 / len(RUN):.0%}" in shares
    assert shares[-1] == "reading run.txt: 100%"
    assert not progress.SHOWN
    assert not LISTENERS


def test_how_many_systems_are_read(lines: list[str]) -> None:
    assert on_terminal("evaluate qrels.txt run.txt b=run.txt") == 0
    assert [line for line in lines if line.startswith("systems")] == [f"systems read: {number} of 2" for number in range(3)]


def test_nothing_is_left_after_an_error(lines: list[str]) -> None:
    assert on_terminal("evaluate qrels.txt run.txt nothing.txt") == 2
    assert "reading run.txt: 100%" in lines
    assert not progress.SHOWN
    assert not LISTENERS


def test_nothing_is_said_elsewhere(lines: list[str]) -> None:
    with redirect_stderr(io.StringIO()) as written:
        assert run(["evaluate", "qrels.txt", "run.txt"]) == 0
    assert lines == []
    assert "reading" not in written.getvalue()


def test_it_appears_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.cli.progress.PATIENCE", 0.0)
    started = Event()
    monkeypatch.setattr(Progress, "start", lambda _: started.set())
    with redirect_stderr(Terminal()), progress.working("counting"), progress.working("and more"):
        (bar,) = progress.SHOWN
        assert [task.description for task in bar.tasks] == ["counting", "and more"]
        assert started.wait(60)
