"""check(): validate files without scoring; what each file is, and what is wrong or worth knowing about it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from plumbline.align.alignment import AlignOptions
from plumbline.align.judgements import prepare_judgements
from plumbline.align.ranking import align_ranking
from plumbline.errors import BadData, BadUsage, Diagnostic, Place, PlumblineError, usage, visible
from plumbline.errors.base import READ_AS, plural
from plumbline.evaluation.evaluation import Evaluation
from plumbline.evaluation.request import request
from plumbline.io.bytes.content import load
from plumbline.io.paths import is_pattern, matching, name_of, several_files
from plumbline.io.read import open_once, read
from plumbline.io.roles import role_of
from plumbline.options.evaluation import OutputOptions
from plumbline.options.option import documented
from plumbline.render.grid import Verbatim
from plumbline.render.result import Result
from plumbline.render.saving import saveable
from plumbline.schema import CASE
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.align.policy import Policy
    from plumbline.evaluation.request import Request
    from plumbline.io.table import ReadOptions, Role, Table


@saveable
@dataclass(frozen=True)
class CheckedFile:
    """What is known about one file after reading it."""

    path: str
    role: Role | None
    """Whether it holds a gold or an output; None if it could not be read."""
    rows: int
    cases: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; there may be notices."""
        return all(one.is_notice for one in self.diagnostics)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        diagnostics = [
            {
                "code": one.code,
                "text": one.text,
                "line": one.place.line if one.place else None,
                "column": one.place.column if one.place else None,
                "help": one.help,
            }
            for one in self.diagnostics
        ]
        return {"path": self.path, "role": self.role, "rows": self.rows, "cases": self.cases, "diagnostics": diagnostics}


@dataclass(frozen=True, repr=False)
class Check(Result):
    """What is known about some files after reading them.

    Attributes:
        files: The files, each with its path, role, rows, cases and diagnostics.
        task: What the files hold.

    Example:
        >>> import plumbline
        >>> checked = plumbline.check(["qrels.txt", "bm25.run"])
        >>> checked.ok, [file.role for file in checked.files]
        (True, ['gold', 'output'])
    """

    files: tuple[CheckedFile, ...]
    task: str = "ranking"

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with any file; there may be notices."""
        return all(one.ok for one in self.files)

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """The problems and notices of all files, each with its file."""
        return tuple(
            replace(diagnostic, place=diagnostic.place or Place(one.path))
            for one in self.files
            for diagnostic in one.diagnostics
        )

    def to_polars(self) -> pl.DataFrame:
        """`path, role, rows, cases, errors, notices` of each file."""
        schema = {"path": pl.String, "role": pl.String, "rows": pl.Int64, "cases": pl.Int64}
        rows = [
            (
                one.path,
                one.role,
                one.rows,
                one.cases,
                *(sum(diagnostic.is_notice is kind for diagnostic in one.diagnostics) for kind in (False, True)),
            )
            for one in self.files
        ]
        return pl.DataFrame(rows, schema={**schema, "errors": pl.Int64, "notices": pl.Int64}, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Whether all is well, and everything about each file."""
        return {"ok": self.ok, "files": self.to_data()}

    def to_data(self) -> list[Any]:
        """Everything about each file."""
        return [one.to_dict() for one in self.files]

    def to_blocks(self) -> list[Verbatim]:
        """A line for each file that can be read, and every problem with its place, once."""
        return [Verbatim("\n".join(dict.fromkeys(line for one in self.files for line in self._lines(one))))]

    def _lines(self, one: CheckedFile) -> Iterator[str]:
        if one.ok:
            reader = next((diagnostic.text for diagnostic in one.diagnostics if diagnostic.code == READ_AS), "read")
            gold = "judgements" if task_named(self.task).table == "scores" else "the gold"
            kind = gold if one.role == "gold" else "an output"
            yield f"{visible(one.path)}: fine, {kind}, {plural(one.rows, 'row')} in {plural(one.cases, 'case')}, {reader}"
        yield from (str(diagnostic) for diagnostic in one.diagnostics if diagnostic.code != READ_AS)

    def __repr__(self) -> str:
        return self.to_blocks()[0].text


