"""Organizations read for tests, and drawn so that they can be compared."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from plumbline.io.read import read
from plumbline.io.table import ReadOptions, Table

if TYPE_CHECKING:
    from plumbline.io.table import Role

LEVELS: dict[str, Any] = {"q1": [[["d1"], ["d2", "d3"]], [["d4"]]], "q2": [[["d1", "d4"]]]}
"""In q1, d2 and d3 are together beside d1, and d4 is below; in q2 two documents are together."""
EXPECTED = {"q1": [["d1", "d2 d3"], ["d4"]], "q2": [["d1 d4"]]}
"""The same as it is drawn."""
CLUSTERS: dict[str, Any] = {"q1": {"x": ["a", "b"], "y": ["c"]}, "q2": {"x": ["a", "c"]}}


def organization(source: Any, role: Role = "output", **options: Any) -> Table:
    """What is read with these options."""
    return read(source, role, ReadOptions(kind="levels", **options))


def drawn(table: Table) -> dict[str, list[list[str]]]:
    """Each case as levels of clusters: `{"q1": [["d1", "d2 d3"], ["d4"]]}`; a cluster that spans levels is marked with +."""
    actual: dict[str, dict[float, dict[Any, list[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    levels_of = defaultdict(set)
    for row, (case, item, value, label) in enumerate(table.frame.iter_rows()):
        actual[case][-value][row if label is None else label].append(item)
        levels_of[case, label].add(value)
    return {
        case: [
            sorted(
                " ".join(sorted(items)) + (f"+{label}" if len(levels_of[case, label]) > 1 else "")
                for label, items in levels[value].items()
            )
            for value in sorted(levels)
        ]
        for case, levels in actual.items()
    } | {case: [] for case in table.empty_cases}


def notices(table: Table) -> list[str]:
    """What was said about it, but not how it was read."""
    return [f"{message.code} {message.text}" for message in table.notices if message.code != "N212"]
