"""The slow implementations for labels agree with scikit-learn, with published values and with what can be proved."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from itertools import product
from math import isnan, log2, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from tests.helpers.classification_oracles import CLASSIFICATION, Items, averaged, classes_of, nearness, of_class, single
from tests.helpers.examples import some_of
from tests.helpers.filtering_oracles import CELLS, FILTERING, SCORED, Answered, Counts, Scored, Value, c1, f05u, harmonic
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

PYEVALL = ("data", "pyevall_tests", "resources", "metric")
REQUIRED: dict[str, dict[str, Any]] = {"WAcc": {"lam": 3}}
quick = settings(max_examples=some_of(25), deadline=None)
tables = st.builds(Counts, *[st.integers(0, 6)] * 4).filter(any)
some_scores = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]) | st.floats(0, 1)
THEIRS = {"P": sk.precision_score, "R": sk.recall_score, "F": sk.fbeta_score}
CLASSES = "abcd"
labels, label_sets = st.sampled_from(CLASSES), st.frozensets(st.sampled_from(CLASSES))


def same(actual: Value, expected: float) -> None:
    """Equal to twelve digits; not a number is undefined."""
    wanted = None if isnan(expected) else pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert (None if actual is None else float(actual)) == wanted


def theirs(function: Callable[..., Any], *arguments: Any, **options: Any) -> float:
    """What scikit-learn computes, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(function(*arguments, **options))


def columns(counts: Counts) -> dict[str, Any]:
    """Gold, answers and weights of four items that stand for the cells."""
    return {"y_true": [1, 0, 1, 0], "y_pred": [1, 1, 0, 0], "sample_weight": [float(cell) for cell in counts]}


def rate_pair(counts: Counts, score: Callable[..., Any] = sk.recall_score) -> list[float]:
    """Recall and specificity, or another score of both classes."""
    return [theirs(score, **columns(counts), pos_label=label, zero_division=nan) for label in (1, 0)]


def sklearn_filtering(counts: Counts) -> dict[str, float]:
    """Every metric that scikit-learn has, or has the parts of."""
    cells, (tp, fp, fn, tn) = columns(counts), counts
    (recall, specificity), (precision, npv) = rate_pair(counts), rate_pair(counts, sk.precision_score)
    positive, negative = (theirs(lambda i=i: sk.class_likelihood_ratios(**cells)[i]) for i in (0, 1))
    constant = 0 in (tp + fn, fp + tn, tp + fp, fn + tn)
    one_gold = 0 in (tp + fn, fp + tn)
    actual = {"P": precision, "NPV": npv, "R": recall, "Specificity": specificity, "FNR": 1 - recall, "FPR": 1 - specificity}
    actual |= {"Rel": precision * npv, "Sens": recall * specificity, "Utility": 2 * float(tp) - float(fp)}
    actual |= {"Accuracy": theirs(sk.accuracy_score, **cells), "ErrorRate": theirs(sk.zero_one_loss, **cells)}
    return actual | {
        "WAcc": theirs(sk.accuracy_score, cells["y_true"], cells["y_pred"], sample_weight=[3 * tp, fp, 3 * fn, tn]),
        "Kappa": theirs(sk.cohen_kappa_score, cells["y_true"], cells["y_pred"], sample_weight=cells["sample_weight"]),
        "Phi": nan if constant else theirs(sk.matthews_corrcoef, **cells),
        "MI": theirs(sk.mutual_info_score, None, None, contingency=np.array([[tp, fp], [fn, tn]], dtype=float)),
        "Jaccard": nan if tp + fp + fn == 0 else theirs(sk.jaccard_score, **cells, zero_division=0),
        "Odds": 1.0 if constant and not one_gold else nan if 0 in (fp, fn) else positive / negative if tn else 0.0,
        "MAAc": nan if one_gold else theirs(sk.balanced_accuracy_score, **cells),
        "Youden": nan if one_gold else theirs(sk.balanced_accuracy_score, **cells, adjusted=True),
    }


