"""Folders and patterns: several files are one gold or one system, with an engine and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.evaluation.engines.registry import files_outgrow
from tests.evaluation.engines.test_local import rows_of_system, write_gold, write_run
from tests.evaluation.engines.test_parts import outcome, same, shown
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

METRICS = ["AP", "nDCG@10", "RR"]


def values(gold: Any, systems: Any, **options: Any) -> tuple[Any, Any]:
    scores = plumbline.evaluate(gold, systems, METRICS, **options)
    return scores.per_case.rows(), scores.mean.rows()


def cut(folder: Path, rows: list[tuple[str, str, float]], ending: str, parts: int = 3) -> Path:
    """The rows in several files, each list in all of them."""
    folder.mkdir()
    for at in range(parts):
        write_run(folder / f"{at}.{ending}", rows[at::parts])
    (folder / "_SUCCESS").touch()
    (folder / ".hidden").write_text("no rows\n")
    return folder


@pytest.mark.parametrize("ending", ["run", "csv", "parquet", "jsonl"])
@pytest.mark.parametrize("order", ["score", "file"])
def test_a_folder_is_one_system(tmp_path: Path, ending: str, order: Any) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(1)
    folder = cut(tmp_path / "mine", rows, ending)
    in_order = [row for at in range(3) for row in rows[at::3]]
    expected = values(gold, {"mine": write_run(tmp_path / f"whole.{ending}", in_order)}, order=order)
    assert values(gold, folder, order=order) == expected
    assert values(gold, [f"mine={folder}/*.{ending}"], order=order) == expected
    assert values(gold, {"mine": folder / f"*.{ending}"}, order=order) == expected
    with_engine = shown(plumbline.evaluate(gold, folder, METRICS, order=order, engine="local"))
    same(with_engine, shown(plumbline.evaluate(gold, folder, METRICS, order=order)))


def test_a_folder_and_a_pattern_are_one_gold(tmp_path: Path) -> None:
    gold, run = write_gold(tmp_path), write_run(tmp_path / "mine.run", rows_of_system(0))
    lines = gold.read_text().splitlines(keepends=True)
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "a.qrels").write_text("".join(lines[:70]))
    (folder / "b.qrels").write_text("".join(lines[70:]))
    expected = values(gold, run)
    assert values(folder, run) == values(f"{folder}/*.qrels", run) == values(folder, run, engine="local") == expected


def test_a_pattern_without_a_name_is_many_systems(tmp_path: Path) -> None:
    gold, folder = write_gold(tmp_path), tmp_path / "runs"
    folder.mkdir()
    for at in range(3):
        write_run(folder / f"s{at}.run", rows_of_system(at))
    scores = plumbline.evaluate(gold, f"{folder}/*", METRICS)
    assert scores.mean["system"].unique(maintain_order=True).to_list() == ["s0", "s1", "s2"]


def test_labels_in_several_files(tmp_path: Path) -> None:
    gold, folder = tmp_path / "gold", tmp_path / "mine"
    for at in (gold, folder):
        at.mkdir()
    pl.DataFrame({"item": ["a", "b"], "label": ["x", "y"]}).write_csv(gold / "1.csv")
    pl.DataFrame({"item": ["c"], "label": ["y"]}).write_csv(gold / "2.csv")
    pl.DataFrame({"item": ["c", "b"], "label": ["y", "x"]}).write_csv(folder / "1.csv")
    pl.DataFrame({"item": ["a"], "label": ["x"]}).write_csv(folder / "2.csv")
    scores = plumbline.evaluate(gold, folder, "Accuracy", task="classification")
    assert scores.mean["value"].to_list() == pytest.approx([2 / 3])


@pytest.mark.parametrize("engine", [None, "local"])
def test_files_of_several_systems_are_not_mixed(tmp_path: Path, engine: str | None) -> None:
    gold, folder = write_gold(tmp_path), tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text("q1 Q0 d1 1 0.5 bm25\n")
    (folder / "b.run").write_text("q1 Q0 d2 1 0.5 dense\n")
    with pytest.raises(plumbline.BadData, match=r"E187 2 run tags in files of one system \(bm25, dense\)") as caught:
        plumbline.evaluate(gold, folder, METRICS, engine=engine)
    assert f"{folder}/*" in str(caught.value)


def test_an_item_in_two_files_names_both(tmp_path: Path) -> None:
    gold, folder = write_gold(tmp_path), tmp_path / "runs"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.csv").write_text("case,item,score\nq1,d1,0.5\n")
    ended = program("evaluate", str(gold), str(folder))
    assert (ended.code, "b.csv:2" in ended.err, f"first at {folder}/a.csv:2" in ended.err) == (1, True, True)
    assert "if each file is a system" in ended.err
    at_once = outcome(lambda: plumbline.evaluate(gold, folder, METRICS))
    same(outcome(lambda: plumbline.evaluate(gold, folder, METRICS, engine="local")), at_once)


def test_files_with_other_columns_are_refused(tmp_path: Path) -> None:
    gold, folder = write_gold(tmp_path), tmp_path / "runs"
    folder.mkdir()
    (folder / "a.csv").write_text("case,item,score\nq1,d1,0.5\n")
    (folder / "b.csv").write_text("system,case,item,score\ns,q1,d2,0.5\nt,q1,d2,0.5\n")
    with pytest.raises(plumbline.BadData, match="E188"):
        plumbline.evaluate(gold, folder, METRICS)


def test_the_size_of_folders_counts(tmp_path: Path) -> None:
    folder = cut(tmp_path / "mine", rows_of_system(1), "run")
    size = sum(path.stat().st_size for path in folder.glob("*.run"))
    for source in (folder, f"a={folder}/*.run", [str(folder)], {"a": folder}):
        assert files_outgrow(source, 2 * size - 2)
        assert not files_outgrow(source, 2 * size)
