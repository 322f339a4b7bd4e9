"""The decisions that alignment and averaging need, with the defaults that are used everywhere."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal, get_args, get_type_hints

from plumbline.errors import BadUsage, usage
from plumbline.tasks import task_named, task_names

Ties = Literal["id", "average", "best", "worst", "levels"]
Duplicates = Literal["error", "first", "last", "best"]
Missing = Literal["worst", "skip", "error"]
MissingItems = Literal["usual", "negative", "wrong", "singleton", "one-cluster", "drop", "absent", "error"]
Undefined = Literal["skip", "zero", "one", "error"]

DEEPEST: Final = 2**31 - 1
"""No list is longer."""
ITEM_RULES: Final = {name: task_named(name).item_rules for name in task_names() if task_named(name).item_rules}
"""What an item of the gold without an answer can count as, the usual rule first, with the words for it."""


@dataclass(frozen=True)
class Policy:
    """How edges are treated; each is a parameter in Python and an option on the command line."""

    ties: Ties = "id"
    on_duplicate: Duplicates = "error"
    missing: Missing = "worst"
    missing_items: MissingItems = "usual"
    undefined: Undefined = "skip"
    depth: int | None = None
    judged_only: bool = False
    single_precision: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):
            allowed, found = get_args(hints[field.name]), getattr(self, field.name)
            if isinstance(found, str) and found not in allowed:
                raise BadUsage(usage.bad_option(field.name, found, [str(word) for word in allowed]))
        if self.depth is not None and not 1 <= self.depth <= DEEPEST:
            raise BadUsage(usage.bad_option("depth", str(self.depth), [f"a whole number from 1 to {DEEPEST}"]))

    def rule_for_items(self, task: str) -> str:
        """What an item without an answer counts as."""
        known = list(task_named(task).item_rules)
        rule = known[0] if self.missing_items == "usual" else self.missing_items
        if rule not in known:
            raise BadUsage(usage.bad_option("missing_items", rule, known))
        return rule

    def told(self) -> dict[str, str]:
        """Every decision that is not the default, as text."""
        changed = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: str(value) for name, value in changed.items() if value != getattr(DEFAULT, name)}


DEFAULT: Final = Policy()
