"""Internal criteria: scikit-learn, slow second writings, what is undefined, and clusterings without a gold."""

from __future__ import annotations

import sys
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from scipy.sparse import coo_matrix, csr_array
from scipy.spatial.distance import cdist
from sklearn import metrics as sklearn

import plumbline
from plumbline import BadUsage
from tests.helpers.feature_spaces import ALL, GOLD, ITEMS, LABELS, SPACE, SQUARE, frame, named, scored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray


def cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(one @ other / (np.sqrt(one @ one) * np.sqrt(other @ other)))


def pairs(labels: NDArray[np.int64], space: NDArray[np.float64], *, together: bool, of: Callable[..., float]) -> list[float]:
    both = combinations(range(len(labels)), 2)
    return [of(space[i], space[j]) for i, j in both if (labels[i] == labels[j]) == together]


def euclidean(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.sqrt(((one - other) ** 2).sum()))


@pytest.mark.parametrize("seed", range(6))
def test_scikit_learn_and_slow_oracles_agree(seed: int) -> None:
    draw = np.random.default_rng(seed)
    labels, space = draw.integers(0, 2 + seed, 30), draw.normal(size=(30, 1 + seed)) + seed
    actual = scored(space, labels=labels)
    apart, within = (pairs(labels, space, together=together, of=euclidean) for together in (False, True))
    expected = {
        "Silhouette": sklearn.silhouette_score(space, labels),
        "DaviesBouldin": sklearn.davies_bouldin_score(space, labels),
        "CalinskiHarabasz": sklearn.calinski_harabasz_score(space, labels),
        "Dunn": min(apart) / max(within),
        "IntraSimilarity": np.mean(pairs(labels, space, together=True, of=cosine)),
        "InterSimilarity": np.mean(pairs(labels, space, together=False, of=cosine)),
    }
    assert actual == pytest.approx(expected, abs=1e-12, rel=1e-11)


@pytest.mark.parametrize("distance", ["euclidean", "cosine", "manhattan"])
def test_other_distances(distance: str) -> None:
    names = [f"Silhouette(distance={distance})", f"Dunn(distance={distance})"]
    actual = scored(SPACE, names)
    square = cdist(SPACE, SPACE, "cityblock" if distance == "manhattan" else distance)
    square[np.diag_indices(40)] = 0
    assert next(iter(actual.values())) == pytest.approx(sklearn.silhouette_score(SPACE, LABELS, metric=distance), abs=1e-12)
    assert list(actual.values()) == pytest.approx(list(scored(None, ["Silhouette", "Dunn"], distances=square).values()))


def test_dunn_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    full = scored(SPACE, "Dunn")
    monkeypatch.setattr("plumbline.views.geometry._MOST_ROWS", 7)
    assert scored(SPACE, "Dunn") == full
    assert scored(csr_array(SPACE), "Dunn") == pytest.approx(full)


def test_sparse_is_dense() -> None:
    thin = np.where(np.abs(SPACE) > 0.4, SPACE, 0.0)
    dense = scored(thin)
    for made in (csr_array, coo_matrix):
        assert scored(made(thin)) == pytest.approx(dense, abs=1e-12)


def test_distances_go_before_features() -> None:
    actual = scored(SPACE, distances=cdist(SPACE, SPACE, "cityblock"))
    assert actual["Silhouette"] == pytest.approx(sklearn.silhouette_score(SPACE, LABELS, metric="manhattan"))
    assert actual["DaviesBouldin"] == scored(SPACE)["DaviesBouldin"]


@pytest.mark.parametrize(
    ("labels", "defined"),
    [([0] * 6, {"IntraSimilarity"}), (list(range(6)), {"InterSimilarity"}), ([0, 0, 0, 1, 1, 1], set(ALL))],
)
def test_undefined_is_null_with_a_reason(labels: list[int], defined: set[str]) -> None:
    space = SPACE[:6]
    scores = plumbline.evaluate([0, 0, 1, 1, 2, 2], labels, ALL, task="clustering", features=space)
    actual = dict(scores.per_case.select("metric", "value").iter_rows())
    assert {name for name, value in actual.items() if value is not None} == defined
    assert bool(scores.notices) == (defined != set(ALL))


def test_what_scikit_learn_turns_into_a_number_is_undefined() -> None:
    points = np.array([[0.0, 1], [0, 1], [5, 1], [5, 1]])
    actual = scored(points, labels=[0, 0, 1, 1])
    assert actual["CalinskiHarabasz"] is None, "scikit-learn: 1"
    assert actual["Dunn"] is None
    assert actual["DaviesBouldin"] == 0
    crossed = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    assert scored(crossed, "DaviesBouldin", labels=[0, 0, 1, 1]) == {"DaviesBouldin": None}, "scikit-learn: 0"
    empty = np.array([[1.0, 0], [0, 0], [0, 1], [0, 2]])
    actual = scored(empty, [*ALL[4:], "Dunn(distance=cosine)", "Silhouette(distance=cosine)"], labels=[0, 0, 1, 1])
    assert set(actual.values()) == {None}


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e9, 1e140])
def test_the_scale_of_the_space_does_not_matter(scale: float) -> None:
    names = [name for name in ALL if scale in {1e-9, 1e9} or "Similarity" in name]
    assert scored(SPACE * scale, names) == pytest.approx({name: scored(SPACE)[name] for name in names}, rel=1e-9)


