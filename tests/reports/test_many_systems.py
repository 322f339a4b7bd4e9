"""Reports of many scores: the same page wherever values are kept, with what a person can look at."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import plumbline
from plumbline import large
from plumbline.comparison import weighed
from plumbline.comparison.effort import told_to
from plumbline.comparison.significance.progress import heard_by
from plumbline.figures.kinds.scatter import GOLDEN, MOST, _places, _sampled
from plumbline.figures.subject import subject_of
from plumbline.io.scores.dataset.reading import Dataset
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.page import page
from plumbline.reports.sections import drawn, leaderboard

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from plumbline.figures.subject import Subject
    from plumbline.reports.model import Picture

METRICS = ("AP", "nDCG@10", "RR")


def table(systems: int, cases: int, metrics: int = 2, gaps: float = 0.0) -> dict[str, dict[str, dict[str, float]]]:
    """Scores between 0 and 1; the metrics disagree about who is best."""
    draw = np.random.default_rng(systems)
    skill = np.linspace(0, 0.2, systems)[:, None]
    every = [draw.random((systems, cases)) * 0.8 + (skill if at % 2 else skill[::-1] / 2) for at in range(metrics)]
    return {
        name: {
            f"s{system}": {f"q{case}": float(value) for case, value in enumerate(row.round(3)) if draw.random() >= gaps}
            for system, row in enumerate(values)
        }
        for name, values in zip(METRICS, every, strict=False)
    }


def pages(scores: Any, **comparing: Any) -> str:
    return page(dossier([Chapter(subject_of(scores, comparing=comparing))]))


@pytest.mark.slow
@pytest.mark.parametrize(("metrics", "gaps", "comparing"), [(2, 0.0, {}), (3, 0.1, {"test": "t"}), (2, 0.0, {"lower": "AP"})])
def test_files_and_small_portions_make_the_same_page(
    metrics: int, gaps: float, comparing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = table(30, 12, metrics, gaps)
    expected = pages(scores, **comparing)
    monkeypatch.setattr(large, "IN_MEMORY", 0)
    assert pages(scores, **comparing) == expected
    monkeypatch.setattr(large, "_AT_ONCE", 5 * 12)
    assert pages(scores, **comparing) == expected


@pytest.mark.parametrize("metrics", [1, 2, 3])
def test_the_pairs_of_many_systems_have_the_weights_of_all_pairs(metrics: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = table(25, 12, metrics)
    expected = leaderboard.section(subject_of(scores))
    monkeypatch.setattr(weighed, "MOST_TOGETHER", 3)
    subject = subject_of(scores)
    assert leaderboard.section(subject) == expected
    assert "pair_shares" not in vars(subject.comparison)


def test_the_scores_of_a_folder_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = {f"q{case}": {"a": 1, "b": 0} for case in range(6)}
    runs = {name: {case: {"a": 1.0, "b": at * 2.0} for case in gold} for at, name in enumerate(("one", "two"))}
    plumbline.evaluate(gold, runs, ["AP", "RR"]).save(f"{tmp_path}/scores/")
    read, scored = [], Dataset.scored

    def counted(self: Dataset, metrics: Any) -> Any:
        read.append(metrics)
        return scored(self, metrics)

    monkeypatch.setattr(Dataset, "scored", counted)
    pages(f"{tmp_path}/scores/")
    assert len(read) == 1


def test_whoever_waits_for_a_page_is_told_which_share_is_done() -> None:
    shares: list[float] = []
    with heard_by(shares.append):
        dossier([Chapter(subject_of(table(4, 8))), Chapter(subject_of(table(3, 8)))])
    assert shares == sorted(shares)
    assert (shares[-1], len({round(share, 2) for share in shares if share > 0.5}) > 20) == (1.0, True)
    assert {0.25, 0.5, 0.75} <= {round(share, 2) for share in shares}


def test_whoever_waits_is_told_what_the_page_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    with told_to(lambda effort: told.append(str(effort))):
        dossier([Chapter(subject_of(table(4, 8)))])
        assert told == []
        monkeypatch.setattr("plumbline.comparison.effort._PER_VALUE", 1.0)
        dossier([Chapter(subject_of(table(4, 8)))])
    assert told == ["drawing 64 scores: about 64 seconds more"]


def picture(subject: Subject, name: str) -> Picture:
    made = drawn.picture(subject, name)
    assert made is not None
    return made


def systems_in(made: Picture) -> set[str]:
    rows = [row for one in made.spec["datasets"].values() for row in one]
    return {row["system"] for row in rows if "system" in row}


def test_figures_with_a_row_for_each_system_have_the_first_ones() -> None:
    subject = subject_of(table(130, 6))
    assert subject.comparison is not None
    best = {subject.comparison.systems[at] for at in subject.comparison.order[:100]}
    for name in ("bars", "ranks", "boxes"):
        made = picture(subject, name)
        assert made.caption.startswith("The first 100 of 130 systems; the leaderboard has all. ")
        assert systems_in(made) == best
    assert systems_in(picture(subject, "tradeoff")) == set(subject.comparison.systems)
    few = picture(subject_of(table(100, 6)), "bars")
    assert few.caption.startswith("The mean of each metric")


def test_curves_are_drawn_of_the_best_and_of_all_that_lead() -> None:
    subject = subject_of(table(130, 6))
    comparison, made = subject.comparison, picture(subject, "alpha")
    assert comparison is not None
    shown = systems_in(made)
    best = {comparison.systems[at] for at in np.argsort(-comparison.score.means)[:60]}
    assert best | set(comparison.leads["system"]) <= shown
    assert 60 <= len(shown) < 80
    assert made.spec["title"]["subtitle"].startswith(f"{len(shown)} of 130 systems")
    assert len(systems_in(picture(subject_of(table(60, 6)), "alpha"))) == 60


def test_without_a_box_for_each_case_there_are_no_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of(table(4, 10))
    assert any("case" in row for rows in picture(subject, "boxes").spec["datasets"].values() for row in rows)
    monkeypatch.setattr("plumbline.figures.kinds.boxes.MOST_DOTS", 39)
    assert not any("case" in row for rows in picture(subject, "boxes").spec["datasets"].values() for row in rows)


def test_a_heat_map_of_very_many_cases_has_columns_of_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of(table(5, 40, gaps=0.1))
    plain = picture(subject, "heatmap")
    assert "title" not in plain.spec
    monkeypatch.setattr("plumbline.figures.kinds.heatmap.MOST_COLUMNS", 7)
    made = picture(subject, "heatmap")
    assert made.spec["title"]["subtitle"] == "7 columns of 40 cases: each is the mean of neighbouring cases"
    domain = made.spec["encoding"]["x"]["scale"]["domain"]
    assert (domain[0], domain[-1]) == ("cases 1 to 6", "cases 35 to 40")
    hardest, cases = plain.spec["encoding"]["x"]["scale"]["domain"][:6], subject.cube.cases
    values = [subject.cube.values[0, 2, cases.index(case)] for case in hardest]
    cells = {(row["system"], row["case"]): row["value"] for rows in made.spec["datasets"].values() for row in rows}
    assert cells["s2", "cases 1 to 6"] == pytest.approx(np.nanmean(values))


@pytest.mark.parametrize("count", [0, 1, 2_000, 2_001, 7_777, 70_000])
@pytest.mark.parametrize("together", [50, 3_000, 2**20])
def test_the_same_dots_are_drawn_however_they_are_looked_at(count: int, together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "_AT_ONCE", together)
    numbered: NDArray[np.uint32] = np.arange(count, dtype=np.uint32)
    at_once = np.sort(np.argsort(numbered * numbered * GOLDEN, kind="stable")[:MOST])
    assert np.array_equal(_sampled(count), at_once)


def test_numbers_of_outputs_are_systems_and_cases() -> None:
    known = np.random.default_rng(3).random((40, 30)) < 0.4
    known[[0, 7, 39]] = False
    places = np.argwhere(known)
    numbers = np.arange(0, len(places), 3)
    assert np.array_equal(_places(known, numbers), places[numbers])
    assert np.array_equal(_places(known, np.arange(len(places))), places)


@pytest.mark.slow
def test_no_step_of_a_page_holds_several_copies_of_all_values_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    systems, cases = 151, 10_000  # figures of pairs and of cases are for up to 150 systems
    dossier([Chapter(subject_of(table(30, 12)))])  # what is imported is no value
    draw = np.random.default_rng(5)
    common = draw.random(cases)
    scores = {
        name: {f"s{at}": (0.5 * common + 0.4 * draw.random(cases) + at / 3_000).tolist() for at in range(systems)}
        for name in METRICS[:2]
    }
    subject = subject_of(scores, comparing={"test": "t"})
    size = subject.cube.values.nbytes
    monkeypatch.setattr(large, "IN_MEMORY", 2**20)
    monkeypatch.setattr(large, "_AT_ONCE", 2**17)
    assert subject.comparison is not None
    tracemalloc.start()
    dossier([Chapter(subject)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * size
