"""Forms of tables of scores: columns in memory, cases without names, and what repeated scores need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.comparison.reading import read_scores
from plumbline.metrics.names import parse

if TYPE_CHECKING:
    from pathlib import Path


def test_columns_may_be_series_or_lists() -> None:
    columns: dict[str, list[Any]] = {"system": ["a", "a", "b", "b"], "case": ["q", "r"] * 2, "AP": [0.1, 0.2, 0.3, 0.4]}
    mixed = {name: pl.Series(values) if name == "AP" else values for name, values in columns.items()}
    plain, _ = read_scores(columns)
    series, _ = read_scores(mixed)
    assert (plain.values == series.values).all()
    assert plain.systems == series.systems == ("a", "b")


def test_cases_without_names_are_counted_from_one() -> None:
    cube, _ = read_scores(pl.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}))
    assert cube.cases == ("1", "2", "3")


@pytest.mark.parametrize(("option", "word"), [("runs", "run"), ("folds", "fold")])
def test_dicts_have_no_column_of_repetitions(option: str, word: str) -> None:
    nested = {"AP": {"a": {"q": 0.1, "r": 0.4}, "b": {"q": 0.3, "r": 0.2}}}
    with pytest.raises(plumbline.BadData, match=f"no column .turn. for the {word};"):
        plumbline.compare(nested, **{option: "turn"})  # type: ignore[arg-type]


def test_numbers_beyond_64_bits_are_no_scores_cut_short() -> None:
    big = 2**63
    cube, _ = read_scores({"AP": {"a": {"q": 2**63 - 1024, "r": 1}, "b": {"q": 1, "r": 2}}})
    assert cube.values.max() == float(2**63 - 1024)
    assert read_scores({"AP": {"a": {"q": big, "r": 1}, "b": {"q": 1, "r": 2}}})[0].values.max() == float(big)


def test_a_combination_of_opposite_metrics_points_nowhere() -> None:
    assert parse("F(P,R)", task="filtering").better == "higher"
    assert parse("F(P,Fallout)", task="filtering").better == "neither"


def test_a_table_may_be_large_but_not_nearly_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.io.scores.tables._MANY", 4)
    full = {"system": ["a"] * 6 + ["b"] * 6, "case": [*range(6)] * 2, "m": [0.1] * 12}
    assert "the same scores in all 6 cases" in str(plumbline.compare(pl.DataFrame(full)))
    sparse = pl.DataFrame({"system": [f"{at}" for at in range(60)], "case": [*range(60)], "m": [0.1] * 60})
    with pytest.raises(plumbline.BadData, match="E162"):
        plumbline.compare(sparse)


def test_columns_may_be_called_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("0,1,2\nx,0.1,0.2\n")
    with pytest.raises(plumbline.BadData, match="the column 0 could be the system or the case"):
        plumbline.compare(path)
    path.write_text("0.1,0.2\n0.3,0.4\n")
    with pytest.raises(plumbline.BadData, match="the first line has numbers where names of columns are expected"):
        plumbline.compare(path)


@pytest.mark.parametrize("name", ["user", "User_ID", "session"])
def test_users_and_sessions_are_cases_unless_something_else_is(name: str) -> None:
    rows = [{"system": system, name: user, "AP": 0.1 * user} for system in "ab" for user in range(3)]
    assert plumbline.compare(pl.DataFrame(rows)).cube.cases == ("0", "1", "2")
    with_items = [{**row, "item": f"i{row[name]}"} for row in rows]
    assert plumbline.compare(pl.DataFrame(with_items)).cube.cases == ("i0", "i1", "i2")
