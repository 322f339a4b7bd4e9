"""Forms of click logs: a table of impressions, the lines of Yandex' challenge as PyClick reads them, and UBI 1.3."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, clicks, table, usage
from plumbline.io.columns.names import CASES, ITEMS, RANKS, plain_name
from plumbline.io.columns.text import id_text, single_values
from plumbline.schema import CASE, ITEM
from plumbline.truth.clicks.log import CLICKED, POSITION, SESSION
from plumbline.truth.clicks.reading.impressions import WHEN, Impressions, clicks_as_flags, of_lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from plumbline.io.table import Origin

_PAGES: Final = ("session", "session_id", "search_id", "page_id", "page", "impression_id", "visit", "visit_id", "query_id")
MEANINGS: Final[dict[str, tuple[str, ...]]] = {
    SESSION: _PAGES,
    CASE: ("case", "query", "user_query", *(name for name in CASES if name not in {"session", "session_id"})),
    ITEM: (*ITEMS, "object_id", "url", "product_id"),
    POSITION: (*RANKS, "ordinal"),
    CLICKED: ("clicked", "click", "clicks", "is_click", "is_clicked"),
    WHEN: ("when", "timestamp", "time", "date"),
}
"""The meanings in the order in which columns are looked for; a column has one meaning."""
HITS: Final = "query_response_hit_ids"
_LINE: Final = re.compile(rb"\s*[^\t\r\n]+\t[^\t:;]+:[^;]*;?")
_PAGE: Final = r"^\s*(?P<case>[^\t]*?)\s*\t(?P<shown>[^:]*):(?P<clicks>.*)$"


@dataclass(frozen=True)
class Opened:
    """The records of a file, or a frame, before anything is understood."""

    data: Any
    label: str
    origin: Origin
    columns: Mapping[str, str]


def chosen_columns(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The column that was named for each meaning."""
    if columns is None:
        return {}
    pairs = [part.partition("=")[::2] for part in columns.split(",")] if isinstance(columns, str) else list(columns.items())
    named = {meaning.strip(): str(column).strip() for meaning, column in pairs}
    wrong = next((meaning for meaning, column in named.items() if meaning not in MEANINGS or not column), None)
    if wrong is not None:
        raise BadUsage(usage.bad_columns(wrong, list(MEANINGS)))
    return named


