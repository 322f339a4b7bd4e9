"""The options of `evaluate`, `compare`, `report`, `audit` and the tools around them, each declared once.

They are read at run time, so annotations are not kept as text here.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypedDict

from plumbline.options.option import MOST, Columns, Label, Labels, Names, Option
from plumbline.options.statistics import FoldOptions, StatisticsOptions

Ties = Literal["id", "average", "best", "worst", "levels"]
Duplicates = Literal["error", "first", "last", "best"]
Missing = Literal["worst", "skip", "error"]
MissingItems = Literal["negative", "wrong", "singleton", "one-cluster", "drop", "absent", "one-sided", "error"]
Undefined = Literal["skip", "zero", "one", "error"]
Scheme = Literal["lenient", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"]
Values = Literal["exact", "normalised"]
Annotations = Literal["spans", "attributes", "relations"]

LABELLED: Final = ("filtering", "classification", "clustering")
ORDERED: Final = ("ranking", "organization")

READERS: Final = "plumbline.io.catalogue:reader_names"
TASKS: Final = "plumbline.tasks:task_names"
KINDS: Final = "plumbline.audits.kinds:named_kinds"


class TaskOptions(TypedDict, total=False):
    """What kind of output is looked at."""

    task: Annotated[
        str | None,
        Option(
            leading=True,
            help="The task: what kind of output this is.",
            group="input",
            choices=TASKS,
            shown_default="the task of the metrics; filtering with a positive label or a threshold; as the gold shows; ranking",
            recorded=False,
        ),
    ]


class ReadOptions(TypedDict, total=False):
    """How files are read."""

    reader: Annotated[
        str | None, Option(help="Read files in this format instead of detecting it.", group="input", choices=READERS)
    ]
    gold_reader: Annotated[
        str | None, Option(help="The format of the gold only.", group="input", choices=READERS, metavar="READER")
    ]
    output_reader: Annotated[
        str | None, Option(help="The format of the outputs only.", group="input", choices=READERS, metavar="READER")
    ]
    order: Annotated[
        Literal["score", "rank", "file"],
        Option(help="What orders the items of a list.", default="score", tasks=ORDERED, group="input"),
    ]
    tag: Annotated[
        str | None, Option(help="Read only the rows with this run tag; `any` reads all of them as one run.", group="input")
    ]
    columns: Annotated[
        Columns | None,
        Option(
            help="Which column holds what, such as case=user_id,item=asin,score=proba.",
            group="input",
            metavar="MEANING=COLUMN,...",
        ),
    ]
    scheme: Annotated[
        Scheme,
        Option(
            help="How tags of tokens mark spans; lenient reads any scheme.",
            default="lenient",
            tasks=("extraction",),
            group="input",
        ),
    ]
    values: Annotated[
        Values,
        Option(
            help="How values of fields and ends of relations are compared; normalised ones ignore case, "
            "and how numbers and dates are written.",
            default="exact",
            tasks=("extraction",),
            group="input",
        ),
    ]
    annotations: Annotated[
        Annotations,
        Option(
            help="What to score in brat, PubTator and BioC files: spans, their attributes, or relations between them.",
            default="spans",
            tasks=("extraction",),
            group="input",
        ),
    ]
    max_bytes: Annotated[
        int | None,
        Option(help="Let compressed files unpack to this many bytes.", within=(1, None), group="input"),
    ]


class LabelOptions(TypedDict, total=False):
    """What labels mean."""

    positive: Annotated[
        Labels | None,
        Option(
            leading=True,
            help="The label of the positive class; may be repeated.",
            tasks=("filtering",),
            group="labels",
            metavar="LABEL",
        ),
    ]
    threshold: Annotated[
        float | None,
        Option(help="The score from which an item counts as positive.", tasks=("filtering",), group="labels"),
    ]
    classes: Annotated[
        Labels | None,
        Option(help="The classes, in their order.", tasks=("classification",), group="labels", metavar="A,B,..."),
    ]
    multilabel: Annotated[
        bool,
        Option(help="Items may have several labels, one per row.", default=False, tasks=("classification",), group="labels"),
    ]
    label_separator: Annotated[
        str | None,
        Option(
            help="Split a label into several at this text, e.g. '|'.",
            tasks=("classification", "clustering"),
            group="labels",
            metavar="TEXT",
        ),
    ]
    hierarchy: Annotated[
        str | None,
        Option(
            help="Class names are paths with this text between the parts, e.g. '/': an item in a/b is in a too.",
            tasks=("classification",),
            group="labels",
            metavar="TEXT",
        ),
    ]
    missing_items: Annotated[
        MissingItems | None,
        Option(
            help="How to count an item without an answer.",
            tasks=LABELLED,
            group="labels",
            shown_default="negative; for classifiers wrong, for clusters singleton, for coreference one-sided",
        ),
    ]
    noise: Annotated[
        Label | None,
        Option(
            help="The label of items outside every cluster; each becomes a cluster of its own.",
            tasks=("clustering",),
            group="labels",
            metavar="LABEL",
        ),
    ]


class ItemOptions(TypedDict, total=False):
    """What is known about the items themselves."""

    features: Annotated[
        Any,
        Option(
            help="A row of numbers for each item: an item column and numbers, vectors, or a matrix in the gold's order.",
            tasks=("clustering",),
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    distances: Annotated[
        Any,
        Option(
            help="A square table of distances between items.",
            tasks=("clustering",),
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]
    lengths: Annotated[
        Any,
        Option(
            help="How many words each item has, for discount=time: columns item,length.",
            group="input",
            metavar="FILE",
            is_data=True,
        ),
    ]


class PolicyOptions(TypedDict, total=False):
    """How edge cases are treated."""

    as_: Annotated[
        Literal["trec_eval", "trec_eval9"] | None,
        Option(leading=True, help="Follow the conventions of another tool.", recorded=False),
    ]
    rel: Annotated[
        float | None,
        Option(
            help="The grade from which an item is relevant, for metrics that set none.",
            tasks=("ranking", "filtering"),
            shown_default="1",
        ),
    ]
    ties: Annotated[
        Ties | None,
        Option(help="How equal scores are ordered.", tasks=("ranking",), amounts_to="id", shown_default="id, descending"),
    ]
    on_duplicate: Annotated[
        Duplicates | None,
        Option(
            help="Which copy of a repeated item to keep.",
            tasks=("ranking", "filtering", "classification"),
            amounts_to="error",
        ),
    ]
    missing: Annotated[
        Missing | None,
        Option(help="How to count a case that a system lacks.", amounts_to="worst"),
    ]
    undefined: Annotated[
        Undefined | None,
        Option(help="How to count an undefined value.", amounts_to="skip"),
    ]
    depth: Annotated[
        int | None,
        Option(help="Look only at the first items of each list.", tasks=("ranking",), within=(1, 2**31 - 1)),
    ]
    judged_only: Annotated[
        bool | None,
        Option(
            help="Drop unjudged items before ranking.", tasks=("ranking",), amounts_to=False, flag="--judged-only/--all-items"
        ),
    ]
    single_precision: Annotated[
        bool | None,
        Option(
            help="Compare scores as 32-bit floats, as trec_eval 9 does.",
            tasks=("ranking",),
            amounts_to=False,
            on_command_line=False,
        ),
    ]
    pooled: Annotated[
        bool,
        Option(
            help="Count the spans of all documents together, not document by document.", default=False, tasks=("extraction",)
        ),
    ]
    seed: Annotated[int, Option(help="The seed of all random draws.", default=0)]


class OutputOptions(LabelOptions, ItemOptions, PolicyOptions, ReadOptions, total=False):
    """How gold and outputs are read and aligned: the options of `losses`, `sweep`, `confusion`, `check` and `internal`."""


class WhyOptions(TaskOptions, OutputOptions, total=False):
    """The options of `why` beside the case, the system and the item."""


class EvaluateOptions(TaskOptions, OutputOptions, FoldOptions, total=False):
    """The options of `evaluate`."""

    names: Annotated[
        Literal["file", "tag"],
        Option(help="Name systems after their file or their run tag.", default="file", group="input"),
    ]
    floor: Annotated[
        bool,
        Option(
            help="Add outputs that ignore the gold, and mark scores that beat them all.",
            default=False,
            tasks=(*LABELLED, "extraction"),
            group="metrics",
        ),
    ]
    floor_rate: Annotated[
        float | None,
        Option(
            help="How often the random filter of the floor accepts an item.",
            tasks=("filtering",),
            group="metrics",
            within=(0, 1),
            shown_default="0.5",
        ),
    ]
    zscores: Annotated[
        Any,
        Option(
            help="Standardise by the means and deviations of other systems, in lines of case, metric, mean, std.",
            group="metrics",
            metavar="FILE",
            is_data=True,
        ),
    ]
    watch: Annotated[
        Callable[..., Any] | None,
        Option(
            help="Wraps the outputs as they are read, for a progress bar.",
            group="output",
            on_command_line=False,
            recorded=False,
        ),
    ]


class CompareOptions(StatisticsOptions, total=False):
    """The options of `compare` with scores."""

    seed: Annotated[int, Option(help="The seed of all random draws.", default=0, group="statistics", within=(0, None))]


class CompareSystemsOptions(StatisticsOptions, EvaluateOptions, total=False):
    """The options of `compare` with a gold and systems: how they are compared, and how they are evaluated."""


class StudyOptions(TypedDict, total=False):
    """The options of `meta` beside those of `evaluate`."""

    against: Annotated[
        Names | None,
        Option(help="The metrics that strictness uses.", group="statistics", metavar="METRIC", shown_default="all others"),
    ]
    top: Annotated[
        int,
        Option(
            help="The percentage of outputs that count as the best, for the floor of strictness.",
            default=20,
            group="statistics",
            within=(1, 100),
        ),
    ]
    pairs: Annotated[
        int | None,
        Option(
            help="How many pairs of cases to draw for robustness.",
            group="statistics",
            within=(1, MOST),
            shown_default="all of them",
        ),
    ]
    test: Annotated[
        str,
        Option(
            help="The significance test of discriminative power.",
            default="randomization",
            group="statistics",
            choices="plumbline.comparison.significance.catalogue:pairwise_test_names",
        ),
    ]
    level: Annotated[float, Option(help="A p below this is significant.", default=0.05, group="statistics", within=(0, 1))]
    resamples: Annotated[
        int | None,
        Option(help="How often a test draws at random.", group="statistics", within=(1, MOST), shown_default="1000 or more"),
    ]
    splits: Annotated[int, Option(help="How often cases are split in two.", default=1000, group="statistics", within=(1, MOST))]
    lower: Annotated[
        Names, Option(help="A metric that is better when lower.", default=(), group="statistics", metavar="METRIC")
    ]
    preferences: Annotated[
        Any, Option(help="A table of preferences: case,better,worse.", group="input", metavar="FILE", is_data=True)
    ]


class MetaOptions(StudyOptions, EvaluateOptions, total=False):
    """All options of `meta`."""


class AuditOptions(TypedDict, total=False):
    """The options of `audit`."""

    task: Annotated[
        str | None,
        Option(help="The kind of output, or combining.", group="input", choices=KINDS, shown_default="that of the metrics"),
    ]
    constraints: Annotated[
        Names | None,
        Option(help="Only these constraints.", group="metrics", flag="--constraint", metavar="NAME", shown_default="all"),
    ]
    budget: Annotated[
        int, Option(help="How many pairs to try for each constraint.", default=20_000, group="statistics", within=(1, MOST))
    ]
    seed: Annotated[int, Option(help="The seed of larger pairs, which are drawn at random.", default=0, group="statistics")]
    lower: Annotated[
        Names, Option(help="A function of your own that is better when lower.", default=(), group="metrics", metavar="METRIC")
    ]
