"""What stands behind the numbers: notices, how to make them again, and whom to cite."""

from __future__ import annotations

import platform
import shlex
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.audits.constraints.registry import all_constraints
from plumbline.comparison.significance.registry import find_correction, find_test
from plumbline.comparison.wording import caption
from plumbline.errors.base import READ_AS, plural
from plumbline.reports.bibliography import entries
from plumbline.reports.model import Entry, Heading, Listing, Notice, Notices, Section, Table, Words
from plumbline.reports.sections.metrics import used

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from plumbline.figures.subject import Subject
    from plumbline.reports.hashing import Source

LIBRARIES: Final = ("polars", "numpy", "scipy", "altair", "vl-convert-python")
UIR: Final = "amigo2011"
"""Where unanimous improvements are defined."""


def notices(subject: Subject) -> Section:
    """What was missing, undefined, repeated or decided."""
    told = tuple(Notice(one.code, one.headline().replace(f"{one.code} ", "", 1), one.help or "") for one in subject.said)
    decided = tuple(one for one in told if one.code != READ_AS)
    read = tuple(one for one in told if one.code == READ_AS)
    blocks = [Notices(decided)] if decided else [Words("Nothing was missing, undefined, repeated or left out.")]
    return Section("notices", "About the data", (*blocks, *_reading(read)))


def _reading(read: tuple[Notice, ...]) -> tuple[Table, ...]:
    """How each file was read, folded away."""
    rows = tuple((Entry(one.text),) for one in read)
    heading = (Heading("file", numeric=False),)
    folded = f"How {plural(len(read), 'file')} {'was' if len(read) == 1 else 'were'} read"
    return (Table("reading", "how each file was read", heading, rows, folded=folded, live=False),) if read else ()


def reproducing(
    subject: Subject, command: Sequence[str] | None, sources: Iterable[Source], code: tuple[str, ...] = ()
) -> Section:
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


def references(subject: Subject) -> Section | None:
    """BibTeX of the metrics and their constraints, and of how systems were compared."""
    metrics = [single.metric for single in used(subject)]
    demands = [
        one.paper for task in dict.fromkeys(metric.task for metric in metrics) for one in all_constraints().get(task, ())
    ]
    papers = [*(metric.paper for metric in metrics), *demands, *_comparing(subject)]
    found = entries(dict.fromkeys(papers))
    if not found:
        return None
    lines = tuple(line for entry in found for line in (*entry.splitlines(), ""))[:-1]
    words = Words("The papers that define the metrics, what constraints demand of them, and how systems were compared.")
    return Section("references", "References", (words, Listing("BibTeX", lines)))


def _comparing(subject: Subject) -> list[str]:
    """The papers of unanimity, where there are several metrics, of the test, and of the correction where there is one."""
    found = subject.comparison
    if found is None:
        return []
    unanimity = UIR if len(subject.cube.metrics) > 1 else None
    corrected = None if found.tested.familywise else find_correction(found.correction).paper
    return [paper for paper in (unanimity, find_test(found.test).paper, corrected) if paper is not None]
