"""What convert writes reads back as the same organization."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline import convert
from plumbline.errors import BadUsage
from plumbline.io.memory.compose import Composed
from plumbline.io.write import write
from tests.helpers.command_line import QRELS, RUN, plumbline
from tests.helpers.organization_forms import EXPECTED, LEVELS, drawn, organization

if TYPE_CHECKING:
    from pathlib import Path


ENDINGS = ["json", "jsonl", "csv", "tsv", "parquet", "arrow", "csv.gz", "json.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_reads_back(ending: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.json", tmp_path / f"out.{ending}"
    source.write_text(json.dumps({**LEVELS, "q3": []}), encoding="utf-8")
    written = convert(source, target, task="organization")
    nested = ending.startswith("json")
    assert written.rows == 6
    assert drawn(organization(target)) == (EXPECTED | {"q3": []} if nested else EXPECTED)
    assert [one.text for one in written.notices if one.code != "N212"] == ([] if nested else ["1 empty case not written: q3"])


@pytest.mark.slow
@given(
    st.dictionaries(
        st.text("q1 \u00e9,;", min_size=1, max_size=3),
        st.lists(st.lists(st.sets(st.text('d3"\t', min_size=1, max_size=2), min_size=1), min_size=1, max_size=3), max_size=3),
        min_size=1,
    )
)
def test_any_organization_reads_back(tmp_path_factory: pytest.TempPathFactory, levels: Any) -> None:
    folder = tmp_path_factory.mktemp("written")
    result = organization(levels)
    for ending in ("json", "jsonl", "tsv", "parquet"):
        path = folder / f"out.{ending}"
        write(result, path, "output", force=False)
        if ending.startswith("json"):
            assert drawn(organization(path)) == drawn(result)
        elif len(result.frame):
            assert drawn(organization(path)) == {case: one for case, one in drawn(result).items() if one}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_letters_stay_letters(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"out.{ending}"
    write(organization({"façade": [[["Ж1", "東京"]]]}), target, "output", force=False)
    text = target.read_text(encoding="utf-8")
    assert all(name in text for name in ("façade", "Ж1", "東京"))
    assert drawn(organization(target)) == {"façade": [["Ж1 東京"]]}


def test_tables_have_levels_from_one_and_json_has_lists(tmp_path: Path) -> None:
    source, table, nested = tmp_path / "run.csv", tmp_path / "out.csv", tmp_path / "out.jsonl"
    source.write_text("case,item,score,cluster\nq1,b,0.5,\nq1,a,7,x\nq1,c,7,x\nq2,a,0,\n", encoding="utf-8")
    for target in (table, nested):
        convert(source, target, task="organization")
    assert table.read_text(encoding="utf-8") == "case,item,level,cluster\nq1,b,2,\nq1,a,1,x\nq1,c,1,x\nq2,a,1,\n"
    lines = [json.loads(line) for line in nested.read_text(encoding="utf-8").splitlines()]
    assert lines == [{"case": "q1", "levels": [[["a", "c"]], [["b"]]]}, {"case": "q2", "levels": [[["a"]]]}]


def test_a_composition_is_written_as_a_table(tmp_path: Path) -> None:
    run, clusters = tmp_path / "run.txt", tmp_path / "clusters.tsv"
    run.write_text(RUN, encoding="utf-8")
    clusters.write_text("d1\tx\nd3\tx\nd9\ty\nd8\ty\n", encoding="utf-8")
    arguments = ("convert", "--task", "organization", "--clusters", clusters, run)
    written = plumbline(*arguments, tmp_path / "out.csv")
    assert written.code == 0, written.err
    assert f"N233 1 item without priority in {run}, ignored: d8" in written.err
    expected = drawn(organization(Composed(run, clusters)))
    assert expected["q1"] == [["d3+x"], ["d2"], ["d1+x"]]
    assert drawn(organization(tmp_path / "out.csv")) == expected
    refused = plumbline(*arguments, tmp_path / "out.json")
    assert refused.code == 1
    assert "E154 cluster x of case q1 has items at 2 levels; in JSON a cluster lies within one level" in refused.err
    assert "write to .csv" in refused.err
    assert not (tmp_path / "out.json").exists()


def test_convert_tells_the_role_by_the_columns(tmp_path: Path) -> None:
    graded, scored, out = tmp_path / "graded.csv", tmp_path / "scored.csv", tmp_path / "out.csv"
    graded.write_text("case,item,grade\nq1,a,1\nq1,b,0\n", encoding="utf-8")
    scored.write_text("case,item,score\nq1,a,1\nq1,b,0\n", encoding="utf-8")
    for source, rows in ((graded, "1 row"), (scored, "2 rows")):
        assert f": {rows}\n" in plumbline("convert", "--task", "organization", "--force", source, out).err
    qrels = tmp_path / "qrels.txt"
    qrels.write_text(QRELS, encoding="utf-8")
    assert plumbline("convert", "--task", "organization", "--force", qrels, out).code == 0
    assert drawn(organization(out)) == drawn(organization(qrels))


def test_convert_refuses_what_does_not_fit(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text(RUN, encoding="utf-8")
    assert plumbline("convert", "--clusters", run, run, tmp_path / "out.csv").code == 2
    with pytest.raises(BadUsage, match=r"\.json"):
        convert(run, tmp_path / "out.txt", task="organization")
