"""The slow second implementation agrees with every metric, under every setting and policy."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plumbline
from plumbline.metrics.measure import Combined, Single
from tests.helpers.metric_settings import names_of
from tests.helpers.oracle_files import load_oracles
from tests.helpers.ranking_oracles import ORACLES, f_of, geometric_mean, oracle_score
from tests.helpers.ranking_worlds import World, moderate, worlds
from tests.helpers.score_values import LONG, assert_same, values

load_oracles("ranking")
METRICS = plumbline.all_metrics()
every_metric = pytest.mark.parametrize("name", METRICS)

NOT_LINEAR_UNDER_A_DEPTH = {
    "RBPResidual": "it jumps to 0 where every item shown is judged, so its expectation is exact only without a depth",
    "Rel": "a depth that cuts through equal scores keeps those that the order of ids puts first",
    "Sens": "as Rel",
}


def assert_oracle_agrees(name: str, world: World, **options: Any) -> None:
    """All settings of a metric on a world, here and by the slow implementation."""
    measures = [plumbline.parse(spelling) for spelling in names_of(METRICS[name])]
    expected = {
        (case, str(measure)): oracle_score(name, dict(measure.arguments), world.gold, world.run, case, **options)
        for measure in measures
        if isinstance(measure, Single)
        for case in world.gold
    }
    assert_same(values([str(measure) for measure in measures], world.gold, world.run, **options), expected)


def test_every_metric_has_an_oracle() -> None:
    assert set(METRICS) == set(ORACLES)


@every_metric
@moderate(6)
@given(world=worlds(cases=9))
@example(world=LONG)
def test_oracle_agrees(name: str, world: World) -> None:
    assert_oracle_agrees(name, world)


@every_metric
@moderate(4)
@given(
    world=worlds(cases=6), depth=st.sampled_from([None, 1, 2, 5]), judged=st.booleans(), ties=st.sampled_from(["best", "worst"])
)
@example(world=LONG, depth=10, judged=True, ties="best")
@example(world=LONG, depth=None, judged=False, ties="worst")
def test_oracle_agrees_with_other_policies(name: str, world: World, depth: int | None, ties: str, judged: bool) -> None:  # noqa: FBT001 - drawn
    assert_oracle_agrees(name, world, depth=depth, judged_only=judged, ties=ties)


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if not metric.text])
@moderate(4)
@given(world=worlds(5, 6), depth=st.sampled_from([None, 1, 3]))
@example(world=World({"q1": {"a": 1, "b": 2}}, {"q1": {"a": 0, "b": 0, "c": 0}}), depth=None)
@example(world=World({"q1": {"a": 1, "b": 2, "d": 1}}, {"q1": {"a": 0, "b": 0, "c": 0, "d": 1}}), depth=3)
def test_average_over_ties_is_the_mean_over_all_permutations(name: str, world: World, depth: int | None) -> None:
    assert_oracle_agrees(name, world, ties="average", depth=None if name in NOT_LINEAR_UNDER_A_DEPTH else depth)


@every_metric
def test_oracle_agrees_on_scores_of_32_bits(name: str) -> None:
    close = World({"q1": {"a": 1, "b": 0, "c": 2}}, {"q1": {"a": 1.0 + 2e-9, "b": 1.0 + 1e-9, "c": 1.0, "d": 0.1}})
    assert_oracle_agrees(name, close, single_precision=True)
    assert_oracle_agrees(name, close)


@pytest.mark.parametrize("parts", [("P@3", "R@3"), ("SetP", "AUC"), ("ERR", "RBP")])
@moderate(20)
@given(world=worlds(), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]) | st.floats(0, 1))
@example(world=World({"q1": {"a": 1}}, {"q1": {"b": 1}}), alpha=0.5)
def test_f_combines_two_metrics_per_case(parts: tuple[str, str], world: World, alpha: float) -> None:
    measure = plumbline.parse(f"F({parts[0]},{parts[1]},alpha={alpha!r})")
    assert isinstance(measure, Combined)
    actual = values([str(measure)], world.gold, world.run)
    for case in world.gold:
        first, second = (
            oracle_score(part.metric.name, dict(part.arguments), world.gold, world.run, case) for part in measure.parts
        )
        assert not isinstance(first, str)
        assert not isinstance(second, str)
        expected = f_of(first, second, alpha)
        assert actual[case, str(measure)] == (None if expected is None else pytest.approx(expected, rel=1e-12))


@moderate(25)
@given(world=worlds())
@example(world=LONG)
@example(world=World({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1}, "q2": {"b": 1}}))
def test_summary_over_cases(world: World) -> None:
    scores = plumbline.evaluate(world.gold, world.run, ["AP", "GMAP", "GMBpref", "NumRelRet"])
    means = {name: (value, cases, undefined) for _, name, value, cases, _, undefined in scores.mean.iter_rows()}
    known: dict[str, list[float]] = {}
    for name in ("AP", "GMBpref", "NumRelRet"):
        column = [oracle_score(name, {"rel": 1.0}, world.gold, world.run, case) for case in world.gold]
        known[name] = [value for value in column if isinstance(value, float)]
    undefined = len(world.gold) - len(known["AP"])
    assert means["NumRelRet"] == (sum(known["NumRelRet"]), len(world.gold), 0)
    if undefined == len(world.gold):
        assert means["AP"] == means["GMAP"] == means["GMBpref"] == (None, 0, undefined)
        return
    assert means["AP"] == (pytest.approx(sum(known["AP"]) / len(known["AP"])), len(known["AP"]), undefined)
    assert means["GMAP"][0] == pytest.approx(geometric_mean(known["AP"]))
    assert means["GMBpref"][0] == pytest.approx(geometric_mean(known["GMBpref"]))