@quick
@given(counts=tables)
@example(counts=Counts(3, 0, 0, 0))
@example(counts=Counts(0, 0, 3, 2))
def test_filtering_is_scikit_learn(counts: Counts) -> None:
    for smooth, cells in (("none", counts), ("laplace", Counts(*(cell + 1 for cell in counts)))):
        for name, expected in sklearn_filtering(cells).items():
            same(FILTERING[name](counts, smooth, REQUIRED.get(name, {})), expected)
        precision, recall = (FILTERING[name](counts, smooth, {}) for name in "PR")
        same(harmonic(precision, recall, 0.2), theirs(sk.fbeta_score, **columns(cells), beta=2, zero_division=nan))


@quick
@given(counts=tables)
def test_noninformative_smoothing_adds_two_items_to_each_condition(counts: Counts) -> None:
    (tp, fp, fn, tn), n = counts, sum(counts)
    predicted, true = float((tp + fp) / n), float((tp + fn) / n)
    by_gold = Counts(tp + 2 * predicted, fp + 2 * predicted, fn + 2 * (1 - predicted), tn + 2 * (1 - predicted))
    by_system = Counts(tp + 2 * true, fp + 2 * (1 - true), fn + 2 * true, tn + 2 * (1 - true))
    recall, specificity = rate_pair(by_gold)
    same(FILTERING["R"](counts, "noninformative", {}), recall)
    same(FILTERING["Sens"](counts, "noninformative", {}), recall * specificity)
    same(FILTERING["P"](counts, "noninformative", {}), rate_pair(by_system, sk.precision_score)[0])
    same(FILTERING["Accuracy"](counts, "noninformative", {}), recall * true + specificity * (1 - true))
    same(FILTERING["Lam"](counts, "noninformative", {}), geometric_lam(1 - recall, 1 - specificity))


def geometric_lam(missed: float, alarm: float) -> float:
    """Lam without logarithms."""
    wrong, right = (missed * alarm) ** 0.5, ((1 - missed) * (1 - alarm)) ** 0.5
    return 0.5 if wrong + right < 1e-7 else wrong / (wrong + right)


@quick
@given(counts=tables, smooth=st.sampled_from(["none", "laplace", "noninformative"]))
def test_what_is_the_same_under_every_smoothing(counts: Counts, smooth: str) -> None:
    actual = {name: FILTERING[name](counts, smooth, REQUIRED.get(name, {})) for name in FILTERING}
    assert actual["Chi"] == actual["MAAc"]
    assert actual["Accuracy"] == 1 - actual["ErrorRate"]  # type: ignore[operator]
    assert actual["Accuracy"] == FILTERING["WAcc"](counts, smooth, {"lam": 1})
    assert -1e-15 <= actual["MI"] <= np.log(2) + 1e-15  # type: ignore[operator]
    if actual["Lam"] is not None:
        same(actual["Lam"], geometric_lam(float(actual["FNR"]), float(actual["FPR"])))  # type: ignore[arg-type]


def test_normalised_utility_and_f_by_hand() -> None:
    t11su = FILTERING["NUtility"]
    ends = [Counts(4, 0, 0, 9), Counts(0, 0, 4, 9), Counts(0, 9, 4, 0)]
    assert [t11su(counts, "none", {}) for counts in ends] == [1, Fraction(1, 3), 0]
    assert t11su(Counts(2, 1, 2, 8), "none", {}) == (Fraction(3, 8) + Fraction(1, 2)) / Fraction(3, 2)
    assert t11su(Counts(0, 1, 0, 8), "none", {}) is t11su(Counts(0, 1, 0, 8), "none", {"tn": -0.5}) is None
    assert t11su(Counts(0, 1, 0, 8), "none", {"tn": 1, "floor": -1}) == (Fraction(7, 9) + 1) / 2
    assert [harmonic(None, part, 0.5) for part in (None, 0, Fraction(1, 2))] == [None, 0, None]
    assert [harmonic(None, Fraction(1, 2), alpha) for alpha in (0, 1)] == [Fraction(1, 2), None]


