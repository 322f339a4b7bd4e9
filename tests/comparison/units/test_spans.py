"""Spans as units: stretches of text that hang together, and documents where all are counted together."""

from __future__ import annotations

from itertools import product

import pytest

import plumbline
from plumbline.comparison.units.item_evidence import item_evidence
from plumbline.evaluation.evaluation import evaluation_of
from tests.helpers.extraction_oracles import added, drawn_world, f_of, verdicts


def _f(gold: dict[str, list[tuple[int, int, str]]], output: dict[str, list[tuple[int, int, str]]], match: str) -> float:
    return f_of(added([verdicts(gold[name], output[name], match) for name in gold])) or 0.0


@pytest.mark.parametrize("match", ["strict", "partial", "type"])
@pytest.mark.parametrize("seed", range(4))
def test_p_of_documents_is_that_of_all_ways_to_exchange_them(match: str, seed: int) -> None:
    gold, one = drawn_world(seed, documents=6)
    _, other = drawn_world(seed + 100, documents=6)
    names = list(gold)
    observed = abs(_f(gold, one, match) - _f(gold, other, match))
    extreme = 0
    for turned in product((False, True), repeat=len(names)):
        first = {name: (other if flag else one)[name] for name, flag in zip(names, turned, strict=True)}
        second = {name: (one if flag else other)[name] for name, flag in zip(names, turned, strict=True)}
        extreme += abs(_f(gold, first, match) - _f(gold, second, match)) >= observed - 1e-12
    evaluation = evaluation_of(gold, {"a": one, "b": other}, [f"F(P,R,match={match})"], task="extraction", pooled=True)
    ((test, _),) = item_evidence(evaluation, [f"F(P,R,match={match})"], ["a", "b"], resamples=2000, seed=0)
    assert test.name == "randomization test over documents"
    assert test.p[0, 1] == pytest.approx(extreme / 2 ** len(names))


@pytest.mark.parametrize("seed", range(4))
def test_values_of_stretches_add_up_to_those_of_documents(seed: int) -> None:
    gold, one = drawn_world(seed, documents=8)
    _, other = drawn_world(seed + 50, documents=8)
    metrics = ["F(P,R)", "F(P,R,match=partial)", "P(match=positions)", "SER(match=type)", "R(average=macro)"]
    evaluation = evaluation_of(gold, {"a": one, "b": other}, metrics, task="extraction", pooled=True)
    tests = item_evidence(evaluation, metrics, ["a", "b"], resamples=50, seed=0, single=True)
    means = evaluation.scores().mean
    for (test, _), metric in zip(tests, metrics, strict=True):
        values = dict(means.filter(metric=metric).select("system", "value").iter_rows())
        sign = -1 if metric.startswith("SER") else 1
        assert test.statistic[0, 1] == pytest.approx(sign * (values["a"] - values["b"]))
        assert test.name == "randomization test over items"


def test_a_comparison_says_what_its_units_are() -> None:
    gold, one = drawn_world(1, documents=12)
    _, other = drawn_world(2, documents=12)
    pooled = plumbline.compare(gold, {"a": one, "b": other}, "F(P,R)", task="extraction", pooled=True)
    assert "tested by 12 documents" in str(pooled)
    few = {name: gold[name] for name in list(gold)[:3]}
    assert "randomization test over items" in str(plumbline.compare(few, {"a": one, "b": other}, "F(P,R)", task="extraction"))
    with pytest.raises(plumbline.BadUsage, match="document by document"):
        plumbline.compare(gold, {"a": one, "b": other}, "F(P,R)", task="extraction", pooled=True, units={"x": "y"})
