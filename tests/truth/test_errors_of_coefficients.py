"""Standard errors by linearisation: written down as formulas, by leaving items out, and as irrCAC has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

Answers = dict[str, list[int | None]]


def made(items: int, seed: int, gaps: float) -> Answers:
    """Four assessors who are often right, three grades, and gaps."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 3, items)
    answers = np.where(draw.random((4, items)) < 0.7, truth, draw.integers(0, 3, (4, items)))
    missing = draw.random((4, items)) < gaps
    return {
        f"a{place}": [None if gap else int(one) for one, gap in zip(row, gone, strict=True)]
        for place, (row, gone) in enumerate(zip(answers, missing, strict=True))
    }


def krippendorff_2011() -> tuple[Answers, dict[str, float]]:
    """Four observers and twelve units, of which one has a single answer; and the errors that irrCAC prints."""
    stored = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))["krippendorff_2011_4x12"]
    rows = str(stored["data"]).split(": ")[1].split(" / ")
    answers = {f"o{place}": [None if one == "." else int(one) for one in row.split()] for place, row in enumerate(rows)}
    return answers, stored["irrCAC_identity"]["se"]


def given(answers: Answers) -> Numbers:
    """1 where an assessor gave an answer, `[item, assessor, answer]`."""
    table = np.array([[np.nan if one is None else one for one in row] for row in answers.values()]).T
    return np.asarray(table[:, :, None] == np.unique(table[~np.isnan(table)]), dtype=np.float64)


def error(answers: Answers, name: str) -> float:
    """Ours."""
    table = pb.agree(answers, level="nominal", interval="analytic", over="items").coefficients
    return float(table.filter(pl.col("coefficient") == name)["error"][0])


def shared_of(counts: Numbers) -> tuple[NDArray[np.bool_], Numbers]:
    """Which items have two answers, and the share of their pairs that agree."""
    judged = counts.sum(axis=1)
    return judged >= 2, (counts * (counts - 1)).sum(axis=1) / np.maximum(judged * (judged - 1), 1)


def conger_terms(answers: Answers) -> tuple[float, float, float, Numbers]:
    """Agreement, chance, kappa, and what each item adds to chance, the number of items times over.

    Chance is the mean over two different assessors g, h of sum_k p_gk p_hk, and p_gk moves by (answer - p_gk) / n_g.
    """
    answered = given(answers)
    items, assessors, _ = answered.shape
    several, pairs = shared_of(answered.sum(axis=1))
    agreed = pairs[several].mean()
    judged = answered.sum(axis=(0, 2))
    shares = answered.sum(axis=0) / judged[:, None]
    slope = 2 * (shares.sum(axis=0) - shares) / (assessors * (assessors - 1))
    chance = (shares * slope).sum() / 2
    moved = answered - answered.sum(axis=2, keepdims=True) * shares
    return agreed, chance, (agreed - chance) / (1 - chance), items * (moved * (slope / judged[:, None])).sum(axis=(1, 2))


@pytest.mark.parametrize("gaps", [0.0, 0.2, 0.5])
def test_the_error_of_conger_is_its_linearisation(gaps: float) -> None:
    answers = made(40, 3, gaps)
    agreed, chance, kappa, of_chance = conger_terms(answers)
    several, pairs = shared_of(given(answers).sum(axis=1))
    items = len(several)
    of_agreement = np.where(several, pairs - agreed, 0.0) * items / several.sum()
    moves = (of_agreement - (1 - kappa) * of_chance) / (1 - chance)
    assert error(answers, "conger_kappa") == pytest.approx(np.sqrt((moves**2).sum() / (items * (items - 1))), rel=1e-6)


