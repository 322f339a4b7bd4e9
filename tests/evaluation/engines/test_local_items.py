"""The local engine counts the items of files in blocks, by way of buckets on disk, and gives what the whole gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from plumbline.evaluation.engines.plan import explained
from plumbline.evaluation.evaluation import evaluation_of
from tests.evaluation.engines.test_local import locally
from tests.evaluation.engines.test_parts import outcome, same

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = 80
Rows = list[tuple[Any, ...]]

KINDS: dict[str, tuple[str, list[Any], list[Any], dict[str, Any]]] = {
    "labels": ("label", ["spam", "ham"], ["spam", "ham", "ham", "eggs"], {"task": "filtering", "positive": "spam"}),
    "numbers": ("label", ["1", "0"], ["1", "0", "1.0"], {"task": "filtering"}),
    "scores": ("score", ["1", "0"], [0.125, 0.5, 0.875, 0.75], {"task": "filtering"}),
    "classes": ("label", ["a", "b", "c"], ["a", "b", "c", "d"], {"task": "classification"}),
    "clusters": ("cluster", ["a", "b", "c"], ["k", "l", "m"], {"task": "clustering"}),
    "overlaps": ("cluster", ["a", "b", "c"], ["k", "l", "m"], {"task": "clustering"}),
}
METRICS: dict[str, list[str] | None] = {
    "scores": ["AUC", "LogLoss", "F(P,R)", "AP"],
    "classes": ["Accuracy", "F(P,R)", "Kappa"],
}


def rows_of(kind: str, seed: int, values: list[Any]) -> Rows:
    """Most items of three cases in a random order, a case that the gold lacks, and unknown items."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    times = 2 if kind == "overlaps" else 1
    rows = [
        (f"q{case}", f"d{item}", draw.choice(values))
        for case in range(3 if seed == 0 else 4)
        for item in draw.sample(range(ITEMS + 9 * seed), ITEMS)
        for _ in range(times)
    ]
    draw.shuffle(rows)
    return rows


def write(path: Path, rows: Rows, column: str) -> Path:
    frame = pl.DataFrame(rows, schema=["case", "item", column], orient="row", strict=False)
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=100)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path)
    return path


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_files_in_blocks(tmp_path: Path, kind: str, ending: str) -> None:
    column, wanted, given, options = KINDS[kind]
    gold = write(tmp_path / f"gold.{ending}", rows_of(kind, 0, wanted), "cluster" if column == "cluster" else "label")
    systems = [write(tmp_path / f"s{seed}.{ending}", rows_of(kind, seed, given), column) for seed in (1, 2)]
    every = [((1200, 10**9), {}), ((1200,), {"missing_items": "error"})]
    for sizes, more in every if ending == "csv" else [((1200,), {})]:  # of the others, reading is what differs
        chosen: dict[str, Any] = {**options, **more}
        at_once = outcome(lambda chosen=chosen: plumbline.evaluate(gold, systems, METRICS.get(kind), **chosen))
        for size in sizes:
            same(outcome(lambda chosen=chosen, size=size: locally(gold, systems, METRICS.get(kind), size, **chosen)), at_once)


def test_errors_name_the_row_of_the_file(tmp_path: Path) -> None:
    rows = rows_of("labels", 1, ["spam", "ham"])
    gold, run = write(tmp_path / "gold.csv", rows_of("labels", 0, ["spam", "ham"]), "label"), tmp_path / "bad.csv"
    repeated = next(at for at, row in enumerate(rows) if row[0] == "q1")
    write(run, [*rows, rows[repeated]], "label")
    options: dict[str, Any] = {"task": "filtering", "positive": "spam"}
    at_once = outcome(lambda: plumbline.evaluate(gold, run, **options))
    assert f"line {len(rows) + 2}" in at_once[1] or f":{len(rows) + 2}" in at_once[1]
    for size in (900, 10**9):
        same(outcome(lambda size=size: locally(gold, run, None, size, **options)), at_once)
    other = write(tmp_path / "other.csv", [("z", "d1", "ham")], "label")
    for bad in (other, {"x": gold, "y": run}, [other, tmp_path / "none.csv"]):
        at_once = outcome(lambda bad=bad: plumbline.evaluate(gold, bad, **options))
        same(outcome(lambda bad=bad: locally(gold, bad, None, **options)), at_once)


