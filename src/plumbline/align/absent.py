"""Cases of the gold that a system lacks: what is said about them, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadData, Diagnostic, notices, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.policy import Policy
    from plumbline.io.table import Table


def case_notices(cases: list[str], read: Table, shown: NDArray[np.int64], policy: Policy) -> list[Diagnostic]:
    """Cases without anything shown: missing ones, and those that the output has with nothing in them."""
    empty = set(read.empty_cases)
    absent = [cases[code] for code in np.flatnonzero(shown == 0)]
    missing = [case for case in absent if case not in empty]
    if missing and policy.missing == "error":
        raise BadData(table.missing_case(read.label, missing, len(cases)))
    said = []
    if missing:
        rule = "counted as worst" if policy.missing == "worst" else "left out of its mean"
        said.append(notices.missing_cases(read.label, missing, len(cases), rule))
    if listed := [case for case in absent if case in empty]:
        said.append(notices.empty_cases(read.label, listed))
    return said