def test_irrcac_has_the_same_error_of_conger_apart_from_items_with_one_answer() -> None:
    """IrrCAC holds the number of items with two answers fixed, so that an item with one counts as if it were 0."""
    answers, printed = krippendorff_2011()
    _, chance, kappa, of_chance = conger_terms(answers)
    several, pairs = shared_of(given(answers).sum(axis=1))
    items = len(several)
    each = np.where(several, pairs - chance, 0.0) * items / several.sum() / (1 - chance)
    moves = each - (1 - kappa) * of_chance / (1 - chance) - kappa
    assert np.sqrt((moves**2).sum() / (items * (items - 1))) == pytest.approx(printed["conger"], abs=6e-6)
    assert error(answers, "conger_kappa") < printed["conger"]
    complete = made(40, 3, 0.0)
    _, chance, kappa, of_chance = conger_terms(complete)
    _, pairs = shared_of(given(complete).sum(axis=1))
    moves = (pairs - chance) / (1 - chance) - (1 - kappa) * of_chance / (1 - chance) - kappa
    assert error(complete, "conger_kappa") == pytest.approx(np.sqrt((moves**2).sum() / (40 * 39)), rel=1e-6)


def alpha_moves(counts: Numbers) -> Numbers:
    """What each item adds to nominal alpha: of (n - 1) D / E, with n answers, D within items, and E of any two answers."""
    judged = counts.sum(axis=1)
    apart = (judged**2 - (counts**2).sum(axis=1)) / (judged - 1)
    chosen = counts.sum(axis=0)
    total, within = judged.sum(), apart.sum()
    expected = total**2 - (chosen**2).sum()
    of_expected = 2 * (judged * total - counts @ chosen)
    moves = judged * within / expected + (total - 1) * (apart / expected - within * of_expected / expected**2)
    return np.asarray(-moves)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_the_error_of_alpha_is_its_linearisation(gaps: float) -> None:
    answers = made(40, 5, gaps)
    counts = given(answers).sum(axis=1)
    moves = alpha_moves(counts[counts.sum(axis=1) >= 2])
    assert error(answers, "alpha") == pytest.approx(np.sqrt((moves**2).sum() * 40 / 39), rel=1e-6)


def test_irrcac_has_another_error_of_alpha() -> None:
    """Gwet takes alpha without Krippendorff's correction for few answers; irrCAC subtracts a corrected agreement from it.

    So there are three errors of one alpha: .1414 here, .1455 by Gwet's formula, .1456 by irrCAC's code.
    """
    answers, printed = krippendorff_2011()
    counts = given(answers).sum(axis=1)
    counts = counts[counts.sum(axis=1) >= 2]
    items, judged = len(counts), counts.sum(axis=1)
    usual = judged.mean()
    shares = counts.sum(axis=0) / counts.sum()
    chance = (shares**2).sum()
    pairs = (counts * (counts - 1)).sum(axis=1) / (usual * (judged - 1))
    agreed, more = pairs.mean(), judged / usual - 1
    corrected = agreed + (1 - agreed) / judged.sum()
    raw = (agreed - chance) / (1 - chance)
    errors = {}
    for name, subtracted in {"gwet": agreed, "irrcac": corrected}.items():
        of_chance = counts @ shares / usual - chance * more - chance
        each = (pairs - subtracted * more - chance - 2 * (1 - raw) * of_chance) / (1 - chance)
        errors[name] = float(np.sqrt(((each - raw) ** 2).sum() / (items * (items - 1))))
    assert errors["irrcac"] == pytest.approx(printed["krippendorff"], abs=6e-6)
    assert errors["gwet"] == pytest.approx(printed["krippendorff"], rel=1e-3)
    assert error(answers, "alpha") == pytest.approx(errors["gwet"], rel=0.03)


@pytest.mark.parametrize("name", ["conger_kappa", "alpha"])
def test_leaving_items_out_gives_nearly_the_same_error(name: str) -> None:
    answers, items = made(60, 7, 0.15), 60
    without = []
    for gone in range(items):
        fewer = {who: row[:gone] + row[gone + 1 :] for who, row in answers.items()}
        without.append(pb.agree(fewer, level="nominal", interval="none", coefficients=name).value(name))
    values = np.array(without, dtype=np.float64)
    jackknife = np.sqrt((items - 1) / items * ((values - values.mean()) ** 2).sum())
    assert error(answers, name) == pytest.approx(jackknife, rel=0.03)
