"""Noise in judgements: what is dealt out stays in its case, no noise changes nothing, and order survives where it is clear."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau

import plumbline
from plumbline import BadUsage
from plumbline.studies.noise import DRAWS, SHARES, dealt

ITEMS = [f"d{number:02}" for number in range(30)]
GOLD = {
    case: {item: int((number + shift) % 3 == 0) for number, item in enumerate(ITEMS)} for shift, case in enumerate(("q1", "q2"))
}
RNG = np.random.default_rng(4)
SYSTEMS = {
    name: {case: {item: grade * skill + float(RNG.random()) for item, grade in grades.items()} for case, grades in GOLD.items()}
    for name, skill in (("good", 3.0), ("fair", 0.6), ("poor", 0.2))
}
FEW: dict[str, Any] = {"splits": 2, "resamples": 10}


def frame() -> pl.DataFrame:
    rows = [(case, item, grade) for case, grades in GOLD.items() for item, grade in grades.items()]
    return pl.DataFrame(rows, schema={"case": pl.String, "item": pl.String, "value": pl.Int64}, orient="row")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_each_case_keeps_its_grades(share: float) -> None:
    before, after = frame(), dealt(frame(), share, np.random.default_rng(1))
    assert after.select("case", "item").equals(before.select("case", "item"))
    for case in GOLD:
        grades = [Counter(one.filter(pl.col("case") == case)["value"].to_list()) for one in (before, after)]
        assert grades[0] == grades[1]
    changed = int((before["value"] != after["value"]).sum())
    assert changed <= round(share * len(before))
    assert (changed > 0) == (share > 0.2) or share == 0.1


def best(means: list[float]) -> set[int]:
    return {place for place, value in enumerate(means) if value > max(means) - 1e-9}


def test_against_evaluations_of_ones_own() -> None:
    study = plumbline.meta(None, ["AP", "P@5"], gold=GOLD, systems=SYSTEMS, **FEW)
    assert study.noise.height == 2 * len(SHARES)
    assert study.evaluation is not None
    before = study.evaluation.scores()
    for row in study.noise.filter(share=SHARES[2]).iter_rows(named=True):
        taus, stays = [], []
        for draw in range(DRAWS):
            gold = dealt(frame(), SHARES[2], np.random.default_rng([0, draw]))
            again = plumbline.evaluate(gold, SYSTEMS, ["AP", "P@5"])
            one, other = (
                scores.mean.filter(metric=row["metric"]).sort("system")["value"].to_list() for scores in (before, again)
            )
            taus.append(kendalltau(one, other).statistic)
            stays.append(bool(best(one) & best(other)))
        assert row["tau"] == pytest.approx(np.nanmean(taus))
        assert row["best_stays"] == np.mean(stays)


def test_a_clear_winner_stays_and_the_seed_decides() -> None:
    systems = {"right": GOLD, "wrong": {case: {item: -grade for item, grade in one.items()} for case, one in GOLD.items()}}
    first, again = (plumbline.meta(None, ["AP"], gold=GOLD, systems=systems, seed=3, **FEW).noise for _ in range(2))
    assert first.equals(again)
    assert first["best_stays"].to_list() == [1.0] * len(SHARES)


def test_labels_are_dealt_out_too() -> None:
    gold = ["spam", "ham"] * 10
    systems = {"right": gold, "wrong": ["ham"] * 19 + ["spam"]}
    study = plumbline.meta(None, ["Accuracy"], gold=gold, systems=systems, task="filtering", positive="spam", **FEW)
    assert study.noise["tau"].to_list() == [1.0] * len(SHARES)


def test_what_has_no_judgements() -> None:
    table = {"AP": {"a": {"q": 0.1}, "b": {"q": 0.2}}, "RR": {"a": {"q": 0.1}, "b": {"q": 0.2}}}
    with pytest.raises(BadUsage, match="E178"):
        _ = plumbline.meta(table, **FEW).noise
    several = {"q1": [["a", "b"], ["b", "c"]]}
    with pytest.raises(BadUsage, match="E178"):
        _ = plumbline.meta(
            None, ["BCubedP"], gold=several, systems={"x": several, "y": several}, task="clustering", **FEW
        ).noise
