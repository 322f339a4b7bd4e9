"""The scripts in reproductions: by hand on small tables, and as printed in their README where the data are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.helpers.reproductions import VARIABLE, readme, script
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def table8() -> ModuleType:
    """The script as a module."""
    return script("relations_table8")


def test_strictness_is_the_greatest_fall_over_all_outputs(table8: ModuleType) -> None:
    """Two systems on two topics: what `a` ranks 4 of 4, `b` ranks 1 and `c` 3.5."""
    values = {
        "a": np.array([[0.9, 0.2], [0.3, 0.4]]),  # ranks 4 1 2 3
        "b": np.array([[0.1, 0.2], [0.3, 0.4]]),  # ranks 1 2 3 4
        "c": np.array([[0.5, 0.1], [0.2, 0.5]]),  # ranks 3.5 1 2 3.5
    }
    actual = table8.strictness(table8.Outputs("made", values), ("a", "b", "c"), ("b", "c"))
    assert actual == {"a": (-3 / 4, "b"), "b": (-1 / 4, "c"), "c": (-2.5 / 4, "b")}


def test_robustness_is_the_mean_over_pairs_of_topics(table8: ModuleType) -> None:
    """Topics 1 and 2 agree, 3 says the opposite, 4 says nothing: (1 - 1 - 1) / 3."""
    values = np.array([[0.1, 0.2, 0.9, 0.5], [0.2, 0.3, 0.8, 0.5], [0.7, 0.4, 0.1, 0.5]])
    value, left_out = table8.robustness(values)
    assert value == pytest.approx(-1 / 3, abs=1e-12)
    assert left_out == 1


def test_short_runs_take_no_part(table8: ModuleType, tmp_path: Path) -> None:
    """Of three made runs one has only one document for a topic."""
    gold = tmp_path / "gold.txt"
    gold.write_text("".join(f"{topic} 0 d{number} {number % 3}\n" for topic in "12" for number in range(6)), encoding="utf-8")
    runs = {}
    for system, depth in (("long", 3), ("short", 1), ("longer", 4)):
        runs[system] = tmp_path / f"{system}.run"
        lines = (
            f"{topic} Q0 d{(number + len(system)) % 6} 1 {9 - number} {system}\n" for topic in "12" for number in range(depth)
        )
        runs[system].write_text("".join(lines), encoding="utf-8")
    actual = table8.outputs("made", gold, runs, depth=3)
    assert actual.shape == (2, 2)
    assert set(actual.values) == set(table8.MEASURES)
    assert actual.without(1).shape == (2, 1)


@pytest.mark.slow
def test_the_readme_shows_what_is_printed(table8: ModuleType) -> None:
    for name in ("robust2003", "trec_covid_round1", "dl_hard"):
        shared("data", name)
    printed = table8.report(table8.collections(shared("data")))
    assert printed in readme()


def test_without_data_it_says_what_to_set(
    table8: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert table8.main() == 1
    assert VARIABLE in capsys.readouterr().err
