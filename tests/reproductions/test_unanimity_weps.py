"""The script about systems of WePS: by hand on made scores, and as printed in its README where the data are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.helpers import reproductions as reproduced
from tests.helpers.reproductions import VARIABLE, cube
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("unanimity_weps")


def test_multiples_are_those_of_rounded_parts(script: ModuleType) -> None:
    assert script.multiples((0.33, 0.67, 1.0, 0.5), 3) == 3
    assert script.multiples((0.33, 0.5), 2) == 1
    assert script.multiples(script.TABLE7, 31) == len(script.TABLE7) == 14


def test_averages_are_one_more_case_of_two_decimals(script: ModuleType) -> None:
    actual = script.rounded(cube([[[0.111, 0.222]], [[0.5, 0.996]]]))
    assert actual.tolist() == [[[0.11, 0.22, 0.17]], [[0.5, 1.0, 0.75]]]


def test_the_baselines_are_alone_together_and_both(script: ModuleType, tmp_path: Path) -> None:
    """Two items of one class and one of another: alone recall suffers, together purity does."""
    gold, systems = "a\t1\tx\na\t2\tx\na\t3\ty\n", "s\ta\t1\t1\ns\ta\t2\t1\ns\ta\t3\t2\n"
    folder = tmp_path / "weps_hac"
    folder.mkdir()
    for name in script.BEDS.values():
        (folder / f"{name}_gold.tsv.gz").write_text(f"case\titem\tcluster\n{gold}", encoding="utf-8")
        (folder / f"{name}_systems.tsv.gz").write_text(f"system\tcase\titem\tcluster\n{systems}", encoding="utf-8")
    beds = script.scored(tmp_path)
    made = beds["WePS-2"]
    assert made.systems == ("s", "B1", "B100", "BCOMB")
    means = {name: made.means[:, at].tolist() for at, name in enumerate(made.systems)}
    assert means["s"] == [1, 1, 1, 1]
    assert means["B1"] == pytest.approx([1, 2 / 3, 1, 2 / 3])
    assert means["B100"] == pytest.approx([2 / 3, 1, 5 / 9, 1])
    assert script.without_baselines(made).systems == ("s",)
    assert script.baselines(beds)[-1].startswith("| WePS-2, F(BCubedP,BCubedR) | 0.80 | 0.71 |")


def test_pairs_point_to_where_f_grows(script: ModuleType) -> None:
    values = np.random.default_rng(3).random((2, 6, 5))
    pairs = script.Pairs(replace(cube(values), metrics=script.PURITY))
    f = (2 * values[0] * values[1] / values.sum(axis=0)).mean(axis=1)
    assert (f[pairs.better] >= f[pairs.worse]).all()
    assert pairs.gain == pytest.approx(f[pairs.better] - f[pairs.worse])
    assert (pairs.share[pairs.always] == 1).all()


@pytest.mark.slow
def test_the_readme_shows_what_is_printed(script: ModuleType) -> None:
    shared("data", "weps_hac")
    assert script.report(script.scored(shared("data"))) in reproduced.readme()


@pytest.mark.parametrize("some", [False, True])
def test_without_data_it_says_what_is_missing_and_where_it_comes_from(
    some: bool,  # noqa: FBT001
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if some:
        (tmp_path / "data" / "weps").mkdir(parents=True)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert script.main() == 1
    message = capsys.readouterr().err
    assert VARIABLE in message
    assert "weps_hac: clusterings of the pages in GitHub pku601/WePS2Clustering" in message
