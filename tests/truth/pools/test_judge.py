"""Pages for assessors: what they hold, what is refused, and that the table comes back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline.truth.pools.judge import parse_grades
from tests.helpers.command_line import plumbline as program
from tests.helpers.report_pages import HOSTILE

if TYPE_CHECKING:
    from pathlib import Path

POOL = {"q1": ["d1", "d2"], "q2": ["d3"]}
TEXTS = {"d1": "first", "d2": "second", "d3": "third", "k": "known"}


def data(page: str) -> dict[str, Any]:
    """What a page holds."""
    start = page.index('id="data">') + len('id="data">')
    held: dict[str, Any] = json.loads(page[start : page.index("</script>", start)])
    return held


def test_a_page_holds_texts_topics_and_grades_and_no_systems() -> None:
    pool = plumbline.pool({"secret": {"q1": {"d1": 2.0, "d2": 1.0}}})
    pages = plumbline.judge(pool, TEXTS, topics={"q1": "What?"}, grades="0 no,1 partly,2 yes")
    held = data(pages.pages[""])
    assert [row["item"] for row in held["items"]] == ["d1", "d2"]
    assert held["topics"] == {"q1": "What?"}
    assert [grade["key"] for grade in held["grades"]] == ["0", "1", "2"]
    assert "secret" not in pages.pages[""]
    assert "http" not in pages.pages[""].replace("http-equiv", "")


def test_known_items_are_mixed_into_their_case() -> None:
    held = data(plumbline.judge(POOL, TEXTS, known={"q1": {"k": 1}}).pages[""])
    items = [(row["case"], row["item"], row.get("gold")) for row in held["items"]]
    assert sorted(items, key=str) == sorted(
        [("q1", "d1", None), ("q1", "d2", None), ("q2", "d3", None), ("q1", "k", "1")], key=str
    )
    assert items[-1] == ("q2", "d3", None)
    places = {
        [row["item"] for row in data(plumbline.judge(POOL, TEXTS, known={"q1": {"k": 1}}, seed=s).pages[""])["items"]].index(
            "k"
        )
        for s in range(12)
    }
    assert places == {0, 1, 2}


@pytest.mark.parametrize("hostile", [*HOSTILE, "</script><script>alert(1)</script>", "<!--", "\u2028", "]]>"])
def test_hostile_texts_are_text(hostile: str) -> None:
    pages = plumbline.judge({hostile: [hostile]}, {hostile: hostile}, topics={hostile: hostile}, title=hostile)
    page = pages.pages[""]
    [row] = data(page)["items"]
    assert row == {"case": hostile, "item": hostile, "text": hostile}
    assert page.count("<script") == 2
    assert "<img" not in page.replace("img-src", "")


def test_a_large_page_becomes_one_for_each_case(tmp_path: Path) -> None:
    pages = plumbline.judge(POOL, TEXTS, max_page=5000)
    assert list(pages.pages) == ["q1", "q2"]
    assert [notice.code for notice in pages.notices] == ["N447"]
    names = [path.name for path in pages.write(tmp_path / "judge.html")]
    assert names == ["judge-001-q1.html", "judge-002-q2.html"]
    with pytest.raises(plumbline.BadUsage):
        pages.write(tmp_path / "judge.html")
    assert (
        plumbline.judge({"../x/<y>": ["d1"], "q": ["d2"]}, TEXTS, max_page=1).write(tmp_path / "p.html")[0].parent == tmp_path
    )


def test_items_without_text_are_named() -> None:
    with pytest.raises(plumbline.BadData, match="1 of 3 items to judge have no text: d3") as caught:
        plumbline.judge(POOL, {"d1": "a", "d2": "b"})
    assert caught.value.code == "E449"


@pytest.mark.parametrize("grades", ["", "0 no", "no,yes", "0 no,0 yes", "0,1", ",".join(f"{n} x" for n in range(11))])
def test_wrong_grades_are_refused(grades: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        parse_grades(grades)
    assert caught.value.code == "E450"


def test_grades_that_are_no_digits_have_keys_by_place() -> None:
    assert [(grade["value"], grade["key"]) for grade in parse_grades("-1 spam,0 no,10 yes")] == [
        ("-1", "1"),
        ("0", "2"),
        ("10", "3"),
    ]


def test_a_file_that_is_no_pool_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(plumbline.BadData) as caught:
        plumbline.judge(str(path), TEXTS)
    assert caught.value.code == "E451"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "corpus.jsonl",
            '{"_id": "d1", "title": "T", "text": "first"}\n{"_id": "d2", "text": "second"}\n{"_id": "d3", "text": "third"}\n',
        ),
        ("corpus.tsv", "d1\tfirst\nd2\tsecond\nd3\tthird\n"),
        ("corpus.csv", 'docid,text\nd1,first\nd2,"second"\nd3,third\n'),
    ],
)
def test_the_command_writes_a_page(tmp_path: Path, name: str, content: str) -> None:
    run, corpus, topics = tmp_path / "a.run", tmp_path / name, tmp_path / "topics.tsv"
    run.write_text("q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\nq2 Q0 d3 1 1 t\n")
    corpus.write_text(content)
    topics.write_text("q1\tWhat is the first?\nq2\tAnd the other?\n")
    pool, page = tmp_path / "pool.jsonl", tmp_path / "judge.html"
    assert program("pool", str(run), "-o", str(pool)).code == 0
    shown = program("judge", str(pool), "--texts", str(corpus), "--topics", str(topics), "-o", str(page))
    assert shown.code == 0, shown.err
    assert "3 items on 1 page" in shown.out
    held = data(page.read_text())
    assert [row["text"].split()[-1] for row in held["items"]] == ["first", "second", "third"]
    assert held["topics"]["q1"] == "What is the first?"
