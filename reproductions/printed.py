"""What the scripts here share: where the data lie, and how tables are printed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

VARIABLE: Final = "PLUMBLINE_SHARED"


def shared() -> Path | None:
    """The folder of reference data, if there is one."""
    folder = Path(os.environ.get(VARIABLE, Path(__file__).resolve().parents[2] / "shared"))
    return folder / "data" if (folder / "data").exists() else None


def print_from_data(report: Callable[[Path], str]) -> int:
    """Print a report on the data, or say where they should be; the exit code."""
    folder = shared()
    if folder is None:
        sys.stderr.write(f"no data: set {VARIABLE} to the folder of reference data\n")
        return 1
    sys.stdout.write(report(folder))
    return 0


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table; the first column is words and so is the last, a remark."""
    rule = ["---", *["---:"] * (len(head) - 2), "---"]
    return [f"| {' | '.join(row)} |" for row in [head, rule, *rows]]


def shown(value: float) -> str:
    """Two digits, or a dash where there is nothing; never a negative zero."""
    return "-" if np.isnan(value) else f"{round(value, 2) + 0.0:.2f}"


def percent(value: float) -> str:
    """A share in percent."""
    return "-" if np.isnan(value) else f"{100 * value:.0f} %"


def sections(parts: Mapping[str, Sequence[str]]) -> str:
    """Titles and the lines below them."""
    return "\n\n".join(f"### {title}\n\n" + "\n".join(lines) for title, lines in parts.items()) + "\n"
