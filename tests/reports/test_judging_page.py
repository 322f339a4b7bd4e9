"""The page for assessors in a browser, by keyboard alone; skipped where there is no chromium."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import plumbline
from tests.helpers.browser import chromium, opened
from tests.helpers.report_pages import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

chromium()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Three items, the last one hostile."""
    hostile = "<img src=x onerror=alert(1)></script>"
    texts = {"d1": "first", "d2": "second", hostile: hostile}
    pages = plumbline.judge(
        {"q1": ["d1", "d2"], HOSTILE[0]: [hostile]},
        texts,
        topics={"q1": "What?"},
        grades="0 no,1 partly,2 yes",
        known={"q1": {"d2": 2}},
    )
    return pages.write(tmp_path / "judge.html")[0]


def rows(text: str) -> list[dict[str, str]]:
    """A table of judgements."""
    return list(csv.DictReader(StringIO(text, newline="")))


def test_judging_by_keyboard_alone(browser: Browser, page: Path) -> None:
    with opened(browser, page) as visit:
        board, shown = visit.page.keyboard, visit.page.locator("#text")
        board.press("Tab")
        board.type("Anna 2")
        board.press("Enter")
        assert visit.page.locator("#topic").inner_text() == "What?"
        seen = [shown.inner_text()]
        board.press("2")
        seen.append(shown.inner_text())
        board.press("s")
        assert shown.inner_text() == "<img src=x onerror=alert(1)></script>"
        board.press("b")
        board.press("n")
        board.type('hard, "very" 1')
        board.press("Escape")
        board.press("1")
        board.press("b")
        assert visit.page.locator("[aria-pressed=true]").inner_text().startswith("partly")
        assert "2 of 3 judged" in visit.page.locator("#progress").inner_text()
        with visit.page.expect_download() as waiting:
            board.press("e")
        table = rows(Path(waiting.value.path()).read_bytes().decode())
        assert waiting.value.suggested_filename == "judgements-Anna_2.csv"
        assert sorted(seen) == ["first", "second"]
        assert [row["grade"] for row in table] == ["2", "1"]
        assert {row["assessor"] for row in table} == {"Anna 2"}
        assert list(table[0]) == ["case", "item", "assessor", "grade", "seconds", "when", "gold", "note"]
        assert {row["item"]: row["gold"] for row in table} == {"d1": "", "d2": "2"}
        assert table[1]["note"] == 'hard, "very" 1'
        assert all(float(row["seconds"]) >= 0 and row["when"].endswith("Z") for row in table)
        board.press("o")
        board.press("0")
        assert "3 of 3 judged" in visit.page.locator("#progress").inner_text()
        for _ in range(20):  # a browser writes down what a page keeps a moment later
            visit.page.wait_for_timeout(500)
            visit.page.reload()
            if "3 of 3 judged" in visit.page.locator("#progress").inner_text():
                break
        assert "3 of 3 judged" in visit.page.locator("#progress").inner_text()  # kept in the browser
        assert visit.page.locator("#assessor").input_value() == "Anna 2"
        assert visit.complaints == []
        assert [url for url in visit.requests if not url.startswith(("file:", "blob:"))] == []


def test_what_comes_back_is_read_as_judgements(browser: Browser, page: Path, tmp_path: Path) -> None:
    paths = []
    for name, keys in (("Anna", "012"), ("Ben", "112")):
        with opened(browser, page) as visit:
            visit.page.locator("#assessor").fill(name)
            visit.page.keyboard.press("Enter")
            for key in keys:
                visit.page.keyboard.press(key)
            with visit.page.expect_download() as waiting:
                visit.page.keyboard.press("e")
            path = tmp_path / f"{name}.csv"
            waiting.value.save_as(path)
            paths.append(path)
    both = tmp_path / "both.csv"
    second = paths[1].read_text(encoding="utf-8").split("\n", 1)[1]
    both.write_text(paths[0].read_text(encoding="utf-8") + second, encoding="utf-8", newline="")
    agreement = plumbline.agree(str(both))
    assert agreement.to_polars() is not None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(browser: Browser, page: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core comes with axe-playwright-python")
    with opened(browser, page, bypass_csp=True, color_scheme=scheme) as visit:
        result = axe.Axe().run(visit.page).response["violations"]
        assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in result] == []
