"""Organizations as a user types them: every form of file, compositions, losses and why."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import plumbline as library
from tests.helpers.command_line import plumbline, process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command_line import Outcome

GOLD = {"q1": [[["a", "b"]], [["c"], ["d"]]], "q2": [[["a"]], [["b", "c"]]]}
OTHER = {"q1": [[["a"], ["b"]], [["c", "d"]]], "q2": [[["b", "c"]], [["a"]]]}
FILES = {
    "same.csv": "case,item,level,cluster\nq1,a,1,x\nq1,b,1,x\nq1,c,2,\nq1,d,2,z\nq2,a,1,x\nq2,b,2,y\nq2,c,2,y\n",
    "one.run": "".join(
        f"{case} Q0 {item} 0 {-place} t\n"
        for case, items in (("q1", "abcd"), ("q2", "abc"))
        for place, item in enumerate(items)
    ),
    "two.run": "q1 Q0 d 1 4 t\nq1 Q0 a 2 3 t\nq2 Q0 c 1 3 t\n",
    "topics.tsv": "q1\ta\tx\nq1\tb\tx\nq1\tc\ty\nq1\td\tz\nq2\ta\tx\nq2\tb\ty\nq2\tc\ty\n",
    "mess.tsv": "q1\ta\tx\nq1\tb\ty\nq1\tc\ty\nq1\td\tx\nq2\ta\tx\nq2\tb\tx\nq2\tc\tx\n",
    "qrels.txt": "q1 0 a 2\nq1 0 b 2\nq1 0 c 1\nq1 0 d 1\nq1 0 x 0\nq2 0 a 2\nq2 0 b 1\nq2 0 c 1\n",
    "words.csv": "item,length\na,100\nb,20\nc,300\nd,7\n",
}
FOUR = [f"{name}(over={over})" for over in ("priority", "related") for name in ("Rel", "Sens")]
USUAL = ["F(Rel,Sens)", *FOUR]
EVALUATE = ("evaluate", "--task", "organization", "--format", "csv")


def objects(levels: dict[str, list[list[list[str]]]]) -> list[str]:
    return [json.dumps({"case": case, "levels": clusters}) for case, clusters in levels.items()]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files in the current folder."""
    monkeypatch.chdir(tmp_path)
    texts = {**FILES, "gold.json": "[" + ",\n".join(objects(GOLD)) + "]", "other.jsonl": "\n".join(objects(OTHER)) + "\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def means(ended: Outcome, system: str) -> dict[str, float | None]:
    """What one system got, if all went well."""
    assert ended.code == 0, ended.err
    return {metric: value for (name, metric), value in ended.means().items() if name == system}


def expected(system: object, metrics: list[str] | None = None, **options: object) -> dict[str, float]:
    """The same from Python."""
    scores = library.evaluate(GOLD, {"s": system}, metrics, task="organization", **options)  # type: ignore[arg-type]  # as given
    return dict(scores.mean.select("metric", "value").iter_rows())


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --- evaluate -----------------------------------------------------------------------------------------------------------


def test_levels_tables_and_runs_side_by_side() -> None:
    ended = plumbline(*EVALUATE, "gold.json", "other.jsonl", "same.csv", "one.run", "gold.json")
    assert list(means(ended, "same")) == USUAL
    assert means(ended, "same") == means(ended, "gold") == dict.fromkeys(USUAL, 1.0)
    assert means(ended, "other") == pytest.approx(expected(OTHER))
    ranked = {case: [[[item]] for level in levels for cluster in level for item in cluster] for case, levels in GOLD.items()}
    assert means(ended, "one") == pytest.approx(expected(ranked))


def test_the_printed_table_has_every_system() -> None:
    ended = plumbline("evaluate", "--task", "organization", "gold.json", "other.jsonl", "same.csv")
    assert ended.code == 0
    assert [line.split()[0] for line in ended.out.splitlines()[2:4]] == ["same", "other"]
    assert "2 cases" in ended.out


def test_a_ranking_and_a_clustering_are_one_organization() -> None:
    apart = means(plumbline(*EVALUATE, "gold.json", "one.run"), "one")
    ended = plumbline(*EVALUATE, "gold.json", "--priority", "one.run", "--clusters", "topics.tsv")
    together = means(ended, "one")
    for name in ("Rel(over=priority)", "Sens(over=priority)"):
        assert together[name] == apart[name]
    assert together["Rel(over=related)"] == together["Sens(over=related)"] == 1
    assert apart["Sens(over=related)"] != 1


def test_one_clustering_does_for_several_rankings_or_each_has_its_own() -> None:
    one = ("--priority", "one.run", "--clusters", "topics.tsv")
    ended = plumbline(*EVALUATE, "gold.json", "same.csv", *one, "--priority", "two.run", "-q")
    alone = plumbline(*EVALUATE, "gold.json", "--priority", "two.run", "--clusters", "topics.tsv", "-q")
    assert {system for system, _ in ended.means()} == {"same", "one", "two"}
    assert means(ended, "two") == means(alone, "two")
    each = plumbline(*EVALUATE, "gold.json", *one, "--priority", "two.run", "--clusters", "mess.tsv", "-q")
    assert means(each, "one") == means(ended, "one")
    assert means(each, "two")["Rel(over=related)"] != means(ended, "two")["Rel(over=related)"]


def test_clusters_of_items_without_priority_are_told() -> None:
    ended = plumbline(*EVALUATE, "gold.json", "--priority", "two.run", "--clusters", "topics.tsv")
    assert "topics.tsv: N233" in ended.err


def test_judgements_and_gold_clusters_are_a_gold() -> None:
    ended = plumbline(*EVALUATE, "qrels.txt", "other.jsonl", "--gold-clusters", "topics.tsv")
    assert means(ended, "other") == pytest.approx(expected(OTHER))


def test_reading_time_needs_lengths() -> None:
    metric = "Rel(over=priority,discount=time)"
    ended = plumbline(*EVALUATE, "gold.json", "other.jsonl", "-m", metric, "--lengths", "words.csv")
    lengths = {"a": 100, "b": 20, "c": 300, "d": 7}
    assert means(ended, "other") == pytest.approx(expected(OTHER, [metric], lengths=lengths))
    refused = plumbline(*EVALUATE, "gold.json", "other.jsonl", "-m", metric)
    assert refused.code == 2
    assert "E323" in refused.err
    assert "--lengths" in refused.err


def test_parameters_reach_the_metric() -> None:
    names = ["Rel(over=priority,weights=3:2:1)", "Sens(over=related,collection=finite)", "Rel(over=priority,n=2,w=0.5)"]
    asked = [word for name in names for word in ("-m", name)]
    result = means(plumbline(*EVALUATE, "gold.json", "other.jsonl", *asked), "other")
    assert list(result.values()) == pytest.approx(list(expected(OTHER, names).values()))
    assert len(set(result.values())) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--task", "organization", "--priority", "one.run"], "give a --clusters for each --priority"),
        (["--task", "organization", "--clusters", "topics.tsv"], "give a --clusters for each --priority"),
        (
            ["--task", "organization", "--priority", "one.run", *["--clusters", "topics.tsv"] * 2],
            "give a --clusters for each --priority, or one for all",
        ),
        (
            ["--task", "organization", *["--priority", "one.run"] * 3, *["--clusters", "topics.tsv"] * 2],
            "give a --clusters for each --priority, or one for all",
        ),
        (["--task", "organization"], "Missing argument 'SYSTEM...'"),
        (["--priority", "one.run", "--clusters", "topics.tsv"], "go with --task organization"),
        (["same.csv", "--task", "ranking", "--gold-clusters", "topics.tsv"], "go with --task organization"),
    ],
)
def test_compositions_that_do_not_fit_are_usage_errors(words: list[str], message: str) -> None:
    ended = plumbline("evaluate", "gold.json", *words)
    assert ended.code == 2
    assert message in ended.err
    assert not ended.out


