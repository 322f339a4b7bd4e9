"""The local engine counts the spans of files in blocks, document by document, and gives what the whole gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline
from plumbline.evaluation.engines.plan import explained
from plumbline.evaluation.evaluation import evaluation_of
from tests.evaluation.engines.test_local import locally
from tests.evaluation.engines.test_parts import outcome, same, shown

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = 30
TASK: dict[str, Any] = {"task": "extraction"}
METRICS = ["F(P,R)", "P(match=partial,average=macro)", "R(match=positions)", "SPU(match=type,average=none)"]
OF_VALUES = ["F(P,R)", "R(match=partial,average=macro)", "MIS(match=type,average=none)"]
Rows = list[tuple[Any, ...]]
KINDS: dict[str, tuple[list[str], list[str]]] = {
    "spans": (["document", "start", "end", "label"], METRICS),
    "fields": (["document", "record", "field", "value"], OF_VALUES),
    "relations": (["document", "head", "relation", "tail"], OF_VALUES),
}


def rows_of(kind: str, seed: int, *, scattered: bool = False) -> Rows:
    """Up to nine rows of most documents, some of them twice; of a system also of documents that the gold lacks."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    rows: Rows = []
    for document in range(DOCUMENTS + (3 if seed else 0)):
        for _ in range(draw.randint(0 if seed else 1, 9)):
            start, name = draw.randint(0, 40), draw.choice(["PER", "LOC", "ORG"])
            ends = draw.choices(["Ada", "Ada Lovelace", "Bob", "Bob Lovelace"], k=2)
            made = {
                "spans": (start, start + draw.randint(1, 5), name),
                "fields": (f"r{draw.randint(0, 2)}", name, draw.choice("uvwx")),
                "relations": (ends[0], name, ends[1]),
            }
            rows.append((f"d{document}", *made[kind]))
    if scattered:
        draw.shuffle(rows)
    return rows


def write(path: Path, rows: Rows, kind: str) -> Path:
    frame = pl.DataFrame(rows, schema=KINDS[kind][0], orient="row")
    if path.suffix == ".parquet":
        frame.write_parquet(path, row_group_size=100)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path)
    return path


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("scattered", [False, True])
def test_files_in_blocks(tmp_path: Path, kind: str, ending: str, scattered: bool) -> None:  # noqa: FBT001 - a column of the table
    gold = write(tmp_path / f"gold.{ending}", rows_of(kind, 0), kind)
    systems = [write(tmp_path / f"s{at}.{ending}", rows_of(kind, at, scattered=scattered), kind) for at in (1, 2)]
    every: list[tuple[int, dict[str, Any]]] = [
        (900, {}),
        (900, {"pooled": True}),
        (900, {"floor": True}),
        (10**9, {"undefined": "zero"}),
    ]
    for size, options in every if ending == "csv" else every[:1]:  # of the others, reading is what differs
        chosen: dict[str, Any] = {**TASK, **options}
        at_once = outcome(lambda chosen=chosen: plumbline.evaluate(gold, systems, KINDS[kind][1], **chosen))
        same(outcome(lambda chosen=chosen, size=size: locally(gold, systems, KINDS[kind][1], size, **chosen)), at_once)


