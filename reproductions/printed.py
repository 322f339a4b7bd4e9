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
SOURCES: Final[Mapping[str, str]] = {
    "clef_tar2017": "GitHub CLEF-TAR/tar, commit dbc13d02bb3e, 2017-TAR",
    "dl_hard": "GitHub grill-lab/DL-Hard, commit 2be6435c2b1f, dataset",
    "gagolews_clusterings": "GitHub gagolews/clustering-data-v1, commit 27ac73a6fd33, and clustering-results-v1",
    "replab2013_topic_detection": "GitHub damiano/learning-similarity-functions-ORM, commit 8eac753597b7, data",
    "robust2003": "GitHub joaopalotti/trectools, commit 8a896def007e, examples/robust03",
    "semeval2018_task12": "GitHub habernal/semeval2018-task12-results, commit c5ce66793bee, data",
    "trec_covid_round1": "GitHub castorini/TREC-COVID, commit be3ed3fccac4, round1",
    "urbano_topic_by_system": "GitHub julian-urbano/irj2015-reliability and sigir2018-simulation",
    "weps": "GitHub pku601/WePS2Clustering, commits ad6268d and b881499",
    "weps_hac": "clusterings of the pages in GitHub pku601/WePS2Clustering, commits 1c21f76 and ad6268d",
}
"""Where the folders of data come from."""


def shared() -> Path | None:
    """The folder of reference data, if there is one."""
    folder = Path(os.environ.get(VARIABLE, Path(__file__).resolve().parents[2] / "shared"))
    return folder / "data" if (folder / "data").exists() else None


def print_from_data(report: Callable[[Path], str], needed: Sequence[str]) -> int:
    """Print a report on the data in these folders, or say which are missing and where they come from; the exit code."""
    folder = shared()
    missing = [name for name in needed if folder is None or not (folder / name).is_dir()]
    if folder is None or missing:
        sys.stderr.write(f"no data: set {VARIABLE} to a folder whose folder data has\n")
        sys.stderr.writelines(f"  {name}: {SOURCES[name]}\n" for name in missing)
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
