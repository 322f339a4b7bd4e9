"""The same command prints and writes the same bytes: with any hash seed, one thread or two, once and again."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.helpers.command_line import process

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

MACHINES = [
    {"PYTHONHASHSEED": "1", "POLARS_MAX_THREADS": "1"},
    {"PYTHONHASHSEED": "2", "POLARS_MAX_THREADS": "2"},
    {"PYTHONHASHSEED": "3", "POLARS_MAX_THREADS": "3"},
]
COMMANDS = {
    "ties": "evaluate qrels.txt tied.run -m AP -m ERR -m nDCG -m Bpref -m infAP --ties average --format csv --per-case",
    "floor of filters": "evaluate gold.tsv labels.tsv --positive a --floor --format csv -m Lam -m F(P,R) -m MI",
    "floor of classes": "evaluate gold.tsv labels.tsv --task classification --floor --format csv -m Kappa -m F(P,R)",
    "clusters": "evaluate gold.tsv labels.tsv --task clustering --floor --format csv -m ARI -m AMI -m VI -m ONMI",
    "overlapping clusters": "evaluate overlaps.tsv others.tsv --task clustering --floor --format csv -m F(BCubedP,BCubedR)",
}

TARGETS = ("run.csv.gz", "run.parquet", "run.json.gz")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that are large enough for several threads."""
    folder = tmp_path_factory.mktemp("reproducible")
    random = np.random.default_rng(24)
    items = [(case, item) for case in range(40) for item in range(60)]
    grades, scores = random.integers(0, 4, len(items)), random.integers(0, 5, len(items))
    _write(folder / "qrels.txt", [f"q{case} 0 d{item} {grade}" for (case, item), grade in zip(items, grades, strict=True)])
    _write(folder / "tied.run", [f"q{case} Q0 d{item} 0 {score} a" for (case, item), score in zip(items, scores, strict=True)])
    for name, most in (("gold", 7), ("labels", 5)):
        labels = random.integers(0, most, 3_000)
        _write(folder / f"{name}.tsv", [f"i{item}\t{'abcdefg'[label]}" for item, label in enumerate(labels)])
    for name in ("overlaps", "others"):
        pairs = sorted(set(zip(random.integers(0, 400, 900), random.integers(0, 30, 900), strict=True)))
        _write(folder / f"{name}.tsv", [f"i{item}\tc{cluster}" for item, cluster in pairs])
    return folder


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


ALL_IN_ONE = """
import sys
from plumbline.cli.app import run
for line in sys.stdin.read().splitlines():
    assert run(line.split()) == 0, line
    sys.stdout.flush()
"""
"""The program, which runs one command after the other."""


@pytest.fixture(scope="module")
def outcomes(folder: Path) -> list[tuple[bytes, bytes, dict[str, bytes]]]:
    """What every machine prints and writes, with all commands in one process each."""
    ended = []
    for machine in MACHINES:
        commands = "\n".join([*COMMANDS.values(), *(f"convert tied.run {target} --force" for target in TARGETS)])
        run = subprocess.run(
            [sys.executable, "-c", ALL_IN_ONE],
            input=commands.encode(),
            capture_output=True,
            check=True,
            cwd=folder,
            env={**os.environ, **machine},
            timeout=300,
        )
        ended.append((run.stdout, run.stderr, {target: (folder / target).read_bytes() for target in TARGETS}))
    return ended


def test_the_same_bytes_everywhere(outcomes: list[tuple[bytes, bytes, dict[str, bytes]]]) -> None:
    first, *others = outcomes
    assert first[0].count(b"\n") > 100
    for other in others:
        assert other[:2] == first[:2]


@pytest.mark.parametrize("target", TARGETS)
def test_files_are_the_same_bytes(target: str, outcomes: list[tuple[bytes, bytes, dict[str, bytes]]]) -> None:
    assert len({written[target] for _, _, written in outcomes}) == 1


def test_the_same_command_twice(folder: Path) -> None:
    """As people run it."""
    one, other = (process(*COMMANDS["ties"].split(), cwd=folder, variables=machine) for machine in MACHINES[:2])
    assert one.code == 0, one.err
    assert one == other
