"""How to make the report again: the command or the code, the files with their digests, the settings and the versions."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.wording import caption
from plumbline.errors.urls import without_secrets
from plumbline.figures.outputs import DATA
from plumbline.io.bytes.digests import Digest, digest_of
from plumbline.io.memory.compose import Composed
from plumbline.io.paths import exists, is_pattern, matching, split_name
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import declared
from plumbline.reports.model import Entry, Heading, Listing, Paragraph, Section, Table
from plumbline.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plumbline.figures.subject import Subject

LIBRARIES: Final = ("polars", "numpy", "scipy", "altair", "vl-convert-python")
LONGEST: Final = 300
"""Values that take more characters are replaced by a name."""


def section(subject: Subject, command: Sequence[str] | None, sources: Iterable[Source], code: tuple[str, ...] = ()) -> Section:
    """The command or the code, the files with their digests, the settings and the versions."""
    files = tuple(
        (Entry(one.name), Entry(one.role), Entry(f"{one.digest.size:,}", one.digest.size), Entry(one.digest.sha256))
        for one in sources
    )
    heading = (
        Heading("file", numeric=False),
        Heading("as", numeric=False),
        Heading("bytes"),
        Heading("SHA-256", numeric=False),
    )
    tables = [Table("files", "the files that were read", heading, files, live=False)] if files else []
    return Section("reproduce", "How to reproduce", (_how(command, code), *tables, _facts(subject)))


def _how(command: Sequence[str] | None, code: tuple[str, ...]) -> Listing | Paragraph:
    """What to type: the command, or the lines of Python."""
    if command:
        return Listing("The command", (shlex.join(["plumbline", *map(without_secrets, command)]),))
    if code:
        return Listing("In Python; a name instead of a value stands for something that was in memory, or is long", code)
    return Paragraph("The report was made in Python, from data in memory.")


def _facts(subject: Subject) -> Table:
    """Settings and versions by their names."""
    facts = {
        **_settings(subject),
        "plumbline": __version__,
        "Python": platform.python_version(),
        **_libraries(),
        "platform": sys.platform,
    }
    rows = tuple((Entry(name), Entry(text)) for name, text in facts.items())
    return Table(
        "settings", "settings and versions", (Heading("what", numeric=False), Heading("value", numeric=False)), rows, live=False
    )


def _settings(subject: Subject) -> dict[str, str]:
    """All options that differ from their defaults, and how systems were compared."""
    if not subject.has_values:
        return {}
    made = subject.made
    policy = {f"policy: {name}": value for name, value in made.get("policy", {}).items()}
    comparison = subject.comparison
    given = {**made.get("options", {}), **subject.options}
    elsewhere = {"as_", *made.get("policy", {})}
    settings = {
        "task": subject.task or "scores were given",
        "metrics": ", ".join(subject.cube.metrics),
        **({"conventions of": made["as"]} if made.get("as") else {}),
        **{name: _text(value) for name, value in given.items() if _can_be_written(value) and name not in elsewhere},
        **policy,
    }
    if comparison is not None:
        eps = {"eps": f"{comparison.eps:g}"} if comparison.eps else {}
        settings |= {"comparison": caption(comparison), "seed": comparison.seed, **eps}
    return {name: str(value) for name, value in settings.items()}


def _text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, (list, tuple)) else str(value)


def _can_be_written(value: Any) -> bool:
    """Whether an option is a word, a number or a few words; tables in memory are not."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(word, str) for word in value)
    return isinstance(value, (str, int, float)) and value is not False


def _libraries() -> dict[str, str]:
    return {name: version(name) for name in LIBRARIES}


@dataclass(frozen=True)
class Source:
    """A file that was read."""

    name: str
    role: str
    digest: Digest


