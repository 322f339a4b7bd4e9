"""Every metric of filters and classifiers that scikit-learn has, or has the parts of, to twelve digits."""

from __future__ import annotations

import lzma
import re
import warnings
from itertools import product
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn import metrics as sk

import plumbline
from tests.helpers.score_values import assert_same, values_of
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tests.helpers.score_values import Values

SEEDS = range(12)
AVERAGES = ("macro", "micro", "weighted")
THEIRS: dict[str, Callable[..., Any]] = {"P": sk.precision_score, "R": sk.recall_score, "F": sk.fbeta_score}
OURS = {"P": "P({})", "R": "R({})", "F": "F(P,R,beta=2,{})", "Jaccard": "Jaccard({})"}


def theirs(function: Callable[..., Any], *arguments: Any, **options: Any) -> float | None:
    """What scikit-learn computes, whatever it warns of; not a number is undefined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = float(function(*arguments, **options))
    return None if np.isnan(value) else value


def assert_agrees(actual: Values, case: str, expected: dict[str, float | None], task: Any) -> None:
    """The values of a case, by names that need not be canonical."""
    wanted: Values = {(case, str(plumbline.parse(name, task=task))): value for name, value in expected.items()}
    assert_same({key: actual[key] for key in wanted}, wanted)


# --- filters ----------------------------------------------------------------------------------------------------------


def of_decisions(gold: NDArray[Any], answers: NDArray[Any]) -> dict[str, float | None]:
    both, zero = (gold, answers), {"zero_division": nan}
    weights = np.where(gold == 1, 3.0, 1.0)
    return {
        "Accuracy": theirs(sk.accuracy_score, *both),
        "ErrorRate": theirs(sk.zero_one_loss, *both),
        "WAcc(lam=3)": theirs(sk.accuracy_score, *both, sample_weight=weights),
        "P": theirs(sk.precision_score, *both, **zero),
        "NPV": theirs(sk.precision_score, *both, pos_label=0, **zero),
        "R": theirs(sk.recall_score, *both, **zero),
        "Specificity": theirs(sk.recall_score, *both, pos_label=0, **zero),
        "F(P,R)": theirs(sk.f1_score, *both, **zero),
        "F(P,R,beta=2)": theirs(sk.fbeta_score, *both, beta=2, **zero),
        "Jaccard": theirs(sk.jaccard_score, *both),
        "Kappa": theirs(sk.cohen_kappa_score, *both),
        "Phi": theirs(sk.matthews_corrcoef, *both),
        "MAAc": theirs(sk.balanced_accuracy_score, *both),
        "Chi": theirs(sk.balanced_accuracy_score, *both),
        "Youden": theirs(sk.balanced_accuracy_score, *both, adjusted=True),
        "MI": theirs(sk.mutual_info_score, *both),
        "Odds": theirs(lambda: np.divide(*sk.class_likelihood_ratios(*both))),
    }


def of_scores(gold: NDArray[Any], score: NDArray[Any]) -> dict[str, float | None]:
    alarms, hits, _ = sk.roc_curve(gold, score, drop_intermediate=False)
    return {
        "AUC": theirs(sk.roc_auc_score, gold, score),
        "AP": theirs(sk.average_precision_score, gold, score),
        "BrierScore": theirs(sk.brier_score_loss, gold, score),
        "LogLoss": theirs(sk.log_loss, gold, score),
        "EER": float(np.interp(0, alarms - (1 - hits), alarms)),
    }


def test_random_filters_are_scikit_learn() -> None:
    gold, run, expected = {}, {}, {}
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        truth = rng.random(60 + 40 * seed) < 0.1 + 0.07 * seed
        score = np.clip(np.round(truth * 0.3 + rng.random(len(truth)) * 0.8, 1 + seed % 3), 0, 1)
        gold[str(seed)], run[str(seed)] = (dict(enumerate(column.tolist())) for column in (truth.astype(int), score))
        expected[str(seed)] = of_decisions(truth.astype(int), (score >= 0.5).astype(int)) | of_scores(truth, score)
    scores = plumbline.evaluate(gold, {"s": run}, list(expected["0"]), task="filtering")
    for case, wanted in expected.items():
        assert_agrees(values_of(scores, "s"), case, wanted, "filtering")


def keyword_score(text: str) -> float:
    """How sure a simple filter of spam is: a half for one suspicious word, three quarters for two."""
    parts = r"free|txt|win|won|prize|claim|urgent|call now|reply|cash|mobile|\d{5,}|£\d"
    return float(1 - 0.5 ** len(re.findall(parts, text, re.IGNORECASE)))


def test_keyword_filter_of_real_messages_is_scikit_learn() -> None:
    packed = shared("data", "sms_spam", "SMSSpamCollection.xz")
    rows = [line.split("\t", 1) for line in lzma.decompress(packed.read_bytes()).decode().splitlines()[1:]]
    parts = np.array([label for label, _ in rows])
    gold, score = (parts == "spam").astype(int), np.array([keyword_score(text) for _, text in rows])
    assert (len(gold), gold.sum()) == (5574, 747)
    answers = np.where(score >= 0.75, "spam", "ham")
    wanted = of_decisions(gold, (answers == "spam").astype(int))
    arrays = plumbline.evaluate(parts, answers, list(wanted), task="filtering", positive="spam")
    assert_agrees(values_of(arrays, "system"), "whole", wanted, "filtering")
    ranked = of_scores(gold, score)
    scored = plumbline.evaluate(gold, score, list(ranked), task="filtering")
    assert_agrees(values_of(scored, "system"), "whole", ranked, "filtering")
    classified = of_labels(parts, answers)
    actual = plumbline.evaluate(parts, answers, list(classified), task="classification")
    assert_agrees(values_of(actual, "system"), "whole", classified, "classification")


# --- classifiers ------------------------------------------------------------------------------------------------------


def of_averages(gold: NDArray[Any], answers: NDArray[Any], averages: tuple[str, ...]) -> dict[str, float | None]:
    actual = {}
    for name, average in product(THEIRS, averages):
        options = {"average": average, "zero_division": nan, **({"beta": 2} if name == "F" else {})}
        actual[OURS[name].format(f"average={average}")] = theirs(THEIRS[name], gold, answers, **options)
    return actual | {f"Jaccard(average={a})": theirs(sk.jaccard_score, gold, answers, average=a) for a in averages}


def of_labels(gold: NDArray[Any], answers: NDArray[Any]) -> dict[str, float | None]:
    kappas = {
        f"Kappa(weights={weights})": theirs(sk.cohen_kappa_score, gold, answers, weights=None if weights == "none" else weights)
        for weights in ("none", "linear", "quadratic")
    }
    return {
        "Accuracy": theirs(sk.accuracy_score, gold, answers),
        "ErrorRate": theirs(sk.zero_one_loss, gold, answers),
        "HammingLoss": theirs(sk.hamming_loss, gold, answers),
        "BalancedAccuracy": theirs(sk.balanced_accuracy_score, gold, answers),
        "MCC": theirs(sk.matthews_corrcoef, gold, answers),
        **kappas,
        **of_averages(gold, answers, AVERAGES),
    }


def test_random_classifiers_are_scikit_learn() -> None:
    gold, run, expected = {}, {}, {}
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        labels = np.array(list("abcdefg"))[: 2 + seed % 6]
        truth = rng.choice(labels, 40 + 30 * seed)
        answers = np.where(rng.random(len(truth)) < 0.5, truth, rng.choice(labels, len(truth)))
        gold[str(seed)], run[str(seed)] = dict(enumerate(truth.tolist())), dict(enumerate(answers.tolist()))
        expected[str(seed)] = of_labels(truth, answers)
    scores = plumbline.evaluate(gold, {"s": run}, [*expected["0"], "P(average=none)", "R(average=none)"], task="classification")
    actual = values_of(scores, "s")
    for case, wanted in expected.items():
        assert_agrees(actual, case, wanted, "classification")
    right, given = (list(table["7"].values()) for table in (gold, run))
    for name, score in (("P", sk.precision_score), ("R", sk.recall_score)):
        each = score(right, given, average=None, labels=list("abc"))
        assert [actual["7", f"{name}(class={label})"] for label in "abc"] == pytest.approx(each.tolist(), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_random_sets_of_labels_are_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = (rng.random((80, 5)) < 0.35).astype(int)
    gold[gold.sum(axis=1) == 0, seed] = 1
    answers = np.where(rng.random(gold.shape) < 0.8, gold, rng.integers(0, 2, gold.shape))
    answers[:5] = 0
    wanted = of_averages(gold, answers, (*AVERAGES, "samples")) | {
        "Accuracy": theirs(sk.accuracy_score, gold, answers),
        "ErrorRate": theirs(sk.zero_one_loss, gold, answers),
        "HammingLoss": theirs(sk.hamming_loss, gold, answers),
    }
    scores = plumbline.evaluate(gold, answers, list(wanted), task="classification")
    assert_agrees(values_of(scores, "system"), "whole", wanted, "classification")


def test_real_submissions_are_scikit_learn() -> None:
    folder = shared("data", "semeval2018_task12")
    truth = labels_of(folder / "truth.txt")
    paths = sorted((folder / "submissions").glob("*.txt"))
    names = list(of_labels(np.array(["0", "1"]), np.array(["0", "1"])))
    scores = plumbline.evaluate(folder / "truth.txt", paths, names, task="classification")
    for path in paths:
        answers = labels_of(path)
        wanted = of_labels(np.array(list(truth.values())), np.array([answers[item] for item in truth]))
        assert_agrees(values_of(scores, path.stem), "whole", wanted, "classification")


def labels_of(path: Any) -> dict[str, str]:
    """The label of each item of a submission."""
    rows = (line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#"))
    return {item: label for item, label, *_ in rows}
