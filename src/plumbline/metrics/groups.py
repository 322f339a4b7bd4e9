"""Groups of measures known by one name: those of trec_eval, in the order in which it prints them, and families."""

from __future__ import annotations

from typing import Final

_CUTOFFS: Final = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _at(name: str, cutoffs: tuple[int, ...] = _CUTOFFS) -> list[str]:
    return [f"{name}_{cutoff}" for cutoff in cutoffs]


_COUNTS: Final = ["num_q", "num_ret", "num_rel", "num_rel_ret"]
_OFFICIAL: Final = [
    *_COUNTS,
    *("map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)),
    *_at("P"),
]
_SETS: Final = ["set_P", "set_relative_P", "set_recall", "set_map", "set_F"]

_RANKING: Final[dict[str, tuple[str, ...]]] = {
    "interpolated": tuple(f"IPrec@{tenth / 10}" for tenth in range(11)),
    "official": tuple(_OFFICIAL),
    "set": (*_COUNTS, "utility", *_SETS),
    "all_trec": (
        *_OFFICIAL,
        "relstring",
        *_at("recall"),
        *("infAP", "gm_bpref"),
        *(f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)),
        *("utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg"),
        *_at("ndcg_cut"),
        *_at("map_cut"),
        *_at("relative_P"),
        *_at("success", (1, 5, 10)),
        *_SETS,
        *("num_nonrel_judged_ret", "rbp", "rbp_resid"),
        *_at("unj", (5, 10, 20)),
    ),
}

_FILTERING: Final = {
    "rates": ("P", "R", "Specificity", "NPV", "FPR", "FNR", "PCFallout", "PCMiss"),
    "utility_based": ("Accuracy", "ErrorRate", "NUtility"),
    "informativeness": ("Lam", "Odds", "Phi", "MAAc", "Kappa", "Chi", "MI", "Youden"),
    "class_oriented": ("P", "R", "F(P,R)", "MeanF", "Product", "Jaccard"),
    "strict": ("Rel", "Sens", "F(Rel,Sens)"),
}

GROUPS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "ranking": _RANKING,
    "filtering": {
        **_FILTERING,
        "all_counts": tuple(dict.fromkeys(name for names in _FILTERING.values() for name in names)),
        "all_scored": ("AUC", "WAUC", "AP", "BrierScore", "RMSE", "CalibrationError", "SAR", "LogLoss", "EER", "c1", "F05u"),
    },
    "clustering": {
        "all_partition": (
            *("Purity", "InvPurity", "F(Purity,InvPurity)", "ClusterF", "Entropy", "ClassEntropy", "MI", "NMI", "VI"),
            *("Rand", "Jaccard", "FM", "PairP", "PairR", "F(PairP,PairR)", "EditDistance", "BCubedP", "BCubedR"),
            *("F(BCubedP,BCubedR)", "Rel", "Sens", "Homogeneity", "Completeness", "VMeasure", "ARI", "AMI"),
        ),
        "all_overlapping": (
            *("Purity", "InvPurity", "ClusterF", "Rand", "Jaccard", "FM", "PairP", "PairR", "BCubedP", "BCubedR"),
            *("F(BCubedP,BCubedR)", "Rel", "Sens", "F(Rel,Sens)", "Omega", "ONMI"),
        ),
        "fuzzy": ("FuzzyBCubedP", "FuzzyBCubedR", "F(FuzzyBCubedP,FuzzyBCubedR)", "FuzzyNMI"),
        "internal": ("Silhouette", "DaviesBouldin", "CalinskiHarabasz", "Dunn", "IntraSimilarity", "InterSimilarity"),
        "coreference": ("MUC", "BCubedP", "BCubedR", "F(BCubedP,BCubedR)", "CEAFe", "CEAFm", "BLANC", "LEA"),
    },
    "organization": {
        "all_four": tuple(f"{name}(over={kind})" for kind in ("priority", "related") for name in ("Rel", "Sens")),
    },
    "classification": {
        "averages": tuple(f"{name}(average={kind})" for kind in ("micro", "macro", "weighted") for name in ("P", "R"))
        + tuple(f"F(P,R,average={kind})" for kind in ("micro", "macro", "weighted")),
        "by_class": ("P(average=none)", "R(average=none)", "F(P,R,average=none)"),
    },
}
