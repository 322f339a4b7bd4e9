"""The page at the widths of phones, tablets and desks, and on paper: nothing overflows, no labels overlap, colours agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from plumbline.figures.lines import colour_domain
from plumbline.figures.palette import palette
from plumbline.figures.subject import subject_of
from plumbline.figures.theme import LIGHT
from tests.helpers.browser import Visit, chromium, opened
from tests.helpers.report_pages import FIVE, made_scores, page_of, ranking_subject

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

chromium()
WIDTHS = (390, 768, 1280, 1440)
LABELS = """(kind) => [...document.querySelectorAll(`#figure-${kind} svg :is(.mark-text, .role-axis-label) text`)]
  .filter((text) => text.textContent.trim() && Number(getComputedStyle(text).opacity) > 0 && text.textContent !== "●")
  .map((text) => { const box = text.getBoundingClientRect();
    return [text.textContent, box.left, box.top, box.right, box.bottom]; })"""
BROKEN = """(chosen) => [...document.querySelectorAll(chosen)].filter((part) => part.checkVisibility()).filter((part) => {
    const range = document.createRange(); range.selectNodeContents(part);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  }).map((part) => part.textContent.trim())"""
"""The texts that take more than one line."""
NAMED = ("forest", "alpha", "tradeoff", "precision_recall", "critical_difference", "boxes", "ranks")


@pytest.fixture(scope="module")
def page(folder: Path) -> Path:
    path = folder / "layout.html"
    path.write_text(page_of(ranking_subject()), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=WIDTHS)
def visit(request: pytest.FixtureRequest, browser: Browser, page: Path) -> Iterator[Visit]:
    with opened(browser, page, width=request.param) as made:
        yield made


def _overlaps(boxes: list[list[Any]]) -> list[tuple[str, str]]:
    """Labels that cover each other by more than a pixel and a half in both directions."""
    results = []
    for at, (one, left, top, right, bottom) in enumerate(boxes):
        for other, left2, top2, right2, bottom2 in boxes[at + 1 :]:
            if min(right, right2) - max(left, left2) > 1.5 and min(bottom, bottom2) - max(top, top2) > 3.5:
                results.append((one, other))
    return results


def test_nothing_overflows_and_no_label_covers_another(visit: Visit) -> None:
    assert visit.overflow() <= 0
    assert visit.complaints == []
    board = (
        "(() => { const box = document.querySelector('#table-board .scroll'); return box.scrollWidth - box.clientWidth; })()"
    )
    assert visit.run(board) <= 1
    drawn = [kind for kind in NAMED if visit.count(f"#figure-{kind} svg")]
    assert len(drawn) >= 5
    assert {kind: _overlaps(visit.run(LABELS, kind)) for kind in drawn} == {kind: [] for kind in drawn}


def test_panels_stand_below_each_other_where_there_is_no_room(browser: Browser, folder: Path) -> None:
    path = folder / "panels.html"
    path.write_text(page_of(subject_of(made_scores(FIVE, 6, ("AP", "P@5", "RR", "R@5")))), encoding="utf-8")
    bars = "[...document.querySelectorAll('#figure-bars .mark-rect path')].map((bar) => bar.getBoundingClientRect().left)"
    labels = "[...document.querySelectorAll('#figure-bars .role-axis-label text')].map((text) => text.textContent)"
    for width, columns in ((390, 1), (768, 2), (1280, 3)):
        with opened(browser, path, width=width) as visit:
            lefts = visit.run(bars)
            assert (len(lefts), len({round(left) for left in lefts})) == (4 * len(FIVE), columns)
            assert visit.run(labels).count("one") == -(-4 // columns)
            chart = "document.querySelector('#figure-bars .chart')"
            assert visit.run(f"{chart}.scrollWidth <= {chart}.clientWidth"), width


def test_a_leaderboard_of_four_metrics_and_ten_systems_is_not_cut(browser: Browser, folder: Path) -> None:
    path = folder / "board.html"
    systems = [f"system {at}" for at in range(10)]
    scores = {
        metric: {
            name: {f"q{q}": 0.9 - 0.08 * at + 0.001 * ((q * 7 + at) % 5) for q in range(20)} for at, name in enumerate(systems)
        }
        for metric in ("AP", "nDCG@10", "RR", "P@10")
    }
    path.write_text(page_of(subject_of(scores)), encoding="utf-8")
    with opened(browser, path) as visit:
        board = "document.querySelector('#table-board .scroll')"
        assert visit.run(f"{board}.scrollWidth - {board}.clientWidth") <= 1
        visit.page.set_viewport_size({"width": 688, "height": 900})
        visit.page.emulate_media(media="print")
        assert visit.run("document.querySelector('#table-board table').getBoundingClientRect().right") <= 688


def test_no_number_button_or_setting_breaks_within_a_word(visit: Visit) -> None:
    broken = visit.run(BROKEN, ".numbers dd, .tools button, #table-settings tbody .name")
    assert [text for text in broken if not set(" -") & set(text)] == []


def test_what_scrolls_says_so(visit: Visit) -> None:
    boxes = "[...document.querySelectorAll('.chart, .scroll')].filter((box) => box.checkVisibility())"
    silent = "box.scrollWidth > box.clientWidth + 1 && !box.nextElementSibling?.matches('.more')"
    assert visit.run(f"{boxes}.filter((box) => {silent}).map((box) => box.parentElement.id)") == []


def test_a_system_has_the_same_colour_in_tables_and_figures(browser: Browser, page: Path) -> None:
    colours = palette(ranking_subject())
    rgb = {name: "rgb({}, {}, {})".format(*bytes.fromhex(LIGHT[place][1:])) for name, place in colours.items()}
    assert len(colour_domain(colours)) == len(colours)
    with opened(browser, page) as visit:
        swatches = visit.run(
            "Object.fromEntries([...document.querySelectorAll('#table-board th[data-system]')].map((cell) => "
            "[cell.dataset.system, getComputedStyle(cell.querySelector('.swatch')).color]))"
        )
        assert swatches == rgb
        for kind in ("precision_recall", "ranks"):
            lines = visit.run(
                f"[...document.querySelectorAll('#figure-{kind} .mark-line path')].map((path) => "
                "[path.__data__?.datum?.system, getComputedStyle(path).stroke])"
            )
            assert {(name, stroke) for name, stroke in lines if name in rgb} == set(rgb.items())
        marks = {"bars": ".mark-rect", "boxes": ".mark-rect", "forest": ".mark-symbol"}
        for kind, mark in marks.items():
            strokes = visit.run(
                f"[...document.querySelectorAll('#figure-{kind} {mark} :is(path, line)')].map((path) => "
                "[path.__data__?.datum?.system, getComputedStyle(path).stroke])"
            )
            assert {(name, stroke) for name, stroke in strokes if name in rgb and stroke in rgb.values()} <= set(rgb.items())
            assert {name for name, stroke in strokes if stroke == rgb.get(name)} >= set(list(rgb)[1:]), kind


def test_the_first_figure_fills_its_box_and_keeps_within(visit: Visit) -> None:
    box, chart = visit.run(
        "['.chart', '.chart svg'].map((name) => document.querySelector(`#figure-forest ${name}`).getBoundingClientRect().width)"
    )
    assert box - 17 <= chart <= box or chart == 960
    assert visit.count("#figure-forest .scrolls") == 0


def test_pointing_at_a_system_fades_the_others_and_escape_ends_it(browser: Browser, page: Path) -> None:
    faded = "document.querySelectorAll('#figure-precision_recall .faded').length"
    with opened(browser, page) as visit:
        assert visit.run(faded) == 0
        visit.page.locator("#table-board th[data-system]").first.click()
        assert visit.run(faded) > 0
        assert visit.count("#table-board tr.chosen") == 1
        visit.page.keyboard.press("Escape")
        assert visit.run(faded) == 0


def test_a_table_is_copied_as_text(browser: Browser, page: Path) -> None:
    with opened(browser, page) as visit:
        csv, latex, markdown = (
            visit.run("(format) => document.getElementById('table-board').asText(format)", format_)
            for format_ in ("CSV", "LaTeX", "Markdown")
        )
        values = visit.run("[...document.querySelectorAll('#table-board tbody tr')].map((row) => row.cells[2].dataset.value)")
    rows = [line.split(",") for line in csv.splitlines()]
    assert rows[0][:3] == ["#", "system", "AP ↑"]
    assert [row[2] for row in rows[1:]] == values
    assert latex.startswith("\\begin{tabular}{rl")
    assert "$\\uparrow$" in latex
    assert markdown.splitlines()[1].startswith("| ---: | --- |")
    assert len({line.count("|") for line in markdown.splitlines()}) == 1


def test_on_paper_everything_is_as_wide_as_the_page_and_two_figures_fit(browser: Browser, page: Path) -> None:
    with opened(browser, page, width=688) as visit:
        visit.page.emulate_media(media="print")
        visit.run("dispatchEvent(new Event('beforeprint'))")
        assert visit.overflow() <= 0
        heights = visit.run("[...document.querySelectorAll('figure')].map((figure) => figure.getBoundingClientRect().height)")
        assert max(heights) <= 1016 / 2 + 60  # pixels of A4 without margins
