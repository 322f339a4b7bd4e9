"""Groups of measures known by one name: those of trec_eval, in the order in which it prints them, and the 11-point curve."""

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

GROUPS: Final[dict[str, tuple[str, ...]]] = {
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
