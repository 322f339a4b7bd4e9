"""The public names: one list, which imports lazily and is what type checkers see."""

from __future__ import annotations

import subprocess
import sys

import pytest

import plumbline

FUNCTIONS = [name for name in dir(plumbline) if name.islower() and not name.startswith("_")]


@pytest.mark.parametrize("name", [name for name in dir(plumbline) if name != "__version__"])
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(plumbline, name).__name__ == name


def test_public_functions_stay_functions_whatever_is_imported() -> None:
    homes = {getattr(plumbline, name).__module__ for name in FUNCTIONS}
    code = f"import plumbline, {', '.join(homes)}; print([n for n in {FUNCTIONS!r} if not callable(getattr(plumbline, n))])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_names_that_are_not_public_are_refused() -> None:
    with pytest.raises(AttributeError, match="evalute"):
        _ = plumbline.evalute  # type: ignore[attr-defined]  # misspelt on purpose


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, plumbline; print({'numpy', 'polars', 'scipy', 'rich', 'click'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
