"""Do the tests notice when the source is wrong? A seeded sample of small changes, each tried on the tests that run its line.

    python benchmarks/mutation.py map                      which tests run which lines: the tests once, with coverage
    python benchmarks/mutation.py try --count 300 --seed 24

A change is a different comparison, operator, number, truth value or condition, or a function that returns nothing. Texts,
annotations and declarations for type checkers stay as they are. Everything happens in a copy of the sources.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl  # noqa: F401 - processes that run tests are copies of this one, and it is slow to import
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("io", "align", "metrics")
TESTS: Final = ("io", "align", "badinputs", "metrics", "evaluation", "compute", "tools", "comparison", "truth")
LEFT_OUT: Final = ("evaluation/engines/test_parts.py", "tools/test_choose.py")
"""What takes minutes and tests mainly other packages."""
DECLARATIONS: Final = ("tests/metrics/test_declared.py::test_names_mean_what_they_meant",)
"""Tests of what is only run at import, which no coverage of single tests shows."""
COPIED: Final = ("src", "tests", "docs", "benchmarks", "reproductions", "pyproject.toml", "README.md", "references.bib")
FIRST, SECONDS, PATIENCE = 15, 20.0, 60
"""Tests that are tried first; seconds of tests that are tried if these pass; seconds of work after which it is a loop."""
NOT_FOUND: Final = f"code {int(pytest.ExitCode.USAGE_ERROR)}"
"""A test that is not there, or a change with which pytest cannot start."""
IDLE: Final = 1800
"""Seconds after which a process that does not work is ended, however busy the machine is."""
SWAPPED: Final[dict[type, type]] = {
    one: other
    for pair in (
        (ast.Lt, ast.LtE),
        (ast.Gt, ast.GtE),
        (ast.Eq, ast.NotEq),
        (ast.Is, ast.IsNot),
        (ast.In, ast.NotIn),
        (ast.Add, ast.Sub),
        (ast.Mult, ast.Div),
        (ast.BitAnd, ast.BitOr),
        (ast.And, ast.Or),
    )
    for one, other in (pair, pair[::-1])
} | {ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult}


@dataclass(frozen=True)
class Change:
    """A piece of a file, and what stands there instead."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str


def changes(file: Path) -> Iterator[Change]:
    """Every change of a file."""
    text = file.read_text()
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _code(ast.parse(text)):
        for changed in _changed(node):
            if not isinstance(node, (ast.expr, ast.stmt)):
                continue
            start, end = (
                starts[node.lineno - 1] + node.col_offset,
                starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
            )
            old = text.encode()[start:end].decode()
            new = ast.unparse(changed)
            yield Change(
                str(file.relative_to(ROOT)), node.lineno, start, end, old, f"({new})" if isinstance(node, ast.expr) else new
            )


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are run and decide something."""
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "slice"} and not (
            name == "slice" and isinstance(value, (ast.Slice, ast.Constant))
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _code(child)


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """The node in other words that mean something else."""
    new: Any = deepcopy(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        new.ops[0] = SWAPPED[type(node.ops[0])]()
        yield new
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in SWAPPED:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and _is_type(node)):
            new.op = SWAPPED[type(node.op)]()
            yield new
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        new.test = ast.UnaryOp(ast.Not(), node.test)
        yield ast.fix_missing_locations(new)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(None)


def _is_type(node: ast.BinOp) -> bool:
    """Whether `|` joins types."""
    return any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, node.right))


def sample(count: int, seed: int) -> list[Change]:
    """Some changes of the three packages."""
    every = [
        change
        for package in PACKAGES
        for file in sorted((ROOT / "src/plumbline" / package).rglob("*.py"))
        for change in changes(file)
    ]
    return random.Random(seed).sample(every, count)


def in_function(change: Change) -> bool:
    """Whether the change is in what a function does; what is run at import is run by the test that happens to import it."""
    functions = [node for node in ast.walk(ast.parse((ROOT / change.file).read_text())) if isinstance(node, ast.FunctionDef)]
    return any(one.body[0].lineno <= change.line <= (one.end_lineno or 0) for one in functions)


class Map:
    """Which tests run a line, and how long they take."""

    def __init__(self, folder: Path) -> None:
        log = (folder / "map.log").read_text()
        self.seconds = {test: float(seconds) for seconds, test in re.findall(r"^([\d.]+)s call +(\S.*)$", log, re.MULTILINE)}
        self._failed = set(re.findall(r"^FAILED (\S+)", log, re.MULTILINE)) | set(
            re.findall(r"^(\S+) FAILED", log, re.MULTILINE)
        )
        self._data = sqlite3.connect(folder / ".coverage")
        self._breadth: dict[str, int] = dict(
            self._data.execute("select c.context, count(*) from arc a join context c on c.id = a.context_id group by 1")
        )

    def tests(self, change: Change) -> list[str]:
        """Those that pass and run the line, or the file if its line is run at import; the most specific ones first."""
        by_line = self._found(change.file, change.line) if in_function(change) else set()
        tests = (by_line or self._found(change.file)) - self._failed
        first = () if by_line else DECLARATIONS
        return [*first, *sorted(tests - {*first}, key=lambda test: (self._breadth.get(f"{test}|run", 0), test))]

    def _found(self, file: str, line: int | None = None) -> set[str]:
        rows = self._data.execute(
            "select distinct c.context from arc a join context c on c.id = a.context_id join file f on f.id = a.file_id "
            "where f.path like ? and (? or a.tono = ? or a.fromno = ?)",
            (f"%{file}", line is None, line, line),
        )
        return {context.rpartition("|")[0] for (context,) in rows if "|" in context}


class Witness:
    """Writes down the test that fails."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "failed.txt"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One test has been run."""
        if report.failed:
            self._file.write_text(report.nodeid)


