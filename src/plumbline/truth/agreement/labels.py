"""Agreement on labels: all coefficients, pairs, cases, cuts and judges of some ratings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from plumbline.errors import BadUsage, judgements, usage
from plumbline.options.option import suggestion
from plumbline.truth.agreement.disputed import disputed_items, terms_table
from plumbline.truth.agreement.intervals import interval_of
from plumbline.truth.agreement.pairs import described, joint_counts, pair_table
from plumbline.truth.agreement.registry import coefficients
from plumbline.truth.agreement.scales import scale_of
from plumbline.truth.agreement.tally import Tallied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from plumbline.errors import Diagnostic
    from plumbline.truth.agreement.ratings import Level, Ratings
    from plumbline.truth.agreement.registry import Coefficient
    from plumbline.truth.agreement.scales import Scale, SetDistance, Weights
    from plumbline.truth.agreement.tally import Tally

MOST_PAIRED: Final = 100
"""Above so many assessors, pairs and leave-one-out are left out."""
FEW: Final = 10
"""Pairs with fewer common items are named."""
SHORT: Final = ("agreement", "kappa", "fleiss_kappa", "alpha")
"""The coefficients of tables with many rows."""
TWO: Final = 2
NOTHING_SHARED: Final = "no item has two judgements"


@dataclass(frozen=True, eq=False)
class Labelled:
    """Ratings and how they are compared."""

    ratings: Ratings
    level: Level
    weights: Weights | None = None
    distance: SetDistance = "masi"
    names: Sequence[str] = ()

    @cached_property
    def scale(self) -> Scale:
        """Weights and distances of the categories."""
        return scale_of(self.ratings, self.level, self.weights, self.distance)

    @cached_property
    def tallied(self) -> Tallied:
        """The sums behind every coefficient."""
        return Tallied(self.ratings)

    @cached_property
    def wanted(self) -> list[Coefficient]:
        """The coefficients that fit, or those that were named."""
        known = coefficients()
        count = len(self.ratings.assessors)
        wrong = next((name for name in self.names if name not in known), None)
        if wrong is not None:
            raise BadUsage(usage.bad_keyword("agree", f"there is no coefficient {wrong!r}", suggestion(wrong, list(known))))
        named = [known[name] for name in self.names] or [one for one in known.values() if self.level in one.levels]
        return [one for one in named if one.takes(count)]

    def table(self, **how: Any) -> tuple[pl.DataFrame, dict[str, Any]]:
        """`coefficient, title, value, low, high, error, reason`, and what was drawn."""
        tally = self.tallied.all_units()
        values = np.array([one.compute(tally, self.scale)[0] for one in self.wanted])
        interval = interval_of(self.tallied, self.scale, self.wanted, **how)
        numbers = {"value": values, "low": interval.low, "high": interval.high, "error": interval.error}
        gone = np.isnan(values)
        frame = pl.DataFrame(
            {
                "coefficient": [one.name for one in self.wanted],
                "title": [one.title for one in self.wanted],
                **{
                    name: pl.Series(np.where(gone, np.nan, column), dtype=pl.Float64, nan_to_null=True)
                    for name, column in numbers.items()
                },
                "reason": pl.Series(
                    [self._undefined(one) if none else None for one, none in zip(self.wanted, gone, strict=True)],
                    dtype=pl.String,
                ),
            }
        )
        return frame, {"over": interval.over, "count": interval.count, "undefined_draws": interval.undefined}

    def _undefined(self, one: Coefficient) -> str:
        return one.undefined if (self.ratings.judged >= TWO).any() else NOTHING_SHARED

    def why(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The terms of each coefficient, and the items on which answers differ most."""
        terms = terms_table(self.wanted, self.tallied.all_units(), self.scale)
        return terms, disputed_items(self.tallied, self.scale)

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Every pair of assessors with a common item."""
        if len(self.ratings.assessors) > MOST_PAIRED:
            return pl.DataFrame()
        return pair_table(self.ratings, self.scale, self.joint)

    @cached_property
    def joint(self) -> NDArray[np.float64]:
        """How often two assessors gave each two answers to an item."""
        return joint_counts(self.ratings)

    def by_case(self) -> pl.DataFrame:
        """`case, items` and the usual coefficients of each case."""
        ratings = self.ratings
        if len(ratings.cases) < TWO:
            return pl.DataFrame()
        tally = self.tallied.by(ratings.case, len(ratings.cases))
        return pl.DataFrame(
            {"case": ratings.cases, "items": tally.shared.astype(np.int64), **self._short(tally, len(ratings.assessors))}
        )

    def without(self) -> pl.DataFrame:
        """`assessor, judgements` and the usual coefficients of all others."""
        ratings = self.ratings
        if not TWO < len(ratings.assessors) <= MOST_PAIRED:
            return pl.DataFrame()
        judged = np.bincount(ratings.assessor, minlength=len(ratings.assessors))
        tallies = [Tallied(ratings.without(place)).all_units() for place in range(len(ratings.assessors))]
        rows = [self._short(tally, len(ratings.assessors) - 1) for tally in tallies]
        columns = {name: pl.concat([row[name] for row in rows]) for name in rows[0]}
        return pl.DataFrame({"assessor": ratings.assessors, "judgements": judged, **columns})

    def cuts(self) -> pl.DataFrame:
        """`cut, share` and the usual coefficients of whether each grade is reached."""
        ratings = self.ratings
        if self.level not in {"ordinal", "interval", "ratio"} or not TWO < len(ratings.categories) <= MOST_PAIRED // 5:
            return pl.DataFrame()
        rows = []
        for cut in ratings.values[1:]:
            halves = Labelled(ratings.cut(float(cut)), "nominal")
            tally = halves.tallied.all_units()
            share = float((halves.ratings.category == 1).mean())
            rows.append(
                {"cut": float(cut), "share": share} | {k: v[0] for k, v in halves._short(tally, len(ratings.assessors)).items()}
            )
        return pl.DataFrame(rows, infer_schema_length=None)

    def _short(self, tally: Tally, assessors: int) -> dict[str, pl.Series]:
        known = coefficients()
        names = [name for name in SHORT if known[name].takes(assessors)]
        return {name: pl.Series(known[name].compute(tally, self.scale), dtype=pl.Float64, nan_to_null=True) for name in names}

    def judges(self, reference: str) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Each assessor against the reference, with the coefficients at every cut; and the answers of both."""
        ratings = self.ratings
        place = ratings.assessors.index(reference)
        others = np.array([one for one in range(len(ratings.assessors)) if one != place])
        tables = self.joint[place, others]
        kept = tables.sum(axis=(1, 2)) > 0
        others, tables = others[kept], tables[kept]
        frame = described(ratings, self.scale, np.full(len(others), place), others, tables).drop("a").rename({"b": "judge"})
        if self.level in {"ordinal", "interval", "ratio"} and TWO < len(ratings.categories) <= MOST_PAIRED // 5:
            for at, cut in enumerate(ratings.values[1:], 1):
                halves = np.add.reduceat(np.add.reduceat(tables, [0, at], axis=1), [0, at], axis=2)
                two = Labelled(ratings.cut(float(cut)), "nominal")
                columns = described(two.ratings, two.scale, np.full(len(others), place), others, halves)
                frame = frame.with_columns(columns[name].alias(f"{name}_from_{cut:g}") for name in ("kappa", "alpha"))
        size = len(ratings.categories)
        labels = pl.Series(ratings.categories, dtype=pl.String)
        grid = np.indices((len(others), size, size)).reshape(3, -1)
        confusion = pl.DataFrame(
            {
                "judge": pl.Series(ratings.assessors, dtype=pl.String).gather(others[grid[0]]),
                reference if reference != "judge" else "reference": labels.gather(grid[1]),
                "answer": labels.gather(grid[2]),
                "items": tables.reshape(-1).astype(np.int64),
            }
        )
        return frame, confusion

    def notices(self) -> list[Diagnostic]:
        """What makes coefficients undefined or shaky."""
        ratings = self.ratings
        notices: list[Diagnostic] = []
        if not (ratings.judged >= TWO).any():
            return [judgements.judged_once(ratings.units)]
        once = int((ratings.judged == 1).sum())
        if once > ratings.units // 2:
            notices.append(judgements.mostly_judged_once(once, ratings.units))
        present = np.unique(ratings.category)
        if len(present) == 1:
            notices.append(judgements.all_alike(ratings.categories[int(present[0])]))
        if len(ratings.assessors) > MOST_PAIRED:
            notices.append(judgements.too_many_pairs(len(ratings.assessors), MOST_PAIRED))
        elif not self.pairs.is_empty():
            few = self.pairs.filter(pl.col("items") < FEW)
            rows = [f"kappa of {a} and {b} rests on {items}" for a, b, items in few.select("a", "b", "items").iter_rows()]
            if rows:
                notices.append(judgements.few_items(rows, FEW))
        return notices
