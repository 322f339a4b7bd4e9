"""Time-biased gain."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from plumbline.align.reading_time import NOT_RELEVANT, RELEVANT, seconds
from plumbline.metrics.registry import metric
from plumbline.metrics.rules import AtLeast, Level, Positive
from plumbline.views.discount import HALF_LIFE
from plumbline.views.ranked import Ranked
from plumbline.views.terms import Terms

SAVED: Final = 0.77
"""How often an opened relevant document is kept."""


@metric(
    "TBG",
    range=(0, None),
    paper="smucker2012",
    claims=("priority", "deepness", "deepness threshold", "closeness threshold"),
    samples={"words": (400.0, 20.0), "half": (60.0,)},
)
def time_biased_gain(
    lists: Ranked,
    *,
    words: Annotated[float, AtLeast(0)],
    half: Annotated[float, Positive()] = HALF_LIFE,
    rel: Level = 1.0,
) -> Terms:
    r"""Relevant items that a user is expected to save before the time is up.

    $$\sum_i 0.64 \cdot 0.77 \, rel_i \, 2^{-t_i / h}, \quad t_i = \sum_{j < i} 4.4 + (0.018\, words + 7.8) \, click_j$$

    t is the time until a rank is reached, in seconds: looking at each summary, and opening and reading 64 % of the relevant and
    39 % of the other items. Half of the users have left after h = `half` seconds. `words` is the mean length of an item, and
    stands for the length of each: lengths of single items (`--lengths`) count for `Rel` and `Sens` with `discount=time` only.
    """
    right, other = (float(seconds(np.array([words]), np.array([opened]))[0]) for opened in (RELEVANT, NOT_RELEVANT))
    hits_above = lists.so_far(lists.relevant(rel)) - lists.relevant(rel)
    reached = (lists.rank - 1.0) * other + hits_above * (right - other)
    kept = RELEVANT * SAVED * np.exp2(-reached / half)
    return Terms(lists.relevant(rel) * kept, given=lists.some_relevant(rel))
