"""A figure: a kind with a name, when it can be drawn, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from plumbline.errors import BadUsage, figures, usage
from plumbline.figures.theme import THEMES, themed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plumbline.figures.parts import Chart
    from plumbline.figures.subject import Subject

SIZES: Final = ("width", "height")


@dataclass(frozen=True)
class Asked:
    """What of a subject is to be drawn, and how large."""

    metrics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    width: int | Literal["container"] | None = None
    """Of the area without axes and legends, in pixels; `container` fills the page's box where the figure is one area."""
    height: int | None = None

    def wide(self, usual: int) -> Any:  # noqa: ANN401 - a number or "container", which Altair takes
        """The width, unless another one was asked for."""
        return usual if self.width is None else self.width

    def high(self, usual: int) -> int:
        """The height, unless another one was asked for."""
        return usual if self.height is None else self.height

    def shows(self, system: str) -> bool:
        """Whether a system is to be drawn: all are unless some are named."""
        return not self.systems or system in self.systems


@dataclass(frozen=True)
class Figure:
    """One kind of figure."""

    kind: str
    title: str
    caption: str
    """What it shows and how to read it, in a sentence or two."""
    reason: Callable[[Subject, Asked], str | None]
    """Why it cannot be drawn of a subject; none if it can."""
    make: Callable[[Subject, Asked], Chart]
    takes: tuple[str, ...] = ("metrics", "systems")
    """The options beside the sizes."""
    compared_by: tuple[str, ...] = ("lower",)
    """The options of compare() that change it."""
    task: str | None = None
    """The task of a gold and systems, unless another one is told."""

    @property
    def tests(self) -> bool:
        """Whether it shows the comparison with its tests, not only scores."""
        return "test" in self.compared_by

    def why_not(self, subject: Subject, **options: Any) -> str | None:  # noqa: ANN401 - fields of Asked
        """Why it cannot be drawn of this subject; none if it can."""
        return self.reason(subject, self._asked(subject, options))

    def applies(self, subject: Subject, **options: Any) -> bool:  # noqa: ANN401 - fields of Asked
        """Whether it can be drawn of this subject."""
        return self.why_not(subject, **options) is None

    def draw(self, subject: Subject, *, theme: str | None = "light", **options: Any) -> Chart:  # noqa: ANN401 - fields of Asked
        """The figure as an Altair chart; `theme` is light, dark, or none for pages that bring their own configuration."""
        require_altair()
        if theme not in (None, *THEMES):
            raise BadUsage(usage.bad_option("theme", str(theme), list(THEMES)))
        asked = self._asked(subject, options)
        against = self.reason(subject, asked)
        if against is not None:
            raise BadUsage(figures.cannot_draw(self.kind, against))
        from altair.utils.schemapi import debug_mode  # noqa: PLC0415 - an extra, and slow to import

        with debug_mode(arg=False):  # a chart is checked as a whole when it is written, its parts need not be
            return themed(self.make(subject, asked), theme)

    def _asked(self, subject: Subject, options: dict[str, Any]) -> Asked:
        known = (*self.takes, *SIZES)
        given = {name: value for name, value in options.items() if value is not None and value != ()}
        wrong = next((name for name in given if name not in known), None)
        if wrong is not None:
            raise BadUsage(figures.not_an_option(self.kind, wrong, list(known)))
        asked = Asked(**given)
        metrics, systems = _several(asked.metrics), _several(asked.systems)
        if not subject.has_values:
            return replace(asked, metrics=metrics, systems=systems)
        _check_systems(systems, subject.cube.systems)
        return replace(asked, metrics=subject.resolved(metrics) if metrics else (), systems=systems)


def _several(names: Iterable[str] | str) -> tuple[str, ...]:
    """Each name once."""
    return (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))


def _check_systems(asked: tuple[str, ...], known: tuple[str, ...]) -> None:
    for name in asked:
        if name not in known:
            raise BadUsage(usage.not_there("system", name, list(known)[:3]))


def require_altair() -> None:
    """Say what to install where the extra is not there."""
    try:
        import altair as alt  # noqa: F401, PLC0415 - an extra, and slow to import
    except ImportError:
        raise BadUsage(usage.needs_extra("a figure", "report")) from None
