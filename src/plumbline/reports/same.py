"""Whether gold and systems are those of the scores that a report is about: they are evaluated once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.reading import read_scores
from plumbline.errors import BadUsage, reports
from plumbline.evaluation.evaluate import evaluate
from plumbline.metrics.names import parse
from plumbline.reports.again import lasts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.figures.subject import Subject

CLOSE: Final = 1e-9
"""Values that differ by less than this share of them differ by rounding."""

SPACES: Final = frozenset({"features", "distances"})


def check_same(subject: Subject) -> None:
    """Refuse outputs whose values are not those of the scores, case by case.

    Standardised values and those that need data which is not at hand are not computed again; nor is anything read that
    can be read once only.
    """
    made = _made(subject)
    if "options" not in made or not subject.has_outputs or not (lasts(subject.gold) and lasts(subject.systems)):
        return
    metrics = tuple(name for name in subject.cube.metrics if _is_computed(subject, name))
    if not metrics:
        return
    scored = subject.cube.only(metrics, [name for name in subject.cube.systems if name not in made.get("floor", ())])
    again = read_scores(evaluate(subject.gold, subject.systems, metrics, **_options(subject, metrics)))[0]
    cases = tuple(dict.fromkeys((*scored.cases, *again.cases)))
    before, after = (_arranged(one, scored.metrics, scored.systems, cases) for one in (scored, again))
    differing = np.argwhere(~np.isclose(before, after, rtol=CLOSE, atol=CLOSE, equal_nan=True))
    if len(differing):
        metric, system, case = map(int, differing[0])
        values = _told(before[metric, system, case]), _told(after[metric, system, case])
        raise BadUsage(
            reports.other_values(scored.metrics[metric], scored.systems[system], cases[case], values, len(differing))
        )


def _made(subject: Subject) -> Mapping[str, Any]:
    """How the scores were made, if that is known."""
    found = subject.compared if subject.scores is None else subject.scores
    return {} if found is None else found.made


def _options(subject: Subject, metrics: tuple[str, ...]) -> dict[str, Any]:
    """The options and the data that these metrics read."""
    spaces = {name: value for name, value in subject.data.items() if name in SPACES and any(map(_is_internal, metrics))}
    return {**subject.options_for(metrics), **spaces, "task": subject.task}


def _is_computed(subject: Subject, name: str) -> bool:
    """Whether a metric can be computed again: not a standardised one, and one whose data are at hand."""
    if name.startswith("Z("):
        return False
    placed = not _is_internal(name) or not SPACES.isdisjoint(subject.data)
    return placed and ("discount=time" not in name or "lengths" in subject.data)


def _is_internal(name: str) -> bool:
    try:
        return any(part.metric.internal for part in parse(name, None, "clustering").parts)
    except BadUsage:
        return False


def _told(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.6g}"


def _arranged(cube: Cube, metrics: tuple[str, ...], systems: tuple[str, ...], cases: tuple[str, ...]) -> NDArray[np.float64]:
    """The values of these metrics, systems and cases; not a number where there are none."""
    found = np.full((len(metrics), len(systems), len(cases)), np.nan)
    axes = []
    for names, wanted in ((cube.metrics, metrics), (cube.systems, systems), (cube.cases, cases)):
        places = {name: at for at, name in enumerate(names)}
        axes.append([(at, places[name]) for at, name in enumerate(wanted) if name in places])
    there, here = (np.ix_(*([pair[side] for pair in axis] for axis in axes)) for side in (0, 1))
    found[there] = cube.values[here]
    return found
