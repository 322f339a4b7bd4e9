"""Long names without their middle: names of systems often differ at the end alone, and tooltips have all of them.

Letters are cut, never pixels: a drawing that cuts a name to a width loses its end, and can break a letter in two.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LETTER: Final = 6.2
"""The usual width of a letter, in pixels."""
BESIDE: Final = 22
"""Letters of a name beside or in its mark."""
LONGEST: Final = 35
"""Letters of a name beside an axis or in a legend."""
FEWEST: Final = 5
"""No name is cut to less: two letters of each end."""
SHORT: Final = "short"
"""The field of a name as it is written beside its mark."""
_CUT: Final = re.compile(r"\^\(\.\{(\d+)\}\)\.\{2,\}\(\.\{(\d+)\}\)\$")
"""What an expression leaves of both ends."""
UNLIMITED: Final = 0
"""The width that Vega takes for any width."""


def clipped(name: str, longest: int = BESIDE) -> str:
    """A name of so many letters at most."""
    head, tail = _ends(longest)
    return name if len(name) <= longest else f"{name[:head]}…{name[-tail:]}"


def expression(longest: int, field: str = "label") -> str:
    """The same of a field of the data, or of the label of an axis or a legend, in words of Vega."""
    head, tail = _ends(longest)
    return f"replace(datum.{field}, regexp('^(.{{{head}}}).{{2,}}(.{{{tail}}})$', 'su'), '$1…$2')"


def short_labels(longest: int = LONGEST) -> dict[str, Any]:
    """The properties of an axis or a legend whose labels are names."""
    return {"labelExpr": expression(longest), "labelLimit": UNLIMITED}


def shorter_labels(properties: dict[str, Any], longest: int) -> dict[str, Any]:
    """An axis or a legend whose labels are cut to so many letters, unless they were cut to fewer already."""
    cut = _CUT.search(properties.get("labelExpr", ""))
    before = LONGEST if cut is None else int(cut[1]) + 1 + int(cut[2])
    return {**properties, **short_labels(min(longest, before))}


def letters(names: Iterable[str], pixels: float) -> int:
    """To how many letters names are cut so that none is wider."""
    given, count = list(names), max(int(pixels / LETTER), FEWEST)
    while count > FEWEST and any(text_width(clipped(name, count)) > pixels for name in given):
        count -= 1
    return count


def text_width(text: str) -> float:
    """About how wide a text is drawn; letters of East Asian scripts are twice as wide."""
    return LETTER * sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _ends(longest: int) -> tuple[int, int]:
    """The letters before and after the dots."""
    kept = max(longest, FEWEST) - 1
    return kept - kept // 2, kept // 2
