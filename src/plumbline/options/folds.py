"""The options of `split`, `check_folds` and `learning`, each declared once."""

from typing import Annotated, Final, Literal, TypedDict

from plumbline.options.option import Names, Option

MOST_SPLITS: Final = 100_000
"""How often items may be split anew: each time makes a row for every item."""


class ColumnOptions(TypedDict, total=False):
    """Columns of the table of items that folds have to respect."""

    item: Annotated[
        str | None,
        Option(help="The column that names the items.", group="input", metavar="COLUMN", shown_default="id, item or the row"),
    ]
    stratify: Annotated[
        str | None,
        Option(
            leading=True, help="A column of classes: every fold gets the same share of each.", group="input", metavar="COLUMN"
        ),
    ]
    group: Annotated[
        str | None,
        Option(
            leading=True,
            help="A column of groups, such as users: no group is in two folds.",
            group="input",
            metavar="COLUMN",
        ),
    ]
    time: Annotated[
        str | None,
        Option(
            leading=True, help="A column of dates or numbers: only the past is trained on.", group="input", metavar="COLUMN"
        ),
    ]


class SplitOptions(ColumnOptions, total=False):
    """How items are split."""

    folds: Annotated[
        int | None, Option(leading=True, help="The number of folds.", group="statistics", within=(2, None), shown_default="10")
    ]
    repeats: Annotated[
        int | None,
        Option(
            leading=True,
            help="How many times to split, each time with new draws.",
            group="statistics",
            within=(1, MOST_SPLITS),
            shown_default="1",
        ),
    ]
    hold_out: Annotated[
        float | None,
        Option(leading=True, help="Test on this share of the items, once.", group="statistics", within=(0, 1), metavar="SHARE"),
    ]
    leave_out: Annotated[
        int | None,
        Option(help="Test on every set of this many items; 1 is leave-one-out.", group="statistics", within=(1, None)),
    ]
    leave_group_out: Annotated[bool, Option(help="Test on every group, one at a time.", default=False, group="statistics")]
    bootstrap: Annotated[
        int | None,
        Option(
            help="How many times to draw training items with replacement; the others are for testing.",
            group="statistics",
            within=(1, MOST_SPLITS),
        ),
    ]
    nested: Annotated[
        int | None,
        Option(help="Split each training part again into this many folds, to tune on.", group="statistics", within=(2, None)),
    ]
    gap: Annotated[
        str | float | None,
        Option(
            help="With a time: leave out this much before each test, such as 7d, 12h or a number.",
            group="statistics",
            metavar="DURATION",
        ),
    ]
    label_separator: Annotated[
        str | None,
        Option(help="What separates the labels of an item that has several.", group="input", metavar="TEXT"),
    ]
    as_: Annotated[
        Literal["sklearn"] | None,
        Option(help="Exactly the folds of scikit-learn for this seed.", group="statistics", flag="--as"),
    ]
    seed: Annotated[int, Option(help="The seed of the draws.", default=0, group="statistics", within=(0, 2**32 - 1))]


class CheckFoldsOptions(ColumnOptions, total=False):
    """What could leak from a training part into a test."""

    text: Annotated[
        str | None,
        Option(
            help="A column of texts: the same or nearly the same text on both sides is a leak.",
            group="input",
            metavar="COLUMN",
        ),
    ]
    similar: Annotated[
        float,
        Option(
            help="The share of common word triples from which texts count as nearly the same.",
            default=0.9,
            group="statistics",
            within=(0.5, 1),
        ),
    ]


class LearningOptions(TypedDict, total=False):
    """How learning curves are made."""

    sizes: Annotated[
        str,
        Option(
            leading=True,
            help="The column with the number of labels that each score took.",
            default="size",
            group="input",
            metavar="COLUMN",
        ),
    ]
    runs: Annotated[
        str | None,
        Option(help="A column, such as fold or seed, that tells repetitions of a size apart.", group="input", metavar="COLUMN"),
    ]
    lower: Annotated[
        Names, Option(help="A metric of the table that is better when lower.", default=(), group="statistics", metavar="METRIC")
    ]
    target: Annotated[
        float | None,
        Option(
            leading=True, help="Also say how many labels it takes to reach this score.", group="statistics", metavar="SCORE"
        ),
    ]
    seed: Annotated[int, Option(help="The seed of the draws.", default=0, group="statistics", within=(0, 2**32 - 1))]
