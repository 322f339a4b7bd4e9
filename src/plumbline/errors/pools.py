"""Problems with pools: what cannot be pooled, drawn, judged or estimated, and what should be known about a pool."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import either, option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E440", "Nothing was pooled")
def nothing_pooled() -> Message:
    """A pool is made of the first items of the systems' lists, and all of them are empty."""
    return Message("the lists of all systems are empty", None, "give at least one system with results")


@diagnostic("E441", "The strata cannot be read")
def bad_strata(text: str, reason: str) -> Message:
    """A stratum is a range of ranks with the share of its items that is drawn.

    An item belongs to the stratum of its best rank in any list. Ranges may not overlap or leave ranks out, and start at 1;
    a share is above 0 and at most 1.
    """
    return Message(f"strata {text!r}: {reason}", None, "write ranges and shares such as '1-10:1 11-50:0.3 51-100:0.1'")


@diagnostic("E442", "The order needs judgements")
def needs_judgements(orders: list[str]) -> Message:
    """Adaptive orders decide by what was judged before, which comes from the judgements so far or from a gold to replay."""
    return Message(
        f"{listing(orders)} learns from judgements, and there are none",
        None,
        f"give {option('judged')} or {option('simulate')}, or start with {option('method', 'rrf')}",
    )


@diagnostic("E443", "One order at a time")
def several_orders(orders: list[str]) -> Message:
    """A pool is judged in one order; several orders can be compared by replaying them with a gold."""
    return Message(
        f"a pool has one order, not {len(orders)} ({listing(orders)})", None, f"compare orders with {option('simulate')}"
    )


@diagnostic("E444", "The stopping rule is unknown")
def bad_rule(text: str) -> Message:
    """A rule says when a case is done.

    `quiet:N` stops when the last N items were not relevant, `knee` when the curve of relevant items bends, `target:RECALL`
    when all items of a random sample of relevant ones have been found.
    """
    return Message(f"stopping rule {text!r} cannot be read", None, "write quiet:50, knee or target:0.8")


@diagnostic("E445", "Two options contradict each other")
def contradiction(first: str, second: str, reason: str) -> Message:
    """Both cannot be followed at once, and neither is left out silently."""
    return Message(f"{first} and {second} cannot go together: {reason}", None, "leave one of them out")


@diagnostic("E452", "Nothing of the gold is in a list")
def no_common_item(label: str) -> Message:
    """Judged items and the items of the lists are matched by case and id, and no pair is in both."""
    return Message(
        "no judged item is in any list", Place(label), "check that gold and systems have the same ids of cases and items"
    )


@diagnostic("N440", "Lists are shorter than the pool is deep")
def short_lists(label: str, length: int, depth: int) -> Message:
    """The pool takes the lists as far as they go."""
    return Message(f"{length} deep, the pool {depth}: counted as far as it goes", Place(label))


@diagnostic("N442", "Judged items that are not in the pool")
def judged_elsewhere(label: str, count: int, total: int) -> Message:
    """What was judged without being in the pool says nothing about its order, and is left out here."""
    return Message(f"{count:,} of {total:,} judged items are not in the pool, left out", Place(label))


@diagnostic("N443", "A replay knows some of the items only")
def unknown_in_replay(label: str, count: int, total: int) -> Message:
    """What the gold has not judged counts as not relevant, so a replay is unfair to orders that find such items early."""
    return Message(
        f"{count:,} of {total:,} pooled items are not judged, counted as not relevant",
        Place(label),
        f"leave them out with {either('judged_only=True', '--judged-only')}",
    )


@diagnostic("N444", "Cases that are done")
def cases_done(cases: list[str], rule: str) -> Message:
    """The stopping rule says that judging more items of these cases is not worth it."""
    return Message(f"{plural(len(cases), 'case')} done by {rule}, nothing more to judge there: {listing(cases)}")


@diagnostic("N445", "The order of items with equal worth")
def batch_learns_nothing(orders: list[str], count: int) -> Message:
    """An adaptive order decides after each judgement; a batch uses what is known now for all of its items."""
    return Message(
        f"{listing(orders)}: {plural(count, 'item')} ordered by what is judged so far",
        None,
        f"judge a few, then ask again with {option('judged')}",
    )


@diagnostic("E453", "A system has no team")
def no_team(label: str, systems: list[str]) -> Message:
    """Teams are left out as a whole, so each system needs one."""
    return Message(f"no team for {listing(systems)}", Place(label), "add a row for each system")


@diagnostic("N441", "Judged items that no system has")
def foreign_judgements(label: str, count: int, total: int) -> Message:
    """Pools are often made from more systems than are at hand, or by searching by hand."""
    return Message(
        f"{count:,} of {total:,} judged items are in no list: other systems or other sources made this pool", Place(label)
    )


@diagnostic("N446", "Too shallow for an estimate of what is missing")
def too_shallow(depth: int, least: int) -> Message:
    """Zobel's curve is fitted to how many new relevant items each further rank of the pool adds."""
    deep = "the pool has no depth that can be read off" if depth == 0 else f"the pool is {depth} deep"
    return Message(f"{deep}: what is still missing is not estimated below depth {least}")


@diagnostic("E446", "Nothing can be estimated in a stratum")
def empty_stratum(label: str, stratum: str, case: str, pooled: int) -> Message:
    """An estimate needs at least one judged item in every stratum that has pooled items."""
    return Message(
        f"stratum {stratum} of case {case} has 0 of {pooled:,} judged: nothing can be estimated there",
        Place(label),
        "judge some of its items, or leave the stratum out of the file",
    )


@diagnostic("E447", "A probability is not between 0 and 1")
def bad_probability(place: Place, value: str) -> Message:
    """The probability with which an item was drawn for judging is above 0 and at most 1: what cannot be drawn is not judged."""
    return Message(f"probability {value} is not above 0 and at most 1", place, "correct it, or leave the row out")


@diagnostic("E449", "Items without a text")
def no_texts(missing: list[str], count: int, total: int) -> Message:
    """A page for assessors shows the text of every item."""
    return Message(
        f"{count:,} of {plural(total, 'item')} to judge have no text: {listing(missing, total=count)}",
        None,
        f"give {option('texts')} with a text for each item",
    )


@diagnostic("E450", "The grades cannot be read")
def bad_grades(text: str, reason: str) -> Message:
    """Each grade is a number with a word, and has a key of its own on the page."""
    return Message(f"grades {text!r}: {reason}", None, "write grades such as '0 no,1 partly,2 yes'")


@diagnostic("E451", "The file does not hold a pool")
def not_a_pool(label: str, columns: list[str]) -> Message:
    """A pool has at least the columns case and item; the command pool writes one."""
    return Message(f"no columns case and item among {listing(columns)}", Place(label), "give what the command pool has written")


@diagnostic("N447", "The page became several")
def several_pages(count: int, size: str) -> Message:
    """A page that is too large to be mailed is written as one page for each case."""
    return Message(f"{size} are too much for one page: {plural(count, 'page')} written, one for each case")
