"""How strict and robust filtering measures are and what smoothing changes, beside two papers by Amigó and others.

python reproductions/filtering.py

Table 7 of Amigó, Gonzalo and Verdejo (SIGIR 2013); figures 6 to 9, 11 and 12 of Amigó, Gonzalo, Verdejo and Spina (2019). Both
used WePS-3, which is not among the data here. The data are not part of the project: the folder is the variable
PLUMBLINE_SHARED, or `shared` beside the project.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from filtering_outputs import PLACEBO, PLAIN, RANDOM, SMOOTHED, ZERO, collections
from printed import print_from_data, sections, table

from plumbline.comparison.correlation.between import spearman
from plumbline.studies.filter_facts import FilterFacts
from plumbline.studies.study import Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from filtering_outputs import Filters

TRADITIONAL: Final = PLAIN[:4]
R_S: Final = PLAIN[4]
LAM: Final = "Lam"
LABELS: Final = {"Accuracy": "Accuracy", "NUtility": "Utility", LAM: "Lam%", "F(P,R)": "F measure", R_S: "R*S"}
TABLE_7: Final[Mapping[str, tuple[float, float]]] = {
    "Accuracy": (0.3, -0.91),
    "NUtility": (0.39, -0.91),
    LAM: (0.38, -0.96),
    "F(P,R)": (0.49, -0.92),
    R_S: (0.70, -0.78),
}
"""SIGIR 2013, Table 7: robustness and strictness."""
BEATING: Final = {"Accuracy": 7, "NUtility": 5, LAM: 12, "F(P,R)": 1, R_S: 4}
"""2019, figure 12: of 16 systems, how many beat zero output, placebo and random; R*S is smoothed."""
PRINTED_12: Final = (
    ((0.83, 0.75, 0.67, 0.56, 0.46, 0.73, 0.64, 0.44), (0.63, 0.49, 0.41, 0.36, 0.46, 0.51, 0.43, 0.47)),
    ((0.44, 0.40, 0.63, 0.48, 0.46, 0.51, 0.61, 0.56), (0.43, 0.39, 0.29, 0.42, 0.36, 0.28, 0.17, 0.00)),
)
"""2019, figure 12: Accuracy and F of its 16 systems, in two halves."""
SHOWN_12: Final = ("Accuracy", "NUtility", LAM, SMOOTHED[LAM], "F(P,R)", SMOOTHED["F(P,R)"], SMOOTHED[R_S])
TOPS: Final = (5, 10, 20, 30, 50)
MARKED: Final = 0.01
"""A change that a reader of the figures would see."""


@dataclass(frozen=True)
class Found:
    """What was found on one collection."""

    filters: Filters
    study: Study
    random: Mapping[str, float]
    """The means of the random output."""

    @property
    def name(self) -> str:
        """The collection."""
        return self.filters.name

    def of(self, metrics: tuple[str, ...], against: tuple[str, ...] | None = None) -> Study:
        """Some of the metrics alone."""
        return Study(self.study.cube.only(metrics), metrics if against is None else against)

    def means(self, metric: str) -> dict[str, float]:
        """The mean of every system, and of the random output; Lam as the paper shows it, 1 - Lam."""
        row = self.study.cube.means[self.study.metrics.index(metric)]
        results = {**dict(zip(self.study.cube.systems, row.tolist(), strict=True)), RANDOM: self.random[metric]}
        return {system: 1 - value if metric.startswith(LAM) else value for system, value in results.items()}

    def beating(self, metric: str) -> list[str]:
        """The systems that beat every output that ignores the gold."""
        means = self.means(metric)
        floor = max(means[name] for name in (ZERO, PLACEBO, RANDOM))
        return [name for name, value in means.items() if value > floor]


def found_on(filters: Filters) -> Found:
    """All measures, plain and smoothed, with the outputs that ignore the gold among the systems."""
    metrics = (*PLAIN, *SMOOTHED.values())
    every = filters.with_baselines(random=True)
    means = every.only(RANDOM).means(metrics)
    return Found(filters, filters.with_baselines(random=False).study(metrics), {name: means[RANDOM, name] for name in metrics})


def label(metric: str) -> str:
    """The measure as plumbline calls it, and as the papers do."""
    return f"`{metric}` ({LABELS[metric]})"


def best(values: Mapping[str, float]) -> str:
    """The measure with the highest value; several if they are equal."""
    most = max(values.values())
    return ", ".join(LABELS[name] for name, value in values.items() if value >= most - 10**-9)


def column(study: Study, name: str, names: tuple[str, ...] = PLAIN) -> dict[str, float]:
    """A column of the table of metrics, under the plain names."""
    return dict(zip(names, study.table[name].to_list(), strict=True))


def table_7(results: list[Found]) -> list[str]:
    """Robustness and strictness (fall) against the traditional measures."""
    rows = []
    studies = [one.of(PLAIN, TRADITIONAL) for one in results]
    for at, metric in enumerate(PLAIN):
        cells = [f"{study.table['robustness'][at]:.2f}" for study in studies]
        falls = [f"{study.table['fall'][at]:.2f}" for study in studies]
        where = ", ".join(f"`{study.strictness['fall_in'][at]}`" for study in studies)
        rob, strict = TABLE_7[metric]
        rows.append([label(metric), f"{rob:.2f}", *cells, f"{strict:.2f}", *falls, f"falls most in {where}"])
    names = [one.name for one in results]
    return table(["measure", "robustness: paper", *names, "strictness: paper", *names, "remark"], rows)


def figure_9(results: list[Found]) -> list[str]:
    """Strictness (floor) of the smoothed measures within the top outputs."""
    rows = []
    names = tuple(SMOOTHED.values())
    for one in results:
        curve = one.of(names).curve
        by_top = {top: dict(curve.filter(pl.col("top") == top).select("metric", "floor").iter_rows()) for top in TOPS}
        for plain, smoothed in SMOOTHED.items():
            cells = [f"{by_top[top][smoothed]:.2f}" for top in TOPS]
            leads = [top for top in TOPS if by_top[top][smoothed] >= max(by_top[top].values()) - 10**-9]
            remark = f"strictest of all at {', '.join(f'{top} %' for top in leads)}" if leads else ""
            rows.append([f"{one.name}: {LABELS[plain]}", *cells, remark])
    return table(["smoothed measure", *(f"top {top} %" for top in TOPS), "remark"], rows)


def figure_11(results: list[Found]) -> list[str]:
    """Robustness of plain and smoothed measures."""
    rows = []
    for plain, smoothed in SMOOTHED.items():
        cells = []
        for one in results:
            values = dict(one.study.robustness.select("metric", "robustness").iter_rows())
            cells += [f"{values[plain]:.2f}", f"{values[smoothed]:.2f}"]
        rows.append([label(plain), *cells, ""])
    return table(["measure", *(f"{one.name}{more}" for one in results for more in ("", ", smoothed")), "remark"], rows)


def figure_12(one: Found) -> list[str]:
    """The systems by smoothed R*S; a star beats zero output, placebo and random."""
    means = {metric: one.means(metric) for metric in SHOWN_12}
    beating = {metric: set(one.beating(metric)) for metric in SHOWN_12}
    order = sorted(means[SHOWN_12[-1]], key=lambda system: -means[SHOWN_12[-1]][system])
    rows = [
        [system, *(f"{means[m][system]:.2f}{'*' if system in beating[m] else ''}" for m in SHOWN_12), ""] for system in order
    ]
    head = ["Accuracy", "Utility", "Lam%", "smoothed Lam%", "F", "smoothed F", "smoothed F(R,S)"]
    return table([one.name, *head, "remark"], rows)


def baselines(results: list[Found]) -> list[str]:
    """How many systems beat every output that ignores the gold."""
    rows = []
    for metric in PLAIN:
        asked = SMOOTHED[R_S] if metric == R_S else metric
        cells = [f"{len(one.beating(asked))} of {len(one.filters.systems)}" for one in results]
        rows.append([f"{'smoothed ' if metric == R_S else ''}{LABELS[metric]}", f"{BEATING[metric]} of 16", *cells, ""])
    return table(["better than zero, placebo and random", "paper", *(one.name for one in results), "remark"], rows)


def smoothing(results: list[Found]) -> list[str]:
    """How much smoothing changes, figures 6 to 8."""
    rows = []
    for one in results:
        for row in one.study.effects.iter_rows(named=True):
            mine = one.study.smoothing.filter(pl.col("metric") == row["metric"])
            moved = int(((mine[row["smooth"]] - mine["none"]).abs() > MARKED).sum())
            cells = [f"{moved} of {row['outputs']}", f"{row['greatest_change']:.2f}", f"{row['pearson']:.3f}"]
            rows.append([f"{one.name}: {LABELS[row['metric']]}, {row['smooth']}", *cells, ""])
    return table(
        ["measure and smoothing", f"changed by more than {MARKED:g}", "greatest change", "correlation", "remark"], rows
    )


def extremes(one: Found) -> str:
    """What smoothing makes of the best and worst Lam, regions B and A of figure 6."""
    mine = one.study.smoothing.filter(pl.col("metric") == LAM)
    message = []
    for value, words in ((0.0, "best"), (1.0, "worst")):
        some = 1 - mine.filter((pl.col("none") - value).abs() < 10**-9)["noninformative"].to_numpy()
        span = f", smoothed {some.min():.2f} to {some.max():.2f}" if len(some) else ""
        message.append(f"{len(some)} have the {words} Lam%{span}")
    return f"of {len(mine)} outputs {'; '.join(message)}"


def modesty(one: Found) -> dict[str, float]:
    """For each measure, how much its ranking of the systems is one by how little they accept: mean Spearman over cases."""
    facts = one.study.facts
    assert isinstance(facts, FilterFacts)  # noqa: S101 - filters were studied
    rows = [facts.aligned.systems.index(name) for name in one.study.cube.systems]
    columns = [facts.aligned.cases.index(name) for name in one.study.cube.cases]
    accepted = facts.counts[:, :2].sum(axis=1).reshape(len(rows), -1)[np.ix_(rows, columns)]
    values = one.of(PLAIN).cube.signed
    results = {}
    for metric, of_filter in zip(PLAIN, values, strict=True):
        pairs = zip(of_filter.T, -accepted.T, strict=True)
        results[metric] = float(np.mean([spearman(mine, theirs) for mine, theirs in pairs]))
    return results


def whole_runs(one: Found) -> str:
    """The same measures without the cut rankings, where there are any."""
    names = [name for name in one.study.cube.systems if ", first " not in name]
    if len(names) == len(one.study.cube.systems):
        return ""
    study = Study(one.study.cube.only(PLAIN, names), TRADITIONAL)
    message = [
        f"{words}: {best(column(study, name))} ({max(study.table[name]):.2f}; R*S {column(study, name)[R_S]:.2f})"
        for name, words in (("fall", "strictest"), ("robustness", "most robust"))
    ]
    return f"without cut lists ({len(names)} systems) {', '.join(message)}"


def disagreeing(one: Found) -> str:
    """How many of the greatest disagreements are about outputs that know nothing."""
    kinds = one.study.between("Accuracy", LAM).kinds
    top = one.study.disagreements("Accuracy", LAM, 50)["kind"].count()
    share = f"{sum(map(bool, kinds))} of all {len(kinds)}"
    return f"of the 50 outputs on which Accuracy and Lam% disagree most, {top} know nothing of the gold; {share} do"


def findings(results: list[Found]) -> list[str]:
    """What holds, counted."""
    lines = []
    printed = float(np.corrcoef(np.hstack([np.array(half) for half in PRINTED_12]))[0, 1])
    for one in results:
        plain, smoothed = one.of(PLAIN, TRADITIONAL), one.of(tuple(SMOOTHED.values()))
        before, after = np.array(one.study.robustness["robustness"].to_list()).reshape(2, -1)
        ten = dict(zip(PLAIN, plain.strictness["ten_falls"].to_list(), strict=True))
        pair = one.study.correlations.filter((pl.col("a") == "Accuracy") & (pl.col("b") == "F(P,R)"))
        agreed = dict(pair.select("over", "pearson").iter_rows())["systems"]
        firsts = {metric: max(one.means(metric).items(), key=lambda pair: pair[1])[0] for metric in PLAIN}
        size = f"{len(one.filters.systems)} systems and 2 baselines x {len(one.study.cube.cases)} cases"
        more = f"{int((after > before).sum())} of {len(before)} measures"
        modest = ", ".join(f"{LABELS[metric]} {value:.2f}" for metric, value in modesty(one).items())
        message = [
            f"strictest by the fall (paper: R*S): {best(column(plain, 'fall'))}; by the ten greatest falls: {best(ten)}",
            f"strictest by the floor of the top 20 %, smoothed (paper: R*S, then Lam%): {best(column(smoothed, 'floor'))}",
            f"most robust (paper: R*S): {best(column(plain, 'robustness'))}",
            whole_runs(one),
            f"ranking of systems by how little they accept, mean Spearman over cases: {modest}",
            f"smoothing makes {more} more robust (paper: no consistent effect)",
            f"{extremes(one)} (paper: from 1 to near 0.5, and from 0.1 to almost 0.5)",
            disagreeing(one),
            f"correlation of the systems by Accuracy and by F (paper: 0.5; by its own figure 12 {printed:.2f}): {agreed:.2f}",
            "best system (paper: the same by all): " + ", ".join(f"{LABELS[m]} {name}" for m, name in firsts.items()),
        ]
        lines.append(f"- {one.name}: {size} = {len(one.study.outputs)} outputs.")
        lines += [f"  - {line}." for line in message if line]
    return lines


def report(results: list[Found]) -> str:
    """All tables."""
    parts = {
        "Table 7: robustness and strictness of filtering measures": table_7(results),
        "Figure 9: strictness within the top outputs": figure_9(results),
        "Figure 11: robustness, plain and smoothed": figure_11(results),
        "Figure 12: who beats the outputs that ignore the gold": baselines(results),
        **{f"Figure 12: systems of {one.name}": figure_12(one) for one in results},
        "Figures 6 to 8: what smoothing changes": smoothing(results),
        "Filtering, counted": findings(results),
    }
    return sections(parts)


def main() -> int:
    """Print the tables, or say where the data should be."""
    return print_from_data(
        lambda folder: report([found_on(filters) for filters in collections(folder)]), ["clef_tar2017", "semeval2018_task12"]
    )


if __name__ == "__main__":
    sys.exit(main())
