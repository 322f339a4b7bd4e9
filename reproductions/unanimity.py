"""The Unanimous Improvement Ratio on real scores, beside Tables 5 and 6, figure 10 and section 7 of Amigó et al. (2011).

python reproductions/unanimity.py

The data are not part of the project: the folder is the variable PLUMBLINE_SHARED, or `shared` beside the project.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from printed import percent, print_from_data, sections, shown, table
from unanimity_scores import NEEDED, collections, domains

from plumbline.comparison.generalise.forecast import forecast
from plumbline.comparison.generalise.prediction import PREDICTORS, across
from plumbline.comparison.unanimity.unanimity import THRESHOLD, unanimity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unanimity_scores import Collection

    from plumbline.comparison.cube import Cube

THRESHOLDS: Final = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
RECALLS: Final = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
SPLITS: Final = 10
PAPER: Final[Mapping[str, str]] = {
    "systems": "18",
    "pairs": "153",
    "all: pairs": "28",
    "all: dF": "0.12",
    "all: UIR": "0.53",
    "other: pairs": "125",
    "other: dF": "0.13",
    "other: UIR": "0.14",
    "concordant: pairs": "53",
    "concordant: dF": "0.11",
    "concordant: UIR": "0.42",
    "opposite: pairs": "89",
    "opposite: dF": "0.15",
    "opposite: UIR": "0.08",
    "none: pairs": "11",
    "none: dF": "0.05",
    "none: UIR": "0.027",
    "at: accepted": "30 %",
    "at: opposite": "4 %",
    "at: concordant": "80 %",
    "at: all": "50 %",
    "at: F": "94 %",
    "correlation": "0.58",
}
"""Tables 5 and 6, and sections 6.2 and 6.3: WePS-1b, Purity and Inverse Purity."""


def beside(actual: list[Collection], columns: Mapping[str, str], remark: Callable[[Mapping[str, str]], str]) -> list[str]:
    """A row as published, and a row for each collection: the same numbers, and a remark."""
    rows = [["published: WePS-1b", *(PAPER.get(key, "") for key in columns), remark(PAPER)]]
    rows += [[one.name, *(one.found[key] for key in columns), remark(one.found)] for one in actual]
    return table(["scores", *columns.values(), "remark"], rows)


def less(one: Mapping[str, str], first: str, second: str) -> str:
    """How much larger both numbers are in the first group."""
    message = []
    for label, what in (("F", "dF"), ("UIR", "UIR")):
        values = [one[f"{group}: {what}"] for group in (first, second)]
        if "-" in values:
            return ""
        message.append(f"{label} {float(values[0]) - float(values[1]):+.2f}")
    return ", ".join(message)


def table5(actual: list[Collection]) -> list[str]:
    """Pairs of which one is better for every alpha, and others."""
    columns = {"systems": "systems", "cases": "cases", "pairs": "pairs"}
    for group, words in (("all", "better for all alpha"), ("other", "other")):
        columns |= {f"{group}: pairs": f"{words}: pairs", f"{group}: dF": "F difference", f"{group}: UIR": "UIR"}
    return beside(actual, columns, lambda one: less(one, "all", "other"))


def table6(actual: list[Collection]) -> list[str]:
    """Pairs by what significance tests of both metrics say."""
    columns: dict[str, str] = {}
    for group, words in (("concordant", "concordant"), ("opposite", "opposite"), ("none", "not significant")):
        columns |= {f"{group}: pairs": f"{words}: pairs", f"{group}: dF": "F difference", f"{group}: UIR": "UIR"}
    return beside(actual, columns, lambda one: less(one, "concordant", "opposite"))


def figure10(actual: list[Collection]) -> list[str]:
    """What UIR >= 0.25 accepts, and how UIR and F go together."""
    columns = {
        "at: accepted": "pairs",
        "at: opposite": "opposite",
        "at: concordant": "concordant",
        "at: all": "better for all alpha",
        "at: F": "better by F",
        "correlation": "correlation of UIR and F difference",
    }
    return beside(actual, columns, lambda _: "")


def baselines(collection: Collection) -> list[str]:
    """What Table 7 says about baselines, here on the training names of WePS-1."""
    message = unanimity(collection.cube)
    number = {name: at for at, name in enumerate(message.systems)}
    one, every, both = (number[f"{name}_BASELINE"] for name in ("ONE_IN_ONE", "ALL_IN_ONE", "COMBINED"))
    rows = [
        [
            "all in one over combined",
            "0.65",
            shown(float(message.uir[every, both])),
            "the reference system of the combined baseline",
        ],
        ["all in one over one in one", "below 0.25", shown(float(message.uir[every, one])), "neither is the other's reference"],
        ["one in one over combined", "below 0.25", shown(float(message.uir[one, both])), ""],
    ]
    return table(["UIR, BCubed", "published: WePS-2", "ours: WePS-1a", "remark"], rows)


def thresholds(one: Collection) -> list[str]:
    """The curves of figure 10."""
    names = ("accepted", "opposite", "concordant", "all", "F")
    rows = []
    for threshold in THRESHOLDS:
        message = one.beyond(threshold)
        rows.append([f"{threshold:.2f}", *(percent(message[name]) for name in names), ""])
    return table(["UIR >=", "pairs", "opposite", "concordant", "better for all alpha", "better by F", "remark"], rows)


def section7(beds: Mapping[str, Cube], unit: str = "entities") -> list[str]:
    """What each test bed says about the pairs that hold in all."""
    message = across(beds)
    pairs = len(message.systems) * (len(message.systems) - 1) // 2
    lines = [
        f"- {len(message.systems)} systems, {pairs} pairs, {len(beds)} test beds (published: 80 systems, 3 test beds).",
        f"- F says the same in all test beds: published 18 %, ours {percent(message.consistent)}.",
        "- Published: UIR is a much better predictor than F; parametric UIR lies between them.",
        "",
    ]
    recalls = (f"at recall {recall:g}" for recall in RECALLS)
    head = ["from", "predictor", "mean precision", *recalls, "above 0", "above 0.25", "F difference: as many", "remark"]
    rows = []
    for one in message.curves:
        (some, held), (accepted, right) = one.beyond(0.0), one.beyond(THRESHOLD)
        strict, plain, cases = f"{right} of {accepted}", "", ""
        if one.predictor == "F difference":
            reference, strict, cases = one, "", f"{len(beds[one.collection].cases)} {unit}, {one.holding} pairs hold"
        else:
            at = int(np.searchsorted(reference.accepted, accepted))
            plain = f"{reference.right[at]} of {reference.accepted[at]}"
        values = [shown(one.average_precision), *(shown(value) for value in one.at(RECALLS))]
        rows.append([one.collection, one.predictor, *values, f"{held} of {some}", strict, plain, cases])
    return lines + table(head, rows)


def halves(actual: list[Collection], splits: int = SPLITS) -> list[str]:
    """The same from one half of the cases to both halves: not in the paper."""
    rows = []
    for one in actual:
        message = {row["predictor"]: row for row in forecast(one.cube, splits=splits, curves=splits).predictors.to_dicts()}
        areas = [shown(_number(message[predictor]["average_precision"])) for predictor in PREDICTORS]
        accepted, precision = (_number(message["UIR"][column]) for column in ("accepted", "precision"))
        rows.append([one.name, *areas, f"{accepted:.1f}", percent(precision), ""])
    return table(["mean precision", *PREDICTORS, "UIR above 0.25: pairs", "of these hold", "remark"], rows)


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def report(actual: list[Collection], splits: int = SPLITS) -> str:
    """All tables; without splits, those of the paper only."""
    parts = {
        "Table 5: better for every weighting, and other pairs": table5(actual),
        "Table 6: by significance tests of both metrics": table6(actual),
        "Figure 10: pairs with UIR of 0.25 or more": figure10(actual),
        f"Figure 10 for {actual[0].name}": thresholds(actual[0]),
        "Table 7: the baselines": baselines(actual[1]),
        "Section 7: the domains of RepLab as test beds": section7(domains(actual[0].cube)),
    }
    if splits:
        parts["Beyond the paper: from one half of the cases to both"] = halves(actual, splits)
    return sections(parts)


def main() -> int:
    """Print the tables, or say where the data should be."""
    return print_from_data(lambda folder: report(collections(folder)), NEEDED)


if __name__ == "__main__":
    sys.exit(main())
