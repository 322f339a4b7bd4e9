"""The slow implementations for clusters agree with scikit-learn and with what can be proved."""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import permutations, product
from math import exp, fsum, log
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from plumbline.metrics.registry import all_metrics
from tests.helpers.clustering_oracles import CLUSTERING, together
from tests.helpers.coreference_oracles import Clusters, items
from tests.helpers.examples import some_of
from tests.helpers.metric_settings import settings_of
from tests.helpers.oracle_files import load_oracles

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers.filtering_oracles import Value

pytestmark = pytest.mark.slow

quick = settings(max_examples=some_of(15), deadline=None)
NAMES = "abcdef"
OF_SCIKIT_LEARN: dict[str, Callable[..., float]] = {
    "ARI": sk.adjusted_rand_score,
    "Rand": sk.rand_score,
    "FM": sk.fowlkes_mallows_score,
    "AMI": sk.adjusted_mutual_info_score,
    "MI": sk.mutual_info_score,
    "Homogeneity": sk.homogeneity_score,
    "Completeness": sk.completeness_score,
    "VMeasure": sk.v_measure_score,
}
EXCHANGED = [
    ("Purity", "InvPurity"),
    ("Entropy", "ClassEntropy"),
    ("Homogeneity", "Completeness"),
    ("PairP", "PairR"),
    ("FuzzyBCubedP", "FuzzyBCubedR"),
]
EXCHANGED += [("BCubedP", "BCubedR"), ("Rel", "Sens")]
load_oracles("clustering")
METRICS = all_metrics("clustering")
LOWER = {name for name in CLUSTERING if METRICS[name].better == "lower"}
SYMMETRIC = {name for name in CLUSTERING if METRICS[name].symmetric}
PARTITIONS_ONLY = {name for name in CLUSTERING if METRICS[name].single_label}
EVERY = [(name, setting) for name in CLUSTERING for setting in settings_of(METRICS[name])]


def grouped(labels: list[int]) -> Clusters:
    """The partition of as many items as there are labels."""
    return [frozenset(NAMES[i] for i, label in enumerate(labels) if label == one) for one in sorted(set(labels))]


