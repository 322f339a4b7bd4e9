"""combined(): the parts of an evaluation become its scores, with the notices and errors that the whole would have had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.align.alignment import Alignment
from plumbline.align.missing import missing_case_notices
from plumbline.compute.computed import Computed
from plumbline.errors import BadData, BadUsage, Diagnostic, Place, engines, notices, table
from plumbline.errors.base import MOST_SHOWN
from plumbline.evaluation.engines.job import GOLD, ROW, SYSTEM_NUMBER, RowPlace, token
from plumbline.evaluation.engines.merging import made, merged
from plumbline.evaluation.engines.partition import LAST
from plumbline.evaluation.evaluation import how_made, reference_of
from plumbline.evaluation.tabulate import tabulate
from plumbline.schema import CASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from plumbline.errors import PlumblineError
    from plumbline.evaluation.engines.job import Job
    from plumbline.evaluation.engines.partition import Part, Problem
    from plumbline.io.table import Origin
    from plumbline.scores import Scores


@dataclass(frozen=True)
class _Gold:
    """What is left of the gold."""

    label: str
    cases: list[str]
    notices: tuple[Diagnostic, ...]


def combined(
    job: Job, parts: Iterable[Part], origins: Mapping[str, Origin] | None = None, error: PlumblineError | None = None
) -> Scores:
    """Put parts together.

    Args:
        job: The request and the systems.
        parts: All parts, in any order. A list is in one part; a case of the gold may be in several.
        origins: Where the rows of the gold and of each system are, for messages that name one; by the label of the source.
        error: What went wrong after these systems were read.

    Returns:
        What `evaluate` returns for the whole.

    Raises:
        BadData: If the data is wrong somewhere, with the diagnostics that `evaluate` gives.
        BadUsage: If the request does not fit the data.
    """
    every = list(parts)
    real = _real(job, origins or {})
    problems = [problem for part in every for problem in part.problems]
    _raise_first([problem for problem in problems if problem.system < 0], real)
    gold = pl.concat([part.cases for part in every if len(part.cases)] or [every[0].cases], how="diagonal")
    gold = gold.sort(ROW, CASE).unique(CASE, keep="first", maintain_order=True)
    cases = gold[CASE].to_list()
    codes = {case: code for code, case in enumerate(cases)}
    values = pl.concat([part.values for part in every if len(part.values)] or [every[0].values], how="diagonal")
    values = values.filter(pl.col(SYSTEM_NUMBER) < len(job.systems))
    place = _places(job, values, codes)
    missing = np.ones(len(job.systems) * len(cases), dtype=np.bool_)
    missing[place] = False
    extra = pl.concat([part.extra for part in every]).sort(ROW, CASE).unique([SYSTEM_NUMBER, CASE], maintain_order=True)
    facts = merged((fact for part in every for fact in part.facts), codes)
    messages = [*job.gold.notices, *(made(fact, real) for fact in facts.get(GOLD, ()))]
    known = _Gold(job.gold.label, cases, tuple(messages))
    for number, source in enumerate(job.systems.values()):
        _raise_first([problem for problem in problems if problem.system == number], real)
        absent = missing[number * len(cases) : (number + 1) * len(cases)]
        strange = extra.filter(pl.col(SYSTEM_NUMBER) == number)[CASE].to_list()
        if absent.all() and not set(source.empty_cases) & codes.keys():
            raise BadData(table.no_common_case(source.label, known.label, cases, strange))
        about = {fact.code: made(fact, real) for fact in facts.get(token(number), ())}
        before = [about.pop(code) for code in ("N208",) if code in about]
        before += [notices.extra_cases(source.label, strange)] if strange else []
        before += missing_case_notices(cases, source.label, absent, job.request.policy, source.empty_cases)
        messages += [*source.notices, *before, *about.values()]
    if error is not None:
        raise error
    _raise_first([problem for problem in problems if problem.system == LAST], real)
    aligned = Alignment(
        gold=known,
        systems=tuple(job.systems),
        tags=tuple(source.tag for source in job.systems.values()),
        missing=missing,
        policy=job.request.policy,
        notices=tuple(messages),
    )
    arrays = {
        measure.name: _array(gold[measure.name], values[measure.name] if len(values) else None, place, len(job.systems))
        for measure in job.request.measures
    }
    computed = Computed.of(arrays, len(missing), job.request.measures, tuple(made(fact, real) for fact in facts.get("", ())))
    return tabulate(aligned, computed, how_made(job.request, job.options), reference_of(job.options)).scores()


def _places(job: Job, values: pl.DataFrame, codes: Mapping[str, int]) -> NDArray[np.int64]:
    """The number of each list; no list may be in two parts."""
    case = np.fromiter(map(codes.__getitem__, values[CASE]), np.int64, len(values))
    place = values[SYSTEM_NUMBER].to_numpy().astype(np.int64) * len(codes) + case
    ordered = np.sort(place)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        number, code = divmod(int(twice[0]), len(codes))
        name = list(job.systems)[number]
        raise BadData(engines.cut_list(job.systems[name].label, list(codes)[code], len(np.unique(twice))))
    return place


def _array(absent: pl.Series, values: pl.Series | None, place: NDArray[np.int64], systems: int) -> NDArray[Any]:
    """The values of all lists: those of lists that there are, and of no output for all others."""
    if absent.dtype == pl.String:
        filled = np.array(absent.to_list() * systems, dtype=np.object_)
        filled[place] = [] if values is None else values.to_list()
        return filled
    numbers = np.tile(absent.to_numpy(), systems)
    if values is not None:
        numbers[place] = values.to_numpy()
    return numbers


def _raise_first(problems: Sequence[Problem], real: Callable[[Any], Any]) -> None:
    """Raise the errors of one source together, as the whole would have named them: the first rows first."""
    if not problems:
        return
    usage = [problem for problem in problems if not problem.is_data]
    if usage:
        raise BadUsage(*(made(fact, real) for fact in usage[0].facts))
    facts = [fact for problem in problems for fact in problem.facts]
    codes = {fact.code for fact in facts}
    if len(codes) == 1 and all(_row(fact.args) >= 0 for fact in facts):
        shown = sorted({_row(fact.args): fact for fact in facts}.items())[:MOST_SHOWN]
        named = [made(fact, real) for _, fact in shown]
        raise BadData(*named, *(named[-1:] * (len(facts) - len(named))))
    raise BadData(*(made(fact, real) for fact in problems[0].facts))


def _row(args: tuple[Any, ...]) -> int:
    return next((arg.row for arg in args if isinstance(arg, RowPlace)), -1)


def _real(job: Job, origins: Mapping[str, Origin]) -> Callable[[Any], Any]:
    """What gives stand-ins their real values."""
    labels = {GOLD: job.gold.label, **{token(at): one.label for at, one in enumerate(job.systems.values())}}

    def real(value: Any) -> Any:
        if isinstance(value, RowPlace):
            label = labels[value.path]
            if label in origins:
                return origins[label].places([value.row], value.column_name)[0]
            return Place(label, value.row + 1)
        return labels.get(value, value) if isinstance(value, str) else value

    return real
