"""From a frame in one of the three forms, or nested dicts, to rows of system, case, metric and value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
import polars as pl

from plumbline.errors import BadData, Place, comparisons, files, folds, notices
from plumbline.errors.base import listing, plural
from plumbline.io.columns.text import id_column, id_text
from plumbline.io.scores.columns import Roles, is_plain_value, roles_of
from plumbline.io.scores.values import Numbers, WrongScores, as_numbers, column_of, wrong_scores
from plumbline.io.table import NestedOrigin
from plumbline.schema import ALL, CASE, FOLD, METRIC, REPEAT, RUN, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.errors import Diagnostic
    from plumbline.io.scores.sources import Source
    from plumbline.io.table import Origin

ROW: Final = "row"
SEPARATED: Final = "columns are separated by commas or tabs"
Known = Callable[[str], bool]
"""Whether a name is that of a metric."""


@dataclass(frozen=True)
class ScoreTable:
    """Rows of `system, case, metric, value, row`, where the row is that of the origin; wrong scores are reported later.

    The first three are categories, which millions of rows share. Where repetitions were asked for, `run` and `fold` are text.
    """

    frame: pl.DataFrame
    label: str
    origin: Origin
    notices: tuple[Diagnostic, ...] = ()
    wrong: WrongScores = field(default_factory=wrong_scores)
    """Scores that are no numbers."""
    numbered: bool = False
    """Whether cases have no names, only their order."""
    better: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Repeats:
    """The columns of a table of scores that tell repetitions apart; they become the columns `run` and `fold`."""

    runs: str | None = None
    """The column with the run of a system, such as a seed; with folds, the column `repeat` if none is named."""
    folds: str | None = None
    """The column with the fold of the data."""
    called: str = FOLD
    """What a fold is for the reader: the number of labels, on learning curves."""

    def columns(self, frame: pl.DataFrame, place: Place) -> dict[str, str]:
        """The column in the frame for each role that was asked for."""
        plain = {name.strip().lower(): name for name in frame.columns}
        chosen = {}
        runs = self.runs or (plain.get(REPEAT) if self.folds else None)
        for role, name in ((RUN, runs), (FOLD, self.folds)):
            if name is None:
                continue
            column = name if name in frame.columns else plain.get(name.strip().lower())
            if column is None:
                raise BadData(comparisons.no_such_column(place, self.called if role == FOLD else role, name, frame.columns))
            chosen[role] = column
        return chosen


ONCE: Final = Repeats()
"""No value is repeated."""


def to_scores(source: Source, given: str | None, known: Known, repeats: Repeats = ONCE) -> ScoreTable:
    """Recognise the form of a source and read it; a given name is that of its only metric."""
    if isinstance(source.data, pl.DataFrame):
        if source.data.is_empty():
            raise BadData(files.no_data(source.label))
        return _Reading(source, source.data, given, known, repeats).table()
    if repeats != ONCE:
        wanted = str(repeats.runs or repeats.folds)
        raise BadData(comparisons.no_such_column(Place(source.label), RUN if repeats.runs else FOLD, wanted, []))
    return nested_scores(source.data, source.label, given)


def nested_scores(data: Mapping[Any, Any], label: str, given: str | None) -> ScoreTable:
    """`{metric: {system: {case: value}}}`, or `{system: {case: value}}` of a metric with a name."""
    by_metric = {given: data} if given is not None else data
    mappings = [
        *by_metric.values(),
        *(inner for one in by_metric.values() if isinstance(one, Mapping) for inner in one.values()),
    ]
    if not by_metric or not all(isinstance(one, Mapping) for one in mappings):
        raise BadData(comparisons.unknown_form(Place(label), "dicts that are not nested as {metric: {system: {case: value}}}"))
    leaves = [(metric, system, cases) for metric, systems in by_metric.items() for system, cases in systems.items()]
    metrics = id_column(chain.from_iterable(repeat(metric, len(cases)) for metric, _, cases in leaves), label, METRIC)
    systems = id_column(chain.from_iterable(repeat(system, len(cases)) for _, system, cases in leaves), label, SYSTEM)
    cases = id_column(chain.from_iterable(cases for _, _, cases in leaves), label, CASE)
    if cases.is_empty():
        raise BadData(files.no_data(label))
    numbers = as_numbers(column_of(list(chain.from_iterable(cases.values() for _, _, cases in leaves))))
    rows = pl.int_range(len(cases), dtype=pl.Int64, eager=True)
    frame = pl.DataFrame(
        {
            SYSTEM: systems.cast(pl.Categorical),
            CASE: cases.cast(pl.Categorical),
            METRIC: metrics.cast(pl.Categorical),
            VALUE: numbers.values,
            ROW: rows,
        }
    )
    return ScoreTable(frame, label, NestedOrigin(label, systems, cases), wrong=wrong_scores([numbers]))


class _Reading:
    """One frame on its way to rows: the roles of its columns decide about the form."""

    def __init__(self, source: Source, frame: pl.DataFrame, given: str | None, known: Known, repeats: Repeats = ONCE) -> None:
        self.source, self.given, self.known = source, given, known
        columns = repeats.columns(frame, Place(source.label))
        unnamed = [name for name in frame.columns if name.strip().lower() == FOLD and name not in columns.values()]
        if unnamed:
            raise BadData(folds.unnamed_folds(Place(source.label), unnamed[0]))
        self.frame = frame.drop(columns.values())
        self.roles: Roles = roles_of(self.frame, source.origin)
        self.repeats = {role: id_text(_stripped(frame[name]), role, source.origin) for role, name in columns.items()}
        if FOLD in columns and self.roles.case is None:
            self.roles = replace(self.roles, case=columns[FOLD])
            self.frame = self.frame.with_columns(frame[columns[FOLD]])
        self.notices: list[Diagnostic] = list(source.notices)
        self.file = Place(source.label)

    def table(self) -> ScoreTable:
        if self.roles.metric is not None:
            return self._long()
        numbers = {name: as_numbers(self.frame[name]) for name in self.roles.rest}
        texts = [name for name, column in numbers.items() if not column.any_number and column.any_text]
        columns = {name: column for name, column in numbers.items() if name not in texts}
        if not any(column.any_number for column in columns.values()):
            self._unknown(f"no column has numbers (the columns are {listing(self.frame.columns, 12)})", SEPARATED)
        if self.roles.system is None:
            return self._matrix(columns, texts)
        return self._of_systems(columns, texts)

    def _long(self) -> ScoreTable:
        roles, frame = self.roles, self.frame
        if roles.metric is None or roles.value is None or roles.system is None:
            missing = SYSTEM if roles.system is None else VALUE
            self._unknown(f"a column {roles.metric} and none for the {missing} (the columns are {listing(frame.columns, 12)})")
        self._left_out(roles.rest, "not among system, case, metric and value")
        metrics = self._ids(roles.metric, METRIC)
        if self.given is not None:
            self._only(metrics.unique(maintain_order=True).to_list())
            metrics = self._same(self.given)
        self._note_form("long", f"{roles.system}, {roles.case or 'one case'}, {roles.metric}, {roles.value}")
        one = pl.DataFrame([metrics.alias(METRIC), frame[roles.system].alias(SYSTEM), *self._runs()])
        if roles.case is None and one.is_duplicated().any():
            self._unknown("a system has several values of a metric, and there is no column for the case")
        numbers = as_numbers(frame[roles.value])
        made = self._rows(self._ids(roles.system, SYSTEM), self._cases(), metrics, numbers.values)
        return self._made(made, [numbers])

    def _of_systems(self, columns: dict[str, Numbers], texts: list[str]) -> ScoreTable:
        """Wide; or without cases a column for each case of one metric, or one case."""
        if self.roles.case is None:
            self._check_once()
            if not all(map(is_plain_value, columns)):
                if self.given is not None:
                    return self._turned(columns, texts)
                if not any(map(self.known, columns)):
                    reason = f"a row for each {self.roles.system} and no column for the case: are the others cases or metrics?"
                    self._unknown(reason, "where the columns are cases of one metric, name it: METRIC=FILE")
        self._left_out(texts, "without numbers")
        names = [name.strip() for name in columns]
        if self.given is not None:
            self._only(names)
        if len(names) == 1 and (self.given is not None or is_plain_value(names[0])):
            names = [self.given or self.source.name]
        self._note_form("wide", f"{self.roles.system}, {self.roles.case or 'one case'}, metrics {listing(names)}")
        systems, cases = self._ids(str(self.roles.system), SYSTEM), self._cases()
        parts = [
            self._rows(systems, cases, self._same(name), column.values)
            for name, column in zip(names, columns.values(), strict=True)
        ]
        return self._made(pl.concat(parts), columns.values())

    def _matrix(self, columns: dict[str, Numbers], texts: list[str]) -> ScoreTable:
        """Cases in rows, systems in columns."""
        case = self.roles.case
        if texts and (case is None or self.frame[case].is_duplicated().any()):
            self._unknown(f"the column {texts[0]} could be the system or the case")
        self._left_out(texts, "without numbers")
        self._note_form("a matrix", f"{case or 'a case'} in rows, {plural(len(columns), 'system')} in columns")
        cases = self._numbered() if case is None else self._ids(case, CASE)
        metric = self.given or self.source.name
        made = self._crossed(columns, SYSTEM, cases, CASE, metric)
        return self._made(made, columns.values(), numbered=case is None)

    def _turned(self, columns: dict[str, Numbers], texts: list[str]) -> ScoreTable:
        """Systems in rows, cases in columns."""
        self._left_out(texts, "without numbers")
        which = f"{plural(len(columns), 'column')} read as cases of {self.given}: {listing(list(columns))}"
        reason = f"a row for each {self.roles.system}, {which}"
        self.notices.append(comparisons.taken_as(self.file, reason))
        made = self._crossed(columns, CASE, self._ids(str(self.roles.system), SYSTEM), SYSTEM, str(self.given))
        return self._made(made, columns.values())

    def _check_once(self) -> None:
        """Without cases, a system has one row."""
        systems = self.frame[str(self.roles.system)]
        repeated = pl.DataFrame([systems.alias(SYSTEM), *self._runs()]).is_duplicated()
        again = systems.filter(repeated).head(1).to_list()
        if again:
            self._unknown(f"{self.roles.system} {again[0]} has several rows, and there is no column for the case")

    def _runs(self) -> list[pl.Series]:
        """The run of each row, if runs are told apart."""
        return [self.repeats[RUN].alias(RUN)] if RUN in self.repeats else []

    def _crossed(self, columns: dict[str, Numbers], across: str, down: pl.Series, downwards: str, metric: str) -> pl.DataFrame:
        height, width = len(self.frame), len(columns)
        names = pl.Series([name.strip() for name in columns], dtype=pl.Categorical)
        values = pl.concat([column.values.alias(VALUE) for column in columns.values()])
        rows = np.tile(np.arange(height), width)
        parts = {
            across: names.gather(np.repeat(np.arange(width), height)),
            downwards: down.gather(rows),
            METRIC: _repeated(metric, len(values)),
            VALUE: values,
            ROW: pl.Series(rows, dtype=pl.Int64),
        }
        return pl.DataFrame(parts).select(SYSTEM, CASE, METRIC, VALUE, ROW)

    def _rows(self, systems: pl.Series, cases: pl.Series, metrics: pl.Series, values: pl.Series) -> pl.DataFrame:
        rows = pl.int_range(len(self.frame), dtype=pl.Int64, eager=True)
        return pl.DataFrame({SYSTEM: systems, CASE: cases, METRIC: metrics, VALUE: values, ROW: rows})

    def _made(self, frame: pl.DataFrame, columns: Iterable[Numbers], *, numbered: bool = False) -> ScoreTable:
        source = self.source
        self._left_out(self.roles.dropped, "read as row numbers")
        remarks = tuple(self.notices)
        if self.repeats:
            rows = frame[ROW]
            frame = frame.with_columns(ids.gather(rows).alias(role) for role, ids in self.repeats.items())
        wrong = wrong_scores(columns)
        return ScoreTable(frame, source.label, source.origin, remarks, wrong, numbered, source.better, source.aliases)

    def _ids(self, column: str, what: str) -> pl.Series:
        return id_text(_stripped(self.frame[column]), what, self.source.origin).cast(pl.Categorical)

    def _cases(self) -> pl.Series:
        if self.roles.case is not None:
            return self._ids(self.roles.case, CASE)
        reason = f"no column for the case: all values are of one case, called {ALL}"
        self.notices.append(comparisons.taken_as(self.file, reason, "means alone cannot tell whether a difference is chance"))
        return self._same(ALL)

    def _numbered(self) -> pl.Series:
        return pl.int_range(1, len(self.frame) + 1, eager=True).cast(pl.String).cast(pl.Categorical)

    def _same(self, word: str) -> pl.Series:
        return _repeated(word, len(self.frame))

    def _only(self, names: list[str]) -> None:
        if len(names) > 1:
            raise BadData(comparisons.several_metrics(self.file, str(self.given), names))

    def _left_out(self, names: list[str] | tuple[str, ...], reason: str) -> None:
        if names:
            shown = [name or "(without a name)" for name in names]
            what = f"{plural(len(names), 'column')} {reason}, left out: {listing(shown)}"
            self.notices.append(comparisons.taken_as(self.file, what))

    def _note_form(self, form: str, how: str) -> None:
        self.notices.append(notices.read_as(self.source.label, f"{form} ({self.source.kind})", how))

    def _unknown(self, reason: str, advice: str | None = None) -> NoReturn:
        head = self.source.origin.places([-1], SYSTEM)[0]
        raise BadData(comparisons.unknown_form(head, reason, advice))


def _stripped(ids: pl.Series) -> pl.Series:
    return ids.str.strip_chars() if ids.dtype == pl.String else ids


def _repeated(word: str, count: int) -> pl.Series:
    return pl.Series([word], dtype=pl.Categorical).new_from_index(0, count)
