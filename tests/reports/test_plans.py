"""Plans, files and what is written: several parts in one page, digests, refusals."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from plumbline import BadUsage, compare, evaluate
from plumbline.figures.subject import subject_of
from plumbline.io.compose import Composed
from plumbline.reports import writing
from plumbline.reports.again import lasts
from plumbline.reports.hashing import sources
from plumbline.reports.plan import chapters
from plumbline.reports.writing import report
from program import QRELS, RUN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plumbline.reports.building import Chapter


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
        ("[[part]]\ngold = 3\nsystems = 'runs/*.run'", "E346", "3 is no file"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = [{priority = 'a'}]", "E346", "is no file"),
        ("[[part]]\ngold = 'qrels.txt'\nsystems = 'runs/*.run'\nwish = 1", "E306", "wish"),
    ],
)
def test_a_plan_that_is_wrong_says_what_is_wrong(folder: Path, text: str, code: str, words: str) -> None:
    with pytest.raises(BadUsage) as caught:
        chapters(_plan(folder, text))
    assert caught.value.code == code
    assert words in str(caught.value)


def test_a_plan_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E345"):
        chapters(tmp_path / "none.toml")


def test_every_file_has_its_digest_once(folder: Path) -> None:
    paths = [folder / "qrels.txt", folder / "runs" / "one.run", folder / "runs" / "two.run"]
    subject = subject_of(gold=paths[0], systems=[str(folder / "runs" / "*.run")], metrics=["AP"])
    found = sources(subject, {"plan": folder / "scores.csv", "scores": paths[0]})
    digests = {Path(one.name): one.digest for one in found}
    expected = [folder / "scores.csv", *paths]
    assert digests == {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in expected}
    assert {one.name: one.role for one in found}[str(paths[1])] == "system"
    assert all(one.size == Path(one.name).stat().st_size for one in found)


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


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Chapter]]:
    """What would be written, without drawing it."""
    seen: list[Sequence[Chapter]] = []

    def keep(made: Sequence[Chapter], path: Any, **_: Any) -> Path:
        seen.append(made)
        return Path(path)

    monkeypatch.setattr(writing, "write", keep)
    return seen


def test_a_report_is_made_of_scores_comparisons_tables_and_plans(folder: Path, written: list[Sequence[Chapter]]) -> None:
    scores = evaluate(folder / "qrels.txt", folder / "runs" / "*.run", ["AP"])
    scores.save(folder / "saved.parquet")
    plan = _plan(folder, "[[part]]\nscores = 'scores.csv'\n")
    for source in (scores, compare(scores), folder / "scores.csv", folder / "saved.parquet", plan):
        assert report(source, folder / "page.html") == folder / "page.html"
    subjects = [made[0].subject for made in written]
    assert [subject.task for subject in subjects] == ["ranking", None, None, "ranking", None]
    assert [subject.scores is not None for subject in subjects] == [True, False, False, True, False]
    report(None, folder / "page.html", gold=folder / "qrels.txt", systems=folder / "runs" / "*.run", metrics="AP")
    assert written[-1][0].subject.has_outputs


def test_outputs_that_can_be_read_once_are_not_looked_at_again(folder: Path, written: list[Sequence[Chapter]]) -> None:
    with (folder / "runs" / "one.run").open("rb") as file:
        report(None, folder / "page.html", gold=folder / "qrels.txt", systems={"one": file}, metrics="AP")
    subject = written[-1][0].subject
    assert not subject.has_outputs
    assert "N265" in {notice.code for notice in subject.notices}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_can_be_read_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    frame = pl.DataFrame({"a": [1]})
    assert all(map(lasts, (frame, {"q": {"d": 1}}, "runs/*.run", tmp_path, ["a.run"], Composed("a", "b"))))
    assert not any(map(lasts, ("-", tmp_path / "pipe", ["a", "-"], {"x": io.BytesIO()}, Composed("a", "-"), iter([]))))


def test_results_offer_their_report(folder: Path, written: list[Sequence[Chapter]]) -> None:
    scores = evaluate(folder / "qrels.txt", folder / "runs" / "*.run", ["AP"])
    scores.report(folder / "page.html", title="All")
    compare(scores).report(folder / "page.html")
    assert len(written) == 2


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="E309"):
        report(None, tmp_path / "page.html")
