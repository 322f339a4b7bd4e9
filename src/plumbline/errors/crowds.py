"""Problems with votes of crowds: ties, gold items, assessors who are worse than chance, fits that do not settle."""

from __future__ import annotations

from plumbline.errors.base import listing, plural
from plumbline.errors.faces import either, option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("N317", "An assessor is right less often than chance")
def reversed_assessor(name: str, share: str, count: int) -> Message:
    """Somebody who is wrong more often than a coin may have the scale the wrong way round."""
    return Message(f"assessor {name} is right less often than chance ({share} of {count}): reversed scale?")


@diagnostic("N318", "Votes are tied")
def tied_votes(tied: int, items: int) -> Message:
    """An item with as many votes for two labels has no majority, so it has no label in the gold."""
    return Message(
        f"{tied:,} of {plural(items, 'item')} tied; left undecided",
        None,
        option("ties", "first", "random", "lower", "higher"),
    )


@diagnostic("E417", "A gold item has no judgements")
def gold_unjudged(items: list[str]) -> Message:
    """Gold items show how often assessors are right, so somebody has to judge them."""
    return Message(
        f"gold {'item' if len(items) == 1 else 'items'} without judgements: {listing(items)}",
        None,
        "leave them out of the gold, or use the same names of cases and items",
    )


@diagnostic("N319", "The votes contradict the gold")
def gold_contradicted(count: int, items: int, first: str) -> Message:
    """Where the votes of the assessors lead to another label than the known gold, one of them is wrong."""
    return Message(f"the votes contradict {count:,} of {plural(items, 'gold item')}, such as {first}")


@diagnostic("E419", "Weighting by gold items needs them")
def needs_gold(method: str) -> Message:
    """Assessors are weighted by how often they are right on items whose label is known."""
    known = either("gold=", "--gold FILE")
    return Message(f"the method {method} needs gold items", None, f"give {known} or a column gold, or another method")


@diagnostic("N320", "The fit did not settle")
def not_converged(method: str, rounds: int) -> Message:
    """Posteriors still change from round to round; more rounds may change labels."""
    return Message(f"{method} did not settle within {plural(rounds, 'round')}", None, option("rounds", 10 * rounds))
