"""Problems with fields of records and with relations."""

from __future__ import annotations

from plumbline.errors.base import Place, listing
from plumbline.errors.registry import Message, diagnostic


@diagnostic("E613", "Fields or relations cannot be read")
def bad_record(place: Place, reason: str) -> Message:
    """A document has the fields of one record, a list of records, or a list of relations.

    Values are text, numbers, true and false, lists of these, or objects with further fields.
    """
    return Message(
        reason, place, 'expected {"a": {"name": "Ada", "born": 1815}}, {"a": [{...}, {...}]} or {"a": [["Ada", "met", "Bob"]]}'
    )


@diagnostic("E614", "Gold and output have different shapes")
def other_shape(place: Place, shape: str, wanted: str, gold: str) -> Message:
    """Spans are compared with spans, fields of records with fields, relations with relations."""
    return Message(f"the output has {shape}, and the gold has {wanted} ({gold})", place, "write both in one form")


@diagnostic("E615", "A way of matching needs offsets")
def no_offsets(metric: str, match: str, shape: str, possible: list[str]) -> Message:
    """Values of fields and relations have no positions that could be counted."""
    return Message(
        f"{metric}: {shape} have no offsets to match by {match}", None, f"match by {listing(possible)}, such as P(match=type)"
    )
