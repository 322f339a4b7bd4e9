"""What sessions showed: the teams of items from lists that were saved, and lists as numbers of items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from plumbline.errors import BadData, interleaving
from plumbline.io.fold_rows import read_table
from plumbline.io.interleaved.log import CASE, ITEM, POSITION, SESSION, SHOWN_AS, TEAM
from plumbline.truth.interleaving.result import InterleavedLists
from plumbline.truth.interleaving.scoring import Sessions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.io.interleaved.log import Log
    from plumbline.truth.interleaving.rankings import Rankings
    from plumbline.truth.interleaving.registry import Method


def with_teams(log: Log, lists: Any) -> Log:
    """The log with the team of every item, from the lists that were shown if it has none itself."""
    if lists is None:
        if TEAM not in log.rows.columns or log.rows[TEAM].null_count() == len(log.rows):
            raise BadData(interleaving.no_teams(log.label))
        return log
    made, label = read_table(lists.items if isinstance(lists, InterleavedLists) else lists, "lists")
    lacking = [name for name in (CASE, ITEM, TEAM) if name not in made.columns]
    if lacking:
        raise BadData(interleaving.needs_lists(label, "the credit", f"a column {lacking[0]} of the lists"))
    keys = [CASE, *([SHOWN_AS] if SHOWN_AS in log.sessions.columns and SHOWN_AS in made.columns else [])]
    missing = next((name for name in (CASE, ITEM) if name not in {*log.sessions.columns, *log.rows.columns}), None)
    if missing is not None:
        raise BadData(interleaving.needs_lists(log.label, "the team of an item", f"the {missing} of every click"))
    by = [*keys, ITEM]
    teams = made.select(*(pl.col(name).cast(pl.String) for name in [*by, TEAM]))
    several = teams.group_by(by).agg(pl.col(TEAM).n_unique()).filter(pl.col(TEAM) > 1)
    if len(several):
        raise BadData(interleaving.needs_lists(log.label, "the team of an item", "a column list, and cases have several lists"))
    numbered = log.sessions.select(pl.col(name).cast(pl.String) for name in keys).with_row_index(SESSION)
    numbered = numbered.with_columns(pl.col(SESSION).cast(pl.Int64))
    rows = log.rows.drop(TEAM, strict=False).join(numbered, on=SESSION, how="left", maintain_order="left")
    joined = rows.join(teams.unique(by), on=by, how="left", maintain_order="left").drop(keys)
    return replace(log, rows=joined)


def sessions_of(
    log: Log, clicks: pl.DataFrame, rankings: Rankings, method: Method
) -> tuple[Sessions, NDArray[np.int64], list[Diagnostic]]:
    """The lists of the sessions with a click as numbers of items, and which sessions these are."""
    for missing, there in (
        ("the query of every session", CASE in log.sessions.columns),
        ("the item of every row", ITEM in log.rows.columns),
        ("the position of every item", POSITION in log.rows.columns and not log.rows[POSITION].null_count()),
        ("the items that were not clicked", log.shows_all or not method.needs_all_items),
    ):
        if not there:
            raise BadData(interleaving.needs_lists(log.label, method.name, missing))
    case_of = {name: place for place, name in enumerate(rankings.cases)}
    case = log.sessions[CASE].replace_strict(case_of, default=None, return_dtype=pl.Int64)
    clicked = clicks[SESSION].unique().sort()
    known = clicked.filter(case.gather(clicked).is_not_null())
    notices: list[Diagnostic] = []
    if len(known) < len(clicked):
        notices.append(interleaving.unknown_lists(log.label, len(clicked) - len(known), len(clicked)))
    if not len(known):
        raise BadData(interleaving.no_common_case(list(rankings.systems)))
    numbers, rows = known.to_numpy(), case.gather(known).to_numpy()
    of_session = np.full(len(log.sessions), -1)
    of_session[numbers] = np.arange(len(numbers))
    length = int(log.rows[POSITION].max())  # type: ignore[arg-type]
    items = np.full((len(numbers), length), -1, dtype=np.int64)
    amounts = np.zeros((len(numbers), length))
    shown = _coded(log.rows, rankings, case)
    kept = of_session[shown[SESSION].to_numpy()] >= 0
    shown = shown.filter(pl.Series(kept))
    place = of_session[shown[SESSION].to_numpy()], shown[POSITION].to_numpy() - 1
    items[place] = shown["code"].fill_null(-1).to_numpy()
    counted = clicks.filter(pl.Series(of_session[clicks[SESSION].to_numpy()] >= 0))
    at = of_session[counted[SESSION].to_numpy()], counted[POSITION].to_numpy() - 1
    amounts[at] = counted["amount"].to_numpy()
    strange = (amounts > 0) & (items < 0)
    if strange.any():
        notices.append(interleaving.not_shown(log.label, int(strange.sum())))
        amounts[strange] = 0.0
    return Sessions(rankings.of(rows), items, amounts), numbers, notices


def _coded(rows: pl.DataFrame, rankings: Rankings, case: pl.Series) -> pl.DataFrame:
    """Rows with the number of their item in its case; null for one that no ranking has."""
    names = pl.DataFrame(
        {"of": np.arange(len(rankings.cases)), ITEM: [list(items) for items in rankings.items]},
        schema_overrides={ITEM: pl.List(pl.String)},
    ).with_columns(pl.int_ranges(0, pl.col(ITEM).list.len()).alias("code"))
    numbers = names.explode(ITEM, "code")
    return rows.with_columns(case.gather(rows[SESSION]).alias("of")).join(
        numbers, on=["of", ITEM], how="left", maintain_order="left"
    )
