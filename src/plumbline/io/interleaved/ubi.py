"""User Behavior Insights 1.3, as OpenSearch, Solr and Elasticsearch write it: queries with their hits, and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, interleaving
from plumbline.errors.base import listing
from plumbline.io.interleaved.log import (
    CASE,
    CLICKED,
    DWELL,
    ITEM,
    MEANINGS,
    POSITION,
    ROW,
    SESSION,
    SHOWN_EVENTS,
    TEAM,
    USER,
    WEIGHT,
    WHEN,
    Log,
)
from plumbline.io.interleaved.table import checked_rows, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin

_HITS: Final = ("query_response_hit_ids", "query_response_object_ids", "query_response_objects_ids", "doc_ids")
_ACTION: Final = "action_name"
_CLICKS: Final = {
    SESSION: pl.String,
    USER: pl.String,
    ITEM: pl.String,
    POSITION: pl.Float64,
    TEAM: pl.String,
    WHEN: pl.String,
    DWELL: pl.Float64,
    WEIGHT: pl.Float64,
    ROW: pl.Int64,
}


def is_ubi(records: Sequence[Any]) -> bool:
    """Whether the first records are queries with hits, or events of UBI."""
    first = [_source(record) for record in records[:20] if isinstance(record, dict)]
    return bool(first) and all("query_id" in record and (_ACTION in record or _hits(record) is not None) for record in first)


def _source(record: dict[str, Any]) -> dict[str, Any]:
    """The record itself, where a search engine wraps it."""
    inner = record.get("_source")
    return inner if isinstance(inner, dict) else record


def _hits(record: dict[str, Any]) -> list[str] | None:
    given = next((record[name] for name in _HITS if record.get(name) is not None), None)
    if isinstance(given, str):
        return [one.strip() for one in given.split(",") if one.strip()]
    return [str(one) for one in given] if isinstance(given, list) else None


def read_ubi(records: list[dict[str, Any]], label: str, origin: Origin, actions: Sequence[str], first: int) -> Log:
    """One session for each query: its hits where queries are there, and its clicks."""
    wanted = {action.lower() for action in actions}
    queries: dict[str, dict[str, Any]] = {}
    clicks: list[dict[str, Any]] = []
    others: dict[str, int] = {}
    for row, given in enumerate(records):
        record = _source(given)
        query = record.get("query_id")
        if query is None or query == "":
            raise BadData(interleaving.no_session(origin.places([row], SESSION)[0]))
        action = str(record.get(_ACTION) or "").lower()
        if _ACTION not in record:
            if _hits(record) is None:
                raise BadData(interleaving.bad_record(origin.places([row], SESSION)[0], "neither hits nor an action"))
            queries[str(query)] = record | {ROW: row}
        elif action in wanted:
            clicks.append(_click(record, row, origin))
        elif action not in SHOWN_EVENTS:
            others[action] = others.get(action, 0) + 1
    if not clicks:
        raise BadData(interleaving.no_clicks(label, sorted(wanted), listing(list(others))))
    notices: list[Diagnostic] = []
    if others:
        notices.append(interleaving.other_events(label, sum(others.values()), listing(list(others)), sorted(wanted)))
    events = pl.DataFrame(clicks, schema=_CLICKS)
    events = events.with_columns(seconds(events[WHEN], origin))
    return _joined(queries, events, label, origin, notices, first)


def _click(record: dict[str, Any], row: int, origin: Origin) -> dict[str, Any]:
    attributes = record.get("event_attributes") or {}
    thing = attributes.get("object") if isinstance(attributes, dict) else None
    if not isinstance(attributes, dict) or not isinstance(thing, dict) or thing.get("object_id") is None:
        raise BadData(
            interleaving.bad_record(origin.places([row], ITEM)[0], "a click without event_attributes.object.object_id")
        )
    place = attributes.get("position")
    detail = thing.get("object_detail")
    within = [attributes, thing, detail if isinstance(detail, dict) else {}, record]
    ordinal = place.get("ordinal") if isinstance(place, dict) else None
    user = record.get("client_id") or record.get("session_id")
    return {
        SESSION: str(record["query_id"]),
        USER: None if user is None else str(user),
        ITEM: str(thing["object_id"]),
        POSITION: ordinal if isinstance(ordinal, (int, float)) else None,
        TEAM: _named(within, MEANINGS[TEAM]),
        WHEN: None if record.get("timestamp") is None else str(record["timestamp"]),
        DWELL: _number(within, MEANINGS[DWELL]),
        WEIGHT: _number(within, MEANINGS[WEIGHT]),
        ROW: row,
    }


def _named(within: list[dict[str, Any]], names: Sequence[str]) -> str | None:
    value = next((part[name] for part in within for name in names if isinstance(part.get(name), (str, int))), None)
    return None if value is None else str(value)


def _number(within: list[dict[str, Any]], names: Sequence[str]) -> float | None:
    numbers = (part[name] for part in within for name in names if isinstance(part.get(name), (int, float)))
    number = next(numbers, None)
    return None if number is None else float(number)


def _joined(
    queries: dict[str, dict[str, Any]],
    events: pl.DataFrame,
    label: str,
    origin: Origin,
    notices: list[Diagnostic],
    first: int,
) -> Log:
    """Sessions and rows; with queries, every hit is a row, and clicks on anything else are dropped."""
    users = events.group_by(SESSION, maintain_order=True).agg(pl.col(USER).drop_nulls().first())
    names = list(dict.fromkeys([*queries, *events[SESSION]]))
    of_events = dict(users.rows())
    sessions = pl.DataFrame(
        {
            SESSION: names,
            USER: [_text(queries.get(name, {}).get("client_id")) or of_events.get(name) for name in names],
            CASE: [_text(queries.get(name, {}).get("user_query")) for name in names],
        },
        schema={SESSION: pl.String, USER: pl.String, CASE: pl.String},
    )
    kept = [name for name in (USER, CASE) if sessions[name].null_count() == 0]
    numbers = dict(zip(names, range(len(names)), strict=True))
    coded = events.with_columns(
        pl.col(SESSION).replace_strict(numbers, return_dtype=pl.Int64), pl.lit(value=True).alias(CLICKED)
    ).drop(USER)
    if queries:
        coded, dropped = _with_hits(queries, numbers, coded)
        notices += [interleaving.not_shown(label, dropped)] if dropped else []
        first = 1
    known = [name for name in coded.columns if name in {SESSION, ROW, CLICKED, ITEM} or coded[name].null_count() < len(coded)]
    rows = checked_rows(coded.select(known), origin, first, sessions)
    return Log(sessions.select(SESSION, *kept), rows, label, origin, bool(queries), tuple(notices))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _with_hits(queries: dict[str, dict[str, Any]], numbers: dict[str, int], clicks: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """A row for each hit at its place, clicked or not, and how many clicks were on anything else."""
    hits = [
        (numbers[name], item, place, query[ROW])
        for name, query in queries.items()
        for place, item in enumerate(_hits(query) or [], 1)
    ]
    shown = pl.DataFrame(
        hits, schema={SESSION: pl.Int64, ITEM: pl.String, POSITION: pl.Float64, "shown": pl.Int64}, orient="row"
    )
    with_list = clicks[SESSION].is_in(shown[SESSION].unique().implode())
    joined = shown.join(clicks.drop(POSITION), on=[SESSION, ITEM], how="left", maintain_order="left")
    rows = joined.with_columns(pl.col(CLICKED).fill_null(value=False), pl.col(ROW).fill_null(pl.col("shown"))).drop("shown")
    dropped = int(with_list.sum()) - int(rows[CLICKED].sum())
    return pl.concat([rows, clicks.filter(~with_list).select(rows.columns)]), dropped
