"""Pages for people who come from other tools: every name of a metric that they promise is understood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plumbline
from plumbline.comparison.significance.registry import all_tests
from plumbline.tasks import task_names

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("coming-from-*.md"))
CODE = re.compile(r"`([^`]+)`")
METRIC = re.compile(r"[A-Za-z][\w-]*(\([^)]*\))?(@\d+)?")
NOT_METRICS = {"classification_report", "confusion_matrix", "report"}


def _promised(page: Path) -> list[str]:
    """Metrics in the column of plumbline; where it says "the same", those of the other tool."""
    names = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| ---"):
            theirs, ours, *_ = line.strip("| ").split(" | ")
            names += CODE.findall(theirs if ours.startswith("the same") else ours)
    return [name for name in names if METRIC.fullmatch(name) and name not in NOT_METRICS and "plumbline" not in name]


def _is_known(name: str) -> bool:
    for task in task_names():
        try:
            plumbline.parse(name, task=task)
        except plumbline.PlumblineError:
            continue
        return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_of_metrics_are_understood(page: Path) -> None:
    promised = _promised(page)
    assert not [name for name in promised if not _is_known(name)]


def test_there_are_names_on_these_pages() -> None:
    assert sum(len(_promised(page)) for page in PAGES) > 60


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_tests_of_significance_exist(page: Path) -> None:
    assert set(re.findall(r'`test="(\w+)"`', page.read_text(encoding="utf-8"))) <= set(all_tests())
