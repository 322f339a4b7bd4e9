"""The options of `compare` that say how systems are compared, each declared once."""

from typing import Annotated, Any, Literal, TypedDict

from plumbline.options.option import MOST, Amount, Names, Option


class FoldOptions(TypedDict, total=False):
    """Folds, of outputs or of scores."""

    folds: Annotated[
        Any,
        Option(
            help="Folds are the units: a file that `split` wrote, or a column of the outputs or scores with their names.",
            group="statistics",
            metavar="FOLDS",
            is_data=True,
        ),
    ]


class StatisticsOptions(FoldOptions, total=False):
    """How systems are compared."""

    baseline: Annotated[
        str | None, Option(leading=True, help="Compare with this system only.", group="statistics", metavar="SYSTEM")
    ]
    primary: Annotated[
        str | None,
        Option(
            leading=True,
            help="The metric that decides and orders the table; the others are corrected separately.",
            group="statistics",
            metavar="METRIC",
            shown_default="the first metric orders the table, and all count alike",
        ),
    ]
    margin: Annotated[
        Amount | None,
        Option(
            leading=True,
            help="The largest difference that does not matter, such as 0.01, or 2% of the mean.",
            group="statistics",
            metavar="NUMBER",
        ),
    ]
    rule: Annotated[
        Literal["significant", "unanimous"],
        Option(
            help="When a system is called better: by significance (by a metric, worse by none), or by the UIR paper's rule.",
            default="significant",
            group="statistics",
        ),
    ]
    alpha: Annotated[
        float | None,
        Option(
            help="Combine two metrics into one score, with this weight of the first.",
            group="statistics",
            within=(0, 1),
            shown_default="each metric is compared by itself",
        ),
    ]
    mean: Annotated[
        Literal["harmonic", "geometric", "arithmetic"] | None,
        Option(
            help="Combine the metrics by this mean.", group="statistics", shown_default="F, the harmonic mean, for weightings"
        ),
    ]
    uir_threshold: Annotated[
        float,
        Option(
            help="The Unanimous Improvement Ratio from which an improvement is called unanimous.",
            default=0.25,
            group="statistics",
            within=(0, 1),
            renamed_from=("threshold",),
        ),
    ]
    test: Annotated[
        str,
        Option(
            leading=True,
            help="The significance test.",
            default="randomization",
            group="statistics",
            choices="plumbline.comparison.significance.catalogue:test_names",
        ),
    ]
    correction: Annotated[
        str,
        Option(
            help="The correction for testing many pairs by several metrics.",
            default="holm",
            group="statistics",
            choices="plumbline.comparison.significance.catalogue:correction_names",
        ),
    ]
    level: Annotated[
        float, Option(help="A difference is significant below this p.", default=0.05, group="statistics", within=(0, 1))
    ]
    lower: Annotated[
        Names, Option(help="A metric of the table that is better when lower.", default=(), group="statistics", metavar="METRIC")
    ]
    units: Annotated[
        Any,
        Option(
            help="Test item by item: a column of the gold whose items belong together, such as user_id; or `items`.",
            group="statistics",
            metavar="COLUMN",
            shown_default="cases; items where there are too few cases",
            is_data=True,
        ),
    ]
    runs: Annotated[
        str | None,
        Option(
            help="A column of the scores, such as seed, that tells repeated runs of a system apart.",
            group="statistics",
            metavar="COLUMN",
        ),
    ]
    test_share: Annotated[
        float | None,
        Option(
            help="The share of the items that each fold tests, in a table of scores.",
            group="statistics",
            within=(0, 1),
            metavar="SHARE",
            shown_default="1 / the number of folds",
        ),
    ]
    stratified: Annotated[
        bool,
        Option(help="Draws of items keep the number of items of each class.", default=False, group="statistics"),
    ]
    eps: Annotated[
        float,
        Option(help="Differences up to this count as equal in UIR.", default=0.0, group="statistics", within=(0, None)),
    ]
    resamples: Annotated[
        int | None,
        Option(
            help="How often a test draws at random.",
            group="statistics",
            within=(1, MOST),
            shown_default="as often as the correction needs",
        ),
    ]
