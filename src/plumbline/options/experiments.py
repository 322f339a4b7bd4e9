"""The options of `experiment` and `plan_experiment`, each declared once."""

from typing import Annotated, Literal, TypedDict

from plumbline.options.option import MOST, Amount, Names, Option


class ExperimentOptions(TypedDict, total=False):
    """How an experiment with real users is analysed."""

    variant: Annotated[
        str | None,
        Option(
            help="The column that names the arm of a unit.", group="input", metavar="COLUMN", shown_default="variant, group"
        ),
    ]
    control: Annotated[
        str | None,
        Option(
            leading=True,
            help="The arm that the others are compared with.",
            group="input",
            metavar="ARM",
            shown_default="control, A or 0",
        ),
    ]
    unit: Annotated[
        str | None,
        Option(help="The column that names the units.", group="input", metavar="COLUMN", shown_default="unit, user, user_id"),
    ]
    share: Annotated[
        str | None,
        Option(
            help="The planned shares of the arms, such as 50:50 (the control first) or A=9,B=1.",
            group="statistics",
            metavar="SHARES",
            shown_default="equally",
        ),
    ]
    before: Annotated[
        Names | None,
        Option(
            leading=True,
            help="A column from before the start that predicts a metric (CUPED), or METRIC=COLUMN; may be repeated.",
            group="metrics",
            metavar="COLUMN",
        ),
    ]
    lower: Annotated[
        Names | None,
        Option(help="A metric that is better when lower; may be repeated.", group="metrics", metavar="METRIC"),
    ]
    margin: Annotated[
        Names | None,
        Option(
            leading=True,
            help="The smallest change that matters: 0.01, 2% of the control, or METRIC=0.01; may be repeated.",
            group="statistics",
            metavar="MARGIN",
        ),
    ]
    by: Annotated[
        Names | None,
        Option(
            leading=True,
            help="A column of segments, such as the country; may be repeated.",
            group="statistics",
            metavar="COLUMN",
        ),
    ]
    when: Annotated[
        str | None,
        Option(help="The column that says when a unit arrived, such as its day.", group="input", metavar="COLUMN"),
    ]
    paired: Annotated[
        str | None,
        Option(
            help="A column to pair the arms by, such as the day.",
            group="statistics",
            metavar="COLUMN",
        ),
    ]
    peek: Annotated[
        bool,
        Option(
            leading=True,
            help="Stay valid however often you look: intervals and p-values that hold at any time.",
            default=False,
            group="statistics",
        ),
    ]
    planned: Annotated[
        int | None,
        Option(
            help="The planned number of units in all arms.",
            group="statistics",
            within=(2, None),
            metavar="UNITS",
        ),
    ]
    mixture: Annotated[
        float | None,
        Option(
            help="With --peek: the size of effects to look for; it replaces the planned number of units.",
            group="statistics",
            within=(0, None),
            metavar="EFFECT",
        ),
    ]
    look: Annotated[
        str | None,
        Option(
            help="Which of how many planned looks this is, such as 2/5: bounds by O'Brien and Fleming.",
            group="statistics",
            metavar="LOOK/LOOKS",
        ),
    ]
    level: Annotated[float, Option(help="The significance level.", default=0.05, group="statistics", within=(0.0001, 0.5))]
    correction: Annotated[
        str,
        Option(
            help="How p is corrected for several metrics and arms.",
            default="holm",
            choices="plumbline.comparison.significance.catalogue:correction_names",
            group="statistics",
        ),
    ]
    proportions: Annotated[
        Literal["newcombe", "wald", "welch"],
        Option(help="The interval of a difference of two shares.", default="newcombe", group="statistics"),
    ]
    relative: Annotated[
        Literal["log", "fieller"],
        Option(help="The interval of a relative effect.", default="log", group="statistics"),
    ]
    accept_imbalance: Annotated[
        bool,
        Option(help="Give a verdict even if the arms have the wrong sizes.", default=False, group="policies"),
    ]
    on_duplicate: Annotated[
        Literal["error", "drop", "sum"],
        Option(
            help="Units with several rows: drop those that are in two arms, or sum the rows of each unit.",
            default="error",
            group="policies",
        ),
    ]
    resamples: Annotated[
        int,
        Option(
            help="How often units are drawn, for intervals of quantiles.",
            default=10_000,
            group="statistics",
            within=(100, MOST),
        ),
    ]
    seed: Annotated[int, Option(help="The seed of the draws.", default=0, group="statistics", within=(0, 2**32 - 1))]


class PlanOptions(TypedDict, total=False):
    """How large an experiment has to be."""

    baseline: Annotated[
        float | None,
        Option(help="The current value of the metric; a share unless a deviation is given.", group="metrics", metavar="VALUE"),
    ]
    deviation: Annotated[
        float | None,
        Option(help="The standard deviation of the metric over units.", group="metrics", within=(0, None), metavar="NUMBER"),
    ]
    detect: Annotated[
        Amount | None,
        Option(help="The change to detect: 0.01, or 5% of the baseline.", group="statistics", metavar="CHANGE"),
    ]
    units: Annotated[
        int | None,
        Option(
            help="The number of units in all arms, to learn what change they can detect.", group="statistics", within=(4, None)
        ),
    ]
    power: Annotated[
        float | None,
        Option(help="The probability of detecting the change.", group="statistics", within=(0.01, 0.9999), shown_default="0.8"),
    ]
    arms: Annotated[int, Option(help="How many arms there are.", default=2, group="statistics", within=(2, 100))]
    share: Annotated[
        str | None,
        Option(
            help="How units are shared among the arms, such as 90:10, the control first.",
            group="statistics",
            metavar="SHARES",
            shown_default="equally",
        ),
    ]
    cluster_size: Annotated[
        float | None,
        Option(help="The mean number of units in a cluster that shares an arm.", group="statistics", within=(1, None)),
    ]
    icc: Annotated[
        float | None,
        Option(help="How alike units of a cluster are: their intraclass correlation.", group="statistics", within=(0, 1)),
    ]
    level: Annotated[float, Option(help="The significance level.", default=0.05, group="statistics", within=(0.0001, 0.5))]
    before: Annotated[
        Names | None,
        Option(
            leading=True,
            help="With a table: a column from before the start that predicts the metric.",
            group="metrics",
            metavar="COLUMN",
        ),
    ]
