"""The script about filtering measures: by hand on made files, and as printed in its README where the data are."""

from __future__ import annotations

import lzma
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers import reproductions as reproduced
from tests.helpers.reproductions import VARIABLE
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> Any:
    """The script as a module."""
    return reproduced.script("filtering")


@pytest.fixture(scope="module")
def outputs(script: ModuleType) -> Any:
    """Its other half."""
    return sys.modules[script.collections.__module__]


@pytest.fixture
def reviews(outputs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two topics with four documents, of which one and two are relevant; one run has a tag for each topic."""
    monkeypatch.setattr(outputs, "CUTS", (None, 1))
    (tmp_path / "runs").mkdir()
    files = {
        "qrel_abs_test.txt.xz": "t 0 a 1\nt 0 b 0\nt 0 c 0\nt 0 d 0\nu 0 a 1\nu 0 b 1\nu 0 c 0\nu 0 d 0\n",
        "runs/amc.run.xz": "t NF a 1 3 1\nt NF b 2 2 1\nu NF c 1 9 2\nu NF a 2 1 2\n",
        "runs/iiit.run1.xz": "u AF b 1 3 x\nu AF a 2 2 x\nu AF d 3 1 x\n",
        "runs/iiit.run2.xz": "u AF b 1 3 x\nu AF a 2 2 x\nu AF d 3 1 x\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(lzma.compress(text.encode()))
    return outputs.reviews(tmp_path)


def labels(frame: Any) -> str:
    """The labels in the order of the gold."""
    return "".join(str(label) for label in frame["label"])


def test_rankings_become_filters(reviews: Any) -> None:
    assert labels(reviews.gold) == "10001100"
    assert {name: labels(frame) for name, frame in reviews.systems.items()} == {
        "amc.run": "11001010",
        "amc.run, first 1": "10000010",
        "iiit.run1": "00001101",
        "iiit.run1, first 1": "00000100",
    }


def test_baselines_ignore_the_gold(outputs: Any, reviews: Any) -> None:
    actual = reviews.with_baselines(random=True).systems
    assert labels(actual[outputs.ZERO]) == "00000000"
    assert labels(actual[outputs.PLACEBO]) == "11111111"
    assert labels(actual[outputs.RANDOM]) == labels(reviews.with_baselines(random=True).systems[outputs.RANDOM])
    assert outputs.RANDOM not in reviews.with_baselines(random=False).systems


def test_systems_that_beat_all_baselines_are_counted(script: ModuleType, reviews: Any) -> None:
    actual = script.found_on(reviews)
    accuracy = actual.means("Accuracy")
    assert accuracy["iiit.run1"] == pytest.approx(3 / 4)
    assert accuracy["zero output"] == pytest.approx((3 / 4 + 2 / 4) / 2)
    assert accuracy["amc.run, first 1"] == pytest.approx((4 / 4 + 1 / 4) / 2)
    floor = max(accuracy[name] for name in ("zero output", "placebo", "random"))
    assert set(actual.beating("Accuracy")) == {name for name, value in accuracy.items() if value > floor}
    assert 0 < len(actual.beating("Accuracy")) < 4
    assert "| iiit.run1 | 0.75* |" in "\n".join(script.figure_12(actual))


def test_annotators_are_the_cases(outputs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "FEWEST_ITEMS", 2)
    (tmp_path / "submissions").mkdir()
    (tmp_path / "truth.txt").write_text("#id\tlabel\n1_1_A\t0\n1_2_A\t1\n2_1_B\t1\n", encoding="utf-8")
    (tmp_path / "submissions" / "7.txt").write_text("1_2_A 0\n1_1_A 1\n2_1_B 1\n", encoding="utf-8")
    actual = outputs.arguments(tmp_path)
    assert actual.gold["case"].to_list() == ["A", "A"]
    assert labels(actual.gold) == "01"
    assert labels(actual.systems["7"]) == "10"


def test_the_readme_shows_what_is_printed(script: ModuleType) -> None:
    for name in ("clef_tar2017", "semeval2018_task12"):
        shared("data", name)
    printed = script.report([script.found_on(filters) for filters in script.collections(shared("data"))])
    assert printed in reproduced.readme()


def test_without_data_it_says_what_to_set(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert script.main() == 1
    assert VARIABLE in capsys.readouterr().err
