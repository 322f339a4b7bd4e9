"""Parameters and features that overflow are errors with a name, and no warnings of other libraries."""

from __future__ import annotations

import numpy as np
import pytest

import plumbline as pb

FEATURES = np.array([[1.0, 1.0], [1e308, 2.0], [-3.0, 3.0], [1.0, 4.0]])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", ["Silhouette", "Dunn", "DaviesBouldin", "CalinskiHarabasz", "IntraSimilarity"])
def test_features_that_overflow_name_their_item(metric: str) -> None:
    gold = dict(zip("abcd", "xxyy", strict=True))
    with pytest.raises(pb.BadData, match=r"E186 a feature of b is 1e\+308"):
        pb.evaluate(gold, {"mine": gold}, metric, task="clustering", features=dict(zip("abcd", FEATURES, strict=True)))
    with pytest.raises(pb.BadData, match="E186 a feature of row 2"):
        pb.evaluate(list("xxyy"), {"mine": list("xyxy")}, metric, task="clustering", features=FEATURES)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", ["Rel", "Sens"])
def test_weights_that_round_to_nothing_are_refused(metric: str) -> None:
    with pytest.raises(pb.BadUsage, match="E304"):
        pb.parse(f"{metric}(w=1e-308)")
    gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 2.0}}
    assert pb.evaluate(gold, {"mine": run}, f"{metric}(w=2e-6)").mean["value"][0] is not None
