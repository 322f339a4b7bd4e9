"""Native code prints a trace when it meets damaged data; the program says it in a sentence instead.

The text goes to the standard error of the process, not through Python. So this is done in the program only: a library leaves
the streams of its caller alone.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_STDERR: Final = 2
_ONE_AT_A_TIME: Final = Lock()
_owner: Final = {"program": False}


def this_is_the_program() -> None:
    """The standard error of this process is ours."""
    _owner["program"] = True


@contextmanager
def without_panic_message(panic: type[BaseException]) -> Iterator[None]:
    """Hold back what is written to standard error, and drop it if the block ends in a panic."""
    if not _owner["program"]:
        yield
        return
    from tempfile import TemporaryFile

    with _ONE_AT_A_TIME, TemporaryFile() as held:
        sys.stderr.flush()
        real = os.dup(_STDERR)
        os.dup2(held.fileno(), _STDERR)
        dropped = False
        try:
            yield
        except panic:
            dropped = True
            raise
        finally:
            os.dup2(real, _STDERR)
            os.close(real)
            if not dropped and held.seek(0, os.SEEK_END):
                held.seek(0)
                os.write(_STDERR, held.read())
