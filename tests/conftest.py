"""What holds for every test: any order, any environment, the same examples on every machine.

Tests run in a random order (pytest-randomly prints the seed; `pytest --randomly-seed=N` repeats one), so each
starts from the same state and leaves none behind. Hypothesis draws the same examples at every run, unless
`pytest --hypothesis-profile explore` asks for new ones.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from tests.helpers.examples import some_of

if TYPE_CHECKING:
    from collections.abc import Iterator

gc.set_threshold(100_000, 20, 20)  # thousands of tests share a process: collecting often took a tenth of the time
settings.register_profile("explore", deadline=None)
settings.register_profile("same everywhere", deadline=None, derandomize=True, max_examples=some_of(60))
settings.register_profile(
    "unshrunk", deadline=None, derandomize=True, max_examples=some_of(60), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("same everywhere")

TESTS = Path(__file__).parent
IN_MEMORY, ROOM = Path("/dev/shm"), 2**30  # noqa: S108 - pytest makes its own folder there
"""Where Linux keeps files in memory, and the bytes that should be free there: on a disk, small files take a tenth of the time
of all tests."""
FOR_TESTS = {"PLUMBLINE_SHARED", "PLUMBLINE_CHROMIUM"}
"""Variables that tell the tests where things are; all others would change what the program does."""
OF_THE_TERMINAL = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
OF_PYTHON = ("PYTHONDONTWRITEBYTECODE",)
"""Programs that tests start would compile every module again, a second each."""
LASTING: set[str] = set()
"""Modules that were looked at, and are not of temporary folders."""


os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for workers of xdist: threads that wait for a core keep another one busy

if not os.environ.get("TMPDIR") and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)


@pytest.fixture(scope="session", autouse=True)
def _plain_environment() -> None:
    """The settings of the person who runs the tests do not reach them."""
    for name in [name for name in os.environ if name.startswith("PLUMBLINE_")]:
        if name not in FOR_TESTS:
            del os.environ[name]
    for name in (*OF_THE_TERMINAL, *OF_PYTHON):
        os.environ.pop(name, None)


@pytest.fixture(autouse=True)
def _nothing_left_behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Folder, environment, search path and modules of temporary folders are as before the test."""
    folder, variables, path, modules = Path.cwd(), _variables(), list(sys.path), _place_in_modules()
    yield
    os.chdir(folder)
    if (left := _variables()) != variables:
        for name in left.keys() - variables.keys():
            del os.environ[name]
        os.environ.update(variables)
    sys.path[:] = path
    if _place_in_modules() != modules:
        _forget_temporary_modules(str(tmp_path_factory.getbasetemp()))


def _variables() -> dict[str, str]:
    """The environment without the name of the test and what happens in it, which pytest keeps there."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def _place_in_modules() -> tuple[int, str]:
    """How many modules there are, and the last one: a new one comes last. A set of all would take longer than most tests."""
    return len(sys.modules), next(reversed(sys.modules))


def _forget_temporary_modules(folder: str) -> None:
    """Forget the modules of files in this folder; those that were looked at before are none of them."""
    for name in sys.modules.keys() - LASTING:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
            del sys.modules[name]
        else:
            LASTING.add(name)


@cache
def _folder(path: Path) -> Path:
    """The folder of a file of tests right below `tests`."""
    return TESTS / path.relative_to(TESTS).parts[0] if path.is_relative_to(TESTS) else path.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a browser has the mark `browser`; the tests of a folder stand together, in their random order.

    What they share, such as an audit of all metrics, is then made by one process and not by each. The order of the folders
    is that of their first tests, and random, too.
    """
    folders: dict[Path, int] = {}
    for item in items:
        folders.setdefault(_folder(item.path), len(folders))
    items.sort(key=lambda item: folders[_folder(item.path)])
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
