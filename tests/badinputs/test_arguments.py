"""Arguments of the wrong kind: a sentence that says what to give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import plumbline as pb

if TYPE_CHECKING:
    from collections.abc import Callable

LABELS = [1, 0, 1]
PAIR = {"a": [1, 0, 1], "b": [1, 1, 1]}
RANKED = {"q": {"x": 1.0}}
WITH_METRICS: dict[str, Callable[[Any], object]] = {
    "evaluate": lambda metrics: pb.evaluate(LABELS, LABELS, metrics),
    "compare": lambda metrics: pb.compare(LABELS, PAIR, metrics, task="filtering"),
    "audit": lambda metrics: pb.audit(metrics, task="filtering", budget=10),
    "losses": lambda metrics: pb.losses(LABELS, LABELS, metrics),
    "sweep": lambda metrics: pb.sweep(LABELS, {"a1": LABELS}, metrics),
    "meta": lambda metrics: pb.meta(RANKED, {"a": RANKED, "b": RANKED}, metrics),
    "inspect_pool": lambda metrics: pb.inspect_pool({"q": {"x": 1}}, {"a": RANKED, "b": RANKED}, metrics),
    "internal": lambda metrics: pb.internal(LABELS, features=[[0.0], [1.0], [0.1]], metrics=metrics),
}


@pytest.mark.parametrize("metrics", [5, [1, 0], [["P"]], b"P"])
@pytest.mark.parametrize("call", WITH_METRICS)
def test_metrics_are_names(call: str, metrics: object) -> None:
    with pytest.raises(pb.BadUsage, match=r"E353 a metric is given by its name, not by a value of type (int|list)"):
        WITH_METRICS[call](metrics)


def test_names_may_be_those_of_an_array() -> None:
    for names in (np.array(["P", "R"]), pd.Series(["P", "R"]), ("P", "R"), iter(["P", "R"]), "P,R"):
        assert pb.evaluate(LABELS, PAIR["b"], names, task="filtering").mean["metric"].to_list() == ["P", "R"]


def test_arguments_in_another_order() -> None:
    with pytest.raises(pb.BadUsage, match="a metric is given by its name, not by a value of type list"):
        pb.why("P", LABELS, LABELS, task="filtering")  # type: ignore[arg-type]
    with pytest.raises(pb.BadUsage, match="cannot read the files: a value of type int"):
        pb.check(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series])
def test_lists_of_judgements_have_the_same_length(kind: Callable[[list[int]], object]) -> None:
    with pytest.raises(pb.BadData, match="b: E426 a list of 2 labels, and the first one has 3") as caught:
        pb.agree({"a": kind([1, 2, 3]), "b": kind([1, 2])})
    assert "None where there is no label" in str(caught.value)
    assert pb.agree({"a": [1, 2, 3, 1], "b": [1, 2, None, 2], "c": {"1": 1, "3": 2}}).coefficients["value"].null_count() == 0
