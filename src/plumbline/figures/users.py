"""What real users do and prefer: what is drawn of it, and where a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.figures.figure import ReportSection
from plumbline.figures.judgements import result_needed
from plumbline.figures.parts import Chart, Row, inline_data, name_axis, row_height
from plumbline.lazily import alt

if TYPE_CHECKING:
    from plumbline.figures.figure import DrawOptions
    from plumbline.figures.subject import Subject

EXPERIMENT: Final = ReportSection(
    "experiment",
    98,
    "What did the variants change?",
    "An effect is believable if the arms have their planned sizes, and certain if its interval excludes 0.",
)
CLICKS: Final = ReportSection(
    "clicks",
    99,
    "What do clicks say?",
    "A click model separates what users looked at from what attracted them. One that predicts sessions it has not seen better "
    "than others is a better ground for judgements from clicks.",
)
INTERLEAVING: Final = ReportSection(
    "interleaving",
    101,
    "Which system do users prefer?",
    "Users saw the results of several systems in one list. A system wins a session if it gets more of the clicks.",
)
POLICY: Final = ReportSection(
    "policy",
    102,
    "What would the new policy have earned?",
    "Rewards of the log are weighted by how much more often the new policy would have done the same.",
)


def only_experiment(_: Subject, __: DrawOptions) -> str | None:
    """What `experiment` returned is needed."""
    return result_needed("experiment")


def only_clicks(_: Subject, __: DrawOptions) -> str | None:
    """What `clicks` returned is needed."""
    return result_needed("clicks")


def only_preferences(_: Subject, __: DrawOptions) -> str | None:
    """What `interleave --log` returned is needed."""
    return result_needed("interleave --log")


def only_policy(_: Subject, __: DrawOptions) -> str | None:
    """What `policy` returned is needed."""
    return result_needed("policy")


def forest(rows: list[Row], value: alt.X, low: alt.X, tooltip: list[alt.Tooltip], rule: float, size: tuple[int, int]) -> Chart:
    """A dot and a line for each row with `name, value, low, high, sure`, below each other; hollow dots are open questions."""
    y = alt.Y("name:N", scale=alt.Scale(domain=[row["name"] for row in rows]), axis=name_axis(title=None))
    base = alt.Chart(inline_data(rows)).encode(y=y, tooltip=tooltip)
    line = alt.Chart(inline_data([{"value": rule}])).mark_rule(style="ink", strokeDash=[3, 3]).encode(x=value)
    dots = [
        base.transform_filter(f"{'' if sure else '!'}datum.sure")
        .mark_point(filled=sure, size=60, opacity=1, style="first")
        .encode(x=value)
        for sure in (True, False)
    ]
    lines = base.mark_rule(style="first", strokeWidth=1.5).encode(x=low, x2=alt.X2("high:Q"))
    return alt.layer(line, lines, *dots, width=size[0], height=size[1])


def forest_height(rows: int) -> int:
    """The height of a forest of so many rows."""
    return row_height(max(rows, 2))
