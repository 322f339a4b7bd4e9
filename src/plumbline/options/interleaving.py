"""The options of `interleave`, `analyse_interleaving` and `audit_interleaving`, each declared once."""

from typing import Annotated, Any, Literal, TypedDict

from plumbline.options.evaluation import Duplicates, ReadOptions
from plumbline.options.option import MOST, Columns, Names, Option

Method = Literal["team-draft", "balanced", "probabilistic", "optimized", "pairwise"]


class MethodOptions(TypedDict, total=False):
    """How rankings become one list."""

    method: Annotated[
        Method,
        Option(help="How the lists were or are interleaved.", default="team-draft", group="statistics"),
    ]
    softness: Annotated[
        float,
        Option(
            help="How strongly a probabilistic ranker prefers its first items: an item weighs 1/rank to this power.",
            default=3.0,
            group="statistics",
            within=(0, 50),
        ),
    ]


class ListOptions(MethodOptions, total=False):
    """What is interleaved, and how many lists are made."""

    length: Annotated[int, Option(help="How many items a list shows.", default=10, group="input", within=(1, 1000))]
    depth: Annotated[
        int | None,
        Option(
            help="How many items of each ranking take part.", group="input", within=(1, 2**31 - 1), shown_default="the length"
        ),
    ]
    lists_per_case: Annotated[
        int, Option(help="How many lists are drawn for each case.", default=1, group="statistics", within=(1, MOST))
    ]
    on_duplicate: Annotated[Duplicates | None, Option(help="Which copy of a repeated item to keep.", amounts_to="error")]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]


class InterleaveOptions(ListOptions, ReadOptions, total=False):
    """All options of `interleave`."""


class LogOptions(TypedDict, total=False):
    """How clicks on interleaved lists are read, and what they count."""

    lists: Annotated[
        Any,
        Option(
            help="The lists that were shown, as interleave wrote them: their teams.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    log_columns: Annotated[
        Columns | None,
        Option(
            help="Which column of the log holds what, such as session=search,team=ranker.",
            group="input",
            metavar="MEANING=COLUMN,...",
        ),
    ]
    actions: Annotated[
        Names | None,
        Option(
            help="The events that count as clicks; may be repeated.",
            group="input",
            flag="--action",
            metavar="NAME",
            shown_default="click",
        ),
    ]
    positions_from: Annotated[
        int, Option(help="The number of the first position in the log.", default=1, group="input", within=(0, 1))
    ]
    credit: Annotated[
        Literal["clicks", "first", "last", "weighted", "satisfied"],
        Option(help="Which clicks count, and how much.", default="clicks", group="metrics"),
    ]
    satisfied_after: Annotated[
        float,
        Option(
            help="Seconds on an item from which a click counts as satisfied.", default=30.0, group="metrics", within=(0, None)
        ),
    ]
    over: Annotated[
        Literal["users", "sessions"] | None,
        Option(help="The units of the interval and the test.", group="statistics", shown_default="users if the log has them"),
    ]
    confidence: Annotated[
        float, Option(help="The confidence level of intervals.", default=0.95, group="statistics", within=(0.5, 0.999))
    ]
    resamples: Annotated[
        int, Option(help="How often users or sessions are drawn.", default=10_000, group="statistics", within=(10, MOST))
    ]


class AnalyseOptions(LogOptions, InterleaveOptions, total=False):
    """All options of `analyse_interleaving`."""


class AuditInterleavingOptions(TypedDict, total=False):
    """The options of `audit_interleaving`."""

    items: Annotated[
        int,
        Option(help="Try all pairs of rankings of up to this many items.", default=4, group="statistics", within=(2, 5)),
    ]
    softness: Annotated[
        int,
        Option(
            help="How strongly a probabilistic ranker prefers its first items: an item weighs 1/rank to this power.",
            default=3,
            group="statistics",
            within=(0, 50),
        ),
    ]
