"""How judgements are read, from the options of public functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, usage
from plumbline.io.judgements.read import JudgementOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCALE: Final = re.compile(r"\s*(-?[\d.]+)\s*(?:-|\.\.|to|,)\s*(-?[\d.]+)\s*")
READING: Final = ("reader", "columns", "on_duplicate", "repeats", "out_of_scale", "label_separator", "max_bytes", "reference")


def reading(given: Mapping[str, Any]) -> JudgementOptions:
    """How judgements are read, from options that were checked."""
    levels = given.get("levels")
    names = [levels] if isinstance(levels, (str, int)) else list(levels or ())
    return JudgementOptions(
        **{name: given[name] for name in READING if name in given},
        levels=[str(one) for one in names],
        scale=scale_bounds(given.get("scale")),
    )


def scale_bounds(text: str | None) -> tuple[float, float] | None:
    """The lowest and the highest grade of `0-3`."""
    if text is None:
        return None
    match = _SCALE.fullmatch(text)
    if match is None or float(match[1]) >= float(match[2]):
        raise BadUsage(usage.bad_object(f"the scale {text!r}", "the lowest and the highest grade, such as 0-3"))
    return float(match[1]), float(match[2])
