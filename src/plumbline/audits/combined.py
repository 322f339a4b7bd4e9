"""Means of two metrics that are audited with the metrics of a task, and what they claim as a metric declares its claims."""

from __future__ import annotations

from typing import Final

_THRESHOLDS: Final = ("deepness threshold", "closeness threshold")
_PARTITIONS: Final = ("homogeneity", "completeness", "rag bag", "size versus quantity")
_OVERLAPPING: Final = "size versus quantity, overlapping"

COMBINED: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "ranking": {"F(Rel,Sens)": ("priority", "deepness", *_THRESHOLDS, "confidence")},
    "filtering": {"F(P,R)": ("definiteness", "growing quality"), "F(Rel,Sens)": ("definiteness",)},
    "classification": {},
    "clustering": {
        "F(Purity,InvPurity)": ("homogeneity", "size versus quantity", _OVERLAPPING),
        "F(PairP,PairR)": ("completeness",),
        "F(BCubedP,BCubedR)": _PARTITIONS,
        "F(Rel,Sens)": (*_PARTITIONS, _OVERLAPPING),
    },
    "organization": {
        "F(Rel,Sens)": (
            "priority",
            "deepness",
            *_THRESHOLDS,
            "confidence",
            "definiteness",
            "strong definiteness",
            *_PARTITIONS,
            _OVERLAPPING,
        )
    },
    "extraction": {},
}


def claims_of(name: str, task: str) -> tuple[str, ...] | None:
    """What a mean of two metrics claims; nothing is known about most."""
    return COMBINED.get(task, {}).get(name)
