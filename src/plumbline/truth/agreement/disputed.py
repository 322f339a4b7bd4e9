"""Why agreement is what it is: the terms of each coefficient, and the items on which answers differ most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from plumbline.schema import CASE, ITEM
from plumbline.truth.agreement.tally import PAIR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.truth.agreement.ratings import Ratings
    from plumbline.truth.agreement.registry import Coefficient
    from plumbline.truth.agreement.scales import Scale
    from plumbline.truth.agreement.tally import Tallied, Tally

MOST: Final = 100
"""Items that are listed."""
NAMED: Final = 4
"""Assessors that are named for each answer."""


def terms_table(wanted: Sequence[Coefficient], tally: Tally, scale: Scale) -> pl.DataFrame:
    """`coefficient, disagreement, by_chance, value, chance`: the value is 1 - disagreement / by_chance."""
    terms = np.array([[float(part[0]) for part in one.terms(tally, scale)] for one in wanted]).reshape(-1, PAIR)
    values = [float(one.compute(tally, scale)[0]) for one in wanted]
    columns = {"disagreement": terms[:, 0], "by_chance": terms[:, 1], "value": np.array(values, dtype=np.float64)}
    return pl.DataFrame(
        {
            "coefficient": [one.title for one in wanted],
            **{name: pl.Series(column, dtype=pl.Float64, nan_to_null=True) for name, column in columns.items()},
            "chance": [one.chance for one in wanted],
        },
        schema_overrides={"coefficient": pl.String, "chance": pl.String},
    )


def disputed_items(tallied: Tallied, scale: Scale) -> pl.DataFrame:
    """`case, item, judgements, answers, share`: the items with the largest shares of all disagreement, by alpha's distances."""
    ratings = tallied.ratings
    pattern, some, _ = tallied.patterns
    distance = scale.distance(tallied.all_units().coincidences.sum(axis=2))[0]
    differ = np.einsum("uc,ck,uk->u", some.counts, distance, some.counts)
    each = np.where(some.judged >= PAIR, differ / np.maximum(some.judged - 1, 1), 0.0)[pattern]
    total = float(each.sum())
    if total <= 0:
        return pl.DataFrame()
    first = np.argsort(-each, kind="stable")[:MOST]
    chosen = [int(unit) for unit in first if each[unit] > 0]
    return pl.DataFrame(
        {
            CASE: [ratings.cases[int(ratings.case[unit])] for unit in chosen],
            ITEM: [ratings.items[unit] for unit in chosen],
            "judgements": [int(ratings.judged[unit]) for unit in chosen],
            "answers": [_answers(ratings, unit) for unit in chosen],
            "share": [float(each[unit]) / total for unit in chosen],
        }
    )


def _answers(ratings: Ratings, unit: int) -> str:
    """Each answer with those who gave it: `0: ben; 2: anna, cy`."""
    low, high = np.searchsorted(ratings.unit, [unit, unit + 1])
    by_answer: dict[int, list[str]] = {}
    for category, assessor in zip(ratings.category[low:high].tolist(), ratings.assessor[low:high].tolist(), strict=True):
        by_answer.setdefault(category, []).append(ratings.assessors[assessor])
    return "; ".join(f"{ratings.categories[answer]}: {_some(sorted(by_answer[answer]))}" for answer in sorted(by_answer))


def _some(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
