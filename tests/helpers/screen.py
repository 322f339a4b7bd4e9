"""The program inside the test, as if both of its streams were a terminal of a given width."""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from plumbline.cli.app import run

_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_screen(columns: int, *words: str) -> tuple[int, list[str]]:
    """The exit code, and the lines that `plumbline WORDS` shows: results, then notices, without colours."""
    out, err = _Screen(), _Screen()
    size = {"COLUMNS": str(columns), "TERM": "dumb"}
    with mock.patch.dict(os.environ, size), redirect_stdout(out), redirect_stderr(err):
        code = run(list(words))
    return code, _STYLE.sub("", out.getvalue() + err.getvalue()).split("\n")
