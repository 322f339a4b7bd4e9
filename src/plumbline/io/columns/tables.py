"""From a frame with any usual column names to the three columns of a `Table`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.errors import BadData, comparisons, table, units
from plumbline.errors.base import MOST_SHOWN, counted, nearest
from plumbline.io.checks import ANY_TAG, check_probabilities, check_tags, only_tag
from plumbline.io.columns.clusters import listed_columns
from plumbline.io.columns.names import (
    CASES,
    EVALL,
    GRADES,
    INCLUSIONS,
    ITEMS,
    KNOWN,
    LABELS,
    PROBABILITIES,
    RANKS,
    SCORES,
    SPAN_CASES,
    STRATA,
    SUBTOPICS,
    TAGS,
    WEIGHTS,
    columns_by_name,
    label_columns,
    plain_name,
    same_names,
)
from plumbline.io.columns.organizations import organization_table
from plumbline.io.columns.ranks import RANK, disorder_of
from plumbline.io.columns.text import id_text, label_values, single_values
from plumbline.io.table import PickedOrigin, Table
from plumbline.schema import (
    CASE,
    FOLD,
    ITEM,
    ONLY_CASE,
    PART,
    PROBABILITY,
    REPEAT,
    SCORE,
    STRATUM,
    SUBTOPIC,
    TAG,
    UNIT,
    VALUE,
    WEIGHT,
)

if TYPE_CHECKING:
    from plumbline.io.table import Order, Origin, ReadOptions, Role

ROW: Final = "row of the table"


def to_table(frame: pl.DataFrame, label: str, reader: str, options: ReadOptions, origin: Origin) -> Table:
    """Choose the columns, turn ids into text and numbers into 64-bit floats; nothing is guessed silently."""
    if set(map(str.lower, frame.columns)) >= EVALL:
        reader = "evall"
    if alike := same_names(frame.columns, options.column_of):
        raise BadData(comparisons.two_columns(origin.places([-1], "")[0], "columns of the same name", alike))
    names, named = columns_by_name(frame.columns, options.column_of)
    if options.fold_column is not None:
        names = {name: column for name, column in names.items() if column not in _fold_columns(frame, options).values()}
    frame, origin = _rows_of_tag(frame, names, options, origin)
    return replace(_table(frame, names, label, reader, options, origin), named_columns=named)


def _rows_of_tag(
    frame: pl.DataFrame, names: dict[str, str], options: ReadOptions, origin: Origin
) -> tuple[pl.DataFrame, Origin]:
    """The rows of the run that is wanted, if it is there, which know their places."""
    column = next((names[name] for name in TAGS if name in names), None)
    if column is None or options.role == "gold" or options.tag in {None, ANY_TAG}:
        return frame, origin
    kept = (frame[column].cast(pl.String) == options.tag).fill_null(value=False).arg_true()
    return (frame[kept], PickedOrigin(origin, kept)) if 0 < len(kept) < len(frame) else (frame, origin)


def _table(frame: pl.DataFrame, names: dict[str, str], label: str, reader: str, options: ReadOptions, origin: Origin) -> Table:
    """The table of the kind that is wanted."""
    if options.kind == "levels":
        kept, tag = _of_one_system(frame.with_row_index(ROW), frame, names, label, options, origin)
        several = options.role == "output" and options.several_systems and options.tag is None and TAG in kept.columns
        picked, tags = PickedOrigin(origin, kept[ROW]), kept[TAG] if several else None
        return replace(organization_table(kept.drop(ROW), names, label, reader, options, picked, tags=tags), tag=tag)
    if options.kind == "spans":
        from plumbline.io.columns.slots import are_fields, are_relations, slot_table
        from plumbline.io.columns.spans import are_spans, span_table

        if not are_spans(names) and (are_fields(names) or are_relations(names)):
            read = slot_table(frame, names, label, reader, options, origin)
        else:
            read = span_table(frame, names, label, reader, origin)
        chosen, tag = _of_one_system(read.frame, frame, names, label, options, origin)
        return replace(read, frame=chosen, tag=tag)
    if options.kind == "clusters":
        frame, names, origin = listed_columns(frame, names, options.role, origin)
    if options.of_labels:
        return _label_table(frame, names, label, reader, options, origin)
    case, item = _find(names, CASES, "case", origin), _find(names, ITEMS, "item", origin)
    number, sign = _number_column(names, options.role, options.order, reader, origin)
    chosen = frame.select(
        id_text(frame[case], "case", origin).alias(CASE),
        id_text(frame[item], "item", origin).alias(ITEM),
        (_number(frame[number], options.role, origin) * sign if number else -pl.int_range(pl.len()).cast(pl.Float64)).alias(
            VALUE
        ),
    )
    subtopic = next((names[name] for name in SUBTOPICS if name in names), None)
    if subtopic is not None and options.role == "gold":
        chosen = chosen.with_columns(id_text(frame[subtopic], "subtopic", origin).alias(SUBTOPIC))
    if options.role == "gold":
        chosen = chosen.with_columns(_sample(frame, names, number, origin))
    chosen = chosen.with_columns(_folds(frame, options, origin))
    ranks = next((names[name] for name in RANKS if name in names), None)
    if ranks not in {None, number} and options.role == "output" and options.order == "score":
        chosen = chosen.with_columns(frame[ranks].cast(pl.Float64, strict=False).alias(RANK))
    chosen, name = _of_one_system(chosen.with_columns(pl.col(CASE).cast(pl.Categorical)), frame, names, label, options, origin)
    ranked = RANK in chosen.columns and TAG not in chosen.columns  # neighbours may be of two systems
    remarks = disorder_of(chosen[CASE], chosen[RANK], chosen[VALUE]).notices(label) if ranked else []
    return Table(chosen.drop(RANK, strict=False), label, reader, origin, name, tuple(remarks))


def _sample(frame: pl.DataFrame, names: dict[str, str], number: str | None, origin: Origin) -> list[pl.Series]:
    """The columns of a gold that say how its items were drawn from the pool."""
    made = []
    stratum, drawn = (next((names[name] for name in usual if name in names), None) for usual in (STRATA, INCLUSIONS))
    if stratum is not None:
        drawn = drawn or names.get(PROBABILITY)
        made.append(id_text(frame[stratum], "stratum", origin).alias(STRATUM))
    if drawn not in {None, number}:
        made.append(check_probabilities(frame[drawn].cast(pl.Float64, strict=False), origin).alias(PROBABILITY))
    return made


def _label_table(
    frame: pl.DataFrame, names: dict[str, str], label: str, reader: str, options: ReadOptions, origin: Origin
) -> Table:
    """The columns of a labelled file: a label, a grade or a score; without any of them, a list of what was retrieved."""
    case, item, score, labels = label_columns(names, options.role)
    item = item or _find(names, ITEMS, "item", origin)
    columns = [
        pl.Series(CASE, [ONLY_CASE], dtype=pl.String).new_from_index(0, len(frame))
        if case is None
        else id_text(frame[case], "case", origin),
        id_text(frame[item], "item", origin),
    ]
    chosen = pl.DataFrame([columns[0].cast(pl.Categorical).alias(CASE), columns[1].alias(ITEM)])
    grade = next((names[name] for name in GRADES if name in names), None)
    if labels is not None:
        chosen = chosen.with_columns(label_values(frame[labels], options).alias(VALUE))
    elif options.role == "gold":
        grade = grade or _find(names, tuple(dict.fromkeys((*LABELS["gold"], *GRADES))), "label", origin)
        chosen = chosen.with_columns(_number(frame[grade], "gold", origin).alias(VALUE))
    if UNIT in options.column_of and options.role == "gold":
        chosen = chosen.with_columns(_units(frame, names, options.column_of[UNIT], origin))
    chosen = chosen.with_columns(_folds(frame, options, origin))
    if score is not None and options.role == "output":
        chosen = chosen.with_columns(_number(frame[score], "output", origin).alias(SCORE))
    elif labels is None and options.role == "output":
        _refuse_unread_numbers(frame, names, origin)
    weight = next((names[name] for name in WEIGHTS if name in names), None) if options.kind == "clusters" else None
    if weight is not None:
        chosen = chosen.with_columns(frame[weight].cast(pl.Float64, strict=False).alias(WEIGHT))
    chosen, name = _of_one_system(chosen, frame, names, label, options, origin)
    return Table(chosen, label, reader, origin, name)


def _fold_columns(frame: pl.DataFrame, options: ReadOptions) -> dict[str, str]:
    """The columns that say which fold an answer comes from, by their meaning, as far as they are there."""
    plain = {plain_name(column): column for column in frame.columns}
    wanted = {FOLD: str(options.fold_column), REPEAT: REPEAT, PART: PART}
    return {meaning: plain[plain_name(name)] for meaning, name in wanted.items() if plain_name(name) in plain}


def _folds(frame: pl.DataFrame, options: ReadOptions, origin: Origin) -> list[pl.Series]:
    """The same columns as text, of an output."""
    if options.fold_column is None or options.role == "gold":
        return []
    return [id_text(frame[column], name, origin).alias(name) for name, column in _fold_columns(frame, options).items()]


def _units(frame: pl.DataFrame, names: dict[str, str], wanted: str, origin: Origin) -> pl.Series:
    """The column of units, which was named."""
    if plain_name(wanted) not in map(plain_name, frame.columns):
        near = nearest(wanted, frame.columns, n=1, cutoff=0.5)
        raise BadData(units.no_such_column(origin.places([-1], wanted)[0], wanted, frame.columns, near))
    return id_text(frame[names[UNIT]], wanted, origin).alias(UNIT)


def _refuse_unread_numbers(frame: pl.DataFrame, names: dict[str, str], origin: Origin) -> None:
    """Fractions under an unknown name are hardly a remark on the items of a set: they are scores, and would be ignored."""
    unknown = [column for name, column in names.items() if name not in KNOWN]
    if any(_are_fractions(frame[column]) for column in unknown):
        _find(names, tuple(dict.fromkeys((*LABELS["output"], *PROBABILITIES))), "label or score", origin)


def _are_fractions(values: pl.Series) -> bool:
    """Whether all are numbers, and not all of them whole."""
    if values.null_count() or not (values.dtype == pl.String or values.dtype.is_float()):
        return False
    numbers = values.cast(pl.Float64, strict=False)
    return not numbers.null_count() and bool((numbers != numbers.floor()).any())


def _of_one_system(
    chosen: pl.DataFrame, frame: pl.DataFrame, names: dict[str, str], label: str, options: ReadOptions, origin: Origin
) -> tuple[pl.DataFrame, str | None]:
    """The rows of the system that is wanted, and its run tag where the table has one."""
    tag = next((names[name] for name in TAGS if name in names), None)
    if options.role == "gold":
        return chosen, None
    if tag is None:
        return chosen, only_tag([], label, options.tag)
    tags = frame[tag].cast(pl.String)
    tags = tags.set(tags.str.strip_chars() == "", None)
    if options.tag is None and 0 < tags.null_count() < len(tags):
        rows = tags.is_null().arg_true().to_list()
        known = tags.drop_nulls().unique(maintain_order=True).to_list()
        shown = [table.no_tag(place, known) for place in origin.places(rows[:MOST_SHOWN], tag)]
        raise BadData(*counted(shown, len(rows)))
    tagged = chosen.with_columns(tags.cast(pl.Categorical).alias(TAG))
    if options.several_systems and options.tag is None and tagged[TAG].drop_nulls().n_unique() > 1:
        return tagged, None
    return check_tags(tagged, label, options.tag)


def _number_column(names: dict[str, str], role: Role, order: Order, reader: str, origin: Origin) -> tuple[str | None, float]:
    if role == "gold":
        return _find(names, GRADES, "grade", origin), 1.0
    if order == "file":
        return None, 1.0
    if order == "rank":
        return _find(names, (*RANKS, "value") if reader == "evall" else RANKS, "rank", origin), -1.0
    if reader == "evall":
        return _find(names, ("value",), "rank", origin), -1.0
    return _find(names, SCORES, "score", origin), 1.0


def case_column(columns: list[str], options: ReadOptions) -> str | None:
    """The column of the case among these, if there is one."""
    names, _ = columns_by_name(columns, options.column_of)
    usual = SPAN_CASES if options.kind == "spans" else CASES
    return next((names[name] for name in usual if name in names), None)


def item_column(columns: list[str], options: ReadOptions) -> str | None:
    """The column of the item among these, if there is one."""
    names, _ = columns_by_name(columns, options.column_of)
    return next((names[name] for name in ITEMS if name in names), None)


def label_column(columns: list[str], options: ReadOptions) -> str | None:
    """The column of the labels of an output among these, if there is one."""
    names, _ = columns_by_name(columns, options.column_of)
    return next((names[name] for name in LABELS["output"] if name in names), None)


def _find(names: dict[str, str], wanted: tuple[str, ...], what: str, origin: Origin) -> str:
    for name in wanted:
        if name in names:
            return names[name]
    near = nearest(wanted[0], list(names), n=1, cutoff=0.5)
    place = origin.places([-1], what)[0]
    raise BadData(table.missing_column(place, what, list(wanted), list(names.values()), near[0] if near else None))


def _number(values: pl.Series, role: Role, origin: Origin) -> pl.Series:
    what = "grade" if role == "gold" else "score"
    if values.dtype == pl.Boolean and role == "gold":
        return values.cast(pl.Float64)
    if values.dtype == pl.Boolean:
        raise BadData(table.not_a_number(origin.places([0], what)[0], what, str(values[0])))
    numbers = single_values(values, f"{what}s").cast(pl.Float64, strict=False)
    if numbers.null_count():
        row = numbers.is_null().arg_max() or 0
        raise BadData(table.not_a_number(origin.places([row], what)[0], what, str(values[row])))
    return numbers
