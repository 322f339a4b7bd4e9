"""Files of tags by the reader in C: the same spans, documents, messages and lines as by the reader in Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.io.bytes.content import load
from plumbline.io.formats.tags.lines import TaggedLines, text_lines
from plumbline.io.formats.tags.tokens import read_tokens
from plumbline.io.native import SWITCH, native
from plumbline.io.spans.schemes import SCHEMES
from plumbline.io.table import ReadOptions
from tests.helpers.native_paths import both
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

core = pytest.importorskip("plumbline_core", reason="the reader in C is not installed: pip install ./native")
pytestmark = [
    pytest.mark.skipif(native() is None, reason=f"the reader in C is turned off: {SWITCH}=0"),
    pytest.mark.skipif(not hasattr(core, "tags"), reason="an earlier module in C is installed"),
]

FUZZ = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) * 5 // 2
"""Texts that are tried: 50,000 in CI."""
LINES = st.sampled_from(
    [
        *(
            "Ada B-PER",
            "left O",
            "x\tNN\tI-PER",
            "O",
            "y  S-LOC",
            "z U-LOC",
            "B-PER",
            "w L-é",
            "é E-PER",
            "",
            "",
            "v O ",
            "v B-X\t",
        ),
        *(
            "-DOCSTART- -X- O",
            "-DOCSTART- (a)",
            "-DOCSTART-O",
            "# newdoc id = a",
            "# newdoc id = a",
            "# text = b",
            "#1 O",
            "# id ",
        ),
        *("a X-PER", "a B-", "a O-PER", "a BPER", " ", "\t", "-D O", "a\u00a0b B-PER", "\ufeffa B-PER", "a B-" + "L" * 300),
    ]
)
ENDS = st.sampled_from(["\n"] * 8 + ["\r\n", "\r", "\n\n"])
OPTIONS = [ReadOptions(kind="spans", reader="iob", scheme=scheme) for scheme in SCHEMES]


@given(st.sampled_from(OPTIONS), st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=12), st.sampled_from(["", "\n"]))
def test_odd_lines_give_the_same_spans_and_messages(
    tmp_path_factory: pytest.TempPathFactory, options: ReadOptions, draws: list[tuple[str, str]], last: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "quick.iob"
    text = "".join(line + end for line, end in draws).encode()
    path.write_bytes(text.rstrip(b"\n") + last.encode())
    with pytest.MonkeyPatch.context() as patch:
        ours, theirs = both(path, "output", options, patch)
    assert ours == theirs


@given(st.binary(max_size=200))
def test_any_bytes_give_the_same_spans_and_messages(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.iob"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        ours, theirs = both(path, "gold", OPTIONS[0], patch)
    assert ours == theirs


def test_every_bad_input_gives_the_same_spans_and_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in sorted(shared("badinputs").rglob("*")):
        if path.is_file() and not path.parent.name.startswith("C"):  # the compressed ones hold nothing else
            ours, theirs = both(path, "output", OPTIONS[0], monkeypatch)
            assert ours == theirs, path


@pytest.mark.parametrize(
    "text",
    [
        "Ada B-PER\nleft O\n\nBo B-PER\n",
        "Ada B-PER\r\nleft O\r\n\r\nBo B-PER",
        "Ada B-PER \nleft O\t\n \nBo B-PER\n",
        "-DOCSTART- -X- O\n\nAda B-PER\n\nBo O\n-DOCSTART- O\nCy B-PER\n",
        "# newdoc id = x\n# text = Ada\nAda B-PER\n# newdoc id = y\n#1 O\nBo B-PER\n",
    ],
)
def test_usual_files_need_no_lines(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.iob").write_bytes(text.encode())
    ours, theirs = both(tmp_path / "a.iob", "gold", OPTIONS[0], monkeypatch)
    assert ours == theirs
    monkeypatch.setattr(TaggedLines, "of", None)  # it would be called for texts only
    assert read_tokens(text_lines(load(tmp_path / "a.iob"))).count


def test_a_line_of_20_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.iob"
    path.write_text(f"{'d' * 20_000_000} B-PER\nx I-PER\n")
    ours, theirs = both(path, "output", OPTIONS[0], monkeypatch)
    assert ours == theirs
    path.write_text(f"x B-PER\nx B-{'P' * 20_000_000}\n")
    ours, theirs = both(path, "output", OPTIONS[0], monkeypatch)
    assert ours == theirs


@pytest.mark.parametrize("count", [3, 200])
def test_tokens_of_any_length(count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few and many lines, whose texts are mixed in two ways."""
    chance = np.random.default_rng(count)
    lines = [f"{bytes(chance.integers(33, 127, size)).decode()} B-PER" for size in chance.integers(1, 90, count)]
    path = tmp_path / "a.iob"
    path.write_text("\n".join(lines) + "\n")
    ours, theirs = both(path, "output", OPTIONS[0], monkeypatch)
    assert ours == theirs


def test_scores_and_notices_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(0)
    tags = ["O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-ORG"]
    for name in ("gold", "a", "b"):
        lines = [f"w{at} {chance.choice(tags)}" + "\n" * (1 + (at % 9 == 0)) for at in range(500)]
        (tmp_path / f"{name}.iob").write_text("".join(lines))
    files = (tmp_path / "gold.iob", [str(tmp_path / "a.iob"), str(tmp_path / "b.iob")])

    def scored() -> tuple[object, object]:
        scores = plumbline.evaluate(*files, ["P", "R", "F(P,R,match=partial)", "F(P,R,average=macro)"], task="extraction")
        return scores.per_case.rows(), [str(one) for one in scores.notices]

    ours = scored()
    monkeypatch.setenv(SWITCH, "0")
    assert scored() == ours


@pytest.mark.parametrize(
    ("room", "skips", "skipped"),
    [(-1, None, None), (2, None, None), (2**62, None, None), (1, np.zeros(3, np.int64), np.zeros(2, np.int64))],
)
def test_arrays_that_do_not_fit_are_refused(room: int, skips: object, skipped: object) -> None:
    into = (np.empty(1, np.int32), *(np.empty(1, np.int64) for _ in range(6)))
    with pytest.raises(ValueError, match=r"out of range|too short"):
        core.tags(b"a O\n", skips, skipped, 9, room, into)


def test_prefixes_and_rules_are_checked() -> None:
    ones, rules = np.ones(1, np.int64), np.zeros((7, 7, 2), np.bool_)
    into = (np.empty(1, np.int64), np.empty(1, np.int64), np.empty(1, np.bool_))
    with pytest.raises(ValueError, match="out of range"):
        core.chunks(ones, ones, ones * 7, ones, (rules, rules, rules), *into)
    with pytest.raises(ValueError, match="too short"):
        core.chunks(ones, ones, ones, ones, (rules, rules, rules[:6]), *into)


def test_random_texts_are_read_as_by_an_obvious_reader() -> None:
    from tests.helpers.native_tags import differs  # noqa: PLC0415 - it needs the reader in C

    assert [number for number in range(FUZZ) if differs(number)] == []
