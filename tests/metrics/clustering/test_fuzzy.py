"""Fuzzy BCubed and fuzzy NMI: a second time by loops over items, by hand, and on files."""

from __future__ import annotations

from collections import Counter
from math import fsum, log2
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from tests.helpers.clustering_oracles import oracle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.coreference_oracles import Clusters
    from tests.helpers.filtering_oracles import Value

Weights = dict[str, dict[str, float]]
"""How far each item belongs to each cluster."""
NAMES = ["FuzzyBCubedP", "FuzzyBCubedR", "FuzzyNMI"]
SENSES = """paper.n paper.n.1 material/4
paper.n paper.n.2 essay/5
paper.n paper.n.3 essay/4 material/2
paper.n paper.n.4 material/4 essay/1
paper.n paper.n.5 essay/3
paper.n paper.n.6 journal/4
win.v win.v.1 a/4 b/2
win.v win.v.2 a/5
win.v win.v.3 b/1
win.v win.v.4 b/4 c/3
win.v win.v.5 c/4
"""
INDUCED = """paper.n paper.n.1 s1/1
paper.n paper.n.2 s2/1
paper.n paper.n.3 s2/0.9 s1/0.3
paper.n paper.n.4 s1/1 s3/0.5
paper.n paper.n.5 s2/0.4 s3/0.8
paper.n paper.n.6 s3/1
win.v win.v.1 x/1
win.v win.v.2 x/1 y/0.25
win.v win.v.3 y/1
win.v win.v.4 y/1 x/0.7
win.v win.v.5 z/1
"""


def scaled(weights: Weights) -> Weights:
    """The same with 1 as the largest weight of each item."""
    return {
        item: {name: one / max(memberships.values()) for name, one in memberships.items()}
        for item, memberships in weights.items()
    }


def agreement(first: dict[str, float], second: dict[str, float]) -> float:
    """How much two items have in common."""
    return fsum(1 - abs(first[name] - second[name]) for name in first.keys() & second.keys())


def precision(system: Weights, gold: Weights) -> float:
    """Item by item, pair by pair."""
    values = []
    for one in gold:
        shares = []
        for other in gold:
            here = agreement(system.get(one, {}), system.get(other, {}))
            if one != other and here > 0:
                shares.append(min(here, agreement(gold[one], gold[other])) / here)
        values.append(fsum(shares) / len(shares) if shares else 0.0)
    return fsum(values) / len(values)


def entropy(values: list[Any]) -> float:
    """Of what is counted."""
    return fsum(-n / len(values) * log2(n / len(values)) for n in Counter(values).values())


def information(system: Weights, gold: Weights, bins: int = 10) -> Value:
    """Every cluster with every class, each as a list of the weights of all items."""

    def columns(weights: Weights) -> list[list[float]]:
        names = {name for memberships in weights.values() for name in memberships}
        return [[weights.get(item, {}).get(name, 0.0) for item in gold] for name in sorted(names)]

    def binned(column: list[float]) -> list[int]:
        return [next(at for at in range(bins) if weight <= (at + 1) / bins) for weight in column]

    def term(count: int) -> float:
        return -count / len(gold) * log2(count / len(gold)) if count else 0.0

    def opposite(x: list[float], y: list[float]) -> bool:
        kinds = Counter((a > 0, b > 0) for a, b in zip(x, y, strict=True))
        alike, unlike = term(kinds[True, True]) + term(kinds[False, False]), term(kinds[True, False]) + term(kinds[False, True])
        return alike < unlike - 1e-12

    def conditional(these: list[list[float]], those: list[list[float]]) -> float:
        total = 0.0
        for x in these:
            tried = [
                entropy(list(zip(binned(x), binned(y), strict=True))) - entropy(binned(y)) for y in those if not opposite(x, y)
            ]
            total += min(tried, default=entropy(binned(x)))
        return total

    clusters, classes = columns(system), columns(gold)
    of_clusters, of_classes = (fsum(entropy(binned(column)) for column in side) for side in (clusters, classes))
    larger = max(of_clusters, of_classes)
    shared = (of_clusters - conditional(clusters, classes) + of_classes - conditional(classes, clusters)) / 2
    return max(shared / larger, 0.0) if larger > 1e-12 else None


def crisp(groups: Clusters) -> Weights:
    """Every weight is 1."""
    members: Weights = {}
    for number, group in enumerate(groups):
        for item in group:
            members.setdefault(item, {})[f"group {number}"] = 1.0
    return members


def sides(system: Clusters, gold: Clusters) -> tuple[Weights, Weights]:
    """Both sides with all items."""
    items = crisp([*system, *gold])
    return {item: crisp(system).get(item, {}) for item in items}, {item: crisp(gold).get(item, {}) for item in items}


