"""How many cases two systems have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AT_ONCE: Final = 2**22
"""Numbers in one matrix product, about; there are fewer cases than single precision can count."""


def shared_cases(known: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The number of cases that both have, `[a, b]`, of what is known `[system, case]`; on the diagonal those of one system."""
    systems, cases = known.shape
    if known.all():
        return np.full((systems, systems), cases, dtype=np.int64)
    counts = np.zeros((systems, systems), dtype=np.int64)
    step = max(1, _AT_ONCE // max(systems, 1))
    for start in range(0, cases, step):
        some = known[:, start : start + step].astype(np.float32)
        counts += np.rint(some @ some.T).astype(np.int64)
    return counts
