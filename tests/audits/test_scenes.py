"""What small outputs look like, and what they are as tables."""

from __future__ import annotations

import numpy as np
import polars as pl

import plumbline
from plumbline import parse
from plumbline.audits.audit import auditable_names
from plumbline.audits.constraints.clustering import Overlapping
from plumbline.audits.constraints.filtering import Matrix, outputs
from plumbline.audits.constraints.ranking import Listed
from plumbline.audits.scenes import clustering, filtering, ranking
from plumbline.audits.scenes.organization import SCENE as ORGANIZATION
from plumbline.audits.scenes.organization import organized
from plumbline.audits.subjects import UNSEEN


def test_a_matrix_is_drawn_with_its_names() -> None:
    assert filtering.drawn(Matrix(1, 2, 0, 1)) == "TP 1  FP 2  FN 0  TN 1"


def test_scores_of_matrices_are_those_of_their_items() -> None:
    matrices = [matrix for gold in ((1, 1), (2, 3), (3, 1), (0, 2), (2, 0)) for matrix in outputs(*gold)]
    measures = [
        parse(name, task="filtering") for name in [*auditable_names("filtering"), "F(P,R)", "Lam(smooth=laplace)", "c1"]
    ]
    seen = [one for one in measures if all(part.metric.needs not in UNSEEN for part in one.parts)]
    kinds = {"tp": ("1", "1"), "fp": ("0", "1"), "fn": ("1", "0"), "tn": ("0", "0")}
    rows = [
        (str(case), f"{kind}{number}", *kinds[kind])
        for case, matrix in enumerate(matrices)
        for kind, count in matrix._asdict().items()
        for number in range(count)
    ]
    table = pl.DataFrame(rows, schema=["case", "item", "gold", "system"], orient="row")
    gold, system = (table.select("case", "item", label=side) for side in ("gold", "system"))
    scores = plumbline.evaluate(gold, {"s": system}, [one.name for one in seen], task="filtering", positive="1").per_case
    for name, actual in filtering.values(matrices, seen).items():
        of_items = scores.filter(pl.col("metric") == name).sort(pl.col("case").cast(pl.Int64))["value"].fill_null(np.nan)
        np.testing.assert_allclose(actual, of_items.to_numpy(), rtol=1e-12, err_msg=name)


def test_a_list() -> None:
    gold, system = ranking.tables([Listed("NR", 1), Listed("R")])
    assert sorted(gold.rows()) == [("0", "hidden0", 1), ("0", "shown0", 0), ("0", "shown1", 1), ("1", "shown0", 1)]
    assert sorted(system.rows()) == [("0", "shown0", 0.0), ("0", "shown1", -1.0), ("1", "shown0", 0.0)]
    assert ranking.hidden(Listed("NR", 1)) == "2 relevant items, 1 not shown"
    assert ranking.hidden(Listed("R")) == "1 relevant item"


def test_long_lists_are_drawn_by_their_runs() -> None:
    assert ranking.drawn(Listed("RNN")) == "R N N"
    assert ranking.drawn(Listed("R" * 13 + "N")) == "R x 13 N"


def test_a_clustering() -> None:
    gold, system = clustering.tables([("ab", "b")])
    assert gold.rows() == [("0", "a0", "0"), ("0", "b0", "1"), ("0", "b1", "1")]
    assert system.rows() == [("0", "a0", "0"), ("0", "b0", "0"), ("0", "b1", "1")]
    assert (clustering.drawn(("ab", "b")), clustering.gold(("ab", "b"))) == ("ab | b", "a | bb")


def test_a_clustering_with_overlaps() -> None:
    world = Overlapping(("ab", "bc"), ("abc", "c"))
    gold, system = clustering.tables([world])
    assert gold.rows() == [("0", "a", "0"), ("0", "b", "0"), ("0", "c", "0"), ("0", "c", "1")]
    assert system.rows() == [("0", "a", "0"), ("0", "b", "0"), ("0", "b", "1"), ("0", "c", "1")]
    assert (clustering.drawn(world), clustering.gold(world)) == ("ab | bc", "abc | c")


def test_all_of_them_as_levels() -> None:
    """A list has a level for each item, a filter two, a clustering one; what is not relevant in a list is not in its gold."""
    assert organized(Listed("NR", 1)) == ([[["N0"]], [["R1"]]], [[["R1"], ["hidden0"]]])
    assert organized(Matrix(1, 1, 1, 0)) == ([[["tp0"], ["fp0"]], [["fn0"]]], [[["tp0"], ["fn0"]], [["fp0"]]])
    assert organized(Matrix(0, 0, 1, 1)) == ([[["fn0"], ["tn0"]]], [[["fn0"]], [["tn0"]]])
    assert organized(("ab", "b")) == ([[["a0", "b0"], ["b1"]]], [[["a0"], ["b0", "b1"]]])


def test_organizations_are_drawn_as_what_they_are() -> None:
    worlds = [Listed("RN"), Matrix(1, 0, 0, 1), ("ab", "b")]
    assert [ORGANIZATION.drawn(world) for world in worlds] == ["R N", "TP 1  FP 0  FN 0  TN 1", "ab | b"]
    assert [ORGANIZATION.gold(world) for world in worlds] == ["1 relevant item", "", "a | bb"]
