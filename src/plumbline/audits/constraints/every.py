"""Which constraints a task has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.audits.constraints.clustering import CLUSTERING
from plumbline.audits.constraints.filtering import FILTERING
from plumbline.audits.constraints.organization import ORGANIZATION
from plumbline.audits.constraints.ranking import RANKING
from plumbline.audits.scenes.clustering import CLUSTERING as OF_CLUSTERINGS
from plumbline.audits.scenes.filtering import FILTERING as OF_FILTERS
from plumbline.audits.scenes.organization import ORGANIZATION as OF_ORGANIZATIONS
from plumbline.audits.scenes.ranking import RANKING as OF_RANKINGS
from plumbline.errors import BadUsage, audits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.audits.constraints.constraint import Constraint
    from plumbline.metrics.registry import Task

CONSTRAINTS: Final[dict[Task, tuple[Constraint, ...]]] = {
    "ranking": RANKING,
    "filtering": FILTERING,
    "clustering": CLUSTERING,
    "organization": ORGANIZATION,
}
SCENES: Final = {scene.task: scene for scene in (OF_RANKINGS, OF_FILTERS, OF_CLUSTERINGS, OF_ORGANIZATIONS)}


def constraints_of(task: Task, names: Iterable[str] | None = None) -> tuple[Constraint, ...]:
    """All constraints of a task, or those of these names; spaces, hyphens and case do not matter."""
    if task not in CONSTRAINTS:
        raise BadUsage(audits.no_constraints(task, list(CONSTRAINTS)))
    known = {_plain(one.name): one for one in CONSTRAINTS[task]}
    if names is None:
        return CONSTRAINTS[task]
    wanted = {_plain(name): name for name in names}
    for plain, name in wanted.items():
        if plain not in known:
            raise BadUsage(audits.unknown_constraint(name, task, [one.name for one in CONSTRAINTS[task]]))
    return tuple(known[plain] for plain in wanted)


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def demands(task: Task, names: Iterable[str] | None = None) -> str:
    """What each constraint demands, in words."""
    wanted = constraints_of(task, names)
    width = max(len(one.name) for one in wanted)
    return "\n".join(f"{one.name:<{width}}  {one.text} ({one.paper})" for one in wanted)
