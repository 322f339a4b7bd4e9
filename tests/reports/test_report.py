"""What report() takes, refuses, and says about how to make the page again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline import BadUsage, compare, evaluate
from plumbline.figures.subject import subject_of
from plumbline.reports.building import dossier
from plumbline.reports.model import Listing
from plumbline.reports.page import page
from plumbline.reports.sections import reproduce
from plumbline.reports.sections.reproduce import python_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.reports.building import Chapter

GOLD = {f"q{case}": {f"d{item}": int(item < 2) for item in range(5)} for case in range(3)}
RUNS = {name: {case: {f"d{at * step % 5}": at for at in range(5)} for case in GOLD} for name, step in (("one", 2), ("two", 3))}
PAGE = "page.html"
REFERENCE = pl.DataFrame(
    [(case, name, 0.4, 0.2) for case in GOLD for name in ("AP", "nDCG@2", "F(P@3,R@3)")],
    schema=["case", "metric", "mean", "std"],
    orient="row",
)


@pytest.mark.parametrize("options", [{}, {"depth": 3}, {"ties": "average"}, {"as_": "trec_eval"}, {"zscores": REFERENCE}])
def test_outputs_of_scores_are_evaluated_again(options: dict[str, Any], written: list[Sequence[Chapter]]) -> None:
    scores = evaluate(GOLD, RUNS, ["AP", "nDCG@2", "F(P@3,R@3)"], **options)
    for source in (scores, compare(scores)):
        source.report(PAGE, gold=GOLD, systems=RUNS)
    assert len(written) == 2


def test_other_outputs_than_those_of_the_scores_are_refused(written: list[Sequence[Chapter]]) -> None:
    more = {**GOLD, "q9": GOLD["q0"]}
    wrong = {**GOLD, "q1": {**GOLD["q1"], "d4": 1}}
    swapped = {"one": RUNS["two"], "two": RUNS["one"]}
    scores = evaluate(GOLD, RUNS, ["AP"])
    for source in (scores, compare(scores)):
        for gold, systems in ((more, RUNS), (wrong, RUNS), (GOLD, swapped)):
            with pytest.raises(BadUsage) as caught:
                source.report(PAGE, gold=gold, systems=systems)
            assert "E175 AP of one in case " in str(caught.value)
    assert not written


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"titel": "x"}, "E371 report: there is no option 'titel'\n  help: did you mean title"),
        ({"depht": 3}, "E371 report: there is no option 'depht'\n  help: did you mean depth"),
        ({"zzzz": "red"}, "E371 report: there is no option 'zzzz'\n  help: choose from title, force, metrics"),
        ({"title": 3}, "E371 report: title = 3 does not fit"),
        ({"comparing": {"levl": 3}}, "E371 compare: there is no option 'levl'"),
        ({"comparing": {"level": "x"}}, "E371 compare: level = 'x' does not fit"),
        ({"depth": 2}, "E349 depth has no effect"),
        ({"gold": GOLD}, "E332 gold was given without systems"),
        ({"gold": GOLD, "systems": RUNS, "depth": 2}, "E348 the scores were made with depth = 3, but depth = 2"),
        ({"gold": GOLD, "systems": RUNS, "task": "filtering"}, "E348 the scores were made with task = 'ranking'"),
    ],
)
def test_what_a_report_cannot_keep_is_refused(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(BadUsage) as caught:
        evaluate(GOLD, RUNS, ["AP"], depth=3).report(tmp_path / PAGE, **options)
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_options_beside_a_comparison_or_a_plan_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E349 baseline has no effect: the comparison was made before"):
        compare(evaluate(GOLD, RUNS, ["AP"])).report(tmp_path / PAGE, comparing={"baseline": "one"})
    with pytest.raises(BadUsage, match="E349 task has no effect: a plan has options of its own"):
        plumbline.report(tmp_path / "plan.toml", tmp_path / PAGE, task="ranking")


def test_figures_of_a_report_show_what_the_scores_show(written: list[Sequence[Chapter]], tmp_path: Path) -> None:
    scores = evaluate(GOLD, RUNS, ["AP"], depth=3, ties="average")
    scores.report(tmp_path / PAGE, gold=GOLD, systems=RUNS, depth=3)
    compare(scores).report(tmp_path / PAGE, gold=GOLD, systems=RUNS)
    for (chapter,) in written:
        assert dict(chapter.subject.options) == {"depth": 3, "ties": "average"}
        settings = reproduce.section(chapter.subject, None, []).blocks[-1]
        settings_by_name = {row[0].text: row[1].text for row in settings.rows}  # type: ignore[union-attr]  # a table
        assert (settings_by_name["task"], settings_by_name["policy: depth"], settings_by_name["policy: ties"]) == (
            "ranking",
            "3",
            "average",
        )


def test_the_lines_of_python_make_the_same_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{case} 0 {item} {grade}" for case, grades in GOLD.items() for item, grade in grades.items()]
    Path("it's a gold.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, grades in RUNS.items():
        ranked = [f"{case} Q0 {item} 1 {score} t" for case, items in grades.items() for item, score in items.items()]
        Path(f"{name}.run").write_text("\n".join(ranked) + "\n", encoding="utf-8")
    outputs: dict[str, Any] = {"gold": Path("it's a gold.txt"), "systems": ["one.run", Path("two.run")]}
    scores = evaluate(**outputs, metrics=["AP", "P@2"], depth=3, as_="trec_eval")
    code = python_code(scores, tmp_path / PAGE, outputs)
    known: dict[str, Any] = {}
    exec("\n".join(code[:-1]), known)  # noqa: S102 - the lines are what is tested
    assert known["scores"].per_case.equals(scores.per_case)
    assert code[-1] == """scores.report('page.html', gold="it's a gold.txt", systems=['one.run', 'two.run'])"""


def test_what_was_in_memory_has_a_name() -> None:
    scores = evaluate(GOLD, RUNS, ["AP"])
    assert python_code(scores, PAGE, {"gold": GOLD, "systems": RUNS, "metrics": None}) == (
        "import plumbline",
        "scores = plumbline.evaluate(gold, systems, ['AP'], task='ranking')",
        "scores.report('page.html', gold=gold, systems=systems)",
    )
    assert python_code(compare(scores), PAGE, {"title": "a\nb"})[-1] == r"comparison.report('page.html', title='a\nb')"
    assert python_code("scores.csv", PAGE, {"comparing": {"baseline": "one"}})[-1] == (
        "plumbline.report('scores.csv', 'page.html', comparing={'baseline': 'one'})"
    )
    assert python_code(None, PAGE, {"gold": "g", "systems": [f"{at}.run" for at in range(999)]})[-1] == (
        "plumbline.report(None, 'page.html', gold='g', systems=systems)"
    )
    assert python_code(scores.per_case, PAGE, {})[-1] == "plumbline.report(scores, 'page.html')"


def test_a_page_shows_the_lines_and_hostile_names_do_nothing(written: list[Sequence[Chapter]], tmp_path: Path) -> None:
    hostile = "</pre><script>alert(1)</script>\u202e\x1b"
    evaluate(GOLD, RUNS, ["AP"]).report(tmp_path / PAGE, title=hostile)
    (chapter,) = written[-1]
    blocks = reproduce.section(chapter.subject, None, [], chapter.code).blocks
    assert isinstance(blocks[0], Listing)
    assert blocks[0].lines == chapter.code
    text = page(dossier([chapter], "A page"))
    assert "scores.report(" in text
    assert "<script>alert(1)" not in text
    assert not {"\u202e", "\x1b"} & set(text)


def test_a_chapter_without_lines_says_where_it_was_made() -> None:
    subject = subject_of(evaluate(GOLD, RUNS, ["AP"]))
    assert "made in Python" in str(reproduce.section(subject, None, []).blocks[0])
    assert "plumbline report 'a b.txt'" in str(reproduce.section(subject, ("report", "a b.txt"), [], ("x",)).blocks[0])
