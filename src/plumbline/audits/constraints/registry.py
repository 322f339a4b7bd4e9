"""What a constraint is, how it is declared, and which constraints a task has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from plumbline.audits.kinds import named_kinds
from plumbline.declarations import import_all
from plumbline.errors import BadUsage, audits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from random import Random

Axiom = Literal[
    "as good if as good",
    "equal if equal",
    "reached",
    "differs somewhere",
    "better than some in each group",
    "smooth",
]
"""What axioms demand: the first of a pair is as good as the second, or both are equal, wherever that is so of the outputs that
are given; some output between the two reaches the one that is given; each component makes a difference in some pair; the first
is better than one of its pairs at least; three scores in a row are on a line, but for a bend that is tiny."""
Demand = Literal["better", "equal", "defined", "from some size on", "at some size", "one sign"] | Axiom
"""What must be true of the scores: in every pair the first is better, or both are equal, or there is a score; or the first is
better from some size on; or at some size; or the first is better in all pairs or in none, and a parameter decides which; or
what an axiom demands."""
AXIOMS: Final = get_args(Axiom)
THRESHOLDS: Final = ("from some size on", "at some size")
"""Demands for which a size is found."""
LEAST_COST: Final = {"organization": 4}
"""What a pair of a task costs at least: relations of all items take longer than counts."""


class Pair(NamedTuple):
    """Two small outputs, each with its gold, in the form of their task, and how large they are."""

    better: Any
    worse: Any
    size: int
    given: tuple[tuple[Any, Any], ...] = ()
    """Pairs of further outputs, on whose scores it depends whether anything is demanded."""


@dataclass(frozen=True)
class Constraint:
    """A named table of pairs, and what must be true of their scores."""

    name: str
    task: str
    paper: str
    text: str
    """What is demanded, in words."""
    pairs: Callable[[int], Iterator[Pair]]
    """All pairs of one size, always in the same order."""
    smallest: int
    """The size of its smallest pairs."""
    largest: int
    """Up to which size all pairs are tried, if there is time for so many."""
    draw: Callable[[int, Random], Pair | None] | None = None
    """A random pair of one size; None if there was none this time."""
    demand: Demand = "better"
    overlapping: bool = False
    """Whether an item may be in several clusters."""
    sizes: tuple[int, ...] = ()
    """Beyond `largest`, the only sizes that are tried."""
    cost: int = 1
    """How many pairs of the budget one of its pairs takes: metrics of clusterings take longer than counts."""
    group: str = ""
    """The name under which it is asked for with others like it; without one it is part of every audit of its task."""


_DECLARED: list[tuple[str, Constraint]] = []
"""The first task of each constraint, for which it was made, and the constraint."""


def constraint(  # noqa: PLR0913 - every field can be declared
    name: str,
    *,
    paper: str,
    smallest: int,
    largest: Mapping[str, int],
    draw: Callable[[int, Random], Pair | None] | None = None,
    demand: Demand = "better",
    overlapping: bool = False,
    sizes: tuple[int, ...] = (),
    cost: int = 1,
    group: str = "",
) -> Callable[[Callable[[int], Iterator[Pair]]], Constraint]:
    """Declare a constraint; the function makes all pairs of a size, and its docstring says what is demanded.

    Args:
        name: What `plumbline audit --constraint` takes.
        paper: The key in `references.bib`.
        smallest: The size of its smallest pairs.
        largest: The tasks that have it, each with the size up to which all pairs are tried; the first is its own.
        draw: Makes a random pair of a size, for what is larger.
        demand: What must be true of the scores of a pair.
        overlapping: Whether an item may be in several clusters.
        sizes: Beyond the largest, the only sizes that are tried.
        cost: How many pairs of the budget one of its pairs takes.
        group: The name under which it is asked for with others like it; it is then left out of an audit without names.
    """

    def declare(pairs: Callable[[int], Iterator[Pair]]) -> Constraint:
        words = (pairs.__doc__ or "").partition("\n")[0].removesuffix(".")
        text = f"{words[:1].lower()}{words[1:]}"
        made = [
            Constraint(
                name,
                task,
                paper,
                text,
                pairs,
                smallest,
                most,
                draw,
                demand,
                overlapping,
                sizes,
                max(cost, LEAST_COST.get(task, 1)),
                group,
            )
            for task, most in largest.items()
        ]
        _DECLARED.extend((made[0].task, one) for one in made)
        return made[0]

    return declare


@cache
def _walk() -> None:
    """Import every module of this package, so that its constraints are declared."""
    import_all(__package__ or "plumbline.audits.constraints")


def all_constraints(*, grouped: bool = False) -> dict[str, tuple[Constraint, ...]]:
    """The constraints of every task that has any, and of combining functions, in the order of their files.

    Args:
        grouped: Whether to add those that are asked for by the name of a group.
    """
    _walk()
    tasks = named_kinds()
    ordered = [one for home in tasks for first, one in _DECLARED if first == home and (grouped or not one.group)]
    every = {task: tuple(one for one in ordered if one.task == task) for task in tasks}
    return {task: constraints for task, constraints in every.items() if constraints}


def constraints_of(task: str, names: Iterable[str] | None = None) -> tuple[Constraint, ...]:
    """All constraints of a task, or those of these names or groups; spaces, hyphens and case do not matter."""
    usual, every = all_constraints(), all_constraints(grouped=True)
    if task not in usual:
        raise BadUsage(audits.no_constraints(task, list(usual)))
    if names is None:
        return usual[task]
    known: dict[str, tuple[Constraint, ...]] = {_plain(one.name): (one,) for one in every[task]}
    groups = dict.fromkeys(one.group for one in every[task] if one.group)
    known |= {_plain(group): tuple(one for one in every[task] if one.group == group) for group in groups}
    wanted = {_plain(name): name for name in names}
    for plain, name in wanted.items():
        if plain not in known:
            raise BadUsage(audits.unknown_constraint(name, task, [*(one.name for one in every[task]), *groups]))
    return tuple(dict.fromkeys(one for plain in wanted for one in known[plain]))


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def demands(task: str, names: Iterable[str] | None = None) -> str:
    """What each constraint demands, in words; without names those of groups too, below the name of each group."""
    wanted = constraints_of(task, names)
    others = [one for one in all_constraints(grouped=True)[task] if one.group] if names is None else []
    width = max(len(one.name) for one in (*wanted, *others))
    lines = [_demand(one, width) for one in wanted]
    for group in dict.fromkeys(one.group for one in others):
        lines += ["", f"only with --constraint {group}:", *(_demand(one, width) for one in others if one.group == group)]
    return "\n".join(lines)


def _demand(one: Constraint, width: int) -> str:
    return f"{one.name:<{width}}  {one.text} ({one.paper})"
