"""Every input file of a report is opened once: what is counted are the opens of the process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
COUNTING = """
import json, os, sys
counts = {}
def count(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        name = os.path.basename(os.fsdecode(arguments[0]))
        counts[name] = counts.get(name, 0) + 1
sys.addaudithook(count)
exec(sys.argv[1])
print(json.dumps(counts))
"""
COMMAND = """
from plumbline.cli.app import run
assert run(json.loads(sys.argv[2])) == 0
"""
SCORES = """
import plumbline
scores = plumbline.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["AP", "P@10"])
evaluated = dict(counts)
counts.clear()
scores.report("page.html")
assert {evaluated[name] for name in ("qrels.txt", "bm25.run", "dense.run")} == {1}
"""
WITH_RELATIONS = SCORES.replace('"P@10"]', '"Rel"]')


def opens(folder: Path, code: str, *arguments: str) -> dict[str, int]:
    """How often each file was opened, by its name."""
    ended = subprocess.run(
        [sys.executable, "-c", COUNTING, code, json.dumps(arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    counts: dict[str, int] = json.loads(ended.stdout.splitlines()[-1])
    return counts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the examples."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("qrels.txt", "bm25.run", "dense.run"),
        ("qrels.txt", "bm25.run", "dense.run", "tied.run", "-m", "AP", "-m", "Rel"),
        ("mail.tsv", "eager.tsv", "timid.tsv", "--positive", "spam", "--floor"),
        ("jaguar.tsv", "coarse.tsv", "fine.tsv", "--task", "clustering"),
        ("tickets.csv", "flat.csv", "--task", "classification"),
    ],
)
def test_the_command_opens_each_file_once(arguments: tuple[str, ...], folder: Path) -> None:
    counts = opens(folder, COMMAND, "report", *arguments, "-o", "page.html", "--quiet")
    files = [name for name in arguments if (folder / name).is_file()]
    assert {name: counts[name] for name in files} == dict.fromkeys(files, 1)
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert all(sha256((folder / name).read_bytes()).hexdigest() in page for name in files)


def test_a_plan_opens_each_file_once_for_each_part(folder: Path) -> None:
    plan = "[[part]]\ngold = 'qrels.txt'\nsystems = ['bm25.run', 'dense.run']\n"
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    counts = opens(folder, COMMAND, "report", "plan.toml", "-o", "page.html", "--quiet")
    assert [counts[name] for name in ("qrels.txt", "bm25.run", "dense.run")] == [1, 1, 1]


@pytest.mark.parametrize("kind", ["losses", "precision_recall", "bars"])
def test_a_figure_opens_each_file_once(kind: str, folder: Path) -> None:
    counts = opens(folder, COMMAND, "plot", kind, "qrels.txt", "bm25.run", "dense.run", "-o", "figure.json", "--quiet")
    assert [counts[name] for name in ("qrels.txt", "bm25.run", "dense.run")] == [1, 1, 1]


@pytest.mark.parametrize("code", [SCORES, WITH_RELATIONS])
def test_a_report_of_scores_opens_each_file_once_more(code: str, folder: Path) -> None:
    """Evaluating neither keeps what only figures need nor takes digests, since both take time: the report reads once."""
    counts = opens(folder, code)
    assert [counts[name] for name in ("qrels.txt", "bm25.run", "dense.run")] == [1, 1, 1]
