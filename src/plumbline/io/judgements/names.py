"""The names that columns of judgements may have, by their meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors import BadUsage, usage
from plumbline.io.columns.names import CASES, GRADES, ITEMS, LABELS, plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ASSESSORS: Final = (
    *("assessor", "worker", "annotator", "judge", "rater", "coder", "user", "performer", "annotator_id", "worker_id"),
    *("labeler", "labeller", "assessor_id", "judge_id", "rater_id", "coder_id", "user_id", "username", "workerid"),
)
SECONDS: Final = ("seconds", "time", "duration", "dwell", "time_spent", "lead_time")
WHEN: Final = ("when", "timestamp", "created_at", "date")
BATCHES: Final = ("batch", "hit", "hit_id")
GOLD: Final = ("gold", "is_gold", "ground_truth", "truth", "correct")
_QUESTIONS: Final = ("question", "question_id", "task", "task_id", "unit", "unit_id", "object", "object_id", "text_id")
_NOT_CASES: Final = frozenset({"user_id", "user", "session", "session_id"})
MEANINGS: Final[dict[str, tuple[str, ...]]] = {
    "assessor": ASSESSORS,
    "item": (*ITEMS, *_QUESTIONS),
    "case": tuple(name for name in CASES if name not in _NOT_CASES),
    "label": tuple(dict.fromkeys((*LABELS["gold"], *GRADES, "grade", "vote", "choice", "response"))),
    "gold": GOLD,
    "seconds": SECONDS,
    "when": WHEN,
    "batch": BATCHES,
}
"""The meanings in the order in which columns are looked for; a column has one meaning."""
_SAME: Final = {"grade": "label", "time": "seconds"}


def chosen_columns(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The column that was named for each meaning."""
    if columns is None:
        return {}
    pairs = [part.partition("=")[::2] for part in columns.split(",")] if isinstance(columns, str) else list(columns.items())
    named = {_SAME.get(meaning.strip(), meaning.strip()): str(column).strip() for meaning, column in pairs}
    wrong = next((meaning for meaning, column in named.items() if meaning not in MEANINGS or not column), None)
    if wrong is not None:
        raise BadUsage(usage.bad_columns(wrong, list(MEANINGS)))
    return named


def meaning_of(columns: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The column of each meaning that the table has one for; `gold` is a label where nothing else is."""
    by_name = {plain_name(column): column for column in reversed(columns)}
    taken = {column: by_name.get(plain_name(column), column) for column in chosen.values()}
    column_of = {meaning: taken[column] for meaning, column in chosen.items() if taken[column] in columns}
    free = {name: column for name, column in by_name.items() if column not in column_of.values()}
    for meaning, names in MEANINGS.items():
        wanted = [name for name in names if meaning != "label" or name not in GOLD or not _has_label(free)]
        name = next((name for name in wanted if name in free), None)
        if meaning not in column_of and name is not None:
            column_of[meaning] = free.pop(name)
    if "label" not in column_of and "gold" in column_of:
        column_of["label"] = column_of.pop("gold")
    if "item" not in column_of and "case" in column_of:
        column_of["item"] = column_of.pop("case")
    return column_of


def _has_label(free: Mapping[str, str]) -> bool:
    return any(name in free for name in MEANINGS["label"] if name not in GOLD)