@settings(max_examples=some_of(50), deadline=None)
@given(items=st.lists(st.tuples(some_scores, st.booleans()), min_size=1, max_size=12))
def test_scores_are_scikit_learn(items: Scored) -> None:
    scores, gold = [score for score, _ in items], [int(is_positive) for _, is_positive in items]
    same(SCORED["BrierScore"](items), theirs(sk.brier_score_loss, gold, scores, labels=[0, 1], pos_label=1))
    same(SCORED["LogLoss"](items), theirs(sk.log_loss, gold, scores, labels=[0, 1]))
    same(SCORED["AP"](items), theirs(sk.average_precision_score, gold, scores) if any(gold) else nan)
    if len(set(gold)) == 1:
        assert SCORED["AUC"](items) is SCORED["EER"](items) is None
        return
    same(SCORED["AUC"](items), theirs(sk.roc_auc_score, gold, scores))
    alarm, hit, _ = sk.roc_curve(gold, scores, drop_intermediate=False)
    same(SCORED["EER"](items), float(np.interp(0, alarm - (1 - hit), alarm)))


@quick
@given(answers=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1), unanswered=st.lists(st.booleans()))
def test_unanswered_items(answers: list[tuple[bool, bool]], unanswered: list[bool]) -> None:
    gold, predicted = [g for g, _ in answers], [a for _, a in answers]
    filled = [*gold, *[True] * len(unanswered)], [*predicted, *[False] * len(unanswered)]
    items: Answered = [*answers, *[(is_positive, None) for is_positive in unanswered]]
    same(f05u(items), theirs(sk.fbeta_score, *filled, beta=0.5, zero_division=nan))
    right = theirs(sk.accuracy_score, gold, predicted, normalize=False)
    same(c1(items), right / len(items) * (1 + len(unanswered) / len(items)))
    same(c1([*answers]), theirs(sk.accuracy_score, gold, predicted))


@quick
@given(pairs=st.lists(st.tuples(labels, labels | st.none()), min_size=1, max_size=15))
@example(pairs=[("a", "b")])
@example(pairs=[("a", None), ("b", "b")])
def test_single_labels_are_scikit_learn(pairs: list[tuple[str, str | None]]) -> None:
    items, gold, predicted = single(pairs), [g for g, _ in pairs], [a or "no answer" for _, a in pairs]
    same(CLASSIFICATION["Accuracy"](items), theirs(sk.accuracy_score, gold, predicted))
    same(CLASSIFICATION["HammingLoss"](items), theirs(sk.hamming_loss, gold, predicted))
    same(CLASSIFICATION["BalancedAccuracy"](items), theirs(sk.balanced_accuracy_score, gold, predicted))
    same(CLASSIFICATION["Kappa"](items), theirs(sk.cohen_kappa_score, gold, predicted))
    defined = len(set(gold)) > 1 and len(set(predicted)) > 1
    same(CLASSIFICATION["MCC"](items), theirs(sk.matthews_corrcoef, gold, predicted) if defined else nan)
    for name, average in product("PRF", ("macro", "micro", "weighted")):
        options = {
            "labels": classes_of(items),
            "average": average,
            "zero_division": nan,
            **({"beta": 0.5} if name == "F" else {}),
        }
        expected = theirs(THEIRS[name], gold, predicted, **options)
        if average == "weighted" and name == "P" and not set(gold) & set(predicted):
            expected = nan  # every class with a weight is undefined; scikit-learn then takes the mean without weights
        weight: dict[str, Any] = {"alpha": 0.8} if name == "F" else {}
        same(averaged(name, items, average=average, **weight), expected)


@quick
@given(pairs=st.lists(st.tuples(labels, labels), min_size=1), weights=st.sampled_from(["linear", "quadratic"]))
def test_weighted_kappa_is_scikit_learn(pairs: list[tuple[str, str]], weights: str) -> None:
    gold, predicted = [g for g, _ in pairs], [a for _, a in pairs]
    actual = CLASSIFICATION["Kappa"](single(pairs), weights=weights, classes="dacb")
    same(actual, theirs(sk.cohen_kappa_score, gold, predicted, weights=weights, labels=list("dacb")))


