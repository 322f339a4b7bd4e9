"""How strict and how robust ranking measures are, on real runs, beside Table 8 of Amigó, Gonzalo and Verdejo (SIGIR 2013).

python reproductions/relations_table8.py

The data are not part of the project: the folder is the variable PLUMBLINE_SHARED, or `shared` beside the project. As in
the paper, only systems with at least 1000 documents for every topic take part; longer lists are cut there.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from printed import print_from_data, sections, shown
from scipy.stats import rankdata

import plumbline
from plumbline.errors.base import plural
from plumbline.studies.outputs import mean_ranks
from plumbline.studies.robustness import robustness as of_values
from plumbline.studies.strictness import fall

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DEPTH: Final = 1000
DIGITS: Final = 12
"""Values that differ only beyond these decimals are the same."""
R_S_30, R_S_800 = "F(Rel,Sens)", "F(Rel(n=800),Sens(n=800))"
READINGS: Final = ("tail_credit=false", "tail_credit=false,absent=tail")
"""How else the paper can be read, apart from the default."""
R_S_ELSE: Final = tuple(f"F(Rel({reading}),Sens({reading}))" for reading in READINGS)


@dataclass(frozen=True)
class Printed:
    """A column of Table 8."""

    name: str
    strictness: float
    robustness: float


PAPER: Final[Mapping[str, Printed]] = {
    "AP": Printed("MAP", -0.89, 0.55),
    "DCG": Printed("DCG", -0.68, 0.60),
    "P@10": Printed("P@10", -0.76, 0.3),
    "RR": Printed("MRR", -0.63, 0.4),
    "RBP": Printed("RBP, p=0.8", -0.92, 0.28),
    "RBP(p=0.95)": Printed("RBP, p=0.95", -0.65, 0.39),
    R_S_30: Printed("R*S, W30", -0.58, 0.35),
    R_S_800: Printed("R*S, W800", -0.73, 0.57),
}
"""Amigó, Gonzalo and Verdejo 2013, Table 8: GOV2, topics 701 to 750, W = 0.8."""
TRADITIONAL: Final = ("AP", "DCG", "P@10", "RR", "RBP", "RBP(p=0.95)")
PARTS: Final = ("Rel", "Sens", "Rel(n=800)", "Sens(n=800)")
MEASURES: Final = ("AP", "DCG", "nDCG", *TRADITIONAL[2:], R_S_30, *R_S_ELSE, R_S_800, *PARTS)


@dataclass(frozen=True)
class Outputs:
    """What every measure gives to every output: a row for each system, a column for each topic."""

    name: str
    values: Mapping[str, Numbers]

    @property
    def shape(self) -> tuple[int, int]:
        """How many systems and topics there are."""
        systems, topics = next(iter(self.values.values())).shape
        return systems, topics

    def without(self, topic: int) -> Outputs:
        """One topic less."""
        return Outputs(self.name, {measure: np.delete(values, topic, axis=1) for measure, values in self.values.items()})


def outputs(name: str, gold: Path, runs: Mapping[str, Path], depth: int = DEPTH) -> Outputs:
    """Every measure on every output of the systems that return enough documents."""
    scores = plumbline.evaluate(gold, runs, ["NumRet", *MEASURES], missing="worst", depth=depth)
    wide = scores.per_case.pivot("metric", index=["system", "case"], values="value").sort("system", "case")
    wide = wide.filter(pl.col("NumRet").min().over("system") >= depth)
    systems = wide["system"].n_unique()
    return Outputs(name, {measure: wide[measure].to_numpy().reshape(systems, -1).round(DIGITS) for measure in MEASURES})


def strictness(output: Outputs, measures: tuple[str, ...], traditional: tuple[str, ...]) -> dict[str, tuple[float, str]]:
    """For each measure the greatest fall of an output from its rank here to that of a traditional one, and which one that is.

    All outputs, of all systems and topics, are ranked together; equal values share their mean rank; the fall is divided by the
    number of outputs and negative (section 4.1).
    """
    everything = tuple(dict.fromkeys((*measures, *traditional)))
    ranks = mean_ranks(np.array([output.values[measure].ravel() for measure in everything]))
    others = [everything.index(other) for other in traditional]
    falls = {measure: fall(ranks, everything.index(measure), others) for measure in measures}
    return {measure: (one.value, traditional[one.other]) for measure, one in falls.items()}


def robustness(values: Numbers) -> tuple[float, int]:
    """The mean Spearman correlation of the systems' scores over all pairs of topics (section 4.1), and topics left out.

    A topic on which all systems score the same has no correlation with another one.
    """
    result = of_values(values)
    return np.nan if result.value is None else result.value, result.tied


def collections(folder: Path) -> list[Outputs]:
    """All collections."""
    robust, covid, hard = (folder / name for name in ("robust2003", "trec_covid_round1", "dl_hard"))
    robust_runs = {path.name.split(".")[1]: path for path in sorted((robust / "runs").glob("input.*.gz"))}
    covid_runs = {path.name.removesuffix(".xz"): path for path in sorted((covid / "runs").glob("*.xz"))}
    hard_runs = {path.name.removesuffix(".run.xz"): path for path in sorted((hard / "baselines" / "doc").glob("*.run.xz"))}
    return [
        outputs("robust2003", robust / "robust03_qrels.txt", robust_runs),
        outputs("trec_covid_round1", covid / "qrels.txt", covid_runs),
        outputs("dl_hard", hard / "dl_hard-doc.qrels", hard_runs),
    ]


def table(rows: list[list[str]], results: list[Outputs]) -> list[str]:
    """Lines of a Markdown table."""
    head = ["measure", "paper (GOV2)", *(one.name for one in results), "remark"]
    return [f"| {' | '.join(row)} |" for row in [head, ["---", *["---:"] * (len(results) + 1), "---"], *rows]]


def label(measure: str) -> str:
    """The measure as plumbline calls it, and as the paper does."""
    printed = PAPER.get(measure)
    return f"`{measure}`" if printed is None or printed.name == measure else f"`{measure}` ({printed.name})"


def strict_table(results: list[Outputs], gain: str) -> list[str]:
    """Strictness, with DCG or nDCG among the traditional measures."""
    traditional = tuple(gain if name == "DCG" else name for name in TRADITIONAL)
    measures = (*traditional, R_S_30, *R_S_ELSE, R_S_800, *PARTS)
    message = [strictness(one, measures, traditional) for one in results]
    rows = []
    for measure in measures:
        printed = PAPER.get(measure)
        cells = [f"{one[measure][0]:.2f}" for one in message]
        against = ", ".join(f"`{one[measure][1]}`" for one in message)
        rows.append(
            [label(measure), "" if printed is None else f"{printed.strictness:.2f}", *cells, f"falls most in {against}"]
        )
    return table(rows, results)


def robust_table(results: list[Outputs]) -> list[str]:
    """Robustness of every measure."""
    rows = []
    for measure in MEASURES:
        printed = PAPER.get(measure)
        message = [robustness(one.values[measure]) for one in results]
        left_out = ", ".join(
            f"{one.name}: {plural(count, 'topic')} left out" for one, (_, count) in zip(results, message, strict=True) if count
        )
        cells = [shown(value) for value, _ in message]
        rows.append([label(measure), "" if printed is None else f"{printed.robustness:.2f}", *cells, left_out])
    return table(rows, results)


def mean_table(results: list[Outputs]) -> list[str]:
    """The mean of every measure over all outputs."""
    return table(
        [[label(measure), "", *(f"{one.values[measure].mean():.3f}" for one in results), ""] for measure in MEASURES], results
    )


def strictest(output: Outputs, gain: str) -> str:
    """The strictest of the paper's eight measures, with DCG or nDCG among them."""
    traditional = tuple(gain if name == "DCG" else name for name in TRADITIONAL)
    message = strictness(output, (*traditional, R_S_30, R_S_800), traditional)
    return max(message, key=lambda measure: message[measure])


