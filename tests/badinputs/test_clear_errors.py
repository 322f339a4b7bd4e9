"""Damaged files, full disks and absurd numbers: a sentence and the right exit code, with the program as people run it."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from polars.exceptions import PanicException

import plumbline
from plumbline.views.discount import curve
from tests.helpers.command_line import RUN, process, write_pair

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
DIGITS = "9" * 400
KEY_OF_HALF_A_CHARACTER = '[{"\\ud800": 1, "case": "q1", "item": "d1", "score": 1}]'


def _damaged_zstd() -> bytes:
    """A frame whose blocks are turned around, behind an intact header."""
    packed = bytearray(zstd.compress(RUN.encode() * 50))
    packed[8:] = bytes(255 - byte for byte in packed[8:])
    return bytes(packed)


def _panicking_parquet() -> bytes:
    """A file on which polars panics; which bytes do that depends on its version, so they are searched for."""
    file = BytesIO()
    pl.DataFrame({"case": ["q1"] * 3, "item": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]}).write_parquet(file)
    random, original = np.random.default_rng(1), file.getvalue()
    for _ in range(500):
        changed = bytearray(original)
        for place in random.integers(4, len(changed) - 8, size=2):
            changed[place] = random.integers(256)
        try:
            pl.read_parquet(BytesIO(changed))
        except PanicException:
            return bytes(changed)
        except (pl.exceptions.PolarsError, OSError):
            continue
    pytest.skip("this version of polars does not panic")


FILES: dict[str, Callable[[], bytes]] = {
    "damaged.zst": _damaged_zstd,
    "header.npy": lambda: b"\x93NUMPY\x01\x00\x10\x00{'descr': (((((\n",
    "key.json": KEY_OF_HALF_A_CHARACTER.encode,
    "panic.parquet": _panicking_parquet,
    "clusters.tsv": lambda: b"a\t1\nb\t1\nc\t2\n",
}
COMMANDS = [
    ("evaluate qrels.txt damaged.zst", 1, "damaged.zst: E003"),
    ("evaluate clusters.tsv clusters.tsv --task clustering -m Silhouette --features header.npy", 1, "header.npy: E003"),
    ("evaluate qrels.txt key.json", 1, "key.json, record 1: E111"),
    ("check key.json", 1, ""),
    (
        "evaluate qrels.txt panic.parquet",
        1,
        "panic.parquet: E003 parquet data are damaged: the content contradicts",
    ),
    (f"evaluate qrels.txt run.txt -m P@{DIGITS}", 2, "E304 P: k = 9"),
    (f"evaluate qrels.txt run.txt -m Rel(n={'1' + '0' * 30},discount=logarithmic)", 2, "E304 Rel: n = 1"),
    (f"evaluate qrels.txt run.txt --seed {DIGITS}", 2, "E371 evaluate: seed = 9"),
    ("weights --own 1e308:1e308", 0, ""),
    ("weights --n 100000000000000000000", 2, "E304 weights: n = 100000000000000000000 is not allowed"),
    ("audit AP --budget 100000000000000000000000", 2, "Usage: plumbline audit"),
]


@pytest.mark.parametrize(("command", "code", "expected"), COMMANDS, ids=[command[:40] for command, _, _ in COMMANDS])
def test_a_sentence_and_no_trace(command: str, code: int, expected: str, tmp_path: Path) -> None:
    write_pair(tmp_path)
    for name, make in FILES.items():
        if name in command:
            (tmp_path / name).write_bytes(make())
    ended = process(*command.split(), cwd=tmp_path)
    assert ended.code == code
    assert ended.err.startswith(expected)
    assert "panicked" not in ended.err
    assert "Warning" not in ended.err
    assert len(ended.err) < 2_000


@LINUX
@pytest.mark.parametrize("command", ["evaluate qrels.txt run.txt -o", "convert run.txt"])
@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
def test_a_full_disk(command: str, ending: str, tmp_path: Path) -> None:
    write_pair(tmp_path)
    (tmp_path / f"full.{ending}").symlink_to("/dev/full")
    ended = process(*command.split(), f"full.{ending}", "--force", cwd=tmp_path)
    assert ended.code == 2
    assert ended.err.startswith(f"full.{ending}: E010 No space left on device\n")


def test_a_panic_in_python_is_an_error_like_others(tmp_path: Path) -> None:
    """A library leaves the streams of its caller alone, so only the error is ours here."""
    (tmp_path / "panic.parquet").write_bytes(_panicking_parquet())
    with pytest.raises(plumbline.BadData, match="E003"):
        plumbline.evaluate({"q1": {"a": 1}}, tmp_path / "panic.parquet", "AP")


def test_other_words_on_standard_error_are_kept(tmp_path: Path) -> None:
    """While a file is read by native code, what others write is held back, and then written."""
    pl.DataFrame({"case": ["q1"], "item": ["d1"], "score": [1.0]}).write_parquet(tmp_path / "good.parquet")
    write_pair(tmp_path)
    program = """
import os, sys
import polars as pl
from plumbline.cli.app import main
read = pl.read_parquet
pl.read_parquet = lambda *given, **named: (os.write(2, b"somebody else\\n"), read(*given, **named))[1]
sys.argv = ["plumbline", "evaluate", "qrels.txt", "good.parquet", "--quiet"]
main()
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=True, timeout=60)
    assert ended.stderr.decode() == f"somebody else{os.linesep}"


@pytest.mark.parametrize("n", [1, 7, 1_000_000, 1_000_001, 1_500_000])
def test_logarithmic_weights_add_up_however_many_there_are(n: int) -> None:
    """Against all weights one by one; beyond a million the sum is an integral."""
    weights = 1.0 / np.log2(np.arange(2, n + 2))
    position = np.array([0.0, 1.0, 2.5, 6.0])
    reached = np.interp(position, np.arange(n + 1), np.concatenate(([0.0], np.cumsum(weights) / weights.sum())))
    assert curve("logarithmic", n, 0.7).left(position) == pytest.approx(1 - 0.7 * reached, rel=1e-13)


@pytest.mark.parametrize("scale", [1.0, 2.0**1022, 2.0**-1000])
def test_own_weights_are_proportions(scale: float) -> None:
    """So large that their sum is no float, or so small: the same curve, to the last digit."""
    position = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    text = ":".join(repr(scale * weight) for weight in (1.5, 1.5, 0.75))
    assert curve("uniform", 3, 0.7, text).left(position).tolist() == curve("uniform", 3, 0.7, "2:2:1").left(position).tolist()
