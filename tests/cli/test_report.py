"""plumbline report"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.command_line import QRELS, RUN, plumbline
from tests.helpers.page_reader import read_page

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "a b.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "other.run").write_text(RUN.replace("3.0", "0.5"), encoding="utf-8")
    return tmp_path


def test_the_page_says_how_it_was_made(folder: Path) -> None:
    page = folder / "report.html"
    paths = [folder / "qrels.txt", folder / "a b.run", folder / "other.run"]
    ended = plumbline("report", *paths, "-m", "AP", "-o", page, "--ties", "average", "--title", "Two <runs>")
    assert ended.code == 0, ended.err
    assert str(page) in ended.out
    read = read_page(page.read_text(encoding="utf-8"))
    assert read.headings[0] == (1, "Two <runs>")
    command = f"plumbline report {paths[0]} '{paths[1]}' {paths[2]} -m AP -o {page} --ties average --title 'Two <runs>'"
    assert command in read.text()
    settings = {row[0].text: row[1].text for row in read.tables["table-settings"]}
    assert settings["policy: ties"] == "average"
    assert [row[0].text for row in read.tables["table-files"][1:]] == [str(path) for path in paths]


def test_a_page_is_not_overwritten_before_it_is_asked_for(folder: Path) -> None:
    page = folder / "report.html"
    page.write_text("mine", encoding="utf-8")
    ended = plumbline("report", folder / "qrels.txt", folder / "other.run", "-o", page)
    assert ended.code == 2
    assert "--force" in ended.err
    assert page.read_text(encoding="utf-8") == "mine"


def test_without_the_extra_it_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in {"altair", "vl_convert"}:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    ended = plumbline("report", folder / "qrels.txt", folder / "other.run", "-o", folder / "report.html")
    assert ended.code == 2
    assert "pip install 'plumbline[report]'" in ended.err


def test_without_half_of_the_extra_it_says_so_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.reports.report.find_spec", lambda _: None)
    ended = plumbline("report", folder / "qrels.txt", folder / "other.run", "-o", folder / "report.html")
    assert ended.code == 2
    assert "pip install 'plumbline[report]'" in ended.err


def test_options_of_evaluation_are_refused_with_scores(folder: Path) -> None:
    (folder / "scores.csv").write_text("system,case,metric,value\na,q1,AP,0.5\nb,q1,AP,0.6\n", encoding="utf-8")
    ended = plumbline("report", folder / "scores.csv", "--floor", "-o", folder / "report.html")
    assert ended.code == 2
    assert "--floor goes with a GOLD and SYSTEMs" in ended.err


def test_options_without_effect_on_a_plan_are_refused(folder: Path) -> None:
    (folder / "plan.toml").write_text("[[part]]\nscores = 'scores.csv'\n", encoding="utf-8")
    ended = plumbline("report", folder / "plan.toml", "-m", "AP", "-o", folder / "report.html")
    assert ended.code == 2
    assert "--metric" in ended.err


def test_nothing_to_report_is_a_usage_error() -> None:
    assert plumbline("report", "-o", "x.html").code == 2
