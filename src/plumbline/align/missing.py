"""Notices about cases of the gold that a system lacks, or an error if the policy asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors import BadData, Diagnostic, notices, table
from plumbline.lazily import pl
from plumbline.schema import ONLY_CASE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from plumbline.align.policy import Policy


MOST_NAMED: Final = 6
"""How many items a message is given to name."""


def names_of(items: pl.Series) -> list[str]:
    """The first items of a column, for a message."""
    return items.head(MOST_NAMED).cast(pl.String).to_list()


def with_cases(names: list[str], cases: Sequence[str], of_gold: Sequence[str]) -> list[str]:
    """A few items for a message, each with its case where the gold has several."""
    if len(of_gold) == 1:
        return names
    return [f"{name} in {case}" for name, case in zip(names, cases[:MOST_NAMED], strict=True)]


def no_common_case(gold: str, of_gold: Sequence[str], output: str, extra: Sequence[str]) -> Diagnostic:
    """The error about files without a case in common; the case of a file that names none is not shown."""
    named = ([case for case in cases if case != ONLY_CASE] for cases in (of_gold, extra))
    return table.no_common_case(output, gold, *named)


def missing_case_notices(
    cases: list[str], label: str, absent: NDArray[np.bool_], policy: Policy, empty_cases: Collection[str] = ()
) -> list[Diagnostic]:
    """One notice for cases that an output does not have, and one for those that it has with nothing in them.

    `absent` tells for each case whether the output shows nothing there; `empty_cases` are those that it names all the same.
    """
    empty = set(empty_cases)
    without = [cases[code] for code in np.flatnonzero(absent)]
    missing = [case for case in without if case not in empty]
    if missing and policy.missing == "error":
        raise BadData(table.missing_case(label, missing, len(cases)))
    made = []
    if missing:
        rule = "counted as worst" if policy.missing == "worst" else "left out of its mean"
        made.append(notices.missing_cases(label, missing, len(cases), rule))
    if listed := [case for case in without if case in empty]:
        made.append(notices.empty_cases(label, listed))
    return made
