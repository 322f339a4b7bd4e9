"""Named bundles of conventions: the same numbers as another tool, by one word."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, usage
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Convention:
    """Policies and metric parameters that together reproduce a tool."""

    description: str
    policy: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    extra_columns: bool = False


def _points(kind: str) -> dict[str, dict[str, Any]]:
    return {"IPrec": {"points": kind}, "11pt": {"points": kind}}


_AVERAGING: Final = {"undefined": "zero", "missing": "skip"}

CONVENTIONS: Final[dict[str, Convention]] = {
    "trec_eval": Convention(
        "trec_eval 10: means over the cases of the run, 0 where nothing is relevant, recall points rounded",
        _AVERAGING,
        _points("round"),
        extra_columns=True,
    ),
    "trec_eval9": Convention(
        "trec_eval 9 and pytrec_eval: as trec_eval, but scores compared as 32-bit floats and recall points truncated",
        {**_AVERAGING, "single_precision": True},
        _points("truncate"),
        extra_columns=True,
    ),
}


def convention(name: str | None) -> Convention:
    """The bundle of this name; none changes nothing."""
    if name is None:
        return Convention("plumbline's own")
    if name not in CONVENTIONS:
        raise BadUsage(usage.bad_option("as", name, list(CONVENTIONS)))
    return CONVENTIONS[name]
