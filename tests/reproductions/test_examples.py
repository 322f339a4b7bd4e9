"""The script about printed examples: single numbers by hand, and all as shown in the README; no data are needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.helpers import reproductions as reproduced

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("examples")


def test_by_hand(script: ModuleType) -> None:
    """Table 2 of 2013: 2 of 3 accepted and 4 of 5 discarded documents are right; Table 3 is BCubed."""
    lines = script.tables1_to_5()
    assert lines[3].startswith(f"| Table 2: filtering | {2 / 3 * 4 / 5:.4f} | {2 / 3 * 4 / 5:.4f} |")
    assert lines[4].startswith(f"| Table 3: clustering | {(1 + 1 + 1 + 3 * 3 / 4 + 1 / 4) / 7:.4f} |")


def test_scores_of_a_table_become_one_block(script: ModuleType) -> None:
    made = script.cube({"A": ((0.1, 0.2), (0.3, 0.4)), "B": ((0.5, 0.6), (0.7, 0.8))})
    assert made.systems == ("A", "B")
    assert made.values.tolist() == [[[0.1, 0.2], [0.5, 0.6]], [[0.3, 0.4], [0.7, 0.8]]]


def test_the_readme_shows_what_is_printed(script: ModuleType) -> None:
    assert script.report() in reproduced.readme()


def listed(title: str) -> str:
    """The part of the list that is about one document."""
    everything = reproduced.readme().partition("## Everything in the four documents")[2].partition("\n## ")[0]
    return everything.partition(f"### {title}")[2].partition("\n### ")[0]


def numbers(text: str, kind: str) -> set[int]:
    """The tables or figures that are named at the start of a row, ranges written out."""
    names: set[int] = set()
    for first, word, last in re.findall(rf"[|;] {kind}s? (\d+)(?: (to|and) (\d+))?", text):
        names |= set(range(int(first), int(last) + 1)) if word == "to" else {int(first), int(last or first)}
    return names


@pytest.mark.parametrize(("title", "tables", "figures"), [("2011", 7, 13), ("2013", 9, 1), ("2019", 4, 12)])
def test_every_table_and_figure_is_listed(title: str, tables: int, figures: int) -> None:
    text = listed(title)
    assert numbers(text, "Table") == set(range(1, tables + 1))
    assert numbers(text, "Figure") == set(range(1, figures + 1))


def test_the_list_names_scripts_that_are_there() -> None:
    named = {name for title in ("2011", "2013", "2019", "Slides") for name in re.findall(r"`(\w+\.py)`", listed(title))}
    assert len(named) == 8
    assert all((reproduced.FOLDER / name).is_file() for name in named)
