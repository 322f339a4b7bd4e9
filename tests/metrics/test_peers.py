"""Random collections against pytrec_eval, ir_measures and scikit-learn: four thousand, each one case of a few evaluations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from sklearn.metrics import ndcg_score, roc_auc_score

import plumbline

if TYPE_CHECKING:
    from numpy.random import Generator

Gold = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

BATCHES = 4
COLLECTIONS = 4_000
TOLERANCE = 1e-9

KINDS = ("binary", "graded", "negative", "long")
"""Binary judgements; grades 0 to 4; grades from -2 with many unjudged items; lists of up to 120 items."""


def collections(kind: str, number: int, *, tied: bool) -> tuple[Gold, Run]:
    """Random collections, each with at least one judgement and one item shown."""
    rng = np.random.default_rng(KINDS.index(kind))
    gold: Gold = {}
    run: Run = {}
    for case in range(number):
        pool = int(rng.integers(2, 120 if kind == "long" else 20))
        judged = rng.choice(pool, int(rng.integers(1, pool + 1)), replace=False)
        shown = rng.choice(pool, int(rng.integers(1, pool + 1)), replace=False)
        grades = rng.integers({"negative": -2}.get(kind, 0), {"binary": 2}.get(kind, 5), len(judged))
        grades[0] = max(grades[0], -1)  # pytrec_eval crashes where every grade of a case is below -1
        gold[f"q{case}"] = {f"d{item}": int(grade) for item, grade in zip(judged, grades, strict=True)}
        run[f"q{case}"] = {f"d{item}": score for item, score in zip(shown, _scores(rng, len(shown), tied=tied), strict=True)}
    return gold, run


def _scores(rng: Generator, number: int, *, tied: bool) -> list[float]:
    """Scores that 32-bit floats keep apart; some of them equal if `tied`."""
    if tied:
        return [float(score) for score in rng.integers(0, max(2, number // 2), number)]
    return [float(score) for score in rng.permutation(number) / 8]


def ours_of(gold: Gold, run: Run, names: dict[str, str], **options: Any) -> dict[tuple[str, str], float]:
    """Our values by case and the peer's name."""
    scores = plumbline.evaluate(gold, run, list(names.values()), **options)
    values = {(case, name): value for _, case, name, value in scores.per_case.iter_rows()}
    canonical = {their: str(plumbline.parse(ours)) for their, ours in names.items()}
    for their, ours in names.items():
        column = next((column.name for column in scores.columns if column.asked == ours), canonical[their])
        canonical[their] = column
    return {(case, their): values[case, column] for their, column in canonical.items() for case in gold}


def differences(
    ours: dict[tuple[str, str], float], theirs: dict[tuple[str, str], float]
) -> dict[tuple[str, str], tuple[float, float]]:
    """Where the two differ, beyond rounding."""
    assert ours.keys() == theirs.keys()
    return {key: (ours[key], value) for key, value in theirs.items() if not abs(ours[key] - value) <= TOLERANCE}


# --- pytrec_eval ------------------------------------------------------------------------------------------------------

NOT_COMPARED = {
    "gm_map": "a value per case is a logarithm there",
    "gm_bpref": "a value per case is a logarithm there",
    "num_q": "a value per case is always 1",
    "runid": "text",
    "relstring": "text",
}


