"""elsewhere(): several collections, or one in halves; the experiment itself is tested with prediction and forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import plumbline as library
from plumbline.errors import BadUsage
from plumbline.render.grid import Grid
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path


def scores(best: str, cases: int = 30, seed: int = 0) -> pl.DataFrame:
    """Three systems of which one is clearly the best and the other two are hardly different."""
    rng = np.random.default_rng(seed)
    rows = [
        (
            system,
            f"q{case}",
            float(np.clip(0.4 + 0.3 * (system == best) + rng.normal(0, 0.05), 0, 1)),
            0.5 + 0.2 * (system == best),
        )
        for system in ("one", "two", "three")
        for case in range(cases)
    ]
    return pl.DataFrame(rows, schema=["system", "case", "P", "R"], orient="row")


def test_pairs_that_hold_in_all_collections() -> None:
    result = library.elsewhere({"first": scores("one"), "second": scores("one", seed=1)}, lower=())
    held = {(a, b) for a, b, _, _, _, holds in result.pairs.iter_rows() if holds}
    assert {("one", "two"), ("one", "three")} <= held
    assert "same winner in all 2 collections" in result.summary[0]
    assert set(result.predictors["reference"]) == {"first", "second"}
    assert set(result.correlations["metric"]) == {"P", "R"}


def test_collections_that_disagree() -> None:
    result = library.elsewhere({"first": scores("one"), "second": scores("two")})
    assert not result.pairs.filter((pl.col("a") == "one") & (pl.col("b") == "two"))["holds"].any()


def test_systems_that_are_not_everywhere_are_told() -> None:
    fewer = scores("one").filter(pl.col("system") != "three")
    result = library.elsewhere({"first": scores("one"), "second": fewer})
    assert result.summary[-1] == "Left out, not in all collections: three."


def test_one_collection_is_split_in_halves() -> None:
    result = library.elsewhere(scores("one"), splits=50)
    kept = {frozenset((a, b)): keeps for a, b, _, keeps, *_ in result.pairs.iter_rows()}
    assert kept[frozenset(("one", "two"))] == kept[frozenset(("one", "three"))] == 1
    assert kept[frozenset(("two", "three"))] < 0.95
    assert "2 of 3 pairs keep their winner" in result.summary[0]
    assert "F difference" in repr(result)
    alone = library.elsewhere(scores("one").filter(pl.col("system") != "three"), splits=50)
    assert alone.summary[0].startswith("1 of 1 pair keeps its winner in both halves of 95% of 50 splits.")


def test_the_same_seed_gives_the_same() -> None:
    first, second = (library.elsewhere(scores("one"), splits=20, seed=7).pairs for _ in range(2))
    assert first.equals(second)


def test_one_system_and_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    alone = scores("one").filter(pl.col("system") == "one")
    with pytest.raises(BadUsage, match="E167"):
        library.elsewhere(alone)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        scores("one").write_csv(tmp_path / folder / "scores.csv")
    with pytest.raises(BadUsage, match="one name"):
        library.elsewhere([tmp_path / "a" / "scores.csv", tmp_path / "b" / "scores.csv"])


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scores("one").write_csv("banks.csv")
    scores("one", seed=3).write_csv("cars.csv")
    ended = plumbline("elsewhere", "banks.csv", "cars.csv", "--pairs", "--lower", "P")
    assert ended.code == 0
    assert ended.out.splitlines()[0].endswith("in all 2 collections.")
    assert "agreement of the rankings of systems" in ended.out
    rows = plumbline("elsewhere", "banks.csv", "--splits", "10", "--pairs", "--format", "csv").out.splitlines()
    assert rows[0] == "a,b,difference,keeps,turns,swaps,undecided"
    assert len(rows) == 4
    assert plumbline("elsewhere", "nowhere.csv").code == 2


def test_tables_have_headings_in_words() -> None:
    several = library.elsewhere({"first": scores("one"), "second": scores("two")})
    halves = library.elsewhere(scores("one"), splits=5)
    for result in (several, halves):
        headings = [name for block in result.to_blocks(pairs=True) if isinstance(block, Grid) for name in block.heading]
        assert {"predictor", "average precision", "at recall 0.5"} <= set(headings)
        assert not [name for name in headings if "_" in name]
    assert several.grid().heading[0] == "reference"
    assert several.predictors.columns[2] == "average_precision", "columns of frames and CSV files keep their names"


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with a column for each system, of two metrics and two collections."""
    monkeypatch.chdir(tmp_path)
    for collection, seed in (("banks", 0), ("cars", 3)):
        for metric in ("P", "R"):
            scores("one", seed=seed).pivot(on="system", index="case", values=metric).write_csv(f"{collection}_{metric}.csv")


@pytest.mark.usefixtures("wide")
def test_files_of_named_metrics() -> None:
    one = library.elsewhere(["P=banks_P.csv", "R=banks_R.csv"], splits=20)
    assert one.pairs.equals(library.elsewhere(scores("one"), splits=20).pairs)
    both = library.elsewhere(["P=banks_P.csv", "P=cars_P.csv", "R=banks_R.csv", "R=cars_R.csv"])
    expected = library.elsewhere({"banks_P": scores("one"), "cars_P": scores("one", seed=3)})
    assert both.predictors.equals(expected.predictors)
    assert both.correlations.equals(expected.correlations)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(
    ("given", "message", "advice"),
    [
        (["P=banks_P.csv", "P=cars_P.csv", "R=banks_R.csv"], "2 files of P and 1 file of R", "as many files of each metric"),
        (["P=banks_P.csv", "P=banks_P.csv"], "two collections of one name", "files of different names"),
        (["banks_P.csv", "cars_P.csv"], "collection 'cars_P' without banks_P", "AP=FILE names the metric"),
        (["P=banks_P.csv", "P=nowhere.csv"], "nowhere.csv", ""),
    ],
)
def test_files_that_make_no_collections(given: list[str], message: str, advice: str) -> None:
    ended = plumbline("elsewhere", *given)
    assert ended.code == 2
    assert message in ended.err
    assert advice in ended.err


def test_folds_are_collections() -> None:
    rows = [
        (system, f"q{case}", case % 3, base + (case * 7 % 5) / 50)
        for system, base in (("a", 0.7), ("b", 0.5), ("c", 0.3))
        for case in range(12)
    ]
    table = pl.DataFrame(rows, schema=["system", "case", "fold", "AP"], orient="row")
    result = library.elsewhere(table, folds="fold")
    assert result.summary[0] == "3 of 3 pairs have the same winner in all 3 collections."
    parts = {f"fold {name}": table.filter(fold=name).drop("fold") for name in (0, 1, 2)}
    assert result.pairs.equals(library.elsewhere(parts).pairs)
    alone = table.group_by("system", "fold", maintain_order=True).agg(pl.col("AP").mean())
    assert library.elsewhere(alone, folds="fold").pairs["holds"].all()
    with pytest.raises(BadUsage, match="one table with folds"):
        library.elsewhere({"x": table, "y": table}, folds="fold")
