"""The options of `pool` and `inspect_pool`, each declared once."""

from typing import Annotated, Any, Final, TypedDict

from plumbline.options.evaluation import Duplicates, EvaluateOptions, ReadOptions
from plumbline.options.option import Names, Option

TABLES: Final = ("bounds", "ranges", "thinned", "condensed")
"""What `inspect_pool` works out on request."""


class MakeOptions(TypedDict, total=False):
    """What goes into a pool, and in which order it is judged."""

    depth: Annotated[
        int | None,
        Option(
            leading=True,
            help="Pool the first items of each list.",
            group="input",
            within=(1, 2**31 - 1),
            shown_default="all items",
        ),
    ]
    method: Annotated[
        Names | None,
        Option(
            leading=True,
            help="The order of judging: rrf, depth, borda, move-to-front, bandit or hedge; several can be replayed.",
            group="statistics",
            metavar="NAME",
            shown_default="rrf",
        ),
    ]
    budget: Annotated[
        int | None,
        Option(
            leading=True,
            help="How many items to judge, over all cases.",
            group="statistics",
            within=(1, None),
            shown_default="all",
        ),
    ]
    per_case: Annotated[
        int | None,
        Option(help="How many items to judge in each case.", group="statistics", within=(1, None), shown_default="all"),
    ]
    strata: Annotated[
        str | None,
        Option(
            help="Draw at random from strata of ranks, such as '1-10:1 11-50:0.3'.",
            group="statistics",
            metavar="RANKS:SHARE...",
        ),
    ]
    judged: Annotated[
        Any,
        Option(
            leading=True,
            help="What has been judged so far; the pool is what comes next.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    simulate: Annotated[
        Any,
        Option(
            leading=True,
            help="Replay the judging with this gold, to see how soon relevant items are found.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    forget: Annotated[
        float,
        Option(
            help="The share of what it knows that a bandit forgets after each judgement.",
            default=0.0,
            group="statistics",
            within=(0, 1),
        ),
    ]
    stop: Annotated[
        Names | None,
        Option(help="When a case is done: quiet:N, knee, or target:RECALL.", group="statistics", metavar="RULE"),
    ]
    judged_only: Annotated[
        bool,
        Option(
            help="With a gold to replay: leave out items that it has not judged, before lists are cut.",
            default=False,
            group="input",
        ),
    ]
    rel: Annotated[float, Option(help="The grade from which an item is relevant.", default=1.0, group="policies")]
    on_duplicate: Annotated[Duplicates | None, Option(help="Which copy of a repeated item to keep.", amounts_to="error")]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, within=(0, None))]


class PoolOptions(MakeOptions, ReadOptions, total=False):
    """The options of `pool`."""


class TrustOptions(TypedDict, total=False):
    """The options of `inspect_pool` beside those of `evaluate`."""

    teams: Annotated[
        Any,
        Option(
            leading=True,
            help="The team of each system: columns system,team.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    contributing: Annotated[
        Names | None,
        Option(
            help="The systems whose items were pooled.", group="input", metavar="SYSTEM", shown_default="all that are given"
        ),
    ]

    show: Annotated[
        Names | None,
        Option(
            help="Also compute this table: bounds, ranges, thinned or condensed; may be repeated.",
            group="output",
            metavar="TABLE",
        ),
    ]


class InspectOptions(TrustOptions, EvaluateOptions, total=False):
    """All options of `inspect_pool`."""


class JudgeOptions(TypedDict, total=False):
    """The options of `judge`."""

    topics: Annotated[
        Any,
        Option(help="What each case is about: case and text.", group="input", metavar="FILE", is_data=True),
    ]
    grades: Annotated[
        str,
        Option(
            help="The grades with a word for each.",
            default="0 not relevant,1 relevant",
            group="input",
            metavar="GRADES",
        ),
    ]
    known: Annotated[
        Any,
        Option(help="Items whose grades are known, mixed in unmarked.", group="input", metavar="FILE", is_data=True),
    ]
    title: Annotated[str | None, Option(help="The title of the page.", group="output", metavar="TEXT")]
    max_page: Annotated[
        int,
        Option(
            help="The size in bytes above which every case has a page of its own.",
            default=20 * 2**20,
            group="output",
            within=(1, None),
        ),
    ]
    seed: Annotated[int, Option(help="The seed for placing known items.", default=0, within=(0, None))]
