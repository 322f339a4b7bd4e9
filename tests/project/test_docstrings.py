"""Everything public says what it takes and returns, and shows an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
import shutil
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NAMES = [name for name in dir(plumbline) if not name.startswith("_")]
SECTION = r"^{}:\n((?:(?:    .*)?\n?)+)"


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that plumbline gives a class, as functions."""
    for name in sorted({name for base in owner.__mro__ if base.__module__.startswith("plumbline") for name in vars(base)}):
        member = inspect.getattr_static(owner, name)
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | cached_property)):
            yield name, member


def _section(doc: str, title: str) -> str:
    match = re.search(SECTION.format(title), doc, re.MULTILINE)
    return match[1] if match else ""


def _gaps_of_function(function: Any) -> Iterator[str]:
    doc, signature = inspect.getdoc(function) or "", inspect.signature(function)
    described = _section(doc, "Args")
    for parameter in signature.parameters.values():
        if parameter.name not in {"self", "cls"} and not re.search(
            rf"^    \*{{0,2}}{parameter.name}\b.*:", described, re.MULTILINE
        ):
            yield f"no {parameter.name} in Args"
    returns = signature.return_annotation not in {None, "None", inspect.Signature.empty}
    takes = [name for name in signature.parameters if name not in {"self", "cls"}]
    if returns and takes and not (_section(doc, "Returns") or _section(doc, "Yields")):
        yield "no Returns"


def _gaps(name: str) -> Iterator[str]:
    """What the docstrings of a public name lack."""
    value = getattr(plumbline, name)
    doc = value.__doc__ or ""
    if not doc or (inspect.isclass(value) and doc.startswith(f"{name}(")):
        yield f"{name}: no docstring"
    if ">>> " not in doc:
        yield f"{name}: no example"
    if not inspect.isclass(value):
        yield from (f"{name}: {gap}" for gap in _gaps_of_function(value))
        return
    for attribute, member in _members(value):
        if not inspect.getdoc(member):
            yield f"{name}.{attribute}: no docstring"
        elif inspect.isfunction(member):
            yield from (f"{name}.{attribute}: {gap}" for gap in _gaps_of_function(member))


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_described_in_full(name: str) -> None:
    assert sorted(set(_gaps(name))) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of a name and of its methods, in a copy of docs/examples."""
    monkeypatch.chdir(shutil.copytree(EXAMPLES, tmp_path / "examples"))
    monkeypatch.setenv("COLUMNS", "80")
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    result = doctest.DocTestFinder(exclude_empty=True).find(
        getattr(plumbline, name), name, globs={"plumbline": plumbline}, module=False
    )
    report: list[str] = []
    for example in result:
        runner.run(example, out=report.append)
    assert not runner.failures, "".join(report)
