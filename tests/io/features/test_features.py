"""Features and distances in every form, case by case, from files and the command line, and what is wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn import metrics as sklearn

import plumbline
from plumbline import BadData, BadUsage
from tests.helpers.command_line import plumbline as program
from tests.helpers.feature_spaces import ALL, GOLD, ITEMS, LABELS, SPACE, SQUARE, code_of, frame, named, scored

if TYPE_CHECKING:
    from pathlib import Path


def _written(folder: Path, kind: str) -> Path:
    path = folder / f"features.{kind}"
    if kind in {"csv", "tsv"}:
        frame().write_csv(path, separator="\t" if kind == "tsv" else ",")
    elif kind == "parquet":
        pl.DataFrame({"item": ITEMS, "vector": SPACE.tolist()}).write_parquet(path)
    elif kind == "jsonl":
        rows = [json.dumps({"id": item, "vector": row}) for item, row in zip(ITEMS, SPACE.tolist(), strict=True)]
        path.write_text("\n".join(rows), encoding="utf-8")
    elif kind == "json":
        path.write_text(json.dumps(dict(zip(ITEMS, SPACE.tolist(), strict=True))), encoding="utf-8")
    elif kind == "npy":
        np.save(path, SPACE)
    else:
        np.savetxt(path, SPACE, fmt="%.17g")
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "jsonl", "json", "npy", "txt"])
def test_files_agree_with_arrays(kind: str, tmp_path: Path) -> None:
    gold = named(GOLD)
    expected = plumbline.evaluate(gold, {"s": named()}, ALL, task="clustering", features=_written(tmp_path, kind))
    assert dict(expected.per_case.select("metric", "value").iter_rows()) == pytest.approx(scored(SPACE), abs=1e-12)


@pytest.mark.parametrize(
    "features",
    [
        SPACE,
        SPACE.tolist(),
        dict(zip(ITEMS, SPACE, strict=True)),
        frame(),
        frame().lazy(),
        frame().to_pandas(),
        frame().to_arrow(),
        frame().reverse(),
        pd.DataFrame({"doc_id": ITEMS, "embedding": SPACE.tolist()}),
        pl.concat([frame(), frame().with_columns(pl.lit("stranger").alias("item")).head(1)]),
    ],
    ids=lambda form: type(form).__module__.partition(".")[0],
)
def test_objects_agree(features: Any) -> None:
    scores = plumbline.evaluate(named(GOLD), {"s": named()}, ALL, task="clustering", features=features)
    assert dict(scores.per_case.select("metric", "value").iter_rows()) == pytest.approx(scored(SPACE), abs=1e-12)


def _triangle() -> dict[str, dict[str, float]]:
    return {one: {other: SQUARE[i, j] for j, other in enumerate(ITEMS) if j > i} for i, one in enumerate(ITEMS)}


@pytest.mark.parametrize(
    "distances",
    [
        SQUARE,
        dict(zip(ITEMS, SQUARE, strict=True)),
        _triangle(),
        pl.DataFrame({"item": ITEMS, **dict(zip(ITEMS, SQUARE.T, strict=True))}).sample(fraction=1.0, shuffle=True, seed=1),
        pl.DataFrame({"item": ITEMS, **{f"to{at}": SQUARE[:, at] for at in range(40)}}),
    ],
)
def test_distances(distances: Any) -> None:
    names = ["Silhouette", "Dunn"]
    scores = plumbline.evaluate(named(GOLD), {"s": named()}, names, task="clustering", distances=distances)
    assert dict(scores.per_case.select("metric", "value").iter_rows()) == pytest.approx(scored(SPACE, names), abs=1e-12)


def _cased(labels: Any) -> dict[str, dict[str, str]]:
    return {case: {item: f"c{label}" for item, label in zip("abcdef", labels, strict=True)} for case in ("q1", "q2")}


def test_several_cases() -> None:
    draw = np.random.default_rng(5)
    space = {case: draw.normal(size=(6, 3)) for case in ("q1", "q2")}
    labels = [0, 0, 1, 1, 2, 2]
    nested = {case: dict(zip("abcdef", rows, strict=True)) for case, rows in space.items()}
    long = pl.concat(
        pl.DataFrame({"case": [case] * 6, "item": list("abcdef"), "vector": rows.tolist()}) for case, rows in space.items()
    )
    blocks = {case: dict(zip("abcdef", cdist(rows, rows), strict=True)) for case, rows in space.items()}
    expected = [sklearn.silhouette_score(rows, labels) for rows in space.values()]
    for given in (
        {"features": nested},
        {"features": long},
        {"features": np.vstack(list(space.values()))},
        {"distances": blocks},
    ):
        scores = plumbline.evaluate(_cased("aabbcc"), {"s": _cased(labels)}, "Silhouette", task="clustering", **given)
        assert scores.per_case["value"].to_list() == pytest.approx(expected)
    shared = plumbline.evaluate(_cased("aabbcc"), {"s": _cased(labels)}, ALL, task="clustering", features=nested["q1"])
    values = shared.per_case["value"].to_list()
    assert values[:6] == values[6:]


@pytest.mark.parametrize(
    ("options", "kind", "code"),
    [
        ({}, BadUsage, "E321"),
        ({"distances": SQUARE}, BadUsage, "E321"),
        ({"features": frame().head(38)}, BadData, "E141"),
        ({"features": SPACE[:39]}, BadData, "E143"),
        ({"features": pl.concat([frame(), frame().head(1)])}, BadData, "E144"),
        ({"features": frame().drop("item")}, BadData, "E109"),
        ({"features": frame().with_columns(pl.lit("red").alias("colour"))}, BadData, "E102"),
        ({"features": np.where(SPACE[3, 2] == SPACE, np.nan, SPACE)}, BadData, "E103"),
        ({"features": csr_array(np.where(SPACE[3, 2] == SPACE, np.inf, SPACE))}, BadData, "E103"),
        ({"features": dict(zip(ITEMS, [[1.0]] * 39 + [[1.0, 2.0]], strict=True))}, BadUsage, "E309"),
        ({"features": SPACE.astype(complex)}, BadUsage, "E309"),
        ({"features": pl.DataFrame({"item": ITEMS, "v": [[1.0]] * 39 + [[1.0, 2.0]]})}, BadData, "E101"),
        ({"features": pl.DataFrame({"item": ITEMS, "v": [{"a": 1}] * 40})}, BadData, "E102"),
        ({"features": 3}, BadUsage, "E371"),
        ({"features": SPACE[0]}, BadUsage, "E309"),
        ({"features": "nowhere.csv"}, BadUsage, "E009"),
        ({"features": SPACE, "distances": SQUARE[:, :39]}, BadUsage, "E309"),
        ({"features": SPACE, "distances": csr_array(SQUARE)}, BadUsage, "E309"),
        ({"features": SPACE, "distances": SQUARE + 1}, BadData, "E145"),
        ({"features": SPACE, "distances": -SQUARE}, BadData, "E145"),
        ({"features": SPACE, "distances": np.triu(SQUARE)}, BadData, "E145"),
        ({"features": SPACE, "distances": np.where(SQUARE[2, 3] == SQUARE, np.nan, SQUARE)}, BadData, "E145"),
    ],
)
def test_errors(options: dict[str, Any], kind: type[plumbline.PlumblineError], code: str) -> None:
    assert code_of(lambda: plumbline.evaluate(named(GOLD), {"s": named()}, ALL, task="clustering", **options), kind) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E001"),
        ("1 2\n3\n", "E101"),
        ("1 2\n3 x\n", "E102"),
        ("item,x\nd0,1\nd1\n", "E101"),
        ("name,x\nd0,1\n", "E109"),
        ('{"item": "d0", "v": [1, 2]}\n{"item": "d1", "v": [1]}\n', "E101"),
        ('{"item": "d0", "v": {"a": 1}}\n{"item": "d1", "v": [1]}\n', "E102"),
        ("\x93NUMPYxx", "E003"),
        ('"text"', "E109"),
    ],
)
def test_bad_files(text: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(text.encode("latin-1"))
    table = code_of(lambda: plumbline.evaluate(named(GOLD), {"s": named()}, "Dunn", task="clustering", features=path), BadData)
    assert table == code


def test_missing_features_are_named() -> None:
    with pytest.raises(BadData, match=r"2 of 40 items have no row: d38, d39") as caught:
        plumbline.evaluate(named(GOLD), {"s": named()}, "Dunn", task="clustering", features=frame().head(38))
    assert caught.value.code == "E141"


def test_requests_that_make_no_sense() -> None:
    assert code_of(lambda: plumbline.internal(LABELS, features=SPACE, metrics="ARI"), BadUsage) == "E320"
    chosen = {"names": "Dunn(distance=cosine)", "distances": SQUARE}
    assert code_of(lambda: scored(None, **chosen), BadUsage) == "E319"
    assert code_of(lambda: plumbline.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "AP", features=SPACE), BadUsage) == "E325"
    twice = pl.DataFrame({"item": [*ITEMS, "d0"], "cluster": [*map(str, LABELS), "9"]})
    assert code_of(lambda: plumbline.internal(twice, features=frame()), BadData) == "E142"


def test_command_line(tmp_path: Path) -> None:
    gold, output = tmp_path / "gold.tsv", tmp_path / "mine.tsv"
    for path, labels in ((gold, GOLD), (output, LABELS)):
        pl.DataFrame({"item": ITEMS, "cluster": list(named(labels).values())}).write_csv(path, separator="\t")
    features, square = _written(tmp_path, "csv"), tmp_path / "square.csv"
    np.savetxt(square, SQUARE, fmt="%.17g", delimiter=",")
    words = ["evaluate", gold, output, "--task", "clustering", "--format", "csv"]
    ended = program(*words, "-m", "internal", "--features", features)
    assert ended.code == 0, ended.err
    assert {name: value for (_, name), value in ended.means().items()} == pytest.approx(scored(SPACE), abs=1e-12)
    ended = program(*words, "-m", "Dunn", "--distances", square)
    assert ended.means()["mine", "Dunn"] == pytest.approx(scored(SPACE)["Dunn"])
    ended = program(*words, "-m", "Dunn")
    assert (ended.code, "--features FILE" in ended.err) == (2, True)
    ended = program("why", "Dunn", gold, output, "--features", features)
    assert ended.code == 0, ended.err


def test_an_array_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    """Unpickling runs whatever the file says."""
    path = tmp_path / "features.npy"
    np.save(path, np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    with pytest.raises(BadData, match=r"features\.npy: E003"):
        plumbline.evaluate([0, 1], [0, 1], ["Silhouette"], task="clustering", features=path)


@pytest.mark.parametrize(
    ("text", "place"), [("2,1_0\n3,4\n", r":1: .*'1_0'"), ("2,3\n4,5x\n", r":2: .*'5x'"), ("2,3\n3,1_0\n", r":2: .*'1_0'")]
)
def test_the_cell_that_is_no_feature_is_named(text: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / "features.csv"
    path.write_text(text)
    with pytest.raises(BadData, match=place):
        plumbline.internal([0, 1], features=path)
