"""What a careful person would say of some files, and what `plumbline compare` says of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)


def write(**metrics: dict[str, Numbers]) -> None:
    """The file scores.csv, with a column for each metric."""
    frames = []
    for system in next(iter(metrics.values())):
        columns = {metric: values[system] for metric, values in metrics.items()}
        count = len(next(iter(columns.values())))
        frames.append(pl.DataFrame({"system": [system] * count, "case": [f"u{at}" for at in range(count)], **columns}))
    pl.concat(frames).write_csv("scores.csv")


def printed(*arguments: str) -> str:
    """What `compare` prints."""
    ended = plumbline("compare", *arguments)
    assert ended.code == 0, ended.err
    return ended.out


def first_line(*arguments: str) -> str:
    return printed(*arguments).splitlines()[0]


def test_many_users_and_a_small_difference() -> None:
    """2,682 users are better off and 2,318 are not: better by little, which UIR has no say in."""
    generator = np.random.default_rng(0)
    base = generator.uniform(0.3, 0.6, 5000)
    sides = generator.permutation(np.repeat([1.0, -1.0], [2682, 2318]))
    write(nDCG={"A": base, "B": base + sides * generator.exponential(0.02, 5000)})
    answer, by_metric, by_case = printed("scores.csv").splitlines()[:3]
    assert answer == "B is better than A by nDCG."
    assert re.fullmatch(r"  nDCG   \+0\.00\d+ \[0\.00\d+, 0\.00\d+\] or \+0\.\d %, p < 0\.001", by_metric)
    assert by_case == "  cases  B is better in 2,682 of 5,000, worse in 2,318"


def test_three_metrics_and_every_weighting() -> None:
    """Unanimous in 231 users, against it in 124: a UIR of 0.21 is told and is no veto."""
    generator = np.random.default_rng(1)
    sides = np.repeat([1, -1, 0], [231, 124, 145])
    steps = [np.where(sides == 0, open_side, sides) for open_side in (1, -1, 1)]
    metrics = {}
    for name, step in zip(("nDCG", "P", "RR"), steps, strict=True):
        base = generator.uniform(0.2, 0.3, 500)
        metrics[name] = {"A": base, "B": base + np.where(step > 0, 0.2, -0.05) * generator.uniform(0.5, 1, 500)}
    write(**metrics)
    answer, *evidence = printed("scores.csv").splitlines()[:6]
    assert answer == "B is better than A by all 3 metrics, for all 4,096 weightings drawn."
    assert [line.endswith("p < 0.001") for line in evidence] == [True] * 3 + [False] * 2
    assert evidence[3] == "  cases  unanimous for B in 231 of 500, for A in 124, the metrics disagree in 145"
    assert evidence[4].startswith("  UIR    0.21 [")


def test_a_classifier_on_one_test_set() -> None:
    """0.7995 against 0.8430 of 2,000 items: items are tested, and what they could have shown is told where nothing is."""
    parts = (1346, 253, 340, 61)
    right = {name: np.repeat(answers, parts) for name, answers in (("A", (1, 1, 0, 0)), ("B", (1, 0, 1, 0)))}
    items = [f"i{at}" for at in range(2000)]
    pl.DataFrame({"item": items, "label": ["yes"] * 2000}).write_csv("gold.csv")
    for name, side in right.items():
        pl.DataFrame({"item": items, "label": np.where(side, "yes", "no")}).write_csv(f"{name}.csv")
        pl.DataFrame({"item": items[:200], "label": np.where(side[::10], "yes", "no")}).write_csv(f"few_{name}.csv")
    pl.DataFrame({"item": items[:200], "label": ["yes"] * 200}).write_csv("few.csv")
    asked = ("--task", "classification", "-m", "Accuracy")
    text = printed("gold.csv", "A.csv", "B.csv", *asked)
    assert re.match(
        r"B is better than A by Accuracy\.\n  Accuracy  \+0\.04[34] \[0\.0(19|20), 0\.06[789]\] or \+5\.4 %, p < 0\.001\n", text
    )
    assert "1 case, tested by 2,000 items" in text
    few = first_line("few.csv", "few_A.csv", "few_B.csv", *asked)
    assert re.search(r"are not shown to differ: 200 items can show a difference of 0\.\d+ or more\.$", few)


def test_four_metrics_are_tested_one_by_one() -> None:
    generator = np.random.default_rng(3)
    base = generator.uniform(0.2, 0.6, 60)
    shifts = {"AP": 0.1, "nDCG": 0.08, "P10": 0.0, "RR": 0.0}
    write(**{name: {"A": base, "B": base + generator.normal(shift, 0.1, 60)} for name, shift in shifts.items()})
    text = printed("scores.csv")
    assert re.match(r"B is better than A by AP and nDCG, for .*; not shown to differ by P10 and RR\.\n", text)
    assert re.search(r"\n  AP     \+0\.\d+ \[.*, p < 0\.001\n  nDCG   \+0\.", text)
    assert "correction: Holm over 1 pair by 4 metrics" in text
    row = next(line for line in text.splitlines() if line.startswith(" B "))
    assert row.count(" b ") == 2, "two letters of significance"
    assert "harmonic mean" not in text


def test_a_system_that_has_the_hard_half_only() -> None:
    generator = np.random.default_rng(4)
    level = np.repeat([0.8, 0.3], 20)
    rows = [("a", f"q{at}", level[at] + generator.normal(0, 0.02)) for at in range(40)]
    rows += [("b", f"q{at}", level[at] + 0.05 + generator.normal(0, 0.02)) for at in range(20, 40)]
    pl.DataFrame(rows, schema=["system", "case", "P"], orient="row").write_csv("scores.csv")
    text = printed("scores.csv")
    assert text.startswith("b is better than a by P.\n  P      +0.0")
    assert "the 20 of 40 cases that all have" in text
    assert [line.split()[0] for line in text.splitlines() if re.match(r" [ab] ", line)] == ["b", "a"]


def test_five_cases_can_show_nothing_and_unanimity_is_not_sure() -> None:
    base = np.linspace(0.4, 0.5, 5)
    write(P={"a": base + 0.1, "b": base}, R={"a": base + 0.2, "b": base})
    text = printed("scores.csv")
    assert ": no difference can be significant with 5 cases, it takes 6 or more.\n" in text
    assert "\n  cases  unanimous for a in 5 of 5, for b in 0\n  UIR    1.00 [0.00, 1.00]" in text


def test_runs_and_folds() -> None:
    generator = np.random.default_rng(5)
    rows = [
        (system, f"s{seed}", f"f{fold}", level + generator.normal(0, 0.02))
        for system, level in (("A", 0.5), ("B", 0.6))
        for seed in range(3)
        for fold in range(5)
    ]
    pl.DataFrame(rows, schema=["system", "seed", "fold", "P"], orient="row").write_csv("scores.csv")
    text = printed("scores.csv", "--runs", "seed", "--folds", "fold")
    assert text.startswith("B is better than A by P.\n  P      +0.")
    assert "corrected resampled t test" in text
    assert "over 3 runs" in text
    untold = plumbline("compare", "scores.csv", "--folds", "fold")
    assert "compare takes --runs COLUMN for repeated runs" in " ".join(untold.err.split())
    refused = plumbline("compare", "scores.csv", "--runs", "seed", "--folds", "fold", "--units", "items")
    assert refused.code == 2
    assert "the folds are the units" in refused.err


def test_tables_have_headings_in_words() -> None:
    base = np.linspace(0.2, 0.6, 12)
    write(my_metric={"a": base + 0.1, "b": base}, R={"a": base + 0.05, "b": base})
    text = printed("scores.csv", "--show", "threshold", "--show", "references", "--wide")
    assert " every weighting " in text
    assert " reference of " in text
    assert " my_metric " in text, "a metric keeps its name"
    csv = printed("scores.csv", "--show", "threshold", "--format", "csv")
    assert csv.startswith("threshold,accepted,every_weighting,")
