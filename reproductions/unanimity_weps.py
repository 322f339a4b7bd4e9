"""The tables and figures of Amigó et al. (2011) about systems of WePS, on 80 clusterings of two test beds of WePS.

python reproductions/unanimity_weps.py

The data are not part of the project: the folder is the variable PLUMBLINE_SHARED, or `shared` beside the project. The
clusterings were made of the pages that a public repository has (pku601/WePS2Clustering): single or complete linkage, words or
pairs of words, 20 thresholds each. They stand in for the systems of the campaign, and are what section 7 describes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from printed import percent, print_from_data, sections, shown, table
from unanimity import figure10, section7, table5, table6
from unanimity_figures import figure5, figure7, left_end
from unanimity_scores import Collection

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.comparison.unanimity.unanimity import unanimity
from plumbline.comparison.weighting.weighting import f_curves, win_intervals
from plumbline.schema import CASE, ITEM, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube

    Numbers = NDArray[np.float64]

BEDS: Final = {"WePS-1a": "weps1_training", "WePS-2": "weps2_test"}
"""The training names of WePS-1, which the paper calls WePS-1a, and the names of WePS-2."""
PURITY: Final = ("Purity", "InvPurity")
BCUBED: Final = ("BCubedP", "BCubedR")
CLUSTER: Final = "cluster"
ALONE, TOGETHER, COMBINED = "B1", "B100", "BCOMB"
FIFTH: Final = 5
"""Table 2 has 16 systems, so every fifth of the 80 is shown."""
ALPHAS: Final = (0.5, 0.2)
SHOWN: Final = "complete1"
"""The method of figure 3: words, tf-idf, cosine and agglomerative clustering, as published."""
CLOSE: Final = 0.01
SMALL, FEW = 0.03, 0.1
"""What counts as a small difference of F, and as a low UIR, in figures 8 and 9."""
TABLE7: Final = (0.26, 0.58, 0.35, 0.65, 0.74, 0.68, 0.71, 0.9, 0.65, 0.9, 0.97, 1.0, 0.29, 0.84)
"""The UIR of every reference system, as printed in Table 7."""
NAMES: Final = 30
"""How many names WePS-2 has; one of them is not among the data here."""


def clusterings(folder: Path, name: str) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """The gold of a test bed, its 80 clusterings, and the three baselines."""
    gold, systems = (
        pl.read_csv(folder / "weps_hac" / f"{name}_{what}.tsv.gz", separator="\t", infer_schema=False)
        for what in ("gold", "systems")
    )
    items = gold.select(CASE, ITEM).unique(maintain_order=True)
    alone, together = (items.with_columns(cluster.alias(CLUSTER)) for cluster in (pl.col(ITEM), pl.lit("all")))
    made = {str(key[0]): part.drop(SYSTEM) for key, part in systems.partition_by(SYSTEM, as_dict=True).items()}
    return gold, {**made, ALONE: alone, TOGETHER: together, COMBINED: pl.concat([alone, together])}


def scored(folder: Path) -> dict[str, Cube]:
    """Purity, Inverse Purity and extended BCubed of all systems on both test beds."""
    made = {}
    for bed, name in BEDS.items():
        gold, systems = clusterings(folder, name)
        scores = plumbline.evaluate(gold, systems, [*PURITY, *BCUBED], task="clustering")
        made[bed] = read_scores(scores, metrics=(*PURITY, *BCUBED))[0]
    return made


def without_baselines(cube: Cube, metrics: tuple[str, ...] = PURITY) -> Cube:
    """The 80 clusterings by two metrics."""
    return cube.only(metrics, [name for name in cube.systems if name not in {ALONE, TOGETHER, COMBINED}])


def baselines(beds: Mapping[str, Cube]) -> list[str]:
    """Section 3.5, and the baselines of Table 7: which of two trivial clusterings is better depends on the test bed."""
    printed = {
        ("WePS-1a", PURITY): ("", "on WePS-1b Table 2 prints 0.61 and 0.40, section 3.5 0.58 and 0.49"),
        ("WePS-1a", BCUBED): ("", ""),
        ("WePS-2", PURITY): ("0.34, 0.53", "section 3.5 takes the numbers of BCubed"),
        ("WePS-2", BCUBED): ("0.34, 0.53, 0.52", "Table 7"),
    }
    rows = []
    for (bed, metrics), (published, remark) in printed.items():
        cube = beds[bed].only(metrics, [ALONE, TOGETHER, COMBINED])
        values = f_curves(cube, [0.5]).values[:, 0]
        rows.append([f"{bed}, F({','.join(metrics)})", *(shown(value) for value in values), published, remark])
    return table(["test bed and metric", ALONE, TOGETHER, COMBINED, "published", "remark"], rows)


def table2(cube: Cube) -> list[str]:
    """Two rankings of systems and baselines, with alpha 0.5 and 0.2."""
    systems = [name for number, name in enumerate(without_baselines(cube).systems) if number % FIFTH == 0]
    some = cube.only(PURITY, [*systems, ALONE, TOGETHER])
    values = f_curves(some, ALPHAS).values
    columns = []
    for at in range(len(ALPHAS)):
        order = np.argsort(-values[:, at], kind="stable")
        columns.append([(some.systems[number], shown(values[number, at])) for number in order])
    rows = [[str(place + 1), *left, *right, ""] for place, (left, right) in enumerate(zip(*columns, strict=True))]
    return table(["rank", "alpha = 0.5", "F", "alpha = 0.2", "F", "remark"], rows)


def figure3(cube: Cube) -> list[str]:
    """Purity and Inverse Purity as clustering stops earlier and earlier."""
    systems = [name for name in cube.systems if name.startswith(SHOWN)]
    means = cube.only(PURITY, systems).means
    both = f_curves(cube.only(PURITY, systems), ALPHAS).values
    rows = [[name, *(shown(value) for value in (*means[:, at], *both[at])), ""] for at, name in enumerate(systems)]
    return table(["clustering, threshold rising", *PURITY, *(f"F, alpha = {alpha}" for alpha in ALPHAS), "remark"], rows)


class Pairs:
    """All pairs of the 80 clusterings in the direction in which F grows."""

    def __init__(self, cube: Cube) -> None:
        """By Purity and Inverse Purity."""
        self.cube = without_baselines(cube)
        self.collection = Collection("", self.cube)
        sign = np.where(self.collection.gain < 0, -1, 1)
        first, second = self.collection.pairs
        self.better = np.where(sign > 0, first, second)
        self.worse = np.where(sign > 0, second, first)
        self.gain = np.abs(self.collection.gain)
        self.uir = self.collection.uir * sign
        self.always = self.collection.always * sign > 0
        self.share = win_intervals(self.cube).share[self.better, self.worse]

    def row(self, at: int, *more: str) -> list[str]:
        """One pair."""
        names = (self.cube.systems[number] for number in (self.better[at], self.worse[at]))
        message = shown(self.gain[at]), shown(self.uir[at]), percent(self.share[at])
        return [" over ".join(names), *message, *more]


PAIR: Final = ("pair", "F difference", "UIR", "better for this share of alpha")


def figure4(pairs: Pairs) -> list[str]:
    """One system over three others with nearly the same difference of F: UIR is higher if it depends less on alpha."""
    best, chosen = -1.0, np.empty(0, dtype=np.intp)
    for number in range(len(pairs.cube.systems)):
        mine = np.flatnonzero((pairs.better == number) & (np.abs(pairs.gain - FEW) < CLOSE))
        ranked = mine[np.argsort(pairs.uir[mine], kind="stable")]
        if len(ranked) > 2 and pairs.uir[ranked[-1]] - pairs.uir[ranked[0]] > best:  # noqa: PLR2004 - three pairs are shown
            best, chosen = pairs.uir[ranked[-1]] - pairs.uir[ranked[0]], ranked[[0, len(ranked) // 2, -1]]
    return table([*PAIR, "remark"], [pairs.row(int(at), "") for at in chosen])


def figure6(pairs: Pairs) -> list[str]:
    """Of pairs that are better for all alpha, those with a small, a middling and a large difference of F, and all of them."""
    always = np.flatnonzero(pairs.always)
    order = always[np.argsort(pairs.gain[always], kind="stable")]
    chosen = [order[int(part * (len(order) - 1))] for part in (0.1, 0.5, 0.9)]
    rows = [
        pairs.row(int(at), f"greater than in {percent(part)} of {len(order)} such pairs")
        for at, part in zip(chosen, (0.1, 0.5, 0.9), strict=True)
    ]
    together = float(np.corrcoef(pairs.gain[always], pairs.uir[always])[0, 1])
    return [
        *table([*PAIR, "remark"], rows),
        "",
        f"Correlation of UIR and the difference of F over these pairs: {shown(together)}.",
    ]


def figures8_and_9(pairs: Pairs) -> list[str]:
    """The pairs on which F and UIR disagree most: a large difference with a low UIR, and a small one with a high UIR."""
    low, small = np.flatnonzero(pairs.uir < FEW), np.flatnonzero(pairs.gain < SMALL)
    cases = {
        "figure 8: large F difference, UIR below 0.1": low[np.argmax(pairs.gain[low])],
        "figure 9: F difference below 0.03, high UIR": small[np.argmax(pairs.uir[small])],
    }
    rows = []
    for title, at in cases.items():
        apart = pairs.cube.signed[:, pairs.better[at]] - pairs.cube.signed[:, pairs.worse[at]]
        ups, downs = (apart > 0), (apart < 0)
        counts = [
            int((ups[0] & downs[1]).sum()),
            int((ups[1] & downs[0]).sum()),
            int((~downs.any(axis=0) & ups.any(axis=0)).sum()),
            int((~ups.any(axis=0) & downs.any(axis=0)).sum()),
        ]
        rows.append([title, *pairs.row(int(at)), *map(str, counts), ""])
    head = ["case", *PAIR, "names: only Purity better", "only Inverse Purity", "no metric worse", "no metric better", "remark"]
    return table(head, rows)


def multiples(values: tuple[float, ...], parts: int) -> int:
    """How many of the printed values are multiples of one such part, rounded to two decimals."""
    return sum(any(f"{number / parts:.2f}" == f"{value:.2f}" for number in range(parts + 1)) for value in values)


def rounded(cube: Cube) -> Numbers:
    """Scores of two decimals, with the row of averages as one more case: `[metric, system, case]`."""
    scores = np.round(cube.values, 2)
    return np.concatenate((scores, np.round(cube.means, 2)[:, :, None]), axis=2)


def table7(cube: Cube) -> list[str]:
    """What the printed UIRs are multiples of, and the reference of the combined baseline, by exact and by rounded scores."""
    less, more = (multiples(TABLE7, parts) for parts in (NAMES, NAMES + 1))
    lines = [
        f"- WePS-2 has {NAMES} names. Of {len(TABLE7)} UIRs {less} are multiples of 1/{NAMES}, {more} of 1/{NAMES + 1}.",
        "- So one case more was counted: the averages that the scorer prints below the names, with scores of two decimals.",
    ]
    three = cube.only(BCUBED, [ALONE, TOGETHER, COMBINED])
    exact = unanimity(three)
    values = rounded(three)
    rows = []
    printed = {(TOGETHER, COMBINED): "0.65 (20/31)", (TOGETHER, ALONE): "below 0.25", (ALONE, COMBINED): "below 0.25"}
    for (first, second), published in printed.items():
        a, b = (three.systems.index(name) for name in (first, second))
        up, down = ((np.sign(values[:, a] - values[:, b]) * sign >= 0).all(axis=0).sum() for sign in (1, -1))
        message = shown(float(exact.uir[a, b])), f"{(up - down) / values.shape[2]:.2f} ({up - down}/{values.shape[2]})"
        rows.append([f"{first} over {second}", published, *message, ""])
    head = ["UIR, BCubed", "published", f"exact, {len(cube.cases)} names", "two decimals and the averages", "remark"]
    return [*lines, "", *table(head, rows)]


def report(beds: Mapping[str, Cube]) -> str:
    """All tables."""
    results = [
        Collection(f"{bed} {words}", without_baselines(cube, metrics))
        for bed, cube in beds.items()
        for words, metrics in (("Purity", PURITY), ("BCubed", BCUBED))
    ]
    both = {bed: without_baselines(cube) for bed, cube in beds.items()}
    parts = {"Sections 3.5 and 6.4: the baselines": baselines(beds)}
    for bed, cube in beds.items():
        parts[f"Table 2 on {bed}"] = table2(cube)
        parts[f"Figure 3 on {bed}"] = figure3(cube)
    for bed, cube in beds.items():
        pairs = Pairs(cube)
        parts[f"Figure 4 on {bed}"] = figure4(pairs)
        parts[f"Figure 6 on {bed}"] = figure6(pairs)
        parts[f"Figures 8 and 9 on {bed}"] = figures8_and_9(pairs)
    return sections(
        {
            **parts,
            "Table 5 on WePS": table5(results),
            "Table 6 on WePS": table6(results),
            "Figure 10 on WePS: pairs with UIR of 0.25 or more": figure10(results),
            "Figure 5 on WePS": figure5(results),
            "Figure 7 on WePS": figure7(results),
            "Table 7: what its numbers are": table7(beds["WePS-2"]),
            "Section 7 on WePS": section7(both, "names"),
            "Figures 11 to 13 on WePS, left end": left_end(both),
        }
    )


def main() -> int:
    """Print the tables, or say where the data should be."""
    return print_from_data(lambda folder: report(scored(folder)), ["weps_hac"])


if __name__ == "__main__":
    sys.exit(main())