def agreement(output: Outputs, *, strict: bool) -> float:
    """Spearman's correlation of the paper's eight numbers with ours."""
    measures = tuple(PAPER)
    if strict:
        message = strictness(output, measures, TRADITIONAL)
        pairs = [(PAPER[measure].strictness, message[measure][0]) for measure in measures]
    else:
        pairs = [(PAPER[measure].robustness, robustness(output.values[measure])[0]) for measure in measures]
    ranks = rankdata(np.array(pairs).round(2), axis=0)
    return float(np.corrcoef(ranks.T)[0, 1])


def findings(results: list[Outputs]) -> list[str]:
    """What reproduces, counted."""
    lines = []
    for one in results:
        systems, topics = one.shape
        lines.append(f"- {one.name}: {systems} systems x {topics} topics = {systems * topics} outputs.")
        for gain in ("DCG", "nDCG"):
            kept = sum(strictest(one.without(topic), gain) == R_S_30 for topic in range(topics))
            message = f"strictest with {gain} among the measures: `{strictest(one, gain)}`"
            lines.append(f"  - {message}; if one topic is left out, `{R_S_30}` is it in {kept} of {topics} cases.")
        low, high = (robustness(one.values[measure])[0] for measure in (R_S_30, R_S_800))
        lines.append(f"  - robustness of `{R_S_800}` less that of `{R_S_30}`: {high - low:+.2f} (paper: +0.22).")
        both = (agreement(one, strict=strict) for strict in (True, False))
        lines.append(
            "  - rank correlation with the paper's eight numbers: strictness {:+.2f}, robustness {:+.2f}.".format(*both)
        )
    return lines


def report(results: list[Outputs]) -> str:
    """All tables."""
    parts = {
        "Strictness": strict_table(results, "DCG"),
        "Strictness with nDCG in the place of DCG": strict_table(results, "nDCG"),
        "Robustness": robust_table(results),
        "Means": mean_table(results),
        "Counted": findings(results),
    }
    return sections(parts)


def main() -> int:
    """Print the tables, or say where the data should be."""
    return print_from_data(lambda folder: report(collections(folder)), ["robust2003", "trec_covid_round1", "dl_hard"])


if __name__ == "__main__":
    sys.exit(main())
