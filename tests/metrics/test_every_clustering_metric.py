"""Properties that every clustering metric must have, and agreement with the slow second implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from tests.helpers.clustering_oracles import CLUSTERING
from tests.helpers.metric_settings import named, settings_of
from tests.helpers.oracle_files import load_oracles
from tests.helpers.ranking_worlds import moderate

if TYPE_CHECKING:
    from tests.helpers.coreference_oracles import Clusters

load_oracles("clustering")
METRICS = {name: metric for name, metric in plumbline.all_metrics("clustering").items() if not metric.internal}
"""Internal criteria compare with no gold, so that no output is perfect for them: see test_internal_criteria.py."""
every_metric = pytest.mark.parametrize("name", METRICS)
ITEMS = tuple("abcdefgh")


@st.composite
def partitions(draw: st.DrawFn, items: tuple[str, ...] = ITEMS) -> Clusters:
    """Every item in one cluster."""
    labels = draw(st.lists(st.integers(0, 4), min_size=len(items), max_size=len(items)))
    return [frozenset(item for item, each in zip(items, labels, strict=True) if each == label) for label in sorted(set(labels))]


@st.composite
def overlaps(draw: st.DrawFn) -> Clusters:
    """Every item in one to three clusters."""
    sets = [draw(st.sets(st.integers(0, 3), min_size=1, max_size=3)) for _ in ITEMS]
    actual = [frozenset(item for item, single in zip(ITEMS, sets, strict=True) if label in single) for label in range(4)]
    return [cluster for cluster in actual if cluster]


def table(clusters: Clusters) -> dict[str, dict[str, list[str]]]:
    """One case of clusters as plumbline reads it: the clusters of each item."""
    of: dict[str, list[str]] = {}
    for number, cluster in enumerate(clusters):
        for item in sorted(cluster):
            of.setdefault(item, []).append(f"c{number}")
    return {"case": of}


def frame(clusters: Clusters) -> Any:
    """The same as a frame, in which an item may have several rows."""
    rows = [("case", item, f"c{number}") for number, cluster in enumerate(clusters) for item in sorted(cluster)]
    return pl.DataFrame(rows, schema=["case", "item", "cluster"], orient="row")


def spelled(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The metric with each of its settings."""
    return [(named(METRICS[name], setting), setting) for setting in settings_of(METRICS[name])]


def values(system: Clusters, gold: Clusters, names: list[str], **options: Any) -> list[float | None]:
    scores = plumbline.evaluate(frame(gold), {"s": frame(system)}, names, task="clustering", **options)
    actual = dict(scores.per_case.select("metric", "value").iter_rows())
    return [actual[str(plumbline.parse(name, task="clustering"))] for name in names]


def worlds(name: str) -> st.SearchStrategy[tuple[Clusters, Clusters]]:
    both = st.tuples(partitions(), partitions())
    return both if METRICS[name].single_label else st.one_of(both, st.tuples(overlaps(), overlaps()))


@every_metric
@moderate(8)
@given(data=st.data())
def test_oracle_agrees(name: str, data: st.DataObject) -> None:
    system, gold = data.draw(worlds(name))
    names = spelled(name)
    for (text, setting), actual in zip(names, values(system, gold, [text for text, _ in names]), strict=True):
        expected = CLUSTERING[name](system, gold, **setting)
        assert (actual is None) == (expected is None), text
        assert actual is None or expected is None or actual == pytest.approx(float(expected), abs=1e-11), text


INCOMPLETE = "an item is in no cluster or in no class"
"""What a metric names as a reason to be undefined that needs all items."""


@every_metric
@moderate(5)
@given(data=st.data())
def test_items_that_are_absent(name: str, data: st.DataObject) -> None:
    """With --missing-items absent the oracle simply sees clusters without the item; what items tell is undefined then."""
    system, gold = data.draw(worlds(name))
    kept = [frozenset(cluster - {"a"}) for cluster in system if cluster - {"a"}]
    names = spelled(name)
    for (text, setting), actual in zip(
        names, values(kept, gold, [text for text, _ in names], missing_items="absent"), strict=True
    ):
        expected = None if INCOMPLETE in METRICS[name].undefined else CLUSTERING[name](kept, gold, **setting)
        assert (actual is None) == (expected is None), text
        assert actual is None or expected is None or actual == pytest.approx(float(expected), abs=1e-11), text


