"""Filters and classifiers against what others published, and against what can be proved."""

from __future__ import annotations

import json
import lzma
import re
from itertools import product
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from tests.helpers.ranking_worlds import moderate
from tests.helpers.score_values import values_of
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

Matrix = tuple[int, int, int, int]
"""TP, FP, FN, TN."""


def by_matrix(names: list[str], matrices: list[Matrix]) -> dict[tuple[str, Matrix], float | None]:
    """The value of every measure on every matrix, each a case of one evaluation."""
    gold: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, int]] = {}
    for number, (tp, fp, fn, tn) in enumerate(matrices):
        cells = [(1, 1)] * tp + [(0, 1)] * fp + [(1, 0)] * fn + [(0, 0)] * tn
        gold[str(number)] = {str(item): label for item, (label, _) in enumerate(cells)}
        run[str(number)] = {str(item): answers for item, (_, answers) in enumerate(cells)}
    actual = values_of(plumbline.evaluate(gold, {"s": run}, names, task="filtering"), "s")
    requested = {str(plumbline.parse(name, task="filtering")): name for name in names}
    return {(requested[name], matrices[int(case)]): value for (case, name), value in actual.items()}  # type: ignore[misc]  # no text


# --- published values -------------------------------------------------------------------------------------------------

FILTERING = {
    "Precision_TRUE": "P",
    "Recall_TRUE": "R",
    "Fmeasure_TRUE": "F(P,R)",
    "Sens_TRUE": "R",
    "Spe_TRUE": "Specificity",
    "Pri-Rel_TRUE": "Rel",
    "Pri-Sen_TRUE": "Sens",
    "FPriRelSen_TRUE": "F(Rel,Sens)",
    "FiltUt_TRUE_2_-0.5": "Utility(fp=0.5)",
}
CLASSIFICATION = {
    "ACC": "Accuracy",
    "Kappa": "Kappa",
    "ICM": "ICM",
    "MAAC": "BalancedAccuracy",
    "CEM_Nom": "CEM(scale=nominal)",
}
UNDEFINED_PART_BESIDE_ZERO = {("8", "SYS", "FPriRelSen_TRUE"), ("10", "SYS", "FPriRelSen_TRUE")}
"""PyEvALL leaves F undefined where Sens is, although Rel is 0; here one part of 0 makes F 0, as PyEvALL does with P and R."""


def test_values_published_by_pyevall() -> None:
    """Each pair of files, by PyEvALL's second implementation.

    Its CEM is the sum of proximities without a divisor, which is the CEM of the gold's own row. Two columns have no metric
    here: ClassUt and SysPre.
    """
    folder = shared("data", "pyevall_tests", "resources", "metric")
    header, *rows = (folder / "double_imp" / "classification" / "Double_imp_2.txt").read_text().splitlines()
    names = [name.strip() for name in header.split("\t")]
    published: dict[tuple[str, str], dict[str, str]] = {}
    for row in (dict(zip(names, line.split("\t"), strict=False)) for line in rows):
        published[row["NUMBER"], "GOLD" if "/GOLD_" in row["FILE"] else "SYS"] = row
    differing, compared = set(), 0
    for (number, whose), row in published.items():
        gold = folder / "test" / "classification" / "gold" / "1" / f"GOLD{number}.txt"
        answers = folder / "test" / "classification" / "predictions" / "1" / f"SYS{number}.txt" if whose == "SYS" else gold
        best = float(published[number, "GOLD"]["CEM_Nom"])
        for column, value in pyevall_columns(gold, answers, best).items():
            compared += 1
            expected = None if row[column] == "UNK" else float(row[column])
            digits = 0.001 if column == "CEM_Nom" else 0.0005 + 1e-9  # two rounded numbers meet in CEM
            close = value is expected if None in (value, expected) else abs(value - expected) <= digits  # type: ignore[operator]
            if not close:
                differing.add((number, whose, column))
    assert compared == 24 * 14
    assert differing == UNDEFINED_PART_BESIDE_ZERO


def pyevall_columns(gold: Path, answers: Path, best: float) -> dict[str, float | None]:
    """The columns of PyEvALL's table for a pair of files."""
    actual: dict[str, float | None] = {}
    for task, columns, word in (("filtering", FILTERING, "TRUE"), ("classification", CLASSIFICATION, None)):
        scores = plumbline.evaluate(gold, {"s": answers}, list(dict.fromkeys(columns.values())), task=task, positive=word)
        means = dict(scores.mean.select("metric", "value").iter_rows())
        actual |= {column: means[str(plumbline.parse(name, task=task))] for column, name in columns.items()}
    return actual | {"CEM_Nom": (actual["CEM_Nom"] or 0.0) * best}


