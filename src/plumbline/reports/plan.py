"""A plan: a TOML file that says of which parts a report is made."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plumbline.errors import BadUsage, reports
from plumbline.figures.options import COMPARED, DATA, EVALUATED, TEXT, Kind, briefly
from plumbline.figures.subject import Subject, subject_of
from plumbline.io.memory.compose import Composed
from plumbline.reports.again import with_outputs_that_last
from plumbline.reports.building import Chapter
from plumbline.reports.part import Part
from plumbline.reports.saved import loaded

SUFFIX: Final = ".toml"
COMPOSED: Final = {"priority", "clusters"}
OTHERWISE: Final = {"as": "as_"}
"""Names of options that are no names of Python."""
ANY: Final = Kind("", lambda _: True)
OF_OUTPUTS: Final = {
    "title": TEXT,
    **dict.fromkeys(("gold", "systems", "scores", "compare"), ANY),
    **{name: kind for name, kind in EVALUATED.items() if name != "watch"},
}
"""What may stand in a part about a gold and systems; other keys than these are refused in every part."""
OF_SCORES: Final = ("title", "scores", "metrics", "compare")


def is_plan(source: Any) -> bool:  # noqa: ANN401 - whatever a report can be made of
    """Whether a source is the path of a plan."""
    return isinstance(source, (str, os.PathLike)) and Path(source).suffix == SUFFIX


def chapters(
    path: Path, command: tuple[str, ...] | None = None, code: tuple[str, ...] = ()
) -> tuple[str | None, list[Chapter]]:
    """The title of the report, and its parts, evaluated."""
    plan = _read(path)
    parts, title = plan.pop("part", None), plan.pop("title", None)
    if plan:
        raise BadUsage(reports.bad_plan(str(path), f"unknown key {next(iter(plan))!r}; it has title and part"))
    if title is not None and not TEXT.fits(title):
        raise BadUsage(reports.bad_plan(str(path), f"title = {briefly(title)} is not text"))
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise BadUsage(reports.bad_plan(str(path), "it has no [[part]]"))
    return title, [_chapter(_named(Part(path, at, part)), command, code) for at, part in enumerate(parts, 1)]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadUsage(reports.bad_plan(str(path), error.strerror or str(error))) from None
    except (ValueError, RecursionError) as error:
        raise BadUsage(reports.bad_plan(str(path), str(error))) from None


def _named(part: Part) -> Part:
    """Options may be written as on the command line: as, on-duplicate."""
    found: dict[str, Any] = {}
    for given, value in part.keys.items():
        plain = given.replace("-", "_")
        name = OTHERWISE.get(plain, plain)
        if name in found:
            part.refuse(f"{given!r} is set twice", "keep one of the two")
        found[name] = value
    return replace(part, keys=found)


def _chapter(part: Part, command: tuple[str, ...] | None, code: tuple[str, ...]) -> Chapter:
    """One part; what is not said of it is as evaluate and compare have it."""
    part.check(part.keys, OF_OUTPUTS, "a part")
    by = part.keys.get("compare", {})
    if not isinstance(by, dict):
        part.refuse(f"compare = {briefly(by)} is not a table", "write its options below [part.compare]")
    part.check(by, COMPARED, "compare")
    tables = _tables(part) if "scores" in part.keys else []
    given = _of_scores(part, tables) if tables else _of_outputs(part)
    with part.told():
        subject = _compared(with_outputs_that_last(subject_of(**given, comparing=by)))
    return Chapter(subject, part.keys.get("title"), command, {"plan": part.path, "scores": tables}, code)


def _compared(subject: Subject) -> Subject:
    """The subject, compared: what is wrong with the options of compare is told with the part it stands in."""
    _ = subject.comparison
    return subject


def _tables(part: Part) -> list[str]:
    """The files of one table of scores or of several."""
    other = next((name for name in part.keys if name not in OF_SCORES), None)
    if other is not None:
        part.refuse(f"{other!r} goes with a gold, not with scores", "remove it, or the scores")
    return [path for one in part.several("scores") for path in part.files("scores", one, named="scores")]


def _of_scores(part: Part, tables: list[str]) -> dict[str, Any]:
    """Scores, and the metrics that are taken of them."""
    narrowed = {"metrics": part.keys["metrics"]} if "metrics" in part.keys else {}
    return {"source": loaded(tables[0]) if len(tables) == 1 else tables, **narrowed}


def _of_outputs(part: Part) -> dict[str, Any]:
    """A gold and systems, with their files found from the folder of the plan."""
    for name in ("gold", "systems"):
        if name not in part.keys:
            part.refuse(f"there is no {name!r}", "give gold and systems, or scores")
    systems = [source for one in part.several("systems") for source in _sources(part, "systems", one)]
    files = {name: part.file(name, part.keys[name]) for name, kind in EVALUATED.items() if kind is DATA and name in part.keys}
    options = {name: value for name, value in part.keys.items() if name in EVALUATED}
    return {**options, **files, "gold": _sources(part, "gold", part.keys["gold"])[0], "systems": systems}


def _sources(part: Part, key: str, given: Any) -> list[str | Composed]:  # noqa: ANN401 - what TOML has
    """The files that a word means, or a table with a priority and clusters."""
    if isinstance(given, dict) and given.keys() == COMPOSED:
        return [Composed(*(part.file(f"{key}.{name}", given[name]) for name in ("priority", "clusters")))]
    if isinstance(given, dict):
        part.refuse(f"{key} = {briefly(given)} is not a file", "give names of files, or {priority = FILE, clusters = FILE}")
    return [part.file(key, given)] if key == "gold" else [*part.files(key, given, named="system")]
