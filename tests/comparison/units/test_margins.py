"""Equality within a margin where items are the units, and what folds refuse."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import plumbline

LABELS = np.random.default_rng(5).integers(0, 2, 400)


def answers(seed: int, share: float = 0.1) -> list[int]:
    """The labels, of which a share is turned round."""
    turned = np.random.default_rng(seed).random(len(LABELS)) < share
    return [int(answer) for answer in np.where(turned, 1 - LABELS, LABELS)]


def test_equality_by_items_is_corrected_for_the_number_of_pairs() -> None:
    """An interval that just fits the margin is enough for one pair, and not for ten."""
    gold, systems = LABELS.tolist(), {f"s{seed}": answers(seed) for seed in range(5)}
    pair = {name: systems[name] for name in ("s0", "s1")}
    alone = plumbline.compare(gold, pair, ["Accuracy"], task="classification")
    widest = float(np.maximum(-alone.measures[0].spread.low, alone.measures[0].spread.high)[0, 1])
    margin = widest * 1.12  # intervals of five systems are drawn anew, and are a little different
    of_two = plumbline.compare(gold, pair, ["Accuracy"], task="classification", margin=margin)
    of_five = plumbline.compare(gold, systems, ["Accuracy"], task="classification", margin=margin)
    uncorrected = plumbline.compare(gold, systems, ["Accuracy"], task="classification", margin=margin, correction="none")
    assert of_two.verdict("s0", "s1").kind == "equal"
    assert of_five.verdict("s0", "s1").kind == "open"
    assert uncorrected.verdict("s0", "s1").kind == "equal"


def test_a_plain_test_of_folds_is_refused() -> None:
    rng = np.random.default_rng(1)
    scores = pl.DataFrame(
        {
            "system": ["a"] * 5 + ["b"] * 5,
            "fold": [f"f{number}" for number in range(5)] * 2,
            "metric": ["F"] * 10,
            "value": rng.random(10),
        }
    )
    with pytest.raises(plumbline.BadUsage, match="E398 the test t is not for folds"):
        plumbline.compare(scores, folds="fold", test="t")
    assert "corrected resampled t" in repr(plumbline.compare(scores, folds="fold"))
