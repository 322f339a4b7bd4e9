"""The public names: one list, which imports lazily and is what type checkers see."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import plumbline

ROOT = Path(__file__).parents[2]
GUIDE = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))]
PUBLIC_MODULES = {f"plumbline.demo.{name}" for name in ("tweets", "labels", "collection")}
"""Modules that RELEASING.md calls public beside the package itself."""
FUNCTIONS = [name for name in dir(plumbline) if name.islower() and not name.startswith("_")]


@pytest.mark.parametrize("name", [name for name in dir(plumbline) if name != "__version__"])
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(plumbline, name).__name__ == name


def test_public_functions_stay_functions_whatever_is_imported() -> None:
    homes = {getattr(plumbline, name).__module__ for name in FUNCTIONS}
    code = f"import plumbline, {', '.join(homes)}; print([n for n in {FUNCTIONS!r} if not callable(getattr(plumbline, n))])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


@pytest.mark.parametrize("page", GUIDE, ids=lambda page: page.name)
def test_the_guide_imports_only_what_is_public(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    modules = re.findall(r"(?:from|import) (plumbline[\w.]*)", text)
    assert {module for module in modules if module != "plumbline"} <= PUBLIC_MODULES
    named = re.findall(r"from plumbline import ([\w, ]+)", text)
    assert {name.strip() for names in named for name in names.split(",")} <= set(dir(plumbline))


def test_names_that_are_not_public_are_refused() -> None:
    with pytest.raises(AttributeError, match="evalute"):
        _ = plumbline.evalute  # type: ignore[attr-defined]  # misspelt on purpose


def test_who_calls_the_package_of_metrics_reads_what_to_call() -> None:
    plumbline.all_metrics()
    with pytest.raises(TypeError, match=r"plumbline\.all_metrics\(task\)"):
        plumbline.metrics("ranking")  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'evaluat': did you mean evaluate"):
        plumbline.evaluat  # type: ignore[attr-defined]  # noqa: B018 - asked for


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, plumbline; print({'numpy', 'polars', 'scipy', 'rich', 'click'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