def test_accuracies_of_semeval_2018_task_12() -> None:
    """All 22 rows of the official table, by the team that metadata-public.xml names for each submission.

    The table has the shown name, the name of the system or the name of the user; one submission was withdrawn.
    """
    folder = shared("data", "semeval2018_task12")
    rows = re.findall(r"^ *\d+ +(\S.*?)  +(0\.\d+)$", (folder / "README_official_results.md").read_text(), re.MULTILINE)
    official = {team: float(accuracy) for team, accuracy in rows}
    assert len(official) == 22
    paths = sorted((folder / "submissions").glob("*.txt"))
    scores = plumbline.evaluate(folder / "truth.txt", paths, ["Accuracy"], task="classification")
    actual = dict(scores.mean.select("system", "value").iter_rows())
    matched = {}
    for entry in ET.parse(folder / "submissions" / "metadata-public.xml").getroot():  # noqa: S314 - a file of ours
        names = [entry.get("shownName"), entry.get("systemName"), entry.get("username")]
        team = "Random baseline" if entry.get("baseline") else next((name for name in names if name in official), None)
        assert (team is None) == (entry.get("withdrawn") == "true")
        if team is not None:
            matched[team] = round(actual[entry.attrib["submissionID"]], 3)
    assert matched == official


def test_technology_assisted_reviews_of_clef_2017(tmp_path: Path) -> None:
    """Runs as retrieved sets, per topic: relevant documents found, their share, documents shown and judged.

    The runs of ecnu also show documents that the gold lacks, and those of iiit lack three topics. Every topic of the file
    of amc has a tag of its own, so that it is given one.
    """
    folder = shared("data", "clef_tar2017")
    packed = sorted((folder / "runs").glob("*.xz"))
    (amc,) = (path for path in packed if path.name.startswith("amc"))
    plain = tmp_path / "amc.run"
    lines = lzma.decompress(amc.read_bytes()).decode().splitlines()
    plain.write_text("".join(f"{line.rsplit(None, 1)[0]} amc\n" for line in lines))
    systems = {path.name.removesuffix(".xz"): plain if path == amc else path for path in packed}
    gold = folder / "qrel_abs_test.txt.xz"
    recalls = plumbline.evaluate(gold, systems, ["R"], task="filtering").per_case
    counts: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
    for system, case, wanted, answers, count in plumbline.confusion(gold, systems, task="filtering").cells.iter_rows():
        counts.setdefault((system, case), {})[wanted, answers] = count
    compared = 0
    for system, topic, _, recall in recalls.iter_rows():
        official = results(folder / "results_abstract" / f"{system}.results").get(topic)
        if official is None:
            assert system.startswith("iiit")
            continue
        actual = counts[system, topic]
        shown = actual.get(("positive", "positive"), 0) + actual.get(("negative", "positive"), 0)
        compared += 1
        assert (sum(actual.values()), round(recall, 3)) == (official["num_docs"], official["r"])
        assert actual.get(("positive", "positive"), 0) == official["rels_found"]
        assert actual.get(("positive", "positive"), 0) + actual.get(("positive", "negative"), 0) == official["num_rels"]
        assert shown <= official["num_shown"] if system.startswith("ecnu") else shown == official["num_shown"]
    assert compared == 7 * 30 - 2 * 3


def results(path: Path) -> dict[str, dict[str, float]]:
    """The organisers' numbers by topic."""
    actual: dict[str, dict[str, float]] = {}
    for topic, name, value in (line.split("\t") for line in path.read_text().splitlines()):
        if name != "topic_id":
            actual.setdefault(topic, {})[name] = float(value)
    return actual


def test_matrices_of_the_papers() -> None:
    golden = json.loads(shared("golden", "papers.json").read_text())
    rows = golden["filtering_monotonicity_counterexamples"]
    assert len(rows) == 5
    spelled = {"F": "F(P(smooth={0}),R(smooth={0}))", "F(R,S)": "F(Rel(smooth={0}),Sens(smooth={0}))", "MI": "MI(smooth={0})"}
    for row in rows:
        name = spelled[row["metric"]].format(row["smooth"])
        worse, better = tuple(row["worse"]), tuple(row["better"])
        actual = by_matrix([name], [worse, better])
        assert [actual[name, worse], actual[name, better]] == pytest.approx(row["scores"], abs=0.00005)


def test_confusion_matrix_of_the_slides() -> None:
    slides = json.loads(shared("golden", "papers.json").read_text())["slides_confusion"]
    pairs = [("abc"[g], "abc"[s]) for g, s in product(range(3), repeat=2) for _ in range(slides["matrix"][g][s])]
    gold, answers = [g for g, _ in pairs], [s for _, s in pairs]
    scores = plumbline.evaluate(gold, answers, "Accuracy", task="classification")
    assert scores.mean["value"].to_list() == [slides["accuracy"]]
    matrix = plumbline.confusion(gold, answers)
    assert matrix.classes == ("a", "b", "c")
    counts = {(right, wrong): count for _, _, right, wrong, count in matrix.cells.iter_rows()}
    assert [[counts.get((g, s), 0) for s in "abc"] for g in "abc"] == slides["matrix"]


