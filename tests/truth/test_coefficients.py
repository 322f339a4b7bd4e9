"""Coefficients of agreement: a second time, published values, and what is true of all of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from plumbline.truth.agreement.registry import coefficients
from plumbline.truth.agreement.scales import weight_matrix
from tests.helpers import agreement_oracles as slow
from tests.helpers.command_line import plumbline
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers.agreement_oracles import Answers

KNOWN = coefficients()
PLAIN = {"interval": "none"}
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def world(seed: int, assessors: int, *, gaps: float = 0.3, grades: int = 4, items: int = 12) -> Answers:
    """Answers that agree a little, with gaps."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, grades, items)
    noise = draw.integers(-1, 2, (assessors, items))
    kept = draw.random((assessors, items)) >= gaps
    return {
        f"a{who}": {f"i{i}": float(np.clip(truth[i] + noise[who, i], 0, grades - 1)) for i in range(items) if kept[who, i]}
        for who in range(assessors)
    }


def value(answers: object, name: str, **options: object) -> float:
    result = pb.agree(answers, **{**PLAIN, **options}).value(name)  # type: ignore[arg-type]
    assert result is not None
    return result


def matrix(table: list[list[int]]) -> dict[str, list[int]]:
    """Two lists of answers from how often each two occurred."""
    rows = [(a, b) for a, row in enumerate(table) for b, count in enumerate(row) for _ in range(count)]
    return {"one": [a for a, _ in rows], "other": [b for _, b in rows]}


def golden() -> dict[str, dict[str, object]]:
    read: dict[str, dict[str, object]] = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize("seed", range(6))
def test_coefficients_of_many_agree_with_loops(seed: int) -> None:
    answers = world(seed, 4)
    result = pb.agree(answers, level="ordinal", interval="none")
    expected = {
        "agreement": slow.observed(answers),
        "fleiss_kappa": slow.fleiss(answers),
        "conger_kappa": slow.conger(answers),
        "brennan_prediger": slow.brennan_prediger(answers),
        "gwet_ac1": slow.gwet(answers),
        "gwet_ac2": slow.gwet(answers, lambda a, b: 1 - ((a - b) / 3) ** 2),
    }
    assert {name: result.value(name) for name in expected} == pytest.approx(expected)
    for level in LEVELS:
        assert value(answers, "alpha", level=level) == pytest.approx(slow.alpha(answers, level))


@pytest.mark.parametrize("seed", range(6))
def test_coefficients_of_two_agree_with_loops(seed: int) -> None:
    answers = world(seed, 2, gaps=0.2, items=20)
    expected = {
        "kappa": slow.cohen(answers),
        "weighted_kappa": slow.cohen(answers, lambda a, b: 1 - ((a - b) / 3) ** 2),
        "pi": slow.fleiss(answers),
    }
    result = pb.agree(answers, level="ordinal", interval="none")
    assert {name: result.value(name) for name in expected} == pytest.approx(expected)
    assert value(answers, "kappa", weights="linear") == pytest.approx(slow.cohen(answers, lambda a, b: 1 - abs(a - b) / 3))


def test_krippendorff_2011_and_irrcac() -> None:
    stored = golden()["krippendorff_2011_4x12"]
    rows = [
        [None if one == "." else int(one) for one in row.split()] for row in str(stored["data"]).split(": ")[1].split(" / ")
    ]
    answers = {f"o{place}": row for place, row in enumerate(rows)}
    for level, printed in stored["alpha"].items():  # type: ignore[attr-defined]
        assert value(answers, "alpha", level=level) == pytest.approx(printed, abs=1e-12)
    names = {"fleiss": "fleiss_kappa", "gwet_AC1": "gwet_ac1", "brennan_prediger": "brennan_prediger", "conger": "conger_kappa"}
    for theirs, ours in names.items():
        assert value(answers, ours, level="nominal") == pytest.approx(stored["irrCAC_identity"][theirs], abs=1e-5)  # type: ignore[index]
    quadratic = {**names, "gwet_AC2": "gwet_ac2"}
    del quadratic["gwet_AC1"]
    for theirs, ours in quadratic.items():
        got = value(answers, ours, level="interval", weights="quadratic")
        assert got == pytest.approx(stored["irrCAC_quadratic"][theirs], abs=1e-5)  # type: ignore[index]


def test_errors_differ_from_irrcac_by_how_items_with_one_answer_count() -> None:
    """Gwet holds the number of items with two answers fixed: an item with one counts as if it disagreed with the value."""
    stored = golden()["krippendorff_2011_4x12"]
    rows = [
        [None if one == "." else int(one) for one in row.split()] for row in str(stored["data"]).split(": ")[1].split(" / ")
    ]
    answers = {f"o{place}": row for place, row in enumerate(rows)}
    result = pb.agree(answers, level="nominal", interval="analytic")
    results = {row["coefficient"]: row for row in result.coefficients.iter_rows(named=True)}
    items, several = 12, 11
    for theirs, ours in {"fleiss": "fleiss_kappa", "brennan_prediger": "brennan_prediger", "gwet_AC1": "gwet_ac1"}.items():
        row = results[ours]
        moves = row["error"] ** 2 * (items - 1) / items  # the sum of squares of what each item adds
        lone = (row["value"] / items) ** 2 + several * (row["value"] * (1 - several / items) / several) ** 2
        correct = np.sqrt((moves + lone) * items / (items - 1))
        assert correct == pytest.approx(stored["irrCAC_identity"]["se"][theirs], rel=0.02)  # type: ignore[index]


