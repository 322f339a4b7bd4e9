"""The simulation of errors, with few data sets: no test claims much more than it may, and every test has its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from plumbline.comparison.significance.registry import UNCORRECTED, all_corrections, all_tests, find_test
from tests.helpers import reproductions as reproduced

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.slow

FEW = 20


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    return reproduced.script("verdict_simulation")


@pytest.mark.parametrize("kind", ["tied", "heavy-tailed"])
def test_equal_systems_are_seldom_called_different(script: ModuleType, kind: str) -> None:
    rates = script.family_rates(kind, FEW)
    expected = {
        (test.name, name) for test in all_tests().values() for name in ([UNCORRECTED] if test.familywise else all_corrections())
    }
    assert set(rates) == expected
    limit = 0.05 + 4 * np.sqrt(0.05 * 0.95 / FEW)
    for (test, name), rate in rates.items():
        if all_tests()[test].familywise or name != UNCORRECTED:
            assert rate <= limit, (test, name)
    assert rates == script.family_rates(kind, FEW), "the same at every run"


def test_intervals_and_gates_keep_their_level(script: ModuleType) -> None:
    for kind in ("skewed", "bounded, nearly all won", "outliers"):
        assert script.interval_rates(kind, 20, 200)["plumbline"] >= 0.9
    assert all(rate <= 0.08 for rate in script.gate_rates("normal", 20, 200).values())
    assert script.unanimity_rate(10, 0.93, 0.0, 1000) >= 0.92


def test_gates_keep_their_level_but_where_all_cases_may_be_lost_by_one_amount(script: ModuleType) -> None:
    """Rates in the README are at most 5 %, but where a set of cases may show nothing but losses of about one amount."""
    tables = reproduced.readme().partition("### Gates that err")[2].partition("### Power")[0]
    printed = {line.split(" | ")[0].removeprefix("| "): line for line in tables.splitlines() if line.startswith("| ")}
    assert set(script.GATED) <= set(printed)
    for kind in script.GATED:
        rates = [float(cell.removesuffix(" %")) for cell in printed[kind].split(" | ") if cell.endswith(" %")]
        assert len(rates) in {len(script.GATE_SIZES), len(script.GATES) * len(script.GATE_SIZES)}
        assert max(rates) <= 5 or "same amount" in kind, kind


@pytest.mark.parametrize("share", [0.5, 0.75, 0.9])
def test_gates_err_as_often_as_printed_where_many_cases_are_lost_by_one_amount(script: ModuleType, share: float) -> None:
    """Of 400 data sets of ten cases."""
    kind = f"{100 * share:.0f} % lost by the same amount"
    line = reproduced.readme().partition("### Gates that err")[2].partition(f"| {kind} | ")[2].split(" | ")
    printed = float(line[len(script.GATES)].removesuffix(" %")) / 100
    rate = script.gate_rates(kind, 10, 400)[script.GATES[0]]
    assert rate == pytest.approx(printed, abs=4 * np.sqrt(printed * (1 - printed) / 400))


@pytest.mark.parametrize(
    "family", ["4 systems, 2 metrics", "4 systems, 6 metrics, 10 cases: the first decides", "two groups of cases, 1 metric"]
)
def test_verdicts_about_equal_systems_are_seldom_better(script: ModuleType, family: str) -> None:
    assert script.verdict_rate("skewed", family, 60) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 60)


def test_successes_and_failures_of_two_groups_keep_the_level_exactly(script: ModuleType) -> None:
    rates = script.shares_rates(10, 50)
    assert rates["p and interval"] <= rates["p of compare"] <= 0.05 < rates["p of Welch's t"]
    assert f"| 10 and 50 | {' | '.join(f'{100 * rate:.1f} %' for rate in rates.values())} |" in reproduced.readme()


@pytest.mark.parametrize("steady", [False, True])
def test_intervals_of_two_groups_keep_their_level(script: ModuleType, *, steady: bool) -> None:
    for kind in script.SCORES:
        assert script.group_rate(kind, (20, 20), 200, steady=steady) >= 0.9


def test_nemenyi_is_the_test_of_the_library(script: ModuleType) -> None:
    (generator,) = script.generators(1, "Nemenyi 10 10")
    p = [find_test("nemenyi")(-values.T).p for values in generator.random((200, 10, 10))]
    assert script.nemenyi_rate(10, 10, 200) == np.mean([(one < 0.05).any() for one in p])


def test_the_readme_has_a_row_for_every_test(script: ModuleType) -> None:
    text = reproduced.readme()
    assert "python reproductions/verdict_simulation.py" in text
    for test in all_tests().values():
        for name in [UNCORRECTED] if test.familywise else all_corrections():
            assert any(line.startswith(f"| {test.name} |") and line.endswith(f"| {name} |") for line in text.splitlines())
    assert set(script.SCORES) == {"skewed", "tied", "bounded", "heavy-tailed"}
