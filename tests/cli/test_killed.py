"""A program that is killed, interrupted or out of space leaves the old file or the new one, and nothing else.

The program runs as people run it. Killed at random moments it is mostly killed while it starts, so it is also killed at
every single step of writing: each call that opens, links, renames or removes something in the folder of the output.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.helpers.command_line import write_pair

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals"), pytest.mark.slow]

KILLS = int(os.environ.get("PLUMBLINE_KILLS", "4"))
"""How often the program is killed at a random moment, all commands together."""
OLD = b"the old file"
COMMANDS = {
    "evaluate": ("evaluate", "qrels.txt", "run.txt", "--force", "-o", "out/scores.csv"),
    "save": ("evaluate", "qrels.txt", "run.txt", "--force", "-o", "out/scores.parquet"),
    "convert": ("convert", "run.txt", "out/run.csv", "--force"),
    "report": ("report", "qrels.txt", "a=run.txt", "b=run.txt", "--force", "-o", "out/report.html"),
}
STEPS = """
import os, signal, sys
from plumbline.cli.app import main
signal.signal(signal.SIGINT, signal.default_int_handler)
folder, last, number = os.path.realpath("out"), int(sys.argv.pop(1)), signal.Signals(int(sys.argv.pop(1)))
steps = 0

def step(event, arguments):
    global steps
    by_name = event in {"open", "os.link", "os.rename"} and any(folder in os.path.abspath(str(one)) for one in arguments[:2])
    if by_name or event in {"os.chmod", "os.chown"}:
        steps += 1
        if steps == last:
            os.kill(os.getpid(), number)

sys.addaudithook(step)
main()
"""
"""The program, which sends itself a signal at one step of writing."""


@pytest.fixture(params=list(COMMANDS))
def command(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, ...]:
    """A command that overwrites the only file of a folder."""
    write_pair(tmp_path)
    words = COMMANDS[request.param]
    target = tmp_path / next(word for word in words if word.startswith("out/"))
    target.parent.mkdir()
    target.write_bytes(OLD)
    return words


def _left(folder: Path) -> bytes:
    """The one file that is there."""
    (only,) = (folder / "out").iterdir()
    assert not only.name.endswith(".part")
    return only.read_bytes()


def _remove_part(folder: Path) -> None:
    """Who is killed after the new file got a name and before it got the right one leaves it; the next writer removes it."""
    for part in (folder / "out").glob(".*.part"):
        part.unlink()


def _reset(folder: Path) -> None:
    (only,) = (folder / "out").iterdir()
    only.write_bytes(OLD)


def _run(words: list[str], folder: Path, prepare: Callable[[], None] | None = None) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}  # compiled modules would be cut short as well, and stay so
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=False, timeout=120, preexec_fn=prepare)


@pytest.mark.parametrize("command", [*COMMANDS][: max(1, min(KILLS // 2, len(COMMANDS)))], indirect=True)
def test_killed_at_random_moments(command: tuple[str, ...], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "plumbline", *command]
    start = time.monotonic()
    ended = _run(words, tmp_path)
    needed = time.monotonic() - start
    assert ended.returncode == 0, ended.stderr.decode()
    new = _left(tmp_path)
    assert new != OLD
    moments = random.Random(24)  # noqa: S311 - no secret
    for _ in range(max(2, KILLS // len(COMMANDS))):
        _reset(tmp_path)
        with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            try:
                running.wait(moments.uniform(0.5 * needed, 1.05 * needed))
            except subprocess.TimeoutExpired:
                running.kill()
        _remove_part(tmp_path)
        left = _left(tmp_path)
        assert left == OLD or len(left) == len(new)  # a report says when it was made


@pytest.mark.parametrize("command", ["evaluate"], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_stopped_at_every_step_of_writing(number: signal.Signals, command: tuple[str, ...], tmp_path: Path) -> None:
    outcomes = []
    for step in range(1, 30):
        _reset(tmp_path)
        ended = _run([sys.executable, "-c", STEPS, str(step), str(int(number)), *command], tmp_path)
        if number == signal.SIGKILL:
            _remove_part(tmp_path)
        outcomes.append((ended.returncode, _left(tmp_path) == OLD))
        if number == signal.SIGINT and ended.returncode:
            assert ended.stderr.decode().split() == ["interrupted"]
        if ended.returncode == 0:
            break
    *stopped, last = outcomes
    assert last == (0, False), outcomes
    assert {code for code, _ in stopped} <= {-int(number), 130}
    assert stopped[0][1]
    assert len(stopped) > 2


def test_no_space_left(command: tuple[str, ...], tmp_path: Path) -> None:
    """The system lets no file grow beyond a few bytes."""
    import resource  # noqa: PLC0415 - not on Windows

    words = [sys.executable, "-m", "plumbline", *command]
    ended = _run(words, tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)))
    assert ended.returncode == 2
    assert b"E010 File too large" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert _left(tmp_path) == OLD