def test_the_gold_may_list_documents_without_spans(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(
        '{"id": "d0", "text": "Ada left.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n'
        '{"id": "d1", "text": "Nobody left.", "spans": []}\n'
    )
    run = write(tmp_path / "run.csv", [("d0", 0, 3, "PER"), ("d2", 0, 3, "LOC")], "spans")
    same(shown(locally(gold, run, METRICS, 9, **TASK)), shown(plumbline.evaluate(gold, run, METRICS, **TASK)))


def test_several_files_and_systems(tmp_path: Path) -> None:
    gold, rows = write(tmp_path / "gold.csv", rows_of("spans", 0), "spans"), rows_of("spans", 1)
    cut = next(at for at in range(40, len(rows)) if rows[at][0] != rows[at - 1][0])
    folder = tmp_path / "mine"
    folder.mkdir()
    for at, some in enumerate((rows[:cut], rows[cut:])):
        write(folder / f"{at}.csv", some, "spans")
    for source in (str(folder), f"mine={folder}/*.csv", f"mine={folder}/0*.csv"):
        same(shown(locally(gold, [source], METRICS, 900, **TASK)), shown(plumbline.evaluate(gold, [source], METRICS, **TASK)))
    write(folder / "1.csv", [*rows[cut:], *rows[cut - 9 : cut]], "spans")
    at_once = plumbline.evaluate(gold, str(folder), METRICS, **TASK)
    assert any(notice.code == "N602" for notice in at_once.notices)
    same(shown(locally(gold, str(folder), METRICS, 900, **TASK)), shown(at_once))
    path, frame = tmp_path / "all.csv", pl.DataFrame(rows, schema=KINDS["spans"][0], orient="row")
    named = [frame.with_columns(pl.lit(name).alias("system")) for name in ("b", "a")]
    pl.concat(named).sample(fraction=1, shuffle=True, seed=1).write_csv(path)
    same(shown(locally(gold, path, METRICS, 900, **TASK)), shown(plumbline.evaluate(gold, path, METRICS, **TASK)))


@pytest.mark.parametrize("bad", ["d1,5,2,PER", "d1,x,2,PER", "d1,2,5,", "d1,2"])
def test_errors_name_the_line_of_the_file(tmp_path: Path, bad: str) -> None:
    gold, run = write(tmp_path / "gold.csv", rows_of("spans", 0), "spans"), tmp_path / "run.csv"
    run.write_text(write(run, rows_of("spans", 1), "spans").read_text() + bad + "\n")
    other = write(tmp_path / "other.csv", [("z", 1, 2, "PER")], "spans")
    for systems in (run, {"x": gold, "y": run}, other, {"x": gold, "y": other}):
        at_once = outcome(lambda systems=systems: plumbline.evaluate(gold, systems, METRICS, **TASK))
        assert at_once[0] is plumbline.BadData
        same(outcome(lambda systems=systems: locally(gold, systems, METRICS, 500, **TASK)), at_once)


def test_texts_are_refused(tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    run.write_text('{"id": "d0", "text": "Ada left.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n')
    with pytest.raises(plumbline.BadUsage, match="E711 engines read tables of spans, and this is json"):
        plumbline.evaluate(run, run, METRICS, engine="local", **TASK)
    tags = tmp_path / "run.conll"
    tags.write_text("Ada B-PER\nleft O\n")
    with pytest.raises(plumbline.BadUsage, match=r"E711 .* this is iob\n.*leave out"):
        plumbline.evaluate(tags, tags, METRICS, engine="local", **TASK)


def test_large_tables_choose_the_engine_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = write(tmp_path / "gold.csv", rows_of("spans", 0), "spans")
    run, texts = write(tmp_path / "run.csv", rows_of("spans", 1), "spans"), tmp_path / "run.jsonl"
    texts.write_text('{"id": "d0", "text": "Ada left.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n')
    monkeypatch.setattr("plumbline.evaluation.engines.registry.machine_memory", lambda: 4)
    assert "engine: local" in explained(evaluation_of(gold, run, METRICS, **TASK))
    assert "engine: none" in explained(evaluation_of(gold, texts, METRICS, **TASK))


def test_records_of_a_document_are_in_one_file(tmp_path: Path) -> None:
    gold, folder, rows = write(tmp_path / "gold.csv", rows_of("fields", 0), "fields"), tmp_path / "mine", rows_of("fields", 2)
    folder.mkdir()
    cuts = [at for at in range(40, len(rows)) if rows[at][0] != rows[at - 1][0]]
    for cut in (cuts[0], cuts[0] - 1):
        write(folder / "0.csv", rows[:cut], "fields")
        write(folder / "1.csv", rows[cut:], "fields")
        at_once = outcome(lambda: plumbline.evaluate(gold, str(folder), OF_VALUES, **TASK))
        assert ("E138" in str(at_once[1])) == (cut != cuts[0])
        same(outcome(lambda: locally(gold, str(folder), OF_VALUES, 900, **TASK)), at_once)
