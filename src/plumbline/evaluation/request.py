"""What is asked for, understood and checked before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, get_args

from plumbline.align.alignment import AlignOptions
from plumbline.align.policy import DEFAULT, ITEM_RULES, Policy
from plumbline.errors import BadUsage, discounts, usage
from plumbline.errors.faces import option
from plumbline.evaluation.conventions import Convention, convention
from plumbline.io.table import Order, ReadOptions
from plumbline.metrics.internal_criteria import check_given
from plumbline.metrics.names import measures, task_of
from plumbline.metrics.registry import TASKS
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Task

DEFAULT_METRICS: Final[dict[str, tuple[str, ...]]] = {
    "ranking": ("AP", "nDCG@10", "P@10", "RR"),
    "filtering": ("F(P,R)", "P", "R", "Accuracy", "Lam", "F(Rel,Sens)"),
    "classification": ("Accuracy", "F(P,R)", "P", "R"),
    "clustering": ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "F(Rel,Sens)", "F(Purity,InvPurity)"),
    "organization": ("F(Rel,Sens)", *(f"{name}(over={kind})" for kind in ("priority", "related") for name in ("Rel", "Sens"))),
}
HOMES: Final[dict[str, tuple[str, ...]]] = {
    "rel": ("ranking", "filtering"),
    "positive": ("filtering",),
    "threshold": ("filtering",),
    "classes": ("classification",),
    "multilabel": ("classification",),
    "label_separator": ("classification", "clustering"),
    "noise": ("clustering",),
    "missing_items": tuple(ITEM_RULES),
    "on_duplicate": ("ranking", "filtering", "classification"),
    "ties": ("ranking",),
    "depth": ("ranking",),
    "judged_only": ("ranking",),
    "single_precision": ("ranking",),
    "order": ("ranking", "organization"),
    "features": ("clustering",),
    "distances": ("clustering",),
    "floor": tuple(ITEM_RULES),
    "floor_rate": ("filtering",),
}
"""The tasks in which an option changes something; those that are not here do in all of them."""


@dataclass(frozen=True)
class Request:
    """What was asked for, understood and checked."""

    task: Task
    wanted: list[Measure]
    policy: Policy
    reading: ReadOptions
    positive: tuple[str, ...] | None
    """The labels that mean positive, if they were told."""
    level: float
    """The grade from which an item of the gold is positive."""
    threshold: float | None
    classes: tuple[str, ...] | None
    several: bool
    noise: str | None = None
    """The label of items outside every cluster."""
    features: Any = None
    distances: Any = None
    lengths: Any = None
    """How many words items have, for discounts that go by time."""

    def align_options(self, *, items: bool = False) -> AlignOptions:
        """The decisions that alignment depends on; `items` keeps which item is which."""
        return AlignOptions(
            self.policy,
            frozenset(part.metric.needs for measure in self.wanted for part in measure.parts),
            items,
            self.positive,
            self.level,
            self.threshold,
            self.classes,
            self.several,
            self.noise,
            self.features,
            self.distances,
            self.lengths,
            self.reading.max_bytes,
        )


def request(  # noqa: PLR0913 - every decision can be made here
    metrics: Iterable[str] | str | None = None,
    *,
    task: str | None = None,
    as_: str | None = None,
    rel: float | None = None,
    positive: str | Sequence[str] | None = None,
    threshold: float | None = None,
    classes: Sequence[str] | None = None,
    multilabel: bool = False,
    label_separator: str | None = None,
    noise: str | int | None = None,
    features: Any = None,  # noqa: ANN401 - an array, a sparse matrix, a frame, a dict or a path
    distances: Any = None,  # noqa: ANN401 - the same, but not sparse
    lengths: Any = None,  # noqa: ANN401 - a path, a frame or a dict {item: words}
    reader: str | None = None,
    gold_reader: str | None = None,
    output_reader: str | None = None,
    order: str = "score",
    tag: str | None = None,
    max_bytes: int | None = None,
    **policies: Any,  # noqa: ANN401 - the fields of Policy, checked by it
) -> Request:
    """Understand what is asked for.

    `as_="trec_eval"` takes over the conventions of that tool, `rel` is the grade from which an item is relevant or
    positive. Filters: `positive` names the positive labels, `threshold` the score from which an item is positive.
    Classifiers: `classes` are the classes in their order, `multilabel` allows several rows per item,
    `label_separator` splits a label into several. Clusterings: `noise` is the label of items outside every cluster;
    `features` or `distances` of items are for internal criteria, `lengths` for discount=time. Reading: `reader`,
    or `gold_reader` and `output_reader`, `order`, `tag`, `max_bytes`. Policies: `ties`, `on_duplicate`, `missing`,
    `missing_items`, `undefined`, `depth`, `judged_only`, `single_precision`, `seed`.
    """
    asked = [metrics] if isinstance(metrics, str) else list(metrics or ())
    chosen = chosen_task(task, asked, positive=bool(positive) or threshold is not None)
    given = {"rel": rel, "positive": positive, "threshold": threshold, "classes": classes, "multilabel": multilabel}
    read = {"label_separator": label_separator, "noise": noise, "order": order, "features": features, "distances": distances}
    check_homes(chosen, {**policies, **given, **read})
    if order not in get_args(Order):
        raise BadUsage(usage.bad_option("order", str(order), list(get_args(Order))))
    bundle = convention(as_)
    everywhere = {} if rel is None else {"*": {"rel": rel}}
    reading = ReadOptions(
        reader=reader,
        order=order,  # type: ignore[arg-type]  # checked above
        tag=tag,
        max_bytes=max_bytes,
        extra_columns=bundle.extra_columns,
        kind=task_named(chosen).table,
        label_separator=label_separator,
        gold_reader=gold_reader,
        output_reader=output_reader,
    )
    wanted = measures(asked or DEFAULT_METRICS[chosen], {**bundle.parameters, **everywhere}, chosen)
    check_given(wanted, features, distances)
    _check_lengths(wanted, lengths)
    words = None if not positive else (positive,) if isinstance(positive, str) else tuple(map(str, positive))
    return Request(
        chosen,
        wanted,
        _policy(bundle, policies, chosen),
        reading,
        words,
        1.0 if rel is None else rel,
        threshold,
        None if classes is None else tuple(map(str, classes)),
        several=multilabel or label_separator is not None,
        noise=None if noise is None else str(noise),
        features=features,
        distances=distances,
        lengths=lengths,
    )


def is_idle(name: str, value: Any, task: str) -> bool:  # noqa: ANN401 - an option of any kind
    """Whether an option says something, and would change nothing for a task."""
    usual: tuple[Any, ...] = (None, False, (), [], "score" if name == "order" else getattr(DEFAULT, name, None))
    unsaid = any(type(value) is type(one) and value == one for one in usual)
    return task not in HOMES.get(name, TASKS) and not unsaid


def check_homes(task: str, given: dict[str, Any]) -> None:
    """An option that would change nothing for a task is refused."""
    for name, value in given.items():
        if is_idle(name, value, task):
            raise BadUsage(usage.not_for_task(option(name), task, list(HOMES[name])))


def _check_lengths(wanted: list[Measure], lengths: Any) -> None:  # noqa: ANN401 - as request
    timed = [
        measure.name for measure in wanted if any(dict(part.arguments).get("discount") == "time" for part in measure.parts)
    ]
    if timed and lengths is None:
        raise BadUsage(discounts.needs_lengths(timed))
    if lengths is not None and not timed:
        raise BadUsage(discounts.unread_lengths([measure.name for measure in wanted]))


def chosen_task(task: str | None, asked: Sequence[str], *, positive: bool) -> Task:
    """The task that was told, or else the one of its metrics; what is positive is asked of filters."""
    if task not in (None, *TASKS):
        raise BadUsage(usage.bad_option("task", str(task), list(TASKS)))
    if task is None:
        return "filtering" if positive else task_of(asked)
    return task


def _policy(bundle: Convention, policies: dict[str, Any], task: str) -> Policy:
    unknown = set(policies) - set(Policy.__dataclass_fields__)
    if unknown:
        raise BadUsage(usage.bad_option("option", min(unknown), sorted(Policy.__dataclass_fields__)))
    policy = Policy(**{**bundle.policy, **{name: value for name, value in policies.items() if value is not None}})
    if task in ITEM_RULES:
        policy.rule_for_items(task)
    return policy
