"""An evaluation over folds: a case for each fold, pooled answers beside the means, and .632 with in-sample answers."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import polars as pl

from plumbline.evaluation.folding import Folding, rows_of_outputs, seen, seen_gold, seen_output
from plumbline.io.fold_rows import read_fold_rows
from plumbline.io.paths import exists
from plumbline.render.fold_means import FOLDS
from plumbline.schema import FOLD, METRIC, REPEAT, SYSTEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from plumbline.align.alignment import Alignment
    from plumbline.io.table import Table
    from plumbline.scores import Scores

    Numbers = NDArray[np.float64]

SEEN_SHARE: Final = 0.368
NEW_SHARE: Final = 0.632
"""The share of the items that a bootstrap draw contains on average, 1 - 1/e, and the rest."""
ACCURACY: Final = "Accuracy"
"""The metric whose value is known for answers that have nothing to do with the items."""


def fold_column(given: Any) -> str:
    """The column of outputs with the fold: the one that is named, or `fold` beside a table of folds."""
    return str(given) if _is_column(given) else FOLD


def _is_column(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike)) and "." not in Path(given).name and not exists(given)


class Scored(Protocol):
    """What is needed of an evaluation."""

    def scores(self, metrics: Iterable[str] | None = None) -> Scores:
        """The scores by these metrics."""
        ...

    def alignment(self) -> Alignment:
        """The systems aligned with the gold."""
        ...


@dataclass(frozen=True, eq=False)
class Folded:
    """The gold and the outputs as they were read, and the folds that they are put into."""

    folding: Folding
    table: Table
    outputs: Mapping[str, Table]
    make: Callable[[Table, dict[str, Table]], Scored]
    """The same evaluation of other tables."""

    @classmethod
    def of(
        cls,
        given: Any,
        gold: Table,
        outputs: dict[str, Table],
        make: Callable[[Table, dict[str, Table]], Scored],
    ) -> Folded:
        """Folds of a file, a frame or a Split; or those that a column of the outputs tells."""
        rows = rows_of_outputs(outputs, str(given)) if _is_column(given) else read_fold_rows(given)
        return cls(Folding.of(rows, gold), gold, outputs, make)

    def tables(self) -> tuple[Table, dict[str, Table]]:
        """Gold and outputs with a case for each fold, or with the cases of the gold where these are split."""
        of = self.folding
        return of.gold(self.table), {name: of.output(one) for name, one in self.outputs.items()}

    def right_or_wrong(self, metric: str) -> Scores | None:
        """The value of each item alone, if items are tested once."""
        of = self.folding
        if of.folds.of_cases or of.several:
            return None
        outputs = {name: of.output_by_item(one) for name, one in self.outputs.items()}
        return self.make(of.gold_by_item(self.table), outputs).scores([metric])

    def described(self, scores: Scores) -> Scores:
        """The scores with what is known about their folds."""
        of = self.folding
        facts = {
            "of": "cases" if of.folds.of_cases else "items",
            "test_to_train": of.test_to_train,
            "folds": {case: list(names) for case, names in of.fold_of_case.items()},
            "means": self._means(scores).to_dicts(),
        }
        return replace(scores, made={**scores.made, FOLDS: facts})

    def _means(self, scores: Scores) -> pl.DataFrame:
        """`system, metric, folds, pooled`, and with in-sample answers `seen, b632, b632plus`."""
        of_fold = pl.DataFrame(
            [(case, repeat, fold) for case, (repeat, fold) in self.folding.fold_of_case.items()],
            schema={"case": pl.String, REPEAT: pl.String, FOLD: pl.String},
            orient="row",
        )
        by_fold = (
            scores.per_case.join(of_fold, on="case", maintain_order="left")
            .group_by(SYSTEM, METRIC, REPEAT, FOLD, maintain_order=True)
            .agg(pl.col(VALUE).mean())
        )
        means = by_fold.group_by(SYSTEM, METRIC, maintain_order=True).agg(folds=pl.col(VALUE).mean())
        table = means.join(self._pooled(scores), on=[SYSTEM, METRIC], how="left", maintain_order="left")
        return self._with_seen(table, scores)

    def _pooled(self, scores: Scores) -> pl.DataFrame:
        """All answers of a repeat as one test, and the mean over repeats; of whole cases, the mean over cases."""
        of = self.folding
        if not of.folds.of_cases:
            outputs = {name: of.pooled_output(one) for name, one in self.outputs.items()}
            scores = self.make(of.pooled_gold(self.table), outputs).scores([column.asked for column in scores.columns])
        return scores.mean.select(SYSTEM, METRIC, pl.col(VALUE).alias("pooled"))

    def _with_seen(self, table: pl.DataFrame, scores: Scores) -> pl.DataFrame:
        """The in-sample score of each system, and what it makes of the others."""
        rows = seen(self.outputs.values())
        if rows.is_empty() or self.folding.folds.of_cases:
            return table
        outputs = {name: seen_output(one) for name, one in self.outputs.items()}
        made = self.make(seen_gold(self.table, rows), outputs)
        known = made.scores([column.asked for column in scores.columns])
        table = table.join(
            known.mean.select(SYSTEM, METRIC, pl.col(VALUE).alias("seen")),
            on=[SYSTEM, METRIC],
            how="left",
            maintain_order="left",
        )
        chance = _by_chance(made)
        by_chance = [
            chance.get(name) if metric == ACCURACY else None for name, metric in table.select(SYSTEM, METRIC).iter_rows()
        ]
        return table.with_columns(
            (SEEN_SHARE * pl.col("seen") + NEW_SHARE * pl.col("folds")).alias("b632"),
            pl.Series("b632plus", plus(table["seen"].to_numpy(), table["folds"].to_numpy(), np.array(by_chance, dtype=float))),
        ).with_columns(pl.col("b632plus").fill_nan(None))


def plus(seen_accuracy: Numbers, new_accuracy: Numbers, by_chance: Numbers) -> Numbers:
    """The .632+ estimate of accuracies (Efron and Tibshirani 1997): the more a learner overfits, the less its seen items count.

    Args:
        seen_accuracy: The accuracy on what the learner has seen.
        new_accuracy: That on what it has not.
        by_chance: That of the same answers if they had nothing to do with the items.

    Returns:
        The estimate; NaN where one of them is.
    """
    error, new, chance = 1.0 - seen_accuracy, 1.0 - new_accuracy, 1.0 - by_chance
    new = np.minimum(new, chance)
    possible = (new > error) & (chance > error)
    rate = np.divide(new - error, chance - error, out=np.zeros_like(new), where=possible)
    weight = NEW_SHARE / (1.0 - SEEN_SHARE * rate)
    return np.asarray(np.where(np.isnan(new), np.nan, 1.0 - ((1.0 - weight) * error + weight * new)))


def _by_chance(evaluation: Scored) -> dict[str, float]:
    """The accuracy that each system's classes would have if they were given to items at random."""
    aligned = evaluation.alignment()
    confusion = aligned.confusion_cells()
    if confusion is None:
        return {}
    cells = confusion.cells.with_columns((pl.col("count") / pl.col("count").sum().over("list")).alias("share"))
    gold = cells.group_by("list", "gold", maintain_order=True).agg(pl.col("share").sum().alias("right"))
    given = cells.group_by("list", "given", maintain_order=True).agg(pl.col("share").sum().alias("answered"))
    both = gold.join(given, left_on=["list", "gold"], right_on=["list", "given"], maintain_order="left")
    of_list = both.group_by("list", maintain_order=True).agg((pl.col("right") * pl.col("answered")).sum().alias("chance"))
    count = max(len(aligned.cases), 1)
    numbered = of_list.with_columns((pl.col("list") // count).alias("system"))
    of_system = numbered.group_by("system", maintain_order=True).agg(pl.col("chance").mean())
    return {aligned.systems[system]: chance for system, chance in of_system.iter_rows()}
