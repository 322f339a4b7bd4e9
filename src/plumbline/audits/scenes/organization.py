"""Small outputs of any kind as levels of clusters: what is good for a list, a filter or a clustering is good for them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from plumbline.audits.constraints.filtering import Matrix
from plumbline.audits.constraints.ranking import Listed
from plumbline.audits.scenes import clustering, filtering, ranking
from plumbline.audits.scenes.scene import Scene, by_evaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

World = Listed | Matrix | clustering.World
Levels = list[list[list[str]]]
"""Levels of clusters of items, the best first."""


class Organized(NamedTuple):
    """A gold and an output."""

    levels: Levels
    gold: Levels


def organized(world: World) -> Organized:
    """An item of a list is a level; accepted and discarded items are two; a clustering is one."""
    if isinstance(world, Listed):
        return _from_list(world)
    if isinstance(world, Matrix):
        return _from_matrix(world)
    return Organized([clustering.clusters(world)], [clustering.classes(world)])


def _from_list(world: Listed) -> Organized:
    shown = [f"{letter}{place}" for place, letter in enumerate(world.shown)]
    hidden = [f"hidden{number}" for number in range(world.hidden)]
    relevant = [item for item in shown if item.startswith("R")] + hidden
    return Organized([[[item]] for item in shown], [[[item] for item in relevant]])


def _from_matrix(matrix: Matrix) -> Organized:
    kinds = {name: [[f"{name}{number}"] for number in range(count)] for name, count in matrix._asdict().items()}
    system = [kinds["tp"] + kinds["fp"], kinds["fn"] + kinds["tn"]]
    gold = [kinds["tp"] + kinds["fn"], kinds["fp"] + kinds["tn"]]
    return Organized([level for level in system if level], [level for level in gold if level])


def tables(worlds: Sequence[World]) -> tuple[dict[str, Levels], dict[str, Levels]]:
    """Levels of each case."""
    sides = {str(case): organized(world) for case, world in enumerate(worlds)}
    return {case: side.gold for case, side in sides.items()}, {case: side.levels for case, side in sides.items()}


def _scene(world: World) -> Scene:
    if isinstance(world, Listed):
        return ranking.SCENE
    return filtering.SCENE if isinstance(world, Matrix) else clustering.SCENE


SCENE: Final = Scene(
    "organization",
    by_evaluation("organization", tables),
    lambda world: _scene(world).drawn(world),
    lambda world: _scene(world).gold(world),
    organized,
    Organized._fields,
)
