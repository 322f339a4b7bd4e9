"""WePS folders, and the real files of WePS, RepLab and RUSSE."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import pytest

import plumbline as pb
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.command_line import plumbline
from tests.helpers.shared import shared
from tests.helpers.weps_files import weps

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import Table

OPTIONS = ReadOptions(kind="clusters")
GOLD = {"q1": {"x": ["a", "b"], "y": ["c"]}, "q2": {"x": ["a", "b", "c"]}}
SYSTEM = {"q1": {"1": ["a"], "2": ["b", "c"]}, "q2": {"1": ["a", "b"], "2": ["c"]}}


def scores(gold: Any, systems: Any) -> list[tuple[str, float | None]]:
    result = pb.evaluate(gold, systems, ["BCubedP", "BCubedR", "ARI"], task="clustering")
    return list(result.per_case.select("metric", "value").iter_rows())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<clustering>\n<entity id="1">\n<doc rank="1"/>\n', r"bad\.xml:4:\d+: E135 not readable XML: not well-formed"),
        ('<clustering>\n<entity id="1"></entit>\n</clustering>', r"bad\.xml:2:\d+: E135 .*mismatched tag"),
        ('<?xml version="1.0"?>\n<!DOCTYPE c [<!ENTITY a "b">]>\n<clustering>&a;</clustering>', r"bad\.xml:2: E135 .*type"),
        ("<?xml version='1.0'?>\n<corpus/>", r"bad\.xml:2: E136 the root is <corpus>"),
        ('<clustering>\n<doc rank="1"/></clustering>', r"bad\.xml:2: E136 <doc> inside of <clustering>"),
        ('<clustering>\n<entity>\n<doc rank="1"/></entity></clustering>', r"bad\.xml:2: E136 a <entity> without id"),
        ('<clustering>\n<entity id="1">\n<doc/></entity></clustering>', r"bad\.xml:3: E136 a <doc> without rank"),
    ],
)
def test_broken_xml_is_named_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text(text, encoding="utf-8")
    for source in (tmp_path, tmp_path / "bad.xml"):
        with pytest.raises(pb.BadData, match=message):
            read(source, "gold", OPTIONS)


def test_one_xml_file_is_one_case(tmp_path: Path) -> None:
    weps(tmp_path / "gold", GOLD)
    text = (tmp_path / "gold" / "q1.clust.xml").read_text("utf-8")
    (tmp_path / "answer.xml").write_text(text, encoding="utf-8")
    gold = read(tmp_path / "gold" / "q1.clust.xml", "gold", OPTIONS)
    assert gold.frame["case"].unique().to_list() == ["q1"]
    assert gold.frame["item"].to_list() == ["a", "b", "c"]
    assert read(tmp_path / "answer.xml", "output", OPTIONS).frame["case"].unique().to_list() == ["q1"]
    assert str(gold.origin.places([2], "item")[0]).endswith("q1.clust.xml:4")


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(pb.BadUsage, match="E139"):
        read(tmp_path, "gold", OPTIONS)
    with pytest.raises(pb.BadUsage, match="E009"):
        read(f"{tmp_path}/*.xml", "gold", OPTIONS)
    folder = weps(tmp_path / "twice", GOLD)
    (folder / "q1.xml").write_text((folder / "q1.clust.xml").read_text("utf-8"), encoding="utf-8")
    with pytest.raises(pb.BadData, match=r"q1\.xml: E138 case q1 occurs already \(.*q1\.clust\.xml\)"):
        read(folder, "gold", OPTIONS)


def test_overlaps_of_a_folder_are_found_at_their_line(tmp_path: Path) -> None:
    weps(tmp_path / "system", {**SYSTEM, "q2": {"1": ["a", "b"], "2": ["b", "c"]}})
    with pytest.raises(pb.BadData, match=r"q2\.clust\.xml:4: E142 item b is in a cluster already \(line 3\), and ARI"):
        pb.evaluate(GOLD, tmp_path / "system", "ARI", task="clustering")


def test_readers_of_clusters_belong_to_clusters(tmp_path: Path) -> None:
    folder = weps(tmp_path / "gold", GOLD)
    path = folder / "q1.clust.xml"
    assert plumbline("evaluate", path, path, "--task", "clustering", "--reader", "weps", "--format", "csv").code == 0
    refused = plumbline("evaluate", path, path, "--reader", "weps")
    assert (refused.code, "E370 the reader weps" in refused.err) == (2, True)


@pytest.mark.parametrize("system", [SYSTEM, {**SYSTEM, "q2": {"1": ["a", "b"], "2": ["b", "c"]}}])
def test_converted_clusters_stay_what_they_are(system: dict[str, dict[str, list[str]]], tmp_path: Path) -> None:
    folder = weps(tmp_path / "system", system)
    expected = set(read(folder, "gold", OPTIONS).frame.select("item", "value").iter_rows())
    for name in ("system.csv", "system.parquet", "system.json", "system.jsonl"):
        assert plumbline("convert", "--task", "clustering", folder, tmp_path / name).code == 0
        assert set(read(tmp_path / name, "gold", OPTIONS).frame.select("item", "value").iter_rows()) == expected


# --- real files -------------------------------------------------------------------------------------------------------


def counts(read_in: Table) -> tuple[int, int, int]:
    """Cases, items, and items in several clusters."""
    items = read_in.frame.group_by("case", "item").len()
    return read_in.frame["case"].n_unique(), len(items), int((items["len"] > 1).sum())


def test_weps_files() -> None:
    gold, system = (shared("data", "weps", name) for name in ("weps1_train_gold", "weps1_train_system_pku601"))
    assert counts(read(gold, "gold", OPTIONS)) == (49, 2206, 106)
    assert counts(read(system, "output", OPTIONS)) == (43, 2120, 0)
    with shared("data", "weps", "expected", "weps1_train_official_scorer_fullprec.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["system"] == "pku601"]
    result = pb.evaluate(gold, {"pku601": system}, ["BCubedP", "BCubedR"], task="clustering", missing_items="absent")
    values = {(case, metric): value for _, case, metric, value in result.per_case.iter_rows()}
    expected = {(row["topic"], name): float(row[key]) for row in rows for key, name in (("BEP", "BCubedP"), ("BER", "BCubedR"))}
    assert len(expected) == 86
    assert {key: values[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    assert plumbline("evaluate", gold, system, "--task", "clustering", "--format", "csv").code == 0


def test_replab_files() -> None:
    folder = shared("data", "replab2013_topic_detection")
    gold = folder / "replab2013_topic_detection_goldstandard.dat"
    assert counts(read(gold, "gold", OPTIONS)) == (61, 67_665, 0)
    system = folder / "system-outputs" / "best_replab.xz"
    assert counts(read(system, "output", OPTIONS)) == (61, 67_656, 0)
    with (folder / "evaluation-results" / "best_replab").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    result = pb.evaluate(gold, system, ["Rel", "Sens"], task="clustering", missing_items="absent")
    values = {(case, metric): value for _, case, metric, value in result.per_case.iter_rows()}
    names = {"Reliability": "Rel", "Sensitivity": "Sens"}
    expected = {
        (row["entity"], name): float(row[key]) for row in rows for key, name in names.items() if row["entity"] != "average"
    }
    assert {key: values[key] for key in expected} == pytest.approx(expected, abs=1e-12)


def test_senses_of_russe() -> None:
    path = shared("data", "russe2018_wsi", "wiki-wiki.train.baseline-adagram.csv")
    assert scores(path, path) != scores(path, {"gold": read(path, "gold", OPTIONS)})
