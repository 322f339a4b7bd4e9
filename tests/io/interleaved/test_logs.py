"""Logs of interleaved lists: Wikimedia's events, tables of impressions, User Behavior Insights, and what is wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.io.interleaved.read import read_log

if TYPE_CHECKING:
    from pathlib import Path

WIKIMEDIA = """timestamp,search_id,event,position,ranking_function
2018-08-01T00:01:31Z,s1,serp,NA,NA
2018-08-01T00:04:09Z,s1,click,14,A
2018-08-01T00:01:31Z,s2,serp,NA,NA
2018-08-01T00:02:00Z,s2,scroll,NA,NA
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_events_of_wikimedia(tmp_path: Path) -> None:
    log = read_log(written(tmp_path / "log.csv", WIKIMEDIA))
    assert log.sessions["session"].to_list() == ["s1", "s2"]
    assert log.rows.select("session", "position", "team", "clicked").rows() == [(0, 14, "A", True)]
    assert log.rows["when"].to_list() == [1533081849.0]
    assert [notice.code for notice in log.notices] == ["N560"]


def test_impressions(tmp_path: Path) -> None:
    text = "query,session,doc_id,rank,click,ranker,user_id\nq1,s1,a,0,1,A,u\nq1,s1,b,1,0,B,u\n"
    log = read_log(written(tmp_path / "log.csv", text), first=0)
    assert log.sessions.rows() == [("s1", "u", "q1")]
    assert log.rows.select("item", "position", "team", "clicked").rows() == [("a", 1, "A", True), ("b", 2, "B", False)]
    assert log.shows_all


def test_columns_can_be_named() -> None:
    frame = pl.DataFrame({"visit": ["s1"], "hit": [1], "side": ["A"]})
    log = read_log(frame, "session=visit,clicked=hit,team=side")
    assert log.rows.select("team", "clicked").rows() == [("A", True)]
    with pytest.raises(plumbline.BadUsage):
        read_log(frame, "sesion=visit")
    with pytest.raises(plumbline.BadUsage):
        read_log(frame, "session=nowhere")


def query(number: int, hits: list[str]) -> dict[str, Any]:
    return {
        "application": "shop",
        "query_id": f"s{number}",
        "client_id": f"u{number % 2}",
        "user_query": "shoes",
        "query_response_hit_ids": hits,
    }


def event(number: int, item: str, team: str | None, action: str = "click", **more: Any) -> dict[str, Any]:
    detail = {} if team is None else {"object_detail": {"search_configuration_id": team}}
    attributes = {"object": {"object_id": item, **detail}, "position": {"ordinal": 3}}
    record = {"application": "shop", "action_name": action, "query_id": f"s{number}", "timestamp": 1_700_000_000 + number}
    return {**record, "client_id": f"u{number % 2}", "event_attributes": attributes, **more}


def jsonl(path: Path, records: list[dict[str, Any]]) -> Path:
    return written(path, "".join(json.dumps(record) + "\n" for record in records))


def test_queries_and_events_of_ubi(tmp_path: Path) -> None:
    queries = jsonl(tmp_path / "ubi_queries.jsonl", [query(1, ["a", "b"]), query(2, ["b", "a"])])
    events = [event(1, "b", "A"), event(2, "b", "B"), event(2, "elsewhere", "B"), event(1, "a", None, "add_to_cart")]
    log = read_log([queries, jsonl(tmp_path / "ubi_events.jsonl", events)])
    assert log.sessions.rows() == [("s1", "u1", "shoes"), ("s2", "u0", "shoes")]
    assert log.rows.select("session", "item", "position", "clicked", "team").rows() == [
        (0, "a", 1, False, None),
        (0, "b", 2, True, "A"),
        (1, "b", 1, True, "B"),
        (1, "a", 2, False, None),
    ]
    assert [notice.code for notice in log.notices] == ["N560", "N564"]
    result = plumbline.analyse_interleaving([queries, tmp_path / "ubi_events.jsonl"])
    assert (result.over, result.units) == ("users", 2)
    assert result.table.select("wins", "losses").row(0) == (1.0, 1.0)


