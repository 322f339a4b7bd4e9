"""How the program ends: at once, unless something waits for the end of the interpreter."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.helpers.command_line import write_pair

if TYPE_CHECKING:
    from pathlib import Path

WATCHED = """
import os, sys
from plumbline.cli.program import main

def at_once(code, leave=os._exit):
    os.write(1, b"at once")
    leave(code)

os._exit = at_once
"""


def _ended(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    program = f"{WATCHED}{script}\nmain()"
    return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False)


def test_objects_are_left_as_they_are(tmp_path: Path) -> None:
    ended = _ended("", "evaluate", *write_pair(tmp_path), "-m", "AP")
    assert ended.returncode == 0
    assert "3 cases" in ended.stdout
    assert ended.stdout.endswith("at once")


@pytest.mark.parametrize("module", ["plumbline.cli.app", "click", "plumbline.cli.commands.evaluate"])
def test_interrupted_while_it_starts(module: str) -> None:
    script = f"""
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
"""
    ended = _ended(script, "evaluate", "gold", "output")
    assert ended.returncode == 130
    assert ended.stderr.split() == ["interrupted"]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("import atexit; atexit.register(print, 'put off')", "put off\n"),
        ("sys.setprofile(lambda *_: None)", "plumbline 0.1.0\n"),
    ],
)
def test_what_was_put_off_is_done(tmp_path: Path, script: str, message: str) -> None:
    ended = _ended(script, "evaluate", *write_pair(tmp_path), "-m", "AP")
    assert ended.returncode == 0
    assert ended.stdout.endswith(message)