@quick
@given(items=st.lists(st.tuples(label_sets, label_sets | st.none()), min_size=1, max_size=10))
def test_several_labels_are_scikit_learn(items: Items) -> None:
    gold = np.array([[label in labels for label in CLASSES] for labels, _ in items]).astype(int)
    predicted = np.array([[label in (answer or ()) for label in CLASSES] for _, answer in items]).astype(int)
    same(CLASSIFICATION["HammingLoss"](items, multi=True, classes=CLASSES), theirs(sk.hamming_loss, gold, predicted))
    if all(answer is not None for _, answer in items):
        same(CLASSIFICATION["SubsetAccuracy"](items), theirs(sk.accuracy_score, gold, predicted))
    for name, average in product("PRF", ("macro", "micro", "samples")):
        options = {"average": average, "zero_division": nan, **({"beta": 2} if name == "F" else {})}
        weight: dict[str, Any] = {"alpha": 0.2} if name == "F" else {}
        wanted = theirs(THEIRS[name], gold, predicted, **options)
        same(averaged(name, items, average=average, classes=CLASSES, **weight), wanted)
    used = (gold | predicted).any(axis=0)
    each = np.where(used, sk.jaccard_score(gold, predicted, average=None, zero_division=0), nan)
    for label, expected in zip(CLASSES, each, strict=True):
        same(of_class("Jaccard", items, label), expected)
    same(CLASSIFICATION["Jaccard"](items, classes=CLASSES), each[used].mean() if used.any() else nan)
    micro = sk.jaccard_score(gold, predicted, average="micro") if used.any() else nan
    same(averaged("Jaccard", items, average="micro"), micro)


def test_closeness_contrast_and_missing_answers_by_hand() -> None:
    items, best = single([("1", "1"), ("1", "3"), ("2", None), ("3", "2")]), 2 + 2 + 3 + 3
    same(CLASSIFICATION["CEM"](items), (2 - log2(7 / 8) - log2(3 / 8)) / best)
    same(CLASSIFICATION["CEM"](items, classes="231"), (2 - log2(5 / 8) - log2(3 / 8)) / best)
    same(CLASSIFICATION["CEM"](items, scale="nominal"), (2 - log2(6 / 8) - log2(5 / 8)) / best)
    same(CLASSIFICATION["Kappa"](items, weights="linear"), 1 - 4 * (0 + 2 + 1 + 1) / (5 + 5 + 3 + 5))
    assert CLASSIFICATION["Accuracy"]([(frozenset(), None), (frozenset(), frozenset())]) == 0.5
    sets = {name: frozenset(name) for name in ("ab", "a", "c", "d")}
    items = [(sets["ab"], sets["a"]), (sets["a"], None), (sets["c"], sets["c"]), (sets["c"], sets["d"])]
    same(CLASSIFICATION["ICM"](items), (-1 - 1 + 1 - 3) / 4)
    same(CLASSIFICATION["ICMNorm"](items), (-1 / 1.5 + 1) / 2)
    assert CLASSIFICATION["ICMNorm"](single([("a", "b")])) is None


UNDEFINED_PART_BESIDE_ZERO = {("8", "FPriRelSen_TRUE"), ("10", "FPriRelSen_TRUE")}
"""PyEvALL leaves F undefined where Sens is, although Rel is 0; here one part of 0 makes F 0, as PyEvALL does with P and R."""

FILTERING_COLUMNS = {"Precision": "P", "Recall": "R", "Sens": "R", "Spe": "Specificity", "Pri-Rel": "Rel", "Pri-Sen": "Sens"}
CLASSIFICATION_COLUMNS = {"ACC": "Accuracy", "Kappa": "Kappa", "ICM": "ICM", "MAAC": "BalancedAccuracy"}