def test_events_of_ubi_alone_and_as_a_search_engine_answers(tmp_path: Path) -> None:
    events = [event(1, "b", "A"), event(2, "b", "B")]
    plain = read_log(jsonl(tmp_path / "events.jsonl", events))
    assert plain.rows.select("session", "item", "position", "team").rows() == [(0, "b", 3, "A"), (1, "b", 3, "B")]
    assert not plain.shows_all
    answer = {"hits": {"hits": [{"_id": str(number), "_source": record} for number, record in enumerate(events)]}}
    wrapped = read_log(written(tmp_path / "answer.json", json.dumps(answer)))
    assert wrapped.rows.drop("row").equals(plain.rows.drop("row"))
    solr = {"response": {"docs": [*events, {"query_id": "s1", "user_query": "shoes", "doc_ids": "a,b"}]}}
    assert read_log(written(tmp_path / "solr.json", json.dumps(solr))).rows["item"].to_list() == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("session,clicked,position\ns1,1,0\n", "E566", 2),
        ("session,clicked,position\ns1,1,1.5\n", "E566", 2),
        ("session,clicked,position\ns1,1,top\n", "E562", 2),
        ("session,clicked,position\ns1,1,99999999999999999999\n", "E566", 2),
        ("session,clicked\ns1,2\n", "E563", 2),
        ("session,clicked\ns1,\n", "E563", 2),
        ("session,clicked\n ,1\n", "E561", 2),
        ("session,clicked,dwell\ns1,1,-4\n", "E565", 2),
        ("session,clicked,item,position\ns1,1,a,1\ns1,0,a,2\n", "E567", 3),
        ("session,event,timestamp\ns1,click,yesterday\n", "E564", 2),
        ("session,event\ns1,view\n", "E568", None),
        ("session,team\ns1,A\n", "E560", 1),
        ("clicked,team\n1,A\n", "E560", 1),
    ],
)
def test_what_is_wrong_with_a_table(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    with pytest.raises(plumbline.BadData) as caught:
        read_log(written(tmp_path / "log.csv", text))
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({**event(1, "a", "A"), "query_id": ""}, "E561"),
        ({**event(1, "a", "A"), "event_attributes": {}}, "E577"),
        ({**event(1, "a", "A"), "event_attributes": "none"}, "E577"),
        ({"query_id": "s9", "user_query": "shoes"}, "E577"),
    ],
)
def test_what_is_wrong_with_records(tmp_path: Path, record: dict[str, Any], code: str) -> None:
    with pytest.raises(plumbline.BadData) as caught:
        read_log(jsonl(tmp_path / "log.jsonl", [event(1, "a", "A")] * 20 + [record]))
    assert (caught.value.code, caught.value.line) == (code, 21)


def test_what_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(plumbline.BadUsage):
        read_log(3)
    with pytest.raises(plumbline.BadUsage):
        read_log([])
    with pytest.raises(plumbline.BadData):
        read_log(pl.DataFrame({"session": [], "clicked": []}))
    with pytest.raises(plumbline.BadData, match="E570"):
        plumbline.analyse_interleaving(pl.DataFrame({"session": [1], "event": ["click"], "team": ["A"]}))
    path = written(tmp_path / "one.csv", WIKIMEDIA)
    with pytest.raises(plumbline.BadUsage):
        read_log([path, path])


def test_a_record_of_the_second_file_is_named(tmp_path: Path) -> None:
    for odd in (0, 2):
        first = jsonl(tmp_path / "one.jsonl", [event(1, "a", "A"), event(2, "a", "B")])
        records = [event(number, "a", "A") for number in (3, 4, 5)]
        second = jsonl(
            tmp_path / "two.jsonl", [{**record, "query_id": "" if at == odd else "s"} for at, record in enumerate(records)]
        )
        with pytest.raises(plumbline.BadData, match=rf"two\.jsonl:{odd + 1}: E561"):
            read_log([first, second])
    broken = jsonl(tmp_path / "one.jsonl", [event(1, "a", "A"), {**event(2, "a", "B"), "query_id": ""}])
    with pytest.raises(plumbline.BadData, match=r"one\.jsonl:2: E561"):
        read_log([broken, second])


def test_a_second_click_on_an_item_is_no_second_item(tmp_path: Path) -> None:
    """The click counts where the item was shown and clicked; at another position it is an error."""
    text = "session,clicked,item,position,team\ns1,0,a,1,A\ns1,0,b,2,B\ns1,1,b,2,B\ns1,1,b,2,B\ns2,0,a,1,B\n"
    log = read_log(written(tmp_path / "log.csv", text))
    assert log.rows.select("session", "item", "clicked").rows() == [(0, "a", False), (0, "b", True), (1, "a", False)]


@pytest.mark.parametrize(
    "when",
    [
        pl.Series([1.5e9, 1.5e9 + 60]),
        pl.Series(["1500000000", "1500000060.0"]),
        pl.Series(["2017-07-14T02:40:00Z", "2017-07-14T02:41:00Z"]),
        pl.Series([1_500_000_000_000, 1_500_000_060_000]).cast(pl.Datetime("ms")),
    ],
)
def test_moments_are_seconds(when: pl.Series) -> None:
    frame = pl.DataFrame({"session": ["s1", "s2"], "clicked": [1, 1], "team": ["A", "B"]}).with_columns(when.alias("timestamp"))
    assert read_log(frame).rows["when"].to_list() == [1_500_000_000.0, 1_500_000_060.0]