# --- check and convert --------------------------------------------------------------------------------------------------


def test_check_knows_organizations(folder: Path) -> None:
    ended = plumbline("check", "--task", "organization", "gold.json", "other.jsonl", "same.csv", "one.run")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("gold.json: fine, the gold, 7 rows in 2 cases")
    assert all(": fine, an output, 7 rows in 2 cases" in line for line in lines[1:])
    (folder / "bad.csv").write_text("case,item,level\nq1,a,1\nq1,b,first\n", encoding="utf-8")
    ended = plumbline("check", "--task", "organization", "--format", "github", "gold.json", "bad.csv")
    assert ended.code == 1
    assert "::error file=bad.csv,line=3" in ended.out


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "arrow", "csv.gz"])
def test_convert_there_and_back(ending: str, folder: Path) -> None:
    assert plumbline("convert", "--task", "organization", "other.jsonl", f"out.{ending}").code == 0
    assert plumbline("convert", "--task", "organization", f"out.{ending}", "again.jsonl").code == 0
    assert (folder / "again.jsonl").read_text(encoding="utf-8") == (folder / "other.jsonl").read_text(encoding="utf-8")
    ended = plumbline(*EVALUATE, "gold.json", f"out.{ending}")
    assert means(ended, "out") == pytest.approx(expected(OTHER))