def published_columns(items: Items) -> dict[str, Value]:
    """The columns of PyEvALL's table that have a metric here; the others are ClassUt and SysPre."""
    cells = [("TRUE" in (answer or ()), "TRUE" in gold) for gold, answer in items]
    counts = Counts(*(cells.count(cell) for cell in CELLS))
    utility = FILTERING["Utility"](counts, "none", {"tp": 2, "fp": 0.5})
    actual = {column: CLASSIFICATION[name](items) for column, name in CLASSIFICATION_COLUMNS.items()}
    actual |= {f"{column}_TRUE": FILTERING[name](counts, "none", {}) for column, name in FILTERING_COLUMNS.items()}
    actual |= {"CEM_Nom": nearness(items, "nominal"), "FiltUt_TRUE_2_-0.5": utility}
    actual["Fmeasure_TRUE"] = harmonic(actual["Precision_TRUE"], actual["Recall_TRUE"], 0.5)
    actual["FPriRelSen_TRUE"] = harmonic(actual["Pri-Rel_TRUE"], actual["Pri-Sen_TRUE"], 0.5)
    return actual


def labels_of(*parts: str) -> dict[str, str]:
    """The label of each item of a file."""
    rows = (line.split("\t") for line in shared(*PYEVALL, "test", "classification", *parts).read_text().splitlines()[1:])
    return {row[1]: row[2] for row in rows if len(row) == 3}


def test_values_published_by_pyevall() -> None:
    lines = shared(*PYEVALL, "double_imp", "classification", "Double_imp_2.txt").read_text().splitlines()
    header, differing, compared = [name.strip() for name in lines[0].split("\t")], set(), 0
    for line in lines[1:]:
        row = dict(zip(header, line.split("\t"), strict=False))
        gold = labels_of("gold", "1", f"GOLD{row['NUMBER']}.txt")
        predicted = gold if "/GOLD_" in row["FILE"] else labels_of("predictions", "1", f"SYS{row['NUMBER']}.txt")
        for column, value in published_columns(single([(label, predicted.get(item)) for item, label in gold.items()])).items():
            compared += 1
            expected = None if row[column] == "UNK" else float(row[column])
            agrees = value is expected if None in (value, expected) else abs(float(value) - expected) <= 0.0005 + 1e-9  # type: ignore[arg-type,operator]
            if not agrees:
                differing.add((row["NUMBER"], column))
    assert compared == 24 * 14
    assert differing == UNDEFINED_PART_BESIDE_ZERO


def test_values_published_in_papers() -> None:
    golden = json.loads(shared("golden", "papers.json").read_text())
    parts = {"F": ("P", "R"), "F(R,S)": ("Rel", "Sens")}
    for row in golden["filtering_monotonicity_counterexamples"]:
        for cells, expected in zip((row["worse"], row["better"]), row["scores"], strict=True):
            names = parts.get(row["metric"], (row["metric"],) * 2)
            first, second = (FILTERING[name](Counts(*cells), row["smooth"], {}) for name in names)
            assert harmonic(first, second, 0.5) == pytest.approx(expected, abs=0.00005)
    slides = golden["slides_confusion"]
    pairs = [("abc"[g], "abc"[s]) for g, s in product(range(3), repeat=2) for _ in range(slides["matrix"][g][s])]
    assert CLASSIFICATION["Accuracy"](single(pairs)) == slides["accuracy"]


@pytest.mark.parametrize("smooth", ["none", "noninformative"])
@pytest.mark.parametrize(("good", "bad"), list(product((1, 2, 5), repeat=2)))
def test_outputs_that_know_nothing(good: int, bad: int, smooth: str) -> None:
    for yes, no in list(product(range(5), repeat=2))[1:]:
        counts = Counts(good * yes, bad * yes, good * no, bad * no)
        actual = {name: FILTERING[name](counts, smooth, REQUIRED.get(name, {})) for name in FILTERING}
        assert actual["MAAc"] == Fraction(1, 2)
        assert actual["Lam"] == pytest.approx(0.5, abs=1e-15)
        assert (actual["Odds"], actual["Kappa"], actual["MI"], actual["Youden"]) == (1, 0, 0, 0)
        assert actual["Phi"] == (0 if yes and no else None)
        both = harmonic(actual["Rel"], actual["Sens"], 0.5)
        assert both is not None
        assert 0 <= both <= Fraction(1, 4)
        assert (both == 0) == (yes == 0 or no == 0)
