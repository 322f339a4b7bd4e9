"""The section about the pool: when it is there, and that its numbers are those of an inspection."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline import BadUsage
from plumbline.figures.registry import FIGURES
from plumbline.figures.subject import subject_of
from plumbline.reports.building import Chapter, dossier
from plumbline.reports.front import FrontMatter
from plumbline.reports.model import Notices, Picture, Points, Section
from plumbline.reports.sections import pool
from tests.helpers.figure_subjects import data, evaluated, scored, spec
from tests.helpers.report_pages import column, page_of, tables

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.figures.subject import Subject

METRICS = ["AP", "nDCG@10"]
TEAMS = {"old": "red", "new": "red", "odd": "blue"}


def lists(depth: int = 12) -> tuple[dict[str, Any], dict[str, Any]]:
    """A gold that judges the first three items of every list, and rankings that share some of their items."""
    random = Random(3)  # noqa: S311 - made data, not secrets
    runs = {
        name: {
            f"q{case}": {f"d{item}": float(depth - at) for at, item in enumerate(random.sample(range(30), depth))}
            for case in range(4)
        }
        for name in TEAMS
    }
    first = {(case, item) for run in runs.values() for case, ranked in run.items() for item in list(ranked)[:3]}
    gold: dict[str, dict[str, int]] = {}
    for case, item in sorted(first):
        gold.setdefault(case, {})[item] = random.choice((0, 1, 2))
    return gold, runs


@pytest.fixture(scope="module")
def subject() -> Subject:
    gold, runs = lists()
    return subject_of(gold=gold, systems=runs, metrics=METRICS)


def made(subject: Subject, **teams: str) -> Section:
    section = pool.section(subject, teams)
    assert section is not None
    return section


@pytest.mark.parametrize("teams", [{}, TEAMS], ids=["systems", "teams"])
def test_it_says_what_an_inspection_says(subject: Subject, teams: dict[str, str]) -> None:
    inspection = plumbline.inspect_pool(*lists(), METRICS, **({"teams": teams} if teams else {}))  # type: ignore[arg-type]
    section = made(subject, **teams)
    (points,) = (block for block in section.blocks if isinstance(block, Points))
    assert points.texts == inspection.sentences
    table = tables(section)["pool"]
    assert [entry.text for entry in column(table, "system")] == inspection.systems["system"].to_list()
    for name in ("judged", "judged@10"):
        assert [entry.value for entry in column(table, name)] == inspection.systems[name].to_list()
    assert [entry.value for entry in column(table, "first unjudged")] == inspection.systems["first_unjudged"].to_list()
    kind = "team" if teams else "system"
    for metric in METRICS:
        rows = {
            row["system"]: row for row in inspection.left_out.to_dicts() if (row["left_out"], row["metric"]) == (kind, metric)
        }
        shown = zip(column(table, "system"), column(table, f"{metric} without"), strict=True)
        assert {name.text: entry.value for name, entry in shown} == {name: row["without"] for name, row in rows.items()}
        alone = zip(column(table, "system"), column(table, "alone"), column(table, "relevant alone"), strict=True)
        assert {name.text: (many.value, hits.value) for name, many, hits in alone} == {
            name: (row["unique"], row["unique_relevant"]) for name, row in rows.items()
        }
    assert ("team" in [head.text for head in table.heading]) == bool(teams)


def test_figures_show_the_tables_of_the_inspection(subject: Subject) -> None:
    inspection = plumbline.inspect_pool(*lists(), METRICS)
    (cells,) = [data(spec("judged", subject), "rank")]
    assert sorted((row["system"], row["rank"], row["judged"], row["lists"]) for row in cells) == sorted(
        inspection.by_rank.select("system", "rank", "judged", "lists").iter_rows()
    )
    drawn = data(spec("pool_depth", subject), "share")
    assert (
        drawn[: len(inspection.depths)] == inspection.depths.select("depth", "pooled", "judged", "share", "relevant").to_dicts()
    )
    assert data(spec("pool_depth", subject), "depth")[-1] == {"depth": 3}
    assert inspection.depth == 3
    assert spec("judged", found_subject(inspection)) == spec("judged", subject)


def found_subject(inspection: plumbline.Inspection) -> Subject:
    return subject_of(inspection)


def test_the_judged_share_of_a_rank_is_counted_by_hand() -> None:
    gold, runs = lists()
    cells = {
        (row["system"], row["rank"]): row["judged"] for row in data(spec("judged", subject_of(gold=gold, systems=runs)), "rank")
    }
    for name, run in runs.items():
        for rank in range(1, 13):
            at_rank = [list(ranked)[rank - 1] in gold[case] for case, ranked in run.items()]
            assert cells[name, rank] == sum(at_rank) / len(at_rank)


def test_a_report_has_it_for_rankings_with_a_gold_alone(subject: Subject) -> None:
    def names(one: Subject) -> list[str]:
        return [section.name for section in dossier([Chapter(one)]).parts[0].sections]

    assert "pool" in names(subject)
    for other in (scored(2), evaluated("filtering", 2), evaluated("clustering", 2)):
        assert "pool" not in names(other)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"judged_only": True}, "whole lists in one order"),
        ({"ties": "average"}, "whole lists in one order"),
        ({}, "no judged item in any list"),
    ],
)
def test_it_is_left_out_where_there_is_no_pool(options: dict[str, Any], reason: str) -> None:
    gold, runs = lists()
    if not options:
        gold = {case: {f"x{item}": grade for item, grade in judged.items()} for case, judged in gold.items()}
    other = subject_of(gold=gold, systems=runs, metrics=METRICS, **options)
    assert pool.section(other, {}) is None
    assert reason in str(FIGURES["judged"].why_not(other))


def test_teams_of_a_plan_are_left_out_as_a_whole(subject: Subject) -> None:
    (part,) = dossier([Chapter(subject, front=FrontMatter(teams={"old": "red", "new": "red"}))]).parts
    (section,) = (one for one in part.sections if one.name == "pool")
    assert [entry.text for entry in column(tables(section)["pool"], "team")] == ["red", "red", "odd"]


@pytest.mark.parametrize(
    ("metrics", "shown"),
    [
        (["Rel", "Sens"], ["nDCG@10", "AP"]),
        (["NumRet", "P@5"], ["P@5"]),
        (["P@1", "P@2", "P@3", "P@4"], ["P@1", "P@2", "P@3"]),
    ],
)
def test_metrics_that_cannot_be_computed_again_are_replaced(metrics: list[str], shown: list[str]) -> None:
    gold, runs = lists()
    table = tables(made(subject_of(gold=gold, systems=runs, metrics=metrics)))["pool"]
    assert [head.text for head in table.heading if head.text.endswith(" without")] == [f"{name} without" for name in shown]


def test_metrics_of_subtopics_are_not_computed_without_them(tmp_path: Path) -> None:
    lines = ["q1 1 a 1", "q1 2 a 1", "q1 1 b 1", "q1 2 b 0", "q1 1 c 0", "q1 2 c 1"]
    (tmp_path / "diversity.qrels").write_text("\n".join(lines) + "\n", encoding="utf-8")
    runs = {"one": {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}}, "two": {"q1": {"c": 3.0, "b": 2.0}}}
    other = subject_of(gold=tmp_path / "diversity.qrels", systems=runs, metrics=["alpha_nDCG@3", "AP"])
    heads = [head.text for head in tables(made(other))["pool"].heading]
    assert "AP without" in heads
    assert not [text for text in heads if text.startswith("alpha")]
    with pytest.raises(BadUsage, match=r"E445 alpha_nDCG.* it reads more of the gold than grades"):
        plumbline.inspect_pool(tmp_path / "diversity.qrels", runs, ["AP", "alpha_nDCG@3"])


@pytest.mark.parametrize("name", ["Rel", "RelString"])
def test_metrics_that_cannot_be_computed_again_are_refused_by_an_inspection(name: str) -> None:
    with pytest.raises(BadUsage, match=rf"E445 {name}.* and leaving systems out cannot go together"):
        plumbline.inspect_pool(*lists(), ["AP", name])


def test_many_systems_stay_within_bounds() -> None:
    gold, runs = lists()
    many = {f"run{number:03}": run for number in range(30) for run in runs.values()} | {
        f"{name}{number}": run for name, run in runs.items() for number in range(30)
    }
    section = made(subject_of(gold=gold, systems=many, metrics=["AP"]))
    drawn = [block for block in section.blocks if isinstance(block, Picture)]
    assert [picture.name for picture in drawn] == ["figure-judged", "figure-pool_depth"]
    assert len({row["system"] for row in data(drawn[0].spec, "rank")}) == 60
    assert len(tables(section)["pool"].rows) == len(many)
    assert len(json.dumps(drawn[1].spec)) < 20_000


def test_long_lists_have_no_more_points_than_others() -> None:
    ranked = {"q1": {f"d{item}": 2000.0 - item for item in range(1500)}}
    other = subject_of(gold={"q1": {"d0": 1, "d900": 1}}, systems={"a": ranked, "b": ranked})
    shown = data(spec("pool_depth", other), "share")
    assert len(shown) == 200
    assert (shown[0]["depth"], shown[-1]["depth"], shown[-1]["relevant"]) == (1, 1500, 2)
    assert max(row["rank"] for row in data(spec("judged", other), "rank")) == 100


def test_what_is_said_about_the_pool_is_said_once(subject: Subject) -> None:
    (notices,) = (block for block in made(subject).blocks if isinstance(block, Notices))
    assert [notice.code for notice in notices.notices] == ["N446"]


def test_the_page_holds_it_and_asks_nobody() -> None:
    gold, runs = lists()
    hostile = "<img src='https://example.org/x.png'>"
    text = page_of(subject_of(gold=gold, systems={hostile: runs["old"], "new": runs["new"]}, metrics=METRICS))
    assert hostile not in text
    (result,) = re.findall(r'<section id="pool">.*?</section>', text, flags=re.DOTALL)
    assert "http" not in result.replace("&lt;img src=&#39;https://example.org", "").replace(
        "\\u003cimg src='https://example.org", ""
    )
    assert result.count("<caption") == result.count("<table") == 1
    assert len(re.findall(r'<th scope="row"', result)) == 2
    assert result.count('"description"') == 2
