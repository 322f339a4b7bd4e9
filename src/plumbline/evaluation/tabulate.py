"""From the values of all lists to Scores: undefined values counted, means with their counts, and how they were made."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._version import __version__
from plumbline.average import summaries
from plumbline.compute.computed import series_of
from plumbline.deferred import later, replaced
from plumbline.errors import BadData, Diagnostic, combining, floors, notices, table
from plumbline.errors.base import listing
from plumbline.evaluation.zscores import COUNT_OF_CASES, standardised
from plumbline.lazily import pl
from plumbline.metrics.measure import Combined
from plumbline.records import dataclass
from plumbline.schema import ALL, CASE, METRIC, SYSTEM, VALUE, MeanRow, mean_schema, per_case_schema
from plumbline.scores import Column, Scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.align.policy import Policy
    from plumbline.compute.computed import Computed
    from plumbline.metrics.measure import Measure

    Numbers = NDArray[np.float64]


def tabulate(
    aligned: Alignment,
    computed: Computed,
    made: dict[str, Any],
    reference: pl.DataFrame | None = None,
) -> Tabulated:
    """The values and the means, with their notices."""
    policy, measures = aligned.policy, computed.measures
    numeric = [measure for measure in measures if not _is_text(measure)]
    columns = [_column(measure, standard=reference is not None) for measure in numeric]
    kept = ~aligned.missing if policy.missing == "skip" else np.ones(len(aligned.missing), dtype=np.bool_)
    values = np.array([computed.array(measure)[kept] for measure in numeric], dtype=np.float64).reshape(
        len(numeric), int(kept.sum())
    )
    lists = Lists(aligned.systems, aligned.cases, np.flatnonzero(kept), aligned.missing[kept])
    if reference is not None:
        values = _standardised(lists, values, numeric, reference, policy)
    floor = len(made.get("floor", ()))
    notes = [*aligned.notices, *computed.notices, *_undefined(lists, values, columns, policy, floor)]
    texts = {measure.name: computed.array(measure)[kept] for measure in measures if _is_text(measure)}
    if texts:
        notes.append(notices.text_metric(list(texts)))
    if ALL in aligned.cases:
        notes.append(notices.case_called_all(ALL))
    of_errors = [measure for measure in numeric if isinstance(measure, Combined) and measure.better == "lower"]
    notes += [combining.errors_combined(one.name, [part.name for part in one.parts]) for one in of_errors]
    filled = _filled(values, policy)
    means = Means.of(lists, values, filled, columns, policy)
    notes += _different_cases(means, columns, floor)
    return Tabulated(lists, columns, filled, means, texts, tuple(notes), {**_made(aligned), **made})


@dataclass(frozen=True, eq=False)
class Lists:
    """The lists that count: their systems, their cases, and whether their system lacks the case."""

    systems: tuple[str, ...]
    cases: list[str]
    number: NDArray[np.int64]
    missing: NDArray[np.bool_]

    @cached_property
    def system(self) -> NDArray[np.int64]:
        """The system of each list."""
        return self.number // max(len(self.cases), 1)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Where the lists of each system start, and where those of the last one end."""
        return np.searchsorted(self.system, np.arange(len(self.systems) + 1))

    def counts(self, flags: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many flags are set for each system; the last axis has one for each list."""
        if not flags.any():
            return np.zeros((*flags.shape[:-1], len(self.systems)), dtype=np.int64)
        total = np.cumsum(flags, axis=-1)
        so_far = np.concatenate((np.zeros((*flags.shape[:-1], 1), dtype=np.int64), total), axis=-1)
        return np.asarray(so_far[..., self.first[1:]] - so_far[..., self.first[:-1]])

    def frame(self, columns: Mapping[str, NDArray[Any]], repeated: int = 1) -> pl.DataFrame:
        """`system, case` of every list, each so often, with further columns."""
        system = np.repeat(self.system, repeated)
        case = np.repeat(self.number % max(len(self.cases), 1), repeated)
        names = pl.Series(SYSTEM, self.systems, dtype=pl.String).gather(pl.Series(system))
        cases = pl.Series(CASE, self.cases, dtype=pl.String).gather(pl.Series(case))
        return pl.DataFrame([names, cases, *starmap(series_of, columns.items())])

    def long(self, values: Numbers, columns: list[Column]) -> pl.DataFrame:
        """`system, case, metric, value`, list by list."""
        if not columns:
            return pl.DataFrame(schema=per_case_schema())
        names = pl.Series([column.name for column in columns], dtype=pl.String)
        metrics = names.gather(pl.Series(np.tile(np.arange(len(columns)), len(self.number))))
        long = self.frame({VALUE: values.T.ravel()}, len(columns))
        return long.insert_column(2, metrics.alias(METRIC))


@dataclass(frozen=True, eq=False)
class Means:
    """The mean of every system (row) and metric (column), and the numbers of cases behind it."""

    value: Numbers
    cases: NDArray[np.int64]
    missing: NDArray[np.int64]
    """For each system; it may be left without any case."""
    undefined: NDArray[np.int64]

    @classmethod
    def of(cls, lists: Lists, values: Numbers, filled: Numbers, columns: list[Column], policy: Policy) -> Means:
        """The summaries of the values, in which what is undefined is filled in as the policy says."""
        count = lists.first[1:] - lists.first[:-1]
        undefined = lists.counts(np.isnan(values)).T
        used = count[:, None] - (undefined if policy.undefined == "skip" else 0)
        without = len(lists.cases) - count
        missing = np.where(without > 0, without, lists.counts(lists.missing))
        value = summaries(filled, lists.first, [column.average for column in columns]).T
        return cls(value, np.broadcast_to(used, value.shape), missing, undefined)

    def rows(self, lists: Lists, columns: list[Column]) -> list[MeanRow]:
        """The rows of the table."""
        names = [column.name for column in columns]
        systems = zip(
            lists.systems, self.value.tolist(), self.cases.tolist(), self.missing.tolist(), self.undefined.tolist(), strict=True
        )
        return [
            MeanRow(system, name, None if value != value else value, count, missing, undefined)  # noqa: PLR0124 - NaN
            for system, values, counts, missing, without in systems
            for name, value, count, undefined in zip(names, values, counts, without, strict=True)
        ]

    def table(self, lists: Lists, columns: list[Column]) -> pl.DataFrame:
        """A row for each system and metric."""
        names = [column.name for column in columns]
        made = {
            SYSTEM: [system for system in lists.systems for _ in names],
            METRIC: names * len(lists.systems),
            VALUE: pl.Series(self.value.ravel(), nan_to_null=True),
            "cases": self.cases.ravel(),
            "missing": np.repeat(self.missing, len(names)),
            "undefined": self.undefined.ravel(),
        }
        return pl.DataFrame(made, schema=mean_schema())


@dataclass(frozen=True, eq=False)
class Tabulated:
    """The values of all lists and the means of all systems, as arrays."""

    lists: Lists
    columns: list[Column]
    values: Numbers
    """A row for each column, a value for each list; NaN where it is undefined."""
    means: Means
    texts: dict[str, NDArray[Any]]
    notices: tuple[Diagnostic, ...]
    made: dict[str, Any]

    @property
    def cases(self) -> tuple[str, ...]:
        """All cases, in the order of the gold."""
        return tuple(self.lists.cases)

    def frames(self) -> Iterator[pl.DataFrame]:
        """For each system its cases, in their order, with a column for each metric, also of those with texts."""
        cases = pl.Series(CASE, self.lists.cases, dtype=pl.String)
        for at in range(len(self.lists.systems)):
            rows = slice(*self.lists.first[at : at + 2].tolist())
            place = pl.Series(self.lists.number[rows] % max(len(self.lists.cases), 1))
            values = {column.name: self.values[number, rows] for number, column in enumerate(self.columns)}
            texts = {name: array[rows] for name, array in self.texts.items()}
            yield pl.DataFrame([cases.gather(place), *starmap(series_of, (values | texts).items())])

    def scores(self, evaluation: object = None) -> Scores:
        """The result that people get; its tables are made when somebody looks at them."""
        scores = Scores(
            per_case=later(lambda: self.lists.long(self.values, self.columns), lambda: self),
            mean=later(lambda: self.means.table(self.lists, self.columns), lambda: self.means.rows(self.lists, self.columns)),
            columns=tuple(self.columns),
            notices=self.notices,
            made=self.made,
            texts=later(lambda: self.lists.frame(self.texts), lambda: list(self.texts)),
            evaluation=evaluation,
        )
        return replaced(scores, notices=(*scores.notices, *_verdicts(scores))) if scores.floor else scores


def _is_text(measure: Measure) -> bool:
    return measure.parts[0].metric.text


def _column(measure: Measure, *, standard: bool) -> Column:
    return _column_of(measure, measure.typed, standard=standard)


@lru_cache(maxsize=1024)
def _column_of(measure: Measure, typed: str, *, standard: bool) -> Column:
    """The column of a measure; two that were typed differently are equal."""
    reasons = dict.fromkeys(part.metric.undefined for part in measure.parts if part.metric.undefined)
    if len(measure.parts) > 1 and any(part.metric.range[0] is None or part.metric.range[0] < 0 for part in measure.parts):
        reasons["a part of F is below 0"] = None
    if not standard:
        return Column(measure.name, typed, measure.better, measure.average, " / ".join(reasons))
    name = measure.name if measure.name == COUNT_OF_CASES else f"Z({measure.name})"
    reason = "the reference has no scores for it there, or they do not vary"
    return Column(name, f"Z{typed}", measure.better, measure.average, reason)


def _filled(values: Numbers, policy: Policy) -> Numbers:
    replacement = {"zero": 0.0, "one": 1.0}.get(policy.undefined)
    return values if replacement is None else np.where(np.isnan(values), replacement, values)


def _standardised(lists: Lists, values: Numbers, measures: list[Measure], reference: pl.DataFrame, policy: Policy) -> Numbers:
    """The values beside those of a reference."""
    named = {measure.name: _filled(one, policy) for measure, one in zip(measures, values, strict=True)}
    made = standardised(lists.frame(named), measures, reference)
    return np.array([made[measure.name].to_numpy() for measure in measures]).reshape(values.shape)


def _undefined(lists: Lists, values: Numbers, columns: list[Column], policy: Policy, floor: int) -> list[Diagnostic]:
    """One notice for each set of cases in which something is undefined; the last systems are the floor."""
    by_cases: dict[tuple[str, ...], tuple[dict[str, None], dict[str, None], dict[str, None]]] = {}
    real = len(lists.systems) - floor
    nulls = np.isnan(values)
    for number in np.flatnonzero(nulls.any(axis=1)).tolist():
        column, null = columns[number], nulls[number]
        for at in np.flatnonzero(np.bincount(lists.system[null])).tolist():
            if at >= real:
                break
            rows = slice(*lists.first[at : at + 2].tolist())
            cases = lists.number[rows][null[rows]] % len(lists.cases)
            known = by_cases.setdefault(tuple(lists.cases[case] for case in cases.tolist()), ({}, {}, {}))
            for kept, new in zip(known, ([column.name], [lists.systems[at]], column.undefined.split(" / ")), strict=True):
                kept.update(dict.fromkeys(new))
    if not by_cases:
        return []
    rule = {"skip": "left out of the mean", "zero": "counted as 0", "one": "counted as 1"}.get(policy.undefined, "")
    counted = np.count_nonzero(np.bincount(lists.number[: lists.first[real]] % len(lists.cases)))
    made = []
    for names, (metrics, systems, reasons) in by_cases.items():
        who = (listing(list(metrics), 4), next(iter(systems)) if len(systems) == 1 else f"{len(systems)} systems")
        if policy.undefined == "error":
            raise BadData(table.undefined_value(*who, list(names), " / ".join(reasons)))
        made.append(notices.undefined_cases(*who, list(names), int(counted), " / ".join(reasons), rule))
    return made


def _different_cases(means: Means, columns: list[Column], floor: int) -> list[Diagnostic]:
    """Metrics whose means are over different numbers of cases for different systems, because of undefined values."""
    real = slice(len(means.missing) - floor)
    complete = means.missing[real] == 0
    if not means.undefined[real].any() or not complete.any():
        return []
    cases = means.cases[real][complete]
    least, most = cases.min(axis=0), cases.max(axis=0)
    unlike = np.flatnonzero(least < most)
    if not len(unlike):
        return []
    return [notices.different_cases([columns[at].name for at in unlike], int(least[unlike].min()), int(most[unlike].max()))]


def _verdicts(scores: Scores) -> list[Diagnostic]:
    """For each metric, which systems beat every baseline."""
    real = len(scores.made["systems"]) - len(scores.floor)
    groups: dict[tuple[str, ...], list[str]] = {}
    for column in scores.columns:
        known = [system for system, name, value, *_ in scores.mean_rows() if name == column.name and value is not None]
        if column.better != "neither" and set(known) & set(scores.floor):
            groups.setdefault(tuple(scores.beating(column.name)), []).append(column.name)
    return [floors.floor_verdict(metrics, list(beating), real) for beating, metrics in groups.items()]


def _made(aligned: Alignment) -> dict[str, Any]:
    return {
        "version": __version__,
        "gold": aligned.gold.label,
        "systems": list(aligned.systems),
        "tags": list(aligned.tags),
        "cases": len(aligned.cases),
        "policy": aligned.policy.changes(),
        "ties": aligned.policy.ties,
    }
