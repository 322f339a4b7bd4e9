"""Problems with interleaved lists and with logs of clicks on them."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, either, option
from plumbline.errors.registry import Message, diagnostic

ACTION = either('actions=["NAME"]', "--action NAME")
"""The option that names events."""


@diagnostic("E560", "The log lacks a column")
def no_column(place: Place, meaning: str, columns: list[str]) -> Message:
    """A log of interleaved lists has a row for each item that was shown, or for each event.

    Items need `session` and `clicked`, events `session` and `event`; the `team` of an item says which ranking it was taken
    from. `user`, `query`, `item`, `position`, `dwell`, `weight` and `timestamp` are used if present.
    """
    return Message(
        f"no column for {meaning}; columns: {listing(columns, 8)}",
        place,
        f"name it: {option('log_columns', f'{meaning.split(maxsplit=1)[0]}={COLUMN}')}",
    )


@diagnostic("E561", "A row of the log has no session")
def no_session(place: Place) -> Message:
    """Clicks are counted session by session, so every row must say which one it belongs to."""
    return Message("this row has no session", place, "fill it in, or leave the row out")


@diagnostic("E562", "A value of the log is not a number")
def not_a_number(place: Place, meaning: str, text: str) -> Message:
    """Positions, seconds and weights are numbers; empty and NA are allowed where there is none."""
    return Message(f"{meaning} {text!r} is not a number", place, "write a number, or leave it empty")


@diagnostic("E563", "Clicked is neither yes nor no")
def not_clicked(place: Place, text: str) -> Message:
    """An item that was shown was clicked or not: 1 or 0, true or false, yes or no."""
    return Message(f"clicked {text!r} is neither 1 nor 0", place, "write 1 or 0")


@diagnostic("E564", "A time of the log cannot be read")
def not_a_moment(place: Place, text: str) -> Message:
    """Times are numbers of seconds, or dates."""
    return Message(f"{text!r} is neither a number nor a date", place, "write dates as 2026-03-01T12:00:00Z")


@diagnostic("E565", "The time on an item is negative")
def negative_dwell(place: Place, seconds: float) -> Message:
    """Nobody leaves before arriving: this is a mistake of the log."""
    return Message(f"{seconds:g} seconds on an item", place, "check how the time was measured")


@diagnostic("E566", "A position of the log is wrong")
def bad_position(place: Place, position: float, first: int) -> Message:
    """Positions are whole numbers from 1 to 10,000. `--positions-from 0` reads logs that count from 0."""
    advice = option("positions_from", 0) if position == 0 else "positions are whole numbers up to 10,000"
    return Message(f"position {position:g} (positions start at {first})", place, advice)


@diagnostic("E567", "An item is listed twice on a page")
def item_twice(place: Place, item: str, session: str) -> Message:
    """An interleaved list has every item once, because a click on it must belong to one place."""
    return Message(
        f"item {item} is listed twice in session {session}", place, "check that a session is one list, and not a whole visit"
    )


@diagnostic("E568", "Nobody clicked")
def no_clicks(path: str, actions: list[str], events: str) -> Message:
    """Interleaving counts clicks; without any there is nothing to say."""
    seen = f"; events: {events}" if events else ""
    return Message(f"no event {listing(actions)}{seen}", Place(path), f"name the events that count: {ACTION}")


@diagnostic("E569", "Clicks belong to no team")
def no_teams(path: str) -> Message:
    """The team of an item is the ranking that it was taken from; only the maker of the list knows it.

    The log can have it in a column, or the lists that `plumbline interleave` wrote are given beside the log.
    """
    return Message(
        "no column says which ranking an item was taken from",
        Place(path),
        f"name the column with {option('log_columns')}, or give the lists: {option('lists')}",
    )


@diagnostic("E570", "Fewer than two teams")
def one_team(path: str, teams: list[str]) -> Message:
    """A preference is between two rankings or more."""
    named = f"only {listing(teams)}" if teams else "none"
    return Message(f"the log names {named}, and a preference is between two teams", Place(path), "check the column of the team")


@diagnostic("E571", "The method needs the rankings")
def needs_rankings(method: str) -> Message:
    """Team draft gives a click to the team of the item. Other methods look at where each ranking has the item."""
    return Message(
        f"{method} gives credit by the places of an item in the rankings",
        None,
        "give the rankings that were interleaved beside the log",
    )


@diagnostic("E572", "The log does not say what was shown")
def needs_lists(path: str, method: str, missing: str) -> Message:
    """Every method but team draft needs the query of a session, and all items of its list with their positions."""
    return Message(f"{method} needs {missing}, which the log does not have", Place(path), "log all items that were shown")


@diagnostic("E573", "Too many or too few rankings")
def wrong_number(method: str, number: int, *, pairs_only: bool) -> Message:
    """Balanced and optimized interleaving compare two rankings; the other methods take any number from two."""
    wanted = "two rankings" if pairs_only else "two rankings or more"
    remedy = f"{option('method', 'team-draft')} takes more" if number > 1 else "give another ranking to interleave it with"
    return Message(f"{method} takes {wanted}, not {number}", None, remedy)


@diagnostic("E574", "The lists are too long to optimize")
def too_long(length: int, most: int) -> Message:
    """Optimized interleaving weighs every list that could be shown; their number doubles with each position."""
    return Message(f"lists of {length} items are too long for optimized", None, f"at most {option('length', most)}")


@diagnostic("E575", "A credit needs what the log does not have")
def no_credit(path: str, credit: str, missing: str) -> Message:
    """`first` and `last` need the order of clicks, `satisfied` the time on an item, `weighted` a weight of each click."""
    return Message(f"credit {credit} needs {missing}", Place(path), f"log it, or choose {option('credit', 'clicks')}")


@diagnostic("E576", "No case has two rankings")
def no_common_case(systems: list[str]) -> Message:
    """A list is interleaved from the rankings of one case."""
    return Message(f"no case is ranked by {listing(systems)}", None, "check that the runs have the same ids of cases")


@diagnostic("E577", "A record of the log cannot be read")
def bad_record(place: Place, reason: str) -> Message:
    """User Behavior Insights has two kinds of records: queries with their hits, and events with an action."""
    return Message(f"no record of UBI: {reason}", place, "give ubi_queries and ubi_events as JSON Lines")


@diagnostic("E578", "There is no such method")
def bad_method(given: str, reason: str) -> Message:
    """A method of your own is `module:function`, called as `f(first, second, toss)`.

    `first` and `second` are the rankings, `toss()` is a fair coin. It returns the items of the list and, for each, 0 or 1:
    the ranking that gets the credit for a click.
    """
    return Message(f"method {given!r}: {reason}", None, "a name such as team-draft, or module:function")


@diagnostic("N560", "Events left out")
def other_events(path: str, count: int, events: str, actions: list[str]) -> Message:
    """Only some events count as clicks; `--action` names them."""
    return Message(f"{plural(count, 'event')} left out, only {listing(actions)} counts: {events}", Place(path))


@diagnostic("N561", "Sessions without a click")
def without_click(count: int, total: int) -> Message:
    """A session without a click prefers nobody; preferences are shares of the sessions with one."""
    return Message(f"{count:,} of {plural(total, 'session')} without a click that counts: no part of the preference")


@diagnostic("N562", "Clicks without a team")
def teamless(path: str, count: int, total: int) -> Message:
    """A click on something that no ranking brought, such as an advertisement, counts for nobody."""
    return Message(f"{count:,} of {plural(total, 'click')} on items without a team, left out", Place(path))


@diagnostic("N563", "The coin was not fair")
def unfair_coin(first: str, times: int, total: int, p: float) -> Message:
    """Team draft tosses a fair coin for the first place. If one team gets it too often, the lists favour that team.

    Then clicks at the top, which come from its place alone, look like a preference.
    """
    return Message(
        f"{first} has the first place in {times:,} of {plural(total, 'list')} (p = {p:.2g}): the lists were not drawn fairly",
        None,
        "check the program that makes the lists, before believing the preference",
    )


@diagnostic("N564", "Clicks on items that were not shown")
def not_shown(path: str, count: int) -> Message:
    """A click must be on an item of the list of its session."""
    return Message(f"{plural(count, 'click')} on items that their list did not show, dropped", Place(path))


@diagnostic("N565", "Satisfied clicks are worked out from moments")
def dwell_from_moments(path: str) -> Message:
    """Without a column of seconds, the time on an item lasts until the next event of the session.

    The last click of a session has no next event and counts as satisfied.
    """
    return Message("the time on an item is the time until the next click; the last click counts as satisfied", Place(path))


@diagnostic("N566", "Cases that only some systems rank")
def left_out_cases(cases: list[str], number: int) -> Message:
    """A list needs the ranking of every system."""
    return Message(f"{plural(number, 'case')} not ranked by every system, left out: {listing(cases)}")


@diagnostic("N567", "Lists that cannot be made fair")
def not_unbiased(cases: list[str], number: int) -> Message:
    """For some rankings, every lottery over the allowed lists lets random clicks prefer one of them at some depth.

    The lottery that comes closest was used.
    """
    return Message(f"no unbiased lottery in {plural(number, 'case')}, the closest one was used: {listing(cases)}")


@diagnostic("N568", "Sessions whose lists cannot be scored")
def unknown_lists(path: str, count: int, total: int) -> Message:
    """A session is scored by the list that was made for its query; it is left out if there is none."""
    return Message(f"{count:,} of {plural(total, 'session')} about queries without lists or rankings, left out", Place(path))
