"""Utility: whole gains and costs give whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

import plumbline


@pytest.mark.parametrize(("tp", "tn", "fp", "fn"), [(2, 0, 1, 0), (3, 1, 2, 1), (1, 0, 0, 1)])
def test_whole_worths_give_whole_numbers(tp: int, tn: int, fp: int, fn: int) -> None:
    random = np.random.default_rng(24)
    gold = {f"q{case}": {f"i{item}": int(random.integers(2)) for item in range(3 + 2 * case)} for case in range(60)}
    output = {case: {item: int(random.integers(2)) for item in items} for case, items in gold.items()}
    name = f"Utility(tp={tp},tn={tn},fp={fp},fn={fn})"
    scores = plumbline.evaluate(gold, output, name, task="filtering")
    expected = {
        case: sum(
            {(1, 1): tp, (0, 0): tn, (0, 1): -fp, (1, 0): -fn}[label, output[case][item]] for item, label in items.items()
        )
        for case, items in gold.items()
    }
    assert dict(scores.per_case.select("case", "value").iter_rows()) == expected