@every_metric
@moderate(5)
@given(data=st.data())
def test_items_that_count_on_the_side_that_has_them(name: str, data: st.DataObject) -> None:
    """With --missing-items one-sided the oracle sees the clusters as they are; means over items leave no item to add."""
    system, gold = data.draw(worlds(name))
    shown, wanted = without(system, "a"), without(gold, "b")
    names = [
        (text, setting) for text, setting in spelled(name) if setting.get("over") != "priority" and "unlimited" not in text
    ]
    for (text, setting), actual in zip(
        names, values(shown, wanted, [text for text, _ in names], missing_items="one-sided"), strict=True
    ):
        expected = None if INCOMPLETE in METRICS[name].undefined else CLUSTERING[name](shown, wanted, **setting)
        if name in OF_OUTPUT | OF_GOLD and expected is not None:
            side = shown if name in OF_OUTPUT else wanted
            count = len(set().union(*side)) if name.startswith("BCubed") else sum(map(len, side))
            expected = (expected * (count + 1) - 1) / count
        assert (actual is None) == (expected is None), text
        assert actual is None or expected is None or actual == pytest.approx(float(expected), abs=1e-11), text


OF_OUTPUT, OF_GOLD = {"BCubedP", "Rel"}, {"BCubedR", "Sens"}
"""Means over items or their occurrences, to which `absent` adds 1 for each item that the side lacks."""


def without(clusters: Clusters, item: str) -> Clusters:
    return [cluster - {item} for cluster in clusters if cluster - {item}]


@every_metric
@moderate(5)
@given(data=st.data())
def test_range_and_perfect_output(name: str, data: st.DataObject) -> None:
    system, gold = data.draw(worlds(name))
    least, most = METRICS[name].range
    names = [text for text, _ in spelled(name)]
    for actual in values(system, gold, names):
        assert actual is None or least is None or actual >= least - 1e-12
        assert actual is None or most is None or actual <= most + 1e-12
    best = {"lower": least, "higher": most}[METRICS[name].better]
    for perfect in values(gold, gold, names) if not METRICS[name].ideal_below_best else ():
        assert perfect is None or perfect == pytest.approx(best, abs=1e-9)


@every_metric
@moderate(4)
@given(data=st.data())
def test_names_of_clusters_and_order_do_not_matter(name: str, data: st.DataObject) -> None:
    system, gold = data.draw(worlds(name))
    names = [text for text, _ in spelled(name)]
    turned = values(data.draw(st.permutations(system)), data.draw(st.permutations(gold)), names)
    for one, other in zip(values(system, gold, names), turned, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


SYMMETRIC = {name for name, metric in METRICS.items() if metric.symmetric}


@pytest.mark.parametrize("name", sorted(SYMMETRIC))
@moderate(5)
@given(data=st.data())
def test_symmetric_metrics_are_symmetric(name: str, data: st.DataObject) -> None:
    system, gold = data.draw(worlds(name))
    one, other = values(system, gold, [name])[0], values(gold, system, [name])[0]
    assert one == pytest.approx(other, abs=1e-12)


WITNESS = ([frozenset("ab"), frozenset("c"), frozenset("d")], [frozenset("abc"), frozenset("d")])


@pytest.mark.parametrize("name", sorted(set(METRICS) - SYMMETRIC))
def test_the_others_have_a_witness(name: str) -> None:
    pairs_of_one = [frozenset("ab"), frozenset("cd")], [frozenset(item) for item in "abcd"]
    assert any(values(*sides, [name]) != values(*sides[::-1], [name]) for sides in (WITNESS, pairs_of_one))


@every_metric
def test_a_case_scores_the_same_in_company(name: str) -> None:
    system, gold = WITNESS
    twice = [pl.concat([frame(side), frame(side).with_columns(pl.lit("again").alias("case"))]) for side in (gold, system)]
    scores = plumbline.evaluate(twice[0], {"s": twice[1]}, name, task="clustering")
    assert scores.per_case["value"].to_list() == pytest.approx(values(system, gold, [name]) * 2)


def test_every_metric_has_an_oracle() -> None:
    assert set(CLUSTERING) >= set(METRICS)
