"""Metrics of users who stop by a rule: a second time, by hand, and as cwl_eval computes them."""

from __future__ import annotations

from math import fsum, log2

import pytest
from scipy.special import zeta

import plumbline
from tests.helpers.draw import draw, score
from tests.helpers.ranking_oracles import Listed, Value, gain_of, oracle
from tests.helpers.shared import shared


def gains(case: Listed, gmax: float | None) -> list[float]:
    return [gain_of(grade) / (case.top if gmax is None else gmax) for grade in case.shown]


@oracle("SDCG")
def scaled_gain(case: Listed, *, k: int, gmax: float | None) -> Value:
    """What was gained over what k items of the top grade gain."""
    if not case.ideal():
        return None
    weights = [1 / log2(rank + 1) for rank in range(1, k + 1)]
    return fsum(gain * weight for gain, weight in zip(gains(case, gmax), weights, strict=False)) / fsum(weights)


@oracle("INSQ")
def inverse_squares(case: Listed, *, T: float, gmax: float | None) -> Value:  # noqa: N803 - the paper's letter
    """Weights of an endless list of inverse squares."""
    if not case.ideal():
        return None
    return fsum(gain / (rank + 2 * T - 1) ** 2 for rank, gain in enumerate(gains(case, gmax), start=1)) / float(zeta(2, 2 * T))


def shares_of_readers(actual: list[float], wanted: float, end: int) -> tuple[list[float], float]:
    """How many readers are left at each rank, one by one, and how far the next one would be from giving up."""
    left, still_wanted = [1.0], wanted
    for rank in range(1, end + 1):
        still_wanted -= actual[rank - 1] if rank <= len(actual) else 0.0
        left.append(left[-1] * ((rank - 1 + wanted + still_wanted) / (rank + wanted + still_wanted)) ** 2)
    return left, end + wanted + still_wanted


@oracle("INST")
def adaptive_squares(case: Listed, *, T: float, gmax: float | None) -> Value:  # noqa: N803 - the paper's letter
    """Rank by rank; after the end of the list the shares are inverse squares, whose sum is known."""
    if not case.ideal():
        return None
    result = gains(case, gmax)
    left, last = shares_of_readers(result, T, len(result))
    everyone = fsum(left[:-1]) + left[-1] * last**2 * float(zeta(2, last))
    return fsum(share * gain for share, gain in zip(left, result, strict=False)) / everyone


@oracle("BPM")
def bejeweled_player(case: Listed, *, k: int, T: float, gmax: float | None) -> Value:  # noqa: N803 - the paper's letter
    """Down the list until enough was gained, or until the last move."""
    if not case.ideal():
        return None
    top, gained = case.top if gmax is None else gmax, 0.0
    for rank in range(1, k + 1):
        gained += gain_of(case.shown[rank - 1]) if rank <= len(case.shown) else 0.0
        if gained >= T * top:
            return gained / top / rank
    return gained / top / k


CWL = {
    "BPM(T=1.0,max_rel=1)@20": "BPM@20",
    "BPM(T=2.0,max_rel=1)@10": "BPM(T=2)@10",
    "SDCG(max_rel=1)@10": "SDCG@10",
    "INSQ(T=1.0,max_rel=1)": "INSQ",
    "INSQ(T=2.0,max_rel=1)": "INSQ(T=2)",
    "INST(T=1.0,max_rel=1)": "INST",
    "INST(T=2.0,max_rel=1)": "INST(T=2)",
}
SUMMED = 1000
"""cwl_eval adds up so many weights, where the sum has no end."""


def test_cwl_eval_agrees() -> None:
    files = {name: shared("data", "small_oracles", f"cwl.{name}") for name in ("qrels", "run")}
    heading, *lines = shared("data", "small_oracles", "expected_cwl.tsv").read_text(encoding="utf-8").splitlines()
    scores = plumbline.evaluate(files["qrels"], files["run"], list(CWL.values()))
    actual = {(metric, case): value for _, case, metric, value in scores.per_case.iter_rows()}
    judged = plumbline.evaluate(files["qrels"], files["run"], "RelString@20")
    grades = {case: [float(letter == "1") for letter in text] for _, case, text in judged.texts.iter_rows()}
    for name, *values in (line.split("\t") for line in lines):
        for case, value in zip(heading.split("\t")[1:], values, strict=True):
            if name in CWL:
                share = summed_share(CWL[name], grades[case])
                assert actual[CWL[name], case] / share == pytest.approx(float(value), abs=6e-5), name


def summed_share(name: str, actual: list[float]) -> float:
    """The share of the endless sum that the first terms are."""
    wanted = 2.0 if "T=2" in name else 1.0
    if name.startswith("INSQ"):
        return float(1 - zeta(2, 2 * wanted + SUMMED) / zeta(2, 2 * wanted))
    if name.startswith("INST"):
        left, last = shares_of_readers(actual, wanted, SUMMED)
        return fsum(left[:-1]) / (fsum(left[:-1]) + left[-1] * last**2 * float(zeta(2, last)))
    return 1.0


@pytest.mark.parametrize(
    ("name", "drawn", "expected"),
    [
        ("BPM@4", "N R R", 1 / 2),
        ("BPM(T=2)@4", "N R R", 2 / 3),
        ("BPM(T=3)@4", "N R R", 2 / 4),  # the list ends before the fourth move
        ("SDCG@1", "R N R", 1.0),
        ("SDCG@2", "N R R", 1 / log2(3) / (1 + 1 / log2(3))),
    ],
)
def test_users_who_stop_by_hand(name: str, drawn: str, expected: float) -> None:
    assert score(name, draw(drawn)) == pytest.approx(expected)


def test_the_deepest_cutoff_is_divided_by_as_many_discounts() -> None:
    """100,001 discounts are the last of which one comes from the integral."""
    before, after = (1 / (score(f"SDCG@{k}", draw("R")) or 0.0) for k in (100_000, 100_001))
    assert after - before == pytest.approx(1 / log2(100_002), rel=1e-6)


def test_a_top_grade_above_gmax_is_an_error() -> None:
    with pytest.raises(plumbline.BadData, match="INST"):
        score("INST(gmax=1)", draw("2 N"))
