"""Clusterings written as WePS writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WEPS = '<?xml version="1.0"?>\n<clustering name="{}">\n{}\n<discarded><doc rank="z"/></discarded>\n</clustering>\n'


def weps(folder: Path, cases: dict[str, dict[str, list[str]]]) -> Path:
    """A folder with a file for each case, which also discards z."""
    folder.mkdir()
    for case, clusters in cases.items():
        entities = [
            f'<entity id="{name}">' + "".join(f'<doc rank="{item}"/>' for item in items) + "</entity>"
            for name, items in clusters.items()
        ]
        (folder / f"{case}.clust.xml").write_text(WEPS.format(case, "\n".join(entities)), encoding="utf-8")
    return folder
