"""Plans, files and what is written: several parts in one page, digests, refusals."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline import BadUsage, PlumblineError, compare, evaluate
from plumbline.evaluation.evaluation import can_be_read_again
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.io.memory.compose import Composed
from plumbline.render.grid import Grid
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.plan import COMPARE_OPTIONS, OPTIONS, SOURCES, chapters, located
from plumbline.reports.report import report
from plumbline.reports.sections.reproduce import sources
from tests.helpers.command_line import QRELS, RUN
from tests.helpers.command_line import plumbline as command_line
from tests.helpers.page_reader import read_page
from tests.helpers.results import MADE, example

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "runs" / "two.run").write_text(RUN.replace("3.0", "0.5"), encoding="utf-8")
    (tmp_path / "scores.csv").write_text("system,case,metric,value\na,q1,AP,0.5\nb,q1,AP,0.6\n", encoding="utf-8")
    return tmp_path


def _plan(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_wrong_in_a_file_is_told_with_its_part(folder: Path) -> None:
    (folder / "runs" / "two.run").write_text("q1 Q0 a 1 x t\n", encoding="utf-8")
    part = "[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/{}.run'\nmetrics = ['AP']\n"
    with pytest.raises(PlumblineError) as caught:
        chapters(_plan(folder, part.format("one") + part.format("two")))
    assert caught.value.path == str(folder / "runs" / "two.run")
    assert "two.run:1:11: E102 part 2 of plan.toml: score 'x' is not a decimal number" in str(caught.value)


def test_a_plan_has_parts_of_outputs_and_of_scores(folder: Path) -> None:
    path = _plan(
        folder,
        'title = "Both"\n[[part]]\ntitle = "First"\ngold = "qrels.txt"\nsystems = ["runs/*.run"]\nmetrics = ["AP"]\n'
        'ties = "average"\n[part.compare]\nbaseline = "one"\n[[part]]\nscores = "scores.csv"\n',
    )
    title, made = chapters(path)
    assert title == "Both"
    first, second = (chapter.subject for chapter in made)
    assert first.task == "ranking"
    assert first.scores is not None
    assert first.scores.made["policy"] == {"ties": "average"}
    assert first.comparison is not None
    assert first.comparison.baseline == "one"
    assert second.cube.systems == ("a", "b")
    assert [chapter.title for chapter in made] == ["First", None]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("title = [", "E345", "cannot be read"),
        ("title = 'x'", "E345", "no [[part]]"),
        ("part = 3", "E345", "no [[part]]"),
        ("colour = 'red'\n[[part]]\nscores = 'scores.csv'", "E345", "unknown key 'colour'"),
        ("[[part]]\nsystems = ['runs/*.run']", "E346", "part 1: there is no 'gold'"),
        ("[[part]]\ngold = 'qrels.txt'", "E346", "there is no 'systems'"),
        ("[[part]]\nscores = 'scores.csv'\nties = 'id'", "E346", "'ties' goes with a gold"),
        ("[[part]]\ngold = 3\nsystems = 'runs/*.run'", "E346", "3 is not a file"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = [{priority = 'a'}]", "E346", "is not a file"),
        ("title = 3\n[[part]]\nscores = 'scores.csv'", "E345", "title = 3 is not text"),
        ("[[part]]\nscores = 'scores.csv'\ntitle = 3", "E346", "title = 3 does not fit\n  help: give a word"),
        ("[[part]]\nscores = 3", "E346", "scores = 3 is not a file"),
        ("[[part]]\nscores = []", "E346", "scores is empty"),
        ("[[part]]\nscores = 'scores.csv'\nmetrics = 3", "E346", "metrics = 3 does not fit"),
        ("[[part]]\nscores = 'scores.csv'\ncompare = 3", "E346", "compare = 3 is not a table"),
        (
            "[[part]]\nscores = 'scores.csv'\n[part.compare]\nalpha = 'x'",
            "E346",
            "alpha = 'x' does not fit\n  help: give a",
        ),
        (
            "[[part]]\nscores = 'scores.csv'\n[part.compare]\nlevl = 1",
            "E346",
            "compare: there is no option 'levl'\n  help: did you mean",
        ),
        ("[[part]]\nscores = 'scores.csv'\n[part.compare]\nbaseline = 'c'", "E308", "part 1: there is no baseline 'c'"),
        ("[[part]]\ngold = ''\nsystems = 'runs/*.run'", "E346", "gold is empty"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = []", "E346", "systems is empty"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'run/*.run'", "E346", "'run/*.run': there is no such file"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'own='", "E346", "'own=': there is no such file"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\ntask = 3", "E346", "task = 3 does not fit"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\ndepth = 'x'", "E346", "depth = 'x' does not fit"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\ndepht = 3", "E346", "help: did you mean depth?"),
        (
            "[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\nmetrics = 'APP'",
            "E301",
            "plan.toml: E301 part 1: unknown metric",
        ),
        ("a" + ".a" * 50_000 + " = 1", "E345", "more than 32 parts"),
        ("a = " + "[" * 100_000, "E345", "nested too deeply"),
        ("#" * 2**20 + "\n", "E345", "more than 1,048,576 bytes"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\nwish = 1", "E346", "part 1: there is no option 'wish'"),
    ],
)
def test_a_plan_that_is_wrong_says_what_is_wrong(folder: Path, text: str, code: str, words: str) -> None:
    with pytest.raises(BadUsage) as caught:
        chapters(_plan(folder, text))
    assert caught.value.code == code
    assert words in str(caught.value)


WRONG = (
    *("3", "-1", "99999999999999999999999999", "nan", "inf", "true", "1979-05-27", '""', '"x"', '"\\u202e<b>="', '"."'),
    *("[]", "[3]", '["x"]', "[[]]", "{}", "{a = 1}"),
)
"""What somebody may write who has something else in mind."""
PARTS = {
    "outputs": {"gold": '"qrels.txt"', "systems": '["runs/*.run"]', "metrics": '["AP"]'},
    "labels": {"gold": '"labels.tsv"', "systems": '"labels.tsv"', "task": '"filtering"', "positive": '"yes"'},
    "scores": {"scores": '"scores.csv"'},
}


def _is_told(path: Path) -> bool:
    """Whether there is something to draw, or words that say which part of the plan, or which file, is wrong."""
    try:
        _, made = chapters(path)
    except PlumblineError as error:
        return error.path is not None and (
            error.path != str(path) or "part 1: " in str(error) or "part 1 of plan.toml: " in str(error)
        )
    return made[0].subject.has_values


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("key", [*OPTIONS, *SOURCES, "as", "on-duplicate", *(f"compare.{name}" for name in COMPARE_OPTIONS)])
def test_whatever_stands_in_a_plan_it_is_understood_or_refused_in_words(folder: Path, kind: str, key: str) -> None:
    (folder / "labels.tsv").write_text("m1\tyes\nm2\tno\n", encoding="utf-8")
    for value in WRONG:
        text = "".join(f"{name} = {text_of_value}\n" for name, text_of_value in {**PARTS[kind], key: value}.items())
        path = _plan(folder, f"[[part]]\n{text}")
        assert _is_told(path), value


def test_systems_and_scores_of_a_plan_may_have_names(folder: Path) -> None:
    (folder / "a=b").mkdir()
    (folder / "a=b" / "c=d.run").write_text(RUN, encoding="utf-8")
    absolute = folder / "runs" / "two.run"
    systems = ["own=runs/one.run", f"other={absolute}", str(absolute), "a=b/c=d.run", "a=b/*.run", "far=a=b/c=d.run"]
    made = [
        chapters(_plan(folder, f"[[part]]\ngold = 'qrels.txt'\nsystems = ['{one}']\nmetrics = 'AP'\n"))[1][0].subject
        for one in systems
    ]
    assert [subject.cube.systems for subject in made] == [("own",), ("other",), ("two",), ("c=d",), ("c=d",), ("far",)]
    assert all(len(sources(subject, {})) == 2 for subject in made)
    (folder / "x.csv").write_text("case,a,b\nq1,0.5,0.6\nq2,0.5,0.7\n", encoding="utf-8")
    _, named = chapters(_plan(folder, "[[part]]\nscores = ['nDCG(gain=exp)=x.csv', 'AP=x.csv']\n"))
    assert named[0].subject.cube.metrics == ("nDCG(gain=exp)", "AP")
    assert len(sources(named[0].subject, named[0].files)) == 2


def test_a_plan_in_a_folder_with_a_sign_of_patterns(folder: Path) -> None:
    other = folder / "a=b [1]"
    (other / "runs").mkdir(parents=True)
    for name in ("qrels.txt", "runs/one.run"):
        (other / name).write_bytes((folder / name).read_bytes())
    _, made = chapters(_plan(other, "[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\n"))
    assert made[0].subject.cube.systems == ("one",)


@pytest.mark.parametrize(
    ("folder", "name", "actual"),
    [
        (PurePosixPath("plans"), "runs/one.run", "plans/runs/one.run"),
        (PurePosixPath("plans"), "/runs/one.run", "/runs/one.run"),
        (PureWindowsPath(r"D:\plans"), r"runs\one.run", r"D:\plans\runs\one.run"),
        (PureWindowsPath(r"D:\plans"), r"C:\runs\one.run", r"C:\runs\one.run"),
        (PureWindowsPath(r"D:\plans"), r"\\server\runs\one.run", r"\\server\runs\one.run"),
    ],
)
def test_names_of_files_start_from_the_folder_unless_they_are_absolute(folder: PurePath, name: str, actual: str) -> None:
    assert located(folder, name) == actual


def test_options_of_a_plan_may_be_written_as_on_the_command_line(folder: Path) -> None:
    text = "[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\nas = 'trec_eval'\non-duplicate = 'first'\n"
    scores = chapters(_plan(folder, text))[1][0].subject.scores
    assert scores is not None
    assert (scores.made["as"], scores.made["options"]) == ("trec_eval", {"on_duplicate": "first"})


def test_a_plan_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E345"):
        chapters(tmp_path / "none.toml")


def test_every_file_has_its_digest_once(folder: Path) -> None:
    paths = [folder / "qrels.txt", folder / "runs" / "one.run", folder / "runs" / "two.run"]
    subject = subject_of(gold=paths[0], systems=[str(folder / "runs" / "*.run")], metrics=["AP"])
    result = sources(subject, {"plan": folder / "scores.csv", "scores": paths[0]})
    digests = {Path(one.name): one.digest.sha256 for one in result}
    expected = [folder / "scores.csv", *paths]
    assert digests == {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in expected}
    assert {one.name: one.role for one in result}[str(paths[1])] == "system"
    assert all(one.digest.size == Path(one.name).stat().st_size for one in result)


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (None, 0),
        ({"q1": {"d1": 1.0}}, 0),
        ("-", 0),
        ("nowhere.txt", 0),
        (["AP={0}/scores.csv", "{0}/qrels.txt"], 2),
        ({"name": "{0}/qrels.txt"}, 1),
    ],
)
def test_what_is_no_file_has_no_digest(folder: Path, given: Any, count: int) -> None:
    placed = [one.format(folder) for one in given] if isinstance(given, list) else given
    placed = {"name": given["name"].format(folder)} if isinstance(given, dict) and "name" in given else placed
    assert len(sources(subject_of({"AP": {"a": {"q1": 1.0}}}), {"scores": placed})) == count


def test_both_files_of_a_composed_system_are_told(folder: Path) -> None:
    composed = Composed(str(folder / "qrels.txt"), str(folder / "scores.csv"))
    assert len(sources(subject_of({"AP": {"a": {"q1": 1.0}}}), {"system": composed})) == 2


def test_a_report_is_made_of_scores_comparisons_tables_and_plans(folder: Path, written: list[Sequence[Chapter]]) -> None:
    scores = evaluate(folder / "qrels.txt", folder / "runs" / "*.run", ["AP"])
    scores.save(folder / "saved.parquet")
    plan = _plan(folder, "[[part]]\nscores = 'scores.csv'\n")
    for source in (scores, compare(scores), folder / "scores.csv", folder / "saved.parquet", plan):
        assert report(source, folder / "page.html") == folder / "page.html"
    subjects = [made[0].subject for made in written]
    assert [subject.task for subject in subjects] == ["ranking", "ranking", None, "ranking", None]
    assert [subject.scores is not None for subject in subjects] == [True, False, False, True, False]
    report(None, folder / "page.html", gold=folder / "qrels.txt", systems=folder / "runs" / "*.run", metrics="AP")
    assert written[-1][0].subject.has_outputs


def test_outputs_that_can_be_read_once_are_not_looked_at_again(folder: Path, written: list[Sequence[Chapter]]) -> None:
    with (folder / "runs" / "one.run").open("rb") as file:
        report(None, folder / "page.html", gold=folder / "qrels.txt", systems={"one": file}, metrics="AP")
    subject = written[-1][0].subject
    assert subject.has_outputs, "it was read once, for everything that the page shows"
    assert FIGURES["losses"].applies(subject)
    with (folder / "runs" / "one.run").open("rb") as file:
        scores = evaluate(folder / "qrels.txt", {"one": file}, "AP")
        scores.report(folder / "page.html")
    subject = written[-1][0].subject
    assert not FIGURES["losses"].applies(subject)
    assert "cannot be read again" in str(FIGURES["losses"].why_not(subject))
    assert "N265" in {notice.code for notice in subject.notices}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_can_be_read_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    frame = pl.DataFrame({"a": [1]})
    assert all(map(can_be_read_again, (frame, {"q": {"d": 1}}, "runs/*.run", tmp_path, ["a.run"], Composed("a", "b"))))
    assert not any(
        map(can_be_read_again, ("-", tmp_path / "pipe", ["a", "-"], {"x": io.BytesIO()}, Composed("a", "-"), iter([])))
    )


def test_results_offer_their_report(folder: Path, written: list[Sequence[Chapter]]) -> None:
    scores = evaluate(folder / "qrels.txt", folder / "runs" / "*.run", ["AP"])
    scores.report(folder / "page.html", title="All")
    compare(scores).report(folder / "page.html")
    assert len(written) == 2


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E309"):
        report(None, tmp_path / "page.html")


JUDGES = {
    "anna": {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1, "d": 0}},
    "ben": {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "d": 1}},
    "cy": {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 1, "d": 0}},
}
LISTS = {
    "s": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 3.0, "d": 2.0}},
    "t": {"q1": {"c": 3.0, "a": 2.0}, "q2": {"d": 3.0}},
}


def test_a_saved_result_is_a_part_with_its_sentences_figures_and_tables(folder: Path) -> None:
    agreement = plumbline.agree(JUDGES, LISTS, ["AP"])
    agreement.save(folder / "judges.parquet")
    text = '[[part]]\nscores = "scores.csv"\n[[part]]\ntitle = "Who judged"\nresult = "judges.parquet"\n'
    made = chapters(_plan(folder, text))[1]
    part = dossier(made).parts[1]
    assert (part.title, part.verdict) == ("Who judged", agreement.summary)
    blocks = {section.name: [getattr(block, "name", "") for block in section.blocks] for section in part.sections}
    assert blocks["judgements"] == ["", "figure-agreement", "figure-judges"]
    assert "table-1" in blocks["tables"]
    assert "How much every two assessors agree" in report(agreement, folder / "page.html").read_text(encoding="utf-8")


def test_further_results_are_parts_behind_the_first(folder: Path) -> None:
    agreement = plumbline.agree(JUDGES, LISTS, ["AP"])
    agreement.save(folder / "judges.parquet")
    votes = plumbline.aggregate(JUDGES)
    in_python = report(folder / "scores.csv", folder / "python.html", also=[folder / "judges.parquet", votes])
    scores = plumbline.evaluate(next(iter(JUDGES.values())), LISTS, "AP")
    scores.report(folder / "scores.html", also=[agreement])
    votes.save(folder / "votes.parquet")
    named = [word for name in ("judges", "votes") for word in ("--also", f"{folder}/{name}.parquet")]
    ended = command_line("report", f"{folder}/scores.csv", *named, "-o", f"{folder}/shell.html")
    assert ended.code == 0, ended.err
    for path, titles in (
        (in_python, ["Scores", "Judgements", "Labels from votes"]),
        (folder / "shell.html", ["Scores", "Judgements", "Labels from votes"]),
        (folder / "scores.html", ["Ranking", "Judgements"]),
    ):
        text = read_page(path.read_text(encoding="utf-8")).text()
        places = [text.index(title) for title in titles]
        assert places == sorted(places)
        assert "How much every two assessors agree" in text
    assert "also=" in read_page(in_python.read_text(encoding="utf-8")).text()


def test_what_is_no_saved_result_is_no_part_and_a_plan_has_its_own(folder: Path) -> None:
    with pytest.raises(PlumblineError, match=r"scores\.csv"):
        report(folder / "scores.csv", folder / "page.html", also=[folder / "scores.csv"])
    plan = _plan(folder, '[[part]]\nscores = "scores.csv"\n')
    with pytest.raises(BadUsage, match="also"):
        report(plan, folder / "page.html", also=[folder / "scores.csv"])
    refused = command_line("report", str(plan), "--also", f"{folder}/scores.csv", "-o", f"{folder}/page.html")
    assert (refused.code, "--also has no effect on a plan" in refused.err) == (2, True)


def test_a_page_has_more_assessors_than_a_terminal() -> None:
    many = plumbline.aggregate({f"w{place:02}": {"x": 1, "y": place % 2} for place in range(40)})
    terminal, page = many.to_blocks()[1], many.to_page()[1]
    assert isinstance(terminal, Grid)
    assert isinstance(page, Grid)
    assert (len(terminal.rows), "15 more assessors" in terminal.caption) == (25, True)
    assert (len(page.rows), "more assessors" in page.caption) == (40, False)


@pytest.mark.parametrize("kind", sorted(MADE))
def test_a_page_can_be_made_of_every_result(kind: str) -> None:
    """Of scores and comparisons it is the usual one."""
    subject = subject_of(example(kind))
    (part,) = dossier([Chapter(subject)]).parts
    assert part.verdict[0]
    assert part.sections


def test_other_keys_beside_a_result_are_refused(folder: Path) -> None:
    (folder / "judges.parquet").write_bytes(b"")
    with pytest.raises(BadUsage, match="'metrics' does not go with a result"):
        chapters(_plan(folder, '[[part]]\nresult = "judges.parquet"\nmetrics = ["AP"]\n'))
    with pytest.raises(PlumblineError, match="part 1"):
        chapters(_plan(folder, '[[part]]\nresult = "judges.parquet"\n'))
