"""The small examples that the papers and the slides print, computed: no data are needed.

python reproductions/examples.py
"""

from __future__ import annotations

import sys
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, Final

from printed import sections, table

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.comparison.unanimity.unanimity import unanimity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.comparison.cube import Cube

TABLE1: Final[Mapping[str, tuple[float, float, float]]] = {
    "word alignment: BM": (72.76, 54.82, 62.53),
    "word alignment: Link-Select": (69.19, 72.49, 70.81),
    "word alignment: ME": (72.66, 66.17, 69.26),
    "opinion questions: System 3": (10.9, 21.6, 17.2),
    "opinion questions: OpHit": (10.2, 25.6, 20.5),
    "opinion questions: OpPageRank": (10.9, 24.2, 20),
    "sentiment: BASELINE": (30.5, 86.6, 45.1),
    "sentiment: VS-LSA-DTP": (34.9, 71.9, 47),
    "sentiment: VS PMI": (31.1, 83.3, 45.3),
    "reference rules: no expansion": (54, 19, 28),
    "reference rules: Wordnet+Wiki": (47, 35, 40),
    "reference rules: all rules + Dice": (49, 31, 38),
}
"""2011, Table 1: precision, recall and F of three systems for each task."""
SCORES: Final = {
    "A": ((0.5, 0.5, 0.5, 0.6, 0.7, 0.3, 0.4, 0.4, 0.3, 0.2), (0.5, 0.2, 0.2, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)),
    "B": ((0.5, 0.5, 0.4, 0.6, 0.6, 0.1, 0.5, 0.6, 0.1, 0.4), (0.5, 0.2, 0.2, 0.3, 0.4, 0.4, 0.6, 0.6, 0.6, 0.3)),
}
"""2011, Table 3: precision and recall on ten cases."""
HALF: Final = 0.5
"""F of a rounded precision and recall is not further away."""
THREE: Final = {"A": ((0.5,), (0.5,)), "B": ((0.6,), (0.4,)), "C": ((0.45,), (0.45,))}
"""2011, Table 4."""
ORGANIZATIONS: Final[Mapping[str, tuple[str, Any, Any]]] = {
    "Table 1: ranking": (
        "ranking",
        {"q": {"d1": 1, "d2": 1, "d3": 1}},
        {"q": {"d1": 5.0, "d2": 4.0, "d6": 3.0, "d3": 2.0, "d14": 1.0}},
    ),
    "Table 2: filtering": (
        "organization",
        {"q": [[["d1"], ["d2"], ["d3"]], [["d4"], ["d5"], ["d6"], ["d7"], ["d8"]]]},
        {"q": [[["d1"], ["d2"], ["d4"]], [["d3"], ["d5"], ["d6"], ["d7"], ["d8"]]]},
    ),
    "Table 3: clustering": (
        "organization",
        {"q": [[["d1", "d2", "d3"], ["d4", "d5", "d6"], ["d7"]]]},
        {"q": [[["d1", "d2"], ["d3"], ["d4", "d5", "d6", "d7"]]]},
    ),
    "Table 4: overlapping clustering": (
        "organization",
        {"q": [[["d1", "d2", "d3"], ["d4", "d5", "d6"], ["d4", "d7"]]]},
        {"q": [[["d1", "d2"], ["d3"], ["d4", "d5", "d6", "d7"], ["d6", "d7"]]]},
    ),
    "Table 5: organization": (
        "organization",
        {"q": [[["d1", "d2"]], [["d3", "d4"], ["d5", "d6"]], [["d7"]], [["d5", "d8", "d9"]], [["d10"]]]},
        {"q": [[["d1"]], [["d2"]], [["d3", "d4"], ["d5", "d6"]], [["d5", "d7", "d9"]], [["d8"]], [["d12"]]]},
    ),
}
"""2013, Tables 1 to 5: what it is about, gold and output."""
ALIKE: Final = "over=related,collection=finite"
FINITE: Final = {"Table 2": "over=priority,collection=finite", "Table 3": ALIKE, "Table 4": ALIKE}
"""How the examples without a tail are looked at."""
RANKING: Final = tuple(f"d{place}" for place in range(1, 11))
RELEVANT: Final = ("d2", "d5", "d8", "d15")
INTERPOLATED: Final = ("0.50", "0.50", "0.50", "0.40", "0.40", "0.40", "0.38", "0.38", "0.00", "0.00", "0.00")
"""Slides: precision at the recall points 0, 0.1, ... 1."""
MATRIX: Final = ((5, 0, 0), (1, 3, 0), (1, 2, 4))
"""Slides: documents of each class by the class that they were given."""


