"""A request: the task, the measures and every decision, checked before anything is read."""

from __future__ import annotations

from dataclasses import field, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, Unpack

from plumbline.align.alignment import AlignOptions
from plumbline.align.policy import Policy
from plumbline.errors import BadUsage, combining, discounts, usage
from plumbline.errors.faces import option, switch
from plumbline.evaluation.conventions import Convention, convention
from plumbline.io.table import ReadOptions
from plumbline.metrics.internal_criteria import check_given
from plumbline.metrics.measure import Combined
from plumbline.metrics.names import listed, measures, task_of
from plumbline.metrics.vocabulary import vocabulary_for
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.evaluation import ReadOptions as ReadingOptions
from plumbline.options.option import checked, declared
from plumbline.records import dataclass
from plumbline.tasks import Task, task_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from plumbline.metrics.measure import Measure
    from plumbline.metrics.vocabulary import Vocabulary

LOWEST_RELEVANT: Final = 1.0
"""The grade from which an item is relevant or positive, unless another is given."""
ITEMS: Final = "items"
"""Named among views, it keeps which item is which."""
_POLICIES: Final = frozenset(one.name for one in fields(Policy))


@dataclass(frozen=True)
class Request:
    """What was requested, understood and checked."""

    task: Task
    measures: list[Measure]
    policy: Policy
    reading: ReadOptions
    options: Mapping[str, Any] = field(compare=False)
    """The options that were given, by name."""

    @property
    def level(self) -> float:
        """The grade from which an item of the gold is relevant or positive."""
        return float(self.options.get("rel", LOWEST_RELEVANT))

    @property
    def positive(self) -> tuple[str, ...] | None:
        """The labels that mean positive, if they were given."""
        return _label_texts(self.options.get("positive"))

    @property
    def classes(self) -> tuple[str, ...] | None:
        """The classes in their order, if they were given."""
        return _label_texts(self.options.get("classes"))

    def align_options(self, needs: Iterable[str] = (), *, items: bool = False) -> AlignOptions:
        """The decisions that alignment depends on; `needs` are further views to prepare, `items` keeps which item is which."""
        views = self._views.union(needs)
        if (views, items) not in self._aligning:
            self._aligning[views, items] = self._align_options(views, items=items)
        return self._aligning[views, items]

    @cached_property
    def _views(self) -> frozenset[str]:
        """The views that the measures read."""
        return frozenset(part.metric.needs for measure in self.measures for part in measure.parts)

    @cached_property
    def _aligning(self) -> dict[tuple[frozenset[str], bool], AlignOptions]:
        """What was made of views and items; training loops ask for the same again and again."""
        return {}

    def _align_options(self, views: frozenset[str], *, items: bool) -> AlignOptions:
        given = self.options.get
        noise = given("noise")
        return AlignOptions(
            policy=self.policy,
            needs=views - {ITEMS},
            items=items or ITEMS in views,
            positive=self.positive,
            level=given("rel"),
            threshold=given("threshold"),
            classes=self.classes,
            multilabel=bool(given("multilabel")) or given("label_separator") is not None,
            hierarchy=given("hierarchy"),
            noise=None if noise is None else str(noise),
            features=given("features"),
            distances=given("distances"),
            lengths=given("lengths"),
            pooled=bool(given("pooled")),
            max_bytes=self.reading.max_bytes,
            given=self.options,
        )

    def for_metrics(self, metrics: Iterable[str]) -> Request:
        """The same request for other metrics."""
        bundle = convention(self.options.get("as_"))
        return replace(self, measures=_measures(list(metrics), bundle, self.options, self.task))


def request(metrics: Iterable[str] | str | None = None, **options: Unpack[EvaluateOptions]) -> Request:
    """Understand and check what is requested.

    Args:
        metrics: Names such as `nDCG(gain=exp)@10`; those of the task if none is given.
        **options: Those of `evaluate`.

    Returns:
        The task, the measures and every decision.

    Raises:
        BadUsage: If an option or a metric is unknown, does not fit, or would change nothing.
    """
    names = listed(metrics)
    if options or not names or set(map(type, names)) != {str}:
        return _request(names, options)
    return _of_rankings(tuple(names), vocabulary_for(names, "ranking")) or _request(names, options)


