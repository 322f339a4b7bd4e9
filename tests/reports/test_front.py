"""Front matter: introduction, date, logo, links and teams from the top of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plumbline import BadUsage, report
from tests.helpers.command_line import plumbline
from tests.helpers.page_reader import read_page

if TYPE_CHECKING:
    from pathlib import Path

SCORES = "system,case,AP\nnew,q1,0.5\nnew,q2,0.6\nold,q1,0.4\nold,q2,0.3\n"
PIXEL = b"\x89PNG\r\n\x1a\n"
PART = "[[part]]\nscores = 'scores.csv'\n"


def plan(folder: Path, top: str) -> Path:
    """A plan with these lines at its top."""
    (folder / "scores.csv").write_text(SCORES, encoding="utf-8")
    (folder / "logo.png").write_bytes(PIXEL)
    (folder / "plan.toml").write_text(f"{top}\n{PART}", encoding="utf-8")
    return folder / "plan.toml"


def test_it_stands_before_the_results(tmp_path: Path) -> None:
    top = """
introduction = '''
Two <b>runs</b>.

Nothing else.'''
date = 2026-03-01
logo = "logo.png"
links = {"the task" = "https://example.org/task?a=1&b=2"}
teams = {new = "Team A", nobody = "Team B"}
"""
    page = read_page(report(plan(tmp_path, top), tmp_path / "page.html").read_text(encoding="utf-8"))
    text = page.text()
    assert text.index("2026-03-01") < text.index("Two <b>runs</b>.") < text.index("Nothing else.") < text.index("Verdict")
    assert "https://example.org/task?a=1&b=2" in page.addresses()
    assert [facts["src"] for tag, facts in page.tags if tag == "img"] == ["data:image/png;base64,iVBORw0KGgo="]
    names = {row[1].text: row[1].small for row in page.tables["table-board"][1:]}
    assert names == {"new": ["Team A"], "old": []}
    assert "Team B" not in text


@pytest.mark.parametrize(
    ("top", "reason"),
    [
        ("introduction = 3", "introduction = 3 is not text"),
        ("date = 3", "date = 3 is neither a date nor text"),
        ("links = ['a']", "links is not a table of texts"),
        ("links = {a = 'javascript:alert(1)'}", "does not start with https://"),
        ("teams = {a = 1}", "teams is not a table of texts"),
        ("logo = 'scores.csv'", "is not a picture"),
        ("logo = 'gone.png'", "No such file"),
        ("intro = 'x'", "unknown key 'intro'; it has title, introduction, date, logo, links, teams and part"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, top: str, reason: str) -> None:
    with pytest.raises(BadUsage, match=reason.replace("(", r"\(")):
        report(plan(tmp_path, top), tmp_path / "page.html")


FRONT = "title = 'Our task'\nintroduction = 'Two runs.'\nteams = {new = 'Team A'}\nlogo = 'logo.png'\n"


def test_a_report_without_a_plan_has_front_matter_from_a_file(tmp_path: Path) -> None:
    path = plan(tmp_path, FRONT)
    (tmp_path / "front.toml").write_text(FRONT, encoding="utf-8")
    ended = plumbline("report", f"{tmp_path}/scores.csv", "--front", f"{tmp_path}/front.toml", "-o", f"{tmp_path}/shell.html")
    assert ended.code == 0, ended.err
    report(tmp_path / "scores.csv", tmp_path / "python.html", front=tmp_path / "front.toml")
    report(path, tmp_path / "plan.html")
    pages = [read_page((tmp_path / f"{name}.html").read_text(encoding="utf-8")) for name in ("shell", "python", "plan")]
    for page in pages:
        text = page.text()
        assert text.index("Our task") < text.index("Two runs.") < text.index("Verdict")
        assert {row[1].text: row[1].small for row in page.tables["table-board"][1:]} == {"new": ["Team A"], "old": []}
        assert [facts["src"] for tag, facts in page.tags if tag == "img"] == ["data:image/png;base64,iVBORw0KGgo="]


def test_front_matter_has_no_parts_and_a_plan_has_its_own(tmp_path: Path) -> None:
    path = plan(tmp_path, FRONT)
    with pytest.raises(BadUsage, match="unknown key 'part'; it has title, introduction, date, logo, links, teams"):
        report(tmp_path / "scores.csv", tmp_path / "page.html", front=path)
    with pytest.raises(BadUsage, match="front"):
        report(path, tmp_path / "page.html", front=path)
    refused = plumbline("report", str(path), "--front", str(path), "-o", f"{tmp_path}/page.html")
    assert (refused.code, "--front has no effect on a plan" in refused.err) == (2, True)
