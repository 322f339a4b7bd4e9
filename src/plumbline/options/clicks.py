"""The options of `clicks` and `simulate_clicks`, each declared once."""

from typing import Annotated, Any, Final, Literal, TypedDict

from plumbline.options.option import MOST, Columns, Names, Option

ALL: Final = "all"
MODELS: Final = ("ctr", "rank-ctr", "item-ctr", "cascade", "dcm", "sdbn", "pbm", "ubm", "ccm", "dbn")
"""The names of click models, in the order in which tables name them."""


class ClicksOptions(TypedDict, total=False):
    """How a click log is read, what is fitted to it, and what is held out."""

    model: Annotated[
        Names | None,
        Option(
            leading=True,
            help=f"A click model: {', '.join(MODELS[:-1])} or {MODELS[-1]}; or {ALL}. May be repeated.",
            group="metrics",
            metavar="NAME",
            shown_default="all",
        ),
    ]
    columns: Annotated[
        Columns | None,
        Option(
            help="Which column holds what, such as session=search_id,position=rank,clicked=click.",
            group="input",
            metavar="MEANING=COLUMN,...",
        ),
    ]
    positions_from: Annotated[int, Option(help="The position of the first item.", default=1, group="input", within=(0, 1))]
    max_bytes: Annotated[
        int | None,
        Option(help="Let compressed files unpack to this many bytes.", within=(1, None), group="input"),
    ]
    test: Annotated[
        Any,
        Option(help="A log to hold out, instead of a part of the first one.", group="input", metavar="FILE", is_data=True),
    ]
    split: Annotated[
        Literal["time", "session"],
        Option(help="Hold out the latest sessions, or sessions drawn at random.", default="time", group="statistics"),
    ]
    hold_out: Annotated[
        float,
        Option(
            help="The share of sessions to hold out; 0 scores models on the sessions that they were fitted to.",
            default=0.25,
            group="statistics",
            within=(0, 0.9),
            metavar="SHARE",
        ),
    ]
    prior: Annotated[
        float,
        Option(
            help="How many successes, and as many failures, to add to the counts of every probability.",
            default=1.0,
            group="statistics",
            within=(0, None),
        ),
    ]
    rounds: Annotated[
        int, Option(help="The largest number of rounds of a fit.", default=1000, group="statistics", within=(1, MOST))
    ]
    gamma: Annotated[
        float | None,
        Option(
            help="The persistence of the model dbn, if it is known.", group="statistics", within=(0, 1), shown_default="fitted"
        ),
    ]
    fit: Annotated[
        Literal["counted", "exact"],
        Option(
            help="Fit dcm and sdbn by counting, as they were published, or exactly, by maximum likelihood.",
            default="counted",
            group="statistics",
        ),
    ]
    no_click: Annotated[
        Literal["examined", "skip"],
        Option(
            help="Whether dcm and sdbn, if counted, treat a list without clicks as read to its end, or leave it out.",
            default="examined",
            group="policies",
        ),
    ]
    confidence: Annotated[
        float, Option(help="The confidence level of intervals.", default=0.95, group="statistics", within=(0.5, 0.999))
    ]
    cautious: Annotated[
        bool,
        Option(help="Grade items by the lower limit of their interval.", default=False, group="output"),
    ]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]


class SimulateClicksOptions(TypedDict, total=False):
    """Who clicks, and how often."""

    model: Annotated[
        Names | None,
        Option(
            leading=True,
            help="The click model of the users.",
            group="metrics",
            metavar="NAME",
            shown_default="sdbn",
        ),
    ]
    sessions: Annotated[int, Option(help="How many sessions to draw.", default=1000, group="statistics", within=(1, 10**7))]
    depth: Annotated[int, Option(help="How many items of a list are shown.", default=10, group="policies", within=(1, 1000))]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]