@documented(OutputOptions)
def check(
    files: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    task: str | None = None,
    role: Role | None = None,
    **options: Unpack[OutputOptions],
) -> Check:
    r"""Validate files without scoring.

    Rankings: if a gold is among the files, the outputs are aligned with it. Other tasks: the first file is the gold, and the
    others are aligned with it.

    Args:
        files: One path or several, or patterns such as `runs/*.run`.
        task: What the files hold; "ranking" unless the options imply another task.
        role: For rankings: "gold" or "output", if the columns of the files do not show it.
        **options: See `plumbline.options.evaluation.OutputOptions`.

    Returns:
        The files, each with its rows, cases, problems and notices.

    Raises:
        BadUsage: An option is not known, or does not fit the task.

    Example:
        >>> import plumbline, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "run.csv"
        >>> _ = path.write_text("case,item,score\nq1,a,2.5\nq1,a,1.0\n")
        >>> checked = plumbline.check(path)
        >>> checked.ok, checked.files[0].diagnostics[0].code
        (False, 'E104')
    """
    if not isinstance(files, (str, os.PathLike, Iterable)):
        raise BadUsage(usage.bad_object(f"the files: a value of type {type(files).__name__}", "a path, or a list of paths"))
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [name for path in paths for name in (matching(str(path)) if is_pattern(path) else [str(path)])]
    wanted = request(None, task=task, **options)
    rankings = wanted.task.table == "scores"
    checked = _check_rankings(names, wanted.reading, role, wanted.policy) if rankings else _check_labels(names, wanted)
    return Check(tuple(checked), wanted.task.name)


def _check_rankings(paths: Iterable[str], options: ReadOptions, role: Role | None, policy: Policy) -> list[CheckedFile]:
    """Read every file of rankings; if judgements are among them, also align the outputs with them."""
    tables: dict[str, tuple[Role, Table]] = {}
    checked: dict[str, CheckedFile] = {}
    for path in paths:
        checked[path] = _one(path, options, role, tables)
    golds = [table for kind, table in tables.values() if kind == "gold"]
    for path, (kind, table) in tables.items():
        notices = _aligned(table, golds[0] if kind == "output" and golds else None, kind, policy)
        checked[path] = CheckedFile(path, kind, len(table.frame), table.frame[CASE].n_unique(), tuple(notices))
    return list(checked.values())


def _check_labels(paths: Iterable[str], wanted: Request) -> list[CheckedFile]:
    """Read every file of labels; the first is the gold, and the others are aligned with it."""
    gold, *outputs = paths
    tables: dict[str, tuple[Role, Table]] = {}
    checked = [_one(gold, wanted.reading, "gold", tables), *(_one(path, wanted.reading, "output", tables) for path in outputs)]
    if gold not in tables:
        return [_read_alone(one, tables) for one in checked]
    return [_labelled(one, tables, tables[gold][1], wanted) if one.path in tables else one for one in checked]


def _read_alone(one: CheckedFile, tables: dict[str, tuple[Role, Table]]) -> CheckedFile:
    """The notices of reading alone, where there is no gold to align with."""
    if one.path not in tables:
        return one
    kind, table = tables[one.path]
    return CheckedFile(one.path, kind, len(table.frame), table.frame[CASE].n_unique(), table.notices)


def _labelled(one: CheckedFile, tables: dict[str, tuple[Role, Table]], gold: Table, wanted: Request) -> CheckedFile:
    kind, table = tables[one.path]
    try:
        aligned = Evaluation(wanted, gold, {name_of(one.path): table}).alignment()
        of_gold = len(aligned.gold.notices)
        notices = aligned.gold.notices if kind == "gold" else aligned.notices[of_gold:]
    except PlumblineError as error:
        notices = error.diagnostics
    return CheckedFile(one.path, kind, len(table.frame), table.frame[CASE].n_unique(), tuple(notices))


def _one(path: str, options: ReadOptions, role: Role | None, tables: dict[str, tuple[Role, Table]]) -> CheckedFile:
    kind = role
    try:
        source = open_once(path, options)
        together = several_files(path)
        first = source if together is None else load(together[0], options.max_bytes)
        kind = kind or role_of(first, options) or "output"
        tables[path] = (kind, read(source, kind, options))
    except BadData as error:
        return CheckedFile(path, kind, 0, 0, error.diagnostics)
    return CheckedFile(path, kind, 0, 0, ())


def _aligned(table: Table, gold: Table | None, kind: Role, policy: Policy) -> list[Diagnostic]:
    """Notices of reading and aligning; without judgements an output is checked against itself."""
    try:
        if kind == "gold":
            return list(prepare_judgements(table, policy).notices)
        prepared = (
            prepare_judgements(gold, policy) if gold else prepare_judgements(table, replace(policy, on_duplicate="first"))
        )
        aligned = align_ranking(prepared, [(name_of(table.label), table)], AlignOptions(policy))
        notices = aligned.notices[len(prepared.notices) :]
        return [notice for notice in notices if gold is not None or notice.code in {"N205", "N208", "N212", "N213", "N214"}]
    except PlumblineError as error:
        return list(error.diagnostics)
