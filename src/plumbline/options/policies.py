"""The options of `policy_value`, each declared once."""

from typing import Annotated, Any, Literal, TypedDict

from plumbline.options.option import MOST, Columns, Names, Option


class PolicyValueOptions(TypedDict, total=False):
    """How a log is read, and how the value of another policy is estimated from it."""

    policy: Annotated[
        Any,
        Option(
            leading=True,
            help="The probability of each action under the new policy: a table, 'uniform', or a run with --weigh position.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    predictions: Annotated[
        Any,
        Option(
            leading=True,
            help="The reward that a model predicts for each action, for the doubly robust estimate.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    examination: Annotated[
        Any,
        Option(
            help="The probability that each position is looked at, with --weigh position: position and examination.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    log_columns: Annotated[
        Columns | None,
        Option(
            help="Which column of the log holds what, such as reward=revenue,propensity=pscore.",
            group="input",
            metavar="MEANING=COLUMN,...",
        ),
    ]
    weigh: Annotated[
        Literal["action", "list", "item", "cascade", "position"],
        Option(
            leading=True,
            help="What is weighed: single actions, whole lists, items by position, lists from the top, or positions alone.",
            default="action",
            group="statistics",
        ),
    ]
    estimators: Annotated[
        Names | None,
        Option(
            help="Only these estimates: ips, snips, clipped, direct or dr; may be repeated.",
            group="statistics",
            flag="--estimator",
            metavar="NAME",
            shown_default="all that the data allow",
        ),
    ]
    clip: Annotated[
        float, Option(help="The largest weight of the clipped estimate.", default=10.0, group="statistics", within=(0, None))
    ]
    least: Annotated[
        float,
        Option(
            help="The effective sample size below which an estimate is refused.",
            default=30.0,
            group="statistics",
            within=(0, None),
        ),
    ]
    positions_from: Annotated[
        int, Option(help="The number of the first position in the log.", default=1, group="input", within=(0, 1))
    ]
    confidence: Annotated[
        float, Option(help="The confidence level of intervals.", default=0.95, group="statistics", within=(0.5, 0.999))
    ]
    resamples: Annotated[int, Option(help="How often sessions are drawn.", default=2000, group="statistics", within=(10, MOST))]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]
