"""The columns of a table of an organization: what gives the level, and what gives the cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl
from polars.exceptions import PolarsError

from plumbline.errors import BadData, BadUsage, organizations, table, usage
from plumbline.errors.base import MOST_SHOWN, counted
from plumbline.io.columns.levels import are_answers, are_numerals, by_answers, guessed_answers, judged_only
from plumbline.io.columns.names import (
    ANSWERS,
    CLUSTER_CASES,
    CLUSTER_ITEMS,
    CLUSTERS,
    CLUSTERS_BY_ROLE,
    LEVEL_GRADES,
    LEVEL_SCORES,
    LEVELS,
    RANKS,
    TOPICS,
    WORDS,
)
from plumbline.io.columns.text import id_text, label_values
from plumbline.io.table import PickedOrigin, Table
from plumbline.schema import CASE, ITEM, LABEL, ONLY_CASE, TAG, VALUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.errors import Diagnostic
    from plumbline.io.table import Order, Origin, ReadOptions, Role

_VALUE: Final = "value"
_ROW: Final = "row"


@dataclass(frozen=True)
class Chosen:
    """Which column has which meaning; a table without cases has no column for them."""

    item: str
    case: str | None
    number: str | None
    sign: float
    """-1 where 1 is best."""
    what: str
    """What the number is called."""
    judged: bool
    """Whether the number is a grade of the gold, so that only those above 0 are levels."""
    cluster: str | None
    may_answer: bool
    """Whether the cluster may be an answer instead: yes or no."""
    guessed: bool
    """Whether the column was taken for numbers only because its values look like numbers."""


def organization_table(
    frame: pl.DataFrame,
    names: Mapping[str, str],
    label: str,
    reader: str,
    options: ReadOptions,
    origin: Origin,
    *,
    tags: pl.Series | None = None,
) -> Table:
    """Rows of case, item, level and cluster; a row with a list of items or of clusters is one for each of them.

    Where the rows are those of several systems, `tags` tells them apart.
    """
    chosen = _choose(frame, names, reader, options, origin)
    clusters = _clusters(frame, chosen, options)
    answers = chosen.may_answer and clusters is not None and are_answers(clusters)
    columns = [
        pl.int_range(len(frame), eager=True).alias(_ROW),
        _cases(frame, chosen, origin),
        _items(frame, chosen, origin),
        _level_numbers(frame, chosen, origin).alias(VALUE),
        pl.Series(LABEL, [None], dtype=pl.String).new_from_index(0, len(frame)) if clusters is None else clusters.alias(LABEL),
        *([] if tags is None else [tags.alias(TAG)]),
    ]
    long = pl.DataFrame(columns)
    for name in (ITEM, LABEL):
        if isinstance(long.schema[name], pl.List):
            long = long.explode(name)
    origin = PickedOrigin(origin, long[_ROW])
    made = long.select(
        pl.col(CASE).cast(pl.Categorical),
        id_text(long[ITEM], "item", origin),
        VALUE,
        pl.col(LABEL).replace("", None),
        *([] if tags is None else [TAG]),
    )
    read = Table(made, label, reader, origin, notices=tuple(_notices(label, chosen, clusters, answers=answers)))
    if answers and chosen.number is None:
        return by_answers(read)
    if answers:
        read = Table(made.with_columns(pl.lit(None, dtype=pl.String).alias(LABEL)), label, reader, origin, None, read.notices)
    return judged_only(read) if chosen.judged else read


def _cases(frame: pl.DataFrame, chosen: Chosen, origin: Origin) -> pl.Series:
    if chosen.case is None:
        return pl.Series(CASE, [ONLY_CASE], dtype=pl.String).new_from_index(0, len(frame))
    return id_text(frame[chosen.case], "case", origin).alias(CASE)


def _items(frame: pl.DataFrame, chosen: Chosen, origin: Origin) -> pl.Series:
    """Items as they are, or lists of them, none of which is empty."""
    items = frame[chosen.item].alias(ITEM)
    if isinstance(items.dtype, pl.List):
        empty = (items.is_null() | (items.list.len() == 0)).arg_true().to_list()
        if empty:
            shown = [
                organizations.empty_cluster(place, "the list of items") for place in origin.places(empty[:MOST_SHOWN], "item")
            ]
            raise BadData(*counted(shown, len(empty)))
    return items


def _clusters(frame: pl.DataFrame, chosen: Chosen, options: ReadOptions) -> pl.Series | None:
    if chosen.cluster is None:
        return None
    clusters = label_values(frame[chosen.cluster], options)
    return clusters if isinstance(clusters.dtype, pl.List) else clusters.cast(pl.String)


def _level_numbers(frame: pl.DataFrame, chosen: Chosen, origin: Origin) -> pl.Series:
    """The level of each row, greater is better; without any number all rows are at one level, or in the order of the file."""
    if chosen.number is None:
        in_order = chosen.cluster is None
        return pl.int_range(0, -len(frame), -1, eager=True).cast(pl.Float64) if in_order else pl.zeros(len(frame), eager=True)
    values = frame[chosen.number]
    numbers = _as_numbers(values, chosen)
    wrong = _wrong(values, numbers, chosen.what, origin)
    if wrong:
        raise BadData(*wrong)
    return numbers * chosen.sign + 0.0


def _as_numbers(values: pl.Series, chosen: Chosen) -> pl.Series:
    if values.dtype == pl.Boolean and chosen.sign < 0:
        raise BadUsage(usage.bad_object(f"a {chosen.what} that is true or false", "numbers, 1 is best"))
    try:
        return values.cast(pl.Float64, strict=False)
    except PolarsError:
        raise BadUsage(usage.bad_object(f"a {chosen.what} of type {values.dtype}", "numbers")) from None


def _wrong(values: pl.Series, numbers: pl.Series, what: str, origin: Origin) -> list[Diagnostic]:
    """Every number that is missing, none, or not finite, with its place."""
    odd = np.flatnonzero(numbers.is_null().to_numpy() | ~np.isfinite(numbers.fill_null(0.0).to_numpy())).tolist()
    shown = []
    for row, place in zip(odd[:MOST_SHOWN], origin.places(odd[:MOST_SHOWN], what), strict=True):
        if values[row] is None:
            shown.append(organizations.no_level(place, what))
        elif numbers[row] is None:
            shown.append(table.not_a_number(place, what, str(values[row])))
        else:
            shown.append(table.not_finite(place, what, str(values[row])))
    return counted(shown, len(odd))


def _notices(label: str, chosen: Chosen, clusters: pl.Series | None, *, answers: bool) -> list[Diagnostic]:
    """Notices about guesses, and about a column that is not used."""
    if chosen.guessed:
        meaning = "ranks, 1 is best" if chosen.sign < 0 else f"{chosen.what}s, greater is better"
        return [organizations.read_values_as(label, "numbers", meaning, "name the column level, score or cluster")]
    if answers and chosen.number is not None and chosen.cluster is not None:
        return [organizations.unused_column(label, chosen.cluster, chosen.number)]
    if answers and clusters is not None and are_numerals(clusters):
        return [guessed_answers(label)]
    if not answers and chosen.may_answer and chosen.number is None and clusters is not None and _are_numbers(clusters):
        what = f"numbers in column {chosen.cluster}"
        return [organizations.read_values_as(label, what, "clusters", "name the column grade or level if they are levels")]
    return []


def _are_numbers(clusters: pl.Series) -> bool:
    return clusters.dtype == pl.String and not clusters.drop_nulls().cast(pl.Float64, strict=False).null_count()


def _choose(frame: pl.DataFrame, names: Mapping[str, str], reader: str, options: ReadOptions, origin: Origin) -> Chosen:
    """The number is chosen first, then the cluster, then the item and the case."""
    left = dict(names)
    number = next((name for name in _numbers(options.role, options.order) if name in left), None)
    clusters = tuple(dict.fromkeys((*CLUSTERS_BY_ROLE[options.role], *CLUSTERS)))
    explicit = any(name in left for name in clusters)
    guessed = number is None and _VALUE in left and (explicit or _starts_with_number(frame[left[_VALUE]]))
    number = _VALUE if guessed else number
    column = None if number is None else left.pop(number)
    cluster = next((name for name in (*clusters, *ANSWERS, *_topics(left, number)) if name in left), None)
    of_cluster = None if cluster is None else left.pop(cluster)
    if number is None and cluster is None and not (options.order == "file" and options.role == "output"):
        place = origin.places([-1], "priority")[0]
        raise BadData(organizations.nothing_organized(place, list(names.values())))
    item = next((left.pop(name) for name in (*CLUSTER_ITEMS, *WORDS) if name in left), None)
    if item is None:
        place = origin.places([-1], "item")[0]
        raise BadData(table.missing_column(place, "item", [*CLUSTER_ITEMS, *WORDS], list(names.values()), None))
    ranks = number in {*LEVELS, *RANKS} or (guessed and reader == "evall" and options.role == "output")
    return Chosen(
        item,
        next((left[name] for name in (*CLUSTER_CASES, *WORDS) if name in left), None),
        column,
        -1.0 if ranks else 1.0,
        "rank" if ranks and guessed else "grade" if guessed and options.role == "gold" else number or "level",
        judged=options.role == "gold" and (number in LEVEL_GRADES or (guessed and not explicit)),
        cluster=of_cluster,
        may_answer=cluster in ANSWERS,
        guessed=guessed and not explicit,
    )


def _numbers(role: Role, order: Order) -> tuple[str, ...]:
    """Names of columns with numbers, those that are meant first."""
    if role == "gold":
        return (*LEVELS, *LEVEL_GRADES, *LEVEL_SCORES, *RANKS)
    return (
        (*RANKS, *LEVELS, *LEVEL_SCORES, *LEVEL_GRADES) if order == "rank" else (*LEVELS, *LEVEL_SCORES, *LEVEL_GRADES, *RANKS)
    )


def _topics(left: Mapping[str, str], number: str | None) -> tuple[str, ...]:
    """A topic is the case of a ranking; it is the cluster where there is no number, or where another column is the case."""
    return TOPICS if number is None or any(name in left for name in CLUSTER_CASES if name not in TOPICS) else ()


def _starts_with_number(values: pl.Series) -> bool:
    first = values.drop_nulls().head(1)
    if first.dtype.is_numeric():
        return True
    try:
        float(str(first[0]) if len(first) else "")
    except ValueError:
        return False
    return True
