"""Sections that are figures with a few words: which figures answer which question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from plumbline.figures.registry import FIGURES
from plumbline.reports.model import Picture, Section, Words
from plumbline.reports.sections.behind import TABLES

if TYPE_CHECKING:
    from plumbline.figures.subject import Subject


SIZES: Final[dict[str, dict[str, int]]] = {
    "bars": {"width": 760},
    "graph": {"width": 780},
    "alpha": {"width": 560, "height": 340},
    "differences": {"width": 720, "height": 260},
    "scatter": {"width": 460, "height": 420},
    "precision_recall": {"width": 560, "height": 380},
    "tradeoff": {"width": 460, "height": 420},
    "losses": {"width": 760},
    "weights": {"width": 560, "height": 320},
}
"""Figures that a page has more room for than a column of a paper."""


PAIRED: Final = ("unanimity", "graph")
"""Figures of all pairs of systems."""
MOST_PAIRED: Final = 150
"""Systems of which all pairs are drawn; the drawing of more could be neither read nor mailed."""
NARROWING: Final = ("alpha", "differences", "scatter", "precision_recall", "tradeoff", "weights")
"""Figures of one area, in which nothing needs a width of its own."""


@dataclass(frozen=True)
class Question:
    """A question, the figures that answer it, and the tables that say the same without a picture."""

    name: str
    title: str
    words: str
    kinds: tuple[str, ...]
    tables: tuple[str, ...] = ()


MEANS: Final = Question(
    "means",
    "Metric by metric",
    "Every metric on its own: how large the means are, how sure they are, and whether metrics put systems in the same order.",
    ("bars", "ranks"),
)
MEANS_ALONE: Final = Question("means", MEANS.title, "How large the means are, and how sure they are.", ("bars",))
"""The same where there is one system or one metric."""
UNANIMITY: Final = Question(
    "unanimity",
    "Do the metrics agree?",
    "An improvement that every metric confirms does not depend on how metrics are weighed. The unanimous improvement ratio "
    "(UIR) is the share of cases on which a system is at least as good by every metric, minus the share on which the other is.",
    ("unanimity", "graph"),
)
ONE_METRIC: Final = Question(
    "unanimity",
    "Who beats whom?",
    "There is one metric. The ratio is the share of cases on which a system is at least as good, minus the share on which the "
    "other is: a difference that comes from a few cases has a small one.",
    ("unanimity", "graph"),
)
WEIGHTS: Final = Question(
    "weights",
    "What if the metrics weigh otherwise?",
    "The score depends on alpha, the weight of the first metric. Where curves cross, the order of two systems turns.",
    ("alpha",),
    ("leads",),
)
OUTPUTS: Final = Question(
    "outputs",
    "Metric against metric",
    "Every dot is the output of a system on a case. Outputs that are known to carry no information about the gold are marked: "
    "a metric that gives them high scores does not notice.",
    ("scatter",),
)
CURVES: Final = Question(
    "curves",
    "Precision along the ranking",
    "How precise lists still are when a share of the relevant items has been found.",
    ("precision_recall",),
)
TRADEOFF: Final = Question(
    "tradeoff",
    "The trade-off between two metrics",
    "Systems that are better by one of two metrics are often worse by the other. Lines connect points of the same F.",
    ("tradeoff",),
)
CONFUSION: Final = Question(
    "confusion",
    "Which class is taken for which?",
    "Rows are the classes of the gold, columns those that were given.",
    ("confusion",),
    ("confusion",),
)
LOSSES: Final = Question(
    "losses",
    "Where were Reliability and Sensitivity lost?",
    "What is missing to 1 was lost to wrong order, ties, missing or extra items, or to broken and merged clusters.",
    ("losses",),
    ("losses",),
)
POSITIONS: Final = Question(
    "positions",
    "How much does each position count?",
    "Reliability and Sensitivity look at the top of a list first; this is the share of the score that the positions carry.",
    ("weights",),
)


def means(subject: Subject) -> Question:
    """The question about means, as far as there is an order to agree on."""
    return MEANS if min(len(subject.cube.systems), len(subject.cube.metrics)) > 1 else MEANS_ALONE


def section(subject: Subject, question: Question) -> Section | None:
    """The figures that can be drawn and the tables behind them; nothing if there is no figure."""
    count = len(subject.cube.systems)
    if question.kinds == PAIRED and count > MOST_PAIRED:
        cut = f"They are drawn for up to {MOST_PAIRED} systems, and here are {count:,}: name some to plumbline plot."
        return Section(question.name, question.title, (Words(f"{question.words} {cut}"),))
    pictures = [made for kind in question.kinds if (made := picture(subject, kind))]
    if not pictures:
        return None
    tables = [table for name in question.tables for table in TABLES[name](subject)]
    return Section(question.name, question.title, (Words(question.words), *pictures, *tables))


def picture(subject: Subject, kind: str, **options: Any) -> Picture | None:  # noqa: ANN401 - those of the figure
    """A figure in the colours of the page, if it can be drawn of the subject."""
    figure = FIGURES.get(kind)
    if figure is None or not figure.applies(subject, **options):
        return None
    from altair.utils.schemapi import debug_mode  # noqa: PLC0415 - an extra, and slow to import

    with debug_mode(arg=False):  # looking at every row again would take most of the time
        spec = figure.draw(subject, theme=None, **SIZES.get(kind, {}), **options).to_dict(validate=False)
    del spec["$schema"]
    return Picture(f"figure-{kind}", f"{figure.title}.", figure.caption, spec, kind in NARROWING)
