"""Figures of what one holds: `scores.plot.bars()`, or of files: `plot("losses", gold=..., systems=...)`."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, figures, reports
from plumbline.figures.options import COMPARED, EVALUATED, WORDS, several, told
from plumbline.figures.registry import FIGURES, find_figure
from plumbline.figures.subject import subject_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plumbline.figures.figure import Figure

LOOKS: Final = ("width", "height", "theme")
SOURCES: Final = ("gold", "systems", "task", "comparing")


def plot(kind: str, source: Any = None, **options: Any) -> Any:  # noqa: ANN401 - an Altair chart of anything that subject_of takes
    """A figure as an Altair chart, which notebooks show; `kind` is one of those that `plumbline plot` lists.

    `source` is `Scores`, a `Comparison` or a table of scores. `metrics` and `show` name the metrics and the systems to show,
    `width` and `height` are pixels, `theme` is light or dark. Other options are those of `evaluate`: with `gold` and `systems`
    figures can show what scores alone do not tell. Those of `Scores` are looked at by the options the scores were made with.
    """
    chosen, metrics = find_figure(kind), several(options.pop("metrics", None))
    looks = {name: options.pop(name) for name in LOOKS if name in options}
    shown = {"systems": several(options.pop("show"))} if "show" in options else {}
    told({"metrics": metrics, "show": shown.get("systems")}, {"metrics": WORDS, "show": WORDS}, kind)
    strange = next((name for name in options if name not in (*SOURCES, *EVALUATED)), None)
    if strange is not None:
        raise BadUsage(figures.not_an_option(kind, strange, _near(strange)))
    _check_effect(chosen, options.get("comparing"))
    evaluated = {"metrics": metrics} if source is None and options.get("gold") is not None else {}
    drawn = {"metrics": metrics} if metrics and not evaluated else {}
    if options.get("gold") is not None and not getattr(source, "made", None) and not options.get("positive"):
        options.setdefault("task", chosen.default_task)
    return chosen.draw(subject_of(source, **evaluated, **options), **drawn, **shown, **looks)


def _check_effect(chosen: Figure, comparing: Any) -> None:  # noqa: ANN401 - checked when it is used
    """An option of compare() that the figure does not go by is refused; what is no option at all is told of later."""
    idle = [name for name in comparing or () if name in COMPARED.keys() - {"metrics", "seed", *chosen.compare_options}]
    if idle:
        reason = f"{chosen.name} does not depend on it"
        raise BadUsage(reports.without_effect(idle[0], reason, "leave it out"))


def _near(option: str) -> list[str]:
    """The options that may have been meant; those of every figure, if none is near."""
    own = ["metrics", "show", *LOOKS, *SOURCES]
    return get_close_matches(option, [*own, *EVALUATED], n=2) or own


@dataclass(frozen=True, repr=False)
class Plots:
    """Every kind of figure as a method."""

    source: Any

    def __getattr__(self, kind: str) -> Callable[..., Any]:
        """A function that draws this kind."""
        if kind not in FIGURES:
            raise AttributeError(kind)

        def draw(**options: Any) -> Any:  # noqa: ANN401 - those of `plot`
            return plot(kind, self.source, **options)

        draw.__name__, draw.__doc__ = kind, f"{FIGURES[kind].title}. {FIGURES[kind].caption}"
        return draw

    def __dir__(self) -> list[str]:
        return list(FIGURES)

    def __repr__(self) -> str:
        return "figures: " + ", ".join(f".plot.{kind}()" for kind in FIGURES)
