"""Small inputs that ask for all the memory there is: a sentence, in little memory, with the program as people run it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from tests.helpers.command_line import plumbline as command
from tests.helpers.command_line import write_pair
from tests.helpers.limited_memory import LINUX, limited

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 6_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgements, a run, and columnar files in which every row is the same."""
    folder = tmp_path_factory.mktemp("memory")
    write_pair(folder)
    columns: dict[str, str | float] = {"case": "q1", "item": "d1", "score": 1.0}
    rows = pl.DataFrame({name: pl.repeat(value, ROWS, eager=True) for name, value in columns.items()})
    rows.write_parquet(folder / "equal.parquet")
    rows.write_ipc(folder / "equal.arrow", compression="zstd")
    return folder


@pytest.mark.parametrize("name", ["equal.parquet", "equal.arrow"])
@pytest.mark.parametrize("words", [("evaluate", "qrels.txt"), ("check",)], ids=["evaluate", "check"])
def test_a_small_file_with_many_rows(name: str, words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert (folder / name).stat().st_size < ROWS / 10
    ended = command(*words, name)
    assert ended.code == 1
    assert f"{name}: E014" in ended.out + ended.err


def test_many_rows_that_are_meant(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows are one item then, which is another error."""
    monkeypatch.chdir(folder)
    with pytest.raises(plumbline.BadData, match="E1"):
        plumbline.evaluate("qrels.txt", "equal.parquet", "AP", max_bytes=10**9)


@LINUX
def test_a_device_that_never_ends(folder: Path) -> None:
    ended = limited(["-m", "plumbline", "evaluate", "qrels.txt", "/dev/zero"], 3, cwd=folder)
    assert ended.returncode == 1
    assert ended.stderr.startswith("/dev/zero:1:1: E005 NUL byte")


@LINUX
def test_an_endless_pipe(folder: Path) -> None:
    """Some bytes are allowed, and not one more is waited for."""
    with subprocess.Popen(["/usr/bin/env", "yes", "q1 Q0 d1 1 1.0 a"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        words = ["-m", "plumbline", "evaluate", "qrels.txt", "-", "--max-bytes", "5000000"]
        ended = limited(words, 3, cwd=folder, stdin=endless.stdout.fileno())
        endless.kill()
    assert ended.returncode == 1
    assert ended.stderr.startswith("<stdin>: E013 it has more than 5,000,000 bytes and may never end")


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("libblas.so: failed to map segment from shared object")], ids=["in Python", "loading"]
)
def test_no_memory_left_is_not_a_bug(error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("plumbline.evaluation.evaluate.evaluation_of", exhausted)
    monkeypatch.chdir(folder)
    ended = command("evaluate", "qrels.txt", "run.txt")
    assert ended.code == 2
    assert ended.err.startswith("there is not enough memory for this")
    assert "bug" not in ended.err


NOTHING_LEFT = """
from plumbline.cli import app, program
def exhausted():
    raise MemoryError
app.main = exhausted
program.main()
"""


def test_too_little_memory_to_say_so() -> None:
    ended = subprocess.run([sys.executable, "-c", NOTHING_LEFT], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("there is not enough memory for this")


MANY_CLUSTERS = """
import plumbline
gold = {f"i{item}": item // 2 for item in range(16_000)}
output = {f"i{item}": (item + 1) // 2 for item in range(16_000)}
print(plumbline.evaluate(gold, output, "ONMI", task="clustering").mean["value"][0])
"""


@LINUX
def test_many_clusters() -> None:
    """Eight thousand clusters and as many classes: a table of them would have 64,000,000 cells."""
    ended = limited(["-c", MANY_CLUSTERS], 2.5)
    assert ended.returncode == 0, ended.stderr[-500:]
    assert 0 < float(ended.stdout) < 0.001


@pytest.mark.parametrize("match", ["overlapping", "any"])
def test_clusters_in_portions(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, output = ({f"i{item}": item * factor % 5 for item in range(40)} for factor in (1, 3))
    output["i7"] = 9

    def value() -> float:
        return float(plumbline.evaluate(gold, output, f"ONMI(match={match})", task="clustering").mean["value"][0])

    expected = value()
    monkeypatch.setattr("plumbline.metrics.clustering.adjusted_information.MOST_PAIRS", 7)
    assert value() == expected > 0
