"""Items as units, by a metric that the user calls better when lower."""

from __future__ import annotations

import pytest

import plumbline

GOLD = {f"i{at}": at % 2 for at in range(60)}
GOOD = {item: label if at % 10 else 1 - label for at, (item, label) in enumerate(GOLD.items())}
BAD = {item: label if at % 3 else 1 - label for at, (item, label) in enumerate(GOLD.items())}


@pytest.mark.parametrize("metric", ["Accuracy", "F(P,R)"])
def test_lower_turns_the_verdict_around(metric: str) -> None:
    def compared(**options: object) -> plumbline.Verdict:
        comparison = plumbline.compare(GOLD, {"good": GOOD, "bad": BAD}, [metric], task="filtering", **options)  # type: ignore[arg-type]
        assert comparison.unit == "item"
        return comparison.verdict("good", "bad")

    plain, turned = compared(), compared(lower=[metric])
    assert (plain.better, turned.better) == ("good", "bad")
    assert plain.kind == turned.kind == "better"
    assert plain.p == turned.p
    assert plain.difference == pytest.approx(-turned.difference)  # type: ignore[operator]
    (one,), (other,) = plain.findings, turned.findings
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))  # type: ignore[operator]
