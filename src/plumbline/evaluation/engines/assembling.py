"""An evaluation on any engine: what is to be done, and the scores of everything that was done."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from plumbline.errors import BadData, BadUsage, Place, engines, table, usage
from plumbline.evaluation.engines.by_document import combined_by_document
from plumbline.evaluation.engines.by_item import combined_by_item
from plumbline.evaluation.engines.combine import combined
from plumbline.evaluation.engines.frames import Anywhere, home_of
from plumbline.evaluation.engines.job import ROW, SYSTEM_NUMBER, Job, Source, gold_rows, top_grade
from plumbline.evaluation.engines.merging import one_of_each
from plumbline.evaluation.engines.partition import partition
from plumbline.evaluation.engines.reading import check_parts
from plumbline.evaluation.engines.registry import LEAST_MEMORY
from plumbline.evaluation.engines.scoring import block_size, buckets, size_of
from plumbline.evaluation.engines.sources import Output, Shared, Work, origin_of
from plumbline.io.paths import files_of, files_together
from plumbline.schema import CASE, ITEM, LABEL, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from plumbline.errors import PlumblineError
    from plumbline.evaluation.engines.sources import Scored
    from plumbline.evaluation.evaluation import Evaluation
    from plumbline.io.table import Origin, Table
    from plumbline.schema import TableKind
    from plumbline.scores import Scores

CUT_LIST = "E700"
BUCKETS_OF_FRAMES = 256
"""In so many buckets the items of a frame on a cluster go."""
BYTES_OF_A_VIEW: Final = 16
"""Of each text, beside its letters."""
COPIES_OF_THE_GOLD: Final = {"lists": 2.5, "documents": 7.0, "items": 6.0}
"""So many times the size of its rows a gold takes, by what parts are made of: measured with 0.3 to 10 million rows."""
SHARE_OF_A_BLOCK: Final = 1 / 8
"""About so much of the memory is for the block that is being scored."""
SHARE_OF_A_TASK = 2**28
"""So many bytes of a source are worth a task of their own, where items are counted."""


def evaluate_with(
    evaluation: Evaluation, memory: int, engine: str, run: Callable[[Shared, list[Work]], Iterable[Scored]], *, by_file: bool
) -> Scores:
    """The scores of an evaluation whose sources an engine scores.

    Args:
        evaluation: What is evaluated.
        memory: How many bytes of memory a worker has.
        engine: The name of the engine, for messages.
        run: What the engine does: it scores all of these, each somewhere, and returns the results in their order.
        by_file: Whether the files of one source are scored apart; those with a list in two files are then scored together.
    """
    request = evaluation.request
    check_parts(request)
    if request.options.get("tag") is not None:
        raise BadUsage(engines.refused_option("tag", engine, "a part of a file may lack the tag"))
    if evaluation.folded is not None:
        raise BadUsage(engines.refused_option("folds", engine, "all rows are read to put them into folds"))
    gold = evaluation.read_gold()
    options = {**request.options, "task": request.task.name}
    typed = tuple(measure.typed for measure in request.measures)
    job = Job(typed, options, Source.of(gold), {}, top_grade(gold, request.task.name))
    rows = gold_rows(gold).drop_nulls(ITEM).cast({ITEM: pl.String}) if job.by_item else gold_rows(gold)
    shared = Shared(job.sent(), rows, block_size(memory))
    check_gold(gold, rows, request.task.parts, memory)
    works = [_work(name, source, request.task.table) for name, source in evaluation.named_systems(gold).items()]
    if job.by_item:
        shared = replace(shared, buckets=_buckets(works, shared.size))
    unseen = set(request.reading.column_of.values()) - gold.named_columns
    origins = {work.label: Anywhere(work.label) if home_of(work.data) else origin_of(work, shared) for work in works}
    assembly = _Assembly(job, shared, gold, origins | {gold.label: gold.origin})
    if job.by_item:
        shares = [one for work in works for one in _shares(work, shared.buckets)] if by_file else works
        return assembly.scores(run(shared, shares), unseen)
    if by_file and any(len(work.paths) > 1 for work in works):
        try:
            return assembly.scores(run(shared, [one for work in works for one in _apart(work)]), unseen)
        except BadData as error:
            if error.code != CUT_LIST:
                raise
    return assembly.scores(run(shared, works), unseen)


def check_gold(gold: Table, rows: pl.DataFrame, cut: str | None, memory: int) -> int:
    """How much memory a gold takes until the end, about; refused if little is left for the outputs.

    Args:
        gold: The gold.
        rows: Its rows.
        cut: What the parts of the task are made of.
        memory: What is allowed.

    Raises:
        BadUsage: If the gold is too large.
    """
    texts = sum(kind == pl.String for kind in rows.dtypes)
    needed = int((rows.estimated_size() + len(rows) * texts * BYTES_OF_A_VIEW) * COPIES_OF_THE_GOLD.get(cut or "", 1))
    least = int((needed + LEAST_MEMORY // 2) / (1 - SHARE_OF_A_BLOCK))
    if least > max(memory, LEAST_MEMORY):
        raise BadUsage(engines.large_gold(gold.label, len(rows), needed, memory, least))
    return needed


def _work(name: str, source: Any, kind: TableKind) -> Work:
    paths = paths_of(source, kind)
    if paths is None:
        return Work(name, name, data=source)
    return Work(name, os.fspath(source), tuple(paths))


def paths_of(source: Any, kind: TableKind) -> list[Path] | None:
    """The files of a source, as a reader of tables of this kind lists them; None for data in memory."""
    together = files_together(source, tables=True) if kind in {"clusters", "spans"} else None
    return together or files_of(source)


def _buckets(works: list[Work], size: int) -> int:
    """In how many buckets the items go, so that those of the largest source are about a block each."""
    if any(home_of(work.data) for work in works):
        return BUCKETS_OF_FRAMES
    return max(buckets(work.paths, size) for work in works)


def _shares(work: Work, count: int) -> list[Work]:
    """A task for each part of a large source: each reads all of it, and keeps the items of some buckets."""
    tasks = max(1, min(count, sum(map(size_of, work.paths)) // SHARE_OF_A_TASK))
    return [replace(work, share=(at, tasks)) for at in range(tasks)]


def _apart(work: Work) -> list[Work]:
    if not work.paths:
        return [work]
    return [replace(work, paths=(path,), first_file=at) for at, path in enumerate(work.paths)]


class _Assembly:
    """Puts together what workers hand back."""

    def __init__(self, job: Job, shared: Shared, gold: Table, origins: dict[str, Origin | None]) -> None:
        self.job = job
        self.shared = shared
        self.gold = gold
        self.origins = {label: origin for label, origin in origins.items() if origin is not None}

    def scores(self, scored: Iterable[Scored], unseen: set[str]) -> Scores:
        """The scores of everything, with systems in the order in which they were given."""
        parts: list[Any] = [self._gold_part()] if self.job.request.task.parts == "lists" else []
        outputs, error = dict[tuple[str, str | None], Output](), None
        for one in scored:
            error = one.error
            if error is None:
                unseen = unseen - one.named_columns
                try:
                    numbers = {at: _number(outputs, output) for at, output in enumerate(one.outputs)}
                except BadData as several:
                    error = several
            if error is not None:
                outputs = {key: output for key, output in outputs.items() if key[0] != one.name}
                break
            parts += [part.renumbered(numbers) for part in one.parts]
        systems, same_name = self._systems(list(outputs.values()))
        error = same_name or error or (BadUsage(usage.no_such_columns(sorted(unseen))) if unseen else None)
        origins = {
            **self.origins,
            **{
                one.label: self.origins[one.label.rpartition(", ")[0]]
                for one in systems.values()
                if one.label.rpartition(", ")[0] in self.origins
            },
        }
        job = replace(self.job, systems=systems)
        if job.by_item:
            return combined_by_item(job, self.gold, self.shared, parts, origins, error)
        if job.by_document:
            return combined_by_document(job, self.gold, parts, origins, error)
        return combined(job, parts, origins, error)

    def _gold_part(self) -> Any:
        """The gold alone, once: its notices, its errors, and the scores of a system that lacks a case."""
        levels = {LABEL: pl.String} if self.job.request.task.name == "organization" else {}
        schema = {ROW: pl.Int64, SYSTEM_NUMBER: pl.Int32, CASE: pl.String, ITEM: pl.String, VALUE: pl.Float64, **levels}
        part = partition(self.shared.job, self.shared.gold, pl.DataFrame(schema=schema))
        if part.problems:
            combined(self.job, [part], self.origins)
        return part

    def _systems(self, outputs: list[Output]) -> tuple[dict[str, Source], PlumblineError | None]:
        """The systems by name; if two have the same, those before the second one, and the error about it."""
        by_tag = self.job.options.get("names") == "tag"
        systems: dict[str, Source] = {}
        for output in outputs:
            tags = [other.tag for other in outputs if other.name == output.name]
            several = len(tags) > 1
            if several and output.tag is None:
                return systems, BadData(table.no_tag(Place(output.label), [str(tag) for tag in tags if tag is not None]))
            called = output.tag or output.name if by_tag or several else output.name
            label = f"{output.label}, {output.tag}" if several else output.label
            if called in systems:
                return systems, BadData(table.same_name(called, systems[called].label, label))
            systems[called] = Source(
                label, output.reader, output.tag, tuple(one_of_each(output.notices)), output.empty_cases, output.probabilities
            )
        return systems, None


def _number(outputs: dict[tuple[str, str | None], Output], output: Output) -> int:
    """The number of a system, which may have turned up in another file before."""
    key = (output.name, output.tag)
    known = outputs.get(key)
    if known is None and output.reader == "trec" and any(name == output.name for name, _ in outputs):
        raise BadData(
            table.several_tags_of_files(output.label, [str(tag) for name, tag in (*outputs, key) if name == output.name])
        )
    outputs[key] = (
        output
        if known is None
        else replace(known, notices=(*known.notices, *output.notices), empty_cases=(*known.empty_cases, *output.empty_cases))
    )
    return list(outputs).index(key)
