"""convert(): rewrite a file in another format."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from plumbline.errors import BadUsage, Diagnostic, files, usage
from plumbline.errors.base import plural
from plumbline.errors.faces import option, rendered
from plumbline.evaluation.inference import task_of_file
from plumbline.io.bytes.content import load
from plumbline.io.memory.compose import Composed
from plumbline.io.read import open_once, read
from plumbline.io.roles import role_of, role_of_organization
from plumbline.io.table import ReadOptions
from plumbline.io.write import role_by_suffix, write
from plumbline.options.evaluation import ReadOptions as ReadingOptions
from plumbline.options.option import checked, documented
from plumbline.render.grid import Sentences
from plumbline.render.result import Result
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from plumbline.io.table import Role


@dataclass(frozen=True, repr=False)
class Conversion(Result):
    """A file that was written in another format.

    Attributes:
        path: The file.
        rows: The number of its rows.
        role: "gold" or "output".
        role_is_known: Whether the role was given, or follows from the files; otherwise it was assumed to be an output.
        notices: What should be known about the file.

    Example:
        >>> import plumbline
        >>> conversion = plumbline.convert("bm25.run", "bm25.csv")
        >>> conversion.role, conversion.rows
        ('output', 7)
    """

    path: str
    rows: int
    role: Role
    role_is_known: bool = True
    notices: tuple[Diagnostic, ...] = ()

    def to_polars(self) -> pl.DataFrame:
        """`path, rows, role` of the file, in one row."""
        return pl.DataFrame({"path": [self.path], "rows": [self.rows], "role": [self.role]})

    def to_blocks(self) -> list[Sentences]:
        """One line about the file."""
        guessed = (
            ""
            if self.role_is_known
            else f", written as an output with scores; {rendered(option('role', 'gold'))} writes judgements"
        )
        return [Sentences((f"{self.path}: {plural(self.rows, 'row')}{guessed}",))]


@documented(ReadingOptions)
def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    task: str | None = None,
    role: Role | None = None,
    clusters: str | os.PathLike[str] | None = None,
    force: bool = False,
    label_separator: str | None = None,
    **options: Unpack[ReadingOptions],
) -> Conversion:
    r"""Rewrite a file in the format that the ending of the target names.

    Args:
        source: The file to read.
        target: The file to write, such as `run.parquet`, `run.csv` or `qrels.txt.gz`.
        task: What the file holds: "ranking", "filtering", "classification", "clustering", "organization" or "extraction". If it
            is not given, the file may show it; else it is a ranking.
        role: "gold" or "output"; if it is not given, the columns of the source and the ending of the target tell it.
        clusters: For an organization: the clusters of the items that the source ranks.
        force: Overwrite the target.
        label_separator: Split a label into several at this text, such as "|".
        **options: See `plumbline.options.evaluation.ReadOptions`.

    Returns:
        What was written: the path, the number of rows, the role and the notices.

    Raises:
        BadUsage: The target already exists, or the source and the target contradict each other.
        BadData: The source cannot be read.

    Example:
        >>> import plumbline, tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "run.csv").write_text("case,item,score\nq1,a,2.5\nq1,b,1.0\n")
        >>> plumbline.convert(folder / "run.csv", folder / "run.parquet").rows
        2
    """
    given = checked(options, ReadingOptions, "convert")
    inferred = None if task is not None or clusters is not None else _inferred(source, ReadOptions(**given))
    task = task or (inferred[0] if inferred else "ranking")
    chosen = ReadOptions(**given, label_separator=label_separator, kind=task_named(task).table)
    if clusters is not None and chosen.kind != "levels":
        raise BadUsage(usage.goes_with("clusters", "task organization"))
    opened = open_once(source, chosen)
    known = role or _role(opened, Path(target), chosen)
    kind: Role = "gold" if known == "gold" else "output"
    _check_effect(chosen, kind, task)
    table = read(opened if clusters is None else Composed(opened, clusters), kind, chosen)
    unwritten = write(table, Path(target), kind, force=force)
    noted = (*table.notices, *unwritten) if chosen.kind == "levels" else tuple(unwritten)
    notices = (*([inferred[1]] if inferred else []), *noted)
    return Conversion(str(target), len(table.frame), kind, known is not None, notices)


def _inferred(source: object, reading: ReadOptions) -> tuple[str, Diagnostic] | None:
    """The task that a file says by itself."""
    if not isinstance(source, (str, os.PathLike)):
        raise BadUsage(usage.bad_object(f"the source: a {type(source).__name__}", "a path"))
    return task_of_file(source, reading)


def _check_effect(options: ReadOptions, role: Role, task: str) -> None:
    """Refuse options that would change nothing, so that nobody relies on them."""
    if options.label_separator is not None and options.kind == "scores":
        raise BadUsage(usage.not_for_task(option("label_separator"), task, ["classification", "clustering"]))
    if options.order != "score" and options.of_labels:
        raise BadUsage(usage.not_for_task(option("order"), task, ["ranking", "organization"]))
    if options.order != "score" and role == "gold" and options.kind == "scores":
        raise BadUsage(usage.goes_with(option("order", options.order), option("role", "output")))


def _role(source: Any, target: Path, options: ReadOptions) -> Role | None:  # noqa: ANN401 - a content, or a folder
    """The role by the columns of the source and the ending of the target, which must not contradict each other."""
    if options.kind == "levels":
        return role_of_organization(source, options)
    if options.kind != "scores":
        return "gold"
    by_columns, by_suffix = role_of(load(source), options), role_by_suffix(target)
    if None not in {by_columns, by_suffix} and by_columns != by_suffix:
        raise BadUsage(files.other_role(load(source).label, str(target), gold=by_columns == "gold"))
    return by_columns or by_suffix
