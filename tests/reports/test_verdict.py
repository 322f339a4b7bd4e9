"""The first screen: one sentence, three numbers, a figure; nothing is said twice."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from plumbline.figures.palette import palette
from plumbline.figures.subject import subject_of
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.sections import leaderboard, verdict
from tests.helpers.report_pages import FIVE, column, made_scores, page_of, tables

MANY = tuple(f"s{at:02}" for at in range(30))


def clear(*gains: float, cases: int = 12) -> dict[str, dict[str, dict[str, float]]]:
    """Scores of systems a, b, c, ... that lie so far apart, with a little noise."""
    wobble = [(7 * at % 5) / 500 for at in range(cases)]
    return {
        "AP": {
            "abcdefgh"[place]: {f"q{at}": 0.9 - gain + wobble[(at + 3 * place) % cases] for at in range(cases)}
            for place, gain in enumerate(gains)
        }
    }


LEVELS = {"a": 0.8, "b": 0.6, "c": 0.4}


@pytest.mark.parametrize(
    ("scores", "comparing", "expected"),
    [
        (clear(0, 0.2, 0.4), {}, "a has the best AP, 0.9037, and is better than every other system."),
        (clear(0, 0.0001, 0.4), {}, "a has the best AP, 0.9037; it is better than c and not shown to differ from b."),
        (clear(0, 0, 0.3), {"baseline": "c"}, "a and b are better than c."),
        (clear(0.3, 0, 0.301), {"baseline": "a"}, "b is better than a; c is not shown to differ from a."),
    ],
)
def test_the_answer_is_one_sentence(scores: dict[str, object], comparing: dict[str, str], expected: str) -> None:
    result = verdict.sentences(subject_of(scores, comparing=comparing))[0]
    assert result == expected


def test_a_winner_by_another_metric_than_the_first() -> None:
    scores = clear(0, 0.0001, 0.4) | {"RR": clear(0, 0.2, 0.4)["AP"]}
    alone = "By AP alone, a is not shown to differ from b."
    expected = f"a has the best AP, 0.9037, and is better than every other system. {alone}"
    assert verdict.sentences(subject_of(scores))[0] == expected
    assert alone not in verdict.sentences(subject_of(scores, comparing={"primary": "RR"}))[0]


def test_of_two_systems_the_answer_is_short_and_the_numbers_follow() -> None:
    answer, *rest = verdict.sentences(subject_of(clear(0, 0.2)))
    assert answer == "a is better than b by AP."
    assert rest[0].startswith("AP +0.200 [")
    assert rest[1].startswith("Case by case: a is better in ")


def test_trading_is_a_verb() -> None:
    both = {
        metric: {
            name: {f"q{at}": (level if metric == "AP" else 1 - level) + at / 200 for at in range(12)}
            for name, level in LEVELS.items()
        }
        for metric in ("AP", "RR")
    }
    sentence = verdict.sentences(subject_of(both))[0]
    assert sentence.endswith("; a trades metrics with b and c.") or "; it trades metrics with b and c." in sentence
    against = verdict.sentences(subject_of(both, comparing={"baseline": "c"}))[0]
    assert against == "a and b trade metrics with c."


def test_the_sentence_about_many_counts_and_names_no_more_than_three() -> None:
    subject = subject_of(made_scores(MANY, 12, ("AP",)))
    sentence = verdict.sentences(subject)[0]
    assert sum(name in sentence for name in MANY) <= 1 + verdict.NAMED
    assert "others" in sentence


def test_the_numbers_are_those_of_the_comparison() -> None:
    subject = subject_of(made_scores(FIVE, 12))
    comparison = subject.comparison
    assert comparison is not None
    best, bands, detectable = verdict.numbers(subject)
    top = comparison.leaderboard.row(0, named=True)
    assert (best.text, best.label) == (f"{top['P@10']:.4f}", f"P@10 of {top['system']}, the best of 5 systems")
    assert bands.text == f"{(comparison.leaderboard['band'] == 1).sum()} of 5"
    others = [at for at in range(5) if comparison.systems[at] != top["system"]]
    sizes = comparison.detectable[0, comparison.systems.index(top["system"])]
    assert float(detectable.text) == pytest.approx(np.median(sizes[others]), abs=5e-4)
    assert "12 cases can show" in detectable.label


def test_of_two_systems_the_difference_is_one_of_the_numbers() -> None:
    subject = subject_of(clear(0, 0.2))
    assert [number.text for number in verdict.numbers(subject)][1] == "+0.200"
    alone = subject_of(made_scores(("a",), 4, ("AP", "RR", "P@10", "R@10")))
    assert [number.label for number in verdict.numbers(alone)] == ["AP", "RR", "P@10"]
    assert verdict.forest(alone) is None


def test_the_figure_says_how_many_systems_it_leaves_to_the_leaderboard() -> None:
    forest = verdict.forest(subject_of(made_scores(MANY, 8, ("AP",))))
    assert forest is not None
    assert forest.caption.startswith("The first 14 of 30 systems; the leaderboard has all.")
    all_shown = verdict.forest(subject_of(made_scores(FIVE, 8)))
    assert all_shown is not None
    assert all_shown.caption.startswith("The difference of each system")


@pytest.mark.parametrize("systems", [FIVE[:2], FIVE])
def test_nothing_is_said_twice(systems: tuple[str, ...]) -> None:
    """Sentences about single pairs stand in the table of pairs, not above it."""
    subject = subject_of(made_scores(systems, 12))
    (part,) = dossier([Chapter(subject)]).parts
    assert len(set(part.verdict)) == len(part.verdict)
    if len(systems) > 2:
        pairs = combinations(systems, 2)
        assert not [
            text for text in part.verdict[1:] if any(f"{a} and {b} are" in text or f"{b} and {a} are" in text for a, b in pairs)
        ]
    page = page_of(subject)
    assert all(page.count(text) == 1 for text in part.verdict if len(text) > 60 and "'" not in text and "<" not in text)


def test_rows_of_the_board_have_colours_bars_bands_and_marks() -> None:
    subject = subject_of(made_scores(FIVE, 40))
    comparison, board = subject.comparison, tables(leaderboard.section(subject))["board"]
    assert comparison is not None
    names = column(board, "system")
    assert {entry.text: entry.colour for entry in names} == palette(subject)
    assert [entry.bar for entry in column(board, "P@10 ↑")] == [entry.value for entry in column(board, "P@10 ↑")]
    assert list(board.bands) == comparison.leaderboard["band"].to_list()
    letters = {entry.text: mark for entry, mark in zip(names, "abcde", strict=True)}
    for entry, cell in zip(names, column(board, "R@10 ↑"), strict=True):
        beaten = [other for other in FIVE if comparison.wins[1][FIVE.index(entry.text), FIVE.index(other)]]
        assert cell.raised == "".join(sorted(letters[other] for other in beaten))


def test_marks_of_very_many_systems_count_those_that_are_beaten() -> None:
    subject = subject_of(made_scores(MANY, 40, ("AP",)))
    comparison, board = subject.comparison, tables(leaderboard.section(subject))["board"]
    assert comparison is not None
    beaten = dict(zip(comparison.systems, comparison.wins[0].sum(axis=1).tolist(), strict=True))
    marks = {entry.text: cell.raised for entry, cell in zip(column(board, "system"), column(board, "AP ↑"), strict=True)}
    assert marks == {name: f"+{count}" if count else "" for name, count in beaten.items()}
    assert "+12: significantly better than 12 other systems" in board.notes[1]
