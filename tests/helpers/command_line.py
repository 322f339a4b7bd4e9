"""The program, run inside the test or as a process of its own, and what it said."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 0\nq2 0 d4 1\nq3 0 d5 1\nq3 0 d6 1\n"
RUN = (
    "q1 Q0 d3 1 3.0 sys\nq1 Q0 d2 2 2.0 sys\nq1 Q0 d1 3 1.0 sys\nq2 Q0 d1 1 2.0 sys\nq2 Q0 d4 2 1.0 sys\n"
    "q3 Q0 d5 1 3.0 sys\nq3 Q0 d9 2 2.0 sys\nq3 Q0 d6 3 1.0 sys\n"
)
MEAN_AP = 0.7222222222222222


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    out: str
    err: str

    def means(self) -> dict[tuple[str, str], float | None]:
        """The mean of each system and metric, from CSV output."""
        rows = csv.DictReader(io.StringIO(self.out))
        return {
            (row["system"], row["metric"]): float(row["value"]) if row["value"] else None
            for row in rows
            if row["case"] == "all"
        }


def plumbline(*arguments: object) -> Outcome:
    """Run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    return Outcome(code, out.getvalue(), err.getvalue())


def process(
    *arguments: object, cwd: Path | None = None, stdin: str | None = None, variables: Mapping[str, str] | None = None
) -> Outcome:
    """Run as a process, with output as UTF-8 text."""
    ended = subprocess.run(
        [sys.executable, "-m", "plumbline", *map(str, arguments)],
        input=None if stdin is None else stdin.encode(),
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **(variables or {})},
        timeout=60,
    )
    return Outcome(ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace"))


def write_pair(folder: Path, run_text: str = RUN, qrels_text: str = QRELS) -> tuple[Path, Path]:
    """A gold and a run in a folder."""
    gold, output = folder / "qrels.txt", folder / "run.txt"
    gold.write_text(qrels_text, encoding="utf-8")
    output.write_text(run_text, encoding="utf-8")
    return gold, output
