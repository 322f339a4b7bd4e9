"""report(): one page about some systems, written to a file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, reports, usage
from plumbline.figures.figure import require_altair
from plumbline.figures.options import EVALUATED, TEXT, Kind, is_said, several, told
from plumbline.figures.subject import subject_of
from plumbline.io.bytes.atomic import write_atomically
from plumbline.reports.again import with_outputs_that_last
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.page import page
from plumbline.reports.plan import chapters, is_plan
from plumbline.reports.same import check_same
from plumbline.reports.saved import loaded
from plumbline.reports.sections.reproduce import python_code

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

OPTIONS: Final = {"title": TEXT, "force": Kind("True or False", lambda _: True), **EVALUATED}
"""What a report takes beside a gold, systems and the options of compare()."""


def report(  # noqa: PLR0913 - what there may be to say
    source: Any,  # noqa: ANN401 - Scores, a Comparison, a table of scores, the path of one or of a plan; None with a gold
    path: str | os.PathLike[str],
    *,
    gold: Any = None,  # noqa: ANN401 - as evaluate
    systems: Any = None,  # noqa: ANN401 - as evaluate
    metrics: Iterable[str] | str | None = None,
    task: str | None = None,
    title: str | None = None,
    force: bool = False,
    comparing: Mapping[str, Any] | None = None,
    **options: Any,  # noqa: ANN401 - those of evaluate
) -> Path:
    """Write a page with everything that is known about some systems, and return its path.

    `source` is what `evaluate` or `compare` returned, a table of scores, or the path of a plan (TOML) with several parts;
    with `gold` and `systems`, whose scores it may be, the page also shows what only outputs tell: curves, confusion
    matrices, losses. These are looked at by the options the scores were made with, and other ones are refused; they are
    evaluated once more, and refused if a value differs. `comparing` holds options of `compare`, the others are those of
    `evaluate`. The page is one HTML file that needs no network. The extra `report` has to be installed.
    """
    require_extra()
    asked = {"gold": gold, "systems": systems, "metrics": several(metrics), "task": task, "comparing": comparing, **options}
    told({"title": title, **options}, OPTIONS, "a report")
    code = python_code(source, path, {**asked, "title": title})
    if is_plan(source):
        wish = next((name for name, value in asked.items() if is_said(value)), None)
        if wish is not None:
            raise BadUsage(reports.without_effect(wish, "a plan has options of its own", "write it in a part of the plan"))
        said, made = chapters(Path(source), code=code)
        return write(made, path, title=title or said, force=force)
    if source is None and gold is None:
        raise BadUsage(usage.bad_object("nothing", "Scores, a Comparison, a table of scores, a plan, or a gold and systems"))
    subject = with_outputs_that_last(subject_of(loaded(source), **asked))
    if source is not None:
        check_same(subject)
    return write([Chapter(subject, files={"scores": source}, code=code)], path, title=title, force=force)


def require_extra() -> None:
    """Say what to install where the extra is not there, before anything is evaluated."""
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
