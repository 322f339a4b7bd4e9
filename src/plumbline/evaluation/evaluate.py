"""evaluate(): read, align, compute, average; one way, once.

The files of a task are imported when it is asked for: a small ranking does not wait for clusterings.
"""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final

from plumbline.errors import BadData, BadUsage, table, usage
from plumbline.errors.faces import option, switch
from plumbline.evaluation.request import check_homes, request
from plumbline.evaluation.tabulate import tabulate
from plumbline.evaluation.zscores import read_reference
from plumbline.io.memory.systems import label_systems, named_systems
from plumbline.io.prefetch import read_ahead
from plumbline.io.read import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sized

    from plumbline.align.alignment import Alignment
    from plumbline.compute.computed import Computed
    from plumbline.evaluation.request import Request
    from plumbline.io.table import ReadOptions, Table
    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Task
    from plumbline.scores import Scores

    Watch = Callable[[Iterable[tuple[str, Table]], Sized], Iterable[tuple[str, Table]]]

NAMES: Final = ("file", "tag")
"""After what systems are called."""
ALIGN: Final = {
    "ranking": "plumbline.align.ranking:align_ranking",
    "filtering": "plumbline.align.filtering:align_filtering",
    "classification": "plumbline.align.classification:align_classification",
    "clustering": "plumbline.align.clustering:align_clustering",
    "organization": "plumbline.align.organization:align_organization",
}
COMPUTE: Final = {
    "ranking": "plumbline.compute.ranking:compute_ranking",
    "filtering": "plumbline.compute.filtering:compute_filtering",
    "classification": "plumbline.compute.classification:compute_classification",
    "clustering": "plumbline.compute.clustering:compute_clustering",
    "organization": "plumbline.compute.reliability_sensitivity:compute_organization",
}
FLOOR: Final = {
    "filtering": "plumbline.compute.filtering_floor:filtering_floor",
    "classification": "plumbline.compute.classification_floor:classification_floor",
    "clustering": "plumbline.compute.clustering:clustering_floor",
}
"""The functions of each task; lists have no floor."""
_USUAL: Final = {"order": "score", "multilabel": False, "names": "file", "floor": False}
_ELSEWHERE: Final = frozenset({"task", "as_"})
"""Options that scores tell by themselves."""
_SOURCES: Final = frozenset({"features", "distances", "lengths", "zscores"})
"""Options that are data, or name a file of them."""


