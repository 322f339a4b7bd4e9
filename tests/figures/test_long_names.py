"""Long names are cut in their middle everywhere, alike in Python and in Vega, and never in the middle of a letter."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.figures.fitting import fitted
from plumbline.figures.labels import BESIDE, LONGEST, SHORT, clipped, letters, short_labels, shorter_labels, text_width
from plumbline.figures.registry import FIGURES
from plumbline.figures.saving import as_svg
from plumbline.figures.subject import Subject, subject_of
from tests.helpers.figure_subjects import data, draws_results_alone, filters_with_scores, outputs, result_for, spec, table

LONG = [f"a_system_with_a_long_name_that_differs_at_its_end_alone_{at:02}%" for at in range(10)]
FACES = "\N{GRINNING FACE}" * 60
NAMED = ["bars", "ranks", "unanimity", "tradeoff", "alpha", "losses", "precision_recall"]
"""Kinds that write names of systems beside an axis, beside marks or in a legend."""


def subject(kind: str, names: list[str]) -> Subject:
    figure = FIGURES[kind]
    if draws_results_alone(kind):
        return result_for(kind, tuple(names))
    if "scores" in figure.views:
        return filters_with_scores(tuple(names))
    if figure.example_metrics:
        return outputs("ranking", names, metrics=list(figure.example_metrics))
    return outputs(figure.tasks[0], names) if figure.tasks else subject_of(table(names))


def written(chart: Any) -> list[str]:
    """The texts of a picture."""
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", as_svg(chart))]


@given(st.text(max_size=60), st.integers(5, 40))
def test_both_ends_are_kept(name: str, longest: int) -> None:
    short = clipped(name, longest)
    assert len(short) <= max(longest, 5)
    if len(name) > longest:
        head, _, tail = short.partition("…") if "…" not in name else (short[: longest // 2], "", short[-(longest - 1) // 2 :])
        assert name.startswith(head)
        assert name.endswith(tail)
        assert 0 <= len(head) - len(tail) <= 1
    else:
        assert short == name


def test_vega_cuts_as_python_does() -> None:
    names = [*LONG[:3], FACES, "x" * LONGEST, "y" * (LONGEST + 1), "$1 and $& of it, " * 3 + "end", "short"]
    assert {clipped(name, LONGEST) for name in names} <= set(written(FIGURES["bars"].draw(subject_of(table(names)))))


@pytest.mark.parametrize(("kind", "width"), [*((kind, None) for kind in NAMED), ("ranks", 317)])
def test_names_that_differ_at_their_end_still_do(kind: str, width: int | None) -> None:
    few = LONG[: 10 if kind in {"bars", "ranks", "unanimity", "losses"} else 5]
    of = subject(kind, few)
    chart = FIGURES[kind].draw(of) if width is None else fitted(lambda area: FIGURES[kind].draw(of, width=area), width).chart
    cut = {text for text in written(chart) if "…" in text}
    assert {text[-3:] for text in cut} == {name[-3:] for name in few}
    assert not [text for text in cut if text.endswith("…")]


def test_names_that_would_lie_over_each_other_are_upright() -> None:
    metrics = [f"a metric with a long name {at}" for at in range(5)]
    of = subject_of(table(LONG, metrics))
    chart = fitted(lambda area: FIGURES["ranks"].draw(of, width=area), 317).chart
    assert {clipped(name, 20) for name in metrics} <= set(written(chart))
    axes = [layer["encoding"]["x"]["axis"] for layer in chart["layer"]]
    assert {axis["labelAngle"] for axis in axes} == {-90}


def test_names_beside_points_are_cut_and_tooltips_have_all() -> None:
    drawn = spec("tradeoff", subject_of(table(LONG)))
    rows = data(drawn, SHORT)
    assert rows
    assert all(row[SHORT] == clipped(row["system"], BESIDE) != row["system"] for row in rows)
    assert all(row["system"] in LONG for row in rows)


@pytest.mark.parametrize("kind", ["bars", "tradeoff", "confusion", "differences"])
def test_names_of_letters_that_take_two_places_can_be_drawn(kind: str) -> None:
    names = [f"{FACES}{at}" for at in range(9)]
    drawn = FIGURES[kind].draw(subject(kind, names))
    assert any("…" in text for text in written(drawn))


def test_the_letters_that_fit() -> None:
    assert letters(["plain"], 62.0) == 10
    wide = letters(["\u6f22" * 30], 62.0)
    assert text_width(clipped("\u6f22" * 30, wide)) <= 62 < text_width(clipped("\u6f22" * 30, wide + 1))
    assert letters(LONG, 1.0) == 5


def test_what_is_cut_already_is_not_made_longer() -> None:
    assert shorter_labels(short_labels(18), 30) == short_labels(18)
    assert shorter_labels({"title": None, **short_labels(18)}, 9) == {"title": None, **short_labels(9)}
    assert shorter_labels({}, 99) == short_labels(LONGEST)


@pytest.mark.parametrize("kind", FIGURES)
def test_no_name_is_cut_to_a_width(kind: str) -> None:
    if kind == "weights":
        return
    result = json.dumps(spec(kind, subject(kind, LONG), theme=None))
    assert set(re.findall(r'"(?:limit|labelLimit)": (\d+)', result)) <= {"0"}
