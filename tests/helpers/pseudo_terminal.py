"""The program on a real pseudo-terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(columns: int, *words: str, folder: Path) -> list[str]:
    """The lines that `plumbline WORDS` prints on a terminal of so many columns, without colours and progress."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES", "NO_COLOR"}}
    environment["TERM"] = "xterm"
    command = [sys.executable, "-m", "plumbline", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, cwd=folder):
        os.close(theirs)
        printed = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return _STYLE.sub("", printed.decode()).replace("\r\n", "\n").split("\n")


def _read(terminal: int) -> bytes:
    """What the terminal shows next; nothing once the program has ended."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
