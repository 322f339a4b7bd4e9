"""The plotting library of a page: Vega, Vega-Lite and Vega-Embed as one script, kept for the next report."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from plumbline.errors import PlumblineError
from plumbline.io.bytes.atomic import write_atomically

VEGA_LITE: Final = "6.4"
"""The version that Altair writes."""
EXPORTED: Final = "window.vegaEmbed = vegaEmbed;"
"""All that the scripts of the page need of the library."""


@cache
def library() -> str:
    """The script, which shares no name with others; made anew if the file is not there, or is not what was written."""
    kept = _folder() / f"library-{version('vl-convert-python')}-{VEGA_LITE}.js"
    with suppress(OSError, ValueError):
        digest, _, text = kept.read_bytes().decode().partition("\n")
        if sha256(text.encode()).hexdigest() == digest:
            return text
    return _keep(kept, _made())


def _made() -> str:
    import vl_convert

    bundle = vl_convert.javascript_bundle(EXPORTED, vl_version=VEGA_LITE).replace("</script", "<\\/script")
    return f"(() => {{{bundle}}})();"


def _keep(path: Path, text: str) -> str:
    """Write the script for the next report; one that cannot be written is made again."""
    with suppress(OSError, PlumblineError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(path, force=True) as file:
            file.write(f"{sha256(text.encode()).hexdigest()}\n{text}".encode())
    return text


def _folder() -> Path:
    """Where programs keep what they can make again."""
    usual = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return Path(usual or os.path.expanduser("~/.cache")) / "plumbline"  # noqa: PTH111 - a home that is unknown stays "~"