def test_convert_makes_one_file_of_a_composition() -> None:
    words = ("convert", "--task", "organization", "--clusters", "topics.tsv", "one.run")
    assert plumbline(*words, "whole.csv").code == 0
    composed = plumbline(*EVALUATE, "gold.json", "--priority", "one.run", "--clusters", "topics.tsv")
    assert means(plumbline(*EVALUATE, "gold.json", "whole.csv"), "whole") == means(composed, "one")
    refused = plumbline(*words, "whole.json")
    assert refused.code == 1
    assert "E154" in refused.err
    assert plumbline("convert", "--clusters", "topics.tsv", "one.run", "other.csv").code == 2


# --- losses -------------------------------------------------------------------------------------------------------------


def test_losses_as_a_table() -> None:
    ended = plumbline("losses", "gold.json", "other.jsonl", "same.csv")
    assert ended.code == 0
    assert "value and what was lost add up to 1" in ended.out
    for cause in ("extra item", "missing item", "tied", "wrong order", "merged cluster", "broken cluster"):
        assert cause in ended.out
    rows = [line.split()[:2] for line in ended.out.splitlines()[2:-1]]
    assert rows == [[system, name] for name in FOUR for system in ("other", "same")]


@pytest.mark.parametrize("per_case", [[], ["--per-case"]])
def test_losses_as_csv_add_up(per_case: list[str]) -> None:
    composed = ("--priority", "two.run", "--clusters", "topics.tsv", "-q")
    ended = plumbline("losses", "gold.json", "other.jsonl", *composed, "--format", "csv", *per_case)
    assert ended.code == 0
    sums: dict[tuple[str, ...], float] = {}
    for row in table(ended.out):
        key = (row["system"], row["metric"], row.get("case", ""), row["value"])
        sums[key] = sums.get(key, float(row["value"])) + float(row["lost"])
    assert len(sums) == 2 * 4 * (2 if per_case else 1)
    assert list(sums.values()) == pytest.approx([1] * len(sums))


def test_losses_of_rankings_and_of_one_metric() -> None:
    ended = plumbline("losses", "qrels.txt", "one.run", "two.run", "--task", "ranking", "--format", "csv")
    assert {row["metric"] for row in table(ended.out)} == {"Rel", "Sens"}
    ended = plumbline("losses", "gold.json", "other.jsonl", "-m", "Rel(over=related,n=3)", "--per-case")
    assert [line.split()[:3] for line in ended.out.splitlines()[2:-1]] == [
        ["other", case, "Rel(over=related,n=3)"] for case in ("q1", "q2")
    ]


def test_losses_of_a_missing_case_are_told(folder: Path) -> None:
    (folder / "part.jsonl").write_text(objects(OTHER)[0] + "\n", encoding="utf-8")
    ended = plumbline("losses", "gold.json", "part.jsonl", "--per-case", "--format", "csv", "-m", "Sens(over=related)")
    assert "N201" in ended.err
    assert {row["cause"]: row["lost"] for row in table(ended.out) if row["case"] == "q2"} == {
        "missing item": "0.0",
        "broken cluster": "0.0",
        "no output": "1.0",
    }
    assert plumbline("losses", "gold.json", "part.jsonl", "--strict").code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["other.jsonl", "-m", "Rel"], "ask for Rel(over=priority) or Rel(over=related)"),
        (["other.jsonl", "-m", "Lam"], "Lam"),
        (["other.jsonl", "--task", "clustering"], "--task"),
        (["--priority", "one.run"], "give a --clusters"),
        ([], "Missing argument"),
    ],
)
def test_losses_that_make_no_sense(words: list[str], message: str) -> None:
    ended = plumbline("losses", "gold.json", *words)
    assert ended.code == 2
    assert message in ended.err


# --- why ----------------------------------------------------------------------------------------------------------------


def test_why_tells_what_documents_and_pairs_lost() -> None:
    ended = plumbline("why", "Sens(over=related)", "gold.json", "other.jsonl", "--task", "organization", "--case", "q1")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("Sens(over=related) of other in case q1: 0.8947")
    assert "0.105263 to broken cluster" in ended.out
    assert ["a", "with", "b", "0.105263", "broken", "cluster"] in [line.split() for line in lines]


