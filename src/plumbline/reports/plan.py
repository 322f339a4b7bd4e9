"""A plan: a TOML file that says of which parts a report is made."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final

from plumbline.errors import BadUsage, reports
from plumbline.figures.subject import subject_of
from plumbline.io.compose import Composed
from plumbline.reports.building import Chapter
from plumbline.reports.saved import loaded

SUFFIX: Final = ".toml"
COMPOSED: Final = {"priority", "clusters"}
FILES: Final = ("features", "distances", "lengths")
"""Options of evaluate that name files."""


def is_plan(source: Any) -> bool:  # noqa: ANN401 - whatever a report can be made of
    """Whether a source is the path of a plan."""
    return isinstance(source, (str, os.PathLike)) and Path(source).suffix == SUFFIX


def chapters(path: Path, command: tuple[str, ...] | None = None) -> tuple[str | None, list[Chapter]]:
    """The title of the report, and its parts, evaluated."""
    plan = _read(path)
    parts = plan.pop("part", None)
    title = plan.pop("title", None)
    if plan:
        raise BadUsage(reports.bad_plan(str(path), f"unknown key {next(iter(plan))!r}; it has title and part"))
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise BadUsage(reports.bad_plan(str(path), "it has no [[part]]"))
    return title, [_chapter(path, at, part, command) for at, part in enumerate(parts, 1)]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadUsage(reports.bad_plan(str(path), error.strerror or str(error))) from None
    except ValueError as error:
        raise BadUsage(reports.bad_plan(str(path), str(error))) from None


def _chapter(path: Path, number: int, part: dict[str, Any], command: tuple[str, ...] | None) -> Chapter:
    """One part; what is not said of it is as evaluate and compare have it."""
    known = dict(part)
    title, scores, comparing = (known.pop(name, None) for name in ("title", "scores", "compare"))
    folder = path.parent
    if scores is not None:
        if known.keys() - {"metrics"}:
            wrong = next(iter(known.keys() - {"metrics"}))
            raise BadUsage(reports.bad_part(str(path), number, f"{wrong!r} goes with a gold, not with scores", "remove it"))
        given = {"source": loaded(_located(folder, scores)), **known}
    else:
        given = _outputs(path, number, known)
    subject = subject_of(**given, comparing=comparing)
    beside = {"plan": path, **({} if scores is None else {"scores": _located(folder, scores)})}
    return Chapter(subject, title, command, beside)


def _outputs(path: Path, number: int, known: dict[str, Any]) -> dict[str, Any]:
    """A gold and systems, with their files found from the folder of the plan."""
    for name in ("gold", "systems"):
        if name not in known:
            raise BadUsage(reports.bad_part(str(path), number, f"there is no {name!r}", "give gold and systems, or scores"))
    systems = known["systems"]
    several = systems if isinstance(systems, list) else [systems]
    found: dict[str, Any] = {name: _located(path.parent, known[name]) for name in FILES if name in known}
    gold = _source(path, number, known["gold"])
    return {**known, **found, "gold": gold, "systems": [_source(path, number, one) for one in several]}


def _source(path: Path, number: int, given: Any) -> str | Composed:  # noqa: ANN401 - what TOML has
    """A file or a pattern, or a table with a priority and clusters."""
    if isinstance(given, str):
        return _located(path.parent, given)
    if isinstance(given, dict) and given.keys() == COMPOSED:
        return Composed(*(_located(path.parent, given[name]) for name in ("priority", "clusters")))
    reason = f"{given!r} is no file"
    raise BadUsage(reports.bad_part(str(path), number, reason, "give names of files, or {priority = FILE, clusters = FILE}"))


def _located(folder: Path, name: str) -> str:
    """A file, from the folder of the plan."""
    return str(folder / name)
