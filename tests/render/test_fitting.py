"""Tables on narrow terminals: columns go as a whole, names stay distinct, numbers stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.render.fitting import fitted, short_names, text_width
from plumbline.render.grid import Cell, Grid
from plumbline.render.terminal import plain
from tests.helpers.narrow_tables import WIDTHS, check_narrow

NAMES = st.lists(st.text("ab_/.é日", min_size=1, max_size=40), min_size=1, max_size=6, unique=True)


def _grid(names: list[str], columns: int, **more: object) -> Grid:
    rows = tuple((Cell(name), *(Cell(f"{at}.{column:04}") for column in range(columns))) for at, name in enumerate(names))
    return Grid(("system", *(f"metric {column}" for column in range(columns))), rows, "1 case", **more)  # type: ignore[arg-type]


@given(NAMES, st.integers(6, 30))
def test_cut_names_fit_and_stay_distinct(names: list[str], limit: int) -> None:
    short = short_names(names, limit)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(text_width(name) <= limit for name in short.values())
    assert all(short[name] == name for name in names if text_width(name) <= limit) or len(set(short.values())) == len(names)


def test_names_are_cut_where_they_can_be_told_apart() -> None:
    assert list(short_names(["run_alpha_final_1", "run_alpha_final_2"], 10).values()) == ["run_a…al_1", "run_a…al_2"]
    assert list(short_names(["a_very_long_name", "b_very_long_name"], 8).values()) == ["a_ve…ame", "b_ve…ame"]
    middle = ["prefix_prefix_X_suffix_suffix", "prefix_prefix_Y_suffix_suffix"]
    assert list(short_names(middle, 10).values()) == ["prefix_…#1", "prefix_…#2"]


@given(NAMES, st.integers(1, 12), st.sampled_from((40, *WIDTHS)))
def test_a_table_is_never_wider_than_the_terminal(names: list[str], columns: int, width: int) -> None:
    check_narrow(_grid(names, columns), width)


def test_columns_go_in_the_order_that_the_table_declares() -> None:
    grid = _grid(["a", "b"], 6, drop=("metric 1", "metric 4"))
    shown = [fitted(grid, width).heading for width in (62, 53, 44, 35, 26)]
    gone = [[at for at in range(6) if not any(str(at) in name for name in heading)] for heading in shown]
    assert gone == [[], [1], [1, 4], [1, 4, 5], [1, 3, 4, 5]]
    assert "left out for lack of room: metric 1, metric 4; to_polars() has every column" in fitted(grid, 44).legend


def test_a_table_that_fits_is_left_alone() -> None:
    grid = _grid(["a", "b"], 3)
    assert fitted(grid, 80) is grid


def test_headings_of_several_words_are_broken_before_anything_is_left_out() -> None:
    grid = Grid(("system", "a long heading of words ↑", "n"), ((Cell("x"), Cell("0.1"), Cell("1")),))
    assert plain(fitted(grid, 26)).splitlines() == [
        "           a long     ",
        "          heading     ",
        "               of     ",
        " system   words ↑   n ",
        "──────────────────────",
        " x            0.1   1 ",
    ]
    assert not fitted(grid, 26).legend


@pytest.mark.parametrize("width", [10, 20])
def test_even_a_terminal_without_room_gets_the_numbers(width: int) -> None:
    narrow = fitted(_grid(["x" * 50, "y" * 50], 3), width)
    assert [row[-1].text for row in narrow.rows] == ["0.0000", "1.0000"]
    assert narrow.rows[0][0].text != narrow.rows[1][0].text