def _columns_by_meaning(columns: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The column of each meaning that the table has one for."""
    by_name = {plain_name(column): column for column in reversed(columns)}
    made = {meaning: by_name[plain_name(column)] for meaning, column in chosen.items() if plain_name(column) in by_name}
    free = {name: column for name, column in by_name.items() if column not in made.values()}
    for meaning, names in MEANINGS.items():
        name = next((name for name in names if name in free), None)
        if meaning not in made and name is not None:
            made[meaning] = free.pop(name)
    return made


def meanings_of(names: Sequence[str], opened: Opened) -> dict[str, str]:
    """The column of each meaning in a table of impressions: `when` may be absent, the others may not."""
    column_of = _columns_by_meaning(names, opened.columns)
    lacking = next((one for one in (SESSION, CASE, ITEM, POSITION, CLICKED) if one not in column_of), None)
    if lacking is not None:
        raise BadData(clicks.no_column(opened.origin.places([-1], lacking)[0], lacking, list(names)))
    return column_of


def read_table(opened: Opened) -> Impressions:
    """A row for each result that was shown: session, case, item, position, clicked, and perhaps when."""
    frame: pl.DataFrame = opened.data
    column_of = meanings_of(frame.columns, opened)
    ids = [id_text(frame[column_of[one]], one, opened.origin).alias(one) for one in (SESSION, CASE, ITEM)]
    made = pl.DataFrame(
        [
            *ids,
            _positions(frame[column_of[POSITION]], opened.origin).alias(POSITION),
            clicks_as_flags(frame[column_of[CLICKED]], opened.origin).alias(CLICKED),
            *([frame[column_of[WHEN]].alias(WHEN)] if WHEN in column_of else []),
        ]
    )
    return Impressions(made, opened.label, opened.origin)


def _positions(values: pl.Series, origin: Origin) -> pl.Series:
    numbers = single_values(values, POSITION).cast(pl.Float64, strict=False)
    integers = numbers.cast(pl.Int64, strict=False)
    odd = (integers.is_null() | (integers.cast(pl.Float64) != numbers)).fill_null(value=True)
    if odd.any():
        row = int(odd.arg_max() or 0)
        raise BadData(clicks.not_a_position(origin.places([row], POSITION)[0], str(values[row])))
    return integers


def is_yandex(head: bytes) -> bool:
    """Whether a text begins as `case TAB items : clicks ;` does."""
    return _LINE.match(head.lstrip()[:4096]) is not None


def read_yandex(text: str, label: str, origin: Origin) -> Impressions:
    """`case TAB item, item, ... : click, click, ...` with a semicolon or a line end after each page."""
    pages = pl.Series("page", re.split(r"[;\n]", text)).str.strip_chars()
    pages = pages.filter(pages != "")
    parts = pages.str.extract_groups(_PAGE).struct.unnest()
    wrong = parts["case"].is_null()
    if wrong.any():
        number = int(wrong.arg_max() or 0)
        raise BadData(clicks.not_a_page(label, number + 1, pages[number][:60]))
    lists = parts.select(
        pl.int_range(1, pl.len() + 1).cast(pl.String).alias(SESSION),
        CASE,
        *(_split(pl.col(name)).alias(name) for name in ("shown", "clicks")),
    )
    return of_lists(lists, label, origin)


def _split(column: pl.Expr) -> pl.Expr:
    parts = column.str.split(",").list.eval(pl.element().str.strip_chars())
    return parts.list.eval(pl.element().filter(pl.element() != ""))


def is_ubi(records: list[dict[str, Any]]) -> bool:
    """Whether records are queries or events of User Behavior Insights."""
    first = records[0] if records else {}
    return "query_id" in first and (HITS in first or "action_name" in first)


def check_queries(records: list[dict[str, Any]], origin: Origin) -> None:
    """A query has a name, and its hits are a list."""
    for row, record in enumerate(records):
        if HITS in record and record.get("query_id") is None:
            raise BadData(table.bad_id(origin.places([row], "query_id")[0], "query_id", "is missing"))
        if not isinstance(record.get(HITS) or [], list):
            raise BadData(table.bad_json(origin.places([row], HITS)[0], f"{HITS} is not a list"))


def _clicked_item(event: dict[str, Any]) -> str:
    """The item of an event; what has none was on no list."""
    attributes = event.get("event_attributes")
    thing = attributes.get("object") if isinstance(attributes, dict) else None
    return str(thing.get("object_id")) if isinstance(thing, dict) else ""


def read_ubi(records: list[dict[str, Any]], label: str, origin: Origin) -> Impressions:
    """Queries with `query_response_hit_ids`, and events whose `action_name` has the word click, of UBI 1.3."""
    pages = [record for record in records if HITS in record]
    if not pages:
        raise BadData(clicks.no_lists(label))
    by_query: dict[str, list[str]] = {}
    for record in records:
        if "click" in str(record.get("action_name", "")).lower():
            by_query.setdefault(str(record.get("query_id")), []).append(_clicked_item(record))
    lists = pl.DataFrame(
        {
            SESSION: [str(page["query_id"]) for page in pages],
            CASE: [str(page.get("user_query")) for page in pages],
            "shown": [[str(item) for item in page[HITS] or []] for page in pages],
            "clicks": [by_query.get(str(page["query_id"]), []) for page in pages],
            WHEN: [page.get("timestamp") for page in pages],
        },
        schema_overrides={SESSION: pl.String, CASE: pl.String, "shown": pl.List(pl.String), "clicks": pl.List(pl.String)},
        strict=False,
    )
    known = lists.drop(WHEN) if lists[WHEN].null_count() else lists
    return of_lists(known, label, origin)
