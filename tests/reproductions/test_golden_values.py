"""Every value that is kept of the papers is computed in some test; those that no other test takes are computed here."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

import plumbline
from plumbline.comparison.combining import combined
from plumbline.comparison.reading import read_scores
from plumbline.comparison.unanimity.unanimity import unanimity
from tests.helpers.shared import shared

ELSEWHERE = {
    "rs_table9": "tests/metrics/test_organization_truth.py",
    "rs_cut_point": "tests/metrics/test_organization_oracles.py",
    "slides_confusion": "tests/metrics/test_label_truth.py",
    "filtering_monotonicity_counterexamples": "tests/metrics/test_label_truth.py",
}
HERE = {"uir_table3", "uir_table1_F", "uir_table4_not_transitive", "slides_pr"}


def golden() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(shared("golden", "papers.json").read_text(encoding="utf-8"))
    return {name: value for name, value in kept.items() if not name.startswith("_")}


def uir(scores: dict[str, list[list[float]]]) -> dict[tuple[str, str], float]:
    """The UIR of each pair; a case has a value of precision and one of recall."""
    tables = {
        metric: {system: {f"c{case}": values[at] for case, values in enumerate(cases)} for system, cases in scores.items()}
        for at, metric in enumerate(("precision", "recall"))
    }
    result = unanimity(read_scores(tables)[0])
    return {(a, b): float(result.uir[i, j]) for (i, a), (j, b) in permutations(enumerate(result.systems), 2)}


def test_every_value_is_tested_somewhere() -> None:
    assert set(golden()) == HERE | set(ELSEWHERE)


def test_table_3_of_2011() -> None:
    table = golden()["uir_table3"]
    assert uir({"A": table["A"], "B": table["B"]})["A", "B"] == pytest.approx(table["uir_ab"])
    assert (table["a_ge_b"] - table["b_ge_a"]) / len(table["A"]) == pytest.approx(table["uir_ab"])


def test_table_4_of_2011() -> None:
    result = uir({system: [values] for system, values in golden()["uir_table4_not_transitive"].items()})
    assert {pair for pair, value in result.items() if value > 0} == {("A", "C")}


def test_table_1_of_2011() -> None:
    """Precision and recall are printed with few digits, so F is known to half a point only."""
    rows = golden()["uir_table1_F"]
    values = {metric: {"s": {f"c{case}": row[metric] / 100 for case, row in enumerate(rows)}} for metric in ("P", "R")}
    f = combined(read_scores(values)[0]).values[0]
    assert list(f) == pytest.approx([row["F_printed"] / 100 for row in rows], abs=0.005)


def test_the_ranking_of_the_slides() -> None:
    slides = golden()["slides_pr"]
    gold = {"q": dict.fromkeys(slides["relevant"], 1)}
    run = {"s": {"q": {item: -float(place) for place, item in enumerate(slides["ranking"])}}}
    names = [f"IPrec@{point / 10:g}" for point in range(11)]
    points = plumbline.evaluate(gold, run, names).mean["value"].to_list()
    assert points == pytest.approx(slides["interpolated_11"])
    places = [place + 1 for place, item in enumerate(slides["ranking"]) if item in slides["relevant"]]
    cuts = [f"{metric}@{place}" for place in places for metric in ("R", "P")]
    values = plumbline.evaluate(gold, run, cuts).mean["value"].to_list()
    assert [list(pair) for pair in zip(values[::2], values[1::2], strict=True)] == slides["points"]
