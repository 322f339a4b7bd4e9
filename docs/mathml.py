"""The formulas of the metrics as MathML, which browsers draw by themselves: no script, no network.

Only the part of LaTeX that the docstrings use is known; anything else is an error, so that no formula is drawn wrongly.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

PIECE: Final = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|[A-Za-z]+|\s+|.", re.DOTALL)
SYMBOLS: Final = {
    "cdot": "·",
    "neg": "¬",
    "cup": "&#8746;",
    "cap": "&#8745;",
    "in": "&#8712;",
    "ne": "≠",
    "le": "≤",
    "ge": "≥",
    "iff": "⟺",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "sum": "∑",
    "int": "∫",
    "prod": "∏",
    "{": "{",
    "}": "}",
}
LETTERS: Final = {"lambda": "&#955;", "alpha": "&#945;", "beta": "&#946;", "epsilon": "&#949;", "pi": "&#960;"}
FUNCTIONS: Final = ("min", "max", "log", "ln", "exp", "cos")
SPACES: Final = {"quad": "1em", " ": "0.3em", ",": "0.2em"}
LARGE: Final = ("sum", "prod", "min", "max")
"""What takes its limits below and above."""
IGNORED: Final = ("Big", "big", "left", "right")


def mathml(latex: str) -> str:
    """A displayed formula."""
    rest = [piece for piece in PIECE.findall(latex) if not piece.isspace()]
    inside = _row(rest, until=None)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{inside}</math>'


def _row(rest: list[str], until: str | None) -> str:
    parts: list[str] = []
    while rest and rest[0] != until:
        parts.append(_scripted(rest))
    if until is not None:
        _take(rest, until)
    return f"<mrow>{''.join(parts)}</mrow>"


def _scripted(rest: list[str]) -> str:
    """An atom with what stands below and above it."""
    large = rest[0].removeprefix("\\") in LARGE and rest[0].startswith("\\")
    base, scripts = _atom(rest), dict[str, str]()
    while rest and rest[0] in {"_", "^"}:
        mark = rest.pop(0)
        scripts[mark] = _atom(rest)
    if not scripts:
        return base
    below, above = ("munder", "mover") if large else ("msub", "msup")
    if len(scripts) > 1:
        return f"<{below}{above[1:]}>{base}{scripts['_']}{scripts['^']}</{below}{above[1:]}>"
    tag = below if "_" in scripts else above
    return f"<{tag}>{base}{''.join(scripts.values())}</{tag}>"


def _atom(rest: list[str]) -> str:
    piece = rest.pop(0)
    if piece == "{":
        return _row(rest, until="}")
    if piece.startswith("\\"):
        return _command(piece[1:], rest)
    if piece[0].isdigit():
        return f"<mn>{piece}</mn>"
    if piece.isalpha():
        return f"<mi>{piece}</mi>"
    return f"<mo>{escape(piece)}</mo>"


def _command(name: str, rest: list[str]) -> str:  # noqa: PLR0911 - one for each kind of command
    if name in {"frac", "tfrac", "sqrt"}:
        return f"<msqrt>{_atom(rest)}</msqrt>" if name == "sqrt" else f"<mfrac>{_atom(rest)}{_atom(rest)}</mfrac>"
    if name == "hat":
        return f'<mover accent="true">{_atom(rest)}<mo>^</mo></mover>'
    if name == "text":
        _take(rest, "{")
        words = [rest.pop(0) for _ in range(rest.index("}"))]
        _take(rest, "}")
        return f"<mtext>&#160;{escape(' '.join(words))}</mtext>"
    if name in IGNORED:
        return _atom(rest)
    if name in SPACES:
        return f'<mspace width="{SPACES[name]}"/>'
    if name in FUNCTIONS or name in LETTERS:
        return f"<mi>{LETTERS.get(name, name)}</mi>"
    if name not in SYMBOLS:
        message = f"\\{name} is not known: add it to docs/mathml.py"
        raise ValueError(message)
    return f"<mo>{SYMBOLS[name]}</mo>"


def _take(rest: list[str], wanted: str) -> None:
    if not rest or rest.pop(0) != wanted:
        message = f"a formula lacks {wanted}"
        raise ValueError(message)