def cube(scores: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]) -> Cube:
    """Precision and recall of each system."""
    tables = {
        metric: {system: {str(case): value for case, value in enumerate(both[at])} for system, both in scores.items()}
        for at, metric in enumerate(("precision", "recall"))
    }
    return read_scores(tables)[0]


def combined(metrics: Iterable[str], gold: Any, output: Any, task: str) -> list[float]:  # noqa: ANN401 - as evaluate
    """The values of one output."""
    return plumbline.evaluate(gold, {"s": output}, list(metrics), task=task).mean["value"].to_list()


def table1() -> list[str]:
    """F of the printed precision and recall, which are rounded."""
    rows = []
    for name, (precision, recall, printed) in TABLE1.items():
        value = 2 * precision * recall / (precision + recall)
        apart = abs(value - printed)
        remark = "" if apart < HALF else "not the F of the printed precision and recall"
        rows.append([name, f"{precision:g}", f"{recall:g}", f"{printed:g}", f"{value:.2f}", remark])
    return table(["system", "precision", "recall", "F, printed", "F, ours", "remark"], rows)


def tables3_and_4() -> list[str]:
    """UIR of Table 3, and the relations of Table 4."""
    two, three = unanimity(cube(SCORES)), unanimity(cube(THREE))
    better = [f"{a} >= {b}" for (i, a), (j, b) in permutations(enumerate(three.systems), 2) if three.uir[i, j] > 0]
    rows = [
        ["Table 3: UIR(A,B)", "0.2", f"{two.uir[0, 1]:.1f}", ""],
        [
            "Table 4: unanimous",
            "A >= C",
            ", ".join(better),
            "B is above A and C in one metric and below in the other",
        ],
    ]
    return table(["what", "printed", "ours", "remark"], rows)


def tables1_to_5() -> list[str]:
    """Rel and Sens of the examples of 2013, which are printed without numbers."""
    rows = []
    for title, (task, gold, output) in ORGANIZATIONS.items():
        setting = FINITE.get(title.partition(":")[0])
        names = [f"{which}({setting})" if setting else which for which in ("Rel", "Sens")]
        rows.append([title, *(f"{value:.4f}" for value in combined(names, gold, output, task)), setting or ""])
    return table(["example", "Rel", "Sens", "remark"], rows)


def slides() -> list[str]:
    """The two examples with numbers."""
    gold = {"q": dict.fromkeys(RELEVANT, 1)}
    output = {"q": {item: -float(place) for place, item in enumerate(RANKING)}}
    points = combined([f"IPrec@{point / 10:g}" for point in range(11)], gold, output, "ranking")
    cuts = combined([f"{metric}@{cut}" for cut in (2, 5, 8) for metric in ("R", "P")], gold, output, "ranking")
    pairs = [(i, j) for i, j in product(range(3), repeat=2) for _ in range(MATRIX[i][j])]
    truth, given = ({f"d{at}": str(pair[side]) for at, pair in enumerate(pairs)} for side in (0, 1))
    (accuracy,) = combined(["Accuracy"], truth, given, "classification")
    rows = [
        ["recall and precision at 2, 5, 8", "0.25 0.50, 0.50 0.40, 0.75 0.38", _pairs(cuts), ""],
        ["11 recall points", " ".join(INTERPOLATED), " ".join(_two(value) for value in points), ""],
        [
            "confusion matrix: accuracy",
            "12 of 16",
            f"{accuracy * len(pairs):g} of {len(pairs)}",
            "the matrix is printed, not the value",
        ],
    ]
    return table(["example", "printed", "ours", "remark"], rows)


def _two(value: float) -> str:
    """Two decimals, with halves up as in print."""
    return f"{int(value * 100 + 0.5) / 100:.2f}"


def _pairs(values: list[float]) -> str:
    shown = [_two(value) for value in values]
    return ", ".join(f"{recall} {precision}" for recall, precision in zip(shown[::2], shown[1::2], strict=True))


def report() -> str:
    """All tables."""
    return sections(
        {
            "2011, Table 1: precision, recall and F": table1(),
            "2011, Tables 3 and 4: unanimous improvement": tables3_and_4(),
            "2013, Tables 1 to 5: the tasks": tables1_to_5(),
            "Slides: examples with numbers": slides(),
        }
    )


def main() -> int:
    """Print the tables."""
    sys.stdout.write(report())
    return 0


if __name__ == "__main__":
    sys.exit(main())
