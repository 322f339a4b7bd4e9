"""Defaults of commands in pyproject.toml and in the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.command_line import plumbline, write_pair

Files = tuple[Path, Path]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """A gold and a system, in the current folder."""
    monkeypatch.chdir(tmp_path)
    gold, run = write_pair(tmp_path)
    return gold, run


def test_settings_from_pyproject(files: Files) -> None:
    settings = '[tool.plumbline.evaluate]\nformat = "csv"\nmetric = ["RR"]\nties = "average"\n'
    Path("pyproject.toml").write_text(settings, encoding="utf-8")
    ended = plumbline("evaluate", *files)
    assert ended.out.startswith("system,case,metric,value\n")
    assert set(ended.means()) == {("run", "RR")}
    overruled = plumbline("evaluate", *files, "-m", "AP")
    assert set(overruled.means()) == {("run", "AP")}


@pytest.mark.parametrize(
    "settings", ['metrics = ["RR"]\nmissing-items = "wrong"', 'metric = ["RR"]\njudged_only = false\non-duplicate = "first"']
)
def test_settings_may_be_spelled_as_in_python_and_as_they_are_typed(settings: str, files: Files) -> None:
    Path("pyproject.toml").write_text(f"[tool.plumbline.evaluate]\nformat = 'csv'\n{settings}\n", encoding="utf-8")
    assert set(plumbline("evaluate", *files).means()) == {("run", "RR")}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            "[tool.plumbline.evalute]\nties = 'id'",
            "[tool.plumbline.evalute]: there is no command 'evalute'; did you mean evaluate?",
        ),
        ("[tool.plumbline.xyz]\nties = 'id'", "no command 'xyz'; there are compare, confusion"),
        ("[tool.plumbline]\nties = 'id'", "'ties' is directly below [tool.plumbline]"),
        ("[tool.plumbline]\nevaluate = 'id'", "'evaluate' is directly below [tool.plumbline]"),
        ("[tool]\nplumbline = 3", "plumbline is not a table"),
        ("[tool.plumbline.evaluate]\nmetric = ['AP']\nmetrics = ['RR']", "'metrics' is set twice"),
    ],
)
def test_settings_that_nothing_reads_are_refused(settings: str, words: str, files: Files) -> None:
    Path("pyproject.toml").write_text(f"{settings}\n", encoding="utf-8")
    ended = plumbline("evaluate", *files)
    assert ended.code == 2
    assert "pyproject.toml: " in ended.err
    assert words in ended.err


def test_a_broken_pyproject_is_named(files: Files) -> None:
    Path("pyproject.toml").write_text("[tool.plumbline", encoding="utf-8")
    ended = plumbline("evaluate", *files)
    assert ended.code == 2
    assert "pyproject.toml cannot be read" in ended.err


def test_a_setting_that_no_option_has(files: Files) -> None:
    Path("pyproject.toml").write_text("[tool.plumbline.evaluate]\ntie = 'average'\n", encoding="utf-8")
    ended = plumbline("evaluate", *files)
    assert ended.code == 2
    assert "evaluate has no option 'tie'" in ended.err


def test_settings_from_the_environment(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_EVALUATE_FORMAT", "csv")
    monkeypatch.setenv("PLUMBLINE_EVALUATE_METRIC", "RR P@1")
    ended = plumbline("evaluate", *files)
    assert set(ended.means()) == {("run", "RR"), ("run", "P@1")}
