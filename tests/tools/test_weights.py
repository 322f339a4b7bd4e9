"""How much each position counts: the first n carry w for every discount, and the picture says the same."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from tests.helpers.command_line import plumbline as program
from tests.helpers.organization_oracles import CURVES, custom_weights
from tests.helpers.ranking_worlds import moderate

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

every_discount = pytest.mark.parametrize("discount", list(CURVES))


def rows(actual: plumbline.Weights, discount: str | None = None) -> list[dict[str, Any]]:
    """The positions of a discount, or of the only one."""
    return [row for row in actual.table.to_dicts() if discount in (None, row["discount"])]


def listed(*words: object) -> list[dict[str, str]]:
    """The rows that `plumbline weights` prints as CSV."""
    return list(csv.DictReader(io.StringIO(program("weights", *words, "--format", "csv").out)))


def at(actual: plumbline.Weights, position: int) -> dict[str, Any]:
    return rows(actual)[position - 1]


@every_discount
@moderate(60)
@given(n=st.integers(1, 200), w=st.floats(0.01, 0.99))
def test_the_first_n_carry_w(discount: str, n: int, w: float) -> None:
    result = plumbline.weights(n, w, discounts=discount)
    assert [row["position"] for row in rows(result)] == list(range(1, 3 * n + 1))
    assert at(result, n)["reached"] == pytest.approx(w, abs=1e-12)
    assert sum(row["weight"] for row in rows(result)[:n]) == pytest.approx(w, abs=1e-12)


@every_discount
@moderate(30)
@given(n=st.integers(1, 60), w=st.floats(0.05, 0.95))
def test_weights_add_up_and_never_grow_and_are_those_of_the_oracle(discount: str, n: int, w: float) -> None:
    table_rows = rows(plumbline.weights(n, w, discounts=discount))
    left, so_far = CURVES[discount](n, w), 0.0
    for before, row in enumerate(table_rows):
        so_far += row["weight"]
        assert row["reached"] == pytest.approx(so_far, abs=1e-12)
        assert row["weight"] == pytest.approx(float(left(before) - left(before + 1)), abs=1e-12)
    assert so_far <= 1.0
    assert all(row["weight"] >= after["weight"] - 1e-12 for row, after in pairwise(table_rows))


@moderate(60)
@given(vector=st.lists(st.integers(0, 9), min_size=1, max_size=20), first=st.integers(1, 9), w=st.floats(0.05, 0.95))
def test_a_vector_of_ones_own_shares_w_in_its_proportions(vector: list[int], first: int, w: float) -> None:
    weights = [float(first), *map(float, vector)]
    result = plumbline.weights(5, w, own=weights)
    assert result.n == len(weights)
    assert {row["discount"] for row in rows(result)} == {"own weights"}
    left = custom_weights(list(weights), w)
    for before, row in enumerate(rows(result)):
        assert row["weight"] == pytest.approx(float(left(before) - left(before + 1)), abs=1e-12)
    assert at(result, len(weights))["reached"] == pytest.approx(w)
    assert at(result, 3 * len(weights))["reached"] == pytest.approx(w)


@every_discount
def test_the_weight_of_a_position_is_what_the_metric_gives_it(discount: str) -> None:
    """Of one level that the system has wholly wrong, Rel over groups keeps the tail only."""
    n, w = 3, 0.7
    name = f"Rel(over=related,n={n},w={w},discount={discount})"
    for size in (1, 2, 3, 5):
        levels = [[[f"x{place}"]] for place in range(size)]
        scores = plumbline.evaluate({"q": [[["a"]]]}, {"s": {"q": levels}}, name, task="organization")
        assert scores.mean["value"][0] == pytest.approx(1 - at(plumbline.weights(n, w, discounts=discount), size)["reached"])


def test_several_discounts_stand_below_each_other() -> None:
    result = plumbline.weights(2, 0.5, discounts=["uniform", "geometric"])
    assert result.table["discount"].unique(maintain_order=True).to_list() == ["uniform", "geometric"]
    assert [row["weight"] for row in rows(result, "uniform")] == pytest.approx([0.25, 0.25, 0, 0, 0, 0])
    assert [row["reached"] for row in rows(result, "geometric")[:4:2]] == pytest.approx([1 - 0.5**0.5, 1 - 0.5**1.5])
    assert result.grid().heading[0] == "discount"
    assert plumbline.weights().grid().heading[0] == "position"


def test_the_text_has_a_bar_for_each_shown_position() -> None:
    text = repr(plumbline.weights(30, 0.8))
    row = next(line for line in text.splitlines() if line.split()[:1] == ["30"])
    assert "0.8000" in row
    assert (row.count("█"), row.count("░")) == (24, 6)
    assert "the first 30 positions carry 0.8" in text
    assert [line.split()[0] for line in repr(plumbline.weights(1, 0.5)).splitlines()[2:-1]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n": 1, "w": 0.99},
        {"n": 200, "discounts": list(CURVES)},
        {"own": [3, 2, 1]},
        {"discounts": ["uniform", "geometric"]},
    ],
)
def test_the_figure_shows_every_position_and_can_be_read_aloud(options: dict[str, Any]) -> None:
    result = plumbline.weights(**options)
    drawn = result.plot.weights().to_dict()
    curves = result.table["discount"].n_unique()
    assert drawn["description"].count(f"the first {result.n} carry {result.w:.2f}") == curves
    rows = max(drawn["datasets"].values(), key=len)
    assert len(rows) == curves * (3 * result.n + 1)
    assert [row["reached"] for row in rows if row["position"]] == pytest.approx(result.table["reached"].to_list())
    with pytest.warns(DeprecationWarning, match=r"plot\.weights"):
        assert ET.fromstring(result.to_svg()).tag.endswith("svg")  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "weights: n = 0 is not allowed"),
        ({"n": -3}, "a whole number from 1"),
        ({"w": 0}, "strictly between 0 and 1"),
        ({"w": 1}, "strictly between 0 and 1"),
        ({"w": 1.5}, "strictly between 0 and 1"),
        ({"w": float("nan")}, "strictly between 0 and 1"),
        ({"discounts": "linear"}, "discount = 'linear' is not known"),
        ({"discounts": ["uniform", "time"]}, "choose inverse_square|geometric|logarithmic|uniform"),
        ({"own": [0, 1]}, "E322"),
        ({"own": [1, -1]}, "E322"),
        ({"own": [1, float("inf")]}, "E322"),
        ({"own": []}, "E322"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=re.escape(message)):
        plumbline.weights(**options)


def test_the_table_is_plain_data() -> None:
    table: pl.DataFrame = plumbline.weights(4).table
    assert table.columns == ["discount", "position", "weight", "reached"]
    assert not any(table.null_count().row(0))


# --- as a user types it


def test_weights_as_a_table_and_as_csv() -> None:
    ended = program("weights", "--n", "10", "--w", "0.8")
    assert ended.code == 0
    row = next(line for line in ended.out.splitlines() if line.split()[:1] == ["10"])
    assert "0.8000" in row
    assert row.count("█") == 24
    result = listed("--n", "2", "--discount", "uniform", "--discount", "geometric")
    assert [row["discount"] for row in result] == ["uniform"] * 6 + ["geometric"] * 6
    assert [float(row["reached"]) for row in result if row["position"] == "2"] == pytest.approx([0.8, 0.8])
    weighted = listed("--own", "3:2:1", "--w", "0.6")
    assert [float(row["weight"]) for row in weighted[:4]] == pytest.approx([0.3, 0.2, 0.1, 0.0])


def test_weights_are_drawn_once(tmp_path: Path) -> None:
    drawing = ("weights", "--n", 5, "--plot", tmp_path / "curve.svg")
    assert program(*drawing).code == 0
    assert ET.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own file
    refused = program(*drawing)
    assert refused.code == 2
    assert "exists" in refused.err
    assert program(*drawing, "--force").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--n", "0"],
        ["--n", "x"],
        ["--w", "1"],
        ["--w", "0"],
        ["--discount", "time"],
        ["--own", "a:b"],
        ["--own", "0:1"],
        ["--own", ""],
    ],
)
def test_weights_that_are_none(words: list[str]) -> None:
    ended = program("weights", *words)
    assert ended.code == 2
    assert ended.err
    assert not ended.out
