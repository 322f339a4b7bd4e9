"""Figures 5, 7 and 11 to 13 of Amigó et al. (2011) as tables, on the scores of `unanimity.py` and on one more set of test beds.

python reproductions/unanimity_figures.py

The data are not part of the project: the folder is the variable PLUMBLINE_SHARED, or `shared` beside the project.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from printed import percent, print_from_data, sections, shown, table
from unanimity import section7
from unanimity_beds import batteries
from unanimity_scores import NEEDED, collections, domains

from plumbline.comparison.generalise.prediction import across, differences
from plumbline.comparison.unanimity.unanimity import THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from unanimity_scores import Collection

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]

EDGES: Final = (0.0, 0.1, 0.25, 0.5, 0.75)
TEN: Final = 10
SHARES: Final = (0.01, 0.02, 0.05, 0.1, 0.2)
DRAWN: Final = ("RepLab R, S", "robust P@10, R@1000", "web 2010 AP, P@10")
"""The scores whose figure 5 is told in bins."""


def turned(one: Collection) -> tuple[Numbers, Numbers]:
    """UIR and the difference of F of each pair, as figure 5 has them: in the direction in which UIR is positive.

    Without unanimity there is no direction; then the difference is that of the better system by F.
    """
    sign = np.where(one.uir == 0, np.sign(one.gain), np.sign(one.uir))
    return np.abs(one.uir), one.gain * sign


def correlation(first: Numbers, second: Numbers) -> float:
    """Pearson's; not a number if one of them does not vary."""
    varied = len(first) > 1 and np.std(first) > 0 and np.std(second) > 0
    return float(np.corrcoef(first, second)[0, 1]) if varied else np.nan


def between(values: Numbers) -> str:
    """The least and the greatest."""
    return f"{shown(values.min())} to {shown(values.max())}" if len(values) else "-"


def figure5(actual: list[Collection]) -> list[str]:
    """What high UIR says about F, and what high and low differences of F say about UIR."""
    head = ["scores", "pairs", "correlation of UIR and F difference"]
    head += ["UIR >= 0.25: F difference", "largest tenth of F differences: UIR", "UIR < 0.1: F difference", "remark"]
    rows = [["published: WePS-1", "153", "0.58", "mostly above 0", "anything", "anything", ""]]
    for one in actual:
        uir, gain = turned(one)
        large = np.argsort(-np.abs(gain), kind="stable")[: max(len(gain) // TEN, 1)]
        message = [between(gain[uir >= THRESHOLD]), between(uir[large]), between(gain[uir < EDGES[1]])]
        rows.append([one.name, str(len(uir)), one.found["correlation"], *message, ""])
    return table(head, rows)


def bins(actual: list[Collection]) -> list[str]:
    """The points of figure 5 by their UIR: a triangle if the least difference grows and the greatest does not."""
    rows = []
    for one in actual:
        uir, gain = turned(one)
        for low, high in zip(EDGES, (*EDGES[1:], np.inf), strict=True):
            some = gain[(uir >= low) & (uir < high)]
            message = (shown(float(np.quantile(some, part)) if len(some) else np.nan) for part in (0, 0.5, 1))
            reach = f"{low:.2f} and more" if high == np.inf else f"{low:.2f} to {high:.2f}"
            rows.append(
                [one.name, reach, str(len(some)), *message, percent(float((some < 0).mean()) if len(some) else np.nan), ""]
            )
    return table(["scores", "UIR", "pairs", "least F difference", "median", "greatest", "below 0", "remark"], rows)


def improvements(one: Collection) -> Numbers:
    """By how much each metric is better in each pair, in the direction in which F grows: `[metric, pair]`."""
    apart = np.array([differences(values)[one.pairs] for values in one.cube.signed])
    return np.asarray(apart * np.where(one.gain < 0, -1.0, 1.0))


def figure7(actual: list[Collection]) -> list[str]:
    """Among pairs in which every metric improves: does UIR go with the weakest improvement?"""
    head = ["scores", "improving pairs", "ten: weakest", "ten: strongest", "ten: F difference"]
    head += ["all: weakest", "all: strongest", "all: F difference", "remark"]
    rows = [["published: WePS-1", "", "0.94", "", "", "", "", "", ""]]
    for one in actual:
        better = improvements(one)
        both = np.flatnonzero((better > 0).all(axis=0))
        first = both[np.argsort(-np.abs(one.gain[both]), kind="stable")[:TEN]]
        message = []
        for some in (first, both):
            uir = (one.uir * np.where(one.gain < 0, -1.0, 1.0))[some]
            sides = (better[:, some].min(axis=0), better[:, some].max(axis=0), np.abs(one.gain[some])) if len(some) else ()
            message += [shown(correlation(uir, side)) for side in sides] or ["-"] * 3
        rows.append([one.name, str(len(both)), *message, "" if len(both) >= TEN else f"only {len(both)} pairs"])
    return table(head, rows)


def left_end(beds: Mapping[str, Cube]) -> list[str]:
    """Of the strongest pairs by each predictor those that hold in all test beds: the left end of figures 11 to 13."""
    message = across(beds)
    pairs = len(message.systems) * (len(message.systems) - 1) // 2
    rows = []
    for one in message.curves:
        ends = (min(int(np.searchsorted(one.accepted, share * pairs)), len(one.accepted) - 1) for share in SHARES)
        cells = (f"{one.right[end]} of {one.accepted[end]} ({percent(one.precision[end])})" for end in ends)
        rows.append([one.collection, one.predictor, *cells, ""])
    return table(["from", "predictor", *(f"strongest {100 * share:g} %" for share in SHARES), "remark"], rows)


def report(actual: list[Collection], beds: Mapping[str, Cube]) -> str:
    """All tables."""
    return sections(
        {
            "Figure 5: UIR and the difference of F": figure5(actual),
            "Figure 5 in bins": bins([one for one in actual if one.name in DRAWN]),
            "Figure 7: correlation of UIR with the improvement of single metrics": figure7(actual),
            "Figures 11 to 13, left end: the domains of RepLab": left_end(domains(actual[0].cube)),
            "Figures 11 to 13: batteries of clustering data as test beds": section7(beds, "sets of data"),
            "Figures 11 to 13, left end: batteries of clustering data": left_end(beds),
        }
    )


def main() -> int:
    """Print the tables, or say where the data should be."""
    return print_from_data(lambda folder: report(collections(folder), batteries(folder)), [*NEEDED, "gagolews_clusterings"])


if __name__ == "__main__":
    sys.exit(main())
