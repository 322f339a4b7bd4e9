"""plumbline: which system is better, by which measure, and would the verdict survive?

The public names are listed in `__init__.pyi`, once; each is imported when it is first used, so that `import plumbline` is
instant. Lines of that list have one form, so that reading them takes less time than parsing Python.
"""

import os
from importlib import import_module

_LIST = __spec__.loader.get_data(os.path.join(__path__[0], "__init__.pyi")).decode()  # noqa: PTH118 - pathlib takes long to import
_HOMES = {
    name: f"{__name__}{module}"
    for line in _LIST.splitlines()
    if line.startswith("from .")
    for module, _, name in [line.removeprefix("from ").rpartition(" as ")[0].partition(" import ")]
}
"""The module of each public name."""

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names of the list


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        near = [known for known in __all__ if name in known]
        message = f"module {__name__!r} has no attribute {name!r}{f': did you mean {near[0]}?' if near else ''}"
        raise AttributeError(message)
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__.copy()
