"""One record for each task: how its outputs are read, aligned, scored, explained and audited.

A hook is a function, or the place of one as "module:function", which is imported when it is first used: so this file names
the stages above it without importing them, and a small ranking does not wait for clusterings.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plumbline.schema import TableKind

    Hook = str | Callable[..., Any]


@dataclass(frozen=True)
class Task:
    """Everything that differs from task to task.

    Attributes:
        name: What `--task` takes.
        outputs: What its outputs are called in sentences, such as "rankings".
        default_metrics: The metrics that are computed if none is named.
        trade_off: Its precision and its recall, for curves along a threshold; None if it has none.
        loss_metrics: The metrics whose losses can be split by cause; none for a task without them.
        table: Which table a reader makes of a file: scores, labels, clusters, levels or spans.
        options: Options that it takes although their records do not name it.
        parts: Of what any some are a part of an evaluation: lists, each of which is scored by itself, items, which are
            counted, or documents, whose spans are counted; None if there are no parts.
        item_rules: What an item of the gold without an answer may count as, the default first, with the words for a notice.
        hooks: The functions of each stage, by the name of the stage.
    """

    name: str
    outputs: str
    default_metrics: tuple[str, ...]
    trade_off: tuple[str, str] | None = None
    loss_metrics: tuple[str, ...] = ()
    table: TableKind = "scores"
    options: tuple[str, ...] = ()
    parts: Literal["lists", "items", "documents"] | None = None
    item_rules: Mapping[str, str] = field(default_factory=dict)
    hooks: Mapping[str, Hook] = field(default_factory=dict)

    def has(self, stage: str) -> bool:
        """Whether there is a function for a stage: not every task has a floor, say."""
        return stage in self.hooks

    def hook(self, stage: str) -> Callable[..., Any]:
        """The function of a stage, imported now if it was not yet."""
        place = self.hooks[stage]
        if not isinstance(place, str):
            return place
        return _imported(place)


@cache
def _imported(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    imported: Callable[..., Any] = getattr(import_module(module), function)
    return imported


_TASKS: dict[str, Task] = {}


def register(task: Task) -> Task:
    """Make a task known; everything that takes a task takes it from then on.

    Raises:
        ValueError: If there is a task of this name already.
    """
    if task.name in _TASKS:
        message = f"there is a task {task.name!r} already"
        raise ValueError(message)
    _TASKS[task.name] = task
    return task


def unregister(name: str) -> None:
    """Forget a task that was registered."""
    del _TASKS[name]


def task_names() -> tuple[str, ...]:
    """The names of all tasks."""
    return tuple(_TASKS)


def task_named(name: str) -> Task:
    """The task of this name.

    Raises:
        BadUsage: If there is none.
    """
    if name not in _TASKS:
        raise BadUsage(usage.bad_option("task", str(name), nearest(str(name), _TASKS, n=1) or list(_TASKS)))
    return _TASKS[name]


def _relations(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{name}(over={kind})" for kind in kinds for name in ("Rel", "Sens"))


register(
    Task(
        "ranking",
        outputs="rankings",
        parts="lists",
        default_metrics=("AP", "nDCG@10", "P@10", "RR"),
        trade_off=("SetP", "SetR"),
        loss_metrics=_relations("priority"),
        hooks={
            "systems": "plumbline.io.memory.systems:ranking_systems",
            "prepare": "plumbline.align.judgements:prepare_judgements",
            "sought": "plumbline.align.ranking:sought_while_reading",
            "align": "plumbline.align.ranking:align_ranking",
            "compute": "plumbline.compute.ranking:compute_ranking",
            "why": "plumbline.tools.why.ranking:explain_ranking",
            "losses": "plumbline.compute.reliability_sensitivity:relation_losses",
            "choose": "plumbline.tools.choose.ranking:pick",
            "scene": "plumbline.audits.scenes.ranking:SCENE",
            "facts": "plumbline.studies.ranking_facts:RankingFacts",
        },
    )
)
register(
    Task(
        "filtering",
        outputs="filters",
        parts="items",
        default_metrics=("F(P,R)", "P", "R", "Accuracy", "Lam", "F(Rel,Sens)"),
        trade_off=("P", "R"),
        table="labels",
        item_rules={"negative": "counted as negative", "wrong": "counted as wrong", "error": ""},
        hooks={
            "systems": "plumbline.io.memory.systems:label_systems",
            "align": "plumbline.align.filtering:align_filtering",
            "compute": "plumbline.compute.filtering:compute_filtering",
            "floor": "plumbline.compute.filtering_floor:filtering_floor",
            "units": "plumbline.comparison.units.filtering:filter_outcomes",
            "why": "plumbline.tools.why.filtering:explain_filter",
            "choose": "plumbline.tools.choose.filtering:pick",
            "scene": "plumbline.audits.scenes.filtering:SCENE",
            "facts": "plumbline.studies.filter_facts:FilterFacts",
        },
    )
)
register(
    Task(
        "classification",
        outputs="classifiers",
        parts="items",
        default_metrics=("Accuracy", "F(P,R)", "P", "R"),
        trade_off=("P", "R"),
        table="labels",
        item_rules={"wrong": "always wrong", "error": ""},
        hooks={
            "systems": "plumbline.io.memory.systems:label_systems",
            "align": "plumbline.align.classification:align_classification",
            "compute": "plumbline.compute.classification:compute_classification",
            "floor": "plumbline.compute.classification_floor:classification_floor",
            "units": "plumbline.comparison.units.classification:class_outcomes",
            "why": "plumbline.tools.why.classification:explain_classes",
            "choose": "plumbline.tools.choose.classification:pick",
            "scene": "plumbline.audits.scenes.classification:SCENE",
        },
    )
)
register(
    Task(
        "clustering",
        outputs="clusterings",
        parts="items",
        default_metrics=("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "F(Rel,Sens)", "F(Purity,InvPurity)"),
        trade_off=("BCubedP", "BCubedR"),
        table="clusters",
        item_rules={
            "singleton": "each a cluster of its own",
            "one-cluster": "all in one cluster",
            "drop": "left out of the gold too",
            "absent": "precision 1 and recall 0",
            "one-sided": "counted by the gold alone",
            "error": "",
        },
        hooks={
            "systems": "plumbline.io.memory.clusters:cluster_systems",
            "align": "plumbline.align.clustering:align_clustering",
            "compute": "plumbline.compute.clustering:compute_clustering",
            "floor": "plumbline.compute.clustering:clustering_floor",
            "why": "plumbline.tools.why.clustering:explain_clusters",
            "choose": "plumbline.tools.choose.clustering:pick",
            "scene": "plumbline.audits.scenes.clustering:SCENE",
        },
    )
)
register(
    Task(
        "organization",
        outputs="organizations",
        parts="lists",
        default_metrics=("F(Rel,Sens)", *_relations("priority", "related")),
        trade_off=("Rel", "Sens"),
        loss_metrics=_relations("priority", "related"),
        table="levels",
        hooks={
            "systems": "plumbline.io.memory.organization_systems:organization_systems",
            "align": "plumbline.align.organization:align_organization",
            "compute": "plumbline.compute.reliability_sensitivity:compute_organization",
            "why": "plumbline.tools.why.relations:explain_relations",
            "losses": "plumbline.compute.reliability_sensitivity:relation_losses",
            "choose": "plumbline.tools.choose.organization:pick",
            "scene": "plumbline.audits.scenes.organization:SCENE",
        },
    )
)
register(
    Task(
        "extraction",
        outputs="extractors",
        parts="documents",
        default_metrics=("F(P,R)", "P", "R", "F(P,R,match=partial)"),
        trade_off=("P", "R"),
        loss_metrics=("P", "R"),
        table="spans",
        hooks={
            "systems": "plumbline.io.memory.span_systems:span_systems",
            "align": "plumbline.align.extraction:align_extraction",
            "compute": "plumbline.compute.extraction:compute_extraction",
            "floor": "plumbline.compute.extraction:extraction_floor",
            "units": "plumbline.comparison.units.extraction:span_outcomes",
            "why": "plumbline.tools.why.extraction:explain_spans",
            "losses": "plumbline.compute.span_losses:span_losses",
            "choose": "plumbline.tools.choose.extraction:pick",
            "scene": "plumbline.audits.scenes.extraction:SCENE",
        },
    )
)
