"""A plan: a TOML file that says of which parts a report is made."""

from __future__ import annotations

import glob
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from plumbline.errors import BadUsage, Diagnostic, Place, PlumblineError, reports
from plumbline.io.memory.compose import Composed
from plumbline.io.paths import exists
from plumbline.io.toml import parsed_toml, toml_text
from plumbline.options.evaluation import CompareOptions, EvaluateOptions
from plumbline.options.option import Names, Option, briefly, declared, problem_of
from plumbline.render.result import load
from plumbline.reports.building import Chapter, subject_of_report
from plumbline.reports.front import KEYS, FrontMatter, front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SUFFIX: Final = ".toml"
EMPTY: Final[Mapping[str, Any]] = {}
COMPOSED: Final = {"priority", "clusters"}
PYTHON_NAMES: Final = {"as": "as_"}
"""Options whose names are reserved words of Python."""
START: Final = "names of files start from the folder of the plan"
METRICS: Final = Option("The metrics.", name="metrics", type=Names)
OPTIONS: Final[Mapping[str, Option]] = {
    "title": Option("The title of the part.", name="title", type=str),
    "metrics": METRICS,
    **{name: record for name, record in declared(EvaluateOptions).items() if name != "watch"},
}
SOURCES: Final = ("gold", "systems", "scores", "result", "compare")
"""Keys of a part that are no options; other keys are refused."""
WITH_RESULT: Final = ("title", "result")
"""Keys of a part about a saved result."""
WITH_SCORES: Final = ("title", "scores", "metrics", "compare")
"""Keys of a part about a table of scores."""
COMPARE_OPTIONS: Final[Mapping[str, Option]] = {"metrics": METRICS, **declared(CompareOptions)}


def is_plan(source: Any) -> bool:
    """Whether a source is the path of a plan."""
    return isinstance(source, (str, os.PathLike)) and Path(source).suffix == SUFFIX


def chapters(
    path: Path, command: tuple[str, ...] | None = None, code: tuple[str, ...] = ()
) -> tuple[str | None, list[Chapter]]:
    """The title of the report, and its parts, evaluated."""
    plan = _read(path)
    parts = plan.pop("part", None)
    title, front = _top(path, plan, " and part")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise BadUsage(reports.bad_plan(str(path), "it has no [[part]]"))
    made = [_chapter(_with_python_names(Part(path, at, part)), command, code) for at, part in enumerate(parts, 1)]
    return title, [replace(chapter, front=front) for chapter in made]


def front_file(path: Path) -> tuple[str | None, FrontMatter]:
    """The title and the front matter in a file of their own, for a report that has no plan."""
    return _top(path, _read(path))


def _top(path: Path, plan: dict[str, Any], further: str = "") -> tuple[str | None, FrontMatter]:
    """The title and the front matter; no other keys are left."""
    title, front = plan.pop("title", None), front_matter(path, plan)
    if plan:
        reason = f"unknown key {next(iter(plan))!r}; it has title, {', '.join(KEYS)}{further}"
        raise BadUsage(reports.bad_plan(str(path), reason))
    if title is not None and not OPTIONS["title"].accepts(title):
        raise BadUsage(reports.bad_plan(str(path), f"title = {briefly(title)} is not text"))
    return title, front


def _read(path: Path) -> dict[str, Any]:
    try:
        return parsed_toml(toml_text(path))
    except OSError as error:
        raise BadUsage(reports.bad_plan(str(path), error.strerror or str(error))) from None
    except ValueError as error:
        raise BadUsage(reports.bad_plan(str(path), str(error))) from None


@dataclass(frozen=True)
class Part:
    """The keys of a part, with its plan and its number."""

    path: Path
    number: int
    keys: Mapping[str, Any]

    def refuse(self, reason: str, advice: str) -> NoReturn:
        """Raise an error that names the part."""
        raise BadUsage(reports.bad_part(str(self.path), self.number, reason, advice))

    def check(self, options: Mapping[str, Any], known: Mapping[str, Option], table: str = "") -> None:
        """Refuse options that are unknown, empty, or of another type."""
        renamed = {old: record for record in known.values() for old in record.renamed_from}
        for name, value in options.items():
            problem = problem_of(name, value, {**known, **renamed})
            if problem is None and (value is None or value in ("", [])):
                problem = f"{name} is empty", f"give {known[name].expects}, or leave it out"
            if problem is not None:
                self.refuse(f"{table}{problem[0]}", problem[1])

    @contextmanager
    def naming_the_part(self) -> Iterator[None]:
        """Errors say in which part they occurred, and in which plan if they have no place of their own."""
        try:
            yield
        except PlumblineError as error:
            raise type(error)(*map(self._placed, error.diagnostics)) from None

    def _placed(self, one: Diagnostic) -> Diagnostic:
        if one.place is None:
            return replace(one, message=f"part {self.number}: {one.message}", place=Place(str(self.path)))
        return replace(one, message=f"part {self.number} of {self.path.name}: {one.message}")

    def values(self, key: str) -> list[Any]:
        """The value of a key, or its values if it has several; an empty one is refused."""
        given = self.keys[key]
        if given in ("", []):
            self.refuse(f"{key} is empty", "give the name of a file, or a list of them")
        return given if isinstance(given, list) else [given]

    def file(self, key: str, text: Any) -> str:
        """The path of the file of this name."""
        if not isinstance(text, str):
            self.refuse(f"{key} = {briefly(text)} is not a file", "give the name of a file")
        if not text:
            self.refuse(f"{key} is empty", "give the name of a file")
        path = located(self.path.parent, text)
        if not exists(path):
            self.refuse(f"{key} = {briefly(text)}: there is no such file", START)
        return path

    def files(self, key: str, text: Any, named: Literal["system", "scores"]) -> list[str]:
        """A file, `NAME=FILE`, or all files that match a pattern."""
        folder = self.path.parent
        if not isinstance(text, str) or not text or exists(located(folder, text)):
            return [self.file(key, text)]
        signs = [sign.start() for sign in re.finditer("=", text) if sign.start() > 0][: 1 if named == "system" else None]
        for name, path in ((text[:sign], text[sign + 1 :]) for sign in signs):
            if path and exists(located(folder, path)):
                return [f"{name}={located(folder, path)}"]
        matches = sorted(glob.glob(text, root_dir=folder, recursive=True)) if glob.has_magic(text) else []  # noqa: PTH207 - Path.glob takes no absolute pattern
        return [located(folder, match) for match in matches] or [self.file(key, text)]


