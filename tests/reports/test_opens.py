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
from plumbline.cli.app import run
counts, opened = {}, {}
def count(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        name = os.path.basename(os.fsdecode(arguments[0]))
        counts[name] = counts.get(name, 0) + 1
def evaluated(*metrics):
    import plumbline
    scores = plumbline.evaluate("qrels.txt", ["bm25.run", "dense.run"], list(metrics))
    assert {counts[name] for name in ("qrels.txt", "bm25.run", "dense.run")} == {1}
    counts.clear()
    scores.report("page.html")
def command(*arguments):
    assert run(list(arguments)) == 0
sys.addaudithook(count)
for name, function, *arguments in json.loads(sys.argv[1]):
    os.chdir(name)
    counts.clear()
    globals()[function](*arguments)
    opened[name] = dict(counts)
    os.chdir("..")
print(json.dumps(opened))
"""
RUNS = ("qrels.txt", "bm25.run", "dense.run")
REPORTS = {
    "rankings": RUNS,
    "relations": (*RUNS, "tied.run", "-m", "AP", "-m", "Rel"),
    "filters": ("mail.tsv", "eager.tsv", "timid.tsv", "--positive", "spam", "--floor"),
    "clusterings": ("jaguar.tsv", "coarse.tsv", "fine.tsv", "--task", "clustering"),
    "classes": ("tickets.csv", "flat.csv", "--task", "classification"),
}
FIGURES = ("losses", "precision_recall", "bars")
SCORES = {"scores": ("AP", "P@10"), "scores of relations": ("AP", "Rel")}
PLAN = "[[part]]\ngold = 'qrels.txt'\nsystems = ['bm25.run', 'dense.run']\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the examples for everything that is done."""
    folder = tmp_path_factory.mktemp("opens")
    for name in (*REPORTS, *FIGURES, *SCORES, "plan"):
        shutil.copytree(EXAMPLES, folder / name)
    (folder / "plan" / "plan.toml").write_text(PLAN, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def opens(folder: Path) -> dict[str, dict[str, int]]:
    """How often each file was opened, by what was done and by the name of the file; one process does it all."""
    written = ("-o", "page.html", "--quiet")
    work = [
        *((name, "command", "report", *arguments, *written) for name, arguments in REPORTS.items()),
        *((kind, "command", "plot", kind, *RUNS, "-o", "figure.json", "--quiet") for kind in FIGURES),
        *((name, "evaluated", *metrics) for name, metrics in SCORES.items()),
        ("plan", "command", "report", "plan.toml", *written),
    ]
    ended = subprocess.run(
        [sys.executable, "-c", COUNTING, json.dumps(work)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    counts: dict[str, dict[str, int]] = json.loads(ended.stdout.splitlines()[-1])
    return counts


@pytest.mark.parametrize("name", REPORTS)
def test_the_command_opens_each_file_once(name: str, opens: dict[str, dict[str, int]], folder: Path) -> None:
    files = [argument for argument in REPORTS[name] if (folder / name / argument).is_file()]
    assert {file: opens[name][file] for file in files} == dict.fromkeys(files, 1)
    page = (folder / name / "page.html").read_text(encoding="utf-8")
    assert all(sha256((folder / name / file).read_bytes()).hexdigest() in page for file in files)


@pytest.mark.parametrize("name", [*FIGURES, "plan"])
def test_a_figure_and_each_part_of_a_plan_open_each_file_once(name: str, opens: dict[str, dict[str, int]]) -> None:
    assert [opens[name][file] for file in RUNS] == [1, 1, 1]


@pytest.mark.parametrize("name", SCORES)
def test_a_report_of_scores_opens_each_file_once_more(name: str, opens: dict[str, dict[str, int]]) -> None:
    """Evaluating neither keeps what only figures need nor takes digests, since both take time: the report reads once."""
    assert [opens[name][file] for file in RUNS] == [1, 1, 1]
