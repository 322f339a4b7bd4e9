"""counted_part(): the items of a part counted, of one system and with the gold beside it; labels and clusters need no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from plumbline.align.duplicates import clash_and_rest
from plumbline.align.duplicates import repeats as repeats_of
from plumbline.align.items import gathered
from plumbline.align.memberships import COREFERENCE, ONE_SIDED
from plumbline.align.positives import EVEN_ODDS
from plumbline.errors.base import MOST_SHOWN
from plumbline.evaluation.engines.counting import Counting, counted, with_facts
from plumbline.evaluation.engines.job import ROW
from plumbline.schema import CASE, ITEM, SCORE, VALUE, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plumbline.evaluation.engines.job import Job
    from plumbline.io.table import Role

_NAMED_OF_OTHER_CASES: Final = 3
"""So many rows of a case that the gold lacks are named where nothing fits."""
_EXAMPLES: Final = 2
BUCKET: Final = "plumbline_bucket"
"""The column with the bucket of a row."""
_CASE, _ITEM = pl.col(CASE), pl.col(ITEM)


@dataclass(frozen=True)
class ItemPart:
    """What a part hands over about one system and the items in some buckets."""

    system: int
    buckets: tuple[int, ...]
    gold: pl.DataFrame
    """All items of the gold in these buckets, counted beside this output."""
    output: pl.DataFrame
    repeats: Repeats
    is_weighted: bool = False
    """Whether the output says how far items belong to clusters."""

    def renumbered(self, numbers: Mapping[int, int]) -> ItemPart:
        """The same with another number of the system."""
        return replace(self, system=numbers[self.system])


class Repeats(NamedTuple):
    """What was found about repeated rows of an output."""

    left_out: int = 0
    examples: tuple[int, ...] = ()
    """The first of the rows that are named as examples."""
    clashes: int = 0
    """How many rows repeat an item although none may."""
    clash: pl.DataFrame | None = None
    """`row, first, case, item` of the first of them."""


def bucket_of(count: int, case: pl.Expr = _CASE, item: pl.Expr = _ITEM) -> pl.Expr:
    """The bucket of a row: always the same for an item of a case."""
    both = pl.concat_str(case.cast(pl.String), pl.lit("\n"), item.cast(pl.String))
    return (both.hash(seed=29) % count).cast(pl.Int32)


def counting_of(job: Job) -> Counting:
    """What stays alone, by the options."""
    if job.request.task.name != "clustering":
        return Counting()
    noise = job.request.options.get("noise")
    rule = ONE_SIDED if job.gold.reader in COREFERENCE else job.request.policy.rule_for_items("clustering")
    return Counting(rule == "singleton", None if noise is None else str(noise))


def counted_part(
    job: Job,
    cases: pl.Series,
    gold: pl.DataFrame,
    output: pl.DataFrame,
    system: int,
    buckets: tuple[int, ...],
    *,
    exact: bool = False,
) -> ItemPart:
    """Count some items.

    Args:
        job: The request and the systems.
        cases: The names of all cases of the gold.
        gold: `case, item, value, row`: every row of the gold about these items, whose repeated rows may stay.
        output: `case, item, row` and what the output says: every row of one system about these items.
        system: The number of the system.
        buckets: The numbers of the buckets that these items are.
        exact: Whether every score stays what it is, although no metric reads scores.

    Returns:
        The gold and the output with items that are alike in one row, and what was found about repeated rows.
    """
    several = job.request.align_options().multilabel or isinstance(gold.schema[VALUE], pl.List)
    in_gold = pl.col(CASE).is_in(cases.implode())
    other = output.filter(~in_gold).sort(ROW).unique([CASE, ITEM], keep="first", maintain_order=True)
    other = other.filter(pl.int_range(pl.len()).over(CASE) < _NAMED_OF_OTHER_CASES)
    wanted, _ = _settled(job, gold.sort(ROW), several=several, role="gold")
    given, repeats = _settled(job, output.filter(in_gold).sort(ROW), several=several, role="output")
    plain = _plain(job, given) if exact else _with_few_scores(job, _plain(job, given))
    made = counted(with_facts(_plain(job, wanted)), with_facts(plain), counting_of(job))
    more = with_facts(_plain(job, _in_form_of(given, other))).select(made[1].columns)
    both = pl.concat([made[1], more], how="vertical_relaxed").sort(ROW)
    return ItemPart(system, buckets, made[0], both, repeats, WEIGHT in output.columns)


def _in_form_of(settled: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Rows that are named only, with columns of the same types."""
    missing = [pl.lit(None, dtype=kind).alias(name) for name, kind in settled.schema.items() if name in {VALUE, SCORE}]
    return other.with_columns(missing)


