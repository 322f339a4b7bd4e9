"""The demo: every part of the collection is the same each time, and shows what the tour says about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plumbline import evaluate, losses
from plumbline.demo.alerts import BRANDS, MONITORS, write_alerts
from plumbline.demo.tour import TOUR
from plumbline.io.compose import Composed
from program import plumbline

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_alerts(tmp_path)
    return tmp_path


def test_the_tour_shows_every_command_with_its_output(tmp_path: Path) -> None:
    ended = plumbline("demo", tmp_path / "demo")
    assert ended.code == 0
    steps = ended.out.split("$ plumbline ")[1:]
    assert [step.splitlines()[0] for step in steps] == [line for _, line in TOUR]
    assert all(len(step.splitlines()) > 2 for step in steps)
    for words in ("wrong order", "broken cluster", "the first 30 positions carry 0.8"):
        assert words in ended.out
    assert "Traceback" not in ended.err
    assert sorted(path.name for path in (tmp_path / "demo" / "alerts").iterdir()) == [
        "grouped.json",
        "noisy.json",
        "ordered.json",
        "scored.run",
        "short.json",
        "topics.tsv",
    ]


def test_the_steps_about_alerts_are_short(tmp_path: Path) -> None:
    ended = plumbline("demo", tmp_path / "demo")
    steps = [step for step in ended.out.split("$ plumbline ")[1:] if "alerts" in step.splitlines()[0]]
    assert len(steps) == 3
    assert all(len(step.splitlines()) <= 22 for step in steps)


def test_the_alerts_are_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    names = write_alerts(tmp_path / "again")
    assert all((folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names)
    write_alerts(tmp_path / "other", seed=1)
    assert (folder / "alerts.json").read_bytes() != (tmp_path / "other" / "alerts.json").read_bytes()


def test_the_files_are_fine_and_some_topics_overlap(folder: Path) -> None:
    paths = [folder / "alerts.json", *(folder / "alerts" / f"{name}.json" for name in MONITORS)]
    ended = plumbline("check", "--task", "organization", "--strict", *paths)
    assert ended.code == 0, ended.out
    gold = json.loads(paths[0].read_text(encoding="utf-8"))
    assert [one["case"] for one in gold] == list(BRANDS)
    posts = [[post for level in one["levels"] for topic in level for post in topic] for one in gold]
    assert 0 < sum(len(set(own)) < len(own) for own in posts) < len(BRANDS)


def test_each_system_fails_as_it_is_meant_to(folder: Path) -> None:
    gold, systems = folder / "alerts.json", [folder / "alerts" / f"{name}.json" for name in MONITORS]
    found = losses(gold, systems).mean
    most = {
        name: max((row["lost"], row["cause"]) for row in found.iter_rows(named=True) if row["system"] == name)[1]
        for name in MONITORS
    }
    assert most == {"ordered": "broken cluster", "grouped": "wrong order", "short": "missing item", "noisy": "extra item"}


def test_the_composition_is_a_system_of_its_own(folder: Path) -> None:
    scored = Composed(folder / "alerts" / "scored.run", folder / "alerts" / "topics.tsv")
    scores = evaluate(folder / "alerts.json", [scored], "Rel(over=related)", task="organization")
    assert scores.ordered_systems == ["scored"]
    assert 0.9 < scores.mean["value"][0] <= 1
