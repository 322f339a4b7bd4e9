"""Books of Quepid: pairs of query and document, each with the ratings of several judges."""

from __future__ import annotations

from typing import Any

from plumbline.io.judgements.part import ASSESSOR, ROW, Opened, Part, frame_of, judgement_form
from plumbline.schema import CASE, ITEM, LABEL

_PAIRS = "query_doc_pairs"


def is_quepid(opened: Opened) -> bool:
    """An object with pairs of query and document."""
    return isinstance(opened.data, dict) and isinstance(opened.data.get(_PAIRS), list)


@judgement_form("quepid", fits=is_quepid)
def read_quepid(opened: Opened) -> Part:
    """A book as JSON; its CSV has a column for each judge and is read as a matrix."""
    rows: list[dict[str, Any]] = [
        {
            CASE: str(pair.get("query_text", pair.get("query"))),
            ITEM: str(pair.get("doc_id", pair.get("docid"))),
            ASSESSOR: str((judgement.get("user") or {}).get("name") or judgement.get("user_id")),
            LABEL: _number(judgement["rating"]),
            ROW: number,
        }
        for number, pair in enumerate(opened.data[_PAIRS])
        for judgement in pair.get("judgements") or []
        if judgement.get("rating") is not None
    ]
    return Part(frame_of(rows), opened.label, opened.name, opened.origin)


def _number(rating: float) -> str:
    return f"{rating:g}" if isinstance(rating, float) else str(rating)