def pytrec_values(gold: Gold, run: Run) -> dict[tuple[str, str], float]:
    """Every measure that pytrec_eval has and that is a number per case."""
    measures = {name for name in pytrec_eval.supported_measures if name not in NOT_COMPARED}
    results = pytrec_eval.RelevanceEvaluator(gold, measures).evaluate(run)
    return {
        (case, name): value for case, values in results.items() for name, value in values.items() if name not in NOT_COMPARED
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pytrec_eval_on_random_collections(kind: str) -> None:
    gold, run = collections(kind, COLLECTIONS // BATCHES, tied=True)
    theirs = pytrec_values(gold, run)
    names = {name: name for name in dict.fromkeys(name for _, name in theirs)}
    assert len(names) > 60
    assert differences(ours_of(gold, run, names, as_="trec_eval9"), theirs) == {}


def test_scores_that_32_bits_do_not_tell_apart() -> None:
    gold, run = collections("graded", 300, tied=False)
    close = {case: {item: 1 + score * 1e-10 for item, score in items.items()} for case, items in run.items()}
    names = {name: name for name in ("map", "ndcg", "recip_rank", "bpref", "P_5")}
    theirs = {key: value for key, value in pytrec_values(gold, close).items() if key[1] in names}
    assert differences(ours_of(gold, close, names, as_="trec_eval9"), theirs) == {}
    wrong = differences(ours_of(gold, close, names, as_="trec_eval"), theirs)
    assert {name for _, name in wrong} == set(names)
    exact = {key: value for key, value in pytrec_values(gold, run).items() if key[1] in names}
    assert differences(ours_of(gold, close, names, as_="trec_eval"), exact) == {}


# --- ir_measures ------------------------------------------------------------------------------------------------------

SAME_NAMES = (
    *("AP", "AP@5", "AP(rel=2)", "Bpref", "infAP", "nDCG", "nDCG@5", "NumRel", "NumRet", "P@5", "P(rel=2)@10", "R@5", "Rprec"),
    *("RR", "RR@3", "SetAP", "SetF", "SetP", "SetR", "Success@3", "Judged@5"),
)
IR_NAMES = {
    **{name: name for name in SAME_NAMES},
    "IPrec@0.3": "IPrec(points=truncate)@0.3",
    "NumRet(rel=1)": "NumRelRet",
    "SetF(beta=2.0)": f"SetF(beta={math.sqrt(2)})",  # trec_eval, which it asks, does not square its weight
}
JUDGED_IF_NEGATIVE = {"Judged@5"}
"""ir_measures counts a negative grade as a judgement; here it is none, as for trec_eval."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ir_measures_on_random_collections(kind: str) -> None:
    """Without ties, which some of its providers leave to an unstable sort."""
    gold, run = collections(kind, COLLECTIONS // len(KINDS), tied=False)
    names = {their: ours for their, ours in IR_NAMES.items() if kind != "negative" or ours not in JUDGED_IF_NEGATIVE}
    measures = {ir_measures.parse_measure(name): name for name in names}
    theirs = {(row.query_id, measures[row.measure]): row.value for row in ir_measures.iter_calc(list(measures), gold, run)}
    assert differences(ours_of(gold, run, names, undefined="zero"), theirs) == {}


# --- scikit-learn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [None, 3])
def test_sklearn_ndcg_averages_over_ties(k: int | None) -> None:
    rng = np.random.default_rng(7)
    grades, scores = rng.integers(0, 4, (200, 12)), rng.integers(0, 5, (200, 12)).astype(float)
    grades[:, 0] = 1
    ours = square_values(grades, scores, "nDCG" if k is None else f"nDCG@{k}", ties="average")
    theirs = [ndcg_score([truth], [guess], k=k) for truth, guess in zip(grades, scores, strict=True)]
    assert ours == pytest.approx(theirs, abs=TOLERANCE)
    by_id = square_values(grades, scores, "nDCG" if k is None else f"nDCG@{k}")
    assert by_id != pytest.approx(theirs, abs=1e-3)


@pytest.mark.parametrize(("items", "ties"), [(40, "id"), (6, "average")])
def test_sklearn_roc_auc(items: int, ties: str) -> None:
    rng = np.random.default_rng(8)
    grades = rng.integers(0, 2, (100, items))
    grades[:, 0], grades[:, 1] = 0, 1
    scores = rng.random((100, items)) if ties == "id" else rng.integers(0, 3, (100, items)).astype(float)
    theirs = [roc_auc_score(truth, guess) for truth, guess in zip(grades, scores, strict=True)]
    assert square_values(grades, scores, "AUC", ties=ties) == pytest.approx(theirs, abs=TOLERANCE)


def square_values(
    grades: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    name: str,
    **options: Any,
) -> list[float]:
    """One value per row, each row being a case whose items are all judged and shown."""
    gold = {f"q{row}": {f"d{item}": int(grade) for item, grade in enumerate(line)} for row, line in enumerate(grades)}
    run = {f"q{row}": {f"d{item}": float(score) for item, score in enumerate(line)} for row, line in enumerate(scores)}
    values: list[float] = plumbline.evaluate(gold, run, [name], **options).per_case["value"].to_list()
    return values
