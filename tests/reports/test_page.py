"""The page as a file: what it holds, what it lets in, and that its numbers are those of the scores."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

import polars as pl
import pytest

from plumbline.figures.subject import subject_of
from plumbline.figures.theme import INK, PAPER
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.page import page
from tests.helpers.page_reader import Page, read_page
from tests.helpers.report_pages import HOSTILE, made_scores, page_of, ranking_subject

pytestmark = pytest.mark.slow

ORDER = (
    "leaderboard",
    "means",
    "unanimity",
    "weights",
    "cases",
    "outputs",
    "curves",
    "tradeoff",
    "metrics",
    "notices",
    "reproduce",
)
MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def rankings() -> Page:
    return read_page(page_of(ranking_subject()))


def test_means_in_the_page_are_those_of_the_scores(rankings: Page) -> None:
    scores = ranking_subject().scores
    assert scores is not None
    heading, *rows = rankings.tables["table-board"]
    names = [cell.text for cell in heading]
    assert {row[names.index("system")].text for row in rows} == set(scores.made["systems"])
    for row in rows:
        for column in scores.columns:
            cells = scores.mean.filter(
                (pl.col("system") == row[names.index("system")].text) & (pl.col("metric") == column.name)
            )
            assert row[names.index(f"{column.name} ↑")].value == cells["value"][0]


def test_values_of_cases_in_the_page_are_those_of_the_scores(rankings: Page) -> None:
    scores = ranking_subject().scores
    assert scores is not None
    known = json.loads(next(text for facts, text in rankings.scripts if facts.get("class") == "values"))
    for row in scores.per_case.iter_rows(named=True):
        metric, system, case = (known[f"{kind}s"].index(row[kind]) for kind in ("metric", "system", "case"))
        assert known["values"][metric][system][case] == (
            None if row["value"] is None else pytest.approx(row["value"], rel=1e-5)
        )


def test_ranks_and_intervals_stand_beside_the_means(rankings: Page) -> None:
    heading, *rows = rankings.tables["table-board"]
    at = [cell.text for cell in heading].index("AP ↑")
    values, means = [row[at].value for row in rows], ranking_subject().means
    for row in rows:
        value = row[at].value
        assert value is not None
        better = sum(other is not None and other > value for other in values)
        assert row[at].small[0] == ["1st", "2nd", "3rd", "4th", "5th"][better]
        of = next(one for one, name in enumerate(means.systems) if name == row[1].text)
        half = float(row[at].small[1].removeprefix("\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}"))
        assert (value - half, value + half) == pytest.approx((means.low[0, of], means.high[0, of]), abs=6e-4)


def test_sections_come_in_their_order_and_only_where_there_is_something_to_say(rankings: Page) -> None:
    sections = [facts["id"] for tag, facts in rankings.tags if tag == "section"]
    assert sections[0] == "verdict"
    assert [name for name in sections if name in ORDER] == [name for name in ORDER if name in sections]
    assert {"leaderboard", "means", "unanimity", "weights", "cases", "curves", "metrics", "notices", "reproduce"} <= set(
        sections
    )
    assert not {"confusion"} & set(sections)


def test_ids_are_unique_and_links_lead_somewhere(rankings: Page) -> None:
    assert len(rankings.ids) == len(set(rankings.ids))
    inside = [address[1:] for address in rankings.addresses() if address.startswith("#")]
    assert inside
    assert set(inside) <= set(rankings.ids)


def test_headings_go_down_one_level_at_a_time() -> None:
    chapters = [Chapter(subject_of(made_scores(["a"], 4)), f"Part {number}") for number in (1, 2)]
    read = read_page(page(dossier(chapters, "Both")))
    levels = [level for level, _ in read.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    assert [text for level, text in read.headings if level == 2] == ["Part 1", "Part 2"]
    assert len(read.ids) == len(set(read.ids))


def test_the_page_points_nowhere_else(rankings: Page) -> None:
    assert all(address.startswith(("#", "data:")) for address in rankings.addresses())
    assert not any(tag in {"iframe", "object", "embed", "base", "img"} for tag, _ in rankings.tags)


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else(rankings: Page) -> None:
    policy = next(str(facts["content"]) for tag, facts in rankings.tags if facts.get("http-equiv") == "Content-Security-Policy")
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    run = [text for facts, text in rankings.scripts if "type" not in facts]
    assert rules["script-src"].split() == [_digest(text) for text in run]
    assert rules["style-src"].split() == [_digest(text) for text in rankings.styles]
    assert all(facts.get("type") in (None, "application/json") for facts, _ in rankings.scripts)
    assert not any(name.startswith("on") for _, facts in rankings.tags for name in facts)
    assert not any("style" in facts for _, facts in rankings.tags)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_hostile_names_are_shown_and_nothing_of_them_is_markup() -> None:
    plain = read_page(page_of(subject_of(made_scores([f"system {at}" for at in range(len(HOSTILE))], 4)), "The page"))
    read = read_page(page_of(subject_of(made_scores(HOSTILE, 4)), HOSTILE[0]))
    assert sorted(tag for tag, _ in read.tags) == sorted(tag for tag, _ in plain.tags)
    shown = read.text()
    for name in HOSTILE:
        assert name.replace("\x1b", "\\x1b").replace("\x07", "\\x07").replace("\u202e", "<U+202E>") in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert not any("<" in text for facts, text in read.scripts if "type" in facts)


def test_fifty_systems_on_a_hundred_cases_fit_into_three_megabytes() -> None:
    text = page_of(subject_of(made_scores([f"system {at}" for at in range(50)], 100, ("AP", "nDCG@10", "P@10", "RR"))))
    assert len(text.encode()) < MOST_BYTES
    assert 'id="choose-metrics" data-values="choose"' in text


def test_one_system_has_scores_and_no_comparison() -> None:
    read = read_page(page_of(subject_of(made_scores(["alone"], 3))))
    assert "alone is the only system: P@10" in read.text()
    assert "unanimity" not in read.ids
    assert len(read.tables["table-board"]) == 2


def test_the_same_input_makes_the_same_page() -> None:
    first, second = (page_of(subject_of(made_scores(["a", "b"], 5, ["AP"]))) for _ in range(2))
    assert first == second


def test_text_contrasts_with_the_background_in_both_themes() -> None:
    for dark in (False, True):
        assert _contrast(INK[dark], PAPER[dark]) > 7


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
