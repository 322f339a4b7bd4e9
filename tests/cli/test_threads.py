"""evaluate() from eight threads at once gives what one thread gives, for every task, also where nothing is imported yet."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.helpers import thread_worlds

COLD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from tests.helpers.thread_worlds import WORLDS, evaluated
with ThreadPoolExecutor(8) as threads:
    several = list(threads.map(evaluated, [name for name in WORLDS for _ in range(4)]))
alone = [evaluated(name) for name in WORLDS for _ in range(4)]
sys.exit(several != alone)
"""


def test_eight_threads_in_a_warm_process() -> None:
    names = [name for name in thread_worlds.WORLDS for _ in range(8)]
    alone = [thread_worlds.evaluated(name) for name in names]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(thread_worlds.evaluated, names)) == alone


@pytest.mark.slow
def test_eight_threads_where_nothing_is_imported_yet() -> None:
    ended = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stderr[-2000:]
