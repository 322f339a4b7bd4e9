"""Metric against metric in a browser: what the reader chooses is drawn as the library draws it."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from plumbline.figures.kinds import scatter
from plumbline.figures.parts import display_names
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.reports.sections import differences, outputs
from tests.helpers.browser import PHONE, Visit, chromium, opened
from tests.helpers.chart_specs import inlined, near
from tests.helpers.report_pages import chooser_page, filter_subject, made_scores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from plumbline.figures.subject import Subject

chromium()
MOST, KEPT = 60, 9
"""More dots than outputs that have P, and fewer than outputs that have Lam; more systems than colours."""
CHOSEN = "([part, x, y]) => document.getElementById(`part-${part}-choose-metrics`).chosen(x, y)"


def _cut_subject() -> Subject:
    """More systems and outputs than the page of these tests holds; no output has the last metric and another one."""
    scores = made_scores([f"s{at}" for at in range(10)], 11, ("AP", "RR", "loss"))
    for table in scores.values():
        del table["s0"]["case 1"], table["s1"]["case 1"]
    lonely = {"bpref": {"s0": {"case 1": 0.5}, "s1": {"case 1": 0.25}}}
    return subject_of({**scores, **lonely}, comparing={"lower": ["loss"]})


@pytest.fixture(scope="module")
def path(folder: Path) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (scatter, outputs):
            patch.setattr(module, "MOST", MOST)
        patch.setattr(differences, "MOST_NUMBERS", KEPT * 4 * 11)
        result = folder / "parts.html"
        result.write_text(chooser_page(filter_subject(), _cut_subject()), encoding="utf-8")
        yield result


def _best(subject: Subject) -> tuple[str, ...]:
    assert subject.comparison is not None
    return tuple(subject.comparison.leaderboard["system"].to_list())


def _drawn(subject: Subject, x: int, y: int, systems: tuple[str, ...]) -> dict[str, Any]:
    names = subject.cube.metrics
    return inlined(FIGURES["scatter"].draw(subject, theme=None, metrics=(names[x], names[y]), systems=systems).to_dict())


def _check_against_scores(subject: Subject, actual: dict[str, Any], x: int, y: int) -> None:
    """Outputs that have both metrics are drawn once, at their values: all, or as many as a page may have here."""
    assert subject.scores is not None
    names, values = display_names(_best(subject)), {}
    for row in subject.scores.per_case.iter_rows(named=True):
        values[row["metric"], names[row["system"]], row["case"]] = row["value"]
    pair = (subject.cube.metrics[x], subject.cube.metrics[y])
    wanted = {
        (system, case): tuple(values[metric, system, case] for metric in pair)
        for system in names.values()
        for case in subject.cube.cases
    }
    complete = {place: point for place, point in wanted.items() if None not in point}
    rows = [row for layer in actual["layer"] for row in layer["data"]]
    found_at = {(row["system"], row["case"]): (row["x"], row["y"]) for row in rows}
    assert len(rows) == len(found_at) == min(len(complete), MOST)
    assert found_at == {place: pytest.approx(complete[place], rel=1e-5) for place in found_at}


def test_filters_are_drawn_as_the_library_draws_them_and_where_the_scores_say(visit: Visit) -> None:
    subject, sizes = filter_subject(), set()
    for x, y in permutations(range(4), 2):
        result = inlined(visit.run(CHOSEN, [1, x, y]))
        assert near(result, _drawn(subject, x, y, _best(subject)))
        _check_against_scores(subject, result, x, y)
        sizes.add(tuple(len(layer["data"]) for layer in result["layer"]))
    assert len(sizes) > 1  # metrics lack different outputs
    assert all(len(layers) == 2 for layers in sizes)  # dots and crosses


def test_what_the_page_leaves_out_is_told_in_the_figure(visit: Visit) -> None:
    subject = _cut_subject()
    best, whose = _best(subject), f" of the best {KEPT} systems"
    assert near(inlined(visit.run(CHOSEN, [2, 0, 1])), _drawn(subject, 0, 1, best))
    for x, y in ((1, 0), (0, 2), (2, 1)):
        result = inlined(visit.run(CHOSEN, [2, x, y]))
        sentence = f"{MOST} of {KEPT * 11 - 2} outputs{whose}, drawn at random"
        assert result["title"]["subtitle"] == sentence
        assert sentence in result["description"]
        result["title"]["subtitle"] = sentence.replace(whose, "")
        result["description"] = result["description"].replace(whose, "")
        assert near(result, _drawn(subject, x, y, best[:KEPT]))
    assert visit.run(CHOSEN, [2, 0, 3]) is None


def test_the_reader_chooses_with_the_keyboard_and_is_told_why_nothing_changes(visit: Visit) -> None:
    box = visit.page.locator("#part-2-choose-metrics")
    chart, status = box.locator(".chart"), box.locator("output")
    box.get_by_label("vertical").focus()
    visit.page.keyboard.press("ArrowDown")
    visit.page.wait_for_selector("#part-2-choose-metrics .chart[aria-label^='loss against AP']")
    assert "loss (lower is better)" in (chart.text_content() or "")
    box.get_by_label("vertical").select_option(label="bpref")
    assert status.text_content() == "No output has a value of both metrics."
    box.get_by_label("vertical").select_option(label="AP")
    assert status.text_content() == "Choose two different metrics."
    box.get_by_label("vertical").select_option(label="RR")
    visit.page.wait_for_selector("#part-2-choose-metrics .chart[aria-label*='of 108 outputs, drawn']")
    assert status.text_content() == ""
    assert visit.complaints == []


@pytest.fixture(scope="module")
def visit(browser: Browser, path: Path) -> Iterator[Visit]:
    with opened(browser, path) as result:
        yield result


def test_it_fits_a_phone_and_axe_finds_no_fault(browser: Browser, path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core comes with axe-playwright-python")
    with opened(browser, path, width=PHONE, color_scheme="dark", bypass_csp=True) as visit:
        visit.page.locator("#part-1-choose-metrics").get_by_label("Horizontal").select_option(label="Phi")
        visit.page.wait_for_selector("#part-1-choose-metrics .chart[aria-label^='Lam against Phi']")
        assert visit.overflow() <= 0
        result = axe.Axe().run(visit.page, context="#part-1-outputs").response["violations"]
    assert [(fault["id"], [node["html"][:120] for node in fault["nodes"][:3]]) for fault in result] == []
