"""Defaults of commands in pyproject.toml and in the environment."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from plumbline.cli.catalogue import command_names, load_command
from plumbline.cli.settings import is_typed_only, setting_name
from tests.helpers.command_line import plumbline, process, write_pair

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
        ("[tool.plumbline.xyz]\nties = 'id'", "no command 'xyz'; there are evaluate, compare"),
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


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("quiet = [1]", "'quiet' is true or false"),
        ("judged_only = 1", "'judged_only' is true or false"),
        ("format = ['csv']", "'format' is text or a number\n"),
        ("ties = {a = 1}", "'ties' is text or a number\n"),
        ("metric = [['AP']]", "'metric' is text or a number, or a list of these"),
        ("format = true", "there is no output format 'true'"),
        ("depth = 1.5", "'1.5' is not a valid integer"),
        ("rel = nan", "nan is not a finite number"),
    ],
)
def test_a_setting_of_the_wrong_type(settings: str, words: str, files: Files) -> None:
    Path("pyproject.toml").write_text(f"[tool.plumbline.evaluate]\n{settings}\n", encoding="utf-8")
    ended = plumbline("evaluate", *files)
    assert ended.code == 2
    assert words in ended.err


@pytest.mark.parametrize("value", ["[1]", "{a = 1}", "1.5", "true", "-1", "2020-01-01"])
@pytest.mark.parametrize("command", ["evaluate", "compare", "meta"])
def test_any_setting_of_any_type_is_taken_or_refused(
    command: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in load_command(command).params:
        if isinstance(option, click.Option) and not is_typed_only(option) and option.name != "help":
            Path("pyproject.toml").write_text(
                f"[tool.plumbline.{command}]\n{setting_name(option)} = {value}\n", encoding="utf-8"
            )
            assert plumbline(command, "a", "b").code == 2, setting_name(option)


def test_settings_that_are_numbers_or_lists(files: Files) -> None:
    settings = "format = 'csv'\nmetric = 'RR'\nrel = 2\ndepth = 1\njudged_only = true\n"
    Path("pyproject.toml").write_text(f"[tool.plumbline.evaluate]\n{settings}", encoding="utf-8")
    typed = plumbline("evaluate", *files, "-m", "RR", "--format", "csv", "--rel", "2", "--depth", "1", "--judged-only")
    ended = plumbline("evaluate", *files)
    assert ended.out == typed.out != ""
    Path("pyproject.toml").write_text("[tool.plumbline.meta]\ndisagree = ['AP']\n", encoding="utf-8")
    assert "'--disagree': Takes 2 values" in plumbline("meta", *files).err


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


WRITING = (
    "output",
    "plot",
    "summary",
    "assessors",
    "parameters",
    "cases",
    "save",
    "per_case_to",
    "front",
    "also",
    "force",
    "max_bytes",
)
"""Settings that write, overwrite, bring a file into what is written, or lift a limit."""


def test_a_folder_of_somebody_else_overwrites_nothing(tmp_path: Path) -> None:
    """A file of settings that asks for a file above its folder to be overwritten, and the program as people run it."""
    folder, precious = tmp_path / "downloaded", tmp_path / ".bashrc"
    folder.mkdir()
    precious.write_text("mine\n", encoding="utf-8")
    write_pair(folder)
    (folder / "pyproject.toml").write_text('[tool.plumbline.evaluate]\noutput = "../.bashrc"\nforce = true\n', encoding="utf-8")
    ended = process("evaluate", "qrels.txt", "run.txt", cwd=folder)
    assert ended.code == 2
    assert "pyproject.toml: 'output' is not taken from a file" in ended.err
    assert precious.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize("command", list(command_names()))
def test_nothing_that_writes_or_lifts_a_limit_is_taken_from_a_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = [option for option in load_command(command).params if isinstance(option, click.Option)]
    assert {setting_name(option) for option in options} & set(WRITING) == set(map(setting_name, filter(is_typed_only, options)))
    for option in filter(is_typed_only, options):
        Path("pyproject.toml").write_text(f"[tool.plumbline.{command}]\n{setting_name(option)} = 1\n", encoding="utf-8")
        ended = plumbline(command, "a", "b")
        assert ended.code == 2
        assert f"{setting_name(option)!r} is not taken from a file" in ended.err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"plumbline = {'[' * 100_000}", "nested too deeply"),
        (f"plumbline{'.a' * 2_000} = 1", "more than 32 parts"),
        (f"plumbline = 1\n[{' . '.join(['a'] * 2_000)}]", "more than 32 parts"),
        ("plumbline = { " + '"a.".b.' * 1_000 + "c = 1 }", "more than 32 parts"),
        ("plumbline = 1\n" + "#" * 2**20, "more than 1,048,576 bytes"),
    ],
)
def test_settings_that_would_take_all_memory(text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(text, encoding="utf-8")
    ended = plumbline("metrics", "AP")
    assert ended.code == 2
    assert reason in ended.err
    assert len(ended.err) < 2_000


def test_a_file_about_other_tools_is_not_our_business(files: Files) -> None:
    Path("pyproject.toml").write_text("[tool.other\nbroken", encoding="utf-8")
    assert plumbline("evaluate", *files).code == 0
