"""Defaults of commands from the `pyproject.toml` of the current folder.

A folder may come from anybody, so its file decides how things are computed and printed, and nothing else: what writes
files, overwrites them or lifts a limit is typed, or set in the environment, by the person at the keyboard.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NoReturn

import click

from plumbline.cli.catalogue import command_names
from plumbline.errors.base import nearest

FILE: Final = Path("pyproject.toml")
TYPED_ONLY: Final = ("force", "max_bytes")
"""Options that overwrite files or lift limits; those that take the path of a file to write are known by their type."""


def setting_name(option: click.Parameter) -> str:
    """An option is set under the name by which it is typed: `--on-duplicate` is `on_duplicate`."""
    return max(option.opts, key=len).lstrip("-").replace("-", "_")


def defaults_of(command: click.Command) -> dict[str, Any]:
    """Settings of a command under the names that click wants; one that no option has is an error, not a wish without effect.

    Hyphens are as good as underscores, and `metrics`, as it is called in Python, is as good as `metric`.
    """
    options = {setting_name(option): option for option in command.params if isinstance(option, click.Option)}
    otherwise = {str(option.name): option for option in options.values()} | options
    defaults: dict[str, Any] = {}
    for given, value in _settings().get(str(command.name), {}).items():
        option = otherwise.get(given.replace("-", "_"))
        if option is None:
            _refuse(f"{command.name} has no option {given!r}; it has {', '.join(options)}")
        if is_typed_only(option):
            _refuse(f"{given!r} is not taken from a file, because it decides what is written or which limits hold; type it")
        if option.name in defaults:
            _refuse(f"{command.name}: {given!r} is set twice")
        defaults[str(option.name)] = _as_typed(given, value, option)
    return defaults


def _as_typed(name: str, value: Any, option: click.Option) -> Any:
    """The value as it would be typed; one that cannot be typed is an error."""
    if option.is_flag:
        return value if isinstance(value, bool) else _refuse(f"{name!r} is true or false")
    several = option.multiple or option.nargs > 1
    values = value if several and isinstance(value, list) else [value]
    if any(isinstance(one, (list, dict)) for one in values):
        _refuse(f"{name!r} is text or a number{', or a list of these' if several else ''}")
    texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in values]
    return texts if several else texts[0]


def is_typed_only(option: click.Option) -> bool:
    """Whether an option names a file that is written or shown, overwrites one or lifts a limit."""
    return isinstance(option.type, click.Path) or option.name in TYPED_ONLY


def _settings() -> dict[str, dict[str, Any]]:
    """The tables below [tool.plumbline], one for each command; nothing else may be there."""
    tool = _document().get("tool", {})
    ours = tool.get("plumbline", {}) if isinstance(tool, dict) else {}
    if not isinstance(ours, dict):
        _refuse("plumbline is not a table; settings go below [tool.plumbline.COMMAND]")
    for name, value in ours.items():
        if not isinstance(value, dict):
            _refuse(
                f"{name!r} is directly below [tool.plumbline]; settings go below [tool.plumbline.COMMAND], such as evaluate"
            )
        if name not in command_names():
            _refuse(f"[tool.plumbline.{name}]: there is no command {name!r}{_near(name)}")
    return ours


def _document() -> dict[str, Any]:
    """The file as it stands; one that does not mention plumbline is not parsed, whatever else is in it."""
    if not FILE.is_file():
        return {}
    from plumbline.io.toml import parsed_toml, toml_text

    try:
        text = toml_text(FILE)
        return parsed_toml(text) if "plumbline" in text else {}
    except (OSError, ValueError) as error:
        _unreadable(str(error))


def _near(name: str) -> str:
    near = nearest(name, command_names(), n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(command_names())}"


def _refuse(reason: str) -> NoReturn:
    msg = f"{FILE}: {reason}"
    raise click.UsageError(msg)


def _unreadable(reason: str) -> NoReturn:
    msg = f"{FILE} cannot be read: {reason}"
    raise click.UsageError(msg)
