"""Formulas for the terminal: the LaTeX of a docstring as plain text."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = {
    r"\cdot": "*",
    r"\neg": "not",
    r"\cup": "or",
    r"\cap": "and",
    r"\in": "in",
    r"\ne": "!=",
    r"\cos": "cos",
    r"\alpha": "alpha",
    r"\lambda": "lam",
    r"\big": "",
    r"\le": "<=",
    r"\ge": ">=",
    r"\iff": "if and only if",
    r"\sum": "sum",
    r"\int": "integral",
    r"\prod": "product",
    r"\max": "max",
    r"\min": "min",
    r"\log": "log",
    r"\ln": "ln",
    r"\exp": "exp",
    r"\beta": "beta",
    r"\epsilon": "epsilon",
    r"\pi": "pi",
    r"\hat": "estimated",
    r"\lfloor": "floor(",
    r"\rfloor": ")",
    r"\quad": "  where ",
    r"\Big": "",
    r"\,": " ",
    r"\ ": " ",
}
_FRACTION: Final = re.compile(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}")
_ROOT: Final = re.compile(r"\\sqrt\{([^{}]*)\}")
_GROUP: Final = re.compile(r"([_^])\{([^{}]*)\}")
_TEXT: Final = re.compile(r"\\text\{([^{}]*)\}")


def plain_formula(text: str) -> str:
    """LaTeX between $$ as text that a person can read in a terminal."""
    plain = _TEXT.sub(r"\1", text.replace("$$", "").replace(r"\{", "[").replace(r"\}", "]"))
    while True:
        simpler = _FRACTION.sub(_fraction, _ROOT.sub(r"sqrt(\1)", _GROUP.sub(_grouped, plain)))
        if simpler == plain:
            break
        plain = simpler
    for command, word in sorted(_WORDS.items(), key=lambda pair: -len(pair[0])):
        plain = plain.replace(command, word)
    return re.sub(r"[ \n]+", " ", plain).strip()


def _fraction(match: re.Match[str]) -> str:
    over, under = (part if re.fullmatch(r"[\w@^*]+", part) else f"({part})" for part in match.groups())
    return f"({over} / {under})"


def _grouped(match: re.Match[str]) -> str:
    mark, inside = match.groups()
    return f"{mark}{inside}" if re.fullmatch(r"\w+", inside) else f"{mark}({inside})"
