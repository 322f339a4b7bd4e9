"""The local engine gives what the whole gives, however small its blocks are and however rows are scattered."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.evaluation.engines import scoring
from plumbline.evaluation.engines.local import run_locally
from plumbline.evaluation.engines.plan import explained
from plumbline.evaluation.evaluation import evaluation_of
from tests.evaluation.engines.test_parts import outcome, same, shown

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.evaluation.engines.sources import Scored, Shared, Work

METRICS = ["AP", "nDCG@10", "P@5", "RR", "ERR"]
CASES, ITEMS = 10, 20


def rows_of_system(seed: int, *, scattered: bool = False) -> list[tuple[str, str, float]]:
    """A ranking of every case but a few, with ties, items that nobody judged and a case that the gold lacks."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    rows = [
        (f"q{case}", f"d{item}", draw.choice([0.5, 1.0, draw.random()]))
        for case in range(seed, CASES + 1)
        for item in draw.sample(range(ITEMS * 2), ITEMS)
    ]
    if scattered:
        draw.shuffle(rows)
    return rows


def write_gold(folder: Path) -> Path:
    draw = random.Random(0)  # noqa: S311 - no secret
    path = folder / "qrels.txt"
    path.write_text(
        "".join(f"q{case} 0 d{item} {draw.choice([-1, 0, 1, 2])}\n" for case in range(CASES) for item in range(ITEMS))
    )
    return path


def write_run(path: Path, rows: list[tuple[str, str, float]]) -> Path:
    """The rows in the format that the ending of the file names."""
    frame = pl.DataFrame(rows, schema=["case", "item", "score"], orient="row")
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=200)
    elif path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        lines = [f"{case} Q0 {item} 1 {score!r} tag\n" for case, item, score in rows]
        path.write_text("".join([*lines[:9], "# a remark\n\n", *lines[9:]]))
    return path


