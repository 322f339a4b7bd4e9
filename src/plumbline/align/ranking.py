"""Each system's ranking reduced to what metrics need: the ranks of judged items and the length of every list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from plumbline.align.alignment import Alignment, AlignOptions
from plumbline.align.full_lists import FullLists
from plumbline.align.judged_rows import JudgedRows
from plumbline.align.keys import rows_of_cases, starts
from plumbline.align.listing import find_judged
from plumbline.align.missing import missing_case_notices
from plumbline.align.ranked_sides import prioritised_by_gold, ranked_items, ranked_sides
from plumbline.align.reading_time import read_item_lengths
from plumbline.align.ties import ranked, with_ranked
from plumbline.errors import BadData, Diagnostic, notices, table
from plumbline.io.listed import Sought
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements
    from plumbline.align.listing import Listing
    from plumbline.align.policy import Policy
    from plumbline.align.sides import Sides
    from plumbline.align.ties import Ranks, TieFacts
    from plumbline.io.table import Table

RELATIONS: Final = "relations"
"""The view of metrics that look at all items of a list, judged or not, and at no order of equal scores."""
MANY_TIES: Final = 0.5
"""The share of tied items from which there is a notice."""


@dataclass(frozen=True, kw_only=True)
class AlignedRankings(Alignment):
    """All rankings against one gold: a row per judged item shown, and the length of every list."""

    task: ClassVar[str] = "ranking"
    needs_gold: ClassVar[bool] = True
    """Nothing is defined in a case in which nothing is relevant."""
    gold: Judgements
    rows: JudgedRows
    shown: NDArray[np.int64]
    """The length of every list."""
    full_lists: tuple[FullLists, ...] = ()
    """The lists of each system with all their items; kept only where a metric reads them."""
    words: NDArray[np.float64] | None = None
    """The number of words of each judged item, where it is known."""

    def sides(self, system: int, rel: float | None, *, finite: bool) -> Sides:
        """The lists of a system beside the gold, as organizations."""
        return ranked_sides(self.gold, self.full_lists[system], self.words, rel, finite=finite)

    def documents_of_sides(self, system: int, rel: float | None, *, finite: bool) -> pl.Series:
        """The item of each document of these sides; only where items were kept."""
        return ranked_items(self.gold, self.full_lists[system], rel, finite=finite)

    def prioritised_by_gold(self, rel: float | None) -> NDArray[np.bool_]:
        """Whether the gold prioritises anything, case by case."""
        return prioritised_by_gold(self.gold, rel)


def sought_while_reading(gold: Judgements, options: AlignOptions) -> Sought | None:
    """What is looked up in large runs while they are read; None if more is needed than the ranks of judged items."""
    policy = options.policy
    in_full = bool(options.needs & {RELATIONS}) or options.items or policy.judged_only or policy.single_precision
    in_memory = gold.listed is not None and isinstance(gold.listed.data, bytes)
    if in_full or policy.ties == "average" or gold.listed is None or not in_memory or gold.has_foreign_letters:
        return None
    return Sought(gold.codes, gold.listed, gold.case)


def align_ranking(gold: Judgements, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedRankings:
    """Align one ranking after the other, so that only one output is in memory at a time."""
    policy, ordered = options.policy, options.needs != {RELATIONS}
    lengths = read_item_lengths(options.lengths, options.max_bytes)
    parts, shown, missing, messages, kept = [], [], [], list(gold.notices), []
    names: list[str] = []
    tags: list[str | None] = []
    for name, read in outputs:
        one = _align_one(gold, read, options, ordered=ordered)
        parts.append(one.ranks.rows(one.judged, len(names) * len(gold.cases)))
        shown.append(one.shown)
        missing.append(one.missing)
        if RELATIONS in options.needs:
            words = None if lengths is None else lengths.of
            kept.append(FullLists.of(one.ranks, one.judged, policy.depth, words, keep=options.items))
        messages += [*read.notices, *one.notices]
        names.append(name)
        tags.append(read.tag)
        del one, read  # the next output is read and aligned without this one in memory
    return AlignedRankings(
        gold=gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=policy,
        notices=tuple(messages),
        rows=JudgedRows.concatenated(parts),
        shown=np.concatenate(shown),
        full_lists=tuple(kept),
        words=None if lengths is None else lengths.of(gold.items),
    )


@dataclass(frozen=True)
class _One:
    """One system: its judged rows, the length of every list, the whole order and the gold's row of each judged one."""

    ranks: Ranks
    shown: NDArray[np.int64]
    missing: NDArray[np.bool_]
    """Whether the system lacks a case; one whose items were all dropped is answered."""
    judged: NDArray[np.int64]
    notices: list[Diagnostic]


