"""report(): one page about some systems, written to a file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from plumbline.errors import BadUsage, reports, usage
from plumbline.figures.figure import require_altair
from plumbline.figures.outputs import check_values, load_saved
from plumbline.figures.subject import listed_names
from plumbline.io.bytes.atomic import write_atomically
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import Option, declared, documented, problem_of
from plumbline.render.result import Result
from plumbline.reports.building import Chapter, dossier, subject_of_report
from plumbline.reports.front import FrontMatter
from plumbline.reports.page import page
from plumbline.reports.plan import chapter_of_saved, chapters, front_file, is_plan
from plumbline.reports.sections.reproduce import python_code

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from plumbline.figures.subject import Subject
    from plumbline.options.evaluation import CompareOptions

TITLE: Final = {"title": Option("The title of the page.", name="title", type=str)}


@documented(EvaluateOptions)
def report(  # noqa: PLR0913 - every decision can be made here
    source: Any,
    path: str | os.PathLike[str],
    *,
    gold: Any = None,
    systems: Any = None,
    metrics: Iterable[str] | str | None = None,
    title: str | None = None,
    front: str | os.PathLike[str] | None = None,
    also: Iterable[Any] = (),
    force: bool = False,
    comparing: CompareOptions | None = None,
    **options: Unpack[EvaluateOptions],
) -> Path:
    """Write an HTML page with everything that is known about some systems; the extra `report` has to be installed.

    The page is one file that needs no network. Scores of `evaluate` remember their outputs, so that the page also shows
    what scores alone do not: curves, confusion matrices, losses.

    Args:
        source: What `evaluate` or `compare` returned, a table of scores, or the path of a plan (TOML) with several parts;
            None if gold and systems are to be evaluated.
        path: The file to write.
        gold: The gold, if there is no source, or if the source was loaded from a file.
        systems: The outputs of the systems, likewise. They are refused if their values are not those of the source.
        metrics: The metrics that the page is about.
        title: The title of the page.
        front: A TOML file with what comes before the results: title, introduction, date, logo, links, teams.
        also: Further results, or files that hold them: each becomes a part, such as judgements, votes or a pool.
        force: Overwrite an existing file.
        comparing: Options of `compare`.
        **options: See `plumbline.options.evaluation.EvaluateOptions`.

    Returns:
        The path of the page.

    Raises:
        BadUsage: If the extra is not installed, the file already exists, or an option does not fit.

    Example:
        >>> import plumbline, tempfile, pathlib
        >>> scores = {"AP": {"old": {"q1": 0.5, "q2": 0.4}, "new": {"q1": 0.6, "q2": 0.4}}}
        >>> plumbline.report(scores, pathlib.Path(tempfile.mkdtemp()) / "page.html").name
        'page.html'
    """
    require_extra()
    metrics, also = listed_names(metrics), list(also)
    given: dict[str, Any] = {"gold": gold, "systems": systems, "metrics": metrics, "comparing": comparing, **options}
    _check_options({"title": title, **options})
    code = python_code(source, path, {**given, "title": title, "front": front, "also": also})
    if is_plan(source):
        fixed = {**given, "front": front, "also": also}
        idle = next((name for name, value in fixed.items() if value is not None and value not in ([], ())), None)
        if idle is not None:
            raise BadUsage(reports.without_effect(idle, "a plan has options of its own", "write it in a part of the plan"))
        plan_title, made = chapters(Path(source), code=code)
        return write(made, path, title=title or plan_title, force=force)
    if source is None and gold is None:
        raise BadUsage(usage.bad_object("nothing", "Scores, a Comparison, a table of scores, a plan, or a gold and systems"))
    saved = load_saved(source)
    subject = subject_of_report(saved, **given)
    if gold is not None and subject.evaluation is not getattr(saved, "evaluation", None):
        _check_values(subject)
    front_title, matter = (None, FrontMatter()) if front is None else front_file(Path(front))
    chapter = Chapter(subject, files={"scores": source}, code=code, front=matter)
    return write([chapter, *further_chapters(also, code=code)], path, title=title or front_title, force=force)


def further_chapters(also: Iterable[Any], command: tuple[str, ...] | None = None, code: tuple[str, ...] = ()) -> list[Chapter]:
    """A chapter for each further result or file of one."""
    return [
        Chapter(subject_of_report(one), None, command, {}, code)
        if isinstance(one, Result)
        else chapter_of_saved(one, None, command, code=code)
        for one in also
    ]


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuse options that a report does not have."""
    known = {**TITLE, **dict.fromkeys(("force", "metrics"), TITLE["title"]), **declared(EvaluateOptions)}
    for name, value in options.items():
        problem = problem_of(name, value, known)
        if problem is not None:
            raise BadUsage(usage.bad_keyword("report", *problem))


def _check_values(subject: Subject) -> None:
    """Refuse gold and systems that do not give the scores of the source; scores without a known origin are not checked."""
    if subject.evaluation is not None and "options" in subject.made:
        check_values(subject.evaluation, subject.cube, subject.made.get("floor", ()))


def require_extra() -> None:
    """Raise an error that says what to install if the extra is not installed."""
    require_altair()
    if find_spec("vl_convert") is None:
        raise BadUsage(usage.needs_extra("a report", "report"))


def write(made: Sequence[Chapter], path: str | os.PathLike[str], *, title: str | None = None, force: bool = False) -> Path:
    """Write the page about these chapters."""
    require_extra()
    target = Path(path)
    text = page(dossier(made, title))
    with write_atomically(target, force=force) as file:
        file.write(text.encode())
    return target
