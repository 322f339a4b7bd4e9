"""Which of two systems users prefer, pair by pair, with confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, Row, display_names, listed, number_fields, text_fields, with_properties
from plumbline.figures.users import INTERLEAVING, forest, forest_height, only_preferences
from plumbline.lazily import alt
from plumbline.truth.interleaving.result import Preferences

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 420
MOST: Final = 60
"""Pairs that are drawn."""


@figure(
    "preferences",
    title="Which system users prefer",
    caption="Wins minus losses of the first system of each pair as a share of the sessions with a click, with its confidence "
    f"interval. To the right of 0 users prefer the first one. Filled dots are shown after correction. At most {MOST} pairs "
    "are drawn.",
    needs=only_preferences,
    options=(),
    compare_options=(),
    report=InReport(INTERLEAVING, width=520),
    example="preferences.parquet",
    of=Preferences,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A dot and a line for each pair; the line at 0 is no preference."""
    result = subject.result
    assert isinstance(result, Preferences)
    table = result.table.head(MOST)
    names = display_names(f"{first} : {second}" for first, second in table.select("first", "second").iter_rows())
    rows: list[Row] = [
        {
            "name": names[f"{row['first']} : {row['second']}"],
            "value": row["preference"],
            "sure": row["corrected"] <= 1 - result.confidence,
            "p": row["corrected"],
            **{name: row[name] for name in ("low", "high", "wins", "losses", "ties")},
        }
        for row in table.iter_rows(named=True)
    ]
    title = "preference of the first"
    scale = alt.Scale(domain=[-1, 1])
    tooltip = [
        *text_fields("name"),
        *number_fields("value", "low", "high", form=".3f"),
        *number_fields("wins", "losses", "ties", form=",.0f"),
        *number_fields("p"),
    ]
    size = options.width_or(WIDTH), options.height_or(forest_height(len(rows)))
    chart = forest(
        rows, alt.X("value:Q", title=title, scale=scale), alt.X("low:Q", title=title, scale=scale), tooltip, 0.0, size
    )
    shown = sum(bool(row["sure"]) for row in rows)
    return with_properties(
        chart,
        description=f"Preference of users between {plural(len(rows), 'pair')} of systems with confidence intervals, "
        f"{shown} shown: {listed(str(row['name']) for row in rows)}",
    )