def failing(tests: list[str], folder: Path) -> str:
    """The first of some tests that fails; empty if all pass. What ends before any test does is called by its exit code."""
    (folder / "failed.txt").unlink(missing_ok=True)
    code = run(tests, folder)
    return (folder / "failed.txt").read_text() if (folder / "failed.txt").exists() else f"code {code}" if code else ""


def run(tests: list[str], folder: Path) -> int:
    """How some tests end, in a copy of this process that has imported what is slow to import and nothing of ours."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(_environment(folder))
        sys.path[:0] = [str(folder / "src"), str(folder)]
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        words = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
        code = 1
        try:
            code = pytest.main([*words, "--hypothesis-profile", "unshrunk", *tests], [Witness(folder)])
        finally:
            os._exit(code)
    end = time.monotonic() + IDLE
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


def _environment(folder: Path) -> dict[str, str]:
    shared = os.environ.get("PLUMBLINE_SHARED", str(ROOT.parent / "shared"))
    return os.environ | {"PYTHONPATH": f"{folder / 'src'}:{folder}", "PLUMBLINE_SHARED": shared, "PYTHONDONTWRITEBYTECODE": "1"}


def noticed(change: Change, known: Map, folder: Path) -> str:
    """The test that fails; empty if all pass nevertheless."""
    target = folder / change.file
    text = target.read_bytes()
    target.write_bytes(text[: change.start] + change.new.encode() + text[change.end :])
    try:
        tests = known.tests(change)
        few, more, left = tests[:FIRST], [], SECONDS
        for one in sorted(tests[FIRST:], key=lambda name: known.seconds.get(name, 0.0)):
            left -= known.seconds.get(one, 0.0) + 0.01
            more += [one] if left > 0 else []
        return (few and failing(few, folder)) or (more and failing(more, folder)) or ""
    finally:
        target.write_bytes(text)


def copy(folder: Path) -> Path:
    """The sources, to be changed."""
    for name in COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    return folder


def make_map(folder: Path) -> None:
    """Run the tests once."""
    with tempfile.TemporaryDirectory() as made:
        place = copy(Path(made))
        words = ["-m", "pytest", "-p", "no:randomly", "-m", "not slow and not browser", "-vv", "--durations=0"]
        packages = "".join(f"  src/plumbline/{name}\n" for name in PACKAGES)
        (place / "map.cfg").write_text(f"[run]\nbranch = true\nsource =\n{packages}")
        wide = ["--cov", "--cov-config=map.cfg", "--cov-context=test", "--cov-report="]
        with (folder / "map.log").open("w") as log:
            tests = [*(f"tests/{name}" for name in TESTS), *(f"--ignore=tests/{name}" for name in LEFT_OUT)]
            subprocess.run([sys.executable, *words, *wide, *tests], cwd=place, env=_environment(place), stdout=log, check=False)
        shutil.copy(place / ".coverage", folder / ".coverage")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["map", "try"])
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutation", help="where the map and the results are kept")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=24)
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    if given.step == "map":
        return make_map(given.folder)
    known, results = Map(given.folder), Counter[str]()
    with tempfile.TemporaryDirectory() as made, (given.folder / "results.jsonl").open("a") as kept:
        place = copy(Path(made))
        witnesses = set[str]()
        for number, change in enumerate(sample(given.count, given.seed), 1):
            start = time.monotonic()
            by = noticed(change, known, place)
            if by == NOT_FOUND and run(["--collect-only", *known.tests(change)], place) != pytest.ExitCode.OK:
                sys.exit(f"tests of {change.file} are not there any more: make the map anew")
            outcome = "killed" if by else "survived"
            results[outcome] += 1
            witnesses |= {by} - {""}
            kept.write(json.dumps(asdict(change) | {"outcome": outcome, "by": by, "seconds": time.monotonic() - start}) + "\n")
            kept.flush()
            print(f"{number} {outcome} {change.file}:{change.line}: {change.old} -> {change.new}", flush=True)
        print(dict(results))
        if wrong := [test for test in sorted(witnesses) if "::" in test and failing([test], place)]:
            sys.exit(f"these tests fail on the source as it is, and what they noticed counts for nothing: {', '.join(wrong)}")
    return None


if __name__ == "__main__":
    main()
