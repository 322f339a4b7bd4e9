"""No collection begins while a file is read, and afterwards everything is as before."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from plumbline.errors import BadData
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from plumbline.io.uncollected import uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def collections() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


@uncollected
def is_collecting(*, fails: bool = False) -> bool:
    if fails:
        raise BadData
    return gc.isenabled()


def test_collections_begin_again_after_it() -> None:
    assert not is_collecting()
    assert gc.isenabled()


def test_collections_begin_again_after_an_error() -> None:
    with pytest.raises(BadData):
        is_collecting(fails=True)
    assert gc.isenabled()


def test_collections_that_are_off_stay_off() -> None:
    gc.disable()
    assert not is_collecting()
    assert not gc.isenabled()


@pytest.mark.parametrize("name", ["fields.json", "fields.jsonl"])
def test_a_large_file_of_fields_is_read_without_a_collection(tmp_path: Path, name: str) -> None:
    one = '{"id": "%d", "records": [{"name": "n"}, {"name": "m"}]}'
    lines = [one % number for number in range(5_000)]
    text = "\n".join(lines) if name.endswith("l") else f"[{','.join(lines)}]"
    (tmp_path / name).write_text(text, encoding="utf-8")
    begun: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            begun.append(str(info))

    gc.callbacks.append(note)
    try:
        table = read(str(tmp_path / name), "output", ReadOptions(kind="spans"))
    finally:
        gc.callbacks.remove(note)
    assert len(table.frame) == 10_000
    assert len(begun) <= 1
