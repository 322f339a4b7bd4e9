"""What a new policy would have earned, by every estimate, beside what was logged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from plumbline.errors.base import plural
from plumbline.figures.figure import DrawOptions, InReport, figure
from plumbline.figures.parts import Chart, Row, listed, number_fields, text_fields, with_properties
from plumbline.figures.users import POLICY, forest, forest_height, only_policy
from plumbline.lazily import alt
from plumbline.truth.policies.result import PolicyValue

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject

WIDTH: Final = 420


@figure(
    "policy_estimates",
    title="What a new policy would have earned",
    caption="Every estimate with its confidence interval; the dashed line is what was logged. Filled dots differ from it by "
    "more than the interval of the difference. Estimates that rest on too few observations are left out.",
    needs=only_policy,
    options=(),
    compare_options=(),
    report=InReport(POLICY, width=520),
    example="policy.parquet",
    systems_named=0,
    of=PolicyValue,
)
def draw(subject: Subject, options: DrawOptions) -> Chart:
    """A dot and a line for each estimate that was made."""
    result = subject.result
    assert isinstance(result, PolicyValue)
    rows: list[Row] = [
        {
            "name": row["estimator"],
            "value": row["value"],
            "sure": row["difference_low"] > 0 or row["difference_high"] < 0,
            **{name: row[name] for name in ("low", "high", "difference", "effective")},
        }
        for row in result.table.drop_nulls("value").iter_rows(named=True)
    ]
    title = "reward per action" if result.form == "action" else "reward per list"
    scale = alt.Scale(zero=False, padding=12)
    tooltip = [
        *text_fields("name"),
        *number_fields("value", "low", "high", "difference", form=".4f"),
        *number_fields("effective", form=",.0f"),
    ]
    size = options.width_or(WIDTH), options.height_or(forest_height(len(rows)))
    chart = forest(
        rows,
        alt.X("value:Q", title=title, scale=scale),
        alt.X("low:Q", title=title, scale=scale),
        tooltip,
        result.logged,
        size,
    )
    return with_properties(
        chart,
        description=f"{plural(len(rows), 'estimate')} of what the new policy would have earned, with intervals, beside "
        f"{result.logged:.4g} that was logged: {listed(str(row['name']) for row in rows)}",
    )
