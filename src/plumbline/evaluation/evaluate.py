"""evaluate(): read, align, compute, average; one way, once.

The files of a task are imported when it is asked for: a small ranking does not wait for clusterings.
"""

from __future__ import annotations

import os
from dataclasses import replace
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final, cast

from plumbline.errors import BadData, BadUsage, table, usage
from plumbline.evaluation.request import check_homes, request
from plumbline.evaluation.tabulate import tabulate
from plumbline.evaluation.zscores import read_reference
from plumbline.io.memory.systems import label_systems, named_systems
from plumbline.io.prefetch import read_ahead
from plumbline.io.read import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sized

    from plumbline.align import Evaluated
    from plumbline.align.clustered import Clustered
    from plumbline.align.filtered import Filtered
    from plumbline.align.labelled import Labelled
    from plumbline.align.lengths import Lengths
    from plumbline.compute.result import Computed
    from plumbline.evaluation.request import Request
    from plumbline.io.table import ReadOptions, Table
    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Task
    from plumbline.scores import Scores

    Watch = Callable[[Iterable[tuple[str, Table]], Sized], Iterable[tuple[str, Table]]]

NAMES: Final = ("file", "tag")
"""After what systems are called."""
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
        raise BadUsage(usage.goes_with("--floor-rate", "--floor"))
    reference = None if zscores is None else read_reference(zscores)
    aligned = prepare(asked, gold, systems, names=names, watch=watch)
    wanted = asked.wanted
    if aligned.task == "classification":
        from plumbline.compute.classification import expanded  # noqa: PLC0415 - this task only

        wanted = expanded(aligned, wanted)
    computed = compute(aligned, wanted)
    own = {"names": names, "floor": floor, "floor_rate": floor_rate, "zscores": zscores}
    labels = {"positive": asked.positive, "classes": asked.classes}
    made: dict[str, Any] = {"task": asked.task, "as": options.get("as_"), "options": said({**options, **labels, **own})}
    if floor:
        from plumbline.compute.floor import EVEN, with_floor  # noqa: PLC0415 - it knows all tasks

        labels_alone = cast("Filtered | Labelled | Clustered", aligned)  # lists have no floor, and were refused
        rate = EVEN if floor_rate is None else floor_rate
        aligned, computed, made["floor"] = with_floor(labels_alone, computed, wanted, rate)
    return tabulate(aligned, computed, wanted, made, reference)


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
) -> Evaluated:
    """Everything before the scores: gold and outputs read and aligned; `keep` keeps what single items have."""
    read_in = read(gold, "gold", replace(asked.reading, tag=None))
    named = _systems(asked.task, gold, systems, read_in)
    if not named:
        raise BadUsage(usage.bad_object("the systems: there is none", "at least one system"))
    plain = _outputs(named, asked.reading, names)
    outputs = watch(plain, named) if watch else plain
    if asked.task == "ranking":
        from plumbline.align.gold import prepare_gold  # noqa: PLC0415 - this task only
        from plumbline.align.lists import align  # noqa: PLC0415

        of_relations = [part.metric.needs == "relations" for measure in asked.wanted for part in measure.parts]
        whole, ordered = any(of_relations), not all(of_relations)
        gold_in = prepare_gold(read_in, asked.policy)
        return align(gold_in, outputs, asked.policy, _lengths(asked), whole=whole, ordered=ordered, keep=keep)
    if asked.task == "organization":
        from plumbline.align.organized import align_organizations, prepare_organization  # noqa: PLC0415 - this task only

        return align_organizations(prepare_organization(read_in), outputs, asked.policy, _lengths(asked), keep=keep)
    if asked.task == "filtering":
        return _filtered(asked, read_in, outputs)
    if asked.task == "clustering":
        return _clustered(asked, read_in, outputs, keep=keep)
    from plumbline.align.labelled import align_labels  # noqa: PLC0415 - this task only

    return align_labels(read_in, outputs, asked.policy, asked.classes, several=asked.several)