@oracle("FuzzyBCubedP", "FuzzyBCubedR")
def fuzzy_precision(system: Clusters, gold: Clusters) -> Value:
    """Without weights."""
    return precision(*sides(system, gold))


@oracle("FuzzyNMI")
def fuzzy_information(system: Clusters, gold: Clusters, *, bins: int = 10) -> Value:
    """Without weights."""
    given, right = sides(system, gold)
    return information(given, right, bins)


def frame(weights: Weights) -> pl.DataFrame:
    """A row for each membership."""
    rows = [(item, name, weight) for item, memberships in weights.items() for name, weight in memberships.items()]
    return pl.DataFrame(rows, schema=["item", "cluster", "weight"], orient="row")


def scores(gold: Any, system: Any, names: list[str] = NAMES, **options: Any) -> dict[str, float | None]:
    made = plumbline.evaluate(gold, {"s": system}, names, task="clustering", **options)
    return dict(made.mean.select("metric", "value").iter_rows())


def drawn(cases: int, seed: int) -> dict[str, tuple[Weights, Weights]]:
    """Small clusterings with weights, an output and a gold for each case."""
    rng = Random(seed)  # noqa: S311 - an example, no secret

    def side(count: int) -> Weights:
        weights = [0.05, 0.1, 0.25, 0.5, 0.7, 1.0, 3.0]
        return {
            f"i{item}": {name: rng.choice(weights) for name in rng.sample("abc", rng.randint(1, 3))} for item in range(count)
        }

    counts = {f"case {number}": rng.randint(1, 7) for number in range(cases)}
    return {case: (side(count), side(count)) for case, count in counts.items()}


def frames(worlds: dict[str, tuple[Weights, Weights]], factor: float = 1.0) -> list[pl.DataFrame]:
    """Outputs and golds of all cases, with all weights of the output times a factor."""
    made = []
    for side, times in ((0, factor), (1, 1.0)):
        parts = [frame(world[side]).with_columns(pl.lit(case).alias("case")) for case, world in worlds.items()]
        made.append(pl.concat(parts).with_columns(pl.col("weight") * times))
    return made


@pytest.mark.parametrize("bins", [2, 3, 10])
def test_weights_by_loops(bins: int) -> None:
    worlds = drawn(150, seed=bins)
    system, gold = frames(worlds)
    names = [*NAMES[:2], "FuzzyNMI" if bins == 10 else f"FuzzyNMI(bins={bins})"]
    made = plumbline.evaluate(gold, {"s": system}, names, task="clustering")
    values = {(case, name): value for _, case, name, value in made.per_case.iter_rows()}
    for case, (given, right) in worlds.items():
        x, g = scaled(given), scaled(right)
        expected = [precision(x, g), precision(g, x), information(x, g, bins)]
        for name, wanted in zip(names, expected, strict=True):
            assert values[case, name] == (None if wanted is None else pytest.approx(wanted, abs=1e-9)), (case, name)


def test_without_weights_it_is_the_nmi_of_overlapping_clusters() -> None:
    system, gold = (one.drop("weight") for one in frames(drawn(100, seed=1)))
    made = plumbline.evaluate(gold, {"s": system}, ["FuzzyNMI", "ONMI(match=any)"], task="clustering").per_case
    values = made.pivot("metric", index="case", values="value")
    assert values["FuzzyNMI"].to_list() == pytest.approx(values["ONMI(match=any)"].to_list())


def test_by_hand() -> None:
    """Items 1 and 2 agree fully in the gold; in the output by half, since one weight is 1 and the other 0.5."""
    gold = {"1": {"a": 1.0}, "2": {"a": 1.0}}
    system = {"1": {"x": 1.0}, "2": {"x": 0.5, "y": 1.0}}
    assert scores(frame(gold), frame(system), NAMES[:2]) == pytest.approx({"FuzzyBCubedP": 1.0, "FuzzyBCubedR": 0.5})


def test_values_of_the_program_of_the_task(tmp_path: Path) -> None:
    """What the code of the organisers of SemEval 2013, task 13, prints for these keys; its precision is our recall."""
    (tmp_path / "gold.key").write_text(SENSES, encoding="utf-8")
    (tmp_path / "test.key").write_text(INDUCED, encoding="utf-8")
    made = plumbline.evaluate(tmp_path / "gold.key", tmp_path / "test.key", NAMES, task="clustering").per_case
    printed = {
        "paper.n": [0.7083333333333334, 0.5439814814814815, 0.6740979353050267],
        "win.v": [0.4523809523809524, 0.5666666666666667, 0.7285018507503753],
    }
    for word, expected in printed.items():
        assert made.filter(pl.col("case") == word)["value"].to_list() == pytest.approx(expected, rel=1e-12)


