"""Tidying by blocks of bytes against splitting line by line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.io.bytes import tidy

TEXT = st.text(alphabet="ab# \t\r\n\x0b", min_size=1, max_size=60).map(str.encode)
BLOCKS = st.integers(1, 12)


def slowly(data: bytes) -> list[bytes]:
    """The lines that hold something, each split at spaces and tabs."""
    lines = [re.sub(rb"[ \t]+", b" ", line).strip(b" ") for line in re.split(rb"\r\n|\r|\n", data)]
    return [line for line in lines if line]


@given(TEXT, BLOCKS)
def test_tidied_is_the_slow_split(data: bytes, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "BLOCK", block)
        made = tidy.tidied(data)
    assert [line for line in made.split(b"\n") if line] == slowly(data)


@given(TEXT, BLOCKS)
def test_what_is_tidied_is_tidy(data: bytes, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "BLOCK", block)
        made = tidy.tidied(data)
        if made:
            surveyed = tidy.survey(made)
            assert not surveyed.tabs
            assert surveyed.untidy == (b"\x0b" in made and surveyed.untidy), "only a control character in an id can look untidy"
    assert not re.search(rb"[ \n][ \n]|^[ \n]|[\t\r]", made)


@given(TEXT, BLOCKS)
def test_a_tidy_file_reads_as_it_is(data: bytes, block: int) -> None:
    """Where the survey finds nothing, splitting at single separators is right."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "BLOCK", block)
        surveyed = tidy.survey(data)
    if not surveyed.untidy:
        separator = b"\t" if surveyed.tabs else b" "
        fields = [line.strip(separator).split(separator) for line in data.split(b"\n") if line]
        assert fields == [line.split(b" ") for line in slowly(data)]


@given(TEXT, BLOCKS)
def test_the_survey_counts_separators(data: bytes, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "BLOCK", block)
        surveyed = tidy.survey(data)
    assert surveyed.separators == data.count(b" ") + data.count(b"\t")
    assert surveyed.tabs == (b"\t" in data)


@given(st.integers(0, 30), BLOCKS)
def test_a_nul_is_found_wherever_it_is(at: int, block: int) -> None:
    data = b"a" * at + b"\x00" + b"b" * (30 - at)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "BLOCK", block)
        assert tidy.survey(data).nul
        assert not tidy.survey(data.replace(b"\x00", b"c")).nul