def test_why_of_a_composition_and_of_one_item() -> None:
    words = ("--task", "organization", "--case", "q1", "--priority", "two.run", "--clusters", "topics.tsv")
    ended = plumbline("why", "Rel(over=priority)", "gold.json", *words)
    assert ended.code == 0
    assert ["d", "above", "a"] in [line.split()[:3] for line in ended.out.splitlines()]
    ended = plumbline("why", "Sens(over=priority)", "gold.json", *words, "--item", "c")
    pairs = [line.split() for line in ended.out.splitlines() if "above" in line]
    assert pairs
    assert all("c" in (row[0], row[2]) for row in pairs)


def test_why_of_all_relations_at_once_is_refused_with_advice() -> None:
    ended = plumbline("why", "F(Rel,Sens)", "gold.json", "other.jsonl", "--task", "organization", "--case", "q1")
    assert ended.code == 2
    assert "(over=priority)" in ended.err


def test_why_refuses_an_item_that_is_not_there() -> None:
    words = ("--task", "organization", "--case", "q1", "--item", "nobody")
    ended = plumbline("why", "Rel(over=priority)", "gold.json", "other.jsonl", *words)
    assert ended.code == 2
    assert "no item 'nobody'" in ended.err


# --- bad files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bad.csv", "case,item,level\nq1,a,1\nq1,b,high\n", "bad.csv:3: E102"),
        ("bad.csv", "case,item,level\nq1,a,1\nq1,b,\n", "bad.csv:3: E153"),
        ("bad.csv", "case,item,level,cluster\nq1,a,1,x\nq1,a,1,x\n", "bad.csv:3: E146"),
        ("bad.csv", "case,item\nq1,a\n", "E152"),
        ("bad.csv", "case,level\nq1,1\n", "bad.csv:1"),
        ("bad.run", "q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n", "bad.run:2:7: E147"),
        ("bad.jsonl", f"{objects(OTHER)[0]}\n" + '{"case": "q2", "levels": [[[]]]}\n', "bad.jsonl:2: E149"),
        ("bad.jsonl", f"{objects(OTHER)[0]}\n" + '{"case": "q2", "levels": [[], [["a"]]]}\n', "bad.jsonl:2: E148"),
        ("bad.jsonl", f"{objects(OTHER)[0]}\n" + '{"case": "q2", "levels": [[["a", "a"]]]}\n', "bad.jsonl:2: E146"),
        ("bad.jsonl", f"{objects(OTHER)[0]}\n" + '{"case": "q2", "levels": 3}\n', "bad.jsonl:2: E150"),
        ("bad.jsonl", f"{objects(OTHER)[0]}\n" + '{"case": "q2", "floors": []}\n', "bad.jsonl:2: E151"),
        ("bad.json", '[{"case": "q1", "levels": [[["a"]]}]', "bad.json"),
        ("bad.json", "", "bad.json"),
    ],
)
def test_a_bad_file_is_named_with_code_and_line(name: str, text: str, message: str, folder: Path) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    for words in (["evaluate", "--task", "organization"], ["losses"], ["check", "--task", "organization"]):
        ended = plumbline(*words, "gold.json", name)
        assert ended.code == 1
        assert message in ended.err + ended.out
        assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ("item,length\na,1\nb,2\nc,3\n", "E156 no length for 1 item: d"),
        ("item,length\na,1\nb,-2\nc,3\nd,4\n", "words.csv:3"),
        ("item,length\na,1\nb,many\nc,3\nd,4\n", "words.csv:3"),
    ],
)
def test_bad_lengths_are_named(lengths: str, message: str, folder: Path) -> None:
    (folder / "words.csv").write_text(lengths, encoding="utf-8")
    ended = plumbline(*EVALUATE, "gold.json", "other.jsonl", "-m", "Rel(discount=time)", "--lengths", "words.csv")
    assert ended.code == 1
    assert message in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("priority", "clusters", "code"),
    [("topics.tsv", "one.run", "E155"), ("one.run", "two.run", "E155"), ("same.csv", "topics.tsv", "E155")],
)
def test_sources_that_are_swapped_are_named(priority: str, clusters: str, code: str) -> None:
    ended = plumbline(*EVALUATE, "gold.json", "--priority", priority, "--clusters", clusters)
    assert ended.code == 1
    assert code in ended.err


def test_a_process_ends_without_a_traceback(folder: Path) -> None:
    (folder / "bad.csv").write_text("case,item,level\nq1,a,high\n", encoding="utf-8")
    ended = process("evaluate", "gold.json", "bad.csv", "--task", "organization", cwd=folder)
    assert ended.code == 1
    assert "bad.csv:2" in ended.err
    assert "Traceback" not in ended.err
