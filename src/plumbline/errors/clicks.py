"""Problems with click logs and click models: what cannot be read, explained or told apart."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import COLUMN, option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E800", "A click log lacks a column")
def no_column(place: Place, meaning: str, columns: list[str]) -> Message:
    """A log has a row for each result that was shown: session, case, item, position, and whether it was clicked.

    Logs of UBI 1.3 (queries and events as JSON Lines) and lines such as `case TAB item,item : click,click;` are read too.
    """
    return Message(
        f"no column for the {meaning} of an impression; columns: {listing(columns, 8)}",
        place,
        f"name it: {option('columns', f'{meaning}={COLUMN}')}",
    )


@diagnostic("E801", "A position is too low")
def position_too_low(place: Place, position: int, first: int) -> Message:
    """Positions are counted from 1, the top of the page, unless another start is given."""
    way_out = option("positions_from", 0) if position == 0 else "count positions from the top of the page"
    return Message(f"position {position} (positions start at {first})", place, way_out)


@diagnostic("E802", "A position is not a whole number")
def not_a_position(place: Place, text: str) -> Message:
    """A position is the rank at which an item was shown, counted from the top."""
    return Message(f"position {text!r} is not a whole number", place, "write 1, 2, 3 from the top of the page")


@diagnostic("E803", "A click is neither 0 nor 1")
def not_a_click(place: Place, text: str) -> Message:
    """An item that was shown was clicked, 1, or not, 0; several clicks on it are one."""
    return Message(f"clicked {text!r} is neither 0 nor 1", place, "write 1 for one click or more, 0 for none")


@diagnostic("E804", "An item is on a page twice")
def item_twice(place: Place, item: str, session: str) -> Message:
    """A click on an item that was shown twice could belong to either place."""
    return Message(
        f"item {item} was shown twice in session {session}", place, "keep one of its places, or name the sessions apart"
    )


@diagnostic("E805", "A position of a page holds two items")
def position_twice(place: Place, position: str, session: str) -> Message:
    """Every position of a page shows one item. A session with two pages for one case needs a session for each page."""
    return Message(f"position {position} of session {session} holds two items", place, "give every page a session of its own")


@diagnostic("E806", "A log holds no impressions")
def no_impressions(path: str) -> Message:
    """There is nothing to fit a model to."""
    return Message("the log shows no items", Place(path), "give a log with at least one page")


@diagnostic("E807", "A list is too deep")
def too_deep(place: Place, position: int, most: int) -> Message:
    """Click models are about result pages; positions of many thousands are ids or times in the wrong column."""
    return Message(
        f"position {position} is beyond {most:,}",
        place,
        f"is this the column of positions? {option('columns', 'position=...')}",
    )


@diagnostic("E808", "A page of a log cannot be read")
def not_a_page(path: str, number: int, text: str) -> Message:
    """Lines of this form have a case, a tab, the shown items, a colon, and the clicked items."""
    return Message(f"page {number}: {text!r} is not of the form case TAB item,item : click,click;", Place(path), "correct it")


@diagnostic("E809", "Events without the lists that were shown")
def no_lists(path: str) -> Message:
    """Clicks say nothing without what was shown and not clicked, which UBI keeps in `query_response_hit_ids` of queries."""
    return Message("events, but no queries with query_response_hit_ids", Place(path), "give the file of queries too")


@diagnostic("E810", "Nothing is left to fit or to test")
def empty_part(part: str, sessions: int) -> Message:
    """Models are fitted to some sessions and compared on others, so both parts need some."""
    return Message(
        f"{plural(sessions, 'session')} leave none for the {part} part", None, f"give more sessions, or {option('hold_out', 0)}"
    )


@diagnostic("E811", "The model does not have this")
def model_without(model: str, what: str, having: list[str]) -> Message:
    """Some models do not tell items apart, and some do not say how often a rank is examined."""
    return Message(f"{model} has no {what}", None, f"choose one of {listing(having, 12)}")


@diagnostic("E812", "One model is needed")
def one_model(what: str, models: list[str]) -> Message:
    """What is written comes from one model."""
    return Message(f"{what} comes from one model, not from {listing(models, 12)}", None, option("model", models[-1]))


@diagnostic("E813", "Moments of a log cannot be read")
def not_a_moment(path: str, text: str) -> Message:
    """Sessions are ordered by numbers or by dates such as 2026-03-01 or 2026-03-01T12:30:00."""
    return Message(f"{text!r} is neither a number nor a date", Place(path), f"write dates so, or {option('split', 'session')}")


@diagnostic("E814", "No shown item is in the log")
def nothing_known(system: str) -> Message:
    """Metrics from a click model need items whose relevance was estimated from clicks."""
    return Message(f"no item of {system} was ever shown in the log", None, "check that both name cases and items alike")


@diagnostic("E815", "An option changes nothing in the chosen models")
def idle_option(name: str, value: str, models: list[str], having: list[str]) -> Message:
    """`fit` chooses between two fits of `dcm` and `sdbn`, and `no_click` belongs to one of them; `gamma` is a number of `dbn`.

    Other models have one fit. `pbm`, `ubm`, `ccm` and `dbn` are always fitted exactly. What `ctr`, `rank-ctr`, `item-ctr` and
    `cascade` count is the maximum of the likelihood already, in `cascade` that of the sessions that it can explain.
    """
    return Message(
        f"{option(name, value)} changes nothing in {listing(models, 12)}: they have one fit, without it",
        None,
        "leave it out, or add " + " or ".join(option("model", one) for one in having),
    )


@diagnostic("E816", "Exact fits skip no list")
def nothing_skipped() -> Message:
    """Counting must assume how far a list without clicks was read; an exact fit weighs all possibilities."""
    skip, exact = option("no_click", "skip"), option("fit", "exact")
    return Message(f"{skip} changes nothing with {exact}, which weighs how far a list was read", None, "leave one of them out")


@diagnostic("N800", "Clicks on items that were not shown")
def clicks_on_unseen(path: str, number: int) -> Message:
    """A click on something else of the page, or on another page, is not a click on a result."""
    return Message(f"{plural(number, 'click')} on items that their page did not show, dropped", Place(path))


@diagnostic("N801", "Positions are missing from pages")
def gaps(number: int) -> Message:
    """What stood at a missing position is not known: the place counts as read and never clicked, and is not scored."""
    return Message(f"{plural(number, 'page')} with gaps between positions; the places in between count as never clicked")


@diagnostic("N802", "A model cannot explain some sessions")
def impossible(model: str, number: int, sessions: int, reason: str) -> Message:
    """What happened there has probability 0, so the log-likelihood is minus infinity; it is not made finite silently."""
    share = f"{100 * number / sessions:.1f} %"
    return Message(f"{number:,} of {sessions:,} sessions ({share}) {reason}: {model} cannot explain them")


@diagnostic("N803", "Attraction cannot be separated from examination")
def not_identified(models: list[str], groups: int) -> Message:
    """Only items that were shown at several ranks link the ranks with each other.

    Where none does, a rank that is seldom examined and one with unattractive items look the same, and the prior decides.
    """
    return Message(
        f"ranks fall into {groups} groups that no item links: {listing(models)} cannot separate attraction from examination",
        None,
        "a log in which items change their ranks",
    )


@diagnostic("N804", "Sessions of cases that were not fitted")
def new_cases(sessions: int, cases: list[str], number: int) -> Message:
    """A model knows nothing about the items of a case that it was not fitted to; these sessions are scored separately."""
    return Message(f"{plural(sessions, 'session')} of {plural(number, 'new case')} scored separately: {listing(cases)}")


@diagnostic("N805", "The fit did not settle")
def not_settled(model: str, rounds: int) -> Message:
    """Parameters still change from round to round; more rounds may change them further."""
    return Message(f"{model} did not settle within {plural(rounds, 'round')}", None, option("rounds", 10 * rounds))


@diagnostic("N806", "Sessions are split by their order")
def split_by_order(path: str) -> Message:
    """Without times, the sessions at the end of the log are the latest ones."""
    return Message("no column of times: the last sessions of the log are held out", Place(path), option("split", "session"))


@diagnostic("N807", "Items without an estimate")
def unknown_items(number: int, sessions: int) -> Message:
    """Without a prior, an item that was not in the fitted part has no probability, and its pages are not scored."""
    return Message(
        f"{plural(sessions, 'session')} not scored: they show {plural(number, 'item')} that no fitted session has",
        None,
        option("prior", 1),
    )


@diagnostic("N808", "Models are left out of the comparison")
def not_compared(models: list[str]) -> Message:
    """A log-likelihood of minus infinity is worse than every number, but its difference from a number cannot be tested."""
    return Message(f"not compared, because some held-out session is impossible for it: {listing(models)}")


@diagnostic("N809", "Shown items without an estimate count as irrelevant")
def unshown_items(system: str, share: str) -> Message:
    """An item that the log never showed has no estimate; a system that shows many of them is scored too low."""
    return Message(f"{share} of the items of {system} were never shown in the log; they count as irrelevant")


@diagnostic("N810", "Too few cases to compare models")
def too_few_cases(in_log: int) -> Message:
    """Models are compared over cases. If a log is sorted by case, its last sessions are from only a few cases."""
    if in_log == 1:
        return Message("not compared, because the log has one case")
    return Message("not compared, because the held-out sessions are of one case", None, option("split", "session"))