def _lengths(asked: Request) -> Lengths | None:
    """How many words items have, where that was told."""
    if asked.lengths is None:
        return None
    from plumbline.align.lengths import Lengths  # noqa: PLC0415 - few discounts only
    from plumbline.io.features.lengths import read_lengths  # noqa: PLC0415

    return Lengths(*read_lengths(asked.lengths, asked.reading.max_bytes))


def _systems(task: Task, gold: Any, systems: Any, read_in: Table) -> dict[str, Any]:  # noqa: ANN401 - as evaluate
    """The sources of the systems by their names."""
    if task == "ranking":
        return named_systems(systems)
    if task == "organization":
        from plumbline.io.memory.organization_systems import organization_systems  # noqa: PLC0415 - this task only

        return organization_systems(systems, read_in)
    if task != "clustering":
        return label_systems(gold, systems)
    from plumbline.io.memory.clusters import cluster_systems  # noqa: PLC0415 - this task only

    return cluster_systems(gold, systems, read_in)


def _filtered(asked: Request, gold: Table, outputs: Iterable[tuple[str, Table]]) -> Filtered:
    """Filters, with their scores where a metric reads them."""
    from plumbline.align.filtered import align_filters  # noqa: PLC0415 - this task only
    from plumbline.align.items import prepare_items  # noqa: PLC0415
    from plumbline.align.positives import Positives  # noqa: PLC0415

    scored = any(part.metric.needs == "scores" for measure in asked.wanted for part in measure.parts)
    positives = Positives(asked.positive, asked.level, asked.threshold)
    return align_filters(prepare_items(gold, asked.policy, several=False), outputs, asked.policy, positives, scored=scored)


def _clustered(asked: Request, read_in: Table, outputs: Iterable[tuple[str, Table]], *, keep: bool) -> Clustered:
    """Clusterings, with the features and distances of their items where they are given."""
    from plumbline.align.clustered import align_clusters  # noqa: PLC0415 - this task only
    from plumbline.align.memberships import prepare_classes  # noqa: PLC0415

    gold = prepare_classes(read_in)
    if asked.features is None and asked.distances is None:
        return align_clusters(gold, outputs, asked.policy, asked.noise, keep=keep)
    from plumbline.align.placed import place_items  # noqa: PLC0415 - only internal criteria
    from plumbline.io.features.features import read_features  # noqa: PLC0415

    most = asked.reading.max_bytes
    features = None if asked.features is None else read_features(asked.features, "features", most)
    distances = None if asked.distances is None else read_features(asked.distances, "distances", most)
    placed = place_items(gold, features, distances)
    return replace(align_clusters(gold, outputs, asked.policy, asked.noise, keep=True), placed=placed)


def compute(aligned: Evaluated, wanted: list[Measure]) -> Computed:
    """The values of all measures on all lists."""
    if aligned.task == "ranking":
        from plumbline.compute.ranking import compute_ranking  # noqa: PLC0415 - this task only

        return compute_ranking(aligned, wanted)
    if aligned.task == "filtering":
        from plumbline.compute.filtering import compute_filtering  # noqa: PLC0415 - this task only

        return compute_filtering(aligned, wanted)
    if aligned.task == "clustering":
        from plumbline.compute.clustering import compute_clustering  # noqa: PLC0415 - this task only

        return compute_clustering(aligned, wanted)
    if aligned.task == "organization":
        from plumbline.compute.relations import compute_organization  # noqa: PLC0415 - this task only

        return compute_organization(aligned, wanted)
    from plumbline.compute.classification import compute_classification  # noqa: PLC0415 - this task only

    return compute_classification(aligned, wanted)


def _outputs(systems: dict[str, Any], options: ReadOptions, names: str) -> Iterator[tuple[str, Table]]:
    """Read one system at a time, under the name it is to have."""
    taken: dict[str, str] = {}
    for name, output in read_ahead(systems, lambda name, source: read(source, "output", options, name)):
        called = output.tag or name if names == "tag" else name
        if called in taken:
            raise BadData(table.same_name(called, taken[called], output.label))
        taken[called] = output.label
        yield called, output
