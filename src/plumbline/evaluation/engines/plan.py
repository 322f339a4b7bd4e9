"""What an evaluation would do, in words, before it does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.errors.base import plural
from plumbline.evaluation.engines.assembling import SHARE_OF_A_TASK, check_gold, paths_of
from plumbline.evaluation.engines.job import gold_rows
from plumbline.evaluation.engines.registry import bytes_of, chosen_engine
from plumbline.evaluation.engines.scoring import block_size
from plumbline.io.paths import is_file

if TYPE_CHECKING:
    from plumbline.evaluation.evaluation import Evaluation


def explained(evaluation: Evaluation, engine: str | None = None, memory: str | float | None = None) -> str:
    """The engine, the files and the blocks of an evaluation; the gold is read, and no output is.

    Args:
        evaluation: What is to be evaluated.
        engine: The engine that was asked for, if any.
        memory: The memory that was allowed, if it was.

    Returns:
        A few lines of text.
    """
    allowed, task = bytes_of(memory), evaluation.request.task
    chosen = chosen_engine(evaluation, engine, allowed)
    gold = evaluation.read_gold()
    sources = evaluation.named_systems(gold)
    paths = [path for source in sources.values() for path in paths_of(source, task.table) or ()]
    sizes = [path.stat().st_size if is_file(path) else 0 for path in paths]
    size = block_size(allowed)
    by_item = task.parts == "items"
    needed = 0 if chosen is None else check_gold(gold, gold_rows(gold), task.parts, allowed)
    kept = f", kept in memory: about {needed:,} bytes with what is made of it" if needed else ", kept in memory"
    lines = [
        f"gold: {plural(len(gold.frame), 'row')}{kept}",
        f"outputs: {plural(len(sources), 'source')}, {plural(len(paths), 'file')}, {sum(sizes):,} bytes",
        f"memory: {allowed:,} bytes",
    ]
    if chosen is None:
        why = "" if task.parts else f"; the task {task.name} has no parts"
        return "\n".join([*lines, f"engine: none, one output after the other is read as a whole{why}"])
    blocks = sum(-(-one // size) for one in sizes)
    each = (
        f"a task for each {SHARE_OF_A_TASK:,} bytes of a source"
        if by_item
        else f"a task for each of {plural(len(paths), 'file')}"
    )
    where = "one after the other" if chosen == "local" else each
    what = "documents" if task.parts == "documents" else "lists"
    scattered = f"{what} that are scattered over a file go to buckets on disk first, which take up to the size of the rows"
    if by_item:
        scattered = "items that are alike are counted together; of several blocks, rows go to buckets on disk first, by item"
    return "\n".join([*lines, f"engine: {chosen}, {where}, about {plural(blocks, 'block')} of {size:,} bytes", scattered])