def evaluate(  # noqa: PLR0913 - every decision can be made here
    gold: Any,  # noqa: ANN401 - a path, dict, frame, array or open file
    systems: Any,  # noqa: ANN401 - one or many of these
    metrics: Iterable[str] | str | None = None,
    *,
    names: str = "file",
    watch: Watch | None = None,
    zscores: Any = None,  # noqa: ANN401 - a path, an open file or a frame
    floor: bool = False,
    floor_rate: float | None = None,
    **options: Any,  # noqa: ANN401 - those of `request`, checked there
) -> Scores:
    """Score every system on every case of the gold.

    `gold` and `systems` may be paths, globs, open files, dicts `{case: {item: number or label}}`, data frames of any
    library or, for labels, arrays; `systems` is one of these, a list of paths or a dict from name to any of them.
    `metrics` are names such as `nDCG(gain=exp)@10`; `task` is ranking, filtering, classification, clustering or
    organization.
    `floor` adds the outputs that ignore the gold, of filters also one that accepts every item with probability
    `floor_rate` (one half); `zscores` standardises by the scores of other systems; `watch` wraps the outputs as they are read,
    for a progress bar. The other options are those of `request`.
    """
    asked = request(metrics, **options)
    if names not in NAMES:
        raise BadUsage(usage.bad_option("names", str(names), list(NAMES)))
    check_homes(asked.task, {"floor": floor, "floor_rate": floor_rate})
    if floor_rate is not None and not floor:
        raise BadUsage(usage.goes_with(option("floor_rate"), switch("floor")))
    reference = None if zscores is None else read_reference(zscores)
    aligned = prepare(asked, gold, systems, names=names, watch=watch)
    computed = compute(aligned, asked.wanted)
    own = {"names": names, "floor": floor, "floor_rate": floor_rate, "zscores": zscores}
    labels = {"positive": asked.positive, "classes": asked.classes}
    made: dict[str, Any] = {"task": asked.task, "as": options.get("as_"), "options": said({**options, **labels, **own})}
    if floor:
        from plumbline.compute.floor import with_floor  # noqa: PLC0415 - few requests have a floor

        aligned, computed, made["floor"] = with_floor(aligned, computed, _hook(FLOOR, asked.task), floor_rate)
    return tabulate(aligned, computed, made, reference)


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was told otherwise than by default, as words and numbers that can be saved; tables in memory cannot."""
    plain = {name: _plain(value) for name, value in options.items() if name not in _ELSEWHERE and _is_plain(name, value)}
    return {name: value for name, value in plain.items() if value not in (None, []) and value != _USUAL.get(name)}


def _is_plain(name: str, value: Any) -> bool:  # noqa: ANN401 - an option of any kind
    return isinstance(value, (str, os.PathLike) if name in _SOURCES else (str, os.PathLike, Real, list, tuple, set, frozenset))


def _plain(value: Any) -> Any:  # noqa: ANN401 - an option that is plain
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, (list, tuple)):
        return [str(word) for word in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isfinite(value) else str(value)  # JSON has no infinity


def prepare(
    asked: Request,
    gold: Any,  # noqa: ANN401 - as evaluate
    systems: Any,  # noqa: ANN401 - as evaluate
    *,
    names: str = "file",
    watch: Watch | None = None,
    keep: bool = False,
) -> Alignment:
    """Everything before the scores: gold and outputs read and aligned; `keep` keeps what single items have."""
    read_in = read(gold, "gold", replace(asked.reading, tag=None))
    named = _systems(asked.task, gold, systems, read_in)
    if not named:
        raise BadUsage(usage.bad_object("the systems: there is none", "at least one system"))
    plain = _outputs(named, asked.reading, names)
    outputs = watch(plain, named) if watch else plain
    aligned: Alignment = _hook(ALIGN, asked.task)(read_in, outputs, asked.align_options(items=keep))
    return aligned


def _systems(task: Task, gold: Any, systems: Any, read_in: Table) -> dict[str, Any]:  # noqa: ANN401 - as evaluate
    """The sources of the systems by their names."""
    if task == "ranking":
        return named_systems(systems)
    if task == "organization":
        from plumbline.io.memory.organization_systems import organization_systems  # noqa: PLC0415 - this task only

        return organization_systems(gold, systems, read_in)
    if task != "clustering":
        return label_systems(gold, systems)
    from plumbline.io.memory.clusters import cluster_systems  # noqa: PLC0415 - this task only

    return cluster_systems(gold, systems, read_in)


def compute(aligned: Alignment, wanted: list[Measure]) -> Computed:
    """The values of all measures on all lists."""
    made: Computed = _hook(COMPUTE, aligned.task)(aligned, wanted)
    return made


def _hook(hooks: Mapping[str, str], task: str) -> Any:  # noqa: ANN401 - a function of the task
    """The function of a task, imported when it is needed."""
    module, _, name = hooks[task].partition(":")
    return getattr(import_module(module), name)


def _outputs(systems: dict[str, Any], options: ReadOptions, names: str) -> Iterator[tuple[str, Table]]:
    """Read one system at a time, under the name it is to have."""
    taken: dict[str, str] = {}
    for name, output in read_ahead(systems, lambda name, source: read(source, "output", options, name)):
        called = output.tag or name if names == "tag" else name
        if called in taken:
            raise BadData(table.same_name(called, taken[called], output.label))
        taken[called] = output.label
        yield called, output
