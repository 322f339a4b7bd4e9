"""The names of significance tests and corrections, read from the declarations without importing them.

Help pages list these names, and should not wait for NumPy and SciPy, which the tests themselves need.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

PACKAGE = "plumbline.comparison.significance"


def test_names() -> list[str]:
    """What `test=` and `--test` accept."""
    return sorted(_declared("significance_test"))


def pairwise_test_names() -> list[str]:
    """The tests of single pairs, without those that account for all pairs at once."""
    return sorted(name for name, facts in _declared("significance_test").items() if not facts.get("familywise"))


def correction_names() -> list[str]:
    """What `correction=` and `--correction` accept."""
    return sorted(_declared("correction"))


@cache
def _declared(decorator: str) -> dict[str, dict[str, Any]]:
    """The facts that each use of a decorator states, by the name that it declares."""
    found: dict[str, dict[str, Any]] = {}
    for module in iter_modules(import_module(PACKAGE).__path__):
        finder: Any = module.module_finder
        source = finder.find_spec(module.name).loader.get_source(module.name)
        if f"\n@{decorator}(" in source:
            found |= _uses(ast.parse(source), decorator)
    return found


def _uses(tree: ast.Module, decorator: str) -> dict[str, dict[str, Any]]:
    calls = [
        call
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for call in function.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == decorator
    ]
    return {ast.literal_eval(call.args[0]): _constants(call.keywords) for call in calls}


def _constants(keywords: list[ast.keyword]) -> dict[str, Any]:
    return {one.arg: one.value.value for one in keywords if one.arg and isinstance(one.value, ast.Constant)}
