"""Items that are alike become one row that stands for all of them, so that a part of any size is a small table.

Items are alike if they are in the same case, the gold says the same about them, and so does the output. What messages name
stays as it is: the first items of the gold, and the first that one side lacks. The result has the form of what it was made
of, so that the results of parts are put together by counting again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from plumbline.align.missing import MOST_NAMED
from plumbline.evaluation.engines.job import ROW
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, SCORE, TIMES, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIRST: Final = "first"
"""The row in which the item itself, after which the others are called, says so."""
OF_GOLD: Final = "gold "
OF_OUTPUT: Final = "output "
_FIRST_OF_GOLD: Final = 3
"""So many items of the gold are named where none of them is in the output."""
_LABELS: Final = "labels"
_NAME: Final = "name"
_FACTS: Final = (ROW, FIRST)


@dataclass(frozen=True)
class Counting:
    """What stays alone although other items are like it."""

    missing: bool = False
    """Items that the output lacks: each becomes a cluster of its own."""
    noise: str | None = None
    """Items with this label of the output, for the same reason."""


def with_facts(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of a source, in its order, each of which stands for itself."""
    return rows.sort(ROW).with_columns(pl.col(ROW).alias(FIRST), pl.lit(1, dtype=pl.Int64).alias(TIMES))


def stacked(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The rows of several tables; where none of its items has a label, a table does not say what labels are."""
    several = list(tables)
    kinds = [one.schema[VALUE] for one in several if VALUE in one.columns and one[VALUE].null_count() < len(one)]
    if kinds:
        nothing = pl.lit(None, dtype=kinds[0]).alias(VALUE)
        several = [
            one.with_columns(nothing) if VALUE in one.columns and one[VALUE].null_count() == len(one) else one
            for one in several
        ]
    return pl.concat(several, how="diagonal_relaxed")


def counted(gold: pl.DataFrame, output: pl.DataFrame, how: Counting) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The gold and one output with items that are alike in one row.

    Args:
        gold: `case, item, value, row, first, times`, in the order of rows.
        output: The same, with the columns that it has; an item of either side may have several rows.
        how: What stays alone.
    """
    if _once(gold) and _once(output):
        return _of_single_rows(gold, output, how)
    return _of_several_rows(gold, output, how)


def _once(rows: pl.DataFrame) -> bool:
    return not rows.select(pl.struct(CASE, ITEM).is_duplicated().any()).item()


def values_of(rows: pl.DataFrame) -> list[str]:
    """The columns that say something about an item."""
    return [name for name in rows.columns if name not in {CASE, ITEM, TIMES, *_FACTS}]


def _of_single_rows(gold: pl.DataFrame, output: pl.DataFrame, how: Counting) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Every item has one row at most on each side."""
    known, strange = _side_by_side(_renamed(gold, OF_GOLD), _renamed(output, OF_OUTPUT))
    noise = None if how.noise is None else known[OF_OUTPUT + VALUE].cast(pl.String) == how.noise
    same = [OF_GOLD + name for name in values_of(gold)] + [OF_OUTPUT + name for name in values_of(output)]
    known = _together(known, _alone(known, how, noise), same, OF_GOLD)
    strange = _together(strange, _first_of_cases(strange), [name for name in same if name in strange.columns], OF_OUTPUT)
    answered = known.filter(pl.col(OF_OUTPUT + ROW).is_not_null())
    both = pl.concat([_side(answered, OF_OUTPUT, output.columns), _side(strange, OF_OUTPUT, output.columns)])
    return _side(known, OF_GOLD, gold.columns).sort(ROW), both.sort(ROW)


def _renamed(rows: pl.DataFrame, side: str) -> pl.DataFrame:
    return rows.rename({name: side + name for name in rows.columns if name not in {CASE, ITEM}})


def _side(rows: pl.DataFrame, side: str, columns: Sequence[str]) -> pl.DataFrame:
    return rows.select(pl.col(name if name in {CASE, ITEM} else side + name).alias(name) for name in columns)


def _side_by_side(gold: pl.DataFrame, output: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The items of the gold with what the output says, and the items that only the output has; each in their order."""
    pair = [CASE, ITEM]
    return (
        gold.join(output, on=pair, how="left", maintain_order="left"),
        output.join(gold, on=pair, how="anti", maintain_order="left"),
    )


def _alone(known: pl.DataFrame, how: Counting, noise: pl.Series | None) -> pl.Series:
    """Which items of the gold stay as they are."""
    absent = pl.col(OF_OUTPUT + ROW).is_null()
    answers = [OF_OUTPUT + name for name in (VALUE, SCORE, _LABELS) if OF_OUTPUT + name in known.columns]
    lacking = [absent, *(absent | _is_nothing(pl.col(name), known.schema[name]) for name in answers)]
    kept = [one if how.missing else one & (one.cast(pl.Int64).cum_sum().over(CASE) <= MOST_NAMED) for one in lacking]
    alone = known.select(pl.any_horizontal(pl.int_range(pl.len()) < _FIRST_OF_GOLD, *kept).alias("alone"))["alone"]
    return alone if noise is None else alone | noise.fill_null(value=False)


def _is_nothing(answer: pl.Expr, kind: pl.DataType) -> pl.Expr:
    """Whether an output that lists an item says nothing about it."""
    return answer.is_null() | answer.is_nan() if kind.is_float() else answer.is_null()


def _first_of_cases(strange: pl.DataFrame) -> pl.Series:
    """Which items that the gold lacks stay as they are."""
    return strange.select((pl.int_range(pl.len()).over(CASE) < MOST_NAMED).alias("alone"))["alone"]


def _together(rows: pl.DataFrame, alone: pl.Series, same: list[str], side: str) -> pl.DataFrame:
    """The rows, of which those that are the same become one; the first of them gives its name, and rows are in order."""
    lacking = pl.col(OF_OUTPUT + ROW).is_null().alias("lacking")
    rest = rows.filter(~alone).group_by(CASE, *same, lacking, maintain_order=True)
    times = [name for name in rows.columns if name in {OF_GOLD + TIMES, OF_OUTPUT + TIMES}]
    facts = [pl.col(ITEM).first(), pl.col(times).sum(), pl.col(side + ROW).first(), pl.col(side + FIRST).first()]
    if side == OF_GOLD:
        facts += [pl.col(OF_OUTPUT + ROW).min(), pl.col(OF_OUTPUT + FIRST).first()]
    return pl.concat([rows.filter(alone), rest.agg(facts).select(rows.columns)])


def _of_several_rows(gold: pl.DataFrame, output: pl.DataFrame, how: Counting) -> tuple[pl.DataFrame, pl.DataFrame]:
    """An item may have several rows, which say together what it is in."""
    known, strange = _side_by_side(_renamed(_sets(gold), OF_GOLD), _renamed(_sets(output), OF_OUTPUT))
    noise = None
    if how.noise is not None:
        noisy = output.filter(pl.col(VALUE).cast(pl.String) == how.noise).select(CASE, ITEM).unique()
        noise = known.select(CASE, ITEM).join(noisy.with_columns(noisy=True), on=[CASE, ITEM], how="left")["noisy"]
    known = known.with_columns(_alone(known, how, noise).alias("alone"))
    strange = strange.with_columns(_first_of_cases(strange).alias("alone"))
    same = [CASE, OF_GOLD + _LABELS, OF_OUTPUT + _LABELS, "alone"]
    names = [
        _names(known, [*same, pl.when("alone").then(ITEM)], OF_GOLD),
        _names(strange, [CASE, OF_OUTPUT + _LABELS, pl.when("alone").then(ITEM)], OF_OUTPUT),
    ]
    return _named_rows(gold, names[0]), _named_rows(output, pl.concat(names))


def _sets(rows: pl.DataFrame) -> pl.DataFrame:
    """`case, item, times, row, labels`: a row for each item, in order, with the set of its labels as text."""
    numbered = rows.with_columns(pl.col(VALUE).rank("dense").cast(pl.String).alias(_LABELS))
    labels = pl.col(_LABELS).drop_nulls().sort()
    joined = pl.when(labels.len() > 0).then(labels.str.join(" "))
    return numbered.group_by(CASE, ITEM, maintain_order=True).agg(pl.col(TIMES, ROW).first(), joined)


def _names(items: pl.DataFrame, same: list[str | pl.Expr], side: str) -> pl.DataFrame:
    """`case, item, name, times`: the item after which each is called, and how many are called so."""
    return items.select(
        CASE,
        ITEM,
        pl.col(ITEM).first().over(same).alias(_NAME),
        pl.col(side + TIMES).sum().over(same).alias(TIMES),
    )


def _named_rows(rows: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """A row for each name and label: the first row of any item that is called so, and that of the item itself."""
    named = rows.drop(TIMES).join(names, on=[CASE, ITEM], how="inner", maintain_order="left")
    first_row = pl.col(FIRST).filter(pl.col(ITEM) == pl.col(_NAME)).first()
    labels = values_of(rows)
    made = named.group_by(CASE, _NAME, *labels, maintain_order=True).agg(pl.col(ROW).min(), first_row, pl.col(TIMES).first())
    return made.rename({_NAME: ITEM}).select(rows.columns).sort(ROW)
