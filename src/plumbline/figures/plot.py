"""Figures of a result, `scores.plot.bars()`, or of files, `plot("losses", gold=..., systems=...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, figures, reports
from plumbline.errors.base import nearest
from plumbline.figures.figure import views_by_task
from plumbline.figures.registry import find_figure
from plumbline.figures.subject import check_names, compare_options, listed_names, subject_of
from plumbline.options.evaluation import CompareOptions, EvaluateOptions
from plumbline.options.option import declared

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, Unpack

    from altair import TopLevelMixin

    from plumbline.figures.figure import Figure

OPTIONS: Final = ("metrics", "show", "gold", "systems", "comparing", "width", "height", "theme")
"""The options of every figure, beside those of evaluate()."""


def plot(  # noqa: PLR0913 - one for each option
    kind: str,
    source: Any = None,
    *,
    metrics: str | Iterable[str] | None = None,
    show: str | Iterable[str] | None = None,
    gold: Any = None,
    systems: Any = None,
    comparing: CompareOptions | None = None,
    width: int | Literal["container"] | None = None,
    height: int | None = None,
    theme: Literal["light", "dark"] | None = "light",
    **options: Unpack[EvaluateOptions],
) -> TopLevelMixin:
    """Draw a figure as an Altair chart, which notebooks show; the extra `report` has to be installed.

    Args:
        kind: The name of the figure; `plumbline plot` lists all.
        source: `Scores`, a `Comparison`, or a table of scores in any form; None if gold and systems are to be evaluated.
        metrics: The metrics to show.
        show: The systems to show.
        gold: The gold, for figures that need more than scores.
        systems: The outputs of the systems, likewise.
        comparing: Options of `compare`.
        width: The width in pixels, without axes and legends.
        height: The height, likewise.
        theme: light, dark, or None for a chart without colours of its own.
        **options: Options of `evaluate`; for gold and systems of scores, they must be those by which the scores were made.

    Returns:
        An Altair chart.

    Raises:
        BadUsage: There is no such figure, it cannot be drawn, or an option is unknown or would change nothing.

    Example:
        >>> import plumbline
        >>> scores = {"AP": {"old": {"q1": 0.5, "q2": 0.4}, "new": {"q1": 0.6, "q2": 0.4}}}
        >>> plumbline.plot("bars", scores).to_dict()["description"]
        'Means of AP with 95 % confidence intervals, best first: new, old'
    """
    chosen, metrics = find_figure(kind), listed_names(metrics)
    given: dict[str, Any] = {**options}
    shown = {} if show is None else {"systems": listed_names(show)}
    check_names(kind, "metrics", metrics)
    check_names(kind, "show", shown.get("systems"))
    unknown = next((name for name in given if name not in declared(EvaluateOptions)), None)
    if unknown is not None:
        raise BadUsage(figures.not_an_option(kind, unknown, _near(unknown)))
    _check_effect(chosen, comparing)
    evaluated: dict[str, Any] = {"metrics": metrics} if source is None and gold is not None else {}
    drawn = {"metrics": metrics} if metrics and not evaluated else {}
    if gold is not None and not getattr(source, "made", None) and not given.get("positive"):
        given.setdefault("task", chosen.default_task)
    subject = subject_of(
        source, gold=gold, systems=systems, comparing=comparing, views=views_by_task([chosen]), **evaluated, **given
    )
    chart: TopLevelMixin = chosen.draw(subject, theme=theme, width=width, height=height, **drawn, **shown)
    return chart


def _check_effect(chosen: Figure, comparing: Any) -> None:
    """Refuse options of compare() that do not change the figure, and unknown ones."""
    known = declared(CompareOptions).keys() - {"seed", *chosen.compare_options}
    idle = [name for name in compare_options(comparing) if name in known]
    if idle:
        raise BadUsage(reports.without_effect(idle[0], f"{chosen.name} does not depend on it", "leave it out"))


def _near(option: str) -> list[str]:
    """The options that may have been meant; those of every figure, if none is near."""
    return nearest(option, [*OPTIONS, *declared(EvaluateOptions)], n=2) or list(OPTIONS)
