"""What published ways to match spans keep and break, by their smallest counterexamples."""

from __future__ import annotations

import pytest

import plumbline


@pytest.mark.parametrize(
    ("metric", "kept"),
    [
        ("F(P,R)", {"right type", "spurious span"}),
        ("F(P,R,match=boundary)", {"spurious span"}),
        ("F(P,R,match=type)", {"right type", "spurious span", "nearly right"}),
        ("F(P,R,match=partial)", {"spurious span", "nearly right"}),
        ("F(P,R,match=overlap)", {"right type", "spurious span"}),
        ("F(P,R,match=positions)", {"better boundary", "right type", "spurious span"}),
        ("SER", {"right type", "spurious span"}),
    ],
)
def test_what_each_way_of_matching_keeps(metric: str, kept: set[str]) -> None:
    assert set(plumbline.audit(metric, task="extraction").held(metric)) == kept


def test_strict_f_prefers_no_span_to_one_that_is_nearly_right() -> None:
    (verdict,) = plumbline.audit("F(P,R)", task="extraction", constraints="nearly right").verdicts
    result = verdict.counterexample
    assert result is not None
    better, worse = result.pair.better, result.pair.worse
    assert len(better.output) > len(worse.output)
    values = [
        plumbline.evaluate({"a": list(one.gold)}, {"a": list(one.output)}, "F(P,R)", task="extraction").mean["value"][0]
        for one in (better, worse)
    ]
    assert values == [pytest.approx(1 / 2), pytest.approx(2 / 3)]
