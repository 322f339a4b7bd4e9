"""Problems with discounts: how much of the attention goes to which position."""

from __future__ import annotations

from plumbline.errors.base import Place, listing, plural
from plumbline.errors.faces import FILE, option
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E156", "An item has no length")
def no_length(label: str, items: list[str], count: int) -> Message:
    """With discount=time every item of every list takes time to read, so each needs its number of words."""
    return Message(
        f"no length for {plural(count, 'item')}: {listing(items, total=count)}", Place(label), "add the missing items"
    )


@diagnostic("E157", "A length is not a number from 0")
def bad_length(place: Place, value: str) -> Message:
    """The length of an item is its number of words: a number from 0."""
    return Message(f"the length is {value}", place, "give each item one number of words, from 0")


@diagnostic("E322", "The weights of positions are invalid")
def bad_weights(value: str) -> Message:
    """A metric takes a weight for each position, best first: numbers from 0, the first above 0, with colons between them."""
    return Message(f"the weights of positions cannot be {value!r}", None, "write for example Rel(weights=3:2:1)")


@diagnostic("E323", "A metric needs lengths")
def needs_lengths(metrics: list[str]) -> Message:
    """discount=time is about reading time, which depends on how long the items are."""
    return Message(
        f"no lengths given for {listing(metrics, 4)}", None, f"give {option('lengths', FILE)} with the columns item,length"
    )


@diagnostic("E338", "No metric uses the lengths")
def unread_lengths(metrics: list[str]) -> Message:
    """Lengths of items change metrics with discount=time only; a file that would change nothing is refused."""
    return Message(
        f"{listing(metrics, 4)}: no metric uses lengths", None, "leave the lengths out, or add discount=time to a metric"
    )