def test_labels_that_are_decimal_numbers(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.csv", [("q", f"d{at}", f"{at % 3}") for at in range(99)], "label")
    run = write(tmp_path / "run.parquet", [("q", f"d{at}", at % 3 + (at == 98) / 2) for at in range(99)], "label")
    at_once = outcome(lambda: plumbline.evaluate(gold, run, task="classification"))
    same(outcome(lambda: locally(gold, run, None, 900, task="classification")), at_once)


@pytest.mark.parametrize("several", [False, True])
def test_what_is_in_memory(several: bool) -> None:  # noqa: FBT001 - a column of the table
    draw = np.random.default_rng(1)
    gold, given = draw.integers(0, 3, (2, 40))
    probabilities = draw.random((40, 3))
    worlds: list[tuple[Any, Any, str]] = [
        (gold, {"x": given, "y": probabilities / probabilities.sum(axis=1, keepdims=True)}, "classification"),
        (gold > 1, {"x": draw.random(40), "y": given > 1}, "filtering"),
        (gold, {"x": given}, "clustering"),
        (gold, {"x": given[:-1]}, "classification"),
        ({"q": {"a": 1, "b": 0}}, {"x": {"q": {"a": 1, "b": 0}}}, "classification"),
    ]
    if several:
        sets = [{"a": ["u", "v"], "b": ["u"], "c": []}, {"a": ["v"], "b": ["u", "w"]}]
        worlds = [({"q": sets[0]}, {"x": {"q": sets[1]}}, "classification")]
    for wanted, systems, task in worlds:
        at_once = outcome(lambda wanted=wanted, systems=systems, task=task: plumbline.evaluate(wanted, systems, task=task))
        same(outcome(lambda wanted=wanted, systems=systems, task=task: locally(wanted, systems, None, task=task)), at_once)


def test_what_needs_every_item_is_refused() -> None:
    gold, run = {"a": "1", "b": "2"}, {"x": {"a": "1", "b": "2"}}
    with pytest.raises(plumbline.BadUsage, match="E709 FuzzyBCubedP"):
        plumbline.evaluate(gold, run, ["FuzzyBCubedP"], task="clustering", engine="local")
    with pytest.raises(plumbline.BadUsage, match="E704"):
        plumbline.evaluate(gold, run, task="clustering", engine="local", floor=True)


def test_items_that_are_too_different_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.evaluation.engines.by_item.LARGEST_COUNT", 15)
    gold = {"q": {f"d{at}": at % 2 for at in range(20)}}
    systems = {"x": {"q": {f"d{at}": at / 20 for at in range(20)}}}
    with pytest.raises(plumbline.BadUsage, match=r"E710 .*, and 15 can be kept"):
        plumbline.evaluate(gold, systems, ["AUC"], task="filtering", engine="local")
    scores = plumbline.evaluate(gold, systems, ["P"], task="filtering", engine="local")
    assert scores.mean["value"].to_list() == [0.5]


def test_the_plan_names_buckets(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.csv", rows_of("labels", 0, ["spam", "ham"]), "label")
    evaluation = evaluation_of(gold, gold, task="classification")
    assert "engine: local" in explained(evaluation, "local", "1GB")
    assert "items that are alike are counted" in explained(evaluation, "local", "1GB")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_block_without_any_label_says_nothing_about_labels(tmp_path: Path, ending: str) -> None:
    rows = [("q", f"d{at}", None if at in range(20, 60) else at % 3) for at in range(80)]
    gold = write(tmp_path / "gold.csv", [("q", f"d{at}", at % 3) for at in range(80)], "label")
    for some in (rows, rows[20:], rows[::-1]):
        run = write(tmp_path / f"run.{ending}", some, "label")
        at_once = outcome(lambda run=run: plumbline.evaluate(gold, run, task="classification"))
        same(outcome(lambda run=run: locally(gold, run, None, 300, task="classification")), at_once)