def test_outputs_that_say_nothing() -> None:
    """Everything alone has a fuzzy BCubed of 0, and everything in one cluster a fuzzy NMI of 0."""
    gold = ["a", "a", "a", "b", "b", "c"]
    alone, together = scores(gold, list("123456")), scores(gold, ["x"] * 6)
    assert alone["FuzzyBCubedP"] == alone["FuzzyBCubedR"] == 0
    assert together["FuzzyNMI"] == 0
    assert together["FuzzyBCubedR"] == pytest.approx(5 / 6), "the item that is alone in the gold counts 0"
    assert (alone["FuzzyNMI"] or 0) > 0


def test_only_the_ratio_of_the_weights_of_an_item_matters() -> None:
    worlds = drawn(100, seed=2)
    gold = frames(worlds)[1]
    systems = {"as given": frames(worlds)[0], "times 4": frames(worlds, 4.0)[0]}
    made = plumbline.evaluate(gold, systems, NAMES, task="clustering").per_case
    values = made.pivot("system", index=["case", "metric"], values="value")
    assert values["as given"].to_list() == pytest.approx(values["times 4"].to_list())


GOLD = """win.v win.v.1 a/4 b/2 !! a remark
win.v win.v.2 a
win.v win.v.3 b/1
add.v add.v.1 a/1
add.v add.v.2 a b/2
"""


def test_keys_of_senses_are_read(tmp_path: Path) -> None:
    (tmp_path / "gold.key").write_text(GOLD, encoding="utf-8")
    made = plumbline.evaluate(tmp_path / "gold.key", tmp_path / "gold.key", NAMES[:2], task="clustering")
    assert any("read as key" in str(notice) for notice in made.notices)
    table = pl.DataFrame(
        {
            "case": ["win.v"] * 4 + ["add.v"] * 3,
            "item": ["win.v.1", "win.v.1", "win.v.2", "win.v.3", "add.v.1", "add.v.2", "add.v.2"],
            "cluster": ["a", "b", "a", "b", "a", "a", "b"],
            "membership": [1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0],
        }
    )
    again = plumbline.evaluate(table, {"gold": tmp_path / "gold.key"}, NAMES, task="clustering")
    assert set(again.mean["value"]) == {1.0}


@pytest.mark.parametrize("sense", ["a/0", "a/-1", "a/nan", "a/inf", "a/", "a/b", "/1"])
def test_a_weight_that_is_none_is_refused_with_its_place(sense: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.key"
    path.write_text(f"w.n w.n.1 a/1\nw.n w.n.2 {sense}\n", encoding="utf-8")
    with pytest.raises(plumbline.PlumblineError, match=r"gold\.key:2:11: E197"):
        scores(path, path)


def test_a_line_without_senses_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.key"
    path.write_text("w.n w.n.1 a/1\nw.n w.n.2 !! a/1\n", encoding="utf-8")
    with pytest.raises(plumbline.PlumblineError, match=r"gold\.key:2"):
        scores(path, path)


@pytest.mark.parametrize("weight", [0.0, -1.0, None, float("nan"), float("inf")])
def test_a_column_of_weights_is_checked_where_it_counts(weight: float | None) -> None:
    gold = pl.DataFrame({"item": ["1", "2"], "cluster": ["a", "a"], "weight": [1.0, weight]})
    with pytest.raises(plumbline.PlumblineError, match="E197"):
        scores(gold, pl.DataFrame({"item": ["1", "2"], "cluster": ["x", "x"]}))
    made = plumbline.evaluate(gold, {"s": gold}, "Purity", task="clustering")
    assert "N299" in {notice.code for notice in made.notices}


def test_labels_with_a_slash_stay_labels(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("q1 d1 a/1\nq1 d2 a/2\n", encoding="utf-8")
    made = plumbline.evaluate(path, path, "Purity", task="clustering")
    assert any("read as plain" in str(notice) for notice in made.notices)


def test_items_that_one_side_lacks() -> None:
    gold = frame({"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {"a": 1.0, "b": 0.5}})
    system = frame({"1": {"x": 1.0}, "2": {"x": 1.0}})
    assert scores(gold, system)["FuzzyBCubedP"] == pytest.approx(2 / 3)
    assert scores(gold, system, missing_items="drop")["FuzzyBCubedP"] == 1
    assert scores(gold, system, missing_items="drop")["FuzzyBCubedR"] == 1


def test_why_shows_the_weights() -> None:
    gold = frame({"1": {"a": 1.0}, "2": {"a": 2.0, "b": 1.0}})
    rows = plumbline.why(gold, gold, "FuzzyNMI", task="clustering").to_polars()
    assert sorted(rows["class_weight"].unique()) == sorted(rows["cluster_weight"].unique()) == [1.0, 2.0]
