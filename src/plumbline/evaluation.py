"""evaluate(): read, align, compute, average; one way, once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from plumbline.align import (
    Aligned,
    Clustered,
    Evaluated,
    Filtered,
    Labelled,
    Lengths,
    Organized,
    Policy,
    Positives,
    align,
    align_clusters,
    align_filters,
    align_labels,
    align_organizations,
    place_items,
    prepare_classes,
    prepare_gold,
    prepare_items,
    prepare_organization,
)
from plumbline.compute.classification import compute_classification, expanded
from plumbline.compute.clustering import compute_clustering
from plumbline.compute.filtering import compute_filtering
from plumbline.compute.floor import with_floor
from plumbline.compute.internal import check_given
from plumbline.compute.ranking import compute_ranking
from plumbline.compute.relations import compute_organization, needs_relations
from plumbline.conventions import Convention, convention
from plumbline.errors import BadData, BadUsage, discounts, table, usage
from plumbline.io.ahead import read_ahead
from plumbline.io.clusters import cluster_systems
from plumbline.io.features import read_features
from plumbline.io.lengths import read_lengths
from plumbline.io.organization_systems import organization_systems
from plumbline.io.read import read
from plumbline.io.systems import label_systems, named_systems
from plumbline.io.table import ReadOptions, Table
from plumbline.metrics.names import measures, task_of
from plumbline.metrics.registry import TASKS
from plumbline.standard import read_reference
from plumbline.tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Sized

    from plumbline.align.memberships import GoldClasses
    from plumbline.compute.result import Computed
    from plumbline.metrics.measure import Measure
    from plumbline.metrics.registry import Task
    from plumbline.scores import Scores

    Watch = Callable[[Iterable[tuple[str, Table]], Sized], Iterable[tuple[str, Table]]]

DEFAULT_METRICS: Final[dict[str, tuple[str, ...]]] = {
    "ranking": ("AP", "nDCG@10", "P@10", "RR"),
    "filtering": ("F(P,R)", "P", "R", "Accuracy", "Lam", "F(Rel,Sens)"),
    "classification": ("Accuracy", "F(P,R)", "P", "R"),
    "clustering": ("F(BCubedP,BCubedR)", "BCubedP", "BCubedR", "F(Rel,Sens)", "F(Purity,InvPurity)"),
    "organization": ("F(Rel,Sens)", *(f"{name}(over={kind})" for kind in ("priority", "related") for name in ("Rel", "Sens"))),
}


@dataclass(frozen=True)
class Request:
    """What was asked for, understood and checked."""

    task: Task
    wanted: list[Measure]
    policy: Policy
    reading: ReadOptions
    positives: Positives
    classes: tuple[str, ...] | None
    several: bool
    noise: str | None = None
    """The label of items outside every cluster."""
    features: Any = None
    distances: Any = None
    lengths: Any = None
    """How many words items have, for discounts that go by time."""


def evaluate(  # noqa: PLR0913 - every decision can be made here
    gold: Any,  # noqa: ANN401 - a path, dict, frame, array or open file
    systems: Any,  # noqa: ANN401 - one or many of these
    metrics: Iterable[str] | str | None = None,
    *,
    names: str = "file",
    watch: Watch | None = None,
    zscores: Any = None,  # noqa: ANN401 - a path, an open file or a frame
    floor: bool = False,
    floor_rate: float = 0.5,
    **options: Any,  # noqa: ANN401 - those of `request`, checked there
) -> Scores:
    """Score every system on every case of the gold.

    `gold` and `systems` may be paths, globs, open files, dicts `{case: {item: number or label}}`, data frames of any
    library or, for labels, arrays; `systems` is one of these, a list of paths or a dict from name to any of them.
    `metrics` are names such as `nDCG(gain=exp)@10`; `task` is ranking, filtering, classification, clustering or
    organization.
    `floor` adds the outputs that ignore the gold, of filters also one that accepts every item with probability
    `floor_rate`; `zscores` standardises by the scores of other systems; `watch` wraps the outputs as they are read,
    for a progress bar. The other options are those of `request`.
    """
    asked = request(metrics, **options)
    reference = None if zscores is None else read_reference(zscores)
    aligned = prepare(asked, gold, systems, names=names, watch=watch)
    wanted = expanded(aligned, asked.wanted) if isinstance(aligned, Labelled) else asked.wanted
    computed = compute(aligned, wanted)
    made: dict[str, Any] = {"task": asked.task, "as": options.get("as_")}
    if floor:
        aligned, computed, made["floor"] = with_floor(aligned, computed, wanted, floor_rate)
    return tabulate(aligned, computed, wanted, made, reference)


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
    `order`, `tag`, `max_bytes`. Policies: `ties`, `on_duplicate`, `missing`, `missing_items`, `undefined`, `depth`,
    `judged_only`, `single_precision`, `seed`.
    """
    asked = [metrics] if isinstance(metrics, str) else list(metrics or ())
    chosen = _task(task, asked, positive=bool(positive) or threshold is not None)
    bundle = convention(as_)
    everywhere = {} if rel is None else {"*": {"rel": rel}}
    reading = ReadOptions(
        reader,
        order,  # type: ignore[arg-type]  # checked where it is used
        tag,
        max_bytes,
        bundle.extra_columns,
        labels=chosen not in {"ranking", "organization"},
        label_separator=label_separator,
        clusters=chosen == "clustering",
        organization=chosen == "organization",
    )
    wanted = measures(asked or DEFAULT_METRICS[chosen], {**bundle.parameters, **everywhere}, chosen)
    check_given(wanted, chosen, features, distances)
    _check_lengths(wanted, lengths)
    words = None if not positive else (positive,) if isinstance(positive, str) else tuple(map(str, positive))
    return Request(
        chosen,
        wanted,
        _policy(bundle, policies),
        reading,
        Positives(words, 1.0 if rel is None else rel, threshold),
        None if classes is None else tuple(map(str, classes)),
        several=multilabel or label_separator is not None,
        noise=None if noise is None else str(noise),
        features=features,
        distances=distances,
        lengths=lengths,
    )