def located(folder: PurePath, name: str) -> str:
    """The path of a file that is named from a folder; an absolute path stays what it is, on Windows with its drive too."""
    return str(folder / name)


def _with_python_names(part: Part) -> Part:
    """Options may be written as on the command line: as, on-duplicate."""
    keys: dict[str, Any] = {}
    for key, value in part.keys.items():
        plain = key.replace("-", "_")
        name = PYTHON_NAMES.get(plain, plain)
        if name in keys:
            part.refuse(f"{key!r} is set twice", "keep one of the two")
        keys[name] = value
    return replace(part, keys=keys)


def _chapter(part: Part, command: tuple[str, ...] | None, code: tuple[str, ...]) -> Chapter:
    """One part, evaluated and compared."""
    unknown = next((name for name in part.keys if name not in (*OPTIONS, *SOURCES)), None)
    if unknown is not None:
        part.refuse(*problem_of(unknown, None, {**OPTIONS, **dict.fromkeys(SOURCES, METRICS)}) or ("", ""))
    part.check({name: value for name, value in part.keys.items() if name in OPTIONS}, OPTIONS)
    if "result" in part.keys:
        return _chapter_of_result(part, command, code)
    comparing = part.keys.get("compare", {})
    if not isinstance(comparing, dict):
        part.refuse(f"compare = {briefly(comparing)} is not a table", "write its options below [part.compare]")
    part.check(comparing, COMPARE_OPTIONS, "compare: ")
    tables = _tables(part) if "scores" in part.keys else []
    given = _of_scores(part, tables) if tables else _of_outputs(part)
    with part.naming_the_part():
        subject = subject_of_report(**given, comparing=comparing)
        _ = subject.comparison  # made now, so that errors name the part
    return Chapter(subject, part.keys.get("title"), command, {"plan": part.path, "scores": tables}, code)


def _chapter_of_result(part: Part, command: tuple[str, ...] | None, code: tuple[str, ...]) -> Chapter:
    """A part about what a command saved: judgements, a pool, an experiment."""
    other = next((name for name in part.keys if name not in WITH_RESULT), None)
    if other is not None:
        part.refuse(f"{other!r} does not go with a result", "remove it, or write a part of its own")
    path = part.file("result", part.keys["result"])
    with part.naming_the_part():
        return chapter_of_saved(path, part.keys.get("title"), command, {"plan": part.path}, code)


def chapter_of_saved(
    path: str,
    title: str | None = None,
    command: tuple[str, ...] | None = None,
    files: Mapping[str, Any] = EMPTY,
    code: tuple[str, ...] = (),
) -> Chapter:
    """A chapter about what a command saved."""
    return Chapter(subject_of_report(load(path)), title, command, {**files, "result": path}, code)


def _tables(part: Part) -> list[str]:
    """The files of one table of scores or of several."""
    other = next((name for name in part.keys if name not in WITH_SCORES), None)
    if other is not None:
        part.refuse(f"{other!r} goes with a gold, not with scores", "remove it, or the scores")
    return [path for one in part.values("scores") for path in part.files("scores", one, named="scores")]


def _of_scores(part: Part, tables: list[str]) -> dict[str, Any]:
    """Scores, and the metrics to take of them."""
    narrowed = {"metrics": part.keys["metrics"]} if "metrics" in part.keys else {}
    return {"source": tables[0] if len(tables) == 1 else tables, **narrowed}


def _of_outputs(part: Part) -> dict[str, Any]:
    """A gold and systems, with paths from the folder of the plan."""
    for name in ("gold", "systems"):
        if name not in part.keys:
            part.refuse(f"there is no {name!r}", "give gold and systems, or scores, or a saved result")
    systems = [source for one in part.values("systems") for source in _sources(part, "systems", one)]
    files = {name: part.file(name, part.keys[name]) for name, one in OPTIONS.items() if one.is_data and name in part.keys}
    options = {name: value for name, value in part.keys.items() if name in OPTIONS and name != "title"}
    return {**options, **files, "gold": _sources(part, "gold", part.keys["gold"])[0], "systems": systems}


def _sources(part: Part, key: str, given: Any) -> list[str | Composed]:
    """The files that a text means, or a table with a priority and clusters."""
    if isinstance(given, dict) and given.keys() == COMPOSED:
        return [Composed(*(part.file(f"{key}.{name}", given[name]) for name in ("priority", "clusters")))]
    if isinstance(given, dict):
        part.refuse(f"{key} = {briefly(given)} is not a file", "give names of files, or {priority = FILE, clusters = FILE}")
    return [part.file(key, given)] if key == "gold" else [*part.files(key, given, named="system")]
