"""The script about the Unanimous Improvement Ratio: by hand on made scores, and as printed in its README where the data are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from plumbline.comparison.cube import Cube
from tests.helpers import reproductions as reproduced
from tests.helpers.reproductions import VARIABLE, cube
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("unanimity")


@pytest.fixture(scope="module")
def scores() -> ModuleType:
    """Its other half."""
    return reproduced.script("unanimity_scores")


@pytest.fixture(scope="module")
def made(scores: ModuleType) -> Any:
    """Eight cases. s0 is above s1 by both metrics on all; s2 has the precision of neither and the best recall."""
    step = np.linspace(0.0, 0.07, 8)
    values = [[0.6 + step, 0.5 + step, 0.2 + step], [0.6 + step, 0.5 + step, 0.9 + step]]
    return scores.Collection("made", cube(values))


def test_pairs_are_those_of_the_paper(made: Any) -> None:
    """Pairs 01, 02, 12: UIR 1, 0, 0; the first is better for every alpha, the others are opposite in both tests."""
    assert made.uir.tolist() == [1, 0, 0]
    assert made.always.tolist() == [1, 0, 0]
    assert made.kind.tolist() == [1, 2, 2]
    assert made.means(np.array([True, False, False])) == pytest.approx((1, 0.1, 1.0))
    assert made.means(np.zeros(3, dtype=np.bool_))[0] == 0


def test_thresholds_take_pairs_in_the_direction_of_uir(made: Any) -> None:
    assert made.beyond(0.25) == pytest.approx({"accepted": 1 / 3, "opposite": 0, "concordant": 1, "all": 1, "F": 1})
    assert made.beyond(0.0)["accepted"] == 1
    assert made.beyond(0.0)["opposite"] == pytest.approx(2 / 3)
    assert made.beyond(0.0)["F"] == pytest.approx(1 / 3)  # without unanimity there is no direction


def test_numbers_are_printed_beside_those_of_the_paper(script: ModuleType, made: Any) -> None:
    lines = script.table5([made])
    assert lines[2].endswith("| 28 | 0.12 | 0.53 | 125 | 0.13 | 0.14 | F -0.01, UIR +0.39 |")
    assert lines[3].startswith("| made | 3 | 8 | 3 | 1 | 0.10 | 1.00 | 2 |")
    assert len(script.table6([made])) == len(script.figure10([made])) == 4
    assert len(script.halves([made], 2)) == 3


def test_no_weighting_of_more_metrics_contradicts_either(scores: ModuleType) -> None:
    values = np.array([[[0.6, 0.6], [0.5, 0.5]], [[0.6, 0.6], [0.5, 0.5]], [[0.6, 0.6], [0.6, 0.6]]])
    three = scores.Collection("made", Cube(("a", "b", "c"), ("s", "t"), ("1", "2"), values, np.zeros(3, dtype=np.bool_)))
    assert three.always.tolist() == [1]
    values[2, 1] = 0.7
    three = scores.Collection("made", Cube(("a", "b", "c"), ("s", "t"), ("1", "2"), values, np.zeros(3, dtype=np.bool_)))
    assert three.always.tolist() == [0]


def test_section_7_on_made_test_beds(script: ModuleType) -> None:
    rng = np.random.default_rng(2)
    beds = {name: cube(rng.random((2, 4, 6))) for name in ("D01", "D02")}
    lines = script.section7(beds)
    assert lines[0].startswith("- 4 systems, 6 pairs, 2 test beds")
    assert len(lines) == 4 + 2 + 6


@pytest.mark.slow
def test_the_readme_shows_what_is_printed(script: ModuleType) -> None:
    for name in ("replab2013_topic_detection", "weps", "robust2003", "urbano_topic_by_system"):
        shared("data", name)
    actual = reproduced.scored_collections()
    readme = reproduced.readme()
    assert script.report(actual, splits=0) in readme
    assert script.halves(actual[:1])[-1] in readme


def test_without_data_it_says_what_to_set(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert script.main() == 1
    assert VARIABLE in capsys.readouterr().err
