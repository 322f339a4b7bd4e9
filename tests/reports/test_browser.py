"""The page in a browser: it asks for nothing, complains about nothing, and does what it says.

The tests are skipped where there is no chromium. Pages forbid code made of text, so tests wait for attributes, not for scripts.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from plumbline.errors import visible
from plumbline.figures.labels import LONGEST, clipped
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from tests.helpers.browser import DESKTOP, PHONE, Visit, chromium, opened
from tests.helpers.chart_specs import near, sorted_differences
from tests.helpers.report_pages import HOSTILE, made_scores, page_of, ranking_subject
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from plumbline.figures.subject import Subject

chromium()
ROWS = "[...document.querySelectorAll('#table-board tbody tr')]"


def _written(folder: Path, name: str, subject: Subject) -> Path:
    path = folder / f"{name}.html"
    path.write_text(page_of(subject), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def five(folder: Path) -> Path:
    return _written(folder, "five", ranking_subject())


@pytest.fixture(scope="module")
def many(folder: Path) -> Path:
    return _written(folder, "many", subject_of(made_scores([f"system number {at}" for at in range(50)], 12)))


@pytest.fixture(scope="module")
def hostile(folder: Path) -> Path:
    names = [line for name in ("S07_html_names", "S09_ansi", "S10_bidi", "S11_formula_export") for line in _names(name)]
    scores = made_scores([*HOSTILE, *(name for name in names if name not in HOSTILE)], 6)
    cases = dict(zip(next(iter(scores["P@10"].values())), HOSTILE, strict=False))
    renamed = {
        metric: {system: {cases[case]: value for case, value in row.items()} for system, row in table.items()}
        for metric, table in scores.items()
    }
    return _written(folder, "hostile", subject_of(renamed))


def _names(name: str) -> list[str]:
    return shared("badinputs", name, "systems.txt").read_text(encoding="utf-8").splitlines()


def test_long_names_keep_both_ends(browser: Browser, folder: Path) -> None:
    names = [f"a_system_with_a_long_name_that_differs_at_its_end_alone_{at}%" for at in range(3)]
    with opened(browser, _written(folder, "long", subject_of(made_scores(names, 6)))) as visit:
        assert visit.complaints == []
        for kind in ("bars", "alpha", "unanimity"):
            written = visit.run(f"[...document.querySelectorAll('#figure-{kind} svg text')].map((text) => text.textContent)")
            assert {text[-3:] for text in written if "\u2026" in text} == {"_0%", "_1%", "_2%"}


@pytest.fixture(scope="module")
def desk(browser: Browser, five: Path) -> Iterator[Visit]:
    """The page about five systems, opened once for tests that leave it as it is."""
    with opened(browser, five) as visit:
        yield visit


@pytest.mark.parametrize(("name", "width"), [("five", DESKTOP), ("many", DESKTOP), ("many", PHONE), ("hostile", PHONE)])
def test_it_asks_for_nothing_complains_about_nothing_and_does_not_overflow(
    browser: Browser, request: pytest.FixtureRequest, name: str, width: int
) -> None:
    path = request.getfixturevalue(name)
    with opened(browser, path, width=width, color_scheme="dark" if name == "hostile" else "light") as visit:
        assert visit.requests == [path.resolve().as_uri()]
        assert visit.complaints == []
        assert visit.count(".chart svg") == visit.count(".chart") > 5
        assert visit.overflow() <= 0
        assert visit.run("document.querySelector('.contents').open") is (width == DESKTOP)


def test_hostile_names_are_shown_and_not_run(browser: Browser, hostile: Path) -> None:
    with opened(browser, hostile) as visit:
        cells = visit.run("[...document.querySelectorAll('#table-board tbody th')].map((cell) => cell.textContent)")
        assert set(map(visible, HOSTILE)) <= set(cells)
        assert visit.page.title() != "owned"
        assert visit.count("img") == visit.count("iframe") == 0
        assert visit.count("script:not([type])") == 2
        assert clipped(HOSTILE[0], LONGEST) in visit.run("document.querySelector('#figure-unanimity svg').textContent")
        visit.page.hover("#figure-differences svg .mark-rect path >> nth=0")
        visit.page.locator("#vg-tooltip-element").wait_for(state="visible")
        shown = visit.page.text_content("#vg-tooltip-element") or ""
        assert any(visible(name) in shown for name in HOSTILE)
        assert visit.complaints == []


def test_numbers_read_back_from_the_page_are_those_of_the_scores(desk: Visit) -> None:
    scores = ranking_subject().scores
    assert scores is not None
    cell = "cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value)"
    rows = desk.run(f"{ROWS}.map((row) => [...row.cells].map((cell) => {cell}))")
    heads = desk.run("[...document.querySelectorAll('#table-board thead th')].map((head) => head.textContent)")
    results = {(row[heads.index("system")], name): row[heads.index(f"{name} ↑")] for row, name in product(rows, ("AP", "P@5"))}
    means = scores.mean.select("system", "metric", "value").iter_rows()
    assert results == {(system, metric): value for system, metric, value in means}


def test_tables_sort_both_ways_say_so_and_are_filtered_by_a_word(browser: Browser, many: Path) -> None:
    column = f"{ROWS}.map((row) => Number(row.cells[2].dataset.value))"
    with opened(browser, many) as visit:
        head = visit.page.locator("#table-board thead th").nth(2)
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        assert visit.run(column) == sorted(visit.run(column), reverse=True)
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        assert visit.run(column) == sorted(visit.run(column))
        visit.page.locator("#table-board thead th button").nth(1).click()
        assert head.get_attribute("aria-sort") is None
        names = visit.run("[...document.querySelectorAll('#table-board tbody th')].map((cell) => cell.textContent)")
        assert names == [f"system number {at}" for at in range(50)]
        texts = visit.run(f"{ROWS}.map((row) => row.textContent)")
        visit.page.fill("#table-board input", "NUMBER 4")
        shown = visit.run(f"{ROWS}.filter((row) => row.checkVisibility()).map((row) => row.textContent)")
        assert shown == [text for text in texts if "number 4" in text]
        assert visit.page.text_content("#table-board output") == f"{len(shown)} of 50 rows"


def test_a_tooltip_shows_the_number_of_the_bar(desk: Visit) -> None:
    scores = ranking_subject().scores
    assert scores is not None
    best = scores.ordered_systems[0]
    value = next(row["value"] for row in scores.mean.iter_rows(named=True) if (row["system"], row["metric"]) == (best, "AP"))
    desk.page.hover("#figure-bars svg .mark-rect path >> nth=0")
    tip = desk.page.locator("#vg-tooltip-element")
    tip.wait_for(state="visible")
    keys, values = (tip.locator(f"td.{part}").all_text_contents() for part in ("key", "value"))
    tooltip = {key.rstrip(":"): text for key, text in zip(keys, values, strict=True)}
    assert tooltip["system"] == best
    assert f"{value:.4f}" in tooltip.values()


def test_two_systems_that_the_reader_chooses_are_drawn_as_the_library_draws_them(desk: Visit) -> None:
    subject = ranking_subject()
    systems = desk.run("[...document.querySelectorAll('#choose [name=a] option')].map((option) => option.textContent)")
    chosen = "([a, b, metric]) => document.getElementById('choose').chosen(a, b, metric).spec"
    for a, b, metric in ((0, 1, 0), (3, 2, 1), (4, 0, 0)):
        named = {"systems": (systems[a], systems[b]), "metrics": subject.cube.metrics[metric]}
        result, drawn = desk.run(chosen, [a, b, metric]), FIGURES["differences"].draw(subject, theme=None, **named).to_dict()
        by_case = {row["case"]: row["difference"] for side in ("decided", "equal") for row in result["datasets"][side]}
        gains = [by_case[case] for case in result["layer"][0]["encoding"]["x"]["scale"]["domain"]]
        assert gains == sorted(gains, reverse=True)
        assert near(sorted_differences(result), sorted_differences(drawn))
    desk.page.select_option("#choose [name=b]", label=systems[2])
    desk.page.wait_for_selector(f"#figure-differences .chart[aria-label*='{systems[0]} and {systems[2]} by AP']")
    desk.page.select_option("#choose [name=a]", label=systems[2])
    assert desk.page.text_content("#choose output") == "Choose two different systems."


def test_it_prints_on_white_paper_whatever_the_theme(browser: Browser, five: Path) -> None:
    with opened(browser, five, width=720, color_scheme="dark") as visit:
        visit.page.emulate_media(media="print", color_scheme="dark")
        for chart in visit.run("[...document.querySelectorAll('figure')].map((figure) => figure.id)"):
            visit.page.wait_for_selector(f"#{chart} .chart[data-drawn=light]")
        assert visit.overflow() <= 0
        assert visit.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert visit.run("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert visit.run(
            "[...document.querySelectorAll('.scroll, .chart')].every((box) => box.scrollWidth <= box.clientWidth + 1)"
        )
        assert visit.page.pdf().startswith(b"%PDF")


def test_names_that_every_object_has_and_sentinels_are_names_like_others(browser: Browser, folder: Path) -> None:
    names = ["equal", "__proto__", "constructor", "toString", "hasOwnProperty"]
    scores = made_scores(names, len(names), ("__proto__", "constructor"))
    scores = {
        m: {one: dict(zip(names, row.values(), strict=True)) for one, row in values.items()} for m, values in scores.items()
    }
    subject = subject_of(scores, comparing={"eps": 0.05})
    path = _written(folder, "reserved", subject)
    with opened(browser, path) as visit:
        assert visit.complaints == []
        assert visit.count(".chart svg") == visit.count(".chart") > 5
        chosen = visit.run("document.getElementById('choose').chosen(0, 1, 0).spec")
        systems = visit.run(
            "[...document.querySelectorAll('#choose [name=a] option')].map((option) => option.textContent.trim())"
        )
        named = {"systems": tuple(systems[:2]), "metrics": "__proto__"}
        assert near(
            sorted_differences(chosen), sorted_differences(FIGURES["differences"].draw(subject, theme=None, **named).to_dict())
        )
        assert "equal within 0.05" in chosen["description"]
    path.write_text(path.read_text(encoding="utf-8").replace("constructor\N{NO-BREAK SPACE}", "constructor"), encoding="utf-8")
    with opened(browser, path) as visit:  # what Vega only logs is told in place of the figure
        assert "This figure could not be drawn: " in visit.run("document.querySelector('#figure-bars .chart').textContent")
        assert not visit.page.is_visible("#figure-bars .tools")
        assert visit.page.is_visible("#figure-ranks .tools")


def test_wide_tables_are_whole_on_paper(browser: Browser, folder: Path) -> None:
    metrics = ("AP", "nDCG@10", "P@10", "RR", "R@100", "bpref", "RBP(p=0.8)", "nDCG@10(gains=exponential,log_base=2)")
    long = [f"university-of-somewhere.run{at}.reranked.final_submission" for at in range(10)]
    path = _written(folder, "paper", subject_of(made_scores(long, 5, metrics)))
    with opened(browser, path, width=688, color_scheme="dark") as visit:
        visit.page.emulate_media(media="print", color_scheme="dark")
        visit.run("dispatchEvent(new Event('beforeprint'))")
        visit.page.wait_for_selector("#figure-scatter .chart[data-drawn=light]", state="attached")
        assert visit.overflow() <= 0
        wide = "document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth + 1)"
        assert visit.run(f"[...{wide}.map((box) => box.parentElement.id)") == []
        lines = "[...document.querySelectorAll('#table-board td.number > b')].map((best) => best.getClientRects().length)"
        assert set(visit.run(lines)) == {1}
        assert visit.run("[...document.querySelectorAll('.fold')].every((fold) => fold.open)")
        visit.run("dispatchEvent(new Event('afterprint'))")
        assert not visit.count(".fold[open]")


def test_figures_follow_the_theme(desk: Visit) -> None:
    ink = "getComputedStyle(document.querySelector('#figure-bars svg text')).fill"
    before = desk.run(ink)
    desk.page.emulate_media(color_scheme="dark")
    desk.page.wait_for_selector("#figure-bars .chart[data-drawn=dark]")
    assert desk.run(ink) != before
    desk.page.emulate_media(color_scheme="light")
    desk.page.wait_for_selector("#figure-bars .chart[data-drawn=light]")
    assert desk.run(ink) == before
    assert desk.complaints == []


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_figure_can_be_saved(desk: Visit, kind: str, tmp_path: Path) -> None:
    with desk.page.expect_download() as waiting:
        desk.page.click(f"#figure-bars .tools button:has-text('{kind.upper()}')")
    target = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(target)
    assert target.name == f"figure-bars.{kind}"
    assert target.read_bytes().startswith({"svg": b"<svg", "png": b"\x89PNG"}[kind])


def test_words_and_tables_are_there_without_scripts(browser: Browser, five: Path) -> None:
    with opened(browser, five, java_script_enabled=False) as visit:
        assert visit.page.is_visible(".scriptless")
        assert visit.page.is_visible("#table-board")
        assert not visit.page.is_visible(".choices")


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_axe_finds_no_fault(browser: Browser, five: Path, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core comes with axe-playwright-python")
    with opened(browser, five, width=width, color_scheme=scheme, bypass_csp=True) as visit:
        visit.run("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        result = axe.Axe().run(visit.page).response["violations"]
    assert [(fault["id"], fault["impact"], [node["html"][:120] for node in fault["nodes"][:3]]) for fault in result] == []


def test_the_keyboard_reaches_everything_and_shows_where_it_is(browser: Browser, five: Path) -> None:
    with opened(browser, five) as visit:
        visit.page.keyboard.press("Tab")
        assert visit.run("document.activeElement.className") == "skip"
        visit.page.keyboard.press("Enter")
        assert visit.run("document.activeElement.id") == "content"
        for _ in range(6):
            visit.page.keyboard.press("Tab")
            assert visit.run("getComputedStyle(document.activeElement).outlineStyle") != "none"
