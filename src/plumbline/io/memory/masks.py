"""Masked arrays of numpy: what is hidden is missing, not the value below the mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plumbline.errors import BadUsage, usage

if TYPE_CHECKING:
    from plumbline.io.table import AnyValue


def unmasked(values: AnyValue, what: str) -> AnyValue:
    """The values of an array with None for those that are hidden; a matrix in which any is hidden is refused."""
    mask = getattr(values, "mask", None)
    if not isinstance(mask, (np.ndarray, np.bool_)) or not mask.any():
        return values
    if mask.ndim > 1:
        raise BadUsage(usage.bad_object(f"{what}: a matrix in which values are masked", "a matrix with all its values"))
    return values.tolist()
