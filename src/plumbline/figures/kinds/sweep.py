"""Two metrics along a threshold: the outputs of one system, from the loosest to the strictest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, figure
from plumbline.figures.needs import metric_pair, pair_of, two_systems
from plumbline.figures.parts import Chart, Row, inline_data, listed, number_fields
from plumbline.lazily import alt
from plumbline.tools.sweep import threshold_of

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

SIZE: Final = 320
MOST_LABELS: Final = 25
"""With more points the thresholds are left to the tooltips."""


def thresholds(subject: Subject, options: DrawOptions) -> str | None:
    """The names of the outputs must hold their thresholds."""
    missing = [name for name in options.systems or subject.cube.systems if threshold_of(name) is None]
    return f"the names of outputs must end in a threshold, and that of {listed(missing)} does not" if missing else None


def _points(subject: Subject, options: DrawOptions, first: str, second: str) -> list[Row]:
    """The means of both metrics, by growing threshold; outputs without both are left out."""
    cube = subject.only((first, second), options.systems)
    values = zip((threshold_of(name) for name in cube.systems), *cube.means, strict=True)
    known = [(at or 0.0, float(y), float(x)) for at, y, x in values if not np.isnan(x + y)]
    return [{"threshold": at, "label": f"{at:g}", "y": y, "x": x} for at, y, x in sorted(known)]


@figure(
    "sweep",
    title="Two metrics along a threshold",
    caption="Each point is an output of one system at a threshold, which is printed beside it; neighbouring thresholds are "
    "connected. `plumbline sweep` names the best threshold for every weight of the two metrics.",
    needs=(two_systems, metric_pair, thresholds),
    compare_options=(),
    example="tweets.tsv 0.2=grouped/words.tsv 0.5=grouped/links.tsv 0.8=grouped/strict.tsv --task clustering "
    "-m BCubedP -m BCubedR",
    example_metrics=("SetP", "SetR"),
    systems_named=0,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A line from threshold to threshold."""
    first, second = pair_of(options.metrics or subject.cube.metrics) or ("", "")
    rows = _points(subject, options, first, second)
    near = alt.Scale(zero=False, padding=12)
    base = alt.Chart(inline_data(rows)).encode(
        x=alt.X("x:Q", title=listed([second]), scale=near),
        y=alt.Y("y:Q", title=listed([first]), scale=near),
        order=alt.Order("threshold:Q"),
        tooltip=number_fields("threshold", form="", x=listed([second]), y=listed([first])),
    )
    text = base.mark_text(style="ink", align="left", dx=7, dy=-5).encode(text=alt.Text("label:N"))
    layers = [base.mark_line(style="first"), base.mark_point(style="first", size=50, filled=True, opacity=1)]
    described = "; ".join(f"{row['label']}: {row['x']:.3f}, {row['y']:.3f}" for row in rows[:MOST_LABELS])
    return alt.layer(
        *layers,
        *([text] if len(rows) <= MOST_LABELS else []),
        width=options.width_or(SIZE),
        height=options.height_or(SIZE),
        description=f"{listed([first])} against {listed([second])} along {plural(len(rows), 'threshold')}: {described}",
    )
