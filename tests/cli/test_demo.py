"""The demo: every part of the collection is the same each time, and shows what the tour says about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plumbline import evaluate, losses
from plumbline.comparison.compare import compare
from plumbline.demo.alerts import BRANDS, MONITORS, write_alerts
from plumbline.demo.tour import HIGHLIGHTS, TOUR
from plumbline.demo.tweets import BRANDS as TWEETED
from plumbline.demo.tweets import GROUPINGS, TUNED, write_tweets
from plumbline.errors import BadUsage, usage
from plumbline.io.memory.compose import Composed
from tests.helpers.command_line import Outcome, plumbline
from tests.helpers.page_reader import read_page

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline import Comparison

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_alerts(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The folder of the demo, and what the tour printed."""
    folder = tmp_path_factory.mktemp("tour") / "demo"
    return folder, plumbline("demo", "--tour", folder)


def test_it_fits_two_screens_with_a_winner_a_trade_off_a_draw_and_an_equality(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plumbline.reports.report.require_extra", _missing)
    ended = plumbline("demo", tmp_path / "demo")
    assert ended.code == 0
    steps = ended.out.split("$ plumbline ")[1:]
    assert [step.splitlines()[0] for step in steps[:-1]] == [line for _, line in HIGHLIGHTS]
    assert len(ended.out.splitlines()) <= 2 * 40
    for words in (
        "links is better than words by both metrics",
        "BCubedP but worse by BCubedR",
        "tuned and words are not shown to differ",
        "tuned and words are equal within 0.06",
        "FP 1  FN 1",
    ):
        assert words in ended.out
    assert ended.out.splitlines()[-1].endswith("`plumbline demo --tour` shows every command.")


def _missing() -> None:
    raise BadUsage(usage.needs_extra("a figure", "report"))


def test_the_tour_shows_every_command_with_its_output(toured: tuple[Path, Outcome]) -> None:
    folder, ended = toured
    assert ended.code == 0
    *steps, last = ended.out.split("$ plumbline ")[1:]
    assert [step.splitlines()[0] for step in steps] == [line for _, line in TOUR]
    assert last.startswith("report dossier.toml -o report.html")
    assert all(len(step.splitlines()) > 2 for step in steps)
    for words in (
        "wrong order",
        "broken cluster",
        "the first 30 positions carry 0.8",
        "links is better than words by all 3 measures",
    ):
        assert words in ended.out
    assert "Traceback" not in ended.err
    assert sorted(path.name for path in (folder / "alerts").iterdir()) == [
        "grouped.json",
        "noisy.json",
        "ordered.json",
        "scored.run",
        "short.json",
        "topics.tsv",
    ]


def test_the_tour_ends_with_the_path_of_a_report_on_every_task(toured: tuple[Path, Outcome]) -> None:
    folder, ended = toured
    assert f"Open {folder / 'report.html'} in a browser" in ended.out.splitlines()[-2]
    page = read_page((folder / "report.html").read_text(encoding="utf-8"))
    parts = [text for level, text in page.headings if level == 2]
    assert [title.split(":")[0] for title in parts] == ["Rankings", "Filters", "Classes", "Clusters", "Organizations"]
    assert {"part-1-curves", "part-2-outputs", "part-3-confusion", "part-4-weights", "part-5-losses"} <= set(page.ids)


def test_without_the_extra_the_tour_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.reports.report.require_extra", _missing)
    monkeypatch.setattr("plumbline.demo.tour.HIGHLIGHTS", ())
    ended = plumbline("demo", tmp_path / "demo")
    assert ended.code == 0
    assert "pip install 'plumbline[report]'" in ended.out
    assert "--help" in ended.out.splitlines()[-1]


def test_the_steps_about_alerts_are_short(toured: tuple[Path, Outcome]) -> None:
    steps = [step for step in toured[1].out.split("$ plumbline ")[1:] if "alerts" in step.splitlines()[0]]
    assert len(steps) == 3
    assert all(len(step.splitlines()) <= 22 for step in steps)


def test_the_alerts_are_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    names = write_alerts(tmp_path / "again")
    assert all((folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names)
    write_alerts(tmp_path / "other", seed=1)
    assert (folder / "alerts.json").read_bytes() != (tmp_path / "other" / "alerts.json").read_bytes()


def test_the_files_are_fine_and_some_topics_overlap(folder: Path) -> None:
    paths = [folder / "alerts.json", *(folder / "alerts" / f"{name}.json" for name in MONITORS)]
    ended = plumbline("check", "--task", "organization", "--strict", *paths)
    assert ended.code == 0, ended.out
    gold = json.loads(paths[0].read_text(encoding="utf-8"))
    assert [one["case"] for one in gold] == list(BRANDS)
    posts = [[post for level in one["levels"] for topic in level for post in topic] for one in gold]
    assert 0 < sum(len(set(brand)) < len(brand) for brand in posts) < len(BRANDS)


def test_each_system_fails_as_it_is_meant_to(folder: Path) -> None:
    gold, systems = folder / "alerts.json", [folder / "alerts" / f"{name}.json" for name in MONITORS]
    result = losses(gold, systems).mean
    most = {
        name: max((row["lost"], row["cause"]) for row in result.iter_rows(named=True) if row["system"] == name)[1]
        for name in MONITORS
    }
    assert most == {"ordered": "broken cluster", "grouped": "wrong order", "short": "missing item", "noisy": "extra item"}


def test_the_composition_is_a_system_of_its_own(folder: Path) -> None:
    scored = Composed(folder / "alerts" / "scored.run", folder / "alerts" / "topics.tsv")
    scores = evaluate(folder / "alerts.json", [scored], "Rel(over=related)", task="organization")
    assert scores.ordered_systems == ["scored"]
    assert 0.9 < scores.mean["value"][0] <= 1


@pytest.fixture
def compared(tmp_path: Path) -> Comparison:
    write_tweets(tmp_path)
    systems = [tmp_path / "grouped" / f"{name}.tsv" for name in (*GROUPINGS, TUNED)]
    return compare(evaluate(tmp_path / "tweets.tsv", systems, ["BCubedP", "BCubedR"], task="clustering"), rule="unanimous")


def test_the_tweets_are_the_same_each_time(tmp_path: Path) -> None:
    names = write_tweets(tmp_path / "one")
    write_tweets(tmp_path / "again")
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "again" / name).read_bytes() for name in names)
    write_tweets(tmp_path / "other", seed=1)
    assert (tmp_path / "one" / "tweets.tsv").read_bytes() != (tmp_path / "other" / "tweets.tsv").read_bytes()
    paths = [tmp_path / "one" / name for name in names]
    assert plumbline("check", "--task", "clustering", "--strict", *paths).code == 0


