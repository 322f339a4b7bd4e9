"""The questions of the advisor, in the order in which they are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Task = Literal["filtering", "classification", "ranking", "clustering", "organization", "extraction", "unknown"]
Returns = Literal["decisions", "order", "probabilities", "unknown"]
NonInformative = Literal["all-better", "equal", "cost", "unknown"]
Reads = Literal["first-hit", "first-page", "whole-list", "unknown"]
Counts = Literal["classes", "items", "unknown"]
Matters = Literal["order", "groups", "both", "unknown"]
Spans = Literal["values", "places", "types", "masks", "unknown"]
Collection = Literal["unlimited", "finite", "unknown"]

Weights = tuple[float, float, float, float]
"""What is gained or lost by a true positive, true negative, false positive and false negative."""

UNKNOWN: Final = "unknown"
YES_NO: Final[Mapping[str, bool]] = {"yes": True, "no": False}
"""The values of the two answers of a yes-or-no question."""


@dataclass(frozen=True)
class Answer:
    """A word that can be typed, and what it means."""

    word: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question; without answers it asks for a number, with flags for yes or no."""

    key: str
    text: str
    answers: tuple[Answer, ...]
    otherwise: str
    """What is assumed without an answer."""
    when: tuple[tuple[str, tuple[str | bool | None, ...]], ...] = ()
    """It is asked only if each of these questions has one of these answers."""
    flags: tuple[str, str] | None = None

    @property
    def choices(self) -> list[str]:
        """The answers that can be typed."""
        return [answer.word for answer in self.answers]

    def applies(self, given: Mapping[str, object]) -> bool:
        """Whether the answer matters, given the answers so far."""
        return all(given.get(key) in values for key, values in self.when)

    def meaning(self, word: str) -> str | bool:
        """The value that a typed word stands for."""
        return YES_NO[word] if self.flags else word


def _yes_no(key: str, flags: tuple[str, str], text: str, *, yes: str, no: str, otherwise: str, task: str) -> Question:
    return Question(key, text, (Answer("yes", yes), Answer("no", no)), otherwise, (("task", (task,)),), flags)


_DECIDED: Final = (("task", ("filtering",)), ("returns", ("decisions", UNKNOWN, None)))
"""What a metric of decisions depends on."""


def _weight(key: str, text: str) -> Question:
    return Question(key, text, (), "0", (*_DECIDED, ("noninformative", ("cost",))))


WEIGHTS: Final = (
    _weight("tp", "What is gained by accepting an item of the class?"),
    _weight("tn", "What is gained by discarding any other item?"),
    _weight("fp", "What does it cost to accept any other item?"),
    _weight("fn", "What does it cost to discard an item of the class?"),
)

_ORGANIZED: Final = ("task", ("organization", UNKNOWN, None))
"""The advice for organization is also that for an unknown task."""

DEPTH: Final = Question(
    "depth",
    "How many items does a user read?",
    (),
    "30 positions carry 0.8 of the weight, as in the paper",
    (_ORGANIZED, ("collection", ("unlimited", UNKNOWN, None))),
)

