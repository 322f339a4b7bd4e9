"""What the modules of a package declare, read from their text: names can be listed without importing what they stand for."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import import_module
from typing import Any, Final


@cache
def module_texts(package: str) -> dict[str, str]:
    """The text of every module of a package by the name of the module; the package itself is imported, its modules are not."""
    paths = module_paths(package)
    if paths is None:
        return _packed_texts(package)
    texts = {}
    for name, path in paths.items():
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import than all files take to read
            texts[name] = file.read()
    return texts


@cache
def module_paths(package: str) -> dict[str, str] | None:
    """The file of every module of a package by the name of the module; None if the package is not in a folder."""
    folders = import_module(package).__path__
    if not all(map(os.path.isdir, folders)):
        return None
    return dict(module for folder in folders for module in _modules_in(folder))


def _modules_in(folder: str) -> list[tuple[str, str]]:
    """The modules and packages of a folder, by name."""
    modules = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name, _, ending = entry.name.partition(".")
            if ending == "py" and name != "__init__":
                modules.append((name, entry.path))
            elif not ending and os.path.isfile(start := os.path.join(entry.path, "__init__.py")):  # noqa: PTH113, PTH118 - pathlib is slow to import
                modules.append((name, start))
    return sorted(modules)


def import_all(package: str) -> None:
    """Import every module and package that is directly in a package, so that what they declare is known."""
    from pkgutil import iter_modules  # noqa: PLC0415 - slow to import, and not needed where a single module is

    for module in iter_modules(import_module(package).__path__, f"{package}."):
        import_module(module.name)


def _packed_texts(package: str) -> dict[str, str]:
    """The same for a package that is not in a folder: in a zip file, say."""
    from pkgutil import iter_modules  # noqa: PLC0415 - slow to import, and hardly ever needed

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
    calls = [text for source in sources for _, text in use.findall(source)]
    return {re.search(_NAME, call)[1]: _constants(call) for call in calls}  # type: ignore[index]  # each begins with a name


_NAME: Final = r'"([^"]*)"'
_INNER: Final = r"\([^()]*\)"
_FACT: Final = r'(\w+)=(?:"([^"]*)"|(True|False|None)|(-?\d+))\s*[,)]'
_WORDS: Final = {"True": True, "False": False, "None": None}


def _constants(call: str) -> dict[str, Any]:
    """The keywords of a call that are texts, words or whole numbers; parsing would take longer than all the rest of help."""
    inside, replaced = call.partition("(")[2], 1
    while replaced:
        inside, replaced = re.subn(_INNER, "", inside)
    facts = re.findall(_FACT, inside)
    return {name: _WORDS[word] if word else int(digits) if digits else text for name, text, word, digits in facts}
