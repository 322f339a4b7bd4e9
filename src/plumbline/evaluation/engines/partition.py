"""partition(): the scores of some cases, and the facts of which notices and errors are made; no files, and no other parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import polars as pl

from plumbline.align.judgements import Judgements
from plumbline.errors import BadData, PlumblineError
from plumbline.evaluation.engines.job import GOLD, ROW, SYSTEM_NUMBER, RowOrigin, RowPlace, in_order, starts_of_lists, token
from plumbline.io.table import Table
from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.align.alignment import Alignment
    from plumbline.errors import Diagnostic
    from plumbline.evaluation.engines.job import Job
    from plumbline.evaluation.request import Request

NOBODY: Final = "\0nobody"
"""The name of a system that lacks every case: its values are those of every system that lacks a case."""
LAST: Final = 2**31
"""Stands for all systems: what went wrong after they were aligned."""
MISSING: Final = frozenset({"N201", "N214"})
"""Notices about missing cases: only all parts together know which cases a system lacks."""


class Fact(NamedTuple):
    """What a diagnostic is made of."""

    code: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """An error: of the gold (-1), of a system by its number, or after all systems were aligned."""

    system: int
    is_data: bool
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Part:
    """What a part hands over: tables of a row for each case or list, and facts."""

    cases: pl.DataFrame
    """`case, row` and a column for each measure: the cases of the gold, where each begins, and the scores of no output."""
    values: pl.DataFrame
    """`number, case` and a column for each measure: the lists that there are."""
    extra: pl.DataFrame
    """`number, case, row`: cases that the gold lacks."""
    facts: tuple[Fact, ...] = ()
    problems: tuple[Problem, ...] = ()

    def renumbered(self, numbers: Mapping[int, int]) -> Part:
        """The same with other numbers of systems."""
        if all(old == new for old, new in numbers.items()):
            return self
        number = pl.col(SYSTEM_NUMBER).replace_strict(dict(numbers), return_dtype=pl.Int32)
        names = {token(old): token(new) for old, new in numbers.items()}
        return replace(
            self,
            values=self.values.with_columns(number),
            extra=self.extra.with_columns(number),
            facts=tuple(_renamed(fact, names) for fact in self.facts),
            problems=tuple(
                replace(
                    one, system=numbers.get(one.system, one.system), facts=tuple(_renamed(fact, names) for fact in one.facts)
                )
                for one in self.problems
            ),
        )


def _renamed(fact: Fact, names: Mapping[str, str]) -> Fact:
    def real(value: Any) -> Any:
        if isinstance(value, RowPlace):
            return replace(value, path=names.get(value.path, value.path))
        return names.get(value, value) if isinstance(value, str) else value

    return Fact(fact.code, tuple(map(real, fact.args)), {name: real(value) for name, value in fact.kwargs.items()})


def partition(job: Job, gold: pl.DataFrame, outputs: pl.DataFrame) -> Part:
    """Score some cases.

    Args:
        job: The request and the systems.
        gold: `case, item, value, row` and further columns that the gold has: every row of some cases. A case without items
            is a row without an item.
        outputs: `number, case, item, value, row`: every row of some lists, of which one is what a system returned for a case.

    Returns:
        The scores of these lists, and the facts about them.
    """
    request = job.request
    known = gold.group_by(CASE, maintain_order=True).agg(pl.col(ROW).min()).sort(ROW, CASE)
    outputs = in_order(outputs)
    first = starts_of_lists(outputs).group_by(SYSTEM_NUMBER, CASE, maintain_order=True).agg(pl.col(ROW).min())
    extra = first.join(known, on=CASE, how="anti", maintain_order="left")
    unscored = Part(known, first.join(known, on=CASE, how="semi", maintain_order="left").drop(ROW), extra)
    if known.is_empty():
        return unscored
    gold_table = _gold_table(job, gold)
    judged = outputs if extra.is_empty() else outputs.join(known, on=CASE, how="semi", maintain_order="left")
    tables = _output_tables(job, judged)
    try:
        ready = _prepared(job, gold_table)
    except BadData as error:
        return replace(unscored, problems=(_problem(error, -1),))
    nobody = replace(gold_table, frame=_no_rows(outputs), label=NOBODY, empty_cases=tuple(known[CASE]), notices=())
    try:
        aligned = _aligned(request, ready, [*tables.values(), nobody])
    except PlumblineError:
        return replace(unscored, problems=tuple(_problems_of_each(request, ready, tables)))
    try:
        computed = request.task.hook("compute")(aligned, request.measures)
    except PlumblineError as error:
        return replace(unscored, problems=(_problem(error, LAST),))
    columns = [_column(measure.name, computed.array(measure)) for measure in request.measures]
    lists = pl.DataFrame(
        [
            pl.Series(SYSTEM_NUMBER, np.repeat([*tables, -1], len(aligned.cases)), dtype=pl.Int32),
            pl.Series(CASE, aligned.cases * (len(tables) + 1), dtype=pl.String),
            *columns,
        ]
    )
    absent = lists.filter(pl.col(SYSTEM_NUMBER) == -1).drop(SYSTEM_NUMBER)
    return Part(
        known.join(absent, on=CASE, how="left", maintain_order="left"),
        lists.filter(pl.Series(~aligned.missing)),
        extra,
        _facts([*aligned.notices, *computed.notices]),
    )


def _prepared(job: Job, gold: Table) -> Any:
    if not job.request.task.has("prepare"):
        return gold
    ready = job.request.task.hook("prepare")(gold, job.request.policy)
    return replace(ready, least_top_grade=job.top_grade) if isinstance(ready, Judgements) else ready


def _gold_table(job: Job, gold: pl.DataFrame) -> Table:
    """The gold as its reader would have made it, with its rows in the order of the source."""
    ordered = in_order(gold)
    items = ordered.drop_nulls(ITEM)
    empty = tuple(ordered.filter(pl.col(ITEM).is_null())[CASE].unique(maintain_order=True))
    frame = items.drop(ROW).with_columns(pl.col(CASE).cast(pl.Categorical))
    return Table(frame, GOLD, job.gold.reader, RowOrigin(GOLD, items[ROW]), empty_cases=empty)


def _output_tables(job: Job, outputs: pl.DataFrame) -> dict[int, Table]:
    """The systems that have rows here, by number."""
    sources = list(job.systems.values())
    tables = {}
    for (number,), rows in sorted(outputs.partition_by(SYSTEM_NUMBER, as_dict=True).items()):
        ordered = in_order(rows)
        frame = ordered.drop(ROW, SYSTEM_NUMBER).with_columns(pl.col(CASE).cast(pl.Categorical))
        origin = RowOrigin(token(number), ordered[ROW])
        tables[int(number)] = Table(frame, token(number), sources[number].reader, origin)
    return tables


def _no_rows(outputs: pl.DataFrame) -> pl.DataFrame:
    return outputs.clear().drop(ROW, SYSTEM_NUMBER).with_columns(pl.col(CASE).cast(pl.Categorical))


def _aligned(request: Request, ready: Any, tables: list[Table]) -> Alignment:
    options = replace(request.align_options(), partial=True, policy=replace(request.policy, missing="worst"))
    aligned: Alignment = request.task.hook("align")(ready, ((table.label, table) for table in tables), options)
    return aligned


def _problems_of_each(request: Request, ready: Any, tables: dict[int, Table]) -> Iterable[Problem]:
    """The errors of all systems, of which a joint alignment raises only the first."""
    for number, table in tables.items():
        try:
            _aligned(request, ready, [table])
        except PlumblineError as error:
            yield _problem(error, number)


def _problem(error: PlumblineError, system: int) -> Problem:
    return Problem(system, isinstance(error, BadData), tuple(map(_fact, error.diagnostics)))


def _facts(notices: list[Diagnostic]) -> tuple[Fact, ...]:
    facts = map(_fact, notices)
    return tuple(fact for fact in facts if NOBODY not in fact.args and (fact.code not in MISSING or GOLD in fact.args))


def _fact(diagnostic: Diagnostic) -> Fact:
    args, kwargs = diagnostic.facts or ((), {})
    return Fact(diagnostic.code, args, kwargs)


def _column(name: str, values: Any) -> pl.Series:
    is_text = values.dtype == np.object_
    return pl.Series(name, values.tolist() if is_text else values, dtype=pl.String if is_text else pl.Float64)
