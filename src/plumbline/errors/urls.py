"""URLs among the names of files, and how they are shown: passwords and signatures are in them."""

from __future__ import annotations

import re
from typing import Final

from plumbline.lazily import pattern

_START: Final = r"[a-z][a-z0-9+.-]+:/{1,2}[^/]"
_URL: Final = pattern(_START, re.IGNORECASE)
"""Two letters at least, since one is a drive of Windows. A `Path` of a URL has lost one of its slashes."""
_NAMED: Final = pattern(rf"(?:[^=:/]+=)?{_START}", re.IGNORECASE)
_PASSWORD: Final = pattern(r"(:/{1,2})(?:[^/?#@:]*:(?!\d+(?:[/?#]|$)).*|[^/?#]*)@", re.DOTALL)
"""Up to the @ before the host; a password with a slash, which is an error of whoever wrote it, is no reason to show it."""
_QUERY: Final = pattern(r"[?#].*", re.DOTALL)
HIDDEN: Final = "***"


def is_url(text: str) -> bool:
    """Whether the name of a file is a URL."""
    return _URL.match(text) is not None


def without_secrets(text: str) -> str:
    """The name of a file, or NAME=FILE, as it may be shown: a URL without its user, password, query and fragment."""
    if ":/" not in text or _NAMED.match(text) is None:
        return text
    return _QUERY.sub(f"?{HIDDEN}", _PASSWORD.sub(rf"\1{HIDDEN}@", text, count=1))
