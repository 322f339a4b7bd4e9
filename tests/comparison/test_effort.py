"""What a comparison of many systems takes is told before the work, and how far it is during it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import plumbline
from plumbline.comparison import comparison as comparison_module
from plumbline.comparison import effort as effort_module
from plumbline.comparison import grids
from plumbline.comparison.cube import Cube
from plumbline.comparison.effort import Effort, effort, told_to
from plumbline.comparison.significance.progress import heard_by
from plumbline.render import frame

if TYPE_CHECKING:
    import pytest


def _frame(systems: int, cases: int = 20) -> pl.DataFrame:
    values = np.random.default_rng(1).normal(size=(systems, cases)) + np.linspace(0, 1, systems)[:, None]
    names = [f"s{at:03d}" for at in range(systems)]
    return pl.DataFrame({"system": np.repeat(names, cases), "case": np.tile(np.arange(cases), systems), "m": values.ravel()})


def _cube(systems: int, cases: int, metrics: int) -> Cube:
    values = np.zeros((metrics, systems, cases))
    names = [tuple(map(str, range(count))) for count in values.shape]
    return Cube(names[0], names[1], names[2], values, np.zeros(metrics, dtype=np.bool_))


def test_few_systems_are_not_worth_a_word() -> None:
    assert not effort(_cube(100, 50, 2), {}).worth_telling


def test_many_systems_are() -> None:
    expected = effort(_cube(2000, 50, 2), {})
    assert expected.worth_telling
    assert expected.pairs == 1_999_000
    assert str(expected).startswith("comparing 1,999,000 pairs by 2 metrics: about ")
    assert effort(_cube(2000, 50, 2), {"test": "t"}).seconds < expected.seconds


def test_it_is_told_before_anything_is_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort_module, "LONG", 0.0)
    heard: list[Effort | str | float] = []
    with told_to(heard.append), heard_by(heard.append):
        assert plumbline.compare(_frame(5)).measures
    assert isinstance(heard[0], Effort)
    shares = [share for share in heard[1:] if isinstance(share, float)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_tables_for_people_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MOST_ROWS", 10)
    monkeypatch.setattr(grids, "MOST_PAIRS", 12)
    compared = plumbline.compare(_frame(30), test="t")
    text = str(compared)
    assert "the first 10 of 30 systems: .leaderboard has all" in text
    assert "and 2" not in text.partition("\n")[0]
    assert "the best of them: " in text.partition("\n")[0]
    assert len(compared.grid().rows) == 10
    pairs = grids.pairs_grid(compared)
    assert len(pairs.rows) == 12
    assert pairs.legend[0] == "the 12 of 435 pairs with the smallest p: .significance has all"
    assert len(compared.significance) == 435
    monkeypatch.setattr(frame, "MOST_ROWS", 12)
    assert len(frame.frame_grid(compared.unanimity, "unanimity").rows) == 12


def test_pairs_of_many_systems_are_no_part_of_the_dicts(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = plumbline.compare(_frame(6), test="t")
    assert "left_out" not in compared.to_dict()
    monkeypatch.setattr(comparison_module, "MOST_SYSTEMS", 5)
    shown = compared.to_dict()
    assert "pairs" not in shown
    assert "the pairs of more than 5 systems" in shown["left_out"]
