"""The studentized range against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from plumbline.comparison.significance.studentized import critical, survival


def test_studentized_range_is_scipys() -> None:
    ranges = np.array([0.0, 0.3, 1.0, 2.5, 3.7, 6.0, 9.0])
    for groups, freedom in ((2, 1), (3, 2), (5, 36), (40, 5000), (4, np.inf), (200, np.inf)):
        expected = np.where(ranges > 0, stats.studentized_range.sf(ranges, groups, freedom), 1.0)
        assert survival(ranges, groups, freedom) == pytest.approx(expected, abs=1e-10)
    assert critical(0.05, 3, 10) == pytest.approx(stats.studentized_range.isf(0.05, 3, 10), rel=1e-9)


def test_many_ranges_are_interpolated_well() -> None:
    ranges = np.linspace(0, 60, 500)
    for groups, freedom in ((3, 2), (50, 5000)):
        direct = np.concatenate([survival(part, groups, freedom) for part in np.array_split(ranges[::50], 2)])
        assert survival(ranges, groups, freedom)[::50] == pytest.approx(direct, abs=1e-10)
