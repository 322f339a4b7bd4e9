"""On which lines of a JSON file the elements of its outermost list or object start."""

from __future__ import annotations

import json
import re
from typing import Final

_GAP: Final = re.compile(r"[\s,:]*")


def element_lines(text: str) -> list[int]:
    """A line for each element, or for the key of each; the text is JSON that was read already."""
    position = _end_of_gap(text, 0)
    keyed = text[position] == "{"
    scan = json.JSONDecoder().raw_decode
    lines, line, counted = [], 1, 0
    position = _end_of_gap(text, position + 1)
    while text[position] not in "]}":
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        for _ in range(2 if keyed else 1):
            _, position = scan(text, _end_of_gap(text, position))
        position = _end_of_gap(text, position)
    return lines


def _end_of_gap(text: str, position: int) -> int:
    """Where the next value starts: after white space, commas and colons."""
    gap = _GAP.match(text, position)
    return position if gap is None else gap.end()
