"""What a figure is: one declaration, in the file under `kinds/` that draws it.

The declaration feeds `plumbline plot`, `scores.plot`, the sections of a report, the gallery of the docs and the tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from plumbline.errors import BadUsage, figures, usage
from plumbline.figures.theme import THEMES, themed
from plumbline.lazily import alt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.figures.parts import Chart
    from plumbline.figures.subject import Subject
    from plumbline.render.grid import Grid

    Check: TypeAlias = Callable[["Subject", "DrawOptions"], str | None]
    """Says why a subject cannot be drawn; None if it can."""
    Draw: TypeAlias = Callable[["Subject", "DrawOptions"], Chart]

SIZES: Final = ("width", "height")


@dataclass(frozen=True)
class DrawOptions:
    """Which metrics and systems of a subject to draw, and how large."""

    metrics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    width: int | Literal["container"] | None = None
    """Width in pixels, without axes and legends; `container` fills the surrounding box if the figure has one panel."""
    height: int | None = None

    def width_or(self, default: int) -> Any:
        """The requested width, or the default of the figure."""
        return default if self.width is None else self.width

    def height_or(self, default: int) -> int:
        """The requested height, or the default of the figure."""
        return default if self.height is None else self.height

    def shows(self, system: str) -> bool:
        """Whether to draw a system: all are drawn unless some are named."""
        return not self.systems or system in self.systems


@dataclass(frozen=True)
class ReportSection:
    """A section of a report that one or several figures fill."""

    name: str
    """The name of the section in links to it."""
    order: int
    """Sections with smaller numbers come first."""
    title: str | Callable[[Subject], str]
    text: str | Callable[[Subject], str]
    """The paragraph above the figures."""


@dataclass(frozen=True)
class DataTable:
    """The numbers behind a figure, for readers who want them or cannot see the figure."""

    name: str
    grid: Grid
    summary: str = ""
    """If not empty, the table is collapsed behind this text."""


@dataclass(frozen=True)
class InReport:
    """Where a figure stands in a report, and how large it is there."""

    section: ReportSection
    order: int = 0
    """Figures of a section with smaller numbers come first."""
    width: int | None = None
    height: int | None = None
    """Sizes in a page, which has more room than a column of a paper; None for the default of the figure."""
    narrows: bool = False
    """Whether the figure stays readable on a phone; otherwise the page scrolls it."""
    widens: bool = False
    """Whether the figure takes the whole width of the page; it has one panel and no legend."""
    stacks: bool = False
    """Whether its panels stand below each other where the page is too narrow for them."""
    most_systems: int | None = None
    """The largest number of systems for which a page shows the figure."""
    first_systems: int | None = None
    """Of more systems, a page shows so many, the best ones."""
    tables: Callable[[Subject], list[DataTable]] | None = None
    """Makes the tables below the figure."""
    says_nothing: Callable[[Subject], str | None] | None = None
    """Says in a sentence why the figure would show nothing; the page has the sentence instead. None if there is something."""


@dataclass(frozen=True)
class Figure:
    """One kind of figure; see `figure` for what the fields mean."""

    name: str
    title: str
    caption: str
    make: Draw
    needs: tuple[Check, ...] = ()
    options: tuple[str, ...] = ("metrics", "systems")
    compare_options: tuple[str, ...] = ("lower",)
    tasks: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    default_task: str | None = None
    report: InReport | None = None
    example: str = ""
    example_metrics: tuple[str, ...] = ()
    systems_named: int | None = None
    of: type | None = None

    @property
    def tests(self) -> bool:
        """Whether it shows the result of significance tests, not only scores."""
        return "test" in self.compare_options

    def why_not(self, subject: Subject, **options: Any) -> str | None:
        """Why it cannot be drawn of this subject; None if it can."""
        return self._why_not(subject, self._options(subject, options))

    def applies(self, subject: Subject, **options: Any) -> bool:
        """Whether it can be drawn of this subject."""
        return self.why_not(subject, **options) is None

    def draw(self, subject: Subject, *, theme: str | None = "light", **options: Any) -> Chart:
        """The figure as an Altair chart; `theme` is light, dark, or None for pages that bring their own configuration."""
        require_altair()
        if theme not in (None, *THEMES):
            raise BadUsage(usage.bad_option("theme", str(theme), list(THEMES)))
        checked = self._options(subject, options)
        reason = self._why_not(subject, checked)
        if reason is not None:
            raise BadUsage(figures.cannot_draw(self.name, reason))

        with alt.utils.schemapi.debug_mode(arg=False):  # a chart is validated when it is written; validating parts is slow
            return themed(self.make(subject, checked), theme)

    def _why_not(self, subject: Subject, options: DrawOptions) -> str | None:
        if subject.result is not None and not subject.has_values:
            fits = self.of is not None and isinstance(subject.result, self.of)
            return None if fits else f"it does not draw a result of the kind {type(subject.result).__name__}"
        if self.tasks and subject.task is not None and subject.task not in self.tasks:
            return f"it is for {' and '.join(self.tasks)}, and these are scores of {subject.task}"
        if self.tasks and subject.evaluation is None:
            return "it needs the gold and the outputs of the systems, not only scores"
        if self.views and subject.evaluation is not None and not subject.evaluation.can_align(self.views):
            return "the gold or an output came through a pipe or an open file, and cannot be read again"
        return next((reason for check in self.needs if (reason := check(subject, options)) is not None), None)

    def _options(self, subject: Subject, options: dict[str, Any]) -> DrawOptions:
        known = (*self.options, *SIZES)
        given = {name: value for name, value in options.items() if value is not None and value != ()}
        wrong = next((name for name in given if name not in known), None)
        if wrong is not None:
            raise BadUsage(figures.not_an_option(self.name, wrong, list(known)))
        made = DrawOptions(**given)
        metrics, systems = _unique(made.metrics), _unique(made.systems)
        if not subject.has_values:
            return replace(made, metrics=metrics, systems=systems)
        _check_systems(systems, subject.cube.systems)
        return replace(made, metrics=subject.resolved(metrics) if metrics else (), systems=systems)


DECLARED: dict[str, Figure] = {}
"""Every figure whose module was imported; `plumbline.figures.registry` imports them all."""


def figure(  # noqa: PLR0913 - one for each fact about a figure
    name: str,
    *,
    title: str,
    caption: str,
    needs: Check | tuple[Check, ...] = (),
    options: tuple[str, ...] = ("metrics", "systems"),
    compare_options: tuple[str, ...] = ("lower",),
    tasks: tuple[str, ...] = (),
    views: tuple[str, ...] = (),
    default_task: str | None = None,
    report: InReport | None = None,
    example: str = "",
    example_metrics: tuple[str, ...] = (),
    systems_named: int | None = None,
    of: type | None = None,
) -> Callable[[Draw], Draw]:
    """Declare the decorated function as a figure.

    Args:
        name: What `plumbline plot` and `scores.plot` call it.
        title: A heading of a few words.
        caption: What it shows and how to read it, in a sentence or two.
        needs: Checks that say why a subject cannot be drawn, from `plumbline.figures.needs` or written for this figure.
        options: Which of `metrics` and `systems` it takes, beside the sizes.
        compare_options: The options of `compare` that change it.
        tasks: The tasks whose gold and outputs it reads; empty if scores are enough.
        views: What it needs of an alignment beside the views of the metrics, as metrics name it: `ranked`, `relations`.
        default_task: The task of a gold and systems for which no task is given.
        report: Where it stands in a report; None if reports do not show it.
        example: Arguments of `plumbline plot` that draw it of the collection of `plumbline demo`, for the gallery.
        example_metrics: Metrics that it can be drawn of, if not every metric will do; the tests draw it of these.
        systems_named: How many systems it names; None if it names all of them.
        of: The class of results that it draws by themselves, without scores or outputs.

    Returns:
        A decorator that keeps the function as it is.

    Raises:
        ValueError: If another figure has this name.
    """

    def declare(make: Draw) -> Draw:
        if name in DECLARED:
            message = f"two figures are called {name}"
            raise ValueError(message)
        DECLARED[name] = Figure(
            name=name,
            title=title,
            caption=caption,
            make=make,
            needs=needs if isinstance(needs, tuple) else (needs,),
            options=options,
            compare_options=compare_options,
            tasks=tasks,
            views=views,
            default_task=default_task,
            report=report,
            example=example,
            example_metrics=example_metrics,
            systems_named=systems_named,
            of=of,
        )
        return make

    return declare


def views_by_task(figures: Iterable[Figure]) -> dict[str, set[str]]:
    """The views that figures need of an alignment, by task."""
    views: dict[str, set[str]] = {}
    for one in figures:
        for task in one.tasks:
            views.setdefault(task, set()).update(one.views)
    return views


def _unique(names: Iterable[str] | str) -> tuple[str, ...]:
    """Each name once."""
    return (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))


def _check_systems(names: tuple[str, ...], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise BadUsage(usage.unknown_name("system", name, list(known)[:3]))


def require_altair() -> None:
    """Raise an error that says what to install if Altair is not installed."""
    try:
        import altair as alt  # noqa: F401, PLC0415 - an extra, and slow to import
    except ImportError:
        raise BadUsage(usage.needs_extra("a figure", "report")) from None
