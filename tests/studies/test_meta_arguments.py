"""meta() takes gold, systems and metrics in the order of evaluate(), and as it did before."""

from __future__ import annotations

from typing import Any

import pytest

import plumbline

GOLD = {"q": {"a": 1, "b": 0}, "r": {"c": 1, "d": 0}, "s": {"e": 1}}
SYSTEMS = {
    "one": {"q": {"a": 2.0, "b": 1.0}, "r": {"c": 1.0, "d": 2.0}, "s": {"e": 1.0}},
    "two": {"q": {"a": 1.0, "b": 2.0}, "r": {"c": 1.0, "d": 2.0}, "s": {"x": 1.0}},
}
FEW: Any = {"splits": 5, "resamples": 20}
METRICS = ["AP", "P@1"]


@pytest.mark.parametrize(
    "study",
    [
        lambda: plumbline.meta(GOLD, SYSTEMS, METRICS, **FEW),
        lambda: plumbline.meta(GOLD, SYSTEMS, metrics=METRICS, **FEW),
        lambda: plumbline.meta(gold=GOLD, systems=SYSTEMS, metrics=METRICS, **FEW),
        lambda: plumbline.meta(None, METRICS, gold=GOLD, systems=SYSTEMS, **FEW),
    ],
)
def test_every_order_is_the_same_study(study: Any) -> None:
    made = study()
    assert made.metrics == tuple(METRICS)
    assert made.facts is not None
    assert made.strictness.equals(plumbline.meta(plumbline.evaluate(GOLD, SYSTEMS, METRICS), **FEW).strictness)


@pytest.mark.parametrize("metrics", ["AP", ["AP"], ("AP",)])
def test_metrics_may_follow_scores(metrics: Any) -> None:
    scores = plumbline.evaluate(GOLD, SYSTEMS, [*METRICS, "RR"])
    assert plumbline.meta(scores, metrics, **FEW).metrics == ("AP",)
    assert plumbline.meta(scores, metrics=metrics, **FEW).metrics == ("AP",)


@pytest.mark.parametrize("again", [{"gold": GOLD}, {"systems": SYSTEMS}])
def test_what_is_given_twice_is_refused(again: dict[str, Any]) -> None:
    with pytest.raises(plumbline.BadUsage, match="given twice"):
        plumbline.meta(GOLD, SYSTEMS, METRICS, **again, **FEW)


@pytest.mark.parametrize("pairs", [0, 10**6 + 1, 10**30])
def test_pairs_have_limits(pairs: int) -> None:
    with pytest.raises(plumbline.BadUsage, match="pairs"):
        plumbline.meta(GOLD, SYSTEMS, METRICS, pairs=pairs, **FEW)


def test_too_many_scores_are_refused_with_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = plumbline.evaluate(GOLD, SYSTEMS, METRICS)
    monkeypatch.setattr("plumbline.studies.meta.free_space", lambda: 500)
    assert plumbline.meta(scores, **FEW).metrics == tuple(METRICS)  # so few need no files
    monkeypatch.setattr("plumbline.studies.meta.IN_MEMORY", 0)
    with pytest.raises(plumbline.BadUsage, match=r"E336 .* about 864 bytes of temporary files, and 500 bytes are free"):
        plumbline.meta(scores, **FEW)
    assert plumbline.meta(scores, "AP", **FEW).metrics == ("AP",)


def test_too_many_outputs_for_kendall_leave_the_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    study = plumbline.meta(plumbline.evaluate(GOLD, SYSTEMS, METRICS), **FEW)
    monkeypatch.setattr("plumbline.studies.agreement.machine_memory", lambda: 47)
    with pytest.raises(plumbline.BadUsage, match=r"E337 Kendall's tau over \d+ outputs takes about \d+ bytes of memory"):
        study.to_json()
    assert study.to_blocks()
