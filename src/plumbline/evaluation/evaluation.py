"""Gold and systems brought together, once, for everything that looks at them: scores, explanations, figures, reports."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Unpack, cast

from plumbline.deferred import replaced
from plumbline.errors import BadData, BadUsage, notices, reports, table, usage
from plumbline.evaluation.request import request
from plumbline.evaluation.tabulate import tabulate
from plumbline.evaluation.zscores import read_reference
from plumbline.io.memory.compose import Composed
from plumbline.io.paths import exists
from plumbline.io.prefetch import read_ahead
from plumbline.io.read import read
from plumbline.io.rows import systems_of
from plumbline.metrics.names import listed
from plumbline.options.evaluation import EvaluateOptions
from plumbline.options.option import recorded
from plumbline.schema import VALUE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import polars as pl

    from plumbline.align.alignment import Alignment, AlignOptions
    from plumbline.compute.computed import Computed
    from plumbline.errors import Diagnostic
    from plumbline.evaluation.folded import Folded
    from plumbline.evaluation.request import Request
    from plumbline.evaluation.tabulate import Tabulated
    from plumbline.io.listed import Sought
    from plumbline.io.table import Table
    from plumbline.metrics.measure import Measure
    from plumbline.scores import Scores


FIRST_TASK: Final = "ranking"
"""The task unless another is named, or follows from the metrics, the options or the gold."""


class PreparedGold(NamedTuple):
    """The gold as it was read, and as the alignment of its task takes it."""

    table: Table
    ready: Any

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """Notices about the gold alone."""
        notices: tuple[Diagnostic, ...] = self.ready.notices
        return notices


class Evaluation:
    """A request with its gold and its systems, which are read and aligned when they are first needed, and kept.

    Attributes:
        request: What was requested.
        gold: Where the gold comes from.
        systems: Where the outputs come from.
        remarks: Notices about the request.
        change: What is done to the gold after it was read, such as noise; None if nothing is.
        folded: The folds that gold and systems were put into; None without folds.
    """

    def __init__(
        self,
        request: Request,
        gold: Any,
        systems: Any,
        remarks: tuple[Diagnostic, ...] = (),
        *,
        change: Callable[[Table], Table] | None = None,
        prepared: PreparedGold | None = None,
    ) -> None:
        self.request = request
        self.gold = gold
        self.systems = systems
        self.remarks = remarks
        self.change = change
        self._prepared = prepared
        self._alignment: Alignment | None = None
        self._made_with: AlignOptions | None = None
        self.folded: Folded | None = None

    def alignment(self, needs: Iterable[str] = (), *, items: bool = False) -> Alignment:
        """The systems aligned with the gold.

        Args:
            needs: Views to prepare beside those of the requested metrics, by the names that metrics give them.
            items: Whether to keep which item is which.

        Returns:
            The alignment that is kept, unless it lacks something that is needed now: then files are read again.
        """
        wanted = self.request.align_options(needs, items=items)
        made = self._made_with
        if self._alignment is not None and made is not None:
            if wanted.needs <= made.needs and wanted.items <= made.items:
                return self._alignment
            if not self._can_be_read_again():
                raise BadUsage(reports.read_once())
            wanted = replace(wanted, needs=wanted.needs | made.needs, items=wanted.items or made.items)
        self._alignment, self._made_with = self._align(wanted), wanted
        return self._alignment

    @property
    def has_items(self) -> bool:
        """Whether the alignment that is kept knows which item is which."""
        return self._made_with is not None and self._made_with.items

    def can_align(self, needs: Iterable[str]) -> bool:
        """Whether these views can be prepared: they are there already, or gold and systems can be read again."""
        wanted, made = self.request.align_options(needs), self._made_with
        is_there = made is not None and wanted.needs <= made.needs and wanted.items <= made.items
        return made is None or is_there or self._can_be_read_again()

    def _can_be_read_again(self) -> bool:
        return (self._prepared is not None or can_be_read_again(self.gold)) and can_be_read_again(self.systems)

    def of_systems(self, systems: Any, prepared: PreparedGold) -> Evaluation:
        """The same evaluation of other systems, with a gold that is read and prepared already."""
        return Evaluation(self.request, self.gold, systems, self.remarks, change=self.change, prepared=prepared)

    def of_alignment(self, gold: Any, aligned: Alignment) -> Evaluation:
        """The same evaluation with another gold, of systems that are aligned with it already."""
        made = Evaluation(self.request, gold, self.systems, self.remarks)
        made._alignment, made._made_with = aligned, self._made_with
        return made

    def scores(self, metrics: Iterable[str] | None = None) -> Scores:
        """The scores by the requested metrics, or by others."""
        scores = self.tabulated(metrics).scores(self)
        return scores if self.folded is None else self.folded.described(scores)

    def tabulated(self, metrics: Iterable[str] | None = None) -> Tabulated:
        """The values and means by the requested metrics, or by others."""
        request = self.request if metrics is None else self.request.for_metrics(metrics)
        reference = reference_of(request.options)
        aligned = self.alignment(part.metric.needs for measure in request.measures for part in measure.parts)
        return tabulated(aligned, request, request.options, reference)

    def read_gold(self) -> Table:
        """Read the gold, with what was noticed about the request."""
        reading = self.request.reading
        gold = read(self.gold, "gold", reading if reading.tag is None else replace(reading, tag=None))
        gold = self.change(gold) if self.change is not None else gold
        if reading.label_separator is not None and not _has_several_labels(gold):
            idle = notices.idle_separator(gold.label, reading.label_separator)
            gold = replaced(gold, notices=(*gold.notices, idle))
        return replaced(gold, notices=(*self.remarks, *gold.notices)) if self.remarks else gold

    def prepare(self) -> PreparedGold:
        """Read the gold, and work out what holds for every system."""
        task, gold = self.request.task, self.read_gold()
        return PreparedGold(gold, task.hook("prepare")(gold, self.request.policy) if task.has("prepare") else gold)

    def in_folds(self, given: Any) -> Evaluation:
        """The same evaluation with a case for each fold; gold and outputs are read now."""
        from plumbline.evaluation.folded import Folded, fold_column  # noqa: PLC0415 - few evaluations have folds

        request = replace(self.request, reading=replace(self.request.reading, fold_column=fold_column(given)))
        reader = Evaluation(request, self.gold, self.systems, change=self.change)
        gold = reader.read_gold()
        outputs = dict(reader.outputs(reader.named_systems(gold), gold))

        def make(table: Table, systems: dict[str, Table]) -> Evaluation:
            return Evaluation(request, table, systems, self.remarks)

        folded = Folded.of(given, gold, outputs, make)
        made = make(*folded.tables())
        made.folded = folded
        return made

    def _align(self, options: AlignOptions) -> Alignment:
        task, prepared = self.request.task, self._prepared or self.prepare()
        named = self.named_systems(prepared.table)
        sought = task.hook("sought")(prepared.ready, options) if task.has("sought") else None
        outputs = self.outputs(named, prepared.table, sought)
        watch = self.request.options.get("watch")
        aligned: Alignment = task.hook("align")(prepared.ready, watch(outputs, named) if watch else outputs, options)
        return aligned

    def named_systems(self, gold: Table) -> dict[str, Any]:
        """The systems by name, at least one."""
        named: dict[str, Any] = self.request.task.hook("systems")(self.gold, self.systems, gold)
        if not named:
            raise BadUsage(usage.bad_object("the systems: there are none", "at least one system"))
        return named

    def outputs(self, systems: dict[str, Any], gold: Table, sought: Sought | None = None) -> Iterator[tuple[str, Table]]:
        """Read one system at a time, under the name that it is to have; of large runs perhaps only what is sought."""
        reading = replace(self.request.reading, role="output", several_systems=True, sought=sought)
        by_tag = self.request.options.get("names") == "tag"
        taken: dict[str, str] = {}
        unseen = set(reading.column_of.values()) - gold.named_columns
        for name, read_output in read_ahead(systems, lambda name, source: read(source, "output", reading, name)):
            unseen -= read_output.named_columns
            parts = systems_of(read_output)
            for output in parts:
                if gold.reader == "array":
                    check_length(output, gold.rows)
                called = output.tag or name if by_tag or len(parts) > 1 else name
                if called in taken:
                    raise BadData(table.same_name(called, taken[called], output.label))
                taken[called] = output.label
                yield called, output
        if unseen:
            raise BadUsage(usage.no_such_columns(sorted(unseen)))


def how_made(request: Request, options: Mapping[str, Any]) -> dict[str, Any]:
    """What scores remember about the request."""
    labels = {"positive": request.positive, "classes": request.classes}
    return {
        "task": request.task.name,
        "as": options.get("as_"),
        "options": recorded({**options, **labels}, EvaluateOptions),
    }


def _has_several_labels(gold: Table) -> bool:
    """Whether an item of the gold has more than one label or cluster."""
    labels = gold.frame[VALUE]
    return hasattr(labels.dtype, "inner") and bool((labels.list.len() > 1).any())


def check_length(output: Table, rows: int) -> None:
    """Values of an array belong to those of a gold that is an array, too, by their place; `rows` are those of the gold."""
    if output.reader == "array" and output.rows != rows:
        raise BadData(table.different_lengths(output.label, output.rows, rows))


def evaluation_of(
    gold: Any,
    systems: Any,
    metrics: Iterable[str] | str | None = None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    """The evaluation of these systems; nothing is read yet, unless there are folds."""
    made = _evaluation_of(gold, systems, metrics, **options)
    return made if options.get("folds") is None else made.in_folds(options["folds"])


def _evaluation_of(
    gold: Any,
    systems: Any,
    metrics: Iterable[str] | str | None,
    **options: Unpack[EvaluateOptions],
) -> Evaluation:
    if options.get("task") is not None:
        return Evaluation(request(metrics, **options), gold, systems)
    names = listed(metrics)
    try:
        wanted = request(names, **options)
    except BadUsage:  # `F(P,R)` lacks the cutoffs of a ranking, but the gold may be no ranking
        wanted = request((), **options)
        if (task := _task_of_gold(gold, systems, names, wanted)) is None:
            raise
    else:
        task = _task_of_gold(gold, systems, names, wanted)
    if task is None:
        return Evaluation(wanted, gold, systems)
    with_task = cast("EvaluateOptions", {**options, "task": task[0]})
    return Evaluation(request(names, **with_task), gold, systems, (task[1],))


def _task_of_gold(
    gold: Any,
    systems: Any,
    metrics: list[str],
    wanted: Request,
) -> tuple[str, Diagnostic] | None:
    """Another task than that of the metrics, where the gold says so, and a notice about it."""
    from plumbline.evaluation.inference import has_several_classes, inferred_task  # noqa: PLC0415 - where no task is named

    given = wanted.options
    is_filter = bool(given.get("positive")) or given.get("threshold") is not None
    is_unsure = wanted.task.name == "filtering" and not is_filter and has_several_classes(gold)
    any_task = wanted.task.name == FIRST_TASK or is_unsure
    inferred = inferred_task(gold, systems, metrics, wanted.reading, any_task=any_task)
    return None if inferred is None or inferred[0] == wanted.task.name else inferred


def reference_of(options: Mapping[str, Any]) -> pl.DataFrame | None:
    """The scores that z-scores refer to, if there are to be any."""
    return None if options.get("zscores") is None else read_reference(options["zscores"])


def tabulated(
    aligned: Alignment, request: Request, options: Mapping[str, Any], reference: pl.DataFrame | None = None
) -> Tabulated:
    """The values and means of everything that is aligned, and of the floor where it is wanted."""
    computed, made = compute(aligned, request.measures), how_made(request, options)
    if options.get("floor"):
        from plumbline.compute.floor import with_floor  # noqa: PLC0415 - few requests have a floor

        floor = request.task.hook("floor")
        aligned, computed, made["floor"] = with_floor(aligned, computed, floor, options.get("floor_rate"))
    return tabulate(aligned, computed, made, reference)


def compute(aligned: Alignment, measures: list[Measure]) -> Computed:
    """The values of all measures on all lists."""
    computed: Computed = task_named(aligned.task).hook("compute")(aligned, measures)
    return computed


def can_be_read_again(source: Any) -> bool:
    """Whether a source gives the same data a second time; pipes, open files and iterators do not."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return os.fspath(source) != "-" and (not exists(path) or path.is_file() or path.is_dir())
    if isinstance(source, Composed):
        return can_be_read_again(source.priority) and can_be_read_again(source.clusters)
    if isinstance(source, dict):
        return all(map(can_be_read_again, source.values()))
    if isinstance(source, (list, tuple)):
        return all(map(can_be_read_again, source))
    return not hasattr(source, "read") and not hasattr(source, "__next__")
