"""The options of `agree` and `aggregate`, each declared once."""

from typing import Annotated, Any, Literal, TypedDict

from plumbline.options.option import MOST, Columns, Labels, Names, Option


class JudgementReadOptions(TypedDict, total=False):
    """How judgements of several assessors are read."""

    reader: Annotated[
        Literal["table", "matrix", "trec", "doccano", "labelstudio", "quepid"] | None,
        Option(help="Read files in this form instead of detecting it.", group="input"),
    ]
    columns: Annotated[
        Columns | None,
        Option(
            help="Which column holds what, such as assessor=worker,item=url,label=vote.",
            group="input",
            metavar="MEANING=COLUMN,...",
        ),
    ]
    levels: Annotated[
        Labels | None,
        Option(help="The labels from the lowest to the highest; they count as 0, 1, 2.", group="labels", metavar="A,B,..."),
    ]
    scale: Annotated[
        str | None,
        Option(
            help="The lowest and the highest grade, such as 0-3.",
            group="labels",
            metavar="LOW-HIGH",
            shown_default="the grades of the reference",
        ),
    ]
    out_of_scale: Annotated[
        Literal["error", "drop", "clip", "keep"],
        Option(help="What to do with grades outside the scale.", default="error", group="labels"),
    ]
    on_duplicate: Annotated[
        Literal["error", "first", "last", "mean"],
        Option(help="Which of two judgements of an item by one assessor counts.", default="error", group="policies"),
    ]
    repeats: Annotated[
        bool,
        Option(help="Count repeated judgements by one assessor as separate readings.", default=False, group="policies"),
    ]
    label_separator: Annotated[
        str | None,
        Option(help="Split a label into several at this text, e.g. '|'.", group="labels", metavar="TEXT"),
    ]
    max_bytes: Annotated[
        int | None,
        Option(help="Let compressed files unpack to this many bytes.", within=(1, None), group="input"),
    ]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]


class AgreeOptions(JudgementReadOptions, total=False):
    """The options of `agree`."""

    level: Annotated[
        Literal["nominal", "ordinal", "interval", "ratio", "sets"] | None,
        Option(help="The level of measurement of labels.", group="labels", shown_default="guessed from the labels"),
    ]
    weights: Annotated[
        Literal["identity", "linear", "quadratic", "ordinal", "ratio"] | None,
        Option(
            help="The credit of answers that are close, for all coefficients but alpha.",
            group="metrics",
            shown_default="quadratic for weighted kappa and AC2, none for others",
        ),
    ]
    distance: Annotated[
        Literal["masi", "jaccard"],
        Option(help="How far apart two sets of labels are.", default="masi", group="metrics"),
    ]
    coefficients: Annotated[
        Names | None,
        Option(
            help="Only these coefficients; may be repeated.",
            group="metrics",
            flag="--coefficient",
            metavar="NAME",
            shown_default="all that fit",
        ),
    ]
    reference: Annotated[
        str | None,
        Option(leading=True, help="The assessor that the others are compared with.", group="statistics", metavar="ASSESSOR"),
    ]
    cut: Annotated[
        float | None,
        Option(help="Compare only whether grades reach this one.", group="labels"),
    ]
    interval: Annotated[
        Literal["bootstrap", "analytic", "none"],
        Option(help="How intervals are made.", default="bootstrap", group="statistics"),
    ]
    over: Annotated[
        Literal["cases", "items"] | None,
        Option(
            help="The units of the intervals.", group="statistics", shown_default="cases if there are 20 or more, or else items"
        ),
    ]
    confidence: Annotated[
        float, Option(help="The confidence level of intervals.", default=0.95, group="statistics", within=(0.5, 0.999))
    ]
    resamples: Annotated[
        int, Option(help="How often cases or items are drawn.", default=1000, group="statistics", within=(10, MOST))
    ]
    made_by: Annotated[
        Names | None,
        Option(
            help="A system and the judge by the same maker, SYSTEM=JUDGE; may be repeated.",
            group="statistics",
            metavar="SYSTEM=JUDGE",
        ),
    ]
    top: Annotated[
        int,
        Option(
            help="How many of the best systems the tau of the top covers.", default=10, group="statistics", within=(2, None)
        ),
    ]
    estimate: Annotated[
        bool,
        Option(
            leading=True,
            help="Estimate scores by the reference from its few cases and the many cases of each judge.",
            default=False,
            group="statistics",
        ),
    ]
    strata: Annotated[
        Any,
        Option(
            help="The stratum of each case; the reference judged a random sample of each stratum.",
            group="statistics",
            metavar="FILE",
            is_data=True,
        ),
    ]
    rel: Annotated[
        float | None,
        Option(help="The grade from which an item is relevant, for metrics of systems.", group="policies", shown_default="1"),
    ]
    task: Annotated[
        Literal["ranking", "clustering", "organization"] | None,
        Option(help="Compare orders, groupings or organizations instead of labels.", group="input"),
    ]


class AggregateOptions(JudgementReadOptions, total=False):
    """The options of `aggregate`."""

    method: Annotated[
        Literal["majority", "mean", "median", "weighted", "dawid-skene", "one-coin", "glad", "mace"],
        Option(leading=True, help="How votes become one label.", default="majority", group="statistics"),
    ]
    gold: Annotated[
        Any,
        Option(help="Items whose label is known.", group="input", metavar="FILE", is_data=True),
    ]
    ties: Annotated[
        Literal["undecided", "first", "random", "lower", "higher"],
        Option(help="What an item with tied votes gets.", default="undecided", group="policies"),
    ]
    as_: Annotated[
        Literal["label", "expected"],
        Option(help="Whether the gold holds labels or expected grades.", default="label", group="output"),
    ]
    smooth: Annotated[
        float,
        Option(
            help="What to add to each count of a fit; 0 follows the papers.",
            default=0.01,
            group="statistics",
            within=(0, None),
        ),
    ]
    rounds: Annotated[
        int, Option(help="The largest number of rounds of a fit.", default=1000, group="statistics", within=(1, MOST))
    ]
    without: Annotated[
        Names | None,
        Option(
            leading=True,
            help="Repeat without these assessors, or those with a flag such as free-loader; may be repeated.",
            group="statistics",
            metavar="NAME",
        ),
    ]
    fast: Annotated[
        float | None,
        Option(
            help="Seconds below which an assessor is too fast.",
            group="statistics",
            within=(0, None),
            shown_default="a third of the median",
        ),
    ]