QUESTIONS: Final = (
    Question(
        "task",
        "What is the task?",
        (
            Answer("filtering", "one class of interest: each item is accepted or discarded"),
            Answer("classification", "several classes: each item gets a class, or several"),
            Answer("ranking", "items in order, the best first"),
            Answer("clustering", "items in groups that have no names"),
            Answer("organization", "priorities and groups together, as in a list of alerts by topic"),
            Answer("extraction", "spans of documents, each with a type"),
            Answer(UNKNOWN, "none of these, or not decided"),
        ),
        "organization, of which ranking, filtering and clustering are special cases",
    ),
    Question(
        "returns",
        "What does the filter return?",
        (
            Answer("decisions", "each item is accepted or discarded"),
            Answer("order", "scores, of which only the order counts"),
            Answer("probabilities", "scores that should be right as probabilities"),
            Answer(UNKNOWN, "not decided"),
        ),
        "decisions",
        (("task", ("filtering",)),),
    ),
    Question(
        "noninformative",
        "Is it better to accept everything or to discard everything?",
        (
            Answer("all-better", "accepting everything: more to read, but nothing is lost"),
            Answer("equal", "neither: both say nothing about the input"),
            Answer("cost", "it depends on what right and wrong decisions gain and cost"),
            Answer(UNKNOWN, "not decided, or the output is used in several ways"),
        ),
        "one metric of each family",
        _DECIDED,
    ),
    *WEIGHTS,
    Question(
        "unbalanced",
        "Is the input strongly unbalanced?",
        (
            Answer("yes", "the class of interest is very rare, or nearly everything"),
            Answer("no", "both classes are common"),
        ),
        "no smoothing",
        _DECIDED,
        ("unbalanced", "balanced"),
    ),
    _yes_no(
        "multilabel",
        ("multilabel", "one-label"),
        "Can an item have several classes?",
        yes="any number of them",
        no="exactly one",
        otherwise="one class for each item",
        task="classification",
    ),
    Question(
        "ordered",
        "Do the classes have an order?",
        (Answer("yes", "as in low, medium, high: a near miss is better"), Answer("no", "every error is the same")),
        "classes without order",
        (("task", ("classification",)), ("multilabel", (False, None))),
        ("ordered", "unordered"),
    ),
    Question(
        "counts",
        "What counts the same: every class, or every item?",
        (
            Answer("classes", "every class: a rare one is as important as a common one"),
            Answer("items", "every item: a common class is more important"),
            Answer(UNKNOWN, "not decided"),
        ),
        "metrics of both kinds",
        (("task", ("classification",)),),
    ),
    _yes_no(
        "graded",
        ("graded", "binary"),
        "Are the judgements graded?",
        yes="some relevant items are better than others",
        no="an item is relevant or not",
        otherwise="metrics that make sense with and without grades",
        task="ranking",
    ),
    Question(
        "reads",
        "How far does a user read?",
        (
            Answer("first-hit", "to the first relevant item: one is enough"),
            Answer("first-page", "the first ten items or so"),
            Answer("whole-list", "everything: nothing relevant should be missed"),
            Answer(UNKNOWN, "users differ, or not decided"),
        ),
        "one metric for each kind of reader",
        (("task", ("ranking",)),),
    ),
    _yes_no(
        "incomplete",
        ("incomplete", "complete"),
        "Are the judgements incomplete?",
        yes="the lists show items that nobody judged",
        no="everything that could be shown was judged",
        otherwise="Judged@10 is added: it shows how far the judgements reach",
        task="ranking",
    ),
    _yes_no(
        "overlaps",
        ("overlaps", "partition"),
        "Can an item be in several groups?",
        yes="groups overlap",
        no="every item is in one group",
        otherwise="metrics that make sense with and without overlaps",
        task="clustering",
    ),
    Question(
        "spans",
        "What are the spans used for?",
        (
            Answer("values", "as they are, by a program: names in a database, replaced text"),
            Answer("places", "to lead a reader to them"),
            Answer("types", "to count mentions of each type"),
            Answer("masks", "to cover text, as in anonymisation"),
            Answer(UNKNOWN, "not decided, or in several ways"),
        ),
        "one metric for each way of matching",
        (("task", ("extraction",)),),
    ),
    Question(
        "matters",
        "What matters: the order or the groups?",
        (
            Answer("order", "which items go before others"),
            Answer("groups", "which items belong together"),
            Answer("both", "both equally"),
            Answer(UNKNOWN, "not decided"),
        ),
        "one score for both, and one for each",
        (_ORGANIZED,),
    ),
    Question(
        "collection",
        "Are there items outside of what the gold and the outputs organize?",
        (
            Answer("unlimited", "many: what is not organized is below everything else, as in a search"),
            Answer("finite", "none: every item has its place, as in a filter or a clustering"),
            Answer(UNKNOWN, "not decided"),
        ),
        "unlimited",
        (_ORGANIZED,),
    ),
    DEPTH,
)


@dataclass(frozen=True)
class Answers:
    """The answers to all questions; what is not answered is unknown, or None."""

    task: Task
    returns: Returns
    noninformative: NonInformative
    tp: float | None
    tn: float | None
    fp: float | None
    fn: float | None
    unbalanced: bool | None
    multilabel: bool | None
    ordered: bool | None
    counts: Counts
    graded: bool | None
    reads: Reads
    incomplete: bool | None
    overlaps: bool | None
    spans: Spans
    matters: Matters
    collection: Collection
    depth: float | None

    @property
    def weights(self) -> Weights | None:
        """The four weights, if any was given; the others are 0 then."""
        given = (self.tp, self.tn, self.fp, self.fn)
        if all(weight is None for weight in given):
            return None
        tp, tn, fp, fn = (weight or 0.0 for weight in given)
        return tp, tn, fp, fn