def test_one_grouping_is_better_for_every_weight(compared: Comparison) -> None:
    verdict = compared.verdict("words", "links")
    assert (verdict.better, verdict.for_every_weighting, verdict.robust, verdict.cases) == ("links", True, True, TWEETED)
    assert compared.verdict("words", "tags").better == "words"


def test_one_grouping_has_the_same_f_and_trades_precision_for_recall(compared: Comparison) -> None:
    verdict = compared.verdict("strict", "words")
    assert verdict.difference == pytest.approx(0, abs=0.001)
    assert verdict.biased > 0.75 * TWEETED
    assert [(round(low, 2), round(high, 2)) for low, high in verdict.intervals] == [(0.5, 1)]
    assert not verdict.robust


def test_one_grouping_wins_by_chance(compared: Comparison) -> None:
    verdict = compared.verdict("words", TUNED)
    assert (verdict.better, verdict.for_every_weighting) == (TUNED, True)
    assert verdict.difference is not None
    assert verdict.difference > 0.01
    assert not verdict.significant
    assert not verdict.unanimous


def test_the_groupings_are_in_three_tiers(compared: Comparison) -> None:
    tiers = dict(compared.leaderboard.select("system", "tier").iter_rows())
    assert tiers == {"links": 1, "strict": 1, TUNED: 2, "words": 2, "tags": 3}
