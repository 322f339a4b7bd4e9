"""Problems with discounts: how much of the attention goes to which position."""

from __future__ import annotations

from plumbline.errors.base import Diagnostic, Place, diagnostic, listing, plural, say


@diagnostic("E156", "An item has no length")
def no_length(label: str, items: list[str], count: int) -> Diagnostic:
    """With discount=time every item of every list takes time to read, so each needs its number of words."""
    return say(f"no length for {plural(count, 'item')}: {listing(items, total=count)}", Place(label), "add the missing items")


@diagnostic("E157", "A length is no length")
def bad_length(place: Place, found: str) -> Diagnostic:
    """The length of an item is its number of words: a number from 0."""
    return say(f"the length is {found}", place, "give each item one number of words, from 0")


@diagnostic("E322", "The weights of positions are none")
def bad_weights(found: str) -> Diagnostic:
    """A metric takes a weight for each position, best first: numbers from 0, the first above 0, with colons between them."""
    return say(f"the weights of positions are {found!r}", None, "write for example Rel(weights=3:2:1)")


@diagnostic("E323", "A metric needs lengths")
def needs_lengths(metrics: list[str]) -> Diagnostic:
    """discount=time goes by reading time, which depends on how long the items are."""
    return say(f"no lengths given for {listing(metrics, 4)}", None, "give --lengths FILE with the columns item,length")


@diagnostic("E338", "Nothing reads the lengths")
def unread_lengths(metrics: list[str]) -> Diagnostic:
    """Lengths of items change metrics with discount=time only; a file that would change nothing is refused."""
    return say(
        f"{listing(metrics, 4)}: no metric goes by lengths", None, "leave the lengths out, or add discount=time to a metric"
    )
