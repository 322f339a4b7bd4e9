"""The section "Add a task" of CONTRIBUTING.md, run as it stands: a sixth task in evaluate, compare, check and report."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline import tasks
from plumbline.metrics import registry
from tests.helpers.command_line import plumbline as program
from tests.helpers.contributing import code_blocks, section

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

GOLD = {"mon": {"a": 1.0, "b": 2.0}, "tue": {"a": 3.0, "b": 4.0}, "wed": {"a": 2.0, "b": 2.0}}
NEAR = {case: {item: value + 0.25 for item, value in items.items()} for case, items in GOLD.items()}
FAR = {case: {item: value + 1.0 for item, value in items.items()} for case, items in GOLD.items()}


def _code(title: str) -> str:
    """The one Python block of a section."""
    (code,) = code_blocks(section(title), "python")
    return code


@pytest.fixture
def regression(tmp_path: Path) -> Iterator[None]:
    """The task of the section, registered for one test."""
    path = tmp_path / "regression_task.py"
    path.write_text(_code("Add a task"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("regression_task", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["regression_task"] = module
    try:
        spec.loader.exec_module(module)
        yield
    finally:
        del sys.modules["regression_task"]
        registry.forget_metrics("regression")
        tasks.unregister("regression")


@pytest.mark.usefixtures("regression")
def test_a_new_task_is_evaluated_and_compared() -> None:
    scores = plumbline.evaluate(GOLD, {"near": NEAR, "far": FAR}, task="regression")
    assert dict(scores.mean.select("system", "value").iter_rows()) == {"near": 0.25, "far": 1.0}
    assert scores.ordered_systems == ["near", "far"]
    assert plumbline.evaluate(GOLD, {"near": NEAR}, "MAE").made["task"] == "regression"
    verdict = str(plumbline.compare(scores))
    assert "near" in verdict
    with pytest.raises(plumbline.BadUsage, match="depth"):
        plumbline.evaluate(GOLD, {"near": NEAR}, task="regression", depth=3)


@pytest.mark.usefixtures("regression")
def test_a_new_task_is_known_to_the_program(tmp_path: Path) -> None:
    for name, table in {"gold": GOLD, "near": NEAR, "far": FAR}.items():
        rows = [f"{case},{item},{value}" for case, items in table.items() for item, value in items.items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(["case,item,score", *rows, ""]), encoding="utf-8")
    gold, near, far = (tmp_path / f"{name}.csv" for name in ("gold", "near", "far"))
    assert "0.2500" in program("evaluate", gold, near, far, "--task", "regression").out
    assert program("compare", gold, near, far, "--task", "regression").code == 0
    assert program("check", gold, near, "--task", "regression").code == 0
    page = tmp_path / "report.html"
    ended = program("report", gold, near, far, "--task", "regression", "-o", page)
    assert ended.code == 0, ended.err
    assert "MAE" in page.read_text(encoding="utf-8")
    assert "floor" in program("evaluate", gold, near, "--task", "regression", "--floor").err
