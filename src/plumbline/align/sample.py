"""How judged items were drawn from the pool: strata of which some items were judged, or a probability for each item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadData, pools
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import PROBABILITY, STRATUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sample:
    """What is known about the draw of each item of the gold, in the order of its rows."""

    stratum: NDArray[np.int64]
    """The number of its stratum; 0 where there are none."""
    strata: int
    probability: NDArray[np.float64] | None
    """How probably it was judged; None where the shares of strata tell."""


def sample_of(
    rows: pl.DataFrame, case: NDArray[np.int32], grade: NDArray[np.float64], cases: Sequence[str], label: str
) -> Sample | None:
    """The sample, if the rows have strata or probabilities; a stratum without any judged item cannot be estimated."""
    if STRATUM not in rows.columns and PROBABILITY not in rows.columns:
        return None
    stratum, names = np.zeros(len(rows), dtype=np.int64), [""]
    if STRATUM in rows.columns:
        texts = rows[STRATUM].cast(pl.String)
        names = texts.unique().sort().to_list()
        stratum = texts.replace_strict(names, range(len(names)), return_dtype=pl.Int64).to_numpy()
        cell = case * len(names) + stratum
        pooled, judged = (np.bincount(cell[kept], minlength=len(cases) * len(names)) for kept in (slice(None), grade >= 0))
        empty = np.flatnonzero((pooled > 0) & (judged == 0))
        if len(empty):
            at = int(empty[0])
            raise BadData(pools.empty_stratum(label, names[at % len(names)], cases[at // len(names)], int(pooled[at])))
    probability = rows[PROBABILITY].to_numpy() if PROBABILITY in rows.columns else None
    return Sample(stratum, len(names), probability)