def sources(subject: Subject, beside: Mapping[str, Any]) -> list[Source]:
    """The files of a subject, each once; data in memory or from a pipe has none."""
    outputs = subject.evaluation
    read = () if outputs is None else (("gold", outputs.gold), ("system", outputs.systems))
    data = [(name, value) for name, value in subject.options.items() if declared(EvaluateOptions)[name].is_data]
    roles: dict[Path, str] = {}
    for role, given in (*beside.items(), *read, ("scores", subject.table), *data):
        for path in _paths(given):
            roles.setdefault(path, role)
    return [Source(str(path), role, subject.digests.get(path) or digest_of(path)) for path, role in roles.items()]


def _paths(given: Any) -> Iterator[Path]:
    """The files that a source names."""
    if isinstance(given, Composed):
        yield from _paths(given.priority)
        yield from _paths(given.clusters)
    elif isinstance(given, (str, os.PathLike)):
        yield from _files(os.fspath(given))
    elif isinstance(given, Mapping):
        yield from (path for one in given.values() if isinstance(one, (str, os.PathLike, Composed)) for path in _paths(one))
    elif isinstance(given, Iterable) and not hasattr(given, "columns") and not hasattr(given, "read"):
        yield from (path for one in given if isinstance(one, (str, os.PathLike, Composed)) for path in _paths(one))


def _files(text: str) -> Iterator[Path]:
    """A file, `NAME=FILE`, or all files that match a pattern."""
    source = split_name(text)[1]
    if exists(source) and Path(source).is_file():
        yield Path(source)
    elif is_pattern(source):
        yield from (Path(path) for path in matching(source) if Path(path).is_file())


def python_code(source: Any, path: str | os.PathLike[str], given: Mapping[str, Any]) -> tuple[str, ...]:
    """The calls in Python that make the report; data in memory and long values are replaced by a name."""
    page = repr(Path(path).name)
    written = [f"{name}={_value(value, name)}" for name, value in given.items() if not _is_empty(value)]
    arguments = ", ".join([page, *written])
    if isinstance(source, Comparison):
        return ("import plumbline", f"comparison.report({arguments})")
    if isinstance(source, Scores):
        return ("import plumbline", _evaluated(source, given), f"scores.report({arguments})")
    return ("import plumbline", f"plumbline.report({_value(source, 'scores')}, {arguments})")


def _evaluated(scores: Scores, given: Mapping[str, Any]) -> str:
    """The call that made the scores, as far as it is known."""
    made, standard = scores.made, any(column.name.startswith("Z(") for column in scores.columns)
    data = {name: given[name] for name in DATA if given.get(name) is not None}
    options = {"task": made.get("task"), "as_": made.get("as"), **data, **made.get("options", {})}
    kept = {} if scores.evaluation is None else {"gold": scores.evaluation.gold, "systems": scores.evaluation.systems}
    sources = {name: kept.get(name) if given.get(name) is None else given[name] for name in ("gold", "systems")}
    arguments = [name if value is None else _value(value, name) for name, value in sources.items()]
    metrics = dict.fromkeys(column.asked.removeprefix("Z" if standard else "") for column in scores.columns)
    arguments.append(_value(list(metrics), "metrics"))
    arguments += [f"{name}={_value(value, name)}" for name, value in options.items() if not _is_empty(value)]
    arguments += ["zscores=zscores"] if standard and "zscores" not in options else []
    return f"scores = plumbline.evaluate({', '.join(arguments)})"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (list, tuple)) and not value)


def _value(value: Any, name: str) -> str:
    """A value as Python writes it; control characters are escaped."""
    plain = _plain(value)
    text = name if plain is ... else repr(plain)
    return text if len(text) <= LONGEST else name


def _plain(value: Any) -> Any:
    """Text, numbers and paths, alone or in lists and dicts; the ellipsis for anything else."""
    if isinstance(value, (str, os.PathLike)):
        return without_secrets(os.fspath(value))
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        plain = {str(key): _plain(one) for key, one in value.items()}
        return ... if any(one is ... or isinstance(one, dict) for one in plain.values()) else plain
    if isinstance(value, (list, tuple)):
        several = [_plain(one) for one in value]
        return ... if any(one is ... for one in several) else several
    return ...
