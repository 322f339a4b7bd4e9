"""Estimates within strata of cases, of which a person judged a sample each."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import plumbline as pb
from plumbline.truth.judges.prediction_powered import common_weight, powered_mean, stratified_mean
from tests.helpers.command_line import plumbline as program
from tests.helpers.judged_systems import GOLD, SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ROOT = Path(__file__).parents[2]


def drawn_strata(
    seed: int, sizes: Sequence[tuple[int, int]] = ((4, 20), (6, 11), (9, 40))
) -> list[tuple[Numbers, Numbers, Numbers]]:
    """True values and predictions of a sample, and predictions of others, in strata that differ."""
    draw = np.random.default_rng(seed)
    made = []
    for number, (few, many) in enumerate(sizes):
        truth = draw.normal(number, 1 + number / 2, few + many)
        guess = truth + draw.normal(0.3, 0.8, few + many)
        made.append((truth[:few], guess[:few], guess[few:]))
    return made


@pytest.mark.parametrize("seed", range(5))
def test_stratified_means_by_hand(seed: int) -> None:
    strata = drawn_strata(seed)
    count = sum(len(y) + len(others) for y, _, others in strata)
    for weight in (0.0, 0.4, 1.0):
        value = variance = below = 0.0
        for y, f, others in strata:
            share = (len(y) + len(others)) / count
            residual = [float(a - weight * b) for a, b in zip(y, f, strict=True)]
            mean = statistics.mean(residual) + weight * statistics.mean(others.tolist())
            spread = statistics.variance(residual) / len(y) + weight**2 * statistics.variance(others.tolist()) / len(others)
            value, variance = value + share * mean, variance + share**2 * spread
            below += (share**2 * spread) ** 2 / (len(y) - 1)
        got = stratified_mean(strata, weight=weight)
        half = stats.t.ppf(0.975, variance**2 / below) * variance**0.5
        assert (got.value, got.error, got.low, got.high) == pytest.approx((value, variance**0.5, value - half, value + half))


def test_one_stratum_is_no_stratum() -> None:
    (one,) = drawn_strata(0, [(9, 40)])
    together, alone = stratified_mean([one]), powered_mean(*one)
    assert vars(together) == pytest.approx(vars(alone))


def test_the_common_weight_has_nearly_the_smallest_variance() -> None:
    strata = drawn_strata(1, [(400, 900), (500, 700), (600, 800)])
    tried = np.linspace(0, 1, 201)
    best = tried[np.argmin([stratified_mean(strata, weight=weight).error for weight in tried])]
    assert common_weight(strata) == pytest.approx(best, abs=0.03)
    assert common_weight([(y, np.zeros_like(f), np.zeros_like(others)) for y, f, others in strata]) == 0.0


def test_a_stratum_that_is_judged_completely_counts_with_its_mean() -> None:
    strata = drawn_strata(2)
    y, f, _ = strata[0]
    complete = [(y, f, np.empty(0)), *strata[1:]]
    got = stratified_mean(complete, weight=1.0)
    rest = [stratified_mean([one], weight=1.0).value for one in complete[1:]]
    sizes = [len(y) + len(others) for y, _, others in complete]
    assert got.value == pytest.approx(np.average([y.mean(), *rest], weights=sizes))


STRATA = {case: "even" if int(case[1:]) % 2 == 0 else "odd" for case in GOLD}


def test_estimates_of_strata() -> None:
    judged = {case: items for case, items in GOLD.items() if int(case[1:]) < 7}
    both = {"human": judged, "llm": GOLD}
    result = pb.agree(both, SYSTEMS, "AP", reference="human", estimate=True, strata=STRATA)
    scores = pb.evaluate(GOLD, SYSTEMS, "AP").per_case.pivot("system", index="case", values="value")
    cases = scores["case"].to_list()
    few = np.array([int(case[1:]) < 7 for case in cases])
    parts = []
    for stratum in ("even", "odd"):
        of_it = np.array([STRATA[case] == stratum for case in cases])
        values = (scores["good"] - scores["middle"]).to_numpy()
        parts.append((values[of_it & few], values[of_it & few], values[of_it & ~few]))
    expected = stratified_mean(parts)
    pair = result.estimates.filter((pl.col("system") == "good") & (pl.col("minus") == "middle")).row(0, named=True)
    assert (pair["estimate"], pair["low"], pair["high"]) == pytest.approx((expected.value, expected.low, expected.high))
    assert pair["mean"] == pytest.approx(np.average([y.mean() for y, _, _ in parts], weights=[6, 6]))
    rows = result.strata.filter((pl.col("system") == "good") & pl.col("minus").is_null())
    assert rows.select("stratum", "share", "cases", "judged_cases").rows() == [("even", 0.5, 4, 2), ("odd", 0.5, 3, 3)]
    assert any("weighted by its share of the cases: even 50%, odd 50%" in line for line in result.summary)
    frame = pl.DataFrame({"qid": list(STRATA), "stratum": list(STRATA.values())})
    again = pb.agree(both, SYSTEMS, "AP", reference="human", estimate=True, strata=frame)
    assert again.estimates.equals(result.estimates)


@pytest.mark.parametrize(
    ("strata", "code", "words"),
    [
        (dict.fromkeys(list(GOLD)[1:], "all"), "E422", "no stratum for q0"),
        ({case: "last" if case == "q11" else "rest" for case in GOLD}, "E424", "stratum last has 0 cases"),
        ({case: "first" if case in {"q0", "q1"} else "rest" for case in GOLD}, "E424", "stratum first has 2 cases"),
        (pl.DataFrame({"case": ["q0", "q0"], "stratum": ["a", "b"]}), "E423", "several strata for q0"),
        (pl.DataFrame({"case": ["q0"], "size": ["a"]}), "E422", "columns case and stratum are needed"),
    ],
)
def test_strata_that_say_too_little_are_refused(strata: Any, code: str, words: str) -> None:
    judged = {case: items for case, items in GOLD.items() if int(case[1:]) < 7}
    with pytest.raises(pb.BadData, match=words) as raised:
        pb.agree({"human": judged, "llm": GOLD}, SYSTEMS, "AP", reference="human", estimate=True, strata=strata)
    assert raised.value.code == code


def test_the_command_takes_strata(tmp_path: Path) -> None:
    judged = ROOT / "docs" / "examples" / "judged"
    both = [str(judged / "human.qrels"), str(judged / "llm.qrels")]
    cases = sorted({line.split()[0] for line in Path(both[1]).read_text(encoding="utf-8").splitlines()})
    strata = tmp_path / "kinds.csv"
    rows = [f"{case},{'long' if place % 3 else 'short'}" for place, case in enumerate(cases)]
    strata.write_text("\n".join(["topic,stratum", *rows]), encoding="utf-8")
    words = ["--reference", "human", "--systems", str(judged / "neural.run"), "-m", "nDCG@5", "--estimate"]
    done = program("agree", *both, *words, "--strata", str(strata), "--show", "strata")
    assert done.code == 0
    assert "weighted by its share of the cases: long 67%, short 33%" in done.out
    assert "estimates within each stratum" in done.out


def test_strata_need_estimates() -> None:
    with pytest.raises(pb.BadUsage, match="E421"):
        pb.agree({"human": GOLD, "llm": GOLD}, SYSTEMS, "AP", reference="human", strata=STRATA)
