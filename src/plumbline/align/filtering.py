"""Every filter reduced to what metrics need: the four counts of each case, and the items at each score."""

from __future__ import annotations

from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from plumbline.align.alignment import Alignment, ConfusionCells
from plumbline.align.items import GoldItems, answer_notices, gold_of, match, prepare_items
from plumbline.align.positives import EVEN_ODDS, Positives
from plumbline.align.probabilities import of_positive_class
from plumbline.deferred import deferring, later, replaced
from plumbline.errors import BadData
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import LIST, SCORE, TIMES
from plumbline.tasks import task_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from plumbline.align.alignment import AlignOptions
    from plumbline.align.items import Matched
    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.table import Table

CELLS: Final = ("tn", "fp", "fn", "tp")
"""The four counts, in the order of the code 2 * gold + system."""
OPEN_CELLS: Final = ("open_tn", "open_fp", "open_fn", "open_tp")
"""How many items of each count have no answer."""


POSITIVE: Final = "positive"
NEGATIVE: Final = "negative"
"""The two classes of a filter's confusion matrix."""


@dataclass(frozen=True)
class ItemAnswers:
    """The answers of a system about the items of the gold."""

    yes: NDArray[np.bool_]
    open: NDArray[np.bool_] | None
    """Which items have no answer; none if all have one."""
    score: NDArray[np.float64] | None
    """The scores, infinite for an item without an answer; none if there are only labels."""
    undecided: Diagnostic | None = None
    """Why nothing says which scores are positive."""

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores; labels alone count as 1 and 0."""
        return self.yes.astype(np.float64) if self.score is None else self.score


@deferring("scored")
@dataclass(frozen=True, kw_only=True)
class AlignedFilters(Alignment):
    """All filters against one gold: a row of counts per list."""

    task: ClassVar[str] = "filtering"
    gold: GoldItems
    cells: Mapping[str, NDArray[np.float64]]
    """Each count of all lists; of a case that a system lacks, those of an output that is wrong on every item."""
    scored: pl.DataFrame
    """`list, score, positives, negatives` for every distinct score; empty unless a metric reads scores."""
    positive: NDArray[np.bool_]
    """Whether the gold calls each item positive."""
    answers: tuple[ItemAnswers, ...] = ()
    """The answers of each system, item by item; only where items were kept."""
    undecided: tuple[Diagnostic, ...] = ()
    """Why the counts of some outputs say nothing: only their scores were wanted, and nothing tells which are positive."""

    @cached_property
    def counts(self) -> pl.DataFrame:
        """`list` and the counts."""
        numbers = pl.Series(LIST, np.arange(len(self.missing)))
        return pl.DataFrame([numbers, *starmap(pl.Series, self.cells.items())])

    def decided_counts(self) -> pl.DataFrame:
        """The counts, if every output has answers."""
        if self.undecided:
            raise BadData(*self.undecided)
        return self.counts

    def confusion_cells(self) -> ConfusionCells:
        """The four counts of each list."""
        counts = self.decided_counts()
        pairs = {"tp": (POSITIVE, POSITIVE), "fp": (NEGATIVE, POSITIVE), "fn": (POSITIVE, NEGATIVE), "tn": (NEGATIVE, NEGATIVE)}
        parts = [
            counts.select(
                LIST, pl.lit(wanted).alias("gold"), pl.lit(given).alias("given"), pl.col(name).cast(pl.Int64).alias("count")
            )
            for name, (wanted, given) in pairs.items()
        ]
        cells = pl.concat(parts).filter(pl.col("count") > 0).sort(LIST, maintain_order=True)
        return ConfusionCells(cells, (POSITIVE, NEGATIVE))


def align_filtering(gold_table: Table, outputs: Iterable[tuple[str, Table]], options: AlignOptions) -> AlignedFilters:
    """Align one filter after the other and keep only its counts, and its scores where a metric reads them."""
    policy, decides = options.policy, options.needs != {"scores"}
    rule = Positives(options.positive, options.level, options.threshold, decides)
    gold = prepare_items(gold_table, policy, several=False)
    positive = rule.of_gold(gold)
    names: list[str] = []
    tags: list[str | None] = []
    about_gold = [*gold.notices, *rule.gold_notices(gold)]
    counts, scores, missing, kept, undecided, messages = [], [], [], [], [], list(about_gold)
    labels = [] if gold.distinct is None else list(gold.distinct.names)
    for name, output in outputs:
        read = of_positive_class(output, labels, rule.is_positive)
        here = gold if (other := gold_of(output)) is None else prepare_items(other, policy, several=False)
        wanted = positive if here is gold else rule.of_gold(here)
        matched = match(here, read, policy, several=False)
        answers, notes = _answers(here, read, matched, wanted, policy, rule)
        first = len(names) * len(gold.cases)
        counts.append(_counts(here, wanted, answers))
        if "scores" in options.needs:
            scores.append(_scored(here, wanted, answers, first))
        missing.append(~matched.cases)
        kept += [answers] if options.items else []
        messages += [*read.notices, *matched.notices, *notes]
        undecided += [answers.undecided] if answers.undecided else []
        names.append(name)
        tags.append(read.tag)
    gold = replaced(gold, notices=tuple(about_gold))
    cells = dict(zip((*CELLS, *OPEN_CELLS), np.ascontiguousarray(np.concatenate(counts).T), strict=True))
    return AlignedFilters(
        gold=gold,
        systems=tuple(names),
        tags=tuple(tags),
        missing=np.concatenate(missing),
        policy=policy,
        notices=tuple(messages),
        cells=cells,
        scored=later(lambda: pl.concat(scores) if scores else pl.DataFrame()),
        positive=positive,
        answers=tuple(kept),
        undecided=tuple(undecided),
    )


def _answers(
    gold: GoldItems, read: Table, matched: Matched, positive: NDArray[np.bool_], policy: Policy, rule: Positives
) -> tuple[ItemAnswers, list[Diagnostic]]:
    """Items without an answer are negative, or wrong by the policy; in a case without any answer all are wrong."""
    stated = rule.of_output(gold, matched, read)
    unsure = None if stated.score is None or rule.threshold not in (None, EVEN_ODDS) else stated.score == EVEN_ODDS
    if matched.in_gold_order and stated.given is None:
        return ItemAnswers(stated.yes, unsure, stated.score, stated.undecided), stated.notices
    given = slice(None) if stated.given is None else stated.given
    item = (np.arange(len(positive)) if matched.in_gold_order else matched.item)[given]
    answered = np.zeros(len(positive), dtype=bool)
    answered[item] = True
    how = policy.rule_for_items("filtering")
    wrong = ~positive if how == "wrong" else ~positive & ~matched.cases[gold.case]
    yes = wrong & ~answered
    yes[item] = stated.yes[given]
    score = np.where(yes, np.inf, -np.inf)
    score[item] = stated.yes[given] if stated.score is None else stated.score[given]
    left_open = ~answered
    if unsure is not None:
        left_open[item] = unsure[given]
    accounted = matched.cases[gold.case] if stated.is_set else answered
    notes = answer_notices(gold, read, matched, accounted, policy, task_named("filtering").item_rules[how])
    return ItemAnswers(yes, left_open, score, stated.undecided), [*stated.notices, *notes]


def _counts(gold: GoldItems, positive: NDArray[np.bool_], answers: ItemAnswers) -> NDArray[np.float64]:
    """A row for each case: all items of each cell, then those without an answer."""
    cell = gold.case.astype(np.int64) * len(CELLS) + positive * 2 + answers.yes
    most = len(gold.cases) * len(CELLS)
    table = np.bincount(cell, gold.times, most).reshape(-1, len(CELLS))
    unanswered = np.zeros_like(table)
    if answers.open is not None:
        times = None if gold.times is None else gold.times[answers.open]
        unanswered = np.bincount(cell[answers.open], times, most).reshape(-1, len(CELLS))
    return np.hstack([table, unanswered]).astype(np.float64, copy=False)


def _scored(gold: GoldItems, positive: NDArray[np.bool_], answers: ItemAnswers, first: int) -> pl.DataFrame:
    rows = pl.DataFrame({LIST: gold.case.astype(np.int64) + first, SCORE: answers.scores, "positive": positive})
    yes, no = pl.col("positive"), ~pl.col("positive")
    if gold.times is not None:
        rows = rows.with_columns(pl.Series(TIMES, gold.times))
        yes, no = yes * pl.col(TIMES), no * pl.col(TIMES)
    return rows.group_by(LIST, SCORE, maintain_order=True).agg(
        yes.sum().cast(pl.Float64).alias("positives"), no.sum().cast(pl.Float64).alias("negatives")
    )
