"""Functions of one's own: given as `module:function`, and which task they are for."""

from __future__ import annotations

import inspect
import re
import sys
from contextlib import redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, audits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.audits.scenes.scene import Scene
    from plumbline.metrics.registry import Task

MODULE: Final = re.compile(r"[\w.]*:[\w.]*")


def is_function(one: object) -> bool:
    """Whether it is a function or names one; names of metrics may have colons in parentheses."""
    return callable(one) or (isinstance(one, str) and MODULE.fullmatch(one) is not None)


def task_for(functions: Iterable[Callable[..., Any]], scenes: Iterable[Scene]) -> Task | None:
    """The task whose functions have the same parameters, or as no other task so many of them; none if that does not tell."""
    wanted = {tuple(scene.parameters): scene.task for scene in scenes}
    found = {_fitting(_parameters(function), wanted) for function in functions}
    return found.pop() if len(found) == 1 else None


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Those that must be given."""
    try:
        told = inspect.signature(function).parameters.values()
    except ValueError:
        return ()
    positional = [one for one in told if one.kind in {one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD}]
    return tuple(one.name for one in positional if one.default is one.empty)


def _fitting(parameters: tuple[str, ...], wanted: dict[tuple[str, ...], Task]) -> Task | None:
    if parameters in wanted:
        return wanted[parameters]
    alike = [task for names, task in wanted.items() if len(names) == len(parameters)]
    return alike[0] if len(alike) == 1 else None


def loaded(name: str, signature: str) -> Callable[..., Any]:
    """The function of this name; modules of the current folder are found."""
    module, _, path = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        with redirect_stdout(sys.stderr):  # results go to stdout, and nothing else
            found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anything can happen in a module of somebody else
        raise BadUsage(audits.cannot_load(name, f"{type(error).__name__}: {error}", signature)) from None
    if not callable(found):
        raise BadUsage(audits.cannot_load(name, "it is not a function", signature))
    return found  # type: ignore[no-any-return]  # whatever can be called
