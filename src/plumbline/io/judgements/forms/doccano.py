"""Exports of doccano: a record for each text, with the labels of one annotator or with the annotations of all."""

from __future__ import annotations

from typing import Any

from plumbline.io.judgements.part import ASSESSOR, ROW, Opened, Part, frame_of, judgement_form
from plumbline.schema import ITEM, LABEL


def is_doccano(opened: Opened) -> bool:
    """Records with an id, a text and labels or annotations, and no task data as Label Studio has."""
    data = opened.data
    if not isinstance(data, list) or not data or not all(isinstance(record, dict) for record in data):
        return False
    first: dict[str, Any] = data[0]
    labelled = isinstance(first.get("label", first.get("labels")), list)
    annotated = isinstance(first.get("annotations"), list) and "data" not in first
    return "id" in first and (annotated or (labelled and ("text" in first or "data" in first)))


@judgement_form("doccano", fits=is_doccano)
def read_doccano(opened: Opened) -> Part:
    """A JSON Lines file for each annotator, or one with the annotations of all."""
    rows: list[dict[str, Any]] = []
    for number, record in enumerate(opened.data):
        item = str(record["id"])
        if isinstance(record.get("annotations"), list):
            by_user: dict[str, list[str]] = {}
            for annotation in record["annotations"]:
                by_user.setdefault(str(annotation.get("user")), []).append(str(annotation.get("label")))
            rows += [{ITEM: item, ASSESSOR: user, LABEL: labels, ROW: number} for user, labels in by_user.items()]
        else:
            labels = [str(label) for label in record.get("label", record.get("labels")) or []]
            if labels:
                rows.append({ITEM: item, LABEL: labels, ROW: number})
    return Part(frame_of(rows), opened.label, opened.name, opened.origin)
