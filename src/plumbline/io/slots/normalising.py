"""Values of fields in one spelling: capitals, white space, numbers and dates do not tell values apart."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache
from typing import Final

_NUMBER: Final = re.compile(r"([$\u20ac\u00a3\u00a5])?\s?([-+\u2212]?)(\d[\d.,'\u2019 ]*|\.\d+)\s?(%|[$\u20ac\u00a3\u00a5])?")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,'\u2019 ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_GROUPED_BY_POINTS: Final = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2}|\d+,\d{4,}")
_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ]00:00(?::00(?:\.0+)?)?z?)?")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_DAY_MONTH: Final = re.compile(r"(?:[a-z]+, )?(\d{1,2})(?:st|nd|rd|th)?\.?(?: of)? ([a-z]{3,9})\.?,? (\d{4})")
_MONTH_DAY: Final = re.compile(r"(?:[a-z]+, )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_TWELVE: Final = 12
_SHORT: Final = 3


@lru_cache(maxsize=2**16)
def normalised(text: str) -> str:
    """The value in one spelling: `1,000.0` is `1000`, `March 5, 2024` is `2024-03-05`, `New  YORK` is `new york`.

    A day and a month that could be exchanged, as in 03/04/2024, stay as they are.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" \"'`.,;:!?")
    return _date(plain) or _number(plain) or plain


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return ""
    before, sign, digits, after = match.groups()
    digits = digits.strip()
    if _GROUPED.fullmatch(digits):
        digits = re.sub(r"[,'\u2019 ]", "", digits)
    elif _GROUPED_BY_POINTS.fullmatch(digits):
        digits = digits.replace(".", "").replace(",", ".")
    else:
        return ""
    integer, _, part = digits.partition(".")
    integer, part = integer.lstrip("0") or "0", part.rstrip("0")
    value = f"{integer}.{part}" if part else integer
    minus = "-" if sign in {"-", "\u2212"} and value != "0" else ""
    return f"{minus}{value}{before or after or ''}"


def _date(text: str) -> str:
    for pattern, order in ((_YEAR_FIRST, (0, 1, 2)), (_DAY_MONTH, (2, 1, 0)), (_MONTH_DAY, (2, 0, 1))):
        match = pattern.fullmatch(text)
        if match is not None:
            year, month, day = (match.groups()[at] for at in order)
            return _iso(year, month, day)
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return ""
    first, mark, second, year = match.groups()
    if mark == "." or int(first) > _TWELVE or first == second:
        return _iso(year, second, first)
    return _iso(year, first, second) if int(second) > _TWELVE else ""


def _iso(year: str, month: str, day: str) -> str:
    number = (
        int(month)
        if month.isdigit()
        else next((at for at, name in enumerate(_MONTHS, 1) if len(month) >= _SHORT and name.startswith(month)), 0)
    )
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return ""
