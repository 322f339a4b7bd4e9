"""`--per-case FOLDER/` writes a file for each system, which compare, meta and report take as they take one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline as pb
from plumbline.cli.commands.evaluate import with_folder
from tests.helpers.command_line import plumbline, write_pair

if TYPE_CHECKING:
    from pathlib import Path

WORSE = "q1 Q0 d2 1 3.0 other\nq2 Q0 d4 1 2.0 other\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gold and two systems in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_pair(tmp_path)
    (tmp_path / "worse.run").write_text(WORSE, encoding="utf-8")


def evaluate(*options: str) -> tuple[int, str, str]:
    ended = plumbline("evaluate", "qrels.txt", "run.txt", "worse.run", "-m", "AP", "-m", "P@1", *options)
    return ended.code, ended.out, ended.err


def test_means_are_printed_and_cases_are_in_the_folder(tmp_path: Path) -> None:
    assert evaluate("--per-case", "scores/") == evaluate()
    assert [file.name for file in sorted((tmp_path / "scores").iterdir())] == ["part-00000.parquet", "part-00001.parquet"]
    assert evaluate("-o", "scores.parquet")[0] == 0
    assert pb.load("scores").to_json() == pb.load("scores.parquet").to_json()
    for command in ("compare", "meta"):
        folder, file = plumbline(command, "scores/"), plumbline(command, "scores.parquet")
        assert (folder.code, folder.out, folder.err) == (file.code, file.out, file.err)
    assert "E165" in plumbline("compare", "AP=scores/").err
    assert plumbline("compare", "scores", "-m", "AP").out.count("P@1") == 0
    assert plumbline("report", "scores/", "-o", "page.html").code == 0
    assert "worse" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    assert evaluate("--per-case", "scores/")[0] == 0
    before = {file: file.read_bytes() for file in (tmp_path / "scores").iterdir()}
    for words in (("--per-case", "scores/"), ("--per-case", "scores"), ("--per-case=scores",)):
        code, out, err = evaluate(*words)
        assert (code, out) == (2, "")
        assert "E011" in err
    assert before == {file: file.read_bytes() for file in (tmp_path / "scores").iterdir()}
    assert evaluate("--per-case=scores", "--force")[0] == 0
    assert before == {file: file.read_bytes() for file in (tmp_path / "scores").iterdir()}


def test_a_folder_with_other_files_is_refused_even_if_forced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    code, _, err = evaluate("--per-case", "mine/", "--force")
    assert code == 2
    assert "E193" in err
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["--per-case", "gold.txt", "run"], ["--per-case", "gold.txt", "run"]),
        (["a", "--per-case"], ["a", "--per-case"]),
        (["--per-case", "-q"], ["--per-case", "-q"]),
        (["--per-case", "out/", "gold.txt"], ["--per-case-to=out/", "gold.txt"]),
        (["--per-case=out", "gold.txt"], ["--per-case-to=out", "gold.txt"]),
        (["--per-case", "s3://bucket/out"], ["--per-case-to=s3://bucket/out"]),
        (["--", "--per-case", "out/"], ["--", "--per-case", "out/"]),
    ],
)
def test_only_a_folder_follows_the_option(typed: list[str], read: list[str]) -> None:
    assert with_folder(typed) == read


def test_a_settings_file_may_print_cases_but_not_choose_a_folder(tmp_path: Path) -> None:
    settings = tmp_path / "pyproject.toml"
    settings.write_text("[tool.plumbline.evaluate]\nper_case = true\n")
    assert "q1" in evaluate()[1]
    settings.write_text('[tool.plumbline.evaluate]\nper_case_to = "elsewhere"\n')
    code, _, err = evaluate()
    assert code == 2
    assert "not taken from a file" in err
    assert not (tmp_path / "elsewhere").exists()
