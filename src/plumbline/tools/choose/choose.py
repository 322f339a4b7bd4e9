"""From answers to advice."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from plumbline.errors import BadUsage, usage
from plumbline.errors.faces import rendered
from plumbline.tasks import task_named
from plumbline.tools.choose.advice import Advice, Pick, command_line
from plumbline.tools.choose.questions import DEPTH, QUESTIONS, UNKNOWN, WEIGHTS, Answers, Question

if TYPE_CHECKING:
    from plumbline.tools.choose.questions import Collection, Counts, Matters, NonInformative, Reads, Returns, Spans, Task


def choose(  # noqa: PLR0913 - one for each question
    *,
    task: Task = UNKNOWN,
    returns: Returns = UNKNOWN,
    noninformative: NonInformative = UNKNOWN,
    tp: float | None = None,
    tn: float | None = None,
    fp: float | None = None,
    fn: float | None = None,
    unbalanced: bool | None = None,
    multilabel: bool | None = None,
    ordered: bool | None = None,
    counts: Counts = UNKNOWN,
    graded: bool | None = None,
    reads: Reads = UNKNOWN,
    incomplete: bool | None = None,
    overlaps: bool | None = None,
    spans: Spans = UNKNOWN,
    matters: Matters = UNKNOWN,
    collection: Collection = UNKNOWN,
    depth: float | None = None,
) -> Advice:
    """Choose metrics that fit a task and the use of its output; every question may be left open.

    Args:
        task: "filtering", "classification", "ranking", "clustering", "organization" or "extraction".
        returns: Filtering: what counts are "decisions", the "order" of scores, or scores as "probabilities".
        noninformative: Filtering: accepting everything is "all-better" than discarding everything, "equal", or it is a "cost".
        tp: What is gained by accepting an item of the class, where decisions have a cost.
        tn: What is gained by discarding any other item.
        fp: What it costs to accept any other item.
        fn: What it costs to discard an item of the class.
        unbalanced: Filtering: the class of interest is very rare, or nearly everything.
        multilabel: Classification: an item can have several classes.
        ordered: Classification: the classes have an order.
        counts: Classification: "classes" count the same, or "items".
        graded: Ranking: the judgements have grades.
        reads: Ranking: a user reads to the "first-hit", the "first-page" or the "whole-list".
        incomplete: Ranking: the lists show items that nobody judged.
        overlaps: Clustering: an item can be in several groups.
        spans: Extraction: spans are used as "values", as "places" to look at, to count "types", or as "masks".
        matters: Organization: the "order" matters, the "groups", or "both".
        collection: Organization: "unlimited" if there are items that nobody organized, "finite" if every item has its place.
        depth: Organization: how many items a user reads.

    Returns:
        The metrics, why they fit, and the command that computes them.

    Raises:
        BadUsage: An answer is not one of the known words.

    Example:
        >>> import plumbline
        >>> plumbline.choose(task="ranking", reads="first-hit", graded=False).metrics
        ('RR', 'Success@1', 'Judged@10')
    """
    given = Answers(
        task=task,
        returns=returns,
        noninformative=noninformative,
        tp=tp,
        tn=tn,
        fp=fp,
        fn=fn,
        unbalanced=unbalanced,
        multilabel=multilabel,
        ordered=ordered,
        counts=counts,
        graded=graded,
        reads=reads,
        incomplete=incomplete,
        overlaps=overlaps,
        spans=spans,
        matters=matters,
        collection=collection,
        depth=depth,
    )
    for question in QUESTIONS:
        _check(question, getattr(given, question.key))
    task_name = "organization" if given.task == UNKNOWN else given.task
    return _advice(given, task_name, task_named(task_name).hook("choose")(given))


def _check(question: Question, value: object) -> None:
    if question in WEIGHTS:
        if value is not None and not _is_weight(value):
            raise BadUsage(usage.bad_parameter("Utility", question.key, str(value), "a number from 0"))
    elif question is DEPTH:
        if value is not None and not _is_depth(value):
            raise BadUsage(usage.bad_option(question.key, str(value), ["a whole number from 1"]))
    elif question.flags:
        if value is not None and not isinstance(value, bool):
            raise BadUsage(usage.bad_option(question.key, str(value), ["True", "False", "None"]))
    elif value not in question.choices:
        raise BadUsage(usage.bad_option(question.key, str(value), question.choices))


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0


def _is_depth(value: object) -> bool:
    return isinstance(value, int | float) and _is_weight(value) and value >= 1 and float(value).is_integer()


def _advice(given: Answers, task: str, pick: Pick) -> Advice:
    values = {question.key: getattr(given, question.key) for question in QUESTIONS}
    is_open = {key: value is None or value == UNKNOWN for key, value in values.items()}
    relevant = [question for question in QUESTIONS if question.applies(values) and (question not in WEIGHTS or given.weights)]
    return Advice(
        task=task,
        family=pick.family,
        metrics=pick.metrics,
        smoothing=pick.smoothing,
        reason=pick.reason,
        noninformative=pick.noninformative,
        notes=tuple(map(rendered, pick.notes)),
        references=pick.references,
        assumed=tuple((question.key, question.otherwise) for question in relevant if is_open[question.key]),
        unused=tuple(question.key for question in QUESTIONS if not is_open[question.key] and not question.applies(values)),
        command=command_line(task, pick.metrics),
    )
