"""Lets mkdocstrings render a section `Example:` as it renders `Examples:`, with the session as code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from griffe import Object


class Examples(griffe.Extension):
    """Renames the section when a docstring is loaded."""

    def on_object(self, *, obj: Object, **_: Any) -> None:  # noqa: ANN401 - what griffe passes on
        """Called for every function, class and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
