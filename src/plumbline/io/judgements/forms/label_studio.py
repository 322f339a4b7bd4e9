"""Exports of Label Studio: a task with the annotations of everyone who completed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.io.judgements.names import MEANINGS
from plumbline.io.judgements.part import ASSESSOR, ROW, SECONDS, Opened, Part, frame_of, judgement_form
from plumbline.schema import CASE, ITEM, LABEL

if TYPE_CHECKING:
    from collections.abc import Mapping

_ANSWERS: Final = ("choices", "rating", "number", "labels", "taxonomy", "text")


def is_label_studio(opened: Opened) -> bool:
    """Tasks with data and annotations."""
    data = opened.data
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(task, dict) and isinstance(task.get("annotations"), list) and "data" in task for task in data)
    )


@judgement_form("labelstudio", fits=is_label_studio)
def read_label_studio(opened: Opened) -> Part:
    """The JSON export of Label Studio, with choices, ratings or numbers."""
    rows = [
        {
            CASE: _named(task["data"], MEANINGS["case"]),
            ITEM: _named(task["data"], MEANINGS["item"]) or str(task.get("id", number + 1)),
            ASSESSOR: _who(annotation.get("completed_by")),
            LABEL: answer,
            SECONDS: annotation.get("lead_time"),
            ROW: number,
        }
        for number, task in enumerate(opened.data)
        for annotation in task["annotations"]
        if not annotation.get("was_cancelled") and (answer := _answer(annotation.get("result") or []))
    ]
    if not any(row[CASE] for row in rows):
        rows = [{name: value for name, value in row.items() if name != CASE} for row in rows]
    return Part(frame_of(rows), opened.label, opened.name, opened.origin)


def _named(data: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(data[name]) for name in names if isinstance(data, dict) and name in data), None)


def _who(completed_by: object) -> str:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("id"))
    return str(completed_by)


def _answer(results: list[dict[str, Any]]) -> list[str]:
    """Everything that was chosen; results of other kinds, such as boxes, are left out."""
    values = [result.get("value", {}) for result in results]
    chosen = [value[kind] for value in values for kind in _ANSWERS if kind in value]
    return [str(one) for answer in chosen for one in (answer if isinstance(answer, list) else [answer])]
