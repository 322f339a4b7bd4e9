"""The page about spans shows the texts with most errors, with marks; and the floor of spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Ada <b>met</b> Bob in Rome."


def record(name: str, *spans: tuple[int, int, str]) -> dict[str, Any]:
    named = [{"start": start, "end": end, "label": kind} for start, end, kind in spans]
    return {"id": name, "text": TEXT, "spans": named}


def test_spans_are_marked_in_the_text(tmp_path: Path) -> None:
    gold = [record("d1", (0, 3, "PER"), (15, 18, "PER"), (22, 26, "LOC")), record("d2", (0, 3, "PER"))]
    output = [record("d1", (0, 3, "PER"), (15, 18, "ORG"), (7, 10, "PER")), record("d2", (0, 3, "PER"))]
    path = tmp_path / "page.html"
    plumbline.evaluate(gold, {"one": output, "two": gold}, task="extraction").report(path)
    page = path.read_text(encoding="utf-8")
    assert '<mark class="right" title="gold: PER; output: PER">Ada</mark> &lt;b&gt;' in page
    assert '<mark class="other" title="gold: PER; output: ORG">Bob</mark>' in page
    assert '<mark class="missed" title="gold: LOC; output: nothing">Rome</mark>' in page
    assert '<mark class="spurious" title="gold: nothing; output: PER">met</mark>' in page
    assert "The 1 document with an error of one." in page


def test_spans_without_texts_have_no_such_section(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    plumbline.evaluate({"a": [(0, 1, "X")]}, {"one": {"a": []}}, task="extraction").report(path)
    assert "Where are the errors?" not in path.read_text(encoding="utf-8")


def test_the_floor_has_no_spans_or_those_of_the_document_before() -> None:
    gold = {"a": [(0, 1, "X"), (4, 6, "Y")], "b": [(0, 1, "X")], "c": [(7, 8, "X")]}
    scores = plumbline.evaluate(gold, {"one": gold}, ["P", "R"], task="extraction", pooled=True, floor=True)
    values = {(system, metric): value for system, metric, value in scores.mean.select("system", "metric", "value").iter_rows()}
    assert values["[nothing]", "R"] == 0.0
    assert values["[nothing]", "P"] is None
    assert values["[document before]", "P"] == pytest.approx(1 / 4)  # that of b at the beginning
    assert scores.beating("R") == ["one"]
