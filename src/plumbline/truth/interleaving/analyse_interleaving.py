"""analyse_interleaving(): which system the clicks on interleaved lists prefer."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Unpack

import numpy as np
import polars as pl

from plumbline.comparison.significance.correction import holm
from plumbline.errors import BadData, BadUsage, interleaving, usage
from plumbline.errors.faces import option
from plumbline.io.interleaved.log import TEAM, USER
from plumbline.io.interleaved.read import read_log
from plumbline.lazily import special
from plumbline.options.interleaving import AnalyseOptions
from plumbline.options.option import checked, documented
from plumbline.truth.interleaving import scoring
from plumbline.truth.interleaving.credit import credited
from plumbline.truth.interleaving.evidence import evidence
from plumbline.truth.interleaving.interleave import LENGTH, check_method, is_default, rankings_of
from plumbline.truth.interleaving.registry import interleaving_methods, names_where
from plumbline.truth.interleaving.result import Preferences
from plumbline.truth.interleaving.shown import sessions_of, with_teams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.interleaved.log import Log
    from plumbline.truth.interleaving.registry import Method
    from plumbline.truth.interleaving.scoring import Margins

RESAMPLES: Final = 2000
UNFAIR: Final = 0.001
"""A smaller p of the first places says that the coin was not fair."""
FEWEST_USERS: Final = 2


@documented(AnalyseOptions)
def analyse_interleaving(
    log: Any,
    systems: Any = None,
    **options: Unpack[AnalyseOptions],
) -> Preferences:
    """Say which system users prefer, by their clicks on interleaved lists.

    Args:
        log: A table with a row for each item shown or for each event, or queries and events of UBI: a path, a list of paths
            or a data frame.
        systems: The rankings that were interleaved, as `evaluate` takes outputs; every method but team draft needs them.
        **options: See `plumbline.options.interleaving.AnalyseOptions`.

    Returns:
        Wins, losses and ties of each pair, the preference with its interval, and p.

    Raises:
        BadData: If the log cannot be read, or lacks what the method needs.
        BadUsage: If an option is unknown, or does not fit.

    Example:
        >>> import plumbline, polars
        >>> log = polars.DataFrame(
        ...     {"session": [1, 1, 2, 2], "item": list("abab"), "team": ["old", "new", "new", "old"], "clicked": [0, 1, 1, 0]}
        ... )
        >>> plumbline.analyse_interleaving(log).table.select("first", "second", "wins", "losses", "preference", "p").row(0)
        ('new', 'old', 2.0, 0.0, 1.0, 0.5)
    """
    given = checked(options, AnalyseOptions, "analyse_interleaving")
    method = given.get("method", "team-draft")
    _check(given, method, has_systems=systems is not None)
    read = read_log(
        log,
        given.get("log_columns"),
        _listed(given.get("actions", "click")),
        given.get("positions_from", 1),
        given.get("max_bytes"),
    )
    notices = list(read.notices)
    chosen = interleaving_methods()[method]
    names, pairs, sessions, more = (
        _by_teams(read, given) if chosen.score is None else _by_rankings(read, systems, given, chosen)
    )
    notices += more
    if len(sessions) < len(read.sessions):
        notices.append(interleaving.without_click(len(read.sessions) - len(sessions), len(read.sessions)))
    units, over = _units(read, sessions, given)
    confidence, resamples, seed = given.get("confidence", 0.95), given.get("resamples", RESAMPLES), given.get("seed", 0)
    rng = np.random.default_rng(seed)
    settings: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "rng": rng, "alone": over == "sessions"}
    rows = [
        _row(names, pair, margins, evidence(margins, units, by_credit=chosen.by_credit, **settings)) for pair, margins in pairs
    ]
    table = pl.DataFrame(rows)
    table = table.with_columns(pl.Series("corrected", holm(table["p"].to_numpy())))
    number = int(units.max()) + 1
    return Preferences(table, method, given.get("credit", "clicks"), over, number, confidence, resamples, seed, tuple(notices))


def _listed(names: Any) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _check(given: dict[str, Any], method: str, *, has_systems: bool) -> None:
    check_method(given, method, given.get("length", LENGTH))
    chosen = interleaving_methods()[method]
    if chosen.score is not None and not has_systems:
        raise BadUsage(interleaving.needs_rankings(method))
    if not is_default(given, "lists_per_case"):
        raise BadUsage(usage.bad_keyword("analyse_interleaving", "lists_per_case makes lists", "leave it out"))
    if given.get("credit") == "weighted" and not chosen.weighs_clicks:
        weighing = option("method", *names_where(lambda one: one.weighs_clicks))
        raise BadUsage(usage.goes_with(option("credit", "weighted"), weighing))
    if given.get("credit") != "satisfied" and not is_default(given, "satisfied_after"):
        raise BadUsage(usage.goes_with(option("satisfied_after"), option("credit", "satisfied")))
    if has_systems and chosen.score is None:
        raise BadUsage(usage.goes_with("the rankings", option("method", *names_where(lambda one: one.score is not None))))
    if "lists" in given and chosen.score is not None:
        raise BadUsage(usage.goes_with(option("lists"), option("method", *names_where(lambda one: one.score is None))))


Scored = tuple[tuple[str, ...], "list[tuple[tuple[int, int], Margins]]", "NDArray[np.int64]", "list[Diagnostic]"]
"""Names, margins of each pair, the sessions that they are about, and notices."""


def _by_teams(read: Log, given: dict[str, Any]) -> Scored:
    """A click counts for the team of its item."""
    log = with_teams(read, given.get("lists"))
    clicks, notices = credited(log, given.get("credit", "clicks"), given.get("satisfied_after", 30.0))
    of_team = clicks.drop_nulls(TEAM)
    if len(of_team) < len(clicks):
        notices.append(interleaving.teamless(log.label, len(clicks) - len(of_team), len(clicks)))
    names = tuple(sorted(log.rows[TEAM].drop_nulls().unique().to_list()))
    if len(names) < FEWEST_USERS:
        raise BadData(interleaving.one_team(log.label, list(names)))
    sessions, place = np.unique(of_team["session"].to_numpy(), return_inverse=True)
    team = of_team[TEAM].replace_strict(names, range(len(names)), return_dtype=pl.Int64).to_numpy()
    counts = np.zeros((len(sessions), len(names)))
    np.add.at(counts, (place, team), of_team["amount"].to_numpy())
    if log.shows_all and "position" in log.rows.columns:
        notices += _first_places(log, names)
    pairs = [((one, two), scoring.by_counts(counts[:, one], counts[:, two])) for one, two in combinations(range(len(names)), 2)]
    return names, pairs, sessions, notices


def _first_places(log: Log, names: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Whether each team has the first place as often as a fair coin gives it."""
    first = log.rows.filter(pl.col("position") == 1).drop_nulls(TEAM)[TEAM]
    total, share = len(first), 1 / len(names)
    for name in names:
        times = int((first == name).sum())
        p = min(
            1.0,
            2 * float(min(special.bdtr(times, total, share), special.bdtrc(times - 1, total, share) if times else 1.0)),
        )
        if p < UNFAIR and times > total * share:
            yield interleaving.unfair_coin(name, times, total, p)


