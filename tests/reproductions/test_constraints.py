"""The script about constraints: single verdicts by hand, and all as printed in its README; no data are needed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from tests.helpers import reproductions as reproduced

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("constraints")


@pytest.fixture(scope="module")
def published() -> ModuleType:
    """What it compares with."""
    return reproduced.script("constraints_published")


@pytest.fixture(scope="module")
def actual(script: ModuleType) -> Any:
    """All audits, once."""
    return script.audited()


def test_the_readme_shows_what_is_printed(script: ModuleType, actual: Any) -> None:
    assert script.report(actual) in reproduced.readme()


def test_the_summary_counts_the_same_cells(script: ModuleType, published: ModuleType, actual: Any) -> None:
    counts: dict[str, list[int]] = {}
    for table in published.TABLES:
        same, known = map(int, re.findall(r"\d+", script.whole(table, actual[table.task])[-1]))
        total = counts.setdefault(table.title.partition(":")[0], [0, 0])
        total[0], total[1] = total[0] + same, total[1] + known
    assert [f"{same} of {known} cells" in reproduced.readme() for same, known in counts.values()] == [True] * 3


def test_every_remark_is_about_a_difference(script: ModuleType, published: ModuleType, actual: Any) -> None:
    differing = {
        (metric, verdict.constraint.name)
        for table in published.TABLES
        for _, metric, answers, verdict in script.cells(table, actual[table.task])
        if script.differs(answers, verdict)
    }
    assert set(published.REMARKS) <= differing


@pytest.mark.parametrize("metric", ["VMeasure", "NMI"])
def test_completeness_breaks_only_where_the_gold_is_one_class(actual: Any, metric: str) -> None:
    broken = actual["clustering"].verdict(metric, "completeness").broken
    assert {len(set("".join(one.pair.better))) for one in broken} == {1}


@pytest.mark.parametrize("metric", ["F(PairP,PairR)", "Jaccard", "FM"])
def test_homogeneity_breaks_only_where_no_pair_is_right(actual: Any, metric: str) -> None:
    for one in actual["clustering"].verdict(metric, "homogeneity").broken:
        for clusters in (one.pair.better, one.pair.worse):
            assert not any(word.count(letter) > 1 for word in clusters for letter in word)


def test_thresholds_are_those_of_the_formulas(script: ModuleType, actual: Any) -> None:
    """RBP: p^n (1 - p^n) against 1 - p. P@10: the relevant items below that are within ten against one."""
    formulas: list[tuple[str, Callable[[int], float], float]] = [
        ("RBP", lambda n: 0.8**n * (1 - 0.8**n), 0.2),
        ("RBP(p=0.5)", lambda n: 0.5**n * (1 - 0.5**n), 0.5),
        ("P@10", lambda n: min(n, max(10 - n, 0)), 1),
    ]
    for name, below, top in formulas:
        right = [n for n in range(2, 101) if below(n) > top]
        parameters = script.below_is_better(actual["ranking"].verdict(name, "closeness threshold"))
        assert parameters == (f"{right[0]} to {right[-1]}" if right else "none")


def test_one_item_alone(script: ModuleType) -> None:
    """RR is 1/i, AUC falls by the same at each step, P@10 does not fall within the first ten."""
    assert script.alone(("RR", "AUC", "P@10"))[2:] == [
        "| `RR` | yes | yes |  |",
        "| `AUC` | yes | no |  |",
        "| `P@10` | no | no |  |",
    ]


def test_a_counterexample_in_one_line(script: ModuleType) -> None:
    verdict = plumbline.audit("P@10", constraints=["priority"], budget=20).verdict("P@10", "priority")
    assert script.why(verdict) == "`R N` 0.100000 is no better than `N R` 0.100000; gold: 1 relevant item"
    assert script.differs("yes", verdict)
    assert not script.differs("no", verdict)
    assert not script.differs("-", verdict)
    held = plumbline.audit("DCG", constraints=["priority"], budget=20).verdict("DCG", "priority")
    assert script.why(held).startswith("holds on ")
    assert script.differs("no", held)


def test_names_with_smoothing(published: ModuleType) -> None:
    assert published.smoothed("Lam", "laplace") == "Lam(smooth=laplace)"
    assert published.smoothed("WAcc(lam=2)", "laplace") == "WAcc(lam=2,smooth=laplace)"
    assert published.smoothed("F(P,R)", "laplace") == "F(P(smooth=laplace),R(smooth=laplace))"


def test_it_prints_all(
    script: ModuleType, actual: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "audited", lambda: actual)
    monkeypatch.setattr(script, "report", lambda audits: f"{len(audits)} tasks\n")
    assert script.main() == 0
    assert capsys.readouterr().out == "3 tasks\n"