@lru_cache(maxsize=64)
def _of_rankings(names: tuple[str, ...], known: Vocabulary) -> Request | None:  # noqa: ARG001 - a metric may be declared meanwhile
    """The request for metrics of rankings alone, which training loops make again and again; None for those of other tasks."""
    made = _request(list(names), {})
    return made if made.task.name == "ranking" else None


def _request(names: list[str], options: EvaluateOptions) -> Request:
    given = checked(options, EvaluateOptions, "evaluate")
    task = chosen_task(given.pop("task", None), names, given)
    check_effect(given, task)
    bundle = convention(given.get("as_"))
    wanted = _measures(names, bundle, given, task)
    _check_directions(wanted)
    check_given(wanted, given.get("features"), given.get("distances"))
    _check_lengths(wanted, given.get("lengths"))
    reading = ReadOptions(
        **{name: value for name, value in given.items() if name in declared(ReadingOptions)},
        extra_columns=bundle.extra_columns,
        kind=task.table,
        label_separator=given.get("label_separator"),
    )
    return Request(task, wanted, _policy(bundle, given, task), reading, given)


def chosen_task(name: str | None, metrics: Sequence[str], options: Mapping[str, Any]) -> Task:
    """The task that was named, or else that of the metrics; a positive label or a threshold means filtering."""
    if name is not None:
        return task_named(name)
    is_filter = bool(options.get("positive")) or options.get("threshold") is not None
    return task_named("filtering" if is_filter else task_of(metrics))


def idle_options(options: Mapping[str, Any], task: Task) -> list[str]:
    """The options that say something and would change nothing for a task."""
    known = declared(EvaluateOptions)
    return [name for name, value in options.items() if name in known and known[name].is_idle(value, task.name, task.options)]


def check_effect(options: Mapping[str, Any], task: Task) -> None:
    """Refuse options that would change nothing, so that nobody relies on them."""
    idle = idle_options(options, task)
    if idle:
        record = declared(EvaluateOptions)[idle[0]]
        raise BadUsage(usage.not_for_task(option(record.name), task.name, list(record.tasks)))
    if options.get("floor_rate") is not None and not options.get("floor"):
        raise BadUsage(usage.goes_with(option("floor_rate"), switch("floor")))


def _measures(names: list[str], bundle: Convention, options: Mapping[str, Any], task: Task) -> list[Measure]:
    everywhere = {"*": {"rel": options["rel"]}} if "rel" in options else {}
    return measures(names or task.default_metrics, {**bundle.parameters, **everywhere}, task.name)


def _label_texts(labels: Any) -> tuple[str, ...] | None:
    if labels is None:
        return None
    return (labels,) if isinstance(labels, str) else tuple(map(str, labels if hasattr(labels, "__iter__") else [labels]))


def _check_directions(wanted: list[Measure]) -> None:
    """Refuse F of what has no common direction."""
    for measure in wanted:
        if measure.better == "neither" and isinstance(measure, Combined):
            bad = [part.name for part in measure.parts if part.better != "higher"]
            raise BadUsage(combining.opposite_parts(measure.name, bad))


def _check_lengths(wanted: list[Measure], lengths: Any) -> None:
    timed = [
        measure.name for measure in wanted if any(dict(part.arguments).get("discount") == "time" for part in measure.parts)
    ]
    if timed and lengths is None:
        raise BadUsage(discounts.needs_lengths(timed))
    if lengths is not None and not timed:
        raise BadUsage(discounts.unread_lengths([measure.name for measure in wanted]))


def _policy(bundle: Convention, options: Mapping[str, Any], task: Task) -> Policy:
    policy = Policy(**{**bundle.policy, **{name: value for name, value in options.items() if name in _POLICIES}})
    if task.item_rules:
        policy.rule_for_items(task.name)
    return policy