def locally(gold: Any, systems: Any, metrics: Any = METRICS, size: int = 3000, **options: Any) -> plumbline.Scores:
    """The scores with blocks of so many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "SMALLEST_BLOCK", size)
        patch.setattr(scoring, "LARGEST_BLOCK", size)
        return plumbline.evaluate(gold, systems, metrics, engine="local", **options)


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("ending", ["run", "csv", "jsonl", "parquet"])
@pytest.mark.parametrize("size", [1500, 10**9])
def test_files_in_blocks(tmp_path: Path, ending: str, scattered: bool, size: int) -> None:  # noqa: FBT001 - a column of the table
    gold = write_gold(tmp_path)
    systems = [write_run(tmp_path / f"s{seed}.{ending}", rows_of_system(seed, scattered=scattered)) for seed in (1, 2)]
    every: list[dict[str, Any]] = [{}, {"order": "file"}, {"missing": "error"}, {"names": "tag"}]
    for options in every if ending == "run" else every[:2]:  # of the others, reading is what differs
        at_once = outcome(lambda chosen=options: plumbline.evaluate(gold, systems, METRICS, **chosen))
        same(outcome(lambda chosen=options: locally(gold, systems, size=size, **chosen)), at_once)


def test_several_files_are_one_system(tmp_path: Path) -> None:
    gold, rows = write_gold(tmp_path), rows_of_system(1)
    at_once = plumbline.evaluate(gold, write_run(tmp_path / "mine.parquet", rows), METRICS)
    folder = tmp_path / "mine"
    folder.mkdir()
    for at in range(0, len(rows), 50):  # lists are cut, too
        write_run(folder / f"part-{at:05}.parquet", rows[at : at + 50])
    for source in (folder, f"mine={folder}/*.parquet", {"mine": folder}):
        result = locally(gold, [source] if isinstance(source, str) else source)
        assert (result.per_case.rows(), result.mean.rows()) == (at_once.per_case.rows(), at_once.mean.rows())


def test_a_column_of_systems(tmp_path: Path) -> None:
    gold, path = write_gold(tmp_path), tmp_path / "all.csv"
    rows = [(f"s{seed}", *row) for seed in (1, 2, 3) for row in rows_of_system(seed)]
    for ordered in (rows, sorted(rows, key=lambda row: (row[1], row[0]))):
        pl.DataFrame(ordered, schema=["system", "case", "item", "score"], orient="row").write_csv(path)
        same(shown(locally(gold, path)), shown(plumbline.evaluate(gold, path, METRICS)))


@pytest.mark.parametrize("ending", ["run", "csv", "parquet"])
def test_errors_name_the_row_of_the_file(tmp_path: Path, ending: str) -> None:
    rows = rows_of_system(1)
    rows.append((*rows[-3][:2], 0.25))
    gold, run = write_gold(tmp_path), write_run(tmp_path / f"bad.{ending}", rows)
    for size in (2000, 10**9):
        same(outcome(lambda size=size: locally(gold, run, size=size)), outcome(lambda: plumbline.evaluate(gold, run, METRICS)))
    text = (tmp_path / "bad.run").read_text() if ending == "run" else ""
    if text:
        run.write_text(text.replace(" 0.25 ", " none "))
        same(outcome(lambda: locally(gold, run)), outcome(lambda: plumbline.evaluate(gold, run, METRICS)))


@pytest.mark.parametrize("task", ["ranking", "classification", "extraction"])
def test_of_several_errors_the_same_one_is_first(tmp_path: Path, task: str) -> None:
    """The gold, then system by system, and what the command line names last."""
    twice, columns = {
        "ranking": ("q0,d1,1\n" * 2, "case,item,score"),
        "classification": ("q0,d1,a\nq0,d1,b\n", "case,item,label"),
        "extraction": ("q9,1,2\n", "case,start,end,label"),
    }[task]
    once = {"ranking": "q0,d1,1\n", "classification": "q0,d1,a\n", "extraction": "q0,1,2,a\n"}[task]
    files = {"good": once, "twice": twice, "unreadable": "q0,d1\n", "other": "q9" + once[2:]}
    for name, rows in files.items():
        (tmp_path / f"{name}.csv").write_text(f"{columns}\n{rows}")
    for name in ("one", "two"):
        rows = "".join(f"{system},{row}\n" for system in "ab" for row in (once if name == "two" else twice).splitlines())
        (tmp_path / f"{name}.csv").write_text(f"system,{columns}\n{rows}")
    worlds = [("good", [one, two]) for one in (*files, "one") for two in (*files, "two") if one != two]
    for gold, systems in [*worlds, ("twice", ["unreadable"])]:
        wanted = (tmp_path / f"{gold}.csv").read_text().replace("score", "grade")
        (tmp_path / "gold.csv").write_text(wanted)
        paths = [tmp_path / f"{name}.csv" for name in systems]
        for options in ({}, {"columns": "unit=nothing"} if task == "classification" else {"columns": "level=nothing"}):
            chosen: dict[str, Any] = {"task": task, **options}
            at_once = outcome(lambda paths=paths, chosen=chosen: plumbline.evaluate(tmp_path / "gold.csv", paths, **chosen))
            same(outcome(lambda paths=paths, chosen=chosen: locally(tmp_path / "gold.csv", paths, None, **chosen)), at_once)


def test_two_tags_in_one_file_are_refused(tmp_path: Path) -> None:
    gold, run = write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1))
    run.write_text(run.read_text() + "q1 Q0 d999 1 0.1 other\n")
    same(outcome(lambda: locally(gold, run)), outcome(lambda: plumbline.evaluate(gold, run, METRICS)))


def test_what_does_not_fit_is_refused_with_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1))
    refused: list[tuple[dict[str, Any], str]] = [
        ({"memory": "much"}, "E702"),
        ({"memory": "1MB"}, "E703"),
        ({"cluster": "spark://host"}, "E704"),
        ({"tag": "tag"}, "E704"),
    ]
    for options, code in refused:
        with pytest.raises(plumbline.BadUsage, match=code):
            plumbline.evaluate(gold, run, METRICS, engine="local", **options)
    monkeypatch.setattr(scoring, "LARGEST_LIST", 5)
    with pytest.raises(plumbline.BadData, match=r"E705 .* 20 rows or more, and a part can have 5"):
        plumbline.evaluate(gold, run, METRICS, engine="local")
    large = pl.DataFrame({"case": "q1", "item": pl.int_range(2_000_000, eager=True).cast(pl.String), "grade": 1.0})
    too_large = (
        r"(?s)E706 the gold has 2,000,000 rows, which take about [\d,]+ of 300,000,000 bytes of memory.*memory=.[\d.]+GB"
    )
    with pytest.raises(plumbline.BadUsage, match=too_large):
        plumbline.evaluate(large, run, METRICS, engine="local", memory="300MB")


def test_the_plan_names_engine_and_blocks(tmp_path: Path) -> None:
    gold, run = write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1))
    evaluation = evaluation_of(gold, run, METRICS)
    assert "engine: none" in explained(evaluation)
    assert f"1 file, {run.stat().st_size:,} bytes" in explained(evaluation)
    assert "engine: local, one after the other, about 1 block of" in explained(evaluation, "local", "1GB")
    assert "a task for each of 1 file" in explained(evaluation, "spark")


def test_a_task_without_parts_is_refused(tmp_path: Path) -> None:
    evaluation = evaluation_of(write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1)), METRICS)
    evaluation.request = replace(evaluation.request, task=replace(evaluation.request.task, parts=None))
    assert "the task ranking has no parts" in explained(evaluation)
    with pytest.raises(plumbline.BadUsage, match="E701 the task ranking cannot be scored in parts"):
        run_locally(evaluation, 2**30)


def test_large_files_choose_the_engine_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = write_gold(tmp_path), write_run(tmp_path / "a.run", rows_of_system(1))
    called = []

    def counted(shared: Shared, work: Work) -> Scored:
        called.append(work)
        return scoring.score(shared, work)

    monkeypatch.setattr("plumbline.evaluation.engines.local.score", counted)
    at_once = shown(plumbline.evaluate(gold, run, METRICS))
    assert not called
    monkeypatch.setattr("plumbline.evaluation.engines.registry.machine_memory", lambda: run.stat().st_size * 2 - 2)
    monkeypatch.setattr(pl.DataFrame, "estimated_size", lambda _: 0)
    same(shown(plumbline.evaluate(gold, run, METRICS)), at_once)
    assert called
