"""The script about the figures of the Unanimous Improvement Ratio: by hand on made scores, and as printed in its README."""

from __future__ import annotations

import gzip
from statistics import correlation, mean
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.helpers import reproductions as reproduced
from tests.helpers.reproductions import VARIABLE, cube
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from plumbline.comparison.cube import Cube


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("unanimity_figures")


@pytest.fixture(scope="module")
def beds() -> ModuleType:
    """Where its test beds come from."""
    return reproduced.script("unanimity_beds")


@pytest.fixture(scope="module")
def made() -> Any:
    """Twelve systems on nine cases at random, so that some pairs improve in both metrics."""
    values = np.random.default_rng(4).random((2, 12, 9)) * 0.4 + np.linspace(0.1, 0.5, 12)[None, :, None]
    return reproduced.script("unanimity_scores").Collection("made", cube(values))


def slowly(cube_: Cube) -> list[tuple[float, float, float, float]]:
    """For each pair, in the direction in which F grows: UIR, weakest and strongest improvement, difference of F; by loops."""
    parameters = []
    both = cube_.values.tolist()
    for a in range(len(cube_.systems)):
        for b in range(a):
            f = [mean(2 * p * r / (p + r) for p, r in zip(both[0][one], both[1][one], strict=True)) for one in (a, b)]
            up, down = (a, b) if f[0] > f[1] else (b, a)
            better = [mean(metric[up]) - mean(metric[down]) for metric in both]
            cases = [[metric[up][case] >= metric[down][case] for metric in both] for case in range(len(cube_.cases))]
            uir = (sum(all(one) for one in cases) - sum(not any(one) for one in cases)) / len(cases)
            parameters.append((uir, min(better), max(better), abs(f[0] - f[1])))
    return parameters


def test_figure_7_by_loops(script: ModuleType, made: Any) -> None:
    """No two scores are equal, so that a case is unanimous for one, for the other, or for none."""
    both = sorted((pair for pair in slowly(made.cube) if pair[1] > 0), key=lambda pair: -pair[3])
    assert len(both) > 10
    expected = [
        f"{correlation([pair[0] for pair in some], [pair[side] for pair in some]):.2f}"
        for some in (both[:10], both)
        for side in (1, 2, 3)
    ]
    cells = [cell.strip() for cell in script.figure7([made])[-1].split("|")]
    assert cells[2] == str(len(both))
    assert cells[3:9] == expected


def test_figure_5_by_loops(script: ModuleType, made: Any) -> None:
    pairs = [(abs(uir), gain if uir >= 0 else -gain) for uir, _, _, gain in slowly(made.cube)]
    high = [gain for uir, gain in pairs if uir >= 0.25]
    low = [gain for uir, gain in pairs if uir < 0.1]
    large = [uir for uir, _ in sorted(pairs, key=lambda pair: -abs(pair[1]))[: len(pairs) // 10]]
    cells = [cell.strip() for cell in script.figure5([made])[-1].split("|")]
    assert cells[4:7] == [f"{min(some):.2f} to {max(some):.2f}" for some in (high, large, low)]
    rows = [[cell.strip() for cell in line.split("|")] for line in script.bins([made])[2:]]
    assert sum(int(row[3]) for row in rows) == len(pairs)
    first = [gain for uir, gain in pairs if uir < 0.1]
    assert rows[0][4] == f"{min(first):.2f}".replace("-0.00", "0.00")
    assert rows[0][7] == f"{100 * sum(gain < 0 for gain in first) / len(first):.0f} %"


def test_too_few_pairs_are_said(script: ModuleType) -> None:
    two = reproduced.script("unanimity_scores").Collection("two", cube([[[0.6, 0.7], [0.1, 0.2]], [[0.1, 0.2], [0.6, 0.7]]]))
    assert script.figure7([two])[-1] == "| two | 0 | - | - | - | - | - | - | only 0 pairs |"
    assert script.figure5([two])[-1].startswith("| two | 1 |")


def test_the_left_end_counts_what_holds(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems s0 > s1 > s2 in one test bed, s1 > s0 > s2 in the other: s0 over s2 is strongest, two of three hold."""
    monkeypatch.setattr(script, "SHARES", (0.3, 1.0))
    beds = {"a": cube([[[0.9], [0.5], [0.1]]] * 2), "b": cube([[[0.5], [0.6], [0.1]]] * 2)}
    lines = script.left_end(beds)
    assert lines[2] == "| a | F difference | 1 of 1 (100 %) | 2 of 3 (67 %) |  |"
    assert lines[3] == "| a | UIR | 2 of 3 (67 %) | 2 of 3 (67 %) |  |"
    assert lines[5] == "| b | F difference | 1 of 1 (100 %) | 2 of 3 (67 %) |  |"
    assert len(lines) == 2 + 2 * 3


def test_batteries_are_read_as_they_lie(beds: ModuleType, tmp_path: Path) -> None:
    """Noise is left out, and so are other numbers of clusters, other methods, and methods that some set of data lacks."""
    folder = tmp_path / "gagolews_clusterings"
    folder.mkdir()
    head = "labels0,Genie_a__k2,Genie_b__k2,Genie_a__k3,BallHall__k2\n"
    for name, lacks in (("one_x", False), ("one_y", False), ("two_z", True)):
        rows = ["1,1,1,1,1", "1,1,2,2,1", "2,2,1,3,1", "2,1,2,3,1", "0,1,1,1,1"]
        text = head.replace("Genie_b__k2", "Genie_c__k2") if lacks else head
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress((text + "\n".join(rows) + "\n").encode()))
    actual = beds.batteries(tmp_path)
    assert {name: one.cases for name, one in actual.items()} == {"one": ("one_x", "one_y"), "two": ("two_z",)}
    assert actual["one"].systems == ("Genie_a",)
    assert actual["two"].values[:, 0, 0].tolist() == pytest.approx([3 / 4, 3 / 4])


@pytest.mark.slow
def test_the_readme_shows_what_is_printed(script: ModuleType, beds: ModuleType) -> None:
    for name in ("replab2013_topic_detection", "weps", "robust2003", "urbano_topic_by_system", "gagolews_clusterings"):
        shared("data", name)
    folder = shared("data")
    assert script.report(reproduced.scored_collections(), beds.batteries(folder)) in reproduced.readme()


def test_without_data_it_says_what_to_set(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert script.main() == 1
    assert VARIABLE in capsys.readouterr().err