# --- closed forms -----------------------------------------------------------------------------------------------------

knowing_nothing = st.builds(
    lambda good, bad, yes, no: (good * yes, bad * yes, good * no, bad * no),
    *[st.integers(1, 5)] * 2,
    *[st.integers(0, 4)] * 2,
).filter(any)
"""Outputs that accept the same share of both classes; all and nothing are among them."""


@pytest.mark.parametrize("smooth", ["none", "noninformative"])
@moderate(12)
@given(matrices=st.lists(knowing_nothing, min_size=1, max_size=25))
def test_outputs_that_know_nothing(smooth: str, matrices: list[Matrix]) -> None:
    expected = {"Lam": 0.5, "MAAc": 0.5, "Chi": 0.5, "Kappa": 0.0, "MI": 0.0, "Phi": 0.0, "Odds": 1.0, "Youden": 0.0}
    names = {f"{name}(smooth={smooth})": value for name, value in expected.items()}
    both = f"F(Rel(smooth={smooth}),Sens(smooth={smooth}))"
    for (name, matrix), value in by_matrix([*names, both], matrices).items():
        constant = 0 in (matrix[0] + matrix[1], matrix[2] + matrix[3])
        if name == both:
            assert value is not None
            assert value == 0 if constant else 0 < value <= 0.25 + 1e-15
        elif name.startswith("Phi") and constant:
            assert value is None
        else:
            assert value == pytest.approx(names[name], abs=1e-12), (name, matrix)


# --- what brute force says: every matrix with 1 to 6 relevant and 1 to 6 irrelevant items ------------------------------

SMALL: list[Matrix] = [
    (tp, fp, good - tp, bad - fp)
    for good, bad in product(range(1, 7), repeat=2)
    for tp, fp in product(range(good + 1), range(bad + 1))
]
SPELLED = {
    "F": "F(P(smooth={0}),R(smooth={0}))",
    "F(Rel,Sens)": "F(Rel(smooth={0}),Sens(smooth={0}))",
    "WAcc": "WAcc(lam=3,smooth={0})",
    **{name: name + "(smooth={0})" for name in ("Accuracy", "Utility", "Lam", "Odds", "Phi", "MAAc", "Chi", "Kappa", "MI")},
}
FAILING = {
    "none": {"F", "F(Rel,Sens)", "MI", "Lam", "Odds"},
    "noninformative": {"F", "F(Rel,Sens)", "MI", "WAcc", "Utility"},
    "laplace": {"MI"},
}
"""Metrics in which correcting an error does not always help; where a value is undefined nothing is compared."""


def corrected(matrix: Matrix) -> list[Matrix]:
    """The matrices after one error was mended."""
    tp, fp, fn, tn = matrix
    return [(tp + 1, fp, fn - 1, tn)] * (fn > 0) + [(tp, fp - 1, fn, tn + 1)] * (fp > 0)


@pytest.mark.parametrize("smooth", FAILING)
def test_which_metrics_reward_every_correction(smooth: str) -> None:
    assert len(SMALL) == 27**2
    names = {name: spelling.format(smooth) for name, spelling in SPELLED.items()}
    actual = by_matrix(list(names.values()), SMALL)
    failing = set()
    for name, spelling in names.items():
        sign = -1.0 if name == "Lam" else 1.0
        for matrix in SMALL:
            for better in corrected(matrix):
                low, high = actual[spelling, matrix], actual[spelling, better]
                if low is not None and high is not None and sign * (high - low) <= 1e-12:
                    failing.add(name)
    assert failing == FAILING[smooth]


def test_examples_of_what_brute_force_says() -> None:
    one_each: Matrix = (0, 1, 1, 0)
    names = ["MI", *(SPELLED[name].format("noninformative") for name in ("F", "F(Rel,Sens)"))]
    actual = by_matrix(names, [one_each, (1, 1, 0, 0), (0, 0, 1, 1)])
    assert [actual["MI", matrix] for matrix in (one_each, (1, 1, 0, 0))] == pytest.approx([0.6931, 0.0], abs=0.00005)
    assert [actual[names[1], matrix] for matrix in (one_each, (0, 0, 1, 1))] == pytest.approx([1 / 3, 0.0])


def test_laplace_loses_the_properties_of_every_family() -> None:
    accept_all, nothing = (4, 8, 0, 0), (0, 0, 4, 8)
    names = {name: SPELLED[name].format("laplace") for name in ("Lam", "MAAc", "Odds", "F(Rel,Sens)")}
    actual: dict[Any, Any] = by_matrix(list(names.values()), [accept_all, nothing])
    for matrix in (accept_all, nothing):
        assert actual[names["Lam"], matrix] != pytest.approx(0.5, abs=1e-3)
        assert actual[names["MAAc"], matrix] != pytest.approx(0.5, abs=1e-3)
        assert actual[names["Odds"], matrix] != pytest.approx(1.0, abs=1e-3)
        assert actual[names["F(Rel,Sens)"], matrix] > 0