def _settled(job: Job, rows: pl.DataFrame, *, several: bool, role: Role) -> tuple[pl.DataFrame, Repeats]:
    """The rows as the alignment of the task would take them, and what it would say about those that it leaves out."""
    if VALUE not in rows.columns and job.request.task.name != "filtering":
        return rows, Repeats()  # which the alignment refuses
    if job.request.task.name == "clustering":
        return _each_cluster_once(rows)
    if several and job.request.task.name == "classification":
        return gathered(rows), Repeats()
    rule = job.request.policy.on_duplicate
    valued = rows if VALUE in rows.columns else rows.with_columns(pl.lit(None, dtype=pl.String).alias(VALUE))
    clash, dropped = clash_and_rest(valued, role, "first" if role == "gold" and rule == "error" else rule)
    again = repeats_of(clash).select(ROW, "first", CASE, ITEM)
    kept = rows.join(dropped.select(ROW), on=ROW, how="anti", maintain_order="left").unique(
        [CASE, ITEM], keep="first", maintain_order=True
    )
    examples = tuple(dropped[ROW].sort().head(_EXAMPLES))
    return kept, Repeats(len(dropped), examples, len(again), again.head(MOST_SHOWN))


def _each_cluster_once(rows: pl.DataFrame) -> tuple[pl.DataFrame, Repeats]:
    """A row for each item and cluster."""
    long = rows.explode(VALUE) if isinstance(rows.schema[VALUE], pl.List) else rows
    once = long.unique([CASE, ITEM, VALUE], keep="first", maintain_order=True)
    if len(once) == len(long):
        return once, Repeats()
    again = long.filter(pl.struct(CASE, ITEM, VALUE).is_duplicated())
    return once, Repeats(len(long) - len(once), tuple(again[ROW].head(_EXAMPLES)))


def _plain(job: Job, rows: pl.DataFrame) -> pl.DataFrame:
    """The columns that the alignment of the task looks at."""
    is_filter = job.request.task.name == "filtering"
    wanted = [CASE, ITEM, VALUE, ROW, *([SCORE] if is_filter or VALUE not in rows.columns else [])]
    return rows.select(name for name in wanted if name in rows.columns)


def _with_few_scores(job: Job, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, in which scores are few if they are only compared with a threshold."""
    options = job.request.align_options()
    scores = next((name for name in (SCORE, VALUE) if name in rows.columns and rows[name].dtype.is_float()), None)
    if job.request.task.name != "filtering" or "scores" in options.needs or scores is None:
        return rows
    return rows.with_columns(_few(pl.col(scores), EVEN_ODDS if options.threshold is None else options.threshold))


def _few(score: pl.Expr, threshold: float) -> pl.Expr:
    """For each score one that decides the same; the least and the greatest stay, as messages name them."""
    kind = sum(
        flag.cast(pl.Int32) * 2**at
        for at, flag in enumerate((score >= threshold, score == EVEN_ODDS, score.is_nan(), score < 0, score > 1))
    )
    return pl.when(score == score.max()).then(score).otherwise(score.min().over(kind))