@st.composite
def both_labels(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Two labels of each of some items."""
    n = draw(st.integers(1, len(NAMES)))
    one, other = (draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)) for _ in range(2))
    return one, other


@st.composite
def covers(draw: st.DrawFn) -> tuple[Clusters, Clusters]:
    """Two overlapping clusterings of some items."""
    universe = NAMES[: draw(st.integers(2, 6))]
    clusters = st.lists(st.frozensets(st.sampled_from(universe), min_size=1), min_size=1, max_size=4)
    return completed(draw(clusters), universe), completed(draw(clusters), universe)


def completed(clusters: Clusters, universe: str) -> Clusters:
    """With a cluster of its own for each item that has none."""
    return clusters + [frozenset(item) for item in universe if item not in items(clusters)]


def same(actual: Value, expected: Value) -> None:
    """Equal to twelve digits."""
    wanted = None if expected is None else pytest.approx(float(expected), rel=1e-12, abs=1e-12)
    assert (None if actual is None else float(actual)) == wanted


def theirs(name: str, gold: list[int], system: list[int], **options: Any) -> float:
    """What scikit-learn computes, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(OF_SCIKIT_LEARN[name](gold, system, **options))


# --- scikit-learn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_SCIKIT_LEARN)
@quick
@given(both_labels())
@example(([0, 0, 1, 1, 1, 2], [0, 0, 1, 2, 2, 2]))
@example(([0, 1, 2], [0, 0, 0]))
@example(([0, 0], [0, 0]))
@example(([0, 1, 2], [0, 1, 2]))
def test_scikit_learn_agrees_where_we_have_a_value(name: str, labels: tuple[list[int], list[int]]) -> None:
    gold, system = labels
    actual = CLUSTERING[name](grouped(system), grouped(gold))
    if actual is None:
        ss, sd, ds, _ = together(grouped(system), grouped(gold))
        assert len(gold) == 1 or (name == "FM" and 0 in (ss + sd, ss + ds))
    else:
        same(actual, theirs(name, gold, system))


@quick
@given(both_labels(), st.sampled_from([0.25, 2.0]))
def test_v_measure_takes_a_beta(labels: tuple[list[int], list[int]], beta: float) -> None:
    gold, system = labels
    same(CLUSTERING["VMeasure"](grouped(system), grouped(gold), beta=beta), theirs("VMeasure", gold, system, beta=beta))


@pytest.mark.parametrize("norm", ["arithmetic", "min", "max", "geometric"])
@quick
@given(both_labels())
def test_nmi_of_scikit_learn_but_where_nothing_is_to_know(norm: str, labels: tuple[list[int], list[int]]) -> None:
    gold, system = labels
    actual = CLUSTERING["NMI"](grouped(system), grouped(gold), norm=norm)
    constant = [len(set(side)) == 1 for side in labels]
    assert (actual is None) == (any(constant) if norm in ("min", "geometric") else all(constant))
    if actual is not None:
        same(actual, sk.normalized_mutual_info_score(gold, system, average_method=norm))


@quick
@given(both_labels())
def test_pair_confusion_matrix_of_scikit_learn(labels: tuple[list[int], list[int]]) -> None:
    gold, system = labels
    ss, sd, ds, dd = together(grouped(system), grouped(gold))
    assert (sk.pair_confusion_matrix(gold, system) == 2 * np.array([[dd, sd], [ds, ss]])).all()


# --- what can be proved -----------------------------------------------------------------------------------------------


@settings(max_examples=some_of(12), deadline=None)
@given(both_labels().filter(lambda labels: 2 <= len(labels[0]) <= 6))
@example(([0, 0, 0, 1, 1], [0, 1, 1, 1, 2]))
def test_adjusted_measures_subtract_the_mean_over_all_orders_of_the_items(labels: tuple[list[int], list[int]]) -> None:
    gold, system = labels
    orders = [grouped(list(order)) for order in permutations(system)]
    for name, plain in (("AMI", "MI"), ("ARI", "SS")):

        def value(clusters: Clusters, plain: str = plain) -> float:
            ours, classes = clusters, grouped(gold)
            return float(together(ours, classes)[0] if plain == "SS" else CLUSTERING["MI"](ours, classes) or 0)

        def of_itself(side: list[int], plain: str = plain) -> float:
            one = grouped(side)
            return float(together(one, one)[0] if plain == "SS" else CLUSTERING["MI"](one, one) or 0)

        by_chance = fsum(map(value, orders)) / len(orders)
        most = (of_itself(gold) + of_itself(system)) / 2
        if most - by_chance > 1e-9:
            same(CLUSTERING[name](grouped(system), grouped(gold)), (value(grouped(system)) - by_chance) / (most - by_chance))


@pytest.mark.parametrize("name", CLUSTERING)
@quick
@given(both_labels(), st.randoms(use_true_random=False))
def test_names_and_orders_do_not_matter(name: str, labels: Any, chance: Any) -> None:
    gold, system = (grouped(side) for side in labels)
    new = dict(zip(NAMES, chance.sample("uvwxyz", len(NAMES)), strict=True))
    shuffled = [[frozenset(new[item] for item in cluster) for cluster in side] for side in (system, gold)]
    chance.shuffle(shuffled[0])
    chance.shuffle(shuffled[1])
    for options in settings_of(METRICS[name]):
        same(CLUSTERING[name](*shuffled, **options), CLUSTERING[name](system, gold, **options))


@pytest.mark.parametrize("name", sorted(set(CLUSTERING) - PARTITIONS_ONLY))
@quick
@given(covers(), st.randoms(use_true_random=False))
def test_nor_do_they_where_clusters_overlap(name: str, sides: Any, chance: Any) -> None:
    shuffled = [chance.sample([frozenset(item.upper() for item in one) for one in side], len(side)) for side in sides]
    for options in settings_of(METRICS[name]):
        same(CLUSTERING[name](*shuffled, **options), CLUSTERING[name](*sides, **options))


def test_of_equal_classes_the_one_that_saves_a_merge_is_chosen() -> None:
    system = [frozenset("ax"), frozenset("b"), frozenset("ycde")]
    gold = [frozenset("ab"), frozenset("xy"), frozenset("cde")]
    actual = [CLUSTERING["EditDistance"](system, side) for side in (gold, [gold[1], gold[0], gold[2]])]
    assert actual == [Fraction(2, 4), Fraction(2, 4)]


@quick
@given(covers(), both_labels())
def test_a_perfect_output_reaches_the_best(sides: Any, labels: Any) -> None:
    for name, options in EVERY:
        for gold in [grouped(labels[0])] if name in PARTITIONS_ONLY else [grouped(labels[0]), sides[0]]:
            actual = CLUSTERING[name](gold, gold, **options)
            if actual is not None:
                same(actual, 0 if name in LOWER else _most(name, gold))


def _most(name: str, gold: Clusters) -> float:
    """What a perfect output scores; where items have to be with others, those that are alone count 0."""
    n = len(items(gold))
    if name == "MI":
        return fsum(-len(one) / n * log(len(one) / n) for one in gold)
    if name.startswith("FuzzyBCubed"):
        return len(items([one for one in gold if len(one) > 1])) / n
    return 1.0


NOT_ABOUT_CLUSTERS = {"over": "priority"}
"""One level of the same items: whatever the clusters are, nothing is above anything but the tail."""


@pytest.mark.parametrize(("name", "options"), [one for one in EVERY if not NOT_ABOUT_CLUSTERS.items() <= one[1].items()])
def test_a_bad_output_does_not(name: str, options: dict[str, Any]) -> None:
    gold, system = [frozenset("ab"), frozenset("cde")], [frozenset("ac"), frozenset("bde")]
    actual, best = (CLUSTERING[name](side, gold, **options) for side in (system, gold))
    assert actual is not None
    assert best is not None
    assert actual > best if name in LOWER else actual < best


@quick
@given(both_labels(), covers())
def test_exchanging_the_sides(labels: tuple[list[int], list[int]], overlapping: tuple[Clusters, Clusters]) -> None:
    for name, options in EVERY:
        other = next((dict([pair, pair[::-1]])[name] for pair in EXCHANGED if name in pair), name)
        turned = options | ({"part": {"P": "R", "R": "P", "F": "F"}[options["part"]]} if "part" in options else {})
        if name not in SYMMETRIC and other == name:
            continue
        if name == "VMeasure" and options:
            continue
        for one, two in [overlapping] * (name not in PARTITIONS_ONLY) + [(grouped(labels[0]), grouped(labels[1]))]:
            same(CLUSTERING[name](one, two, **options), CLUSTERING[other](two, one, **turned))


def test_which_are_not_symmetric() -> None:
    one, two = [frozenset("abcd"), frozenset("ef")], [frozenset("abc"), frozenset("d"), frozenset("e"), frozenset("f")]
    different = {name for name, call in CLUSTERING.items() if call(one, two) != call(two, one)}
    usual = set(CLUSTERING) - SYMMETRIC - {"BLANC"}  # it differs only where the gold has one kind of pair
    assert different - SYMMETRIC == usual >= {name for pair in EXCHANGED for name in pair}


@quick
@given(both_labels())
def test_reliability_is_bcubed_for_partitions(labels: tuple[list[int], list[int]]) -> None:
    gold, system = map(grouped, labels)
    for absent in range(len(system)):
        left = system[absent:]
        assert CLUSTERING["Rel"](left, gold) == CLUSTERING["BCubedP"](left, gold)
        assert CLUSTERING["Sens"](left, gold) == CLUSTERING["BCubedR"](left, gold)


@quick
@given(both_labels())
def test_entropies_and_informations_are_consistent(labels: tuple[list[int], list[int]]) -> None:
    gold, system = map(grouped, labels)
    mi, vi, ours, theirs = (float(CLUSTERING[name](system, gold) or 0) for name in ("MI", "VI", "Entropy", "ClassEntropy"))
    same(vi, ours + theirs)
    joint = CLUSTERING["NMI"](system, gold, norm="joint")
    if joint is not None:
        same(mi / (mi + vi), joint)
    likelihood = Fraction(1)
    for cluster, one in product(system, gold):
        likelihood *= Fraction(len(cluster & one), len(cluster)) ** len(cluster & one)
    same(exp(-ours * len(labels[0])), likelihood)


@quick
@given(both_labels())
def test_omega_of_partitions_is_ari(labels: tuple[list[int], list[int]]) -> None:
    gold, system = map(grouped, labels)
    actual = CLUSTERING["Omega"](system, gold)
    if actual is not None:
        assert actual == CLUSTERING["ARI"](system, gold)