def test_only_clustered_items_count() -> None:
    actual = plumbline.evaluate(
        named(GOLD), {"s": dict(list(named().items())[5:])}, ALL, task="clustering", features=frame(), missing_items="absent"
    )
    expected = plumbline.internal(LABELS[5:], features=SPACE[5:])
    for name in ALL:
        assert actual.per_case.filter(metric=name)["value"][0] == pytest.approx(
            expected.per_case.filter(metric=name)["value"][0], abs=1e-12
        )


def test_cosines_reach_both_ends_of_their_range() -> None:
    apart, alike = np.array([[1.0, 0], [-1, 0]]), np.array([[1.0, 0], [2, 0]])
    for name, labels in (("IntraSimilarity", [0, 0]), ("InterSimilarity", [0, 1])):
        ends = [scored(space, [name], labels=labels)[name] for space in (apart, alike)]
        assert ends == pytest.approx(plumbline.all_metrics("clustering")[name].range)


def test_floor_and_company() -> None:
    scores = plumbline.evaluate(
        GOLD, LABELS, ["IntraSimilarity", "ARI", "Silhouette"], task="clustering", features=SPACE, floor=True
    )
    means = {(row["system"], row["metric"]): row["value"] for row in scores.mean.iter_rows(named=True)}
    assert means["[one-cluster]", "IntraSimilarity"] == pytest.approx(
        np.mean([cosine(one, other) for one, other in combinations(SPACE, 2)])
    )
    assert means["[singletons]", "Silhouette"] is None
    assert means["system", "ARI"] == pytest.approx(sklearn.adjusted_rand_score(GOLD, LABELS))


def test_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(BadUsage, match=r"pip install 'plumbline\[cluster\]'") as caught:
        scored(SPACE, "Silhouette")
    assert caught.value.code == "E310"
    assert scored(SPACE, ["Dunn", "IntraSimilarity"])["Dunn"] is not None


def _values(scores: plumbline.Scores, system: str) -> list[float | None]:
    return scores.per_case.filter(system=system)["value"].to_list()


def test_internal_without_a_gold(tmp_path: Path) -> None:
    expected = list(scored(SPACE).values())
    assert _values(plumbline.internal(LABELS, features=SPACE), "system") == pytest.approx(expected)
    assert _values(plumbline.internal(LABELS.tolist(), features=_frame_by_number()), "system") == pytest.approx(expected)
    lists_of_labels = plumbline.internal({"a": LABELS.tolist()}, features=_frame_by_number())
    assert _values(lists_of_labels, "a") == pytest.approx(expected)
    both = plumbline.internal({"a": LABELS.tolist(), "b": GOLD}, features=SPACE)
    assert _values(both, "a") == pytest.approx(expected)
    assert _values(plumbline.internal(named(), features=frame()), "system") == pytest.approx(expected)
    assert _values(plumbline.internal({"x": named(), "y": named(GOLD)}, features=frame()), "x") == pytest.approx(expected)
    lists = {f"c{label}": [ITEMS[at] for at in np.flatnonzero(label == LABELS)] for label in set(LABELS.tolist())}
    assert _values(plumbline.internal({"x": lists}, features=frame()), "x") == pytest.approx(expected)
    path = tmp_path / "mine.tsv"
    pl.DataFrame({"item": ITEMS, "cluster": list(named().values())}).write_csv(path, separator="\t")
    assert _values(plumbline.internal([str(path)], features=SPACE), "mine") == pytest.approx(expected)
    assert _values(plumbline.internal(path, distances=SQUARE), "mine") == pytest.approx([expected[0], expected[3]])


def _frame_by_number() -> pl.DataFrame:
    return frame().with_columns(pl.Series("item", [str(number) for number in range(40)]))


def test_each_system_has_its_own_items() -> None:
    half = dict(list(named().items())[:20])
    scores = plumbline.internal({"whole": named(), "half": half}, features=frame())
    assert _values(scores, "half") == pytest.approx(list(scored(SPACE[:20], labels=LABELS[:20]).values()))
    assert _values(scores, "whole") == pytest.approx(list(scored(SPACE).values()))
    assert any("20 of 40 items without an answer, left out of its scores" in notice.text for notice in scores.notices)


@pytest.mark.parametrize("seed", range(5))
def test_values_lie_within_the_ranges_of_the_metrics(seed: int) -> None:
    labels = np.random.default_rng(seed).integers(0, 4, len(SPACE)).tolist()
    for name, value in scored(SPACE, ALL, labels=labels).items():
        least, most = plumbline.all_metrics("clustering")[name].range
        assert value is not None
        assert least is None or value >= least
        assert most is None or value <= most
