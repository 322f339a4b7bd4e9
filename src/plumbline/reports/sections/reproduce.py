"""How to make the report again: the command or the code, the files with their digests, the settings and the versions."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.comparison.comparison import Comparison
from plumbline.comparison.wording import caption
from plumbline.figures.options import is_said
from plumbline.figures.reused import DATA
from plumbline.io.memory.compose import Composed
from plumbline.io.memory.systems import expanded
from plumbline.reports.model import Entry, Heading, Listing, Section, Table, Words
from plumbline.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plumbline.figures.subject import Subject

LIBRARIES: Final = ("polars", "numpy", "scipy", "altair", "vl-convert-python")
LONGEST: Final = 300
"""Values that take more characters are replaced by a name."""


def section(subject: Subject, command: Sequence[str] | None, sources: Iterable[Source], code: tuple[str, ...] = ()) -> Section:
    """The command or the code, the files with their digests, the settings and the versions."""
    files = tuple((Entry(one.name), Entry(one.role), Entry(one.size_told, one.size), Entry(one.digest)) for one in sources)
    heading = (
        Heading("file", numeric=False),
        Heading("as", numeric=False),
        Heading("bytes"),
        Heading("SHA-256", numeric=False),
    )
    tables = [Table("files", "the files that were read", heading, files, live=False)] if files else []
    return Section("reproduce", "How to reproduce", (_how(command, code), *tables, _facts(subject)))


def _how(command: Sequence[str] | None, code: tuple[str, ...]) -> Listing | Words:
    """What to type: the command, or the lines of Python."""
    if command:
        return Listing("The command", (shlex.join(["plumbline", *command]),))
    if code:
        return Listing("In Python; a name instead of a value is something that was in memory there, or is long", code)
    return Words("The report was made from Python, of what was in memory there.")


def _facts(subject: Subject) -> Table:
    """Settings and versions by their names."""
    told = {
        **_settings(subject),
        "plumbline": __version__,
        "Python": platform.python_version(),
        **_libraries(),
        "platform": sys.platform,
    }
    rows = tuple((Entry(name), Entry(text)) for name, text in told.items())
    return Table(
        "settings", "settings and versions", (Heading("what", numeric=False), Heading("value", numeric=False)), rows, live=False
    )


def _settings(subject: Subject) -> dict[str, str]:
    """Everything that was decided otherwise than by default, and how systems were compared."""
    made = _made(subject)
    policy = {f"policy: {name}": value for name, value in made.get("policy", {}).items()}
    found = subject.comparison
    asked = {**made.get("options", {}), **subject.options, **subject.data}
    elsewhere = {"as_", *made.get("policy", {})}
    told = {
        "task": subject.task or "scores were given",
        "metrics": ", ".join(subject.cube.metrics),
        **({"conventions of": made["as"]} if made.get("as") else {}),
        **{name: _told(value) for name, value in asked.items() if _was_said(value) and name not in elsewhere},
        **policy,
    }
    if found is not None:
        told |= {"comparison": caption(found), "seed": found.seed, **({"eps": f"{found.eps:g}"} if found.eps else {})}
    return {name: str(value) for name, value in told.items()}


def _made(subject: Subject) -> Mapping[str, Any]:
    """How the scores were made, as far as they tell it."""
    if subject.scores is not None:
        return subject.scores.made
    return {} if subject.compared is None else subject.compared.made


def _told(value: Any) -> str:  # noqa: ANN401 - an option that was said
    return ", ".join(value) if isinstance(value, (list, tuple)) else str(value)


def _was_said(value: Any) -> bool:  # noqa: ANN401 - an option of any kind
    """Options that are a word, a number or a few words; tables in memory are not."""
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
    size: int
    digest: str

    @property
    def size_told(self) -> str:
        """The size with separators, to be read."""
        return f"{self.size:,}"


def sources(subject: Subject, beside: Mapping[str, Any]) -> list[Source]:
    """The files of a subject, each once; what was in memory or came through a pipe has none."""
    own = [("gold", subject.gold), ("system", subject.systems), ("scores", subject.table)]
    found: dict[Path, str] = {}
    for role, given in (*beside.items(), *own, *subject.data.items()):
        for path in _paths(given):
            found.setdefault(path, role)
    return [_source(path, role) for path, role in found.items()]


def _paths(given: Any) -> Iterator[Path]:  # noqa: ANN401 - any form that evaluate takes
    """The files that are named somewhere in what was given."""
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
    """A file, `NAME=FILE`, or all that a pattern fits."""
    name, sign, rest = text.partition("=")
    if Path(text).is_file():
        yield Path(text)
    elif sign and name and Path(rest).is_file():
        yield Path(rest)
    elif any(character in text for character in "*?["):
        yield from (Path(path) for _, path in expanded(text) if Path(path).is_file())


def _source(path: Path, role: str) -> Source:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return Source(str(path), role, path.stat().st_size, digest)


def python_code(source: Any, path: str | os.PathLike[str], given: Mapping[str, Any]) -> tuple[str, ...]:  # noqa: ANN401 - as report
    """The calls; what was in memory, or is too long, has a name instead of a value."""
    page = repr(Path(path).name)
    said = {name: value for name, value in given.items() if is_said(value)}
    named = ", ".join([page, *(f"{name}={_value(value, name)}" for name, value in said.items())])
    if isinstance(source, Comparison):
        return ("import plumbline", f"comparison.report({named})")
    if isinstance(source, Scores):
        return ("import plumbline", _evaluated(source, given), f"scores.report({named})")
    return ("import plumbline", f"plumbline.report({_value(source, 'scores')}, {named})")


def _evaluated(scores: Scores, given: Mapping[str, Any]) -> str:
    """How the scores were made, as far as they tell it themselves."""
    made, standard = scores.made, any(column.name.startswith("Z(") for column in scores.columns)
    data = {name: given[name] for name in DATA if given.get(name) is not None}
    options = {"task": made.get("task"), "as_": made.get("as"), **data, **made.get("options", {})}
    words = [_value(given[name], name) if given.get(name) is not None else name for name in ("gold", "systems")]
    metrics = dict.fromkeys(column.asked.removeprefix("Z" if standard else "") for column in scores.columns)
    words.append(_value(list(metrics), "metrics"))
    words += [f"{name}={_value(value, name)}" for name, value in options.items() if is_said(value)]
    words += ["zscores=zscores"] if standard and "zscores" not in options else []
    return f"scores = plumbline.evaluate({', '.join(words)})"


def _value(value: Any, name: str) -> str:  # noqa: ANN401 - whatever was given
    """A value as Python writes it, in which nothing acts and nothing is hidden."""
    plain = _plain(value)
    text = name if plain is ... else repr(plain)
    return text if len(text) <= LONGEST else name


def _plain(value: Any) -> Any:  # noqa: ANN401 - as above
    """Words, numbers and paths, alone or in lists and dicts; of anything else the ellipsis."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        found = {str(key): _plain(one) for key, one in value.items()}
        return ... if any(one is ... or isinstance(one, dict) for one in found.values()) else found
    if isinstance(value, (list, tuple)):
        several = [_plain(one) for one in value]
        return ... if any(one is ... for one in several) else several
    return ...