def _check_lengths(wanted: list[Measure], lengths: Any) -> None:  # noqa: ANN401 - as request
    timed = [
        measure.name for measure in wanted if any(dict(part.arguments).get("discount") == "time" for part in measure.parts)
    ]
    if timed and lengths is None:
        raise BadUsage(discounts.needs_lengths(timed))


def _task(task: str | None, asked: list[str], *, positive: bool) -> Task:
    if task not in (None, *TASKS):
        raise BadUsage(usage.bad_option("task", str(task), list(TASKS)))
    if task is None:
        return "filtering" if positive else task_of(asked)
    return task


def _policy(bundle: Convention, policies: dict[str, Any]) -> Policy:
    unknown = set(policies) - set(Policy.__dataclass_fields__)
    if unknown:
        raise BadUsage(usage.bad_option("option", min(unknown), sorted(Policy.__dataclass_fields__)))
    return Policy(**{**bundle.policy, **{name: value for name, value in policies.items() if value is not None}})


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
    named = (
        cluster_systems(gold, systems, read_in)
        if asked.task == "clustering"
        else organization_systems(systems, read_in)
        if asked.task == "organization"
        else named_systems(systems)
        if asked.task == "ranking"
        else label_systems(gold, systems)
    )
    if not named:
        raise BadUsage(usage.bad_object("the systems: there is none", "at least one system"))
    plain = _outputs(named, asked.reading, names)
    outputs = watch(plain, named) if watch else plain
    lengths = None if asked.lengths is None else Lengths(*read_lengths(asked.lengths, asked.reading.max_bytes))
    if asked.task == "organization":
        return align_organizations(prepare_organization(read_in), outputs, asked.policy, lengths, keep=keep)
    if asked.task == "ranking":
        whole = any(needs_relations(part) for measure in asked.wanted for part in measure.parts)
        return align(prepare_gold(read_in, asked.policy), outputs, asked.policy, lengths, whole=whole, keep=keep)
    if asked.task == "filtering":
        items = prepare_items(read_in, asked.policy, several=False)
        scored = any(part.metric.needs == "scores" for measure in asked.wanted for part in measure.parts)
        return align_filters(items, outputs, asked.policy, asked.positives, scored=scored)
    if asked.task == "clustering":
        return _clustered(asked, prepare_classes(read_in), outputs, keep=keep)
    return align_labels(read_in, outputs, asked.policy, asked.classes, several=asked.several)


def _clustered(asked: Request, gold: GoldClasses, outputs: Iterable[tuple[str, Table]], *, keep: bool) -> Clustered:
    """Clusterings, with the features and distances of their items where they are given."""
    given = asked.features is not None or asked.distances is not None
    most = asked.reading.max_bytes
    features = None if asked.features is None else read_features(asked.features, "features", most)
    distances = None if asked.distances is None else read_features(asked.distances, "distances", most)
    placed = place_items(gold, features, distances) if given else None
    return replace(align_clusters(gold, outputs, asked.policy, asked.noise, keep=keep or given), placed=placed)


def compute(aligned: Evaluated, wanted: list[Measure]) -> Computed:
    """The values of all measures on all lists."""
    if isinstance(aligned, Aligned):
        return compute_ranking(aligned, wanted)
    if isinstance(aligned, Filtered):
        return compute_filtering(aligned, wanted)
    if isinstance(aligned, Clustered):
        return compute_clustering(aligned, wanted)
    if isinstance(aligned, Organized):
        return compute_organization(aligned, wanted)
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
