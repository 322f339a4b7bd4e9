"""A measure of any organization should keep the constraints of all the tasks that it subsumes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.clustering import CLUSTERING
from plumbline.audits.constraints.filtering import FILTERING
from plumbline.audits.constraints.ranking import RANKING

if TYPE_CHECKING:
    from plumbline.audits.constraints.constraint import Constraint

LARGEST: Final = {"ranking": 8, "filtering": 6}
COST: Final = 4
"""Relations of all items take longer than counts."""


def _subsumed(constraint: Constraint) -> Constraint:
    most = LARGEST.get(constraint.task, constraint.largest)
    largest = constraint.largest if constraint.sizes else min(constraint.largest, most)
    return replace(constraint, task="organization", largest=largest, cost=max(COST, constraint.cost))


ORGANIZATION: Final = tuple(_subsumed(one) for one in (*RANKING, *FILTERING, *CLUSTERING))
