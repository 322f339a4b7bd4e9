"""interleave(): one list from the rankings of several systems, drawn so that clicks can tell who is preferred."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, interleaving, usage
from plumbline.errors.faces import option
from plumbline.io.table import ReadOptions as Reading
from plumbline.options.evaluation import ReadOptions
from plumbline.options.interleaving import AnalyseOptions, InterleaveOptions
from plumbline.options.option import checked, declared, documented
from plumbline.truth.interleaving.drawing import NOBODY
from plumbline.truth.interleaving.rankings import Rankings, read_rankings
from plumbline.truth.interleaving.registry import interleaving_methods, names_where
from plumbline.truth.interleaving.result import InterleavedLists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.interleaving.drawing import Drawn

LENGTH = 10
FEWEST = 2


@documented(InterleaveOptions)
def interleave(systems: Any, **options: Unpack[InterleaveOptions]) -> InterleavedLists:
    """Interleave the rankings of two systems or more into lists to show to users.

    Args:
        systems: The outputs, as `evaluate` takes them.
        **options: See `plumbline.options.interleaving.InterleaveOptions`.

    Returns:
        The lists, each item with the team that gets the credit for a click. They are the same for the same seed.

    Raises:
        BadData: If a file cannot be read, or no case is ranked by all systems.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline
        >>> runs = {"old": {"q1": {"a": 2.0, "b": 1.0}}, "new": {"q1": {"b": 2.0, "c": 1.0}}}
        >>> plumbline.interleave(runs, length=2, seed=1).to_polars().select("item", "team").rows()
        [('a', 'old'), ('b', 'new')]
    """
    given = checked(options, InterleaveOptions, "interleave")
    method, length = given.get("method", "team-draft"), given.get("length", LENGTH)
    check_method(given, method, length)
    rankings = rankings_of(systems, given)
    number, seed = given.get("lists_per_case", 1), given.get("seed", 0)
    repeated = rankings.of(np.repeat(np.arange(len(rankings.cases)), number))
    drawn = interleaving_methods()[method].draw(
        repeated, length, np.random.default_rng(seed), float(given.get("softness", 3.0))
    )
    notices = list(rankings.notices)
    if drawn.unfair:
        names = list(dict.fromkeys(repeated.cases[case] for case in drawn.unfair))
        notices.append(interleaving.not_unbiased(names, len(names)))
    alike = int(rankings.alike.sum())
    return InterleavedLists(
        _table(rankings, drawn, number), method, rankings.systems, len(rankings.cases), number, alike, seed, tuple(notices)
    )


def check_method(given: dict[str, Any], method: str, length: int) -> None:
    """Refuse what would change nothing, and lists that are too long to optimize."""
    chosen = interleaving_methods()[method]
    if not chosen.is_soft and not is_default(given, "softness"):
        raise BadUsage(usage.goes_with(option("softness"), option("method", *names_where(lambda one: one.is_soft))))
    if chosen.longest is not None and length > chosen.longest:
        raise BadUsage(interleaving.too_long(length, chosen.longest))


def is_default(given: dict[str, Any], name: str) -> bool:
    """Whether an option was left out, or has the value that it has anyway."""
    return declared(AnalyseOptions)[name].is_default(given.get(name))


def rankings_of(systems: Any, given: dict[str, Any]) -> Rankings:
    """The rankings that are interleaved, with as many systems as the method takes."""
    method, length = given.get("method", "team-draft"), given.get("length", LENGTH)
    reading = Reading(**{name: value for name, value in given.items() if name in declared(ReadOptions)})
    depth = given.get("depth", length)
    rankings = read_rankings(systems, replace(reading, several_systems=True), depth, given.get("on_duplicate", "error"))
    number = len(rankings.systems)
    pairs_only = interleaving_methods()[method].pairs_only
    if number < FEWEST or (number > FEWEST and pairs_only):
        raise BadUsage(interleaving.wrong_number(method, number, pairs_only=pairs_only))
    return rankings


def _table(rankings: Rankings, drawn: Drawn, number: int) -> pl.DataFrame:
    """`case, list, position, item, team`; lists stand case by case."""
    rows, positions = np.nonzero(drawn.items != NOBODY)
    names = pl.Series([item for items in rankings.items for item in items], dtype=pl.String)
    first = np.cumsum([0, *map(len, rankings.items)])[rows // number]
    return pl.DataFrame(
        {
            "case": pl.Series(rankings.cases, dtype=pl.String).gather(pl.Series(rows // number)),
            "list": rows % number + 1,
            "position": positions + 1,
            "item": names.gather(pl.Series(first + drawn.items[rows, positions])),
            "team": _teams(drawn.teams[rows, positions], rankings.systems),
        }
    )


def _teams(teams: NDArray[np.int64], systems: tuple[str, ...]) -> pl.Series:
    codes = pl.Series(teams)
    return pl.Series(systems, dtype=pl.String).gather(codes.set(codes == NOBODY, None))