def test_published_tables() -> None:
    stored = golden()
    table = stored["iir_table_8_2"]
    answers = matrix(table["table"])  # type: ignore[arg-type]
    for name, theirs in {"kappa": "cohen", "pi": "scott", "gwet_ac1": "AC1", "brennan_prediger": "PABAK"}.items():
        assert value(answers, name) == pytest.approx(table[theirs])
    analytic = pb.agree(answers, interval="analytic").coefficients
    assert analytic.filter(pl.col("coefficient") == "kappa")["error"][0] == pytest.approx(table["cohen_se"], rel=2e-3)
    paradox = stored["paradox"]
    answers = matrix(paradox["table"])  # type: ignore[arg-type]
    for name, theirs in {"kappa": "cohen", "pi": "scott", "gwet_ac1": "AC1", "agreement": "observed"}.items():
        assert value(answers, name) == pytest.approx(paradox[theirs], abs=1e-6)
    pair = pb.agree(answers, interval="none").pairs.row(0, named=True)
    assert pair["prevalence_index"] == pytest.approx(118 / 125)
    assert pair["bias_index"] == pytest.approx(3 / 125)
    assert pair["overlap"] == 0


WIKIPEDIA = [
    *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]),
    *([7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
]


def test_fleiss_of_wikipedia() -> None:
    lists = [[grade for grade, count in enumerate(row) for _ in range(count)] for row in WIKIPEDIA]
    answers = {f"r{place}": [row[place] for row in lists] for place in range(14)}
    assert value(answers, "fleiss_kappa") == pytest.approx(golden()["fleiss_wikipedia"]["kappa"])


def test_peers_agree() -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    raters = pytest.importorskip("statsmodels.stats.inter_rater")
    answers = world(3, 2, gaps=0, items=40)
    one, other = ([given[f"i{i}"] for i in range(40)] for given in answers.values())
    for ours, theirs in {"identity": None, "linear": "linear", "quadratic": "quadratic"}.items():
        assert value(answers, "kappa", weights=ours) == pytest.approx(sklearn.cohen_kappa_score(one, other, weights=theirs))
    many = world(4, 5, gaps=0)
    counts, _ = raters.aggregate_raters(np.array([list(given.values()) for given in many.values()]).T)
    assert value(many, "fleiss_kappa") == pytest.approx(raters.fleiss_kappa(counts))
    assert value(many, "brennan_prediger") == pytest.approx(raters.fleiss_kappa(counts, "randolph"))
    error = pb.agree(answers, interval="analytic", coefficients="kappa").coefficients["error"][0]
    table = np.zeros((4, 4))
    np.add.at(table, (np.array(one, int), np.array(other, int)), 1)
    assert error == pytest.approx(np.sqrt(raters.cohens_kappa(table).var_kappa), rel=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_krippendorff_agrees(seed: int) -> None:
    peer = pytest.importorskip("krippendorff")
    answers = world(seed, 4)
    table = np.array([[given.get(f"i{i}", np.nan) for i in range(12)] for given in answers.values()])
    for level in LEVELS:
        assert value(answers, "alpha", level=level) == pytest.approx(peer.alpha(table, level_of_measurement=level))


def test_nltk_agrees_about_sets() -> None:
    """Its MASI rounds two thirds to 0.67 in some versions."""
    agreement = pytest.importorskip("nltk.metrics.agreement")
    distances = pytest.importorskip("nltk.metrics.distance")
    answers = drawn_sets()
    triples = [(who, item, frozenset(labels)) for who, given in answers.items() for item, labels in given.items()]
    for name, tolerance in (("jaccard", 1e-9), ("masi", 5e-3)):
        task = agreement.AnnotationTask(triples, distance=getattr(distances, f"{name}_distance"))
        assert value(answers, "alpha", distance=name) == pytest.approx(task.alpha(), abs=tolerance)


FLEISS_1971 = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)


def test_fleiss_1971() -> None:
    """Six psychiatrists, thirty patients, five diagnoses."""
    lists = [[grade for grade, count in enumerate(row) for _ in range(int(count))] for row in FLEISS_1971.split()]
    answers = {f"r{place}": [row[place] for row in lists] for place in range(6)}
    stored = golden()["fleiss_1971"]
    assert value(answers, "fleiss_kappa", level="nominal") == pytest.approx(stored["kappa"])
    assert value(answers, "brennan_prediger", level="nominal") == pytest.approx(stored["brennan_prediger"])


def drawn_sets() -> dict[str, dict[str, list[str]]]:
    """Sets of labels by three assessors."""
    draw = np.random.default_rng(5)
    return {
        who: {f"i{i}": [label for label in "xyz" if draw.random() < 0.5] or ["x"] for i in range(15)}
        for who in ("ann", "ben", "cy")
    }


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return 1 - len(a & b) / len(a | b)


def masi(a: frozenset[str], b: frozenset[str]) -> float:
    kind = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
    return 1 - len(a & b) / len(a | b) * kind


@pytest.mark.parametrize("distance", [jaccard, masi])
def test_sets(distance: Callable[[frozenset[str], frozenset[str]], float]) -> None:
    answers = drawn_sets()
    items = [[frozenset(given[f"i{i}"]) for given in answers.values()] for i in range(15)]
    assert value(answers, "alpha", distance=distance.__name__) == pytest.approx(slow.set_alpha(items, distance))


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_true_of_every_coefficient(name: str) -> None:
    one = KNOWN[name]
    count = one.assessors[0]
    answers = world(7, count, gaps=0.1)
    level = one.levels[0]
    before = value(answers, name, level=level)
    assert one.range[0] <= before <= one.range[1]
    renamed = {f"z{who}": {f"x{item}": answer for item, answer in given.items()} for who, given in reversed(answers.items())}
    assert value(renamed, name, level=level) == pytest.approx(before)
    perfect = {who: {f"i{i}": i % 3 for i in range(9)} for who in "abc"[:count]}
    assert value(perfect, name, level=level) == pytest.approx(1)
    if not name.startswith("alpha"):  # alpha corrects for the number of answers
        twice = {
            who: {f"{item}{copy}": answer for item, answer in given.items() for copy in "ab"} for who, given in answers.items()
        }
        assert value(twice, name, level=level) == pytest.approx(before)
    if level == "nominal":
        relabelled = {who: {item: (answer * 3 + 1) % 7 for item, answer in given.items()} for who, given in answers.items()}
        assert value(relabelled, name, level="nominal") == pytest.approx(value(answers, name, level="nominal"))
    assert one.summary.endswith(".")
    assert "$$" in one.formula


def test_coefficients_describe_themselves() -> None:
    listed = plumbline("metrics", "--agreement").out
    for name, one in KNOWN.items():
        assert name in listed
        card = plumbline("metrics", "--agreement", name).out
        assert one.title in card
        assert one.paper in card
    assert plumbline("metrics", "--agreement", "alfa").code == 2


def test_two_assessors_make_conger_cohen_and_fleiss_scott() -> None:
    answers = world(9, 2, gaps=0)
    assert slow.conger(answers) == pytest.approx(slow.cohen(answers))
    assert value(answers, "pi") == pytest.approx(slow.fleiss(answers))


def test_weights() -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0])
    assert weight_matrix("linear", values)[0].tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert weight_matrix("quadratic", values)[0].tolist() == pytest.approx([1, 8 / 9, 5 / 9, 0])
    assert weight_matrix("ordinal", values)[0].tolist() == pytest.approx([1, 5 / 6, 1 / 2, 0])
    assert weight_matrix("ratio", values + 1)[0].tolist() == pytest.approx([1, 1 - (1 / 9) / 0.36, 1 - 0.25 / 0.36, 0])