def _by_rankings(read: Log, systems: Any, given: dict[str, Any], method: Method) -> Scored:
    """Clicks count by where the rankings have the items."""
    rankings = rankings_of(systems, given)
    clicks, notices = credited(read, given.get("credit", "clicks"), given.get("satisfied_after", 30.0))
    shown, numbers, more = sessions_of(read, clicks, rankings, method)
    notices = [*rankings.notices, *notices, *more]
    assert method.score is not None  # noqa: S101 - else clicks count by teams
    margins = method.score(shown, float(given.get("softness", 3.0)))
    pairs = [(pair, margins(*pair)) for pair in combinations(range(len(rankings.systems)), 2)]
    return rankings.systems, pairs, numbers, notices


def _units(log: Log, sessions: NDArray[np.int64], given: dict[str, Any]) -> tuple[NDArray[np.int64], str]:
    """The unit of each session, and what units are."""
    has_users = USER in log.sessions.columns
    over = given.get("over") or ("users" if has_users else "sessions")
    if over == "sessions":
        return np.arange(len(sessions)), over
    if not has_users:
        raise BadData(interleaving.no_column(log.origin.places([-1], USER)[0], "user", log.sessions.columns))
    users = log.sessions[USER].fill_null("")[sessions]
    return users.rank("dense").cast(pl.Int64).to_numpy() - 1, over


def _row(names: tuple[str, ...], pair: tuple[int, int], margins: Margins, result: Any) -> dict[str, Any]:
    wins, losses = float(margins.win.sum()), float(margins.loss.sum())
    return {
        "first": names[pair[0]],
        "second": names[pair[1]],
        "sessions": len(margins.value),
        "wins": wins,
        "losses": losses,
        "ties": len(margins.value) - wins - losses,
        "preference": result.preference,
        "low": result.low,
        "high": result.high,
        "outcome": wins / (wins + losses) if wins + losses else None,
        "p": result.p,
    }
