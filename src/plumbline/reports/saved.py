"""Saved scores are read with everything that was saved about them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from plumbline.errors import BadData
from plumbline.scores import Scores


def loaded(source: Any) -> Any:  # noqa: ANN401 - Scores, a Comparison, a table of scores or the path of one
    """Scores if the source is a file that `Scores.save` wrote; else the source as it is."""
    if not isinstance(source, (str, os.PathLike)) or Path(source).suffix != ".parquet":
        return source
    try:
        return Scores.load(source)
    except BadData:
        return source
