"""Tables of scores given as text, and what is said about them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from plumbline.comparison.reading import read_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.comparison.cube import Cube
    from plumbline.errors import Diagnostic


def codes(notices: Sequence[Diagnostic]) -> list[str]:
    """What was said, without how files were read."""
    return [notice.code for notice in notices if notice.code != "N212"]


def message_of(notices: Sequence[Diagnostic], code: str) -> str:
    (one,) = (notice for notice in notices if notice.code == code)
    return str(one)


def of(text: str, **options: Any) -> tuple[Cube, tuple[Diagnostic, ...]]:
    return read_scores(io.StringIO(text), **options)
