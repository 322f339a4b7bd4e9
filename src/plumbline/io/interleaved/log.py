"""What every form of a log gives: sessions, and what was shown or clicked in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage
from plumbline.io.columns.names import plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Origin

SESSION: Final = "session"
USER: Final = "user"
CASE: Final = "case"
ITEM: Final = "item"
POSITION: Final = "position"
TEAM: Final = "team"
CLICKED: Final = "clicked"
WHEN: Final = "when"
DWELL: Final = "dwell"
WEIGHT: Final = "weight"
EVENT: Final = "event"
SHOWN_AS: Final = "list"
ROW: Final = "row"
LAST_POSITION: Final = 10_000
"""Nobody looks at more items of one list."""

MEANINGS: Final[dict[str, tuple[str, ...]]] = {
    SESSION: ("session", "session_id", "search_id", "search", "impression", "impression_id", "query_id", "serp_id"),
    USER: ("user", "user_id", "client_id", "client", "visitor", "visitor_id", "cookie"),
    CASE: ("case", "query", "user_query", "topic", "qid", "query_text", "topic_id"),
    ITEM: ("item", "item_id", "object_id", "doc_id", "docno", "docid", "document", "document_id", "url"),
    POSITION: ("position", "rank", "ordinal", "pos"),
    TEAM: (
        *("team", "ranking_function", "ranker", "system", "variant", "search_configuration_id", "_search_configuration_id"),
        *("source", "source_ranker"),
    ),
    CLICKED: ("clicked", "click", "is_click", "is_clicked", "clicks"),
    WHEN: ("when", "timestamp", "time", "date"),
    DWELL: ("dwell", "dwell_time", "seconds", "time_spent"),
    WEIGHT: ("weight", "value", "revenue", "gain"),
    EVENT: ("event", "action_name", "action", "event_type"),
    SHOWN_AS: ("list", "list_id"),
}
"""The names that columns of a log may have; the first meaning that fits takes a column."""
SHOWN_EVENTS: Final = frozenset({"serp", "impression", "view", "shown", "search", "on_search", "query"})
"""Events that say that a list was shown."""


@dataclass(frozen=True, eq=False)
class Log:
    """Sessions, each with one list.

    `sessions` has a row for each: `session`, and `user`, `case`, `list` where the log has them. `rows` has what was clicked,
    and what was only shown where the log says so: `session` (the number of the row of `sessions`), `clicked`, `row`, and
    `position`, `item`, `team`, `when` (seconds), `dwell`, `weight` where the log has them.
    """

    sessions: pl.DataFrame
    rows: pl.DataFrame
    label: str
    origin: Origin
    shows_all: bool
    """Whether rows also hold what was shown and not clicked."""
    notices: tuple[Diagnostic, ...] = field(default=())


def chosen_columns(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The column that was named for each meaning."""
    if columns is None:
        return {}
    pairs = [part.partition("=")[::2] for part in columns.split(",")] if isinstance(columns, str) else list(columns.items())
    named = {meaning.strip().lower(): str(column).strip() for meaning, column in pairs}
    wrong = next((meaning for meaning, column in named.items() if meaning not in MEANINGS or not column), None)
    if wrong is not None:
        raise BadUsage(usage.bad_columns(wrong, list(MEANINGS)))
    return named


def meaning_of(columns: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The column of each meaning that a table has one for."""
    by_name = {plain_name(column): column for column in reversed(columns)}
    known = {meaning: column if column in columns else by_name.get(plain_name(column)) for meaning, column in chosen.items()}
    missing = [chosen[meaning] for meaning, column in known.items() if column is None]
    if missing:
        raise BadUsage(usage.no_such_columns(missing))
    columns_by_meaning = {meaning: column for meaning, column in known.items() if column is not None}
    free = {name: column for name, column in by_name.items() if column not in columns_by_meaning.values()}
    for meaning, names in MEANINGS.items():
        name = next((name for name in names if name in free), None)
        if meaning not in columns_by_meaning and name is not None:
            columns_by_meaning[meaning] = free.pop(name)
    return columns_by_meaning
