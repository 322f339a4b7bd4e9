"""Audits that several tests look at, each made once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import plumbline
from plumbline.audits.constraints.registry import constraints_of

if TYPE_CHECKING:
    from plumbline.audits.constraints.registry import Constraint
    from plumbline.audits.result import Audit

TASKS: tuple[str, ...] = ("filtering", "ranking", "classification", "clustering", "organization", "extraction")


@cache
def full_audit(task: str) -> Audit:
    """All metrics of a task and all its constraints, as far as the budget of the program goes."""
    return plumbline.audit(task=task)


def constraint(task: str, name: str) -> Constraint:
    """A constraint by its name."""
    (actual,) = constraints_of(task, [name])
    return actual