def test_intervals_shrink_with_items_and_cover_the_value() -> None:
    """kripp.boot drew within items, so that its intervals did not depend on how many there were."""
    widths = []
    for items in (40, 640):
        row = pb.agree(world(2, 3, gaps=0, items=items), level="ordinal", coefficients="alpha").coefficients.row(0, named=True)
        assert row["low"] < row["value"] < row["high"]
        widths.append(row["high"] - row["low"])
    assert widths[1] < widths[0] / 3


def test_bootstrap_and_linearisation_agree() -> None:
    answers = world(12, 4, items=300)
    drawn = pb.agree(answers, level="ordinal").coefficients
    analytic = pb.agree(answers, level="ordinal", interval="analytic").coefficients
    assert (drawn["error"] / analytic["error"]).to_list() == pytest.approx([1.0] * len(drawn), abs=0.12)


def test_cases_are_drawn_where_there_are_twenty() -> None:
    rows = [
        (f"q{i % 20}", f"d{i}", who, str((i + shift * (i % 3 == 0)) % 3))
        for i in range(80)
        for who, shift in (("a", 0), ("b", 1))
    ]
    frame = pl.DataFrame(rows, schema=["case", "item", "assessor", "grade"], orient="row")
    result = pb.agree(frame)
    assert result.made["over"] == "cases"
    assert result.made["count"] == 20
    assert len(result.by_case) == 20
    assert pb.agree(frame, over="items").made["count"] == 80


def test_many_equal_items_are_counted_once_and_give_the_same() -> None:
    """Items with the same answers are drawn together, which must not change a coefficient."""
    answers = world(1, 3, gaps=0.2, items=200)
    crowd = {**answers, **{f"lone{i}": {f"elsewhere{i}": 0.0} for i in range(60)}}  # too many assessors to count alike items
    assert value(crowd, "alpha", level="ordinal") == pytest.approx(slow.alpha(answers, "ordinal"))
