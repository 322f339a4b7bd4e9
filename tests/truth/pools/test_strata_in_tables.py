"""A table of judgements that were drawn: the column `probability` beside a stratum says how likely an item was drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline

if TYPE_CHECKING:
    from pathlib import Path

ROWS = "case,item,stratum,{column},grade\nq,a,1,1.0,1\nq,b,2,0.25,1\nq,c,2,0.25,0\nq,d,2,0.25,-1\n"
LIST = {"one": {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}}


def value(path: Path, column: str) -> float:
    path.write_text(ROWS.format(column=column), encoding="utf-8")
    return float(plumbline.evaluate(path, LIST, ["statAP"]).to_polars()["value"][0])


@pytest.mark.parametrize("column", ["probability", "inclusion_probability"])
def test_probabilities_are_read(tmp_path: Path, column: str) -> None:
    """Item b is drawn with probability 1/4 and stands for four; at its rank, 3, the item itself and a are relevant."""
    assert value(tmp_path / "sample.csv", column) == pytest.approx((1 + 4 * 2 / 3) / 5)
    assert value(tmp_path / "sample.csv", "ignored") != value(tmp_path / "sample.csv", column)
