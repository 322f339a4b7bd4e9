"""A ranking and a clustering together, and which systems are meant by what is given."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.errors import BadData
from plumbline.io.memory.compose import Composed, compose
from plumbline.io.memory.organization_systems import organization_systems
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.command_line import RUN
from tests.helpers.organization_forms import CLUSTERS, LEVELS, drawn, notices, organization

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = [{"case": "q1", "item": "d1", "level": 1}]
OBJECTS = [{"case": case, "levels": levels} for case, levels in LEVELS.items()]


def test_a_ranking_and_a_clustering_are_composed(tmp_path: Path) -> None:
    run, clusters = tmp_path / "bm25.run", tmp_path / "clusters.tsv"
    run.write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 a 1 1 t\n", encoding="utf-8")
    clusters.write_text("q1\ta\tx\nq1\tb\tx\nq1\tb\ty\nq1\td\ty\nq2\te\tx\n", encoding="utf-8")
    result = organization(Composed(priority=run, clusters=clusters))
    assert drawn(result) == {"q1": [["a+x"], ["b", "b+x"], ["c"]], "q2": [["a"]]}
    assert notices(result) == [f"N233 2 items without priority in {run}, ignored: d, e"]
    assert [place.line for place in result.origin.places([0, 1, 2, 3, 4], "item")] == [1, 2, 2, 3, 4]
    assert (result.label, result.tag) == (str(run), "t")


def test_the_old_place_of_composed_is_known_for_one_version() -> None:
    sys.modules.pop("plumbline.io.compose", None)
    with pytest.warns(DeprecationWarning, match=r"is now plumbline\.Composed"):
        old = importlib.import_module("plumbline.io.compose")
    assert old.Composed is plumbline.Composed


def test_clusters_without_cases_hold_in_every_case() -> None:
    ranking = {"q1": {"a": 2, "b": 1}, "q2": {"b": 2, "c": 1}}
    assert drawn(organization(Composed(ranking, [["a", "b"], ["c"]]))) == {"q1": [["a+0"], ["b+0"]], "q2": [["b"], ["c"]]}


def test_a_filter_can_be_composed_and_a_table_given() -> None:
    priority = read({"a": "yes", "b": "no", "c": "yes"}, "gold", ReadOptions(kind="levels"))
    clusters = read([["a", "c"], ["b"]], "gold", ReadOptions(kind="clusters"))
    assert drawn(compose(priority, clusters)) == {"whole": [["a c"], ["b"]]}
    assert read(priority, "gold", ReadOptions(kind="levels")) is priority


def test_a_composed_gold_drops_the_tail() -> None:
    gold = organization(Composed({"q1": {"a": 1, "b": 0}, "q2": {"a": 0}}, [["a", "b"]]), "gold")
    assert drawn(gold) == {"q1": [["a"]], "q2": []}
    assert notices(gold) == ["N233 1 item without priority in gold, ignored: b"]


SYSTEMS: list[tuple[Any, list[str]]] = [
    (LEVELS, ["system"]),
    (OBJECTS, ["system"]),
    (OBJECTS[0], ["system"]),
    (LEVELS["q1"], ["system"]),
    ({"q1": []}, ["system"]),
    (CLUSTERS, ["system"]),
    ({"q1": {"a": 1}}, ["system"]),
    ({"a": 1.5}, ["system"]),
    ("runs/a.run.gz", ["a"]),
    (["runs/a.run", "b=runs/a.json"], ["a", "b"]),
    ({"A": LEVELS, "B": LEVELS}, ["A", "B"]),
    ({"A": {"q1": []}, "B": {"q1": []}}, ["A", "B"]),
    ({"A": OBJECTS, "B": OBJECTS}, ["A", "B"]),
    ({"A": OBJECTS[0]}, ["A"]),
    ({"A": CLUSTERS}, ["A"]),
    ({"A": {"q1": {"a": 1}}}, ["A"]),
    ({"A": "runs/a.run"}, ["A"]),
    ({"A": pl.DataFrame(RECORDS)}, ["A"]),
    ({"A": Composed("runs/a.run", "c.tsv")}, ["A"]),
    (Composed("runs/a.run", "c.tsv"), ["a"]),
    (Composed("x=runs/a.run", "c.tsv"), ["x"]),
    (Composed({"q1": {"a": 1}}, CLUSTERS), ["system"]),
    ([Composed("a.run", "c.tsv"), Composed("b.run", "c.tsv"), "c.json"], ["a", "b", "c"]),
    (pl.DataFrame(RECORDS), ["system"]),
]


@pytest.mark.parametrize(("systems", "names"), SYSTEMS)
def test_which_systems_are_meant(systems: Any, names: list[str]) -> None:
    assert list(organization_systems(None, systems)) == names
    assert list(organization_systems(None, systems, organization(LEVELS, "gold"))) == names


def test_without_cases_lists_in_a_dict_are_systems() -> None:
    gold = organization([[["a"], ["b"]]], "gold")
    assert list(organization_systems(None, {"A": [[["a"]]], "B": [["b"]]}, gold)) == ["A", "B"]
    assert list(organization_systems(None, {"A": {"a": 1}, "B": {"a": 2}}, gold)) == ["A", "B"]
    assert list(organization_systems(None, {"whole": [[["a"]]]}, gold)) == ["system"]


def test_a_composed_pattern_means_every_file(tmp_path: Path) -> None:
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text(RUN, encoding="utf-8")
    result = organization_systems(None, Composed(f"{tmp_path}/*.run", CLUSTERS))
    assert result == {name: Composed(str(tmp_path / f"{name}.run"), CLUSTERS) for name in ("a", "b")}
    with pytest.raises(BadData, match="E116 two systems are called a"):
        organization_systems(None, [Composed("a.run", "c.tsv"), Composed("a.run", "d.tsv")])
