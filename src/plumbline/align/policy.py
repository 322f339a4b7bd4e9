"""The decisions that alignment and averaging need, with the defaults that are used everywhere."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage
from plumbline.records import dataclass
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from plumbline.options.evaluation import Duplicates, Missing, MissingItems, Ties, Undefined


@dataclass(frozen=True)
class Policy:
    """How edge cases are treated; the options of the same names are declared and checked in `plumbline.options`."""

    ties: Ties = "id"
    on_duplicate: Duplicates = "error"
    missing: Missing = "worst"
    missing_items: MissingItems | None = None
    """None for the first of the task's rules."""
    undefined: Undefined = "skip"
    depth: int | None = None
    judged_only: bool = False
    single_precision: bool = False
    seed: int = 0

    def rule_for_items(self, task: str) -> str:
        """How to count an item without an answer.

        Raises:
            BadUsage: If the task has no such rule.
        """
        known = list(task_named(task).item_rules)
        rule = known[0] if self.missing_items is None else self.missing_items
        if rule not in known:
            raise BadUsage(usage.bad_option("missing_items", rule, known))
        return rule

    def changes(self) -> dict[str, str]:
        """Every decision that is not the default, as text."""
        if self == DEFAULT:
            return {}
        decisions = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: str(value) for name, value in decisions.items() if value != getattr(DEFAULT, name)}


DEFAULT: Final = Policy()
