"""Every public name with its signature, as text, so that a change to the public interface is seen in a diff.

python docs/api.py            writes docs/api.txt
python docs/api.py --check    fails if docs/api.txt is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, Union, get_args, get_origin

import plumbline

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE: Final = Path(__file__).with_name("api.txt")
ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")


def public_names() -> list[str]:
    """The names that a user may import from plumbline, except the version."""
    return sorted(name for name in dir(plumbline) if not name.startswith("_"))


def api() -> str:
    """One line for each public function, class, attribute and method."""
    return "\n".join(line for name in public_names() for line in _lines(name, getattr(plumbline, name))) + "\n"


def _lines(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - whatever the public name stands for
    if not inspect.isclass(value):
        yield f"{name}{_signature(value)}" if callable(value) else f"{name}: {type(value).__name__}"
        return
    bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
    yield f"class {name}({bases})" if bases else f"class {name}"
    declared = {field.name: _text(field.type) for field in fields(value)} if is_dataclass(value) else {}
    for attribute, kind in declared.items():
        if not attribute.startswith("_"):
            yield f"{name}.{attribute}: {kind}"
    for attribute in sorted(set(_attributes(value)) - set(declared)):
        yield f"{name}.{attribute}{_member(inspect.getattr_static(value, attribute))}"


def _attributes(value: type) -> Iterator[str]:
    """The public attributes of a class that plumbline itself defines."""
    for owner in value.__mro__:
        if owner.__module__.split(".")[0] == "plumbline":
            yield from (name for name in [*vars(owner), *inspect.get_annotations(owner)] if not name.startswith("_"))


def _member(member: Any) -> str:  # noqa: ANN401 - whatever a class holds
    if isinstance(member, property):
        return f": {_returns(member.fget)}"
    if isinstance(member, cached_property):
        return f": {_returns(member.func)}"
    if isinstance(member, staticmethod | classmethod):
        return _signature(member.__func__)
    if inspect.isfunction(member):
        return _signature(member)
    return f": {type(member).__name__}"


class _Plain:
    """An annotation as text, which `inspect` prints as it is: Python versions differ in how they print types."""

    def __init__(self, annotation: Any) -> None:  # noqa: ANN401 - an annotation is text or a type
        self.text = _text(annotation)

    def __repr__(self) -> str:
        return self.text


def _signature(function: Any) -> str:  # noqa: ANN401 - anything that can be called
    signature = inspect.signature(function)
    missing = inspect.Signature.empty
    plain = signature.replace(
        parameters=[
            one if one.annotation is missing else one.replace(annotation=_Plain(one.annotation))
            for one in signature.parameters.values()
        ],
        return_annotation=missing if signature.return_annotation is missing else _Plain(signature.return_annotation),
    )
    return ADDRESS.sub("", str(plain))


def _returns(function: Any) -> str:  # noqa: ANN401 - the getter of a property
    return _text(inspect.get_annotations(function).get("return", "Any"))


def _text(annotation: Any) -> str:  # noqa: ANN401 - an annotation is text or a type
    if isinstance(annotation, str):
        return annotation
    if get_origin(annotation) in {Union, UnionType}:
        return " | ".join(map(_text, get_args(annotation)))
    return re.sub(r"\b(?:typing|collections\.abc)\.", "", inspect.formatannotation(annotation))


def main() -> None:
    """Write the list, or compare it with the one that is kept."""
    if "--check" not in sys.argv[1:]:
        FILE.write_text(api(), encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != api():
        sys.exit("docs/api.txt is out of date: run `python docs/api.py`, read the difference, and tell users in CHANGELOG.md")


if __name__ == "__main__":
    main()
