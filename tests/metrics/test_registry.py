"""Metrics are declared once and found by their names, also those of a task that is registered while the program runs."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import polars as pl
import pytest

import plumbline
from plumbline import tasks
from plumbline.errors import usage
from plumbline.metrics import names, registry

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def tiny_task() -> Iterator[str]:
    """A sixth task with one metric."""
    tasks.register(tasks.Task("tiny", outputs="tiny outputs", default_metrics=("Sum",), trade_off=("Sum", "Sum")))

    @registry.metric("Sum", task="tiny", range=(0, None), paper="cleverdon1966", aliases={"Total": {}})
    def total(table: pl.DataFrame, *, times: float = 1.0) -> pl.Expr:
        """All values together."""
        return pl.lit(len(table) * times)

    yield "tiny"
    registry.forget_metrics("tiny")
    tasks.unregister("tiny")


def test_a_task_registered_now_has_its_metrics(tiny_task: str) -> None:
    assert list(plumbline.all_metrics(tiny_task)) == ["Sum"]
    assert plumbline.parse("total(times=2)", task=tiny_task).name == "Sum(times=2)"
    assert names.task_of(["Sum"]) == tiny_task
    with pytest.raises(plumbline.BadUsage, match="tiny"):
        plumbline.parse("Sum")


def test_a_metric_declared_now_is_known_at_once(tiny_task: str) -> None:
    assert list(plumbline.all_metrics(tiny_task)) == ["Sum"]

    @registry.metric("Another", task=tiny_task, range=(0, 1), paper="cleverdon1966")
    def another(_table: pl.DataFrame) -> pl.Expr:
        """One more."""
        return pl.lit(1.0)

    assert list(plumbline.all_metrics(tiny_task)) == ["Another", "Sum"]
    assert plumbline.parse("another", task=tiny_task).name == "Another"


def test_metrics_of_no_task_are_refused() -> None:
    with pytest.raises(plumbline.BadUsage, match="rankin"):
        plumbline.all_metrics("rankin")


def test_a_name_is_read_once() -> None:
    assert plumbline.parse("nDCG@10") is plumbline.parse(" nDCG@10 ")
    assert plumbline.parse("AP", {"*": {"rel": 2.0}}) is plumbline.parse("AP", {"*": {"rel": 2.0}})
    assert plumbline.parse("AP", {"*": {"rel": 2.0}}) != plumbline.parse("AP")


def test_no_hint_is_looked_for_that_nobody_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(usage, "unknown_metric")
    assert names.task_of(["Lam"]) == "filtering"


@pytest.mark.parametrize("module", [names, registry], ids=["names", "registry"])
def test_the_examples_of_the_docstrings_run(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]  # a module
    assert results.attempted > 0
    assert results.failed == 0