def _align_one(gold: Judgements, read: Table, options: AlignOptions, *, ordered: bool) -> _One:
    policy, in_full = options.policy, RELATIONS in options.needs
    judgements = find_judged(gold, read, policy)
    listing, judged, of_gold, messages = judgements.listing, judgements.judged, judgements.of_gold, list(judgements.notices)
    if judgements.extra:
        messages.append(notices.extra_cases(read.label, judgements.extra))
    given = judgements.lengths(len(gold.cases))
    if not given.any() and not set(read.empty_cases) & set(gold.codes):
        raise BadData(table.no_common_case(read.label, gold.label, gold.cases, judgements.extra))
    if policy.single_precision:
        listing = replace(listing, value=_in_single_precision(listing.value))
    grades = gold.grade[of_gold]
    messages += missing_case_notices(gold.cases, read.label, given == 0, policy, read.empty_cases)
    if policy.depth is not None and (given > policy.depth).any():
        messages.append(notices.cut_lists(read.label, int((given > policy.depth).sum()), policy.depth))
    if policy.judged_only:
        kept = (grades >= 0) & _above_depth(listing, judged, grades, policy)
        above = given if policy.depth is None else np.minimum(given, policy.depth)
        dropped = int(above.sum() - kept.sum())
        messages += [notices.dropped_unjudged(read.label, dropped)] if dropped else []
        listing, of_gold = listing.take(judged[kept]), of_gold[kept]
        judged, grades = np.arange(len(of_gold)), grades[kept]
    ranks = ranked(listing, judged, grades, policy.ties, in_full=in_full)
    if judgements.ranked is not None:
        more = judgements.ranked.of_gold
        ranks = with_ranked(ranks, judgements.ranked, gold.case[more], gold.grade[more])
        of_gold = np.concatenate((of_gold, more))
    ties = ranks.ties
    shown = rows_of_cases(listing.case, len(gold.cases)) if policy.judged_only else given
    if options.partial or ties_matter(ties.tied, ties.items, ties.full_cases):
        rules = {"id": "item id, descending", "average": "the mean over all orders", "levels": None}
        rule = rules.get(policy.ties, f"the {policy.ties} order") if ordered else None
        messages.append(_tied_notice(read.label, ties, shown, rule))
    if not len(of_gold) and given.any():
        messages.append(notices.nothing_judged(read.label, int((shown > 0).sum())))
    return _One(ranks, shown, given == 0, of_gold, messages + _normalisation(gold, listing, read.label))


def _in_single_precision(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores as 32-bit floats; those beyond all of them are equal, and stay finite, as what sorts them expects."""
    with np.errstate(over="ignore"):
        return np.nan_to_num(scores.astype(np.float32).astype(np.float64))


def ties_matter(tied: int, items: int, full_cases: int) -> bool:
    """Whether the tie rule decides so much that it should be known."""
    return tied / max(items, 1) >= MANY_TIES or full_cases > 0


def _tied_notice(label: str, ties: TieFacts, shown: NDArray[np.int64], rule: str | None) -> Diagnostic:
    return notices.tied(label, ties.tied, ties.items, ties.full_cases, int((shown > 0).sum()), rule)


def _above_depth(listing: Listing, rows: NDArray[np.int64], grades: NDArray[np.float64], policy: Policy) -> NDArray[np.bool_]:
    """Whether each of these rows is above the depth while unjudged items still hold their places, as with trec_eval -J -M."""
    if policy.depth is None:
        return np.ones(len(rows), dtype=np.bool_)
    ranks = ranked(listing, rows, grades, policy.ties, in_full=True)
    first = starts(ranks.ordered.case)
    return np.asarray(ranks.judged - first[np.searchsorted(first, ranks.judged, side="right") - 1] < policy.depth)


def _normalisation(gold: Judgements, listing: Listing, label: str) -> list[Diagnostic]:
    """Ids that would match in another Unicode form."""
    if not gold.has_foreign_letters:
        return []
    foreign = listing.frame().filter(pl.col(ITEM).str.len_bytes() != pl.col(ITEM).str.len_chars())
    if foreign.is_empty():
        return []
    unmatched = foreign.join(gold.judged, on=[CASE, ITEM], how="anti")
    plain = pl.col(ITEM).str.normalize("NFC")
    would = unmatched.with_columns(plain).join(gold.judged.with_columns(plain), on=[CASE, ITEM], how="semi")
    return [notices.normalisation(label, len(would), str(would[ITEM].min()))] if len(would) else []
