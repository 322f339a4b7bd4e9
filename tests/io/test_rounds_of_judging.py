"""The second column of judgements: subtopics if they are names or whole numbers, rounds of judging if they are fractions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

RUN = {"one": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}


def test_rounds_are_no_subtopics(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q 0.5 a 1\nq 1 b 0\nq 1.5 c 1\n", encoding="utf-8")
    flat = plumbline.evaluate({"q": {"a": 1, "b": 0, "c": 1}}, RUN, ["AP"])
    assert plumbline.evaluate(path, RUN, ["AP"]).to_polars().rows() == flat.to_polars().rows()


def test_whole_numbers_are_subtopics(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q 1 a 1\nq 2 b 1\nq 2 a 0\n", encoding="utf-8")
    assert plumbline.evaluate(path, RUN, ["StRecall@1"]).to_polars()["value"].to_list() == [0.5]
