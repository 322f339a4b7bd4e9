"""What the papers say about constraints: Table 6 of Amigó et al. (2013), Table 3 and figure 5 of Amigó et al. (2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


CLUSTERING: Final = (
    "homogeneity",
    "completeness",
    "rag bag",
    "size versus quantity",
    "size versus quantity, overlapping",
)
RANKING: Final = ("priority", "deepness", "deepness threshold", "closeness threshold", "confidence")
PRIORITY: Final = ("strict monotonicity",)
FILTERING: Final = ("strict monotonicity", "absolute weighting", "fixed quality", "growing quality")
SAID: Final = {"y": "yes", "n": "no", ".": "-"}


@dataclass(frozen=True)
class Row:
    """A row of a published table, and the metrics that stand for it here."""

    name: str
    marks: str
    """For each constraint y, n, or a dot where nothing is published."""
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class Published:
    """A published table, or the part of it that is about one task."""

    title: str
    task: str
    constraints: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics, each once."""
        return tuple(dict.fromkeys(metric for row in self.rows for metric in row.metrics))


R_S: Final = "F(Rel,Sens)"
R_S_TAIL: Final = "F(Rel(tail_credit=false,absent=tail),Sens(tail_credit=false,absent=tail))"
R_S_800: Final = "F(Rel(n=800),Sens(n=800))"


def smoothed(name: str, kind: str) -> str:
    """The name of a metric, or of an F of two, with smoothing."""
    if name.startswith("F("):
        first, second = name.removeprefix("F(").removesuffix(")").split(",")
        return f"F({smoothed(first, kind)},{smoothed(second, kind)})"
    return f"{name[:-1]},smooth={kind})" if name.endswith(")") else f"{name}(smooth={kind})"


OF_CLUSTERINGS: Final = Published(
    "Table 6 of 2013: clustering",
    "clustering",
    CLUSTERING,
    (
        Row("Set matching", "ynny.", ("F(Purity,InvPurity)", "ClusterF")),
        Row("Entropy based", "yyny.", ("VI", "VMeasure", "NMI")),
        Row("Edit distance", "nyny.", ("EditDistance",)),
        Row("Counting pairs", "yynn.", ("F(PairP,PairR)", "Rand", "Jaccard", "FM")),
        Row("Bcubed", "yyyyn", ("F(BCubedP,BCubedR)",)),
        Row("R*S", "yyyyy", (R_S,)),
        Row("one half alone", ".....", ("Purity", "InvPurity", "Entropy", "ClassEntropy", "MI", "BCubedP", "BCubedR")),
    ),
)
OF_RANKINGS: Final = Published(
    "Table 6 of 2013: ranking",
    "ranking",
    RANKING,
    (
        Row("MAP, DCG, Q measure", "yynyn", ("AP", "DCG", "nDCG", "Q")),
        Row("P10", "nnyyn", ("P@10",)),
        Row("MRR", "yyynn", ("RR",)),
        Row("RBP", "yyyyn", ("RBP", "RBP(p=0.95)", "RBP(p=0.5)")),
        Row("R*S", "yyyyy", (R_S, R_S_800, R_S_TAIL)),
        Row("text: ERR", "..ynn", ("ERR",)),
        Row("text: AUC", ".n..n", ("AUC",)),
    ),
)
OF_FILTERS: Final = Published(
    "Table 6 of 2013: filtering",
    "filtering",
    PRIORITY,
    (Row("UTILITY, F, LAM%", "y", ("Utility", "F(P,R)", "Lam")), Row("R*S", "y", (R_S,))),
)
PLAIN: Final = (
    Row("Acc (weighted)", "yynn", ("WAcc(lam=2)",)),
    Row("Utility", "yynn", ("Utility",)),
    Row("Lam%", "nnyn", ("Lam",)),
    Row("Odds", "nnyn", ("Odds",)),
    Row("Phi, MAAC, KapS, Chi, MI", "ynyn", ("Phi", "MAAc", "Kappa", "Chi", "MI")),
    Row("F Measure", "nnny", ("F(P,R)",)),
    Row("F(R,S)", "ynnn", (R_S,)),
)
TABLE3: Final = Published("Table 3 of 2019: filtering", "filtering", FILTERING, PLAIN)
_MARKS: Final = {
    ("Lam", "laplace"): "ynnn",
    ("Odds", "laplace"): "ynnn",
    ("F(P,R)", "laplace"): "ynnn",
    ("Lam", "noninformative"): "ynyn",
    ("Odds", "noninformative"): "ynyn",
    ("F(P,R)", "noninformative"): "ynny",
}
_SUFFIX: Final = {"laplace": "smL", "noninformative": "smN"}
FIGURE5: Final = Published(
    "Figure 5 of 2019: filtering with smoothing",
    "filtering",
    FILTERING,
    tuple(
        Row(
            f"{row.name}, {_SUFFIX[kind]}",
            _MARKS.get((row.metrics[0], kind), "...."),
            tuple(smoothed(m, kind) for m in row.metrics),
        )
        for kind in _SUFFIX
        for row in PLAIN
    ),
)
TABLES: Final = (OF_CLUSTERINGS, OF_RANKINGS, OF_FILTERS, TABLE3, FIGURE5)
REMARKS: Final[Mapping[tuple[str, str], str]] = {
    ("ClusterF", "homogeneity"): "equal scores, where another cluster fits the class as well",
    ("ClusterF", "rag bag"): "the table rates the family",
    ("VMeasure", "completeness"): "only where the gold is one class",
    ("NMI", "completeness"): "only where the gold is one class",
    ("F(PairP,PairR)", "homogeneity"): "only where no pair is right before or after",
    ("Jaccard", "homogeneity"): "only where no pair is right before or after",
    ("FM", "homogeneity"): "only where no pair is right before or after",
    ("AP", "deepness"): "kept where one relevant item is shown alone",
    ("Q", "deepness"): "kept where one relevant item is shown alone",
    ("RR", "priority"): "kept where one relevant item is shown alone",
    ("RR", "deepness"): "kept where one relevant item is shown alone",
    ("RBP(p=0.5)", "closeness threshold"): "kept with p = 0.8 and 0.95; no n can do it with p up to 0.75",
    (R_S_TAIL, "priority"): "kept by the default reading",
    (R_S_TAIL, "deepness"): "kept by the default reading",
    (R_S_800, "deepness threshold"): "kept from n = 20,002 on, beyond what was searched",
    (R_S_800, "confidence"): "kept up to n = 49",
    ("F(P,R)", "strict monotonicity"): "Table 3 of 2019 says no",
    ("Lam", "strict monotonicity"): "Table 3 of 2019 says no",
    (R_S, "strict monotonicity"): "section 4.4.1 of 2019 says no, against its own table",
    ("MI", "strict monotonicity"): "an output that is wrong everywhere tells as much as one that is right everywhere",
    ("F(P(smooth=noninformative),R(smooth=noninformative))", "strict monotonicity"): "the zero output scores 0",
}
"""About metrics and constraints where ours differs."""
