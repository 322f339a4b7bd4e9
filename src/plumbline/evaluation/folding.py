"""Outputs over folds: gold and answers are put into the fold that tests them, and whatever leaks is an error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, folds
from plumbline.io.fold_rows import KEY, TEST, TRAIN, FoldRows, parts_of
from plumbline.io.table import PickedOrigin
from plumbline.schema import CASE, FOLD, ITEM, PART, REPEAT, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

NAME: Final = "name of the fold"
ROW: Final = "row of the table"
MOST: Final = 5
WHOLE: Final = "all"
"""The name of the learner that has seen every item."""


def rows_of_outputs(outputs: Mapping[str, Table], column: str) -> FoldRows:
    """The folds that outputs themselves tell by a column: everybody tests an item in the same fold of a repeat."""
    parts = []
    for table in outputs.values():
        if FOLD not in table.frame.columns:
            raise BadData(folds.no_column(table.label, column, [name for name in table.frame.columns if name != VALUE]))
        tests = _answers(table, None).filter(pl.col(PART) == TEST)
        parts.append(tests.select(REPEAT, FOLD, KEY, PART).unique(maintain_order=True))
    rows = pl.concat(parts).unique(maintain_order=True)
    twice = rows.group_by(REPEAT, KEY, maintain_order=True).agg(pl.col(FOLD)).filter(pl.col(FOLD).list.len() > 1)
    if len(twice):
        label = next(iter(outputs.values())).label if len(outputs) == 1 else "the outputs"
        raise BadData(folds.leaked(None, label, twice[KEY][0], twice[FOLD][0][1], twice[FOLD][0][0], len(twice)))
    return FoldRows(column, rows)


@dataclass(frozen=True, eq=False)
class Folding:
    """Which case each answer belongs to, once folds are the cases."""

    folds: FoldRows
    names: pl.DataFrame
    """`repeat, fold, key` and the case that its test belongs to; whole cases keep their names."""
    several: bool
    """Whether there are several repeats."""
    test_to_train: float
    """The number of test items divided by that of training items."""

    @classmethod
    def of(cls, given: FoldRows, gold: Table) -> Folding:
        """Folds of items or of cases, whichever the gold has under the names that they give."""
        items, cases = _texts(gold.frame[ITEM]), _texts(gold.frame[CASE])
        keys = given.rows[KEY].unique(maintain_order=True)
        of_cases = given.of_cases or (not keys.is_in(items.implode()).any() and bool(keys.is_in(cases.implode()).any()))
        rows = replace(given, of_cases=of_cases)
        known = cases if of_cases else items
        foreign = keys.filter(~keys.is_in(known.unique().implode()))
        if len(foreign):
            raise BadData(folds.not_in_gold(given.label, gold.label, foreign.head(MOST).to_list(), len(foreign)))
        several = rows.tests[REPEAT].n_unique() > 1
        if not of_cases and cases.n_unique() > 1:
            raise BadData(folds.several_cases(gold.label, cases.n_unique()))
        if of_cases and rows.tests[KEY].n_unique() < len(rows.tests):
            raise BadData(folds.cases_again(given.label))
        name = pl.col(KEY) if of_cases else _fold_name(several=several)
        return cls(rows, rows.tests.with_columns(name.alias(NAME)), several, rows.test_to_train(known.n_unique()))

    @property
    def fold_of_case(self) -> dict[str, tuple[str, str]]:
        """The repeat and the fold of each case."""
        rows = self.names.select(NAME, REPEAT, FOLD).unique(maintain_order=True).iter_rows()
        return {name: (repeat, fold) for name, repeat, fold in rows}

    # --- gold -------------------------------------------------------------------------------------------------------------

    def gold(self, table: Table) -> Table:
        """The gold with a case for each fold; what no fold tests is left out, and said."""
        if self.folds.of_cases:
            kept = table.frame.with_row_index(ROW).filter(_texts(table.frame[CASE]).is_in(self.names[KEY].implode()))
            untested = _texts(table.frame[CASE]).unique(maintain_order=True)
            return _picked(table, kept, self._untested(untested, table.label))
        placed = _placed(table, self.names)
        return _picked(table, placed, self._untested(_texts(table.frame[ITEM]), table.label))

    def pooled_gold(self, table: Table) -> Table:
        """The same with a case for each repeat."""
        return _picked(table, _placed(table, self.names.with_columns(pl.col(REPEAT).alias(NAME))))

    def gold_by_item(self, table: Table) -> Table:
        """The same with a case for each item, of one repeat."""
        return _picked(table, _placed(table, self.names.with_columns(pl.col(KEY).alias(NAME))))

    def _untested(self, keys: pl.Series, label: str) -> list[Diagnostic]:
        left = keys.filter(~keys.is_in(self.names[KEY].unique().implode())).unique(maintain_order=True)
        what = "case" if self.folds.of_cases else "item"
        return [folds.not_tested(label, what, left.head(MOST).to_list(), len(left))] if len(left) else []

    # --- outputs ------------------------------------------------------------------------------------------------------------

    def output(self, table: Table) -> Table:
        """The answers in the case of the fold that tests them; answers about what its learner has seen are a leak."""
        if self.folds.of_cases:
            self._check_cases(table)
            return _picked(table, table.frame.with_row_index(ROW))
        placed, unknown = self.placed(table)
        notices = [folds.not_tested(table.label, "answer", unknown.head(MOST).to_list(), len(unknown))] if len(unknown) else []
        return _picked(table, placed, notices)

    def placed(self, table: Table) -> tuple[pl.DataFrame, pl.Series]:
        """The answers that count, with their repeat, fold and case; and the items that no fold knows."""
        frame = _answers(table, self.folds)
        tested = frame.filter(pl.col(PART) == TEST)
        if FOLD in table.frame.columns:
            self._check_folds(table, tested)
            joined = tested.join(self.names, on=[REPEAT, FOLD, KEY], how="left", maintain_order="left")
            self._check_leaks(table, joined.filter(pl.col(NAME).is_null() & pl.col(KEY).is_in(self._known)))
        else:
            if self.names[KEY].n_unique() < len(self.names):
                raise BadData(folds.needs_columns(table.label, max(self.names.group_by(KEY).len()["len"].to_list())))
            joined = tested.drop(REPEAT, FOLD).join(self.names, on=KEY, how="left", maintain_order="left")
        unknown = joined.filter(pl.col(NAME).is_null())[KEY].unique(maintain_order=True)
        return joined.drop_nulls(NAME), unknown

    @property
    def _known(self) -> pl.Series:
        return self.folds.rows[KEY].unique().implode()

    def _check_folds(self, table: Table, tested: pl.DataFrame) -> None:
        """Every fold of the outputs is one of the folds."""
        known = self.names.select(REPEAT, FOLD).unique()
        foreign = tested.join(known, on=[REPEAT, FOLD], how="anti", maintain_order="left")
        if len(foreign):
            place = table.origin.places([int(foreign[ROW][0])], FOLD)[0]
            name = foreign[FOLD][0] if not self.several else f"{foreign[FOLD][0]} of repeat {foreign[REPEAT][0]}"
            raise BadData(folds.unknown_fold(place, name, known[FOLD].unique(maintain_order=True).to_list()))

    def _check_leaks(self, table: Table, leaked: pl.DataFrame) -> None:
        if len(leaked):
            repeat, fold, key = leaked.row(0, named=True)[REPEAT], leaked[FOLD][0], leaked[KEY][0]
            place = table.origin.places([int(leaked[ROW][0])], ITEM)[0]
            tested_in = self.names.filter((pl.col(KEY) == key) & (pl.col(REPEAT) == repeat))[FOLD].to_list()
            raise BadData(folds.leaked(place, table.label, key, fold, tested_in[0] if tested_in else "", len(leaked)))

    def _check_cases(self, table: Table) -> None:
        """Of whole cases: an output that names folds names those of the table."""
        if FOLD not in table.frame.columns:
            return
        frame = table.frame.with_row_index(ROW).with_columns(pl.col(CASE).cast(pl.String).alias(KEY))
        joined = frame.join(self.names.select(KEY, pl.col(FOLD).alias(NAME)), on=KEY, how="left", maintain_order="left")
        self._check_leaks(table, joined.filter(pl.col(NAME) != pl.col(FOLD)).with_columns(pl.lit("1").alias(REPEAT)))

    def pooled_output(self, table: Table) -> Table:
        """The answers with a case for each repeat."""
        return _picked(table, self.placed(table)[0].with_columns(pl.col(REPEAT).alias(NAME)))

    def output_by_item(self, table: Table) -> Table:
        """The answers with a case for each item, of one repeat."""
        return _picked(table, self.placed(table)[0].with_columns(pl.col(KEY).alias(NAME)))


# --- in-sample answers ------------------------------------------------------------------------------------------------------


def seen(tables: Iterable[Table]) -> pl.DataFrame:
    """`repeat, fold, key` and the case of all answers about what a learner has seen; no rows if there are none."""
    parts = [
        _answers(table, None).filter(pl.col(PART) == TRAIN).select(REPEAT, FOLD, KEY).unique(maintain_order=True)
        for table in tables
        if PART in table.frame.columns
    ]
    schema = {REPEAT: pl.String, FOLD: pl.String, KEY: pl.String}
    rows = pl.concat(parts).unique(maintain_order=True) if parts else pl.DataFrame(schema=schema)
    return rows.with_columns(_fold_name(several=True).alias(NAME))


def seen_gold(table: Table, rows: pl.DataFrame) -> Table:
    """The gold with a case for each learner: what it has seen."""
    return _picked(table, _placed(table, rows))


def seen_output(table: Table) -> Table:
    """The answers about what a learner has seen."""
    frame = _answers(table, None).filter(pl.col(PART) == TRAIN)
    return _picked(table, frame.with_columns(_fold_name(several=True).alias(NAME)))


# --- frames -----------------------------------------------------------------------------------------------------------------


def _texts(values: pl.Series) -> pl.Series:
    return values.cast(pl.String)


def _fold_name(*, several: bool) -> pl.Expr:
    return pl.concat_str(pl.col(REPEAT), pl.lit("."), pl.col(FOLD)) if several else pl.col(FOLD)


def _answers(table: Table, given: FoldRows | None) -> pl.DataFrame:
    """The rows of an output with their number and `repeat, fold, key, part`; a learner without a fold has seen everything."""
    frame, columns = table.frame, table.frame.columns
    only = None if given is None else given.tests[REPEAT].unique().to_list()
    if REPEAT not in columns and only is not None and len(only) > 1 and FOLD in columns:
        raise BadData(folds.needs_columns(table.label, len(only)))
    repeat = "1" if only is None or len(only) != 1 else only[0]
    return frame.with_row_index(ROW).with_columns(
        (pl.col(REPEAT) if REPEAT in columns else pl.lit(repeat)).alias(REPEAT),
        (pl.when(pl.col(FOLD) == "").then(pl.lit(WHOLE)).otherwise(FOLD) if FOLD in columns else pl.lit(WHOLE)).alias(FOLD),
        parts_of(frame, table.label).alias(PART),
        pl.col(ITEM).cast(pl.String).alias(KEY),
    )


def _placed(table: Table, names: pl.DataFrame) -> pl.DataFrame:
    """The rows of the gold in each case that a key belongs to, case by case."""
    frame = table.frame.with_row_index(ROW).with_columns(pl.col(ITEM).cast(pl.String).alias(KEY))
    return names.select(NAME, KEY).unique(maintain_order=True).join(frame, on=KEY, how="inner", maintain_order="left_right")


def _picked(table: Table, frame: pl.DataFrame, notices: Iterable[Diagnostic] = ()) -> Table:
    """The table with these rows, which know their places, and the cases that they were put in."""
    case = pl.col(NAME).cast(pl.Categorical).alias(CASE) if NAME in frame.columns else pl.col(CASE)
    rows = frame.with_columns(case).select([name for name in table.frame.columns if name not in {REPEAT, FOLD, PART}])
    return replace(
        table,
        frame=rows,
        origin=PickedOrigin(table.origin, frame[ROW]),
        notices=(*table.notices, *notices),
        empty_cases=(),
        reader="folds" if table.reader == "array" else table.reader,
        nested=None,
    )
