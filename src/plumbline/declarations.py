"""What the modules of a package declare, read from their text: names can be listed without importing what they stand for."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def module_texts(package: str) -> dict[str, str]:
    """The text of every module of a package by the name of the module; the package itself is imported, its modules are not."""
    texts = {}
    for module in iter_modules(import_module(package).__path__):
        finder: Any = module.module_finder
        spec = finder.find_spec(module.name)
        texts[module.name] = spec.loader.get_data(spec.origin).decode().replace("\r\n", "\n")
    return texts


@cache
def declarations(package: str, declarer: str) -> dict[str, dict[str, Any]]:
    """The facts that each use of a decorator or class at the start of a line states as constants, by the name that it declares.

    Args:
        package: The full name of a package.
        declarer: The name of a decorator or class whose first argument is a name.

    Returns:
        For `@metric("AP", linear=True)`: `{"AP": {"linear": True}}`.
    """
    use = re.compile(rf"^(?! +@)( *)@?({declarer}\((?:.*\)|\n(?:\1 .*\n)*\1\))),?$", re.MULTILINE)
    sources = [source for source in module_texts(package).values() if f"{declarer}(" in source]
    calls = [_call(text) for source in sources for _, text in use.findall(source)]
    return {ast.literal_eval(call.args[0]): _constants(call.keywords) for call in calls}


def _call(text: str) -> ast.Call:
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call):
        message = f"{text} is no call"
        raise TypeError(message)
    return call


def _constants(keywords: list[ast.keyword]) -> dict[str, Any]:
    return {one.arg: one.value.value for one in keywords if one.arg and isinstance(one.value, ast.Constant)}
