"""Where the program starts and ends.

A small command consists of imports, whose objects stay until the end, so that looking for garbage among them is idle, and so
is taking them apart before the system does.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Final, NoReturn

FEW_COLLECTIONS: Final = (100_000, 20, 20)
"""Thresholds of the garbage collector."""
INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells count it."""
ROOM_FOR_FRAMES: Final = 2**14
"""Words for the frames of functions that call each other."""


def main() -> NoReturn:
    """Run the program; before anything is imported collections become rare, and nothing is left for those of the end.

    The interpreter maps memory for frames in pieces of 16 KiB, and gives a piece back as soon as it is empty: a loop that
    begins where a piece ends does both at every call. A function with a large frame gets a piece in which all others fit.
    """
    gc.set_threshold(*FEW_COLLECTIONS)
    try:
        from plumbline.cli import app

        app.main()
    except KeyboardInterrupt:  # while the program is imported, or after it has ended
        sys.stderr.write("\ninterrupted\n")
        sys.exit(INTERRUPTED)
    except MemoryError:  # too little is left even to say so in the usual way
        os.write(2, b"there is not enough memory for this\n")
        os._exit(2)
    except SystemExit as end:
        _leave(end.code)
        raise
    finally:
        gc.freeze()


def _leave(code: object) -> None:
    """End now, unless something has been put off until the interpreter ends, or a profiler is about to report."""
    if isinstance(code, int) and not atexit._ncallbacks() and sys.getprofile() is None:  # noqa: SLF001 - nothing else tells
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


main.__code__ = main.__code__.replace(co_stacksize=ROOM_FOR_FRAMES)
