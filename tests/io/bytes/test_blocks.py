"""A file read in small blocks is the file read as a whole."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.errors import PlumblineError
from plumbline.io.bytes import blocks
from plumbline.io.read import read
from plumbline.io.table import ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

SIZES = st.integers(1, 80)
GAPS = st.sampled_from([" ", "\t", "  ", " \t"])
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\r", "\n# a comment\n", " \n", "\n#\n#\n\n \n"])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A run whose lines differ in their white space."""
    lines = []
    for number in range(draw(st.integers(1, 12))):
        fields = [f"q{number // 3}", "Q0", f"d{number}", str(number), f"{9 - number}.5", draw(st.sampled_from(["r", "r", "s"]))]
        lines.append(draw(GAPS).join(fields) + draw(ENDS))
    return "".join(lines).encode()


def outcome(data: bytes, size: int, tag: str | None = None) -> object:
    """The rows and the tag, or what is said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", size)
        try:
            table = read(io.BytesIO(data), "output", ReadOptions(tag=tag))
        except PlumblineError as error:
            return str(error)
    return table.frame.rows(), table.tag, table.notices


@settings(deadline=None)  # threads are started, which takes long on a busy machine
@given(files(), SIZES, st.sampled_from([None, "r", "s"]))
def test_blocks_do_not_show(data: bytes, size: int, tag: str | None) -> None:
    assert outcome(data, size, tag) == outcome(data, len(data), tag)


@settings(deadline=None)  # threads are started, which takes long on a busy machine
@given(files(), SIZES, st.integers(0, 200), st.sampled_from([b"\x00", b"\xff", b" x", b"\n1\n", b"\v"]))
def test_what_is_wrong_is_found_in_any_block(data: bytes, size: int, at: int, wrong: bytes) -> None:
    spoilt = data[:at] + wrong + data[at:]
    assert outcome(spoilt, size) == outcome(spoilt, len(spoilt))


@given(st.binary(max_size=60), SIZES)
def test_blocks_are_whole_lines(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", size)
        pieces = [data[block] for block in blocks.whole_lines(data)]
    assert b"".join(pieces) == data
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])
    assert all(len(piece) <= size or not re.search(rb"\n.", piece, re.DOTALL) for piece in pieces), (
        "longer only for a long line"
    )


def test_results_keep_the_order_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 2)
    data = b"".join(b"%d\n" % (number % 10) for number in range(100))
    assert b"".join(blocks.side_by_side(lambda block: data[block], blocks.whole_lines(data))) == data


def test_a_mapped_file_can_be_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages that a block leaves come back for whoever asks where a row is."""
    monkeypatch.setattr(blocks, "BLOCK", 5000)
    path = tmp_path / "run.txt"
    path.write_text("".join(f"q Q0 d{number} 1 {number} r\n" for number in range(4000)), encoding="utf-8")
    table = read(path, "output")
    assert table.frame["item"].to_list() == [f"d{number}" for number in range(4000)]
    assert [place.line for place in table.origin.places([0, 1999, 3999], "item")] == [1, 2000, 4000]
