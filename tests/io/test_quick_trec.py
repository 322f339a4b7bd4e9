"""The reader in C: the same rows, messages and scores as those of the readers in Python, and nothing that it cannot read."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.io.bytes.content import load
from plumbline.io.formats.trec import quick, small
from plumbline.io.native import SWITCH, native
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.io.test_small_trec import LINE, lines_of, outcome

if TYPE_CHECKING:
    from pathlib import Path

    from plumbline.io.table import Role

core = pytest.importorskip("plumbline_core", reason="the reader in C is not installed: pip install ./native")
pytestmark = pytest.mark.skipif(native() is None, reason=f"the reader in C is turned off: {SWITCH}=0")

FUZZ = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) * 5 // 2
"""Texts that are tried: 50,000 in CI."""
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(allow_nan=False, allow_infinity=False, places=5).map(str),
    st.from_regex(r"[-+]?[0-9]{0,22}\.?[0-9]{0,22}([eE][-+]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["0", "-0", "1e-400", "1e400", "9007199254740993", "9007199254740992e22", "1e23", "0e999", ".", "-", "e5"]),
)


def _rows(path: Path, role: Role, monkeypatch: pytest.MonkeyPatch) -> tuple[object, object]:
    """What is read with the reader in C and without it; both times the frame is made at the end."""
    with monkeypatch.context() as patch:
        patch.setattr(small, "ALWAYS", 0)
        patch.setattr(small, "AT_MOST", 0)
        ours = outcome(path, role)
        patch.setenv(SWITCH, "0")
        return ours, outcome(path, role)


@pytest.mark.parametrize("role", ["gold", "output"])
@given(st.lists(LINE, min_size=1, max_size=6))
def test_odd_lines_give_the_same_rows_and_messages(
    tmp_path_factory: pytest.TempPathFactory, role: Role, draws: list[tuple[str, ...]]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"quick.{role}"
    path.write_bytes(lines_of(draws, role))
    with pytest.MonkeyPatch.context() as patch:
        ours, theirs = _rows(path, role, patch)
    assert ours == theirs


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_numbers_are_those_of_python(texts: list[str]) -> None:
    for text in texts:
        data = f"q Q0 d 1 {text} t\n".encode()
        into = (np.empty(1, np.int32), np.empty(1), np.empty(1, np.uint32), np.empty(1, np.uint64))
        read = core.scan(data, 0, len(data), len(data), (6, 1, 2, 4, 3, 5), 1, *into)
        try:
            expected = float(text) if text else float("nan")
        except ValueError:
            expected = float("nan")
        if read is None:
            assert not np.isfinite(expected)
        else:
            assert np.array(expected).tobytes() == into[1].tobytes(), text


def _world(number: int) -> tuple[str, str]:
    """A gold and a run with ties, cases that only one of them has, long ids, and sometimes shuffled lines."""
    chance = random.Random(number)  # noqa: S311 - no secret
    cases = [f"q{case}" for case in range(chance.randint(1, 9))]
    items = [chance.choice(["d{}", "a-long-id-of-a-document-{}", "é{}"]).format(item) for item in range(60)]
    gold = [
        f"{case} 0 {item} {chance.randint(-1, 3)}\n"
        for case in cases
        for item in chance.sample(sorted(set(items)), chance.randint(1, 30))
    ]
    run = []
    for case in [*cases[len(cases) > 1 and chance.randint(0, 1) :], "other"]:
        shown = chance.sample(sorted(set(items)), chance.randint(1, 50))
        scores = sorted((chance.choice([chance.random(), chance.randint(0, 5)]) for _ in shown), reverse=True)
        run += [f"{case} Q0 {item} {rank} {score} t\n" for rank, (item, score) in enumerate(zip(shown, scores, strict=True), 1)]
    if number % 3 == 0:
        chance.shuffle(run)
    if number % 4 == 0:
        run = [line.replace(" ", "  ", 2) for line in run]
    return "".join(gold), "".join(run) + "\n" * (number % 2)


@pytest.mark.parametrize("number", range(40))
def test_scores_and_notices_are_the_same(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = _world(number)
    (tmp_path / "gold.txt").write_text(gold)
    (tmp_path / "a.run").write_text(run)
    metrics = ["AP", "nDCG@10", "P@5", "RR", "Rprec", "R@20", "Bpref"]

    def scored() -> tuple[object, object]:
        scores = plumbline.evaluate(tmp_path / "gold.txt", tmp_path / "a.run", metrics)
        return scores.per_case.rows(), [str(one) for one in scores.notices]

    assert read(tmp_path / "a.run", "output").listed is not None
    ours = scored()
    monkeypatch.setenv(SWITCH, "0")
    assert scored() == ours
    monkeypatch.setattr(small, "ALWAYS", 0)
    assert scored() == ours


def test_blocks_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.io.bytes.blocks.BLOCK", 200)
    lines = [f"q{number // 10} Q0 d{number} {number % 10} {-(number % 10)} t\n" for number in range(100)]
    path = tmp_path / "a.run"
    for text in ("".join(lines), "\n\n".join(lines), "".join(sorted(lines, key=hash)), "".join(lines)[:-1]):
        path.write_text(text)
        assert read(path, "output").listed is not None
        ours, theirs = _rows(path, "output", monkeypatch)
        assert ours == theirs


@pytest.mark.parametrize(
    "text",
    [
        "q Q0 d 1 2 t\nq Q0 d 2 1 t\n",
        "q Q0 d 1 2 t\nq Q0 e 2 1 u\n",
        "q Q0 d 1 2 t\r\n",
        "q Q0 d 1 2\n",
        "q Q0 d 1 2 t x\n",
        "#q Q0 d 1 2 t\n",
        "q Q0 d 1 nan t\n",
        "q Q0 d 1 2\x00 t\n",
        "\udcff Q0 d 1 2 t\n",
        "q \udcff d 1 2 \udcff\n",
        "q Q0 \udcff 1 2 t\n",
    ],
)
def test_anything_odd_is_left_to_the_other_readers(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(text.encode(errors="surrogateescape"))

    assert quick.read_quickly(load(path), ("case", "Q0", "item", "rank", "score", "tag"), "output", ReadOptions()) is None


def test_a_line_of_20_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_text(f"q Q0 {'d' * 20_000_000} 1 2.5 t\nq Q0 e 2 1.5 t\n")
    assert read(path, "output").listed is not None
    ours, theirs = _rows(path, "output", monkeypatch)
    assert ours == theirs


@pytest.mark.parametrize(
    "wrong",
    [
        (b"q Q0 d 1 2 t\n", 0, 99, 0, (6, 1, 2, 4, 3, 5), 1),
        (b"q Q0 d 1 2 t\n", 0, 13, 0, (6, 1, 7, 4, 3, 5), 1),
        (b"q Q0 d 1 2 t\n", 5, 2, 0, (6, 1, 2, 4, 3, 5), 1),
        (b"q Q0 d 1 2 t\n", 0, 13, 0, (6, 1, 2, 4, 3, 5), 2),
        (b"q Q0 d 1 2 t\n", 0, 13, 0, (6, 1, 2, 4, 3, 5), 2**62),
    ],
)
def test_buffers_that_do_not_fit_are_refused(wrong: tuple[object, ...]) -> None:
    into = (np.empty(1, np.int32), np.empty(1), np.empty(1, np.uint32), np.empty(1, np.uint64))
    with pytest.raises(ValueError, match=r"out of range|too short"):
        core.scan(*wrong, *into)


@pytest.mark.skipif(not hasattr(core, "breaks"), reason="an earlier module in C is installed")
@given(st.text("\nab", max_size=700).map(str.encode), st.integers(0, 700), st.integers(0, 700))
def test_line_feeds_are_counted_between_two_places(text: bytes, begin: int, stop: int) -> None:
    if begin <= stop <= len(text):
        assert core.breaks(text, begin, stop) == text.count(b"\n", begin, stop)
    else:
        with pytest.raises(ValueError, match=r"out of range|too short"):
            core.breaks(text, begin, stop)


def test_random_texts_are_read_as_by_an_obvious_reader() -> None:
    from tests.helpers.native_fuzzing import differs  # noqa: PLC0415 - it needs the reader in C

    assert [number for number in range(FUZZ) if differs(number)] == []
