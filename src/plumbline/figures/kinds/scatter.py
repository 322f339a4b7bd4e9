"""One metric against another, a dot for each output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, ReportSection, figure
from plumbline.figures.lines import system_colour
from plumbline.figures.needs import FEWEST_DOTS, SEEN_DIGITS, TWO, too_few_dots, two_metrics
from plumbline.figures.palette import palette
from plumbline.figures.parts import Chart, Row, display_names, inline_data, listed, number_fields, text_fields, with_properties
from plumbline.large import portions
from plumbline.lazily import alt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.figures.subject import Subject

SIZE: Final = 320
MOST: Final = 2000
"""More dots are a blot, and a heavy file: so many are drawn at random, always the same."""
GOLDEN: Final = np.uint32(0x9E3779B1)
"""The golden ratio as a share of 32 bits."""
CROSS: Final = "M-1,-1L1,1M-1,1L1,-1"


def _chosen(subject: Subject, options: DrawOptions) -> tuple[str, str]:
    first, second = (options.metrics or subject.cube.metrics)[:TWO]
    return first, second


def _rows(subject: Subject, options: DrawOptions) -> tuple[list[Row], int]:
    """The dots that are drawn, and how many there are."""
    cube = subject.only(_chosen(subject, options), options.systems)
    names, cases, blind = display_names(cube.systems), display_names(cube.cases), uninformative_cells(subject, cube)
    total = int(np.count_nonzero(cube.known))
    drawn = [
        {
            "system": names[cube.systems[system]],
            "case": cases[cube.cases[case]],
            "x": float(cube.values[0, system, case]),
            "y": float(cube.values[1, system, case]),
            "ignores": bool(blind[system, case]),
        }
        for system, case in _places(cube.known, _sampled(total)).tolist()
    ]
    return drawn, total


def uninformative_cells(subject: Subject, cube: Cube) -> NDArray[np.bool_]:
    """Which outputs carry no information about the gold, `[system, case]` of a cube."""
    rows_of, columns_of = ({name: at for at, name in enumerate(names)} for names in (cube.systems, cube.cases))
    blind = np.zeros((len(cube.systems), len(cube.cases)), dtype=np.bool_)
    blind[[rows_of[name] for name in subject.floor if name in rows_of]] = True
    for system, case in subject.uninformative:
        if system in rows_of and case in columns_of:
            blind[rows_of[system], columns_of[case]] = True
    return blind


def _sampled(count: int) -> NDArray[np.intp]:
    """Which of so many dots are drawn; the script of a page draws the same ones.

    Squares times the golden ratio lie evenly between 0 and 1, whatever the period of systems and cases; the smallest are taken.
    """
    kept = np.empty(0, dtype=np.intp)
    for some in portions((count,)):
        kept = np.concatenate([kept, np.arange(some.start, min(some.stop, count))])
        numbered = kept.astype(np.uint32)
        kept = kept[np.argsort(numbered * numbered * GOLDEN, kind="stable")[:MOST]]
    return np.sort(kept)


def _places(known: NDArray[np.bool_], numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """System and case of outputs by their numbers among those that are known; the numbers ascend."""
    ends = np.cumsum(known.sum(axis=1))
    systems = np.searchsorted(ends, numbers, side="right")
    before = np.concatenate([[0], ends])[systems]
    places = np.empty((len(numbers), TWO), dtype=np.intp)
    places[:, 0] = systems
    for system in np.unique(systems).tolist():
        some = systems == system
        places[some, 1] = np.flatnonzero(known[system])[numbers[some] - before[some]]
    return places


def few_outputs(subject: Subject, pair: tuple[str, ...] = ()) -> str | None:
    """Why a page leaves the figure of two metrics out; of the first two, if none are named."""
    cube = subject.only(pair or subject.cube.metrics[:TWO])
    different = np.empty((TWO, 0))
    for rows in portions(cube.known.shape):
        dots = cube.values[:, rows][:, cube.known[rows]]
        for start in range(0, dots.shape[1], MOST):
            some = np.concatenate([different, dots[:, start : start + MOST]], axis=1)
            different = np.unique(some.round(SEEN_DIGITS), axis=1)
            if different.shape[1] >= FEWEST_DOTS:
                return None
    return too_few_dots(different, *(listed([name]) for name in cube.metrics))


@figure(
    "scatter",
    title="One metric against another",
    caption="Each dot is an output: what one system gave for one case. Crosses are outputs that carry no information about the "
    "gold: filters that accept the same share of positive and of negative items, and the baselines that ignore the gold.",
    needs=two_metrics,
    report=InReport(
        ReportSection(
            "outputs",
            50,
            "Metric against metric",
            "Each dot is the output of a system for a case. Outputs that carry no information about the gold are marked with a "
            "cross: a metric that gives them high scores does not notice.",
        ),
        width=460,
        height=420,
        narrows=True,
        says_nothing=few_outputs,
    ),
    example="mail.tsv filters/*.tsv --positive spam --floor -m Accuracy -m 'F(Rel,Sens)'",
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """Circles for outputs, crosses for those that tell nothing about the gold."""
    (rows, total), pair, means = _rows(subject, options), _chosen(subject, options), subject.means
    across, up = (means.heading(means.metrics.index(name)) for name in pair)
    outputs = plural(total, "output") if len(rows) == total else f"{len(rows):,} of {plural(total, 'output')}, drawn at random"
    ignoring_gold = sum(row["ignores"] for row in rows)
    marked = f"; {ignoring_gold} of them {'ignores' if ignoring_gold == 1 else 'ignore'} the gold" if ignoring_gold else ""
    systems = listed(dict.fromkeys(row["system"] for row in rows))
    description = f"{listed(pair[1:])} against {listed(pair[:1])}, a dot for each output: {outputs}{marked}; systems: {systems}"
    chart = _placed(_layers(rows, palette(subject)), across, up, pair)
    noted = {} if len(rows) == total else {"title": alt.TitleParams("", subtitle=outputs)}
    width, height = options.width_or(SIZE), options.height_or(SIZE)
    return with_properties(chart, **noted, width=width, height=height, description=description)


def layers() -> list[dict[str, Any]]:
    """Every kind of layer, for pages that bring the rows: dots in the colours of systems, dots of the others, and crosses."""
    spec: dict[str, Any] = _placed([_coloured([], {}), _others([]), _crosses([])], "", "", ("", "")).to_dict(validate=False)
    return [{name: part for name, part in layer.items() if name != "data"} for layer in spec["layer"]]


def _placed(drawn: list[Chart], across: str, up: str, names: tuple[str, str]) -> Chart:
    """The layers on the same two axes, with these titles; the tooltip has the names of the metrics."""
    scale = alt.Scale(zero=False, nice=True)
    x, y = alt.X("x:Q", title=across, scale=scale), alt.Y("y:Q", title=up, scale=scale)
    tooltip = [*text_fields("system", "case"), *number_fields(x=listed(names[:1]), y=listed(names[1:]))]
    return alt.layer(*(layer.encode(x=x, y=y, tooltip=tooltip) for layer in drawn))


def _layers(rows: list[Row], colours: dict[str, int]) -> list[Chart]:
    dots, crosses = ([row for row in rows if row["ignores"] is ignores] for ignores in (False, True))
    others, coloured = ([row for row in dots if (row["system"] in colours) is known] for known in (False, True))
    return [
        *([_others(others)] if others else []),
        *([_coloured(coloured, colours)] if coloured else []),
        *([_crosses(crosses)] if crosses else []),
    ]


def _coloured(rows: list[Row], colours: dict[str, int]) -> Chart:
    systems = sorted({row["system"] for row in rows}, key=lambda name: colours[name])
    return alt.Chart(inline_data(rows)).mark_circle(size=34, opacity=0.7).encode(color=system_colour(systems, palette=colours))


def _others(rows: list[Row]) -> Chart:
    """Systems without a colour, whose dots are grey."""
    return alt.Chart(inline_data(rows)).mark_circle(style="quiet", size=18, opacity=0.35)


def _crosses(rows: list[Row]) -> Chart:
    """Outputs that ignore the gold, with their number in the legend."""
    base = alt.Chart(inline_data({**row, "kind": f"ignores the gold ({len(rows)})"} for row in rows))
    shape = alt.Shape("kind:N", scale=alt.Scale(range=[CROSS]), legend=alt.Legend(title=None))
    return base.mark_point(style="ink", size=46, opacity=0.9).encode(shape=shape)
