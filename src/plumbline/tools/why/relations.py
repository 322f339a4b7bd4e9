"""Reliability and Sensitivity of one list: which documents and which pairs lost how much, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.align.sides import Side, Sides, completed, summed
from plumbline.compute.reliability_sensitivity import losses_by_cause, relations_of, setting_of
from plumbline.errors import BadUsage, usage
from plumbline.errors.base import nearest
from plumbline.schema import ITEM
from plumbline.views.relations import CAUSES, KINDS
from plumbline.views.weighing import Weighted, weigh

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.align.sides import AlignedSides
    from plumbline.metrics.measure import Single
    from plumbline.tools.why.result import Why
    from plumbline.views.relations import Over, Setting, Which

    Table = NDArray[np.float64]

MOST: Final = 2000
"""The largest number of occurrences that are compared pair by pair; of a longer list, those with the largest weights."""
TAIL: Final = "(the tail)"


def explain_relations(aligned: AlignedSides, measure: Single, number: int, plain: Why, item: str | None) -> Why:
    """What was lost by cause, then the documents and the pairs that lost most."""
    over, which = dict(measure.arguments)["over"], measure.metric.name
    if over not in KINDS:
        raise BadUsage(usage.both_kinds(measure.name))
    setting = setting_of(measure)
    lost = losses_by_cause(aligned, measure, relations_of(aligned))
    causes = {cause: float(amounts[number]) for cause, amounts in lost.items()} if plain.value is not None else {}
    if aligned.missing[number]:
        return replace(plain, losses=causes)
    sides, items = _one_list(aligned, number, setting)
    one = _One.of(sides, items, which, over, setting)  # type: ignore[arg-type]  # as above
    pairs = one.pairs()
    if item is not None:
        if item not in items:
            raise BadUsage(usage.unknown_name("item", item, nearest(item, items.to_list(), n=2)))
        pairs = pairs.filter((pl.col("first") == item) | (pl.col("second") == item))
    return replace(plain, rows=one.documents(pairs), pairs=pairs, losses=causes)


def _one_list(aligned: AlignedSides, number: int, setting: Setting) -> tuple[Sides, pl.Series]:
    """Both sides of one case, with its documents renumbered from 0, and their items."""
    system, case = divmod(number, len(aligned.cases))
    sides = aligned.sides(system, setting.rel, finite=setting.finite)
    items = aligned.documents_of_sides(system, setting.rel, finite=setting.finite)
    mine = np.flatnonzero(sides.home == case)
    renumbered = np.full(len(sides.home), -1, dtype=np.int64)
    renumbered[mine] = np.arange(len(mine))
    kept = [_of_case(side, case, renumbered) for side in (sides.x, sides.g)]
    one = Sides(1, np.zeros(len(mine), dtype=np.int64), *kept)
    return one, items.gather(pl.Series(mine))


def _of_case(side: Side, case: int, renumbered: NDArray[np.int64]) -> Side:
    rows = slice(*np.searchsorted(side.lists, (case, case + 1)))
    return Side(
        side.lists[rows] * 0,
        side.level[rows],
        renumbered[side.doc[rows]],
        side.cluster[rows],
        None if side.span is None else side.span[rows],
    )


@dataclass(frozen=True)
class _One:
    """One list: the side whose relations are counted, and the side that confirms them."""

    side: Side
    other: Side
    weighted: Weighted
    items: pl.Series
    over: Over
    causes: tuple[str, ...]
    setting: Setting

    @classmethod
    def of(cls, sides: Sides, items: pl.Series, which: Which, over: Over, setting: Setting) -> _One:
        full = completed(sides) if over == "priority" and setting.finite and setting.absent == "tail" else sides
        chosen = full if which == "Rel" else full.swapped()
        return cls(chosen.x, chosen.g, weigh(chosen.x, 1, setting.curve_of_tail), items, over, CAUSES[which, over], setting)

    def pairs(self) -> pl.DataFrame:
        """`first, relation, second, lost, cause` of every pair of documents that lost something, the worst first."""
        pairs = pl.concat([self._between(), self._with_tail()]) if self.over == "priority" else self._between()
        return pairs.filter(pl.col("lost") > _NOTHING).sort("lost", "first", "second", descending=[True, False, False])

    def documents(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """`item, level, other level, lost` of every document in one of these pairs: half of what each of its pairs lost."""
        ends = [pairs.select(pl.col(end).alias(ITEM), pl.col("lost") / 2) for end in ("first", "second")]
        known = pl.concat(ends).filter(pl.col(ITEM) != TAIL)
        tail = pairs.filter(pl.col("second") == TAIL).select(pl.col("first").alias(ITEM), pl.col("lost") / 2)
        summed = pl.concat([known, tail]).group_by(ITEM, maintain_order=True).agg(pl.col("lost").sum())
        levels = [self._levels(side, name) for side, name in ((self.side, "level"), (self.other, "other side"))]
        for table in levels:
            summed = summed.join(table, on=ITEM, how="left", maintain_order="left")
        return summed.select(ITEM, "level", pl.col("other side").fill_null("none"), "lost").sort(
            "lost", ITEM, descending=[True, False]
        )

    def _levels(self, side: Side, name: str) -> pl.DataFrame:
        """The levels at which each item occurs, counted from 1."""
        rows = pl.DataFrame({ITEM: self.items.gather(pl.Series(side.doc)), name: side.level + 1})
        return rows.group_by(ITEM, maintain_order=True).agg(pl.col(name).cast(pl.String).str.join(", "))

    def _between(self) -> pl.DataFrame:
        """Relations between documents, with the weight that each of them lost."""
        heavy = np.sort(np.argsort(-self.weighted.w, kind="stable")[:MOST])
        doc = self.side.doc[heavy]
        known, at = np.unique(doc, return_inverse=True)
        count = len(known)
        weights = self._weights(heavy)
        pair = (at[:, None] * count + at).ravel()
        weight = summed(pair, weights.ravel(), count * count).reshape(count, count)
        times = self._times(self.side, known)
        low = np.minimum(times, self._times(self.other, known))
        lost = np.where(times > 0, weight * (1.0 - low / np.maximum(times, 1)), 0.0)
        if self.over == "related":
            lost = np.triu(lost + lost.T - np.diag(np.diag(lost)))
        first, second = np.nonzero(lost > _NOTHING)
        cause = [self._cause(int(known[a]), int(known[b])) for a, b in zip(first, second, strict=True)]
        return self._table(known[first], known[second], lost[first, second], cause)

    def _weights(self, heavy: NDArray[np.int64]) -> Table:
        """The weight of the relation between two occurrences, summed over both directions."""
        w = self.weighted.w[heavy]
        if self.over == "related":
            cluster = self.side.cluster[heavy]
            total = np.bincount(self.side.cluster, weights=self.weighted.w)[cluster]
            share = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
            return np.where(cluster[:, None] == cluster, w[:, None] * w * share, 0.0)
        level, shared = self.side.level[heavy], self.weighted.shared[heavy]
        return np.where(level[:, None] < level, shared[:, None] * w + w[:, None] * shared, 0.0)

    def _times(self, side: Side, known: NDArray[np.int64]) -> Table:
        """How often one document is above another, or shares a cluster with it; an absent one may be in the tail."""
        place = np.full(int(max(self.side.doc.max(initial=0), self.other.doc.max(initial=0))) + 1, -1, dtype=np.int64)
        place[known] = np.arange(len(known))
        mine = np.flatnonzero(place[side.doc] >= 0)
        if self.over == "related":  # a document may be at two levels of one cluster
            _, once = np.unique(np.stack((side.doc[mine], side.cluster[mine])), axis=1, return_index=True)
            mine = mine[once]
        at, level, cluster = place[side.doc[mine]], side.level[mine], side.cluster[mine]
        if self.over == "priority" and self.setting.absent == "tail":
            gone = np.setdiff1d(np.arange(len(known)), at)
            at, level = np.concatenate((at, gone)), np.concatenate((level, np.full(len(gone), level.max(initial=0) + 1)))
        holds = cluster[:, None] == cluster if self.over == "related" else level[:, None] < level
        pair = (at[:, None] * len(known) + at).ravel()
        size = len(known)
        return summed(pair, holds.ravel().astype(np.float64), size * size).reshape(size, size)

    def _cause(self, first: int, second: int) -> str:
        ours, theirs = np.bincount(self.side.doc), np.bincount(self.other.doc, minlength=int(self.side.doc.max()) + 1)
        judged = [first] if self.over == "priority" and self.setting.absent == "tail" else [first, second]
        if any(theirs[doc] == 0 for doc in judged):
            return self.causes[0]
        if self.over == "priority" and all(ours[doc] == theirs[doc] == 1 for doc in (first, second)):
            level = dict(zip(self.other.doc.tolist(), self.other.level.tolist(), strict=True))
            if level[first] == level[second]:
                return self.causes[1]
        return self.causes[-1]

    def _with_tail(self) -> pl.DataFrame:
        """Documents that are above the tail although the other side does not have them there, or not as often."""
        tail = float(self.weighted.tail[0])
        count = int(max(self.side.doc.max(initial=0), self.other.doc.max(initial=0))) + 1
        ours, theirs = (np.bincount(side.doc, minlength=count) for side in (self.side, self.other))
        wrong = 1.0 - np.minimum(ours, theirs) / np.maximum(ours, 1)
        seen = self.weighted.w * tail / (1.0 - tail) if tail < 1 else self.weighted.w * 0
        if self.setting.tail_credit == "false":
            seen = seen + self.weighted.shared * tail
        lost = np.bincount(self.side.doc, weights=seen, minlength=count) * wrong
        docs = np.flatnonzero(lost > _NOTHING)
        made = self._table(docs, docs, lost[docs], [self.causes[0]] * len(docs))
        return made.with_columns(pl.lit(TAIL).alias("second"))

    def _table(self, first: NDArray[np.int64], second: NDArray[np.int64], lost: Table, cause: list[str]) -> pl.DataFrame:
        word = "above" if self.over == "priority" else "with"
        return pl.DataFrame(
            {
                "first": self.items.gather(pl.Series(first)),
                "relation": pl.Series([word] * len(cause), dtype=pl.String),
                "second": self.items.gather(pl.Series(second)),
                "lost": np.asarray(lost, dtype=np.float64),
                "cause": pl.Series(cause, dtype=pl.String),
            }
        )


_NOTHING: Final = 1e-12
"""Less than this is lost to rounding."""
